import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSort, type Order } from '../../../server/lists/query/sort.ts';
import { PackedRows } from '../../../server/lists/query/packed-rows.ts';
import { createSearch } from '../../../server/lists/query/query.ts';
import type { Field, Row, Values } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import type { Language } from '../../../server/base/vocabulary.ts';
import { runsOf, seedOf } from '../../support/data/luck.ts';
import { customers } from '../../support/data/office-lists.ts';
import { seeded } from '../../support/data/seeded.ts';
import { incoming, makeList, testLists, text } from '../../support/harness/lists.ts';

const COLUMNS = [
  text('Name'),
  text('Amount', { kind: 'Number' }),
  text('Due', { kind: 'DateTime' }),
  text('Paid', { kind: 'Bool' }),
  text('Tags', { isMulti: true }),
  text('Note', { options: { multiLine: true } }),
];
const SORTS = [
  '',
  'Name',
  'Name DESC',
  'Amount',
  'Amount DESC, Name',
  'Due',
  'Paid DESC, Amount',
  'Tags, Name DESC',
  'createdAt DESC',
  'id DESC',
  'Note, id DESC',
];

/** What makes a difference to whoever compares letters as bytes. */
const piece = fc.constantFrom(
  ...[
    'a',
    'B',
    'Z',
    'z',
    ' ',
    '0',
    '07',
    '10',
    '2',
    'ß',
    'ñ',
    'n\u0303',
    'Σ',
    'ς',
    'İ',
    'ı',
    'ﬁ',
    '…',
    '日',
    '😀',
  ],
  ...[
    'Ł',
    'é',
    'e\u0301',
    '１',
    '"',
    '\\',
    '\t',
    '{',
    '}',
    '","values":{"Name":["',
    '"deletedAt":',
    '\u0301',
    'æ',
    '~',
    '\u00e0',
  ],
  ...['harbour', 'Straße', 'Müller', 'x'.repeat(150)],
);
const word = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const number = fc.oneof(
  fc.integer({ min: -50, max: 50 }).map(String),
  fc.constantFrom(
    '0.1',
    '0.10',
    '-0',
    '1e-9',
    '0.00000012',
    '123456789012345678',
    '123456789012345679',
    '1e30',
    '-1e300',
    '.5',
  ),
  fc.double({ min: -1000, max: 1000, noNaN: true }).map((value) => value.toFixed(2)),
);
const time = fc.constantFrom(
  '2026-11-25T07:43:39Z',
  '2026-11-25T07:43:39.117Z',
  '2026-11-25T07:43:39.1170Z',
  '2025-01-01T00:00:00Z',
);
const some = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(of, { maxLength: 1 });
const valuesOfRow: fc.Arbitrary<Values> = fc
  .record({
    Name: some(word),
    Amount: some(number),
    Due: some(time),
    Paid: some(fc.constantFrom('1', '')),
    Tags: fc.array(word, { maxLength: 3 }),
    Note: some(word),
  })
  .map((values) =>
    Object.fromEntries(Object.entries(values).filter(([, texts]) => texts.some((one) => one !== ''))),
  );

/** Rows of a partner that share a template in the store, where enough of them follow each other. */
const said = word.map((texts) => (texts === '' ? 'harbour' : texts));
const pageOf = (paid: fc.Arbitrary<string[]>): fc.Arbitrary<Values[]> =>
  fc.array(
    fc.record({
      Name: some(said),
      Amount: some(number),
      Due: some(time),
      Paid: paid,
      Tags: fc.tuple(said, said),
      Note: some(said),
    }),
    { minLength: 8, maxLength: 30 },
  );
/** Pages whose rows all answer yes or no, and pages whose rows answer yes or nothing. */
const pageOfPartner = fc.oneof(
  pageOf(fc.constantFrom('1', '').map((paid) => [paid])),
  pageOf(some(fc.constant('1'))),
);

interface Asked {
  readonly sort: string;
  readonly search: string;
  readonly language: Language;
  /** Set: as Corteza sorts. */
  readonly scope?: 'compose';
}
const asked: fc.Arbitrary<Asked> = fc.record({
  sort: fc.constantFrom(...SORTS),
  search: fc.oneof(
    fc.constant(''),
    word,
    fc.constantFrom('MULLER', 'strasse', '10', 'a z', 'e', '\u0301', 'σ'),
  ),
  language: fc.constantFrom('en' as const, 'es' as const),
});
/** Of several values Corteza sorts none, and all words would be a query there. */
const askedOfCompose: fc.Arbitrary<Asked> = fc.record({
  sort: fc.constantFrom(...SORTS.filter((sort) => !sort.includes('Tags'))),
  search: fc.constant(''),
  language: fc.constant('en' as const),
  scope: fc.constant('compose' as const),
});
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      rows: fc.array(valuesOfRow, { maxLength: 50 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('receive' as const), row: word, at: fc.nat(99) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pull' as const), page: pageOfPartner }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('change' as const, 'remove' as const, 'restore' as const),
      at: fc.nat(1000),
      values: valuesOfRow,
    }),
  },
);

/** The plain way: each row is parsed, compared with the next one, and looked through as text. */
async function plainly(
  rows: Rows,
  fields: readonly Field[],
  { sort, search, language, scope }: Asked,
): Promise<string[]> {
  const order: Order = parseSort(sort, fields, { language, ...(scope && { scope }) });
  const fits = search.trim() === '' ? () => true : createSearch(search, fields);
  const found: Row[] = [];
  for await (const page of rows.scan()) {
    for (const row of page) if (fits(row.values, row)) found.push(row);
  }
  return found
    .map((row) => order.keyOf(row))
    .sort(order.compare)
    .map(({ recordID }) => recordID);
}

/** Receives new rows, in all columns, and returns their ids. */
async function pull(rows: Rows, page: readonly Values[]): Promise<string[]> {
  const first = 5000 + (await rows.counts()).total;
  const recordIDs = page.map((_, at) => String(first + at));
  const arriving = page.map((values, at) => ({ ...incoming(recordIDs[at] ?? '', at, {}), values }));
  await rows.receive({
    nodeID: '9',
    rows: arriving,
    mappedColumns: COLUMNS.flatMap(({ name }) => name ?? []),
  });
  return (await rows.findReceived('9', recordIDs)).flatMap((row) => row?.recordID ?? []);
}

async function asShown(rows: Rows, { sort, search, ...how }: Asked): Promise<string[]> {
  const page = await rows.list({ limit: 1000, offset: 0, sort: sort === '' ? 'id' : sort, search, ...how });
  expect(page.total).toBe(page.rows.length);
  // The second half by the cursor that stands in the middle, whose key is the packed one.
  const half = Math.max(1, page.rows.length >> 1);
  const first = await rows.list({ limit: half, ...(sort === '' ? {} : { sort }), search, ...how });
  const rest = first.nextPage
    ? (await rows.list({ limit: 1000, cursor: first.nextPage, search, ...how })).rows
    : [];
  const ids = page.rows.map(({ recordID }) => recordID);
  expect([...first.rows, ...rest].map(({ recordID }) => recordID)).toEqual(ids);
  return ids;
}

describe('the quick way to the rows of a grid', () => {
  it(
    'shows what the plain way shows, whatever is in the rows and however they change',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 8 }),
          fc.array(fc.oneof(asked, askedOfCompose), { minLength: 3, maxLength: 5 }),
          // A view that was made before some rows went learns of them in another way than one that is made then.
          fc.boolean(),
          async (steps, looks, looksAtEach) => {
            const { module, rows } = await makeList(await testLists(), COLUMNS);
            const ids: string[] = [];
            for (const one of steps) {
              const id = 'at' in one ? ids[one.at % Math.max(1, ids.length)] : undefined;
              if (one.kind === 'create')
                for (const row of await rows.createMany(one.rows, '7')) ids.push(row.recordID);
              else if (one.kind === 'receive')
                await rows.receive({
                  nodeID: '9',
                  rows: [incoming(String(1000 + one.at), one.at % 60, { Name: one.row })],
                  mappedColumns: ['Name'],
                });
              else if (one.kind === 'pull') ids.push(...(await pull(rows, one.page)));
              else if (id === undefined) continue;
              else if (one.kind === 'remove') await rows.remove(id, '7');
              else if (one.kind === 'restore') await rows.restore(id, '7');
              else if ((await rows.get(id)).deletedAt === undefined) await rows.patch(id, one.values, '7');
              for (const look of looksAtEach ? looks : [])
                expect(await asShown(rows, look)).toEqual(await plainly(rows, module.fields, look));
            }
            for (const look of looks)
              expect(await asShown(rows, look)).toEqual(await plainly(rows, module.fields, look));
          },
        ),
        { numRuns: runsOf(25, 10), seed: seedOf(31) },
      );
    },
  );

  it('gives the rows of an office in the order of the plain way', { timeout: 60_000 }, async () => {
    const { columns, rows: many } = customers({ rows: 900 });
    const { module, rows } = await makeList(
      await testLists(),
      columns.map((name) => text(name)),
    );
    await rows.createMany(
      many.map((row) =>
        Object.fromEntries(
          Object.entries(row)
            .filter(([, value]) => value !== '')
            .map(([name, value]) => [name, [value]]),
        ),
      ),
      '7',
    );
    for (const sort of ['CompanyName', 'City DESC, PostalCode', 'Remark', 'Phone']) {
      for (const search of ['', 'str 1', 'ä', 'gmbh', 'zurich']) {
        const look: Asked = { sort, search, language: 'de' };
        expect(await asShown(rows, look)).toEqual(await plainly(rows, module.fields, look));
      }
    }
  });

  it.each(['Amount DESC, Name', 'Name', 'Name DESC, Amount', 'createdAt, Name DESC'])(
    'orders many keys that begin alike as it orders them one by one: %s',
    async (sort) => {
      const fields = [text('Name'), text('Amount', { kind: 'Number' })] as unknown as Field[];
      const order = parseSort(sort, fields, { language: 'es' });
      const packed = new PackedRows(order);
      const random = seeded(5);
      const name = (): string =>
        random.pick([
          `Customer of the northern district, branch ${random.below(3000)}`,
          `Ñandú ${'\uffff'.repeat(random.below(3))}${random.below(20)}`,
          `日本 ${'ł'.repeat(random.below(9))}`,
          '\u0301',
          '',
        ]);
      const row = (at: number): Row => ({
        recordID: String(7_000_000_000_000_000_000n + BigInt(at)),
        values: {
          Name: [name()],
          Amount: [
            random.happens(0.3)
              ? `1234567890123456${random.below(90)}`
              : (random.below(20_000) / 4).toFixed(2),
          ],
        },
        createdAt: `2026-11-25T07:43:${random.below(2) + 10}Z`,
        createdBy: '7',
        updatedAt: '2026-11-25T07:43:39Z',
        updatedBy: '7',
      });
      const keys = Array.from({ length: 20_000 }, (_, at) => order.keyOf(row(at)));
      for (const key of keys) packed.add(key);
      const places = await packed.sorted();
      expect([...places].map((place) => packed.keyAt(place))).toEqual([...keys].sort(order.compare));
    },
  );
});
