import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsOf, type IncomingColumns, type IncomingRow } from '../../../server/base/incoming-row.ts';
import { createElapsedTimer } from '../../../server/base/elapsed-timer.ts';
import { createRowGroup, readRowGroup } from '../../../server/base/row-group.ts';
import type { Mapping, SharedModule } from '../../../server/federation/model.ts';
import type { Module } from '../../../server/lists/definitions/model.ts';
import { ROW_CODEC } from '../../../server/lists/rows/row-codec.ts';
import { listPartition } from '../../../server/lists/rows/row-table.ts';
import { openListSession } from '../../../server/sync/pull/list-session.ts';
import type { PulledPage } from '../../../server/sync/pull/pages.ts';
import { runsOf, seedOf } from '../../support/data/luck.ts';
import { makeList, minuteTime, testLists, text, type TestLists } from '../../support/harness/lists.ts';

/** What is offered, by name, and what our columns of these names are. */
const OFFERED = { Name: 'String', City: 'String', Amount: 'String', Paid: 'Bool', Day: 'String' } as const;
const OURS = { ...OFFERED, Amount: 'Number', Day: 'DateTime' } as const;
const COLUMNS = ['Name', 'City', 'Amount', 'Paid', 'Day'] as const;
const US = 'receiving-office';
const PARTNERS = ['office-a', 'office-b'] as const;

/** Everything of a list's partition that a pull may write. */
const TABLES = [
  ...['row-way', 'row-history', 'tally', 'left', 'released', 'sync-checkpoint', 'sync-failed'],
  ...['sync-held', 'sync-kept', 'sync-referring', 'sync-losses'],
];

interface SentRow {
  readonly id: number;
  readonly minute: number;
  readonly texts: readonly string[];
  readonly way: 'direct' | 'by a third' | 'by us' | 'unnamed';
  readonly madeAs: number;
}
type Step =
  | { readonly page: readonly SentRow[]; readonly partner: number; readonly resync: boolean }
  | { readonly gone: number; readonly minute: number }
  | { readonly edit: number; readonly city: string }
  | { readonly remove: number };

const anyText = fc.constantFrom(
  '',
  'Ulm',
  'Łódź',
  '7.50',
  '2026-02-28',
  '"',
  '\\',
  'no',
  '1',
  ' blank ',
  '😀',
);
const anyRow: fc.Arbitrary<SentRow> = fc.record({
  id: fc.integer({ min: 1, max: 90 }),
  minute: fc.integer({ min: 1, max: 3 }),
  texts: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(['Anna', 'Ulm', '7.50', '1', '2026-02-28'], ['Ben', '', '', '', '']),
    },
    { weight: 1, arbitrary: fc.tuple(anyText, anyText, anyText, anyText, anyText) },
  ),
  way: fc.oneof(
    { weight: 12, arbitrary: fc.constant('direct' as const) },
    { weight: 1, arbitrary: fc.constantFrom('by a third' as const, 'by us' as const, 'unnamed' as const) },
  ),
  madeAs: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })),
});
/** Rows that are alike, as most pages have them, and sometimes one that isn't. */
const anyRun = fc
  .record({
    from: fc.integer({ min: 1, max: 60 }),
    count: fc.integer({ min: 1, max: 80 }),
    way: fc.constantFrom('direct' as const, 'by a third' as const, 'by a third' as const, 'unnamed' as const),
    madeFrom: fc.constantFrom(0, 0, 40),
    odd: fc.constantFrom('', '', 'no', 'origin', 'id', 'text', 'by us'),
  })
  .map(({ from, count, way, madeFrom, odd }) =>
    Array.from({ length: count }, (_, at): SentRow => {
      const isOdd = at > 0 && at === count - 1;
      const amount = isOdd && odd === 'text' ? 'none' : `${at}.50`;
      const paid = isOdd && odd === 'no' ? 'no' : at % 2 === 0 ? '1' : '';
      return {
        id: isOdd && odd === 'id' ? from : from + at,
        minute: 1,
        way: isOdd && odd === 'by us' ? 'by us' : way,
        madeAs: (isOdd && odd === 'origin' ? from : from + at) + madeFrom,
        texts: [`Name ${at}`, at % 3 === 0 ? '' : 'Łódź', amount, paid, '2026-02-28'],
      };
    }),
  );
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      page: fc.oneof({ weight: 3, arbitrary: anyRun }, fc.array(anyRow, { minLength: 1, maxLength: 12 })),
      partner: fc.integer({ min: 0, max: 1 }),
      resync: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
  },
  fc.record({ gone: fc.integer({ min: 1, max: 90 }), minute: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ edit: fc.nat(20), city: fc.constantFrom('Bonn', '') }),
  fc.record({ remove: fc.nat(20) }),
);

/** The rows as they travel, those that fit into one group. */
function columnsOf(rows: readonly SentRow[], partner: number): IncomingColumns | undefined {
  const installation = PARTNERS[partner] ?? '';
  const group = createRowGroup(COLUMNS);
  let count = 0;
  for (const { id, minute, texts, way, madeAs } of rows) {
    const ways = {
      ...{ direct: [installation], 'by a third': ['office-c', installation] },
      ...{ 'by us': [US, installation], unnamed: ['office-c'] },
    };
    const added = group.add({
      recordID: String(1000 * (1 + partner) + id),
      createdAt: minuteTime(0),
      updatedAt: minuteTime(minute),
      via: ways[way],
      origin: {
        id: `origin-of-row-${String(madeAs === 0 ? id : madeAs).padStart(8, '0')}`,
        at: minuteTime(minute),
      },
      values: COLUMNS.flatMap((name, at) => (texts[at] ? [{ name, value: texts[at] }] : [])),
    });
    if (added) count++;
  }
  const limits = { valuesPerRow: 500, nameLength: 200 };
  return count === 0 ? undefined : readRowGroup(JSON.parse(group.json()), () => true, limits).columns;
}

/** A list that receives, in a world of its own: two worlds that do the same make the same ids at the same times. */
async function receivingList(
  world: TestLists,
  isRequired: boolean,
): Promise<{ module: Module; job: (partner: number) => Parameters<typeof openListSession>[1] }> {
  const { module } = await makeList(
    world,
    COLUMNS.map((name) => text(name, { kind: OURS[name], isRequired: isRequired && name === 'City' })),
    `List ${world.ids.next()}`,
  );
  const job = (partner: number): Parameters<typeof openListSession>[1] => {
    const fields = COLUMNS.map((name) => ({ name, label: name, kind: OFFERED[name], isMulti: false }));
    const shared = { nodeID: String(900 + partner), moduleID: String(7700 + partner), fields };
    const mapping = {
      fields: fields.map((origin) => ({
        origin,
        destination: module.fields.find(({ name }) => name === origin.name),
      })),
    };
    return {
      shared: shared as unknown as SharedModule,
      mapping: mapping as unknown as Mapping,
      module,
      installation: PARTNERS[partner] ?? '',
    };
  };
  return { module, job };
}

type ReceivingList = Awaited<ReturnType<typeof receivingList>>;

async function take(
  world: TestLists,
  { job }: ReceivingList,
  partner: number,
  page: Pick<PulledPage, 'records' | 'columns' | 'resync'>,
): Promise<object> {
  const { store, lists, clock } = world;
  const deps = {
    ...{ store, lists, clock, installation: US, checkMemory: () => undefined },
    time: createElapsedTimer(clock, 'run'),
  };
  const session = await openListSession(deps, job(partner), {});
  await session.applyPage({ ...page, bad: [], overrule: true, last: true });
  return session.outcome();
}

/** Everything that the list's partition has, with its change numbers. */
async function contentOf({ store, lists }: TestLists, { module, job }: ReceivingList): Promise<object> {
  const partition = await store.partition(listPartition(module.moduleID));
  const rows = await lists.rows(module.moduleID);
  const content: Record<string, unknown> = {};
  for (const name of TABLES) {
    const entries = await partition.page({ name }, { limit: 10_000 });
    content[name] = entries.map(({ key, seq, value }) => [key, seq, value]);
  }
  const all = await partition.page({ name: 'row', form: ROW_CODEC }, { limit: 10_000 });
  content.row = all.map(({ key, seq, value }) => [key, seq, value]);
  const found = [0, 1].map((partner) =>
    rows.findReceived(
      job(partner).shared.nodeID,
      Array.from({ length: 150 }, (_, at) => String(1000 * (1 + partner) + at)),
    ),
  );
  content.found = (await Promise.all(found)).flat().map((row) => row?.recordID);
  return content;
}

async function run(
  world: TestLists,
  steps: readonly Step[],
  { asColumns, isRequired }: { readonly asColumns: boolean; readonly isRequired: boolean },
): Promise<readonly object[]> {
  const list = await receivingList(world, isRequired);
  const rows = await world.lists.rows(list.module.moduleID);
  const said: object[] = [];
  for (const step of steps) {
    world.clock.advance(60_000);
    if ('page' in step) {
      const columns = columnsOf(step.page, step.partner);
      if (!columns) continue;
      const sent = asColumns ? { records: [], columns } : { records: rowsOf(columns) };
      const resync = step.resync ? { resync: 'rearranged' as const } : {};
      said.push(await take(world, list, step.partner, { ...sent, ...resync }));
    } else if ('gone' in step) {
      const at = minuteTime(step.minute);
      const gone: IncomingRow = {
        ...{ recordID: String(1000 + step.gone), createdAt: at, updatedAt: at, deletedAt: at, values: {} },
        ...{ via: [PARTNERS[0]] },
      };
      said.push(await take(world, list, 0, { records: [gone] }));
    } else {
      const place = 'edit' in step ? step.edit : step.remove;
      const row = (await rows.changesSince({ afterSeq: 0 }, 1 + place)).at(-1)?.value;
      if (!row || row.deletedAt !== undefined) continue;
      if ('edit' in step)
        await rows.patch(row.recordID, { City: step.city === '' ? [] : [step.city] }, '0').catch(String);
      else await rows.remove(row.recordID, '0');
    }
  }
  return [...said, await contentOf(world, list)];
}

describe('a page that came column by column', () => {
  it('leaves what its rows would have left, whatever is here already', { timeout: 120_000 }, async () => {
    const [one, other] = [await testLists(), await testLists()];
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (steps, isRequired) => {
          const quick = await run(one, steps, { asColumns: true, isRequired });
          const plain = await run(other, steps, { asColumns: false, isRequired });
          expect(quick).toEqual(plain);
        },
      ),
      { numRuns: runsOf(400, 60), seed: seedOf(4304) },
    );
  });

  it('leaves rows alone that came by another partner, or did not fit before', async () => {
    const [one, other] = [await testLists(), await testLists()];
    const rowsFrom = (way: SentRow['way'], amount: string): SentRow[] =>
      Array.from({ length: 9 }, (_, id) => ({
        ...{ id, minute: 1, way, madeAs: 0 },
        texts: [`Name ${id}`, 'Ulm', id === 5 ? amount : '7', '', ''],
      }));
    const byTwo: Step[] = [0, 1].map((partner) => ({
      ...{ page: rowsFrom('by a third', '7'), partner, resync: false },
    }));
    const againBetter: Step[] = ['none', '7'].map((amount) => ({
      ...{ page: rowsFrom('direct', amount).slice(amount === '7' ? 5 : 0), partner: 0, resync: false },
    }));
    for (const steps of [byTwo, againBetter]) {
      const quick = await run(one, steps, { asColumns: true, isRequired: false });
      expect(quick).toEqual(await run(other, steps, { asColumns: false, isRequired: false }));
      expect(quick[1]).toMatchObject({ couldNotApply: 0 });
      expect((quick.at(-1) as { row: unknown[] }).row).toHaveLength(9);
    }
  });

  it('is written as columns where all of its rows are new and plain', async () => {
    const world = await testLists();
    const list = await receivingList(world, false);
    const page = Array.from({ length: 80 }, (_, id): SentRow => ({
      ...{ id, minute: 1, way: 'direct', madeAs: 0 },
      texts: [`Name ${id}`, 'Łódź "', '7', '1', ''],
    }));
    const columns = columnsOf(page, 0);
    expect(columns?.recordIDs).toHaveLength(80);
    const outcome = await take(world, list, 0, { records: [], ...(columns ? { columns } : {}) });
    expect(outcome).toMatchObject({ counts: { created: 80 } });
    // Rows that are looked at one by one come by fifty first.
    const folder = join(world.store.dataDir, 'store', listPartition(list.module.moduleID));
    const names = (await readdir(folder)).filter((name) => name.startsWith('journal'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    const lines = texts
      .join('')
      .split('\n')
      .filter((line) => line.includes('"+row"'));
    expect(lines.map((line) => (JSON.parse(line) as [0, '', '', { texts: [] }])[3].texts.length)).toEqual([
      64, 16,
    ]);
  });
});
