import { expect, it } from 'vitest';
import { createFieldsFor, matchColumns } from '../../../../server/lists/csv/targets.ts';
import type { Field } from '../../../../server/lists/definitions/model.ts';
import type { ColumnFacts } from '../../../../server/lists/reading/table-facts.ts';
import { processorTime } from '../../../support/reading/processor-time.ts';

const column = (header: string, index: number): ColumnFacts => ({
  ...{
    index,
    header,
    kind: 'String',
    options: {},
    shown: {},
    only: [],
    isBareNumbers: false,
    mayBeVersions: false,
    isDayOrderInDoubt: false,
    dayDoubt: undefined,
    samples: [],
    stored: [],
  },
});
const field = (label: string, at: number): Field => ({
  ...{ fieldID: String(at), kind: 'String', name: `col_${at}`, label, isMulti: false, isRequired: false },
  options: {},
});
/** The widest file that is read: measurements of a month, with many words in each heading. */
const headers = Array.from(
  { length: 2000 },
  (_, at) => `Messwert der Öffnung im Gebäude der Hauptstelle am Standort Köln-Süd, Nr. ${at}`,
);

it('refuses more columns than a list can have before it finds a name for each', () => {
  expect(() => createFieldsFor(headers.map(column), {}, {})).toThrow('A list takes at most 500 columns');
});

it('names 500 columns that begin alike in one short turn', () => {
  const columns = headers.slice(0, 500).map(column);
  let names: readonly unknown[] = [];
  // When each name is looked for from the first number on, it takes about 75 ms.
  expect(
    processorTime(() => (names = createFieldsFor(columns, {}, {}).map(({ name }) => name))),
  ).toBeLessThan(50);
  expect(new Set(names).size).toBe(500);
});

it('matches 2,000 columns of a file with 500 of a list in one short turn', () => {
  const fields = headers.slice(1500).map((header, at) => field(header.toUpperCase(), at));
  let found: readonly (Field | undefined)[] = [];
  // Compared one by one, it takes about 150 ms.
  expect(processorTime(() => (found = matchColumns(headers.map(column), fields, {})))).toBeLessThan(50);
  expect(found.filter((each) => each !== undefined)).toEqual(fields);
});
