import { expect, it } from 'vitest';
import { incoming, makeList, minuteTime, testLists } from '../../support/harness/lists.ts';

const NODE = '902';

it('a row that the user deleted for good counts as changed here again once the partner takes its own deletion back', async () => {
  const set = await testLists();
  const { rows } = await makeList(set);
  const bring = async (minute: number, isDeleted = false): Promise<unknown> => {
    const deleted = isDeleted ? { deletedAt: minuteTime(minute) } : {};
    const row = incoming('31', minute, isDeleted ? {} : { Name: `Olena ${minute}`, City: 'Łódź' }, deleted);
    return rows.receive({ nodeID: NODE, rows: [row], mappedColumns: ['Name', 'City'] });
  };
  await bring(1);
  const [received] = await rows.findReceived(NODE, ['31']);
  await rows.remove(received?.recordID ?? '', '7');
  set.clock.advance(1000);
  expect(await rows.emptyBin(set.clock.now())).toBe(1);
  expect((await rows.counts()).changedHere).toEqual({ [NODE]: 1 });
  await bring(5, true);
  expect((await rows.counts()).changedHere).toBeUndefined();
  await bring(9);
  expect((await rows.counts()).changedHere).toEqual({ [NODE]: 1 });
  const [now] = await rows.findReceived(NODE, ['31']);
  expect(now?.received).not.toHaveProperty('deletedAt');
  // Nothing of its values comes back.
  expect(now).toMatchObject({ purged: true, values: {} });
});
