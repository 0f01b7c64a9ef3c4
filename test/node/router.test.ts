import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
  type NodeOffice,
  type Pair,
} from '../support/harness/node.ts';

/** Bergen sits behind a router: it can call, but nobody can call it. */
let oslo: NodeOffice;
let bergen: NodeOffice;
let pair: Pair;
interface Partner {
  status: string;
  state: string;
  reason: string;
  reachable: string;
  transport: string;
  words: string[];
}
const atOslo = (): Promise<Partner> => oslo.app('GET', `/app/partners/${pair.atInviter}`);
const atBergen = (): Promise<Partner> => bergen.app('GET', `/app/partners/${pair.atInvited}`);

beforeAll(async () => {
  oslo = await startNode('Oslo');
  bergen = await startNode('Bergen', { publicUrl: 'http://127.0.0.1:1' });
  pair = await pairNodes(oslo, bergen);
});
afterAll(() => Promise.all([oslo.stop(), bergen.stop()]));

describe('a partner behind a router', () => {
  it('completes the handshake by asking for it, with the same words on both sides', async () => {
    await expect.poll(async () => (await atBergen()).status, { timeout: 20_000 }).toBe('paired');
    // Known at Oslo from Bergen’s first call with the token, a moment later.
    await expect.poll(async () => (await atOslo()).status, { timeout: 20_000 }).toBe('paired');
    expect((await atBergen()).words).toHaveLength(5);
    expect((await atBergen()).words).toEqual((await atOslo()).words);
  });

  it('gets rows, and changes within a second or two, though nobody can call it', async () => {
    const list = await oslo.list('Customers', ['Name'], [{ Name: 'Ada' }]);
    const received = await shareAndReceive({ office: oslo, partner: pair.atInviter, list }, ['Name'], {
      office: bergen,
      partner: pair.atInvited,
    });
    const names = async (): Promise<(string | undefined)[]> =>
      (await rowsOf(bergen, received.list)).map(({ Name }) => Name);
    expect(await names()).toEqual(['Ada']);
    await oslo.app('POST', `/app/lists/${list}/rows`, { values: { Name: ['Grace'] } });
    await expect.poll(names).toEqual(['Ada', 'Grace']);
  });

  it('is said plainly on both Connection tabs, and is no failure', async () => {
    await expect(oslo.app('POST', `/app/partners/${pair.atInviter}/sync`)).rejects.toThrow(/502/);
    // A fetch that was under way beside the refused one may still be shown for a moment.
    await expect
      .poll(atOslo)
      .toMatchObject({ reachable: 'they-call-us', transport: 'they-call', state: 'up-to-date' });
    await expect.poll(atBergen).toMatchObject({ reachable: 'we-call-them', state: 'up-to-date' });
  });

  it('hears of the end, and of the request to remove what it received, when it calls next', async () => {
    await oslo.app('POST', `/app/partners/${pair.atInviter}/disconnect`, {
      received: 'keep',
      askRemoval: true,
    });
    await bergen.app('POST', `/app/partners/${pair.atInvited}/sync`).catch(() => undefined);
    const inbox = async (): Promise<string> =>
      (await bergen.node.overview()).inbox.map(({ kind, message }) => `${kind}: ${message}`).join('\n');
    await expect.poll(inbox, { timeout: 20_000 }).toMatch(/remove-request: .*asks you to remove the 2 rows/);
    expect((await oslo.node.overview()).inbox.map(({ kind }) => kind)).not.toContain('stranger');
  });
});
