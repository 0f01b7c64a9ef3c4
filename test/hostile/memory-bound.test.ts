import { describe, expect, it } from 'vitest';
import { createMemoryBound, MOST_BYTES } from '../../server/sync/schedule/memory-bound.ts';
import { english } from '../../server/words/said.ts';
import { madeUpOrigin } from '../support/made-up-origin.ts';
import { matched, WAYS } from '../support/matched.ts';

describe('S7: a partner that sends rows until memory is full', () => {
  it.each(WAYS)(
    'is stopped with words for the user, in %s, and goes on when there is room',
    async (_, way) => {
      const origin = madeUpOrigin();
      let held = 0;
      const checkMemory = createMemoryBound(1000, () => (held += 300));
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

  it('is stopped at half of the computer’s memory, or less', () => {
    expect(MOST_BYTES).toBeLessThanOrEqual(4 * 1024 ** 3);
    expect(() => createMemoryBound()()).not.toThrow();
    expect(() => createMemoryBound(1)()).toThrow('memory');
  });
});
