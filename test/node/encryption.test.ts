import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownCertificate } from '../../server/http/listeners/certificate.ts';
import { fetchPresentedCertificate } from '../../server/app/presented-certificate.ts';
import { systemClock } from '../../server/base/clock.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import {
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
  type NodeOffice,
  type Pair,
} from '../support/harness/node.ts';
import { withoutChecksum } from '../support/harness/pairing.ts';
import { startRecordingProxy, type RecordingProxy } from '../support/partners/recording-proxy.ts';

const CANARY = 'Canary-of-the-customer-list';
const EVERY_ADDRESS = '0.0.0.0';
const WAIT = { timeout: 30_000 };
interface Detail {
  certificate?: string;
  transport: string;
  words: string[];
  state: string;
  reason: string;
}

let a: NodeOffice;
let b: NodeOffice;
/** What stands between the two, in front of each. */
let beforeA: RecordingProxy;
let beforeB: RecordingProxy;
let targetA: number | undefined;

beforeEach(async () => {
  targetA = undefined;
  const ports: { a?: number; b?: number } = {};
  beforeA = await startRecordingProxy(() => targetA ?? ports.a ?? 1);
  beforeB = await startRecordingProxy(() => ports.b ?? 1);
  a = await startNode('Oslo', { host: EVERY_ADDRESS, publicUrl: `https://127.0.0.1:${beforeA.port}` });
  b = await startNode('Bergen', { host: EVERY_ADDRESS, publicUrl: `https://127.0.0.1:${beforeB.port}` });
  ports.a = a.port;
  ports.b = b.port;
});
afterEach(async () => {
  await Promise.all([a.stop(), b.stop()]);
  await Promise.all([beforeA.close(), beforeB.close()]);
});

async function details(pair: Pair): Promise<{ atA: Detail; atB: Detail }> {
  return {
    atA: await a.app('GET', `/app/partners/${pair.atInviter}`),
    atB: await b.app('GET', `/app/partners/${pair.atInvited}`),
  };
}

async function certificateAt(port: number): Promise<string | undefined> {
  return (await fetchPresentedCertificate(new URL(`https://127.0.0.1:${port}`), 2000))?.fingerprint;
}

describe('a node with certificate files of its user', () => {
  it('shows the certificate of the user’s own files to partners, when there are any', async () => {
    const folder = await temporaryFolder();
    const own = await ownCertificate(folder.path, systemClock);
    const files = { cert: join(folder.path, 'office.crt'), key: join(folder.path, 'office.key') };
    await writeFile(files.cert, own.cert);
    await writeFile(files.key, own.key);
    const office = await startNode('Voss', { host: EVERY_ADDRESS, certificate: files });
    expect(await certificateAt(office.port)).toBe(own.fingerprint);
    await office.stop();

    await writeFile(files.key, 'not a key');
    await expect(startNode('Voss', { host: EVERY_ADDRESS, certificate: files })).rejects.toThrow(
      /office\.crt and .*office\.key are not a certificate and its key/,
    );
    await folder.remove();
  });
});

/** What stands in requests and answers; long enough not to turn up in random bytes by chance. */
const READABLE = ['HTTP/1.1', 'application/json', 'eyJhbGciOi', 'Bearer ', 'recordID', 'Bergen'];

describe('between two Footbridges that were paired by invite', () => {
  it('a capture of the whole line, both ways, shows TLS with the pinned certificates and nothing else', async () => {
    const pair = await pairNodes(a, b);
    const list = await a.list('Customers', ['Name'], [{ Name: CANARY }]);
    const back = await b.list('Prices', ['Price'], [{ Price: CANARY }]);
    const received = await shareAndReceive({ office: a, partner: pair.atInviter, list }, ['Name'], {
      office: b,
      partner: pair.atInvited,
    });
    await shareAndReceive({ office: b, partner: pair.atInvited, list: back }, ['Price'], {
      office: a,
      partner: pair.atInviter,
    });
    expect(await rowsOf(b, received.list)).toMatchObject([{ Name: CANARY }]);

    const { atA, atB } = await details(pair);
    expect([atA.transport, atB.transport]).toEqual(['pinned', 'pinned']);
    expect(atB.certificate).toBe(await certificateAt(a.port));
    expect(atA.certificate).toBe(await certificateAt(b.port));
    expect(atA.certificate).not.toBe(atB.certificate);

    const secret = new URL(pair.uri).password;
    for (const proxy of [beforeA, beforeB]) {
      const lines = proxy.recorded();
      expect(lines.length).toBeGreaterThan(2);
      for (const { bytes } of lines) {
        expect(bytes[0]).toBe(0x16);
        const text = bytes.toString('latin1');
        for (const plain of [CANARY, secret, ...READABLE]) expect(text.includes(plain), plain).toBe(false);
      }
    }
  });

  it('both users see the same words', async () => {
    const good = await details(await pairNodes(a, b));
    expect(good.atA.words).toHaveLength(5);
    expect(good.atA.words).toEqual(good.atB.words);
  });

  it('somebody in between with another certificate gets no request at all, and the user is told', async () => {
    const pair = await pairNodes(a, b);
    const folder = await temporaryFolder();
    const tls = await ownCertificate(folder.path, systemClock);
    let requests = 0;
    const impostor = createServer({ cert: tls.cert, key: tls.key }, (_req, res) => {
      requests++;
      res.end('{}');
    });
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
    targetA = (impostor.address() as AddressInfo).port;
    beforeA.cut();

    await expect(b.app('POST', `/app/partners/${pair.atInvited}/sync`)).rejects.toThrow(
      /isn’t the one that the invite named/,
    );
    expect(requests).toBe(0);
    expect((await details(pair)).atB.reason).toMatch(/isn’t the one that the invite named/);

    impostor.closeAllConnections();
    await new Promise((resolve) => impostor.close(resolve));
    await folder.remove();
  });

  it('an invite that was intercepted and now names another certificate pairs with nobody', async () => {
    await expect(
      pairNodes(a, b, (uri) => withoutChecksum(uri).replace(/fp=[0-9a-f]{64}/, `fp=${'0'.repeat(64)}`)),
    ).rejects.toThrow(/isn’t the one that the invite named/);
  });
});

it('an older invite that a partner uses after it was connected by another one leaves one partner, whose list goes on', async () => {
  const { uri, nodeID: unused } = await a.app<{ uri: string; nodeID: string }>('POST', '/app/invites', {
    name: 'Bergen',
  });
  const pair = await pairNodes(b, a);
  const customers = await b.list('Customers', ['Name'], [{ Name: 'Fjellheim AS' }]);
  const received = await shareAndReceive({ office: b, partner: pair.atInviter, list: customers }, ['Name'], {
    office: a,
    partner: pair.atInvited,
  });
  await b.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
  const known = await a.app<{ name: string }>('GET', `/app/partners/${pair.atInvited}`);
  expect(await a.app('GET', `/app/partners/${unused}`)).toMatchObject({
    asker: { partner: known.name, renews: true },
  });
  const { inbox } = await a.app<{ inbox: { kind: string; message: string }[] }>('GET', '/app/overview');
  expect(inbox.find(({ kind }) => kind === 'pair-request')?.message).toContain(`This is ${known.name},`);
  expect(await a.app('POST', `/app/partners/${unused}/approve`)).toMatchObject({ nodeID: pair.atInvited });
  const partners = (of: NodeOffice): Promise<{ nodeID: string; state: string }[]> =>
    of.app('GET', '/app/partners');
  await expect.poll(() => partners(a), WAIT).toMatchObject([{ nodeID: pair.atInvited, state: 'up-to-date' }]);
  expect(await partners(b)).toMatchObject([{ nodeID: pair.atInviter }]);
  await b.app('POST', `/app/lists/${customers}/rows`, { values: { Name: ['Lofoten Fisk'] } });
  await expect.poll(() => rowsOf(a, received.list), WAIT).toHaveLength(2);
  const bills = await a.list('Bills', ['No'], [{ No: '2026-114' }]);
  const back = await shareAndReceive({ office: a, partner: pair.atInvited, list: bills }, ['No'], {
    office: b,
    partner: pair.atInviter,
  });
  await expect.poll(() => rowsOf(b, back.list), WAIT).toHaveLength(1);
});
