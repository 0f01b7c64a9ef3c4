import { describe, expect, it } from 'vitest';
import type { Module, Row } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import {
  incoming,
  makeList,
  minuteTime,
  testLists,
  text,
  values,
  type TestLists,
} from '../../support/harness/lists.ts';

const DAY = 24 * 3_600_000;
const NODE = '900';

async function customers(office: TestLists): Promise<{ module: Module; rows: Rows; ids: string[] }> {
  const { module, rows } = await makeList(office, [text('Name'), text('Phone'), text('City')]);
  const made = await rows.createMany(
    [
      { Name: 'Gärtnerei Lüdenscheid', Phone: '02351 4411', City: 'Lüdenscheid' },
      { Name: 'Autohaus Krüger', Phone: '0221 777', City: 'Köln' },
      { Name: 'Leeds Trading', City: 'Leeds' },
    ].map(values),
    '1',
  );
  return { module, rows, ids: made.map(({ recordID }) => recordID) };
}

const without = async ({ lists }: TestLists, moduleID: string, name: string): Promise<Module> => {
  const { fields } = await lists.module(moduleID);
  return lists.updateModule(moduleID, { fields: fields.filter((field) => field.name !== name) });
};
const idOf = ({ fields }: Module, name: string): string =>
  fields.find((field) => field.name === name)?.fieldID ?? '';
const namesOf = ({ fields }: Module): string[] => fields.map(({ name }) => name);
const allRows = async (rows: Rows): Promise<readonly Row[]> =>
  (await rows.list({ limit: 1000, deleted: 1, sort: 'id' })).rows;
const valuesIn = async (rows: Rows): Promise<Row['values'][]> =>
  (await allRows(rows)).map((row) => row.values);

describe('a column that was deleted', () => {
  it('is hidden everywhere, and comes back in its place with all values, also of rows in the bin', async () => {
    const office = await testLists();
    const { module, rows, ids } = await customers(office);
    await rows.remove(ids[1] ?? '', '1');
    const before = await valuesIn(rows);
    const gone = await without(office, module.moduleID, 'Phone');
    expect(namesOf(gone)).toEqual(['Name', 'City']);
    expect((await valuesIn(rows)).some((each) => 'Phone' in each)).toBe(false);
    expect((await rows.list({ limit: 10, search: '4411' })).rows).toEqual([]);
    expect(await office.lists.binnedColumns(module.moduleID)).toMatchObject([
      { field: { name: 'Phone' }, at: 1, values: 1 },
    ]);

    const { lists } = await office.reopen();
    const back = await lists.restoreColumn(module.moduleID, idOf(module, 'Phone'));
    expect(back.fields).toEqual(module.fields);
    expect(await valuesIn(await lists.rows(module.moduleID))).toEqual(before);
    expect(await lists.binnedColumns(module.moduleID)).toEqual([]);
    await expect(lists.restoreColumn(module.moduleID, idOf(module, 'Phone'))).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  it('comes back between the columns that were beside it, in whichever order several do', async () => {
    const office = await testLists();
    const columns = ['Name', 'Phone', 'City', 'Note', 'Since'].map((name) => text(name));
    const { module } = await makeList(office, columns);
    const orders = [0, 1, 2].flatMap((one) =>
      [1, 2].map((by) =>
        [one, (one + by) % 3, (one + 2 * by) % 3].map((at) => ['Name', 'City', 'Note'][at] ?? ''),
      ),
    );
    for (const deleted of orders) {
      for (const restored of orders) {
        for (const name of deleted) await without(office, module.moduleID, name);
        for (const name of restored) await office.lists.restoreColumn(module.moduleID, idOf(module, name));
        const { fields } = await office.lists.module(module.moduleID);
        expect({ deleted, restored, fields }).toEqual({ deleted, restored, fields: module.fields });
      }
    }
  });

  it('keeps its values, or is gone, where restoring and purging it meet', async () => {
    const office = await testLists();
    const { lists } = office;
    const { module, rows } = await customers(office);
    const before = await valuesIn(rows);
    await without(office, module.moduleID, 'Phone');
    const fieldID = idOf(module, 'Phone');
    const [restored, purged] = await Promise.allSettled([
      lists.restoreColumn(module.moduleID, fieldID),
      lists.purgeColumn(module.moduleID, fieldID),
    ]);
    expect([restored.status, purged.status].sort()).toEqual(['fulfilled', 'rejected']);
    const isBack = namesOf(await lists.module(module.moduleID)).includes('Phone');
    expect(isBack).toBe(restored.status === 'fulfilled');
    if (isBack) expect(await valuesIn(rows)).toEqual(before);
  });

  it('brings what partners sent, what was changed here and its past', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(office, [text('Name'), text('Phone')]);
    const sent = incoming('7', 1, { Name: 'Leeds Trading', Phone: '0113 1' });
    await rows.receive({ nodeID: NODE, rows: [sent], mappedColumns: ['Name', 'Phone'] });
    const [row] = await rows.findReceived(NODE, ['7']);
    const recordID = row?.recordID ?? '';
    await rows.patch(recordID, values({ Phone: '0113 2' }), '1');
    const [before, past] = [await rows.get(recordID), await rows.history(recordID)];
    await without(office, module.moduleID, 'Phone');
    expect((await rows.get(recordID)).received).toMatchObject({ values: values({ Name: 'Leeds Trading' }) });
    await office.lists.restoreColumn(module.moduleID, idOf(module, 'Phone'));
    const after = await rows.get(recordID);
    expect(after).toMatchObject({ values: before.values, received: before.received });
    expect(await rows.history(recordID)).toEqual(past);
    expect((await rows.revertEdits(recordID, ['Phone'], '1')).values).toMatchObject(
      values({ Phone: '0113 1' }),
    );
  });

  it('leaves its name to others, and takes another one then', async () => {
    const office = await testLists();
    const { module, rows } = await customers(office);
    const { fields } = await without(office, module.moduleID, 'Phone');
    await office.lists.updateModule(module.moduleID, { fields: [...fields, text('Phone')] });
    const fieldID = idOf(module, 'Phone');
    const back = await office.lists.restoreColumn(module.moduleID, fieldID);
    const restored = back.fields.find((field) => field.fieldID === fieldID);
    expect(restored).toMatchObject({ name: 'Phone_2', label: 'Phone (2)' });
    expect((await valuesIn(rows))[0]).toMatchObject({ Phone_2: ['02351 4411'] });
  });

  it('goes for good when it is purged, or was there long enough, and so do cells of rows that went', async () => {
    const office = await testLists();
    const { module, rows, ids } = await customers(office);
    await rows.remove(ids[0] ?? '', '1');
    office.clock.advance(2 * DAY);
    await without(office, module.moduleID, 'Phone');
    await without(office, module.moduleID, 'City');
    await office.lists.emptyBins({ before: office.clock.now() - DAY, seenBefore: 0 });
    await office.lists.restoreColumn(module.moduleID, idOf(module, 'Phone'));
    const [purged] = await rows.getMany([ids[0] ?? '']);
    expect(purged).toMatchObject({ purged: true, values: {} });
    expect(await valuesIn(rows)).toEqual([
      values({ Name: 'Autohaus Krüger', Phone: '0221 777' }),
      values({ Name: 'Leeds Trading' }),
    ]);
    office.clock.advance(2 * DAY);
    await office.lists.emptyBins({ before: office.clock.now() - DAY, seenBefore: 0 });
    expect(await office.lists.binnedColumns(module.moduleID)).toEqual([]);
    await without(office, module.moduleID, 'Phone');
    const before = office.changes.length;
    await office.lists.purgeColumn(module.moduleID, idOf(module, 'Phone'));
    expect(await office.lists.binnedColumns(module.moduleID)).toEqual([]);
    // Windows read the undo steps again, of which some are gone.
    await expect
      .poll(() => office.changes.slice(before))
      .toMatchObject([{ kind: 'list', change: 'changed' }]);
    await expect(office.lists.purgeColumn(module.moduleID, idOf(module, 'Phone'))).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  it('leaves the undo of other columns when it is purged, without a value of its own', async () => {
    const office = await testLists();
    const { module, rows, ids } = await customers(office);
    const { moduleID } = module;
    await rows.patch(ids[0] ?? '', values({ Phone: '02351 1', City: 'Hagen' }), '1');
    await rows.patch(ids[1] ?? '', values({ Phone: '0221 secret' }), '1');
    await without(office, moduleID, 'Phone');
    await rows.remove(ids[2] ?? '', '1');
    await office.lists.purgeColumn(moduleID, idOf(module, 'Phone'));
    const partition = await office.store.partition(`list-${moduleID}`);
    const parts = await partition.page({ name: 'undo-part' }, { limit: 100 });
    expect(JSON.stringify(parts)).not.toContain('0221 secret');
    const undone = [await rows.undo('1'), await rows.undo('1'), await rows.undo('1')];
    expect(undone.map(({ step, done, left }) => [step.kind, done, left])).toEqual([
      ['delete', 1, 0],
      ['edit', 1, 0],
      ['add', 3, 0],
    ]);
  });

  it('is found behind any number of others', async () => {
    const office = await testLists();
    const { module, rows } = await customers(office);
    for (const round of [1, 2, 3]) {
      const columns = Array.from({ length: 400 }, (_, at) => text(`Month_${round}_${at}`));
      await office.lists.updateModule(module.moduleID, { fields: [...module.fields, ...columns] });
      await office.lists.updateModule(module.moduleID, { fields: module.fields });
    }
    const withMobile = await office.lists.updateModule(module.moduleID, {
      fields: [...module.fields, text('Mobile')],
    });
    const [first] = await allRows(rows);
    await rows.patch(first?.recordID ?? '', values({ Mobile: '0171 5512' }), '1');
    const before = await valuesIn(rows);
    office.clock.advance(DAY);
    await without(office, module.moduleID, 'Mobile');
    const binned = await office.lists.binnedColumns(module.moduleID);
    expect(binned).toHaveLength(1201);
    expect(binned[0]).toMatchObject({ field: { name: 'Mobile' }, values: 1 });
    await office.lists.restoreColumn(module.moduleID, idOf(withMobile, 'Mobile'));
    expect(await valuesIn(rows)).toEqual(before);
  });

  it('refers to the same rows again', async () => {
    const office = await testLists();
    const towns = await makeList(office, [text('Town')], 'Towns');
    const [leeds] = await towns.rows.createMany([values({ Town: 'Leeds' })], '1');
    const { module, rows } = await makeList(office, [
      text('Name'),
      { kind: 'Record', name: 'Town', options: { moduleID: towns.module.moduleID } },
    ]);
    await rows.create(values({ Name: 'Leeds Trading', Town: leeds?.recordID ?? '' }), '1');
    const before = await valuesIn(rows);
    await without(office, module.moduleID, 'Town');
    await office.lists.restoreColumn(module.moduleID, idOf(module, 'Town'));
    expect(await valuesIn(rows)).toEqual(before);
  });
});

describe('a list that was deleted', () => {
  it('comes back with rows, bin and past, after a restart as well', async () => {
    const office = await testLists();
    const { module, rows, ids } = await customers(office);
    await rows.patch(ids[0] ?? '', values({ City: 'Hagen' }), '1');
    await rows.remove(ids[1] ?? '', '1');
    const before = await allRows(rows);
    const past = await rows.history(ids[0] ?? '');
    expect(await office.lists.removeModule(module.moduleID, '7')).toEqual({ rows: 2 });
    expect(await office.lists.modules()).toEqual([]);

    const { lists, changes } = await office.reopen();
    expect(lists.recovered).toEqual([]);
    expect(await lists.binnedModules()).toMatchObject([{ module, deletedBy: '7', rows: 2 }]);
    const back = await lists.restoreModule(module.moduleID);
    expect(back).toMatchObject({ moduleID: module.moduleID, handle: module.handle, fields: module.fields });
    const restored = await lists.rows(module.moduleID);
    expect(await allRows(restored)).toEqual(before);
    expect(await restored.history(ids[0] ?? '')).toEqual(past);
    expect(changes).toMatchObject([{ kind: 'list', change: 'restored' }]);
    await expect(lists.restoreModule(module.moduleID)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('leaves its name to others, and takes another one then', async () => {
    const office = await testLists();
    const { module } = await customers(office);
    await office.lists.removeModule(module.moduleID);
    const other = await makeList(office);
    expect(other.module.handle).toBe('customers');
    expect(await office.lists.restoreModule(module.moduleID)).toMatchObject({
      name: 'Customers (2)',
      handle: 'customers_2',
    });
    await office.lists.removeModule(module.moduleID);
    expect(await office.lists.restoreModule(module.moduleID, 'Clients')).toMatchObject({ name: 'Clients' });
  });

  it('goes for good after the time that the bin is kept', async () => {
    const office = await testLists();
    const { module } = await customers(office);
    await office.lists.removeModule(module.moduleID);
    office.clock.advance(10 * DAY);
    expect(await office.lists.purgeModules(office.clock.now() - 11 * DAY)).toBe(0);
    expect(await office.lists.purgeModules(office.clock.now() - 9 * DAY)).toBe(1);
    expect(await office.lists.binnedModules()).toEqual([]);
    expect(await office.store.partitions()).not.toContain(`list-${module.moduleID}`);
    expect(office.changes.at(-1)).toMatchObject({ kind: 'list', change: 'purged' });
  });

  it.each(['releaseFrom', 'endSource'] as const)(
    'brings back nothing of a partner whose rows were removed meanwhile, and what our user entered: %s',
    async (end) => {
      const office = await testLists();
      const { module, rows } = await makeList(office, [text('Name'), text('Phone')]);
      const [oslo, bergen] = ['900', '901'];
      const bring = (nodeID: string, minute: number, ...phones: string[]): Promise<unknown> => {
        const page = phones.map((Phone, at) => ({
          ...incoming(`${nodeID}${String(at)}`, minute, { Name: `Row ${String(at)}`, Phone }),
          via: nodeID === oslo ? ['oslo'] : ['oslo', 'bergen'],
          origin: { id: `q0Yw7mB1xJc4T9fKz2LhV${String(at)}`, at: minuteTime(minute) },
        }));
        return rows.receive({ nodeID, rows: page, mappedColumns: ['Name', 'Phone'] });
      };
      await bring(bergen, 1, 'older', 'older');
      await bring(oslo, 2, 'secret', 'secret');
      const [, second] = await allRows(rows);
      await rows.patch(second?.recordID ?? '', { Phone: ['ours'] }, '7');
      await without(office, module.moduleID, 'Phone');
      await rows[end](oslo, 'remove');
      await office.lists.restoreColumn(module.moduleID, idOf(module, 'Phone'));
      expect(JSON.stringify(await allRows(rows))).not.toContain('secret');
      expect((await valuesIn(rows)).map(({ Phone }) => Phone)).toEqual([undefined, ['ours']]);
    },
  );
});
