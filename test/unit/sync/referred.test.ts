import { expect, it } from 'vitest';
import { readableLists } from '../../../server/sync/pull/referred.ts';
import { makeList, testLists, text } from '../../support/harness/lists.ts';

it('a list that is removed meanwhile is none in which rows are looked for, and keeps nobody from the others', async () => {
  const setup = await testLists();
  const { lists } = setup;
  const [other, gone] = [await makeList(setup, [text('Name')]), await makeList(setup, [text('City')])];
  const moduleIDs = [gone.module.moduleID, other.module.moduleID];
  expect(await readableLists(lists, moduleIDs)).toEqual(moduleIDs);
  const removing = lists.removeModule(gone.module.moduleID).then(() => true);
  const soon = (): Promise<boolean> => new Promise((resolve) => setImmediate(resolve, false));
  while (!(await Promise.race([removing, soon()])))
    expect(await readableLists(lists, moduleIDs)).toContain(other.module.moduleID);
  expect(await readableLists(lists, moduleIDs)).toEqual([other.module.moduleID]);
});
