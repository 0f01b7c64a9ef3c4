import { expect, it } from 'vitest';
import { ListViews, type ViewDraft } from '../../../../server/lists/views/list-views.ts';
import type { Module } from '../../../../server/lists/definitions/model.ts';
import { makeList, testLists, text, type TestLists } from '../../../support/harness/lists.ts';

const AS_LIST = { order: [], hidden: [], widths: {}, frozen: 0 };

function viewsOf(world: TestLists): ListViews & { readonly told: string[] } {
  const told: string[] = [];
  const views = new ListViews({ ...world, onChange: (moduleID) => void told.push(moduleID) });
  return Object.assign(views, { told });
}
const idOf = ({ fields }: Module, name: string): string =>
  fields.find((field) => field.name === name)?.fieldID ?? '';
const draft = (more: Partial<ViewDraft> = {}): ViewDraft => ({
  ...{ name: 'Germany', filters: [], search: '', columns: AS_LIST },
  ...more,
});
const namesOf = async (views: ListViews, moduleID: string): Promise<string[]> =>
  (await views.get(moduleID)).views.map(({ name }) => name);

it('keeps views and columns over a restart, and tells of each change', async () => {
  const world = await testLists();
  const { module } = await makeList(world);
  const { moduleID } = module;
  const views = viewsOf(world);
  const columns = { ...AS_LIST, hidden: [idOf(module, 'Note')], widths: { [idOf(module, 'City')]: 12.5 } };
  const filters = [{ fieldID: idOf(module, 'City'), operator: 'is' as const, value: 'Köln' }];
  const added = await views.add(moduleID, draft({ filters, columns }));
  await views.saveLayout(moduleID, { ...columns, frozen: 1 });
  expect(views.told).toEqual([moduleID, moduleID]);
  const again = await viewsOf(await world.reopen()).get(moduleID);
  expect(again).toEqual({ columns: { ...columns, frozen: 1 }, views: [added], deleted: [] });
  expect(added).toMatchObject({ name: 'Germany', filters, labels: { [idOf(module, 'City')]: 'City' } });
});

it('follows a column that is renamed, and still names one that is gone', async () => {
  const world = await testLists();
  const { module } = await makeList(world);
  const { moduleID } = module;
  const views = viewsOf(world);
  const city = idOf(module, 'City');
  const filters = [{ fieldID: city, operator: 'is' as const, value: 'Köln' }];
  const columns = { order: [city], hidden: [idOf(module, 'Note')], widths: {}, frozen: 1 };
  const { viewID } = await views.add(moduleID, draft({ filters, columns }));
  const rest = module.fields.filter(({ fieldID }) => fieldID !== city);
  await world.lists.updateModule(moduleID, { fields: rest });
  const saved = await views.change(moduleID, viewID, draft({ name: 'Was Germany', filters, columns }));
  expect(saved.labels).toEqual({ [city]: 'City' });
  expect(saved.columns.order).toEqual([]);
  await expect(views.add(moduleID, draft({ filters }))).rejects.toMatchObject({ kind: 'impossible' });
});

it('gives each view a name of its own, and no more than fifty', async () => {
  const world = await testLists();
  const { moduleID } = (await makeList(world)).module;
  const views = viewsOf(world);
  const first = await views.add(moduleID, draft());
  await expect(views.add(moduleID, draft({ name: 'GERMANY' }))).rejects.toMatchObject({ kind: 'conflict' });
  const unseen = draft({ name: '\u200e \u202e' });
  await expect(views.add(moduleID, unseen)).rejects.toMatchObject({ kind: 'impossible' });
  await views.change(moduleID, first.viewID, draft({ search: 'öl' }));
  for (let at = 1; at < 50; at++) await views.add(moduleID, draft({ name: `View ${String(at)}` }));
  await expect(views.add(moduleID, draft({ name: 'Too many' }))).rejects.toMatchObject({ kind: 'conflict' });
  await views.change(moduleID, first.viewID, draft({ search: '' }));
  expect(await namesOf(views, moduleID)).toHaveLength(50);
});

it('gives back a view that was deleted, and keeps only the last of them', async () => {
  const world = await testLists();
  const { moduleID } = (await makeList(world)).module;
  const views = viewsOf(world);
  const { viewID, ...first } = await views.add(moduleID, draft());
  await views.remove(moduleID, viewID);
  await expect(views.remove(moduleID, viewID)).rejects.toMatchObject({ kind: 'not-found' });
  expect(await namesOf(views, moduleID)).toEqual([]);
  expect(await views.restore(moduleID, viewID)).toEqual({ viewID, ...first });
  await views.remove(moduleID, viewID);
  await views.add(moduleID, draft());
  await expect(views.restore(moduleID, viewID)).rejects.toMatchObject({ kind: 'conflict' });
  for (let at = 0; at < 20; at++) {
    world.clock.advance(1);
    const added = await views.add(moduleID, draft({ name: `View ${String(at)}` }));
    await views.remove(moduleID, added.viewID);
  }
  await expect(views.restore(moduleID, viewID)).rejects.toMatchObject({ kind: 'not-found' });
  const { deleted } = await views.get(moduleID);
  expect(deleted).toHaveLength(20);
  expect(deleted[0]?.name).toBe('View 19');
});

it('goes with its list and comes back with it, and asks for one that is there', async () => {
  const world = await testLists();
  const { moduleID } = (await makeList(world, [text('Name')])).module;
  const views = viewsOf(world);
  await views.add(moduleID, draft());
  await world.lists.removeModule(moduleID);
  await expect(views.get(moduleID)).rejects.toMatchObject({ kind: 'not-found' });
  await world.lists.restoreModule(moduleID);
  expect((await views.get(moduleID)).views).toHaveLength(1);
  await world.lists.removeModule(moduleID);
  await world.lists.purgeModule(moduleID);
  expect((await world.store.partitions()).filter((name) => name.includes(moduleID))).toEqual([]);
});
