import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { readTable } from '../../../../server/lists/csv/read.ts';
import type { FieldInput } from '../../../../server/lists/definitions/inputs.ts';
import type { Values } from '../../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../../server/lists/rows/rows.ts';
import { toTextCell } from '../../../../server/lists/sheets/cell-value.ts';
import { exportXlsx } from '../../../../server/lists/sheets/export-xlsx.ts';
import { unescapeXml } from '../../../../server/lists/sheets/xlsx-parts.ts';
import { runsOf } from '../../../support/data/luck.ts';
import { makeList, testLists, text, values, type TestLists } from '../../../support/harness/lists.ts';

/** Characters that XML forbids or changes, and parts of the escapes that stand for them. */
const ODD = [
  '\ufffe',
  '\uffff',
  '\ud800',
  '\udc00',
  '\0',
  '\u0001',
  '\u000b',
  '\u001f',
  '\r',
  '\r\n',
  '\u0085',
];
const ESCAPES = [
  '_',
  'x',
  '_x000A_',
  '_xFFFE_',
  '_x005F_',
  '_x000',
  '41',
  'FFFE',
  '_x005F_x0041_',
  '_X00e9_',
];
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...ODD, ...ESCAPES),
      fc.constantFrom('Müller', 'Łódź', '田中', '🙂', ' ', '<b>', '&amp;', ']]>', '"', "'", '\t'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

async function workbook({ lists }: TestLists, list: Parameters<typeof exportXlsx>[1]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of exportXlsx(lists, list)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** @throws for a part that a strict XML parser refuses */
function checkXML(file: Buffer): void {
  for (const [name, bytes] of Object.entries(unzipSync(file))) {
    if (!/\.(xml|rels)$/.test(name)) continue;
    const parser = new SaxesParser({ xmlns: true, fileName: name });
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(strFromU8(bytes)).close();
  }
}

async function valuesIn(rows: Rows): Promise<Values[]> {
  const found: Values[] = [];
  for await (const page of rows.scan()) found.push(...page.map((row) => row.values));
  return found;
}

it('any text is escaped for XML and comes back', () => {
  fc.assert(
    fc.property(anyText, (any) => {
      expect(toTextCell(any)).not.toMatch(/(?![\t\n\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Cs}/u);
      expect(unescapeXml(toTextCell(any))).toBe(any);
    }),
    { numRuns: runsOf(5000, 400) },
  );
});

it('a list of any texts is a well-formed workbook, and comes back with headings and values as they were', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyText, { minLength: 1, maxLength: 12 }),
      anyText,
      anyText,
      async (texts, label, name) => {
        const office = await testLists();
        const fields = [text('Nr'), { ...text('Note'), label: `Note ${label}`.trim() }];
        const list = await makeList(office, fields, `List ${name}`.slice(0, 60));
        // No value has a NUL character: databases can't store it.
        const made = texts.map((note, at) =>
          values({ Nr: String(at + 1), Note: `n${note.replaceAll('\0', '')}` }),
        );
        await list.rows.createMany(made, '0');
        const file = await workbook(office, list);
        checkXML(file);
        const read = await readTable(file, {});
        expect(read.columns.map(({ header }) => header)).toEqual(
          list.module.fields.map((field) => field.label.trim().replace(/\s+/g, ' ')),
        );
        const again = await makeList(office, fields, 'Again');
        const match = Object.fromEntries(
          read.columns.map(({ header }, at) => [header, list.module.fields[at]?.name ?? null]),
        );
        const result = await importTable(office.lists, file, {
          ...{ to: { moduleID: again.module.moduleID }, match, by: '0' },
        });
        expect(result.rejected).toEqual([]);
        expect(await valuesIn(again.rows)).toEqual(await valuesIn(list.rows));
      },
    ),
    { numRuns: runsOf(40, 12) },
  );
});

const TYPED: readonly FieldInput[] = [
  text('Nr'),
  { kind: 'Bool', name: 'Paid' },
  { kind: 'Number', name: 'Amount' },
  { kind: 'Number', name: 'Share', options: { unit: '%' } },
  { kind: 'Number', name: 'Price', options: { unit: '€', precision: 2 } },
  { kind: 'DateTime', name: 'Day', options: { only: 'date' } },
  { kind: 'DateTime', name: 'Moment' },
];
const day = fc
  .date({ min: new Date('1890-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const number = fc.oneof(
  fc.integer().map(String),
  fc
    .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: 1, max: 99 }))
    .map(([a, b]) => String(a + b / 100)),
  fc.constantFrom('-0.45999999999999996', '12345678901234567'),
);
const optional = (value: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(value, fc.constant(''));

it('any yes/no values, numbers, days and moments come back', async () => {
  const row = fc.record({
    Paid: fc.constantFrom('', '1'),
    Amount: optional(number),
    Share: optional(number),
    Price: optional(number),
    Day: optional(day.map((date) => date.slice(0, 10))),
    Moment: optional(day.map((date) => `${date.slice(0, 19)}Z`)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 10 }), async (rows) => {
      const office = await testLists();
      const list = await makeList(office, TYPED, 'Typed');
      const filled = rows.map((each, at) =>
        values(
          Object.fromEntries(Object.entries({ ...each, Nr: `n${at}` }).filter(([, value]) => value !== '')),
        ),
      );
      await list.rows.createMany(filled, '0');
      const again = await makeList(office, TYPED, 'Again');
      const result = await importTable(office.lists, await workbook(office, list), {
        ...{ to: { moduleID: again.module.moduleID }, by: '0' },
      });
      expect(result.rejected).toEqual([]);
      expect(await valuesIn(again.rows)).toEqual(await valuesIn(list.rows));
    }),
    { numRuns: runsOf(40, 12) },
  );
});
