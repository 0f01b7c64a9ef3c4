import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { listenOnFirstFree } from '../../../server/http/listeners/listen.ts';
import { RouteBook } from '../../../server/node/routes/route-book.ts';
import { dialThroughRelay } from '../../../server/routes/dial.ts';
import { newRegistrationSecret, officeIDOf } from '../../../server/routes/relay-address.ts';
import { Relay } from '../../../server/routes/relay.ts';
import type { Rendezvous } from '../../../server/routes/rendezvous.ts';
import { RouteError } from '../../../server/routes/route-error.ts';
import {
  ANY_ADDRESS,
  echoInTLS,
  listAsCSV,
  officeCertificate,
  pinnedTLS,
  registerAt,
  startRelay,
} from '../../support/harness/relay.ts';
import { soon } from '../../support/harness/soon.ts';

const problemOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'opened',
    (error: unknown) => (error instanceof RouteError ? error.problem : error),
  );

/** Sends `content` and returns as many bytes of what comes back. */
async function sentAndReturned(socket: Duplex, content: Buffer): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const returned = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes >= content.length) resolve();
    });
  });
  socket.write(content);
  await returned;
  socket.removeAllListeners('data');
  return Buffer.concat(parts);
}

describe('a relay', () => {
  it('carries a list to an office that cannot be called, and back, inside the TLS of that office', async () => {
    const certificate = officeCertificate();
    const relay = await startRelay();
    const office = registerAt(relay.address, { onStream: echoInTLS(certificate) });
    await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));

    const stream = await dialThroughRelay(relay.address, office.officeID, ANY_ADDRESS);
    const secure = await pinnedTLS(stream, certificate.fingerprint);
    const list = listAsCSV(5_000);
    expect((await sentAndReturned(secure, list)).equals(list)).toBe(true);
    expect(relay.counts()).toMatchObject({ offices: 1, joined: 1, waiting: 0 });
    expect(relay.counts().bytes).toBeGreaterThan(2 * list.length);

    secure.end();
    await soon(() => expect(relay.counts()).toMatchObject({ joined: 0 }));
    await soon(() => expect(office.streams[0]?.destroyed).toBe(true));
  });

  it('lets an office register with the access key only', async () => {
    const relay = await startRelay();
    const { accessKey, ...withoutKey } = relay.address;
    expect(accessKey).toBeDefined();
    const office = registerAt(withoutKey);
    await soon(() => expect(office.states.at(-1)).toEqual({ kind: 'refused', problem: 'denied' }));
    const other = registerAt({ ...withoutKey, accessKey: 'x'.repeat(32) });
    await soon(() => expect(other.states.at(-1)).toEqual({ kind: 'refused', problem: 'denied' }));
  });

  it('lets every office register when it is open', async () => {
    const relay = await startRelay({ isOpen: true });
    const office = registerAt(relay.address);
    await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));
  });

  it('gives nobody an office by its ID alone: the ID of an office does not register it', async () => {
    const relay = await startRelay();
    const office = registerAt(relay.address);
    await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));
    const thief = registerAt(relay.address, { secret: office.officeID });
    await soon(() => expect(thief.states.at(-1)).toMatchObject({ kind: 'registered' }));
    expect(thief.officeID).not.toBe(office.officeID);
    expect(office.states.at(-1)).toMatchObject({ kind: 'registered' });
  });

  it('says of an office that is not there what it says of one that never was', async () => {
    const relay = await startRelay();
    const office = registerAt(relay.address);
    await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));
    office.stop();
    await soon(() => expect(relay.counts().offices).toBe(0));
    // Partners of an office that is away ask again and again.
    for (let at = 0; at < 25; at++)
      expect(await problemOf(dialThroughRelay(relay.address, office.officeID, ANY_ADDRESS))).toBe('absent');
    const nobody = officeIDOf(newRegistrationSecret());
    expect(await problemOf(dialThroughRelay(relay.address, nobody, ANY_ADDRESS))).toBe('absent');
  });

  it('is not used when it shows another certificate than the pinned one, and learns no secret then', async () => {
    const relay = await startRelay();
    const wrong = { ...relay.address, pin: 'ab'.repeat(32) };
    const office = registerAt(wrong);
    await soon(() => expect(office.states.at(-1)).toEqual({ kind: 'refused', problem: 'certificate' }));
    expect(await problemOf(dialThroughRelay(wrong, office.officeID, ANY_ADDRESS))).toBe('certificate');
    expect(relay.counts()).toMatchObject({ offices: 0, refused: 0 });
  });

  it('is not called at an address that the guard refuses', async () => {
    const relay = await startRelay();
    const refuse = (): never => {
      throw new Error('an address of this computer');
    };
    const id = officeIDOf(newRegistrationSecret());
    expect(await problemOf(dialThroughRelay(relay.address, id, { checkAddress: refuse }))).toBe('address');
    const named = { ...relay.address, host: 'localhost' };
    expect(await problemOf(dialThroughRelay(named, id, { checkAddress: refuse }))).toBe('address');
  });

  it('joins the wrong office: its certificate is not the pinned one', async () => {
    const [ours, theirs] = [officeCertificate(), officeCertificate()];
    const relay = await startRelay();
    const office = registerAt(relay.address, { onStream: echoInTLS(theirs) });
    await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));
    const stream = await dialThroughRelay(relay.address, office.officeID, ANY_ADDRESS);
    await expect(pinnedTLS(stream, ours.fingerprint)).rejects.toThrow('another certificate');
  });

  it('ends the TLS inside without an error when the other side goes', async () => {
    const certificate = officeCertificate();
    const relay = await startRelay();
    const office = registerAt(relay.address, { onStream: echoInTLS(certificate) });
    await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));
    const stream = await dialThroughRelay(relay.address, office.officeID, ANY_ADDRESS);
    const secure = await pinnedTLS(stream, certificate.fingerprint);
    const errors: unknown[] = [];
    secure.on('error', (error) => errors.push(error));
    secure.resume();
    secure.write(listAsCSV(100));
    await once(secure, 'data');
    const closed = Promise.all([once(secure, 'close'), once(stream, 'close')]);
    office.streams[0]?.destroy();
    await closed;
    expect(errors).toEqual([]);
  });

  it('ends both streams when either side goes', async () => {
    const relay = await startRelay();
    const office = registerAt(relay.address);
    await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));
    const stream = await dialThroughRelay(relay.address, office.officeID, ANY_ADDRESS);
    await soon(() => expect(office.streams).toHaveLength(1));
    office.streams[0]?.destroy();
    stream.resume();
    await once(stream, 'close');
    await soon(() => expect(relay.counts().joined).toBe(0));
  });

  it('ends the streams of third parties, and only these, when nobody is carried any more', async () => {
    const { rendezvous, relay, call } = await startCarrier();
    const carried = await call();
    const own = await rendezvous.open('bergen');
    rendezvous.endCarried();
    carried.resume();
    await once(carried, 'close');
    await soon(() => expect(relay.counts().joined).toBe(0));
    expect(own.destroyed).toBe(false);
  });

  it('leaves an office that carries for its partner streams of its own, however many call', async () => {
    const { rendezvous, call } = await startCarrier();
    const outcomes: unknown[] = [];
    for (let at = 0; at < 66; at++) outcomes.push(await problemOf(call()));
    expect(outcomes.filter((outcome) => outcome === 'opened')).toHaveLength(64);
    expect(outcomes.at(-1)).toBe('busy');
    for (let at = 0; at < 8; at++) expect(await problemOf(rendezvous.open('bergen'))).toBe('opened');
  });
});

describe('a relay whose memory is bounded', () => {
  it('cuts the streams whose ends read nothing, and none of those that read', async () => {
    const certificate = officeCertificate();
    const relay = await startRelay({ limits: { maxHeldBytes: 512 * 1024 } });
    const honest = registerAt(relay.address, { onStream: echoInTLS(certificate) });
    const stalled = registerAt(relay.address);
    await soon(() => expect(relay.counts().offices).toBe(2));
    const secure = await pinnedTLS(
      await dialThroughRelay(relay.address, honest.officeID, ANY_ADDRESS),
      certificate.fingerprint,
    );
    const list = listAsCSV(5_000);
    for (let at = 0; at < 6; at++) {
      flood(await dialThroughRelay(relay.address, stalled.officeID, ANY_ADDRESS));
      expect((await sentAndReturned(secure, list)).equals(list)).toBe(true);
    }
    // Each that is stalled holds more than 128 KiB, once the buffers of the system are full.
    await soon(() => expect(relay.counts().joined).toBeLessThanOrEqual(5));
    expect((await sentAndReturned(secure, list)).equals(list)).toBe(true);
  });
});

/** Writes as much as a stream takes, until it ends. */
function flood(stream: Duplex): void {
  const chunk = listAsCSV(700);
  const write = (): void => {
    if (stream.destroyed) return;
    if (stream.write(chunk)) setImmediate(write);
    else stream.once('drain', write);
  };
  stream.resume();
  write();
}

/** An office that carries calls for Bergen, which is registered there. Each call is from another network. */
async function startCarrier(): Promise<{
  readonly rendezvous: Rendezvous;
  readonly relay: Relay;
  readonly call: () => Promise<Duplex>;
}> {
  const { rendezvous } = new RouteBook({
    ...{ clock: systemClock, allowLoopback: true, onReverse: () => undefined },
    settings: () => ({ relay: '', partnerRelays: false }),
  });
  let callers = 0;
  const relay = new Relay({
    rendezvous,
    clock: systemClock,
    authorizeRegistration: () => 'bergen',
    authorizeCall: () => 'bergen',
    addressOf: () => `198.51.${++callers}.7`,
  });
  const certificate = officeCertificate();
  const listener = await listenOnFirstFree((_request, response) => response.end(), {
    ...{ host: '127.0.0.1', port: 0, tls: certificate },
    onUpgrade: (...asked) => relay.upgrade(...asked),
  });
  onTestFinished(() => {
    rendezvous.close();
    return listener.close(0);
  });
  const endpoint = { host: '127.0.0.1', port: listener.port, path: '', pin: certificate.fingerprint };
  const office = registerAt(endpoint);
  await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));
  return { rendezvous, relay, call: () => dialThroughRelay(endpoint, 'x'.repeat(43), ANY_ADDRESS) };
}
