import { describe, expect, it, vi } from 'vitest';
import { createHeapLimit, MAX_BYTES } from '../../server/sync/schedule/heap-limit.ts';
import { FAILED } from '../../server/sync/tables.ts';
import { english } from '../../server/words/said.ts';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { matched, WAYS } from '../support/partners/matched.ts';

describe('S7: a partner that sends rows until memory is full', () => {
  it.each(WAYS)(
    'is stopped with words for the user, in %s, and goes on when there is room',
    async (_, way) => {
      const origin = madeUpOrigin();
      let held = 0;
      const checkMemory = createHeapLimit(1_000_000, () => (held += 300_000));
      const { office, nodeID, moduleID } = await matched(origin, way, { checkMemory });
      for (let id = 1; id <= 3000; id++) origin.put(String(id), { Name: [`n${id}`], City: ['c'] });
      await expect(office.sync.syncNow(nodeID)).rejects.toMatchObject({ code: 'memory.full' });
      const { state, reason } = await office.sync.status(nodeID);
      expect([state, english(reason)]).toEqual(['error', expect.stringContaining('memory')]);
      const kept = (await office.received(moduleID)).size;
      expect(kept).toBeGreaterThan(0);
      expect(kept).toBeLessThan(3000);
      held = -1e9;
      await office.sync.syncNow(nodeID);
      expect((await office.received(moduleID)).size).toBe(3000);
    },
  );

  it('is stopped before a page that would be too much, and not only behind it', async () => {
    const origin = madeUpOrigin();
    const checkMemory = createHeapLimit(1_000_000, () => 0);
    const { office, nodeID, moduleID } = await matched(origin, { dialect: 'shape1' }, { checkMemory });
    for (let id = 1; id <= 10; id++) origin.put(String(id), { Name: ['n'.repeat(400_000)], City: ['c'] });
    await expect(office.sync.syncNow(nodeID)).rejects.toMatchObject({ code: 'memory.full' });
    expect((await office.received(moduleID)).size).toBe(0);
  });

  it('has the rows that could not be applied tried again some at a time, and all of them', async () => {
    const origin = madeUpOrigin();
    const fields = [
      { kind: 'Number', name: 'Name' },
      { kind: 'String', name: 'City' },
    ] as const;
    const { office, nodeID, moduleID } = await matched(origin, { dialect: 'shape1' }, { fields });
    for (let id = 1; id <= 20; id++) origin.put(String(id), { Name: ['none'], City: ['c'.repeat(900_000)] });
    await office.sync.syncNow(nodeID);
    expect(await office.sync.failedRows.count(nodeID)).toBe(20);
    const partition = await office.store.partition(`list-${moduleID}`);
    const written = vi.spyOn(partition, 'transaction');
    const tries = async (): Promise<number[]> =>
      (await partition.page(FAILED, { limit: 100 })).map(({ value }) => value.tries);
    expect(new Set(await tries())).toEqual(new Set([1]));
    await office.sync.syncNow(nodeID);
    expect(new Set(await tries())).toEqual(new Set([2]));
    expect(written.mock.calls.length).toBeGreaterThanOrEqual(4);
  });

  it('is stopped at half of the computer’s memory, or less', () => {
    expect(MAX_BYTES).toBeLessThanOrEqual(4 * 1024 ** 3);
    expect(() => createHeapLimit()(0)).not.toThrow();
    expect(() => createHeapLimit(1)(0)).toThrow('memory');
  });
});
