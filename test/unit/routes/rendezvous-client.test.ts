import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { createServer as createProxy } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Rendezvous } from '../../../server/routes/rendezvous.ts';
import { maintainRegistration } from '../../../server/routes/rendezvous-client.ts';
import { dialThroughRelay } from '../../../server/routes/dial.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { newRegistrationSecret, officeIDOf } from '../../../server/routes/relay-address.ts';
import {
  ANY_ADDRESS,
  officeCertificate,
  portOf,
  registerAt,
  registerByHand,
  startFalseRelay,
  startRelay,
  type TestOffice,
} from '../../support/harness/relay.ts';
import { soon } from '../../support/harness/soon.ts';

const attempts = ({ states }: TestOffice): number =>
  states.filter(({ kind }) => kind === 'connecting').length;
const isRegistered = (office: TestOffice): Promise<unknown> =>
  soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));

/** A port of this computer at which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('an office that keeps itself registered', () => {
  it('tries again after 1, 2, 4, 8, 16 and then 30 seconds', async () => {
    const clock = manualClock();
    const office = registerAt({ host: '127.0.0.1', port: await closedPort(), path: '' }, { clock });
    for (const [at, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      await soon(() => expect(office.states.at(-1)).toEqual({ kind: 'unreachable', problem: 'network' }));
      clock.advance(seconds * 1_000 - 1);
      expect(attempts(office)).toBe(at + 1);
      clock.advance(1);
      expect(attempts(office)).toBe(at + 2);
    }
  });

  it('soon tries again where no route leads to a partner yet, whatever each route failed of', async () => {
    const clock = manualClock();
    const openSecure = (): Promise<never> => Promise.reject(new Error('an address that is not called'));
    const office = registerAt(
      { host: '192.168.1.10', port: 7420, path: '' },
      { clock, dial: { openSecure } },
    );
    await soon(() => expect(office.states.at(-1)).toEqual({ kind: 'unreachable', problem: 'network' }));
    clock.advance(1_000);
    expect(attempts(office)).toBe(2);
  });

  it('tries at once when the network changes', async () => {
    const clock = manualClock();
    const office = registerAt({ host: '127.0.0.1', port: await closedPort(), path: '' }, { clock });
    await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'unreachable' }));
    office.networkChanged();
    expect(attempts(office)).toBe(2);
  });

  it('asks a relay that refused it after five minutes only', async () => {
    const clock = manualClock();
    const relay = await startRelay();
    const office = registerAt({ ...relay.address, accessKey: 'a'.repeat(32) }, { clock });
    await soon(() => expect(office.states.at(-1)).toEqual({ kind: 'refused', problem: 'denied' }));
    clock.advance(299_000);
    expect(attempts(office)).toBe(1);
    clock.advance(1_000);
    expect(attempts(office)).toBe(2);
  });

  it('soon tries again where another certificate is shown, as a hotel’s sign-in page may answer', async () => {
    const clock = manualClock();
    const relay = await startRelay();
    const office = registerAt({ ...relay.address, pin: 'ab12'.repeat(16) }, { clock });
    const waits = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
    for (const [at, wait] of waits.entries()) {
      await soon(() => expect(office.states.at(-1)).toEqual({ kind: 'refused', problem: 'certificate' }));
      clock.advance(wait - 1);
      expect(attempts(office)).toBe(at + 1);
      clock.advance(1);
      expect(attempts(office)).toBe(at + 2);
    }
  });

  it.each([
    [502, 'network'],
    [503, 'busy'],
  ])('takes a relay for unreachable whose reverse proxy answers %i', async (status, problem) => {
    const { cert, key, fingerprint: pin } = officeCertificate();
    const proxy = createProxy({ cert, key }).on('upgrade', (_request, socket) =>
      socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`),
    );
    onTestFinished(() => void proxy.close());
    const office = registerAt({ host: '127.0.0.1', port: await portOf(proxy), path: '/relay', pin });
    await soon(() => expect(office.states.at(-1)).toEqual({ kind: 'unreachable', problem }));
  });

  it('notices within 50 seconds that its connection is dead', async () => {
    const clock = manualClock();
    const relay = await startFalseRelay({ answersPings: false });
    const office = registerAt(relay.address, { clock });
    await isRegistered(office);
    clock.advance(48_000);
    await soon(() => expect(office.states.at(-1)).toEqual({ kind: 'unreachable', problem: 'network' }));
    clock.advance(1_000);
    await soon(() => expect(relay.controls).toHaveLength(2));
  });

  it('notices it within 3 seconds when the network changes or the computer wakes up', async () => {
    const clock = manualClock();
    const relay = await startFalseRelay({ answersPings: false });
    const office = registerAt(relay.address, { clock });
    await isRegistered(office);
    office.networkChanged();
    clock.advance(3_000);
    await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'unreachable' }));
  });

  it('keeps a connection that survived the change of network, and its pings', async () => {
    const clock = manualClock();
    const relay = await startFalseRelay({});
    const office = registerAt(relay.address, { clock });
    await isRegistered(office);
    let pings = 0;
    relay.controls[0]?.on('ping', () => (pings += 1));
    office.networkChanged();
    await soon(() => expect(pings).toBe(1));
    clock.advance(2_000);
    // The answer is on its way for a moment.
    await new Promise((resolve) => setTimeout(resolve, 200));
    clock.advance(38_000);
    await soon(() => expect(pings).toBe(2));
    expect(office.states.at(-1)).toMatchObject({ kind: 'registered' });
  });

  it('ends its registration and its streams when it is told to, and does not come back', async () => {
    const relay = await startRelay();
    const office = registerAt(relay.address);
    await isRegistered(office);
    const stream = await dialThroughRelay(relay.address, office.officeID, ANY_ADDRESS);
    stream.resume();
    await soon(() => expect(office.streams).toHaveLength(1));
    office.stop();
    await soon(() => expect(relay.counts()).toMatchObject({ offices: 0, joined: 0 }));
    expect(office.streams[0]?.destroyed).toBe(true);
    stream.destroy();
    expect(attempts(office)).toBe(1);
  });

  it('does nothing at all when it was over before it began', () => {
    const states: unknown[] = [];
    maintainRegistration({
      endpoint: { host: '127.0.0.1', port: 1, path: '' },
      headers: () => ({}),
      onStream: () => undefined,
      onState: (state) => states.push(state),
      signal: AbortSignal.abort(),
      clock: manualClock(),
      dial: ANY_ADDRESS,
    });
    expect(states).toEqual([]);
  });
});

describe('a relay', () => {
  it('forgets an office that went to sleep, and one whose connection died without a word', async () => {
    const clock = manualClock();
    const relay = await startRelay({ clock });
    const secret = newRegistrationSecret();
    await registerByHand(relay, secret);
    await soon(() => expect(relay.counts().offices).toBe(1));
    clock.advance(90_000);
    expect(relay.counts().offices).toBe(1);
    clock.advance(30_000);
    await soon(() => expect(relay.counts().offices).toBe(0));
  });

  it('finds out by a call that nobody answers that an office is gone', async () => {
    const clock = manualClock();
    const relay = await startRelay({ clock });
    const secret = newRegistrationSecret();
    await registerByHand(relay, secret);
    await soon(() => expect(relay.counts().offices).toBe(1));
    const call = dialThroughRelay(relay.address, officeIDOf(secret), ANY_ADDRESS).catch(
      (error: unknown) => error,
    );
    await soon(() => expect(relay.counts().waiting).toBe(1));
    clock.advance(10_000);
    expect(await call).toMatchObject({ problem: 'no-answer' });
    clock.advance(5_000);
    await soon(() => expect(relay.counts().offices).toBe(0));
  });

  it('tells of an office that registers again before its old connection was found dead', async () => {
    const told: boolean[] = [];
    const host = new Rendezvous({ clock: manualClock(), onRegistration: (_id, is) => told.push(is) });
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('connection', (socket) => host.acceptRegistration('kiel', socket));
    onTestFinished(() => {
      server.close();
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const registrations of [1, 2]) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`);
      onTestFinished(() => socket.terminate());
      await soon(() => expect(told).toHaveLength(registrations));
    }
    expect(told).toEqual([true, true]);
  });

  it.each([
    ['that registers again', 0],
    // A call that it doesn't answer within 10 seconds, and no pong within 5 seconds more.
    ['that answers no call', 15_000],
    ['of which nothing was heard for long', 105_000],
  ])('ends the streams of an office %s, but none on which bytes came meanwhile', async (_what, silentMs) => {
    const clock = manualClock();
    const host = new Rendezvous({ clock });
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const dataServer = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => {
      host.close();
      server.close();
      dataServer.close();
    });
    server.on('connection', (socket) => host.acceptRegistration('kiel', socket));
    await Promise.all([once(server, 'listening'), once(dataServer, 'listening')]);
    const portOf = (each: WebSocketServer): number => (each.address() as AddressInfo).port;
    const register = async (): Promise<WebSocket> => {
      const control = new WebSocket(`ws://127.0.0.1:${portOf(server)}`, { autoPong: false });
      onTestFinished(() => control.terminate());
      await once(control, 'open');
      return control;
    };
    const control = await register();
    await soon(() => expect(host.isRegistered('kiel')).toBe(true));
    const answer = async (): Promise<{ readonly data: WebSocket; readonly stream: Duplex }> => {
      const asked = once(control, 'message');
      const opened = host.open('kiel');
      const [ticket] = (await asked) as [Buffer];
      dataServer.once('connection', (socket) => host.acceptTicket(String(ticket).slice(5), socket));
      const data = new WebSocket(`ws://127.0.0.1:${portOf(dataServer)}`);
      onTestFinished(() => data.terminate());
      await once(data, 'open');
      return { data, stream: await opened };
    };
    const [silent, busy] = [await answer(), await answer()];
    if (silentMs === 15_000) host.open('kiel').catch(() => undefined);
    clock.advance(silentMs === 0 ? 3_000 : silentMs - 1);
    const heard = once(busy.stream, 'data');
    busy.data.send(Buffer.from('Nordvik Timber AS'));
    await heard;
    expect(silent.stream.destroyed).toBe(false);
    if (silentMs === 0) await register();
    else clock.advance(1);
    await soon(() => expect(silent.stream.destroyed).toBe(true));
    expect(busy.stream.destroyed).toBe(false);
  });

  it('that stood still itself reads what came meanwhile before it takes an office for gone', async () => {
    const clock = manualClock();
    const host = new Rendezvous({ clock });
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
    server.on('connection', (socket) => host.acceptRegistration('kiel', socket));
    await once(server, 'listening');
    const control = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => {
      control.terminate();
      host.close();
      server.close();
    });
    await once(control, 'open');
    await soon(() => expect(host.isRegistered('kiel')).toBe(true));
    // As timers run: before what has arrived is read.
    await wait(1);
    control.ping();
    clock.advance(120_000);
    await once(control, 'pong');
    expect(host.isRegistered('kiel')).toBe(true);
    clock.advance(105_000);
    await soon(() => expect(host.isRegistered('kiel')).toBe(false));
  });

  it('hands a call over to the new connection of an office whose old one had died', async () => {
    const relay = await startRelay();
    const secret = newRegistrationSecret();
    await registerByHand(relay, secret);
    await soon(() => expect(relay.counts().offices).toBe(1));
    const call = dialThroughRelay(relay.address, officeIDOf(secret), ANY_ADDRESS);
    await soon(() => expect(relay.counts().waiting).toBe(1));
    const office = registerAt(relay.address, { secret });
    const stream = await call;
    await soon(() => expect(office.streams).toHaveLength(1));
    stream.destroy();
  });
});
