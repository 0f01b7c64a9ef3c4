import { describe, expect, it } from 'vitest';
import { isRevoked, isVisibleTo } from '../../../server/federation/sharing/visibility.ts';
import type { IncomingRow, Row } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { MAX_KEPT_FROM } from '../../../server/lists/rows/row-counts.ts';
import { customers } from '../../support/data/office-lists.ts';
import { incoming, makeList, minuteTime, testLists, values } from '../../support/harness/lists.ts';

/** Oslo as we knew it, and as we know it once it was paired anew; another that has Oslo's rows. */
const [OSLO, OSLO_ANEW, TURKU] = ['900', '903', '902'] as const;
const COLUMNS = ['Name', 'City'];
const ROWS = customers({ rows: 5, seed: 31 }).rows.map(({ CompanyName = '', City = '' }) => ({
  Name: CompanyName,
  City,
}));

/** The row of this number as Oslo made it, as somebody brings it. */
function told(at: number, minute: number, change: Record<string, string> = {}, via = ['oslo']): IncomingRow {
  const origin = { id: `name-of-row-number-${at}`, at: minuteTime(minute) };
  return { ...incoming(`${100 + at}`, minute, { ...ROWS[at], ...change }), via, origin };
}

const page = (nodeID: string, ...rows: IncomingRow[]): Parameters<Rows['receive']>[0] => ({
  nodeID,
  rows,
  mappedColumns: COLUMNS,
});

/** A list that received all rows from Oslo, and kept them when the connection ended. */
async function kept(): Promise<{
  rows: Rows;
  row: (at: number) => Promise<Row>;
  setup: Awaited<ReturnType<typeof testLists>>;
  moduleID: string;
}> {
  const setup = await testLists();
  const { rows, module } = await makeList(setup);
  await rows.receive(page(OSLO, ...ROWS.map((_, at) => told(at, 5))));
  const found = await rows.findReceived(
    OSLO,
    ROWS.map((_, at) => `${100 + at}`),
  );
  const ids = found.map((row) => row!.recordID);
  await rows.releaseFrom(OSLO, 'keep');
  return { rows, setup, moduleID: module.moduleID, row: (at) => rows.get(ids[at] ?? '') };
}

describe('a row that was kept when its connection ended', () => {
  it('is taken over when it comes again, with what was changed here and what the partner changed', async () => {
    const { rows, row } = await kept();
    await rows.patch((await row(1)).recordID, values({ City: 'Voss' }), '7');
    await rows.receive(page(OSLO_ANEW, told(0, 5), told(1, 9, { City: 'Narvik' }), told(2, 9, { City: '' })));
    expect(await rows.counts()).toMatchObject({ total: 5, received: { [OSLO_ANEW]: 3 }, kept: 2, edited: 1 });
    expect(await row(0)).toMatchObject({ values: values(ROWS[0]!), received: { edited: [] } });
    const changed = await row(1);
    expect(changed.values).toEqual(values({ ...ROWS[1]!, City: 'Voss' }));
    expect(changed.received).toMatchObject({ edited: ['City'], previous: { City: [ROWS[1]!.City] } });
    const reverted = await rows.revertEdits(changed.recordID, undefined, '7');
    expect(reverted.values.City).toEqual(['Narvik']);
    expect(await row(2)).toMatchObject({
      values: { Name: [ROWS[2]!.Name] },
      received: { previous: { City: [ROWS[2]!.City] } },
    });
    expect((await row(0)).former).toBeUndefined();
    const seq = await rows.lastSeq();
    await rows.receive(page(OSLO_ANEW, told(0, 5), told(1, 9, { City: 'Narvik' })));
    expect(await rows.lastSeq()).toBe(seq);
  });

  it('shows nothing that is older than what it was, and what is newer from whoever has the row', async () => {
    const { rows, row } = await kept();
    const via = ['oslo', 'turku'];
    await rows.receive(page(TURKU, told(0, 2, { City: 'Drøbak' }, via), told(1, 8, { City: 'Hamar' }, via)));
    expect(await rows.count()).toBe(5);
    expect(await row(0)).toMatchObject({
      values: values(ROWS[0]!),
      received: { nodeID: TURKU, edited: ['City'], values: { City: ['Drøbak'] } },
    });
    expect((await row(1)).values).toEqual(values({ ...ROWS[1]!, City: 'Hamar' }));
    await rows.receive(page(OSLO_ANEW, told(1, 8, { City: 'Odda' })));
    expect((await row(1)).values.City).toEqual(['Odda']);
  });

  it('is counted by its partner and few others, whatever that says of the way that it took', async () => {
    const { rows } = await makeList(await testLists());
    const madeUp = (at: number): string[] => Array.from({ length: 90 }, (_, step) => `made-up-${at}-${step}`);
    await rows.receive(page(OSLO, ...ROWS.map((_, at) => told(at, 5, {}, [...madeUp(at), 'oslo']))));
    await rows.releaseFrom(OSLO, 'keep');
    const { keptFrom = {} } = await rows.counts();
    expect(keptFrom.oslo).toBe(ROWS.length);
    expect(Object.keys(keptFrom).length).toBeLessThanOrEqual(MAX_KEPT_FROM + 1);
    await rows.removeMany(
      (await rows.list({ limit: 10 })).rows.map(({ recordID }) => recordID),
      '7',
    );
    expect((await rows.counts()).keptFrom).toBeUndefined();
  });

  it('is taken back from the office by which it comes now, which may have it by us as well', async () => {
    const { rows, row } = await kept();
    await rows.receive(page(TURKU, told(0, 5, {}, ['oslo', 'turku'])));
    await rows.receive(page(OSLO_ANEW, told(1, 5)));
    expect(isRevoked(await row(0), { nodeID: TURKU, installation: 'turku' })).toBe(true);
    expect(isRevoked(await row(1), { nodeID: OSLO_ANEW, installation: 'oslo' })).toBe(false);
    expect((await row(1)).received?.ways).toBeUndefined();
  });

  it('stays as it is where somebody brings a row under another name, or without one', async () => {
    const { rows, row } = await kept();
    const guessed = {
      ...told(0, 9, { City: 'Nowhere' }),
      origin: { id: 'name-of-another-row', at: minuteTime(9) },
    };
    const elsewhere = { ...told(1, 9, { City: 'Nowhere' }), via: ['turku'] };
    const unnamed = incoming('102', 9, { ...ROWS[2], City: 'Nowhere' });
    await rows.receive(page(TURKU, guessed, elsewhere, unnamed));
    expect(await rows.count()).toBe(8);
    for (const at of [0, 1, 2])
      expect(await row(at)).toMatchObject({ values: values(ROWS[at]!), former: {} });
  });

  it('stays when its office deleted it meanwhile, and stays in the bin where it was put there', async () => {
    const { rows, row } = await kept();
    await rows.remove((await row(1)).recordID, '7');
    await rows.receive(page(OSLO_ANEW, { ...told(0, 9), deletedAt: minuteTime(9), values: {} }, told(1, 9)));
    expect(await rows.count()).toBe(4);
    expect((await row(0)).deletedAt).toBeUndefined();
    expect((await row(1)).deletedBy).toBe('7');
    expect((await rows.restore((await row(1)).recordID, '7')).values).toEqual(values(ROWS[1]!));
  });

  it('is there once when one that has it deleted it, and another brings it then', async () => {
    const { rows, row } = await kept();
    const thrown = { ...told(2, 9, {}, ['oslo', 'turku']), deletedAt: minuteTime(9), values: {} };
    await rows.receive(page(TURKU, thrown));
    await rows.receive(page(OSLO_ANEW, told(2, 5)));
    expect(await rows.count()).toBe(5);
    expect(await row(2)).toMatchObject({ values: values(ROWS[2]!), received: { nodeID: OSLO_ANEW } });
  });

  it('keeps none of its values when its time in the bin is over, and does not come back', async () => {
    const { rows, row } = await kept();
    await rows.remove((await row(0)).recordID, '7');
    await rows.emptyBin(Date.parse('2100-01-01'));
    expect(JSON.stringify(await row(0))).not.toContain(ROWS[0]!.Name);
    await rows.receive(page(OSLO_ANEW, told(0, 9, { City: 'Narvik' })));
    expect(await rows.count()).toBe(4);
    expect(JSON.stringify(await row(0))).not.toContain('Narvik');
  });

  it('is known after a restart, with its columns called something else', async () => {
    const { rows, row, setup, moduleID } = await kept();
    await rows.patch((await row(1)).recordID, values({ City: 'Voss' }), '7');
    const { fields } = await setup.lists.module(moduleID);
    await setup.lists.updateModule(moduleID, {
      fields: fields.map((field) => (field.name === 'City' ? { ...field, name: 'Town' } : field)),
    });
    const ids = [(await row(0)).recordID, (await row(1)).recordID];
    const again = await setup.reopen();
    const reopened = await again.lists.rows(moduleID);
    const renamed = [told(0, 5), told(1, 5)].map((sent) => {
      const { City = [], ...rest } = sent.values;
      return { ...sent, values: { ...rest, Town: City } };
    });
    await reopened.receive({ nodeID: OSLO_ANEW, rows: renamed, mappedColumns: ['Name', 'Town'] });
    expect(await reopened.count()).toBe(5);
    expect(await reopened.get(ids[0] ?? '')).toMatchObject({ received: { edited: [] } });
    expect(await reopened.get(ids[1] ?? '')).toMatchObject({
      values: { Town: ['Voss'] },
      received: { edited: ['Town'], values: { Town: [ROWS[1]!.City] } },
    });
  });

  it('does not go to the office that it came from, and to others', async () => {
    const { row } = await kept();
    expect(isVisibleTo(await row(0), { nodeID: OSLO_ANEW, installation: 'oslo' })).toBe(false);
    expect(isVisibleTo(await row(0), { nodeID: TURKU, installation: 'turku' })).toBe(true);
  });
});
