import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
  type NodeOffice,
  type Pair,
} from '../support/harness/node.ts';

interface Status {
  readonly state: string;
  readonly reason: string;
  readonly status: string;
  readonly paused?: { readonly fetch: boolean; readonly serve: boolean };
}

let riga: NodeOffice;
let tartu: NodeOffice;
let pair: Pair;
/** Riga's list and what Tartu has of it, and the other way about. */
let prices: { here: string; there: string };
let stock: { here: string; there: string };

const atRiga = (): Promise<Status> => riga.app('GET', `/app/partners/${pair.atInviter}`);
const atTartu = (): Promise<Status> => tartu.app('GET', `/app/partners/${pair.atInvited}`);
const syncTartu = (): Promise<unknown> => tartu.app('POST', `/app/partners/${pair.atInvited}/sync`);
const syncRiga = (): Promise<unknown> => riga.app('POST', `/app/partners/${pair.atInviter}/sync`);
const names = async (office: NodeOffice, list: string): Promise<string[]> =>
  (await rowsOf(office, list)).map(({ Name }) => Name ?? '').sort();
const add = (office: NodeOffice, list: string, name: string): Promise<unknown> =>
  office.app('POST', `/app/lists/${list}/rows`, { values: { Name: [name] } });
const pause = (body?: unknown): Promise<unknown> =>
  riga.app('POST', `/federation/nodes/${pair.atInviter}/pause`, body);
const resume = (): Promise<unknown> => riga.app('POST', `/federation/nodes/${pair.atInviter}/resume`);

beforeEach(async () => {
  // So rarely that nothing is fetched which the test did not ask for.
  [riga, tartu] = [await startNode('Riga'), await startNode('Tartu')];
  pair = await pairNodes(riga, tartu);
  const [from, to] = [
    { office: riga, partner: pair.atInviter },
    { office: tartu, partner: pair.atInvited },
  ];
  const here = await riga.list('Prices', ['Name'], [{ Name: 'Birch ply 9 mm' }]);
  prices = { here, there: (await shareAndReceive({ ...from, list: here }, ['Name'], to)).list };
  const held = await tartu.list('Stock', ['Name'], [{ Name: 'Oak veneer' }]);
  stock = { here: held, there: (await shareAndReceive({ ...to, list: held }, ['Name'], from)).list };
});
afterEach(() => Promise.all([riga.stop(), tartu.stop()]));

describe('a pause', () => {
  it('stops both ways unless one is named, and both sides say so', async () => {
    await pause();
    await add(riga, prices.here, 'Ash board 27 mm');
    await add(tartu, stock.here, 'Elm burl');
    await expect(syncTartu()).rejects.toThrow(/502.*partner.paused/);
    expect(await names(tartu, prices.there)).toEqual(['Birch ply 9 mm']);
    expect(await names(riga, stock.there)).toEqual(['Oak veneer']);
    expect(await atRiga()).toMatchObject({
      state: 'paused',
      reason: 'Paused by you.',
      paused: { fetch: true, serve: true },
    });
    const told = await atTartu();
    expect(told).toMatchObject({ state: 'paused', status: 'paired' });
    expect(told.reason).toMatch(/has paused sharing/);
    expect(told.paused).toBeUndefined();

    await resume();
    await syncTartu();
    await syncRiga();
    expect(await names(tartu, prices.there)).toEqual(['Ash board 27 mm', 'Birch ply 9 mm']);
    expect(await names(riga, stock.there)).toEqual(['Elm burl', 'Oak veneer']);
    await expect.poll(async () => (await atTartu()).state, { timeout: 20_000 }).not.toBe('paused');
  });

  it('of their reading alone goes on fetching from them', async () => {
    await pause({ serve: true });
    await add(riga, prices.here, 'Ash board 27 mm');
    await add(tartu, stock.here, 'Elm burl');
    await syncRiga();
    expect(await names(riga, stock.there)).toEqual(['Elm burl', 'Oak veneer']);
    await expect(syncTartu()).rejects.toThrow(/partner.paused/);
    expect(await names(tartu, prices.there)).toEqual(['Birch ply 9 mm']);
    expect((await atRiga()).reason).toMatch(/can’t read what you share. Paused by you\./);
  });

  it('of fetching alone lets them read on', async () => {
    await pause({ fetch: true });
    await add(riga, prices.here, 'Ash board 27 mm');
    await syncTartu();
    expect(await names(tartu, prices.there)).toEqual(['Ash board 27 mm', 'Birch ply 9 mm']);
    expect(await atTartu()).not.toMatchObject({ state: 'paused' });
    expect((await atRiga()).reason).toMatch(/Nothing is fetched from .*; they can read/);
  });

  it('goes on by itself once it is taken back, without anybody asking', async () => {
    await pause();
    await expect.poll(async () => (await atRiga()).state, { timeout: 20_000 }).toBe('paused');
    await add(tartu, stock.here, 'Elm burl');
    await resume();
    await expect
      .poll(() => names(riga, stock.there), { timeout: 20_000 })
      .toEqual(['Elm burl', 'Oak veneer']);
    expect((await atRiga()).state).not.toBe('offline');
  });

  it('goes on by itself once it is taken back, where somebody asked for rows meanwhile', async () => {
    await pause();
    await expect.poll(async () => (await atRiga()).state, { timeout: 20_000 }).toBe('paused');
    await syncRiga();
    await add(tartu, stock.here, 'Elm burl');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(await names(riga, stock.there)).toEqual(['Oak veneer']);
    await resume();
    await expect
      .poll(() => names(riga, stock.there), { timeout: 20_000 })
      .toEqual(['Elm burl', 'Oak veneer']);
    await expect.poll(async () => (await atRiga()).state, { timeout: 20_000 }).toBe('up-to-date');
  });

  it(
    'ends when it was said to end, also where nothing is to be fetched for long',
    { tags: 'nightly-waits' },
    async () => {
      await syncRiga();
      await expect.poll(async () => (await atRiga()).state, { timeout: 20_000 }).toBe('up-to-date');
      // Until the next pull is planned.
      await new Promise((resolve) => setTimeout(resolve, 500));
      await pause({ until: new Date(Date.now() + 3000).toISOString(), serve: true });
      await expect(syncTartu()).rejects.toThrow(/partner.paused/);
      await add(riga, prices.here, 'Ash board 27 mm');
      const tried = (): Promise<string> =>
        syncTartu().then(
          () => 'answered',
          () => 'paused',
        );
      await expect.poll(tried, { timeout: 30_000 }).toBe('answered');
      expect(await names(tartu, prices.there)).toContain('Ash board 27 mm');
    },
  );

  it('of nothing is refused', async () => {
    await expect(pause({ fetch: false })).rejects.toThrow(/^400/);
    await expect(pause({ fetch: false, serve: false })).rejects.toThrow(/^400/);
  });
});
