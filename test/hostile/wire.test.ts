import { gzipSync, deflateRawSync, deflateSync } from 'node:zlib';
import type { Express } from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AddressRefusedError,
  ProtocolViolationError,
  PartnerUnreachableError,
  NextPageTooLargeError,
} from '../../server/peer/guard/errors.ts';
import { PEER_LIMITS } from '../../server/peer/guard/limits.ts';
import { openPeer, type Peer, type PeerOptions } from '../../server/peer/peer.ts';
import type { RecordsPage, RecordsPiece } from '../../server/peer/remote.ts';
import { createReceiveBufferBudget } from '../../server/peer/guard/receive-buffer-budget.ts';
import * as lies from '../support/partners/lying-partner.ts';
import { noise } from '../support/data/office-lists.ts';
import { seeded } from '../support/data/seeded.ts';
import { startLyingPartner, type LyingPartner } from '../support/partners/lying-partner.ts';

let partner: LyingPartner | undefined;
let peer: Peer | undefined;
afterEach(async () => {
  await peer?.close();
  await partner?.close();
  partner = peer = undefined;
});

/** For partners that hold us up. All others get our own limits, as a busy machine holds an honest answer up as well. */
const hurried = { ...PEER_LIMITS, requestTime: 500, pageTime: 700, connectTime: 500 };
const list = { moduleID: '42' };
const path = '/nodes/7/modules/42/records';

function open(baseURL: string, more: Partial<PeerOptions> = {}): Peer {
  peer = openPeer({
    baseURL,
    dialect: 'shape1',
    footbridge: false,
    token: 'secret-token',
    sharedNodeID: '7',
    ownNetwork: false,
    allowLoopback: true,
    ownPorts: () => [],
    ...more,
  });
  return peer;
}

/** What one request for rows comes to when the partner is set up like this: the pieces of the page. */
async function pull(setup: (app: Express) => void, limits = PEER_LIMITS): Promise<RecordsPiece[]> {
  partner = await startLyingPartner(setup);
  return piecesOf(await open(partner.base, { limits }).feed.records(list, {}));
}

async function piecesOf({ rows }: RecordsPage): Promise<RecordsPiece[]> {
  const pieces: RecordsPiece[] = [];
  for await (const piece of rows) pieces.push(piece);
  return pieces;
}

describe('H1: slow partners', () => {
  it.each([
    ['one that never answers', lies.silence],
    ['one that sends headers only', lies.headersOnly],
    ['one that sends a byte now and then', lies.trickle],
  ])('%s is given up after the deadline for the whole exchange', async (_, handler) => {
    const before = performance.now();
    const failed = pull((app) => app.get(path, handler), hurried);
    await expect(failed).rejects.toMatchObject({ kind: 'unreachable', why: 'timeout' });
    expect(performance.now() - before).toBeLessThan(15_000);
  });

  it('one that stops in the middle of its answer is given up long before the whole time is over', async () => {
    let stops: Promise<unknown> = Promise.resolve();
    partner = await startLyingPartner((app) => {
      app.get(path, (_, response) => {
        response.setHeader('content-type', 'application/json');
        response.write(
          `{"response":{"filter":{},"set":[${JSON.stringify({ recordID: '1', note: noise(seeded(1), 90_000) })}`,
        );
        stops = new Promise((resolve) => response.once('close', resolve));
      });
    });
    const patient = { ...PEER_LIMITS, requestTime: 600_000, pageTime: 600_000, gapTime: 1000 };
    const asked = open(partner.base, { limits: patient });
    const failed = asked.feed.records(list, {});
    await expect(failed).rejects.toMatchObject({ kind: 'unreachable', why: 'timeout' });
    expect(asked.quietFor()).toBeUndefined();
    await stops;
  });

  it('one that stops in the middle of its answer is seen to be quiet meanwhile', async () => {
    partner = await startLyingPartner((app) => app.get(path, lies.headersOnly));
    const asked = open(partner.base);
    const given = new AbortController();
    const failed = asked.feed.records(list, {}, given.signal);
    failed.catch(() => undefined);
    await expect.poll(() => asked.quietFor() ?? 0).toBeGreaterThan(300);
    given.abort();
    await expect(failed).rejects.toThrow();
    expect(asked.quietFor()).toBeUndefined();
  });

  it('one that sends a byte now and then is given up long before the time for a large answer is over', async () => {
    partner = await startLyingPartner((app) => app.get(path, lies.trickle));
    const patient = {
      ...PEER_LIMITS,
      requestTime: 600_000,
      pageTime: 600_000,
      gapTime: 600_000,
      leastFlow: { bytes: 1024, within: 500 },
    };
    const failed = open(partner.base, { limits: patient }).feed.records(list, {});
    await expect(failed).rejects.toMatchObject({ kind: 'unreachable', why: 'timeout' });
  });

  it('one that does not begin is given up before the time for a large answer is over', async () => {
    partner = await startLyingPartner((app) => app.get(path, lies.silence));
    const patient = { ...PEER_LIMITS, requestTime: 600_000, pageTime: 600_000, beginningTime: 500 };
    const failed = open(partner.base, { limits: patient }).feed.records(list, {});
    await expect(failed).rejects.toMatchObject({ kind: 'unreachable', why: 'timeout' });
  });

  it('one that is slow, but goes on, is waited for', async () => {
    const body = JSON.stringify({ response: { filter: {}, set: [] } });
    partner = await startLyingPartner((app) => {
      app.get(path, async (_, response) => {
        response.setHeader('content-type', 'application/json');
        for (const letter of body) {
          response.write(letter);
          await new Promise((resolve) => setTimeout(resolve, 75));
        }
        response.end();
      });
    });
    const patient = { ...PEER_LIMITS, requestTime: 60_000, pageTime: 60_000, gapTime: 3000 };
    expect(await piecesOf(await open(partner.base, { limits: patient }).feed.records(list, {}))).toEqual([
      { records: [], bad: [], letters: 0, isLast: true },
    ]);
  });

  it('one that cuts the connection is unreachable, not silently empty', async () => {
    await expect(pull((app) => app.get(path, lies.cutOff))).rejects.toBeInstanceOf(PartnerUnreachableError);
  });
});

describe('a line that is cut before any of the answer came', () => {
  /** Cuts so many questions off, and answers those behind; says how many came. */
  const cutting = (cuts: number): { setup: (app: Express) => void; readonly asked: number } => {
    let asked = 0;
    const body = JSON.stringify({ response: { filter: {}, set: [] } });
    return {
      get asked() {
        return asked;
      },
      setup: (app) => {
        app.all('/{*any}', (request, response) => {
          if (asked++ < cuts) request.socket.destroy();
          else response.type('json').send(body);
        });
      },
    };
  };

  it('is no reason to fail once: a connection that was kept open may have ended while the laptop slept', async () => {
    const once = cutting(1);
    expect(await pull(once.setup)).toEqual([{ records: [], bad: [], letters: 0, isLast: true }]);
    expect(once.asked).toBe(2);
  });

  it('is one where it is cut again, after two questions and no more', async () => {
    const always = cutting(Infinity);
    await expect(pull(always.setup)).rejects.toMatchObject({ kind: 'unreachable', why: 'cut' });
    expect(always.asked).toBe(2);
  });

  it('is never asked anew where the question changes something over there', async () => {
    const once = cutting(1);
    partner = await startLyingPartner(once.setup);
    const asked = open(partner.base, { footbridge: true }).footbridge?.renewToken();
    await expect(asked).rejects.toMatchObject({ why: 'cut' });
    expect(once.asked).toBe(1);
  });
});

describe('H2: large answers', () => {
  it('an endless body is cut off at the limit', async () => {
    partner = await startLyingPartner((app) => app.get(path, lies.endless));
    const small = { ...PEER_LIMITS, answerBytes: 8 * 1024 * 1024 };
    await expect(open(partner.base, { limits: small }).feed.records(list, {})).rejects.toBeInstanceOf(
      ProtocolViolationError,
    );
  });

  it('a gzip bomb is cut off at the limit with memory bounded', async () => {
    const before = process.memoryUsage().rss;
    partner = await startLyingPartner((app) => app.get(path, lies.gzipBomb));
    const small = { ...PEER_LIMITS, answerBytes: 8 * 1024 * 1024 };
    await expect(open(partner.base, { limits: small }).feed.records(list, {})).rejects.toThrow('8192 KiB');
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('of several partners at once wait for each other, and small ones pass', async () => {
    const row = (id: number, size: number): object => ({
      recordID: String(id),
      values: [],
      x: 'x'.repeat(size),
    });
    const page = (rows: number, size: number): string =>
      JSON.stringify({
        response: { filter: {}, set: Array.from({ length: rows }, (_, at) => row(at + 1, size)) },
      });
    partner = await startLyingPartner((app) => {
      app.get('/nodes/7/modules/1/records', lies.says(200, page(30, 100_000)));
      app.get('/nodes/7/modules/2/records', lies.says(200, page(3, 100)));
    });
    const budget = createReceiveBufferBudget();
    const slow = { ...PEER_LIMITS };
    const peers = [1, 2].map(() => open(partner?.base ?? '', { budget, limits: slow }));
    const [one, other] = peers.map(({ feed }) => feed);
    try {
      const first = await one!.records({ moduleID: '1' }, {});
      let came = false;
      const second = other!.records({ moduleID: '1' }, {}).then((read) => {
        came = true;
        return read;
      });
      expect(await piecesOf(await other!.records({ moduleID: '2' }, {}))).toHaveLength(1);
      expect(came).toBe(false);
      expect((await piecesOf(first)).map(({ records }) => records.length)).toEqual([6, 6, 6, 6, 6]);
      (await second).rows.release();
      expect(came).toBe(true);
    } finally {
      for (const each of peers) await each.close();
    }
  });

  it('are not taken in before their turn, when they might keep an earlier one of the same partner waiting', async () => {
    const set = Array.from({ length: 30 }, (_, at) => ({ recordID: String(at + 1), x: 'x'.repeat(100_000) }));
    const page = { epoch: 'one', next: 30, more: false, set };
    partner = await startLyingPartner((app) => {
      app.get('/footbridge/modules/1/changes', lies.says(200, JSON.stringify({ response: page })));
    });
    const slow = { ...PEER_LIMITS };
    const { footbridge } = open(partner.base, { footbridge: true, limits: slow });
    const range = { after: 0, limit: 250 };
    await expect(footbridge?.changes('1', { ...range, isAhead: true })).rejects.toBeInstanceOf(
      NextPageTooLargeError,
    );
    const now = await footbridge?.changes('1', range);
    now?.rows.release();
    expect(now).toMatchObject({ next: 30 });
  });

  it('leave no place taken when they break or are given up', async () => {
    const broken = `{"response":{"set":[${'{"recordID":"1"},'.repeat(200_000)}{"recordID":1}]}}`;
    const rows = `{"response":{"set":[${'{"recordID":"1"},'.repeat(200_000)}{"recordID":"1"}]}}`;
    partner = await startLyingPartner((app) => {
      app.get('/nodes/7/modules/1/records', lies.says(200, broken));
      app.get('/nodes/7/modules/2/records', lies.says(200, rows));
    });
    const many = { ...PEER_LIMITS, rowsPerPage: 1_000_000 };
    const { feed } = open(partner.base, { limits: many });
    for (let round = 0; round < 2; round++) {
      await expect(feed.records({ moduleID: '1' }, {})).rejects.toThrow('no proper id');
      const left = new AbortController();
      await feed.records({ moduleID: '2' }, {}, left.signal);
      left.abort();
      for await (const piece of (await feed.records({ moduleID: '2' }, {})).rows) {
        expect(piece.records).toHaveLength(500);
        break;
      }
    }
  });

  it('deep nesting is refused', async () => {
    const body = `{"response":${'['.repeat(100_000)}`;
    await expect(pull((app) => app.get(path, lies.says(200, body)))).rejects.toThrow('nested too deeply');
  });

  it('huge headers are refused', async () => {
    const handler = lies.says(200, '{}', { 'x-long': 'x'.repeat(64 * 1024) });
    await expect(pull((app) => app.get(path, handler))).rejects.toBeInstanceOf(ProtocolViolationError);
  });
});

describe('compression', () => {
  const body = JSON.stringify({
    response: { filter: {}, set: [{ recordID: '1', createdAt: '2026-01-01T00:00:00Z' }] },
  });

  it.each([
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['identity', Buffer.from(body)],
  ])('%s is understood', async (encoding, bytes) => {
    const page = await pull((app) =>
      app.get(path, (_, response) => {
        response.setHeader('content-encoding', encoding);
        response.end(bytes);
      }),
    );
    expect(page).toMatchObject([{ records: [{ recordID: '1' }] }]);
  });

  it.each([
    ['damaged gzip', 'gzip', Buffer.from('this is no gzip at all')],
    ['cut gzip', 'gzip', gzipSync(body).subarray(0, 30)],
    ['one that was not asked for', 'br', Buffer.from('x')],
  ])('%s is a fault', async (_, encoding, bytes) => {
    const page = pull((app) =>
      app.get(path, (__, response) => {
        response.setHeader('content-encoding', encoding);
        response.end(bytes);
      }),
    );
    await expect(page).rejects.toBeInstanceOf(ProtocolViolationError);
  });
});

describe('the address guard on real connections', () => {
  it('S1: connects to no loopback address unless allowed, and sends nothing', async () => {
    partner = await startLyingPartner(() => undefined);
    const { base, port } = partner;
    expect(() => open(base, { allowLoopback: false })).toThrow(AddressRefusedError);
    const named = open(`http://localhost:${port}/federation`, { allowLoopback: false });
    await expect(named.feed.records(list, {})).rejects.toMatchObject({ problem: 'loopback' });
    expect(partner.heard).toEqual([]);
  });

  it('S2: a public name that leads to a private or loopback address is refused in the look-up', async () => {
    for (const [address, problem] of [
      ['10.0.0.1', 'private'],
      ['127.0.0.1', 'loopback'],
      ['169.254.169.254', 'forbidden'],
    ] as const) {
      const trap = open('http://partner.example/federation', {
        allowLoopback: false,
        lookup: (_, __, callback) =>
          callback(null, [
            { address: '93.184.216.34', family: 4 },
            { address, family: 4 },
          ]),
      });
      await expect(trap.feed.records(list, {})).rejects.toMatchObject({ problem });
      await trap.close();
    }
  });

  it('S2: a name that changes its mind between two connections is refused the second time', async () => {
    partner = await startLyingPartner((app) =>
      app.get(path, lies.says(200, '{"response":{"set":[]}}', { connection: 'close' })),
    );
    const { port } = partner;
    let looked = 0;
    const rebinding = open(`http://partner.example:${port}/federation`, {
      lookup: (_, __, callback) =>
        callback(null, [{ address: looked++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }]),
    });
    await rebinding.feed.records(list, {});
    await expect(rebinding.feed.records(list, {})).rejects.toMatchObject({ problem: 'forbidden' });
    expect(partner.heard).toHaveLength(1);
  });

  it('S3: follows no redirect and sends the token nowhere else', async () => {
    const target = await startLyingPartner(() => undefined);
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        const failed = pull((app) =>
          app.get(path, lies.says(status, '', { location: `${target.base}${path}` })),
        );
        await expect(failed).rejects.toMatchObject({ name: 'PageInstead', status });
        await peer?.close();
        await partner?.close();
      }
      expect(target.heard).toEqual([]);
    } finally {
      await target.close();
    }
  });

  it('refuses our own ports on this computer', async () => {
    partner = await startLyingPartner(() => undefined);
    const { base, port } = partner;
    const self = open(base, { ownPorts: () => [port] });
    await expect(self.feed.records(list, {})).rejects.toMatchObject({ problem: 'own' });
    const named = open(`http://localhost:${port}/federation`, { ownPorts: () => [port] });
    await expect(named.feed.records(list, {})).rejects.toMatchObject({ problem: 'own' });
    // The same of IPv4 that is written in IPv6, which the parser spells in its own way.
    const mapped = open(`http://[::ffff:127.0.0.1]:${port}/federation`, { ownPorts: () => [port] });
    await expect(mapped.feed.records(list, {})).rejects.toMatchObject({ problem: 'own' });
    expect(partner.heard).toEqual([]);
  });
});
