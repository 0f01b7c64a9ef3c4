import { note, phrase, type Script } from '../support/data/office-words.ts';
import { seeded, type Seeded } from '../support/data/seeded.ts';

/** A made-up row of about `bytes` bytes of JSON; the same number and version always give the same row. */
export function benchRow(number: number, version: number, bytes = 296): BenchRow {
  const row = {
    recordID: `5321${String(number).padStart(14, '0')}`,
    values: {
      Name: [`Customer ${number}`],
      City: [['Berlin', 'Lyon', 'Porto', 'Gdańsk'][number % 4] ?? ''],
      Amount: [((number * 7919) % 100_000).toFixed(2)],
      Note: [''],
    },
    createdAt: '2026-11-20T08:00:00Z',
    updatedAt: new Date(1_795_000_000_000 + version).toISOString(),
  };
  const left = bytes - Buffer.byteLength(JSON.stringify(row));
  row.values.Note = [noteOf(number, left)];
  return row;
}

export interface BenchRow {
  readonly recordID: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const OFFICE_COLUMNS = ['Customer', 'City', 'Amount', 'Ordered', 'Note'] as const;
export type OfficeValues = Record<(typeof OFFICE_COLUMNS)[number], string>;

/** Which letters rows are written with: text of ASCII alone costs less wherever it is read, kept or compared. */
export type Letters = 'any' | 'ascii';

/** Bytes of all values of a row of an office together; it is 575 bytes long where it travels as JSON. */
const VALUE_BYTES = 277;
const CITIES: Record<Letters, readonly string[]> = {
  any: [
    'Berlin',
    'Lyon',
    'Gdańsk',
    'Porto',
    'Zürich',
    'Kraków',
    'Bergen',
    'Málaga',
    'Łódź',
    'Graz',
    'Tromsø',
  ],
  ascii: [
    'Berlin',
    'Lyon',
    'Gdansk',
    'Porto',
    'Zurich',
    'Krakow',
    'Bergen',
    'Malaga',
    'Lodz',
    'Graz',
    'Tromso',
  ],
};
const SCRIPTS: Record<Letters, readonly Script[]> = {
  any: ['english', 'english', 'german'],
  ascii: ['english'],
};

/** The values of a made-up row of an office, by the names of its columns; in no order but that of their numbers. */
export function officeValues(number: number, letters: Letters = 'any'): OfficeValues {
  const random = seeded(number);
  const values = {
    Customer: `${phrase(random, 2, SCRIPTS[letters])} ${number}`,
    City: random.pick(CITIES[letters]),
    Amount: ((number * 7919) % 100_000).toFixed(2),
    Ordered: `2026-0${1 + (number % 9)}-1${number % 10}`,
  };
  const left = Object.values(values).reduce((bytes, value) => bytes - Buffer.byteLength(value), VALUE_BYTES);
  return { ...values, Note: officeNote(random, left, SCRIPTS[letters]) };
}

/** What somebody wrote down, and a number that no compression makes shorter; of exactly so many bytes. */
function officeNote(random: Seeded, bytes: number, scripts: readonly Script[]): string {
  const reference = Array.from({ length: 32 }, () => random.below(36).toString(36)).join('');
  const text = note(random, bytes, scripts).replace(/[\n–,]/g, ' ');
  let kept = text.slice(0, bytes - reference.length - 1);
  while (Buffer.byteLength(kept) > bytes - reference.length - 1) kept = kept.slice(0, -1);
  return `${kept} ${reference}`.padEnd(bytes - Buffer.byteLength(kept) + kept.length, '.');
}

/** Words and numbers of exactly so many letters, another text for each number. */
function noteOf(number: number, length: number): string {
  return length <= 0
    ? ''
    : note(seeded(number), length)
        .replace(/[\n–,]/g, ' ')
        .slice(0, length)
        .padEnd(length, '.');
}

/** Rows `from` to `to` as a CSV file. */
export function officeCsv(from: number, to: number, letters: Letters = 'any'): string {
  const lines = [OFFICE_COLUMNS.join(',')];
  for (let number = from; number < to; number++) {
    const values = officeValues(number, letters);
    lines.push(OFFICE_COLUMNS.map((column) => values[column]).join(','));
  }
  return `${lines.join('\n')}\n`;
}

/** Rows in a page of a pull between Footbridges. */
export const PULL_PAGE = 500;
/** Rows in a page of the feed whose cost is measured. */
export const FEED_PAGE = 500;

/** A page of `count` rows from row `from` on, as the change feed between Footbridges answers it. */
export function feedPage(from: number, count: number, letters: Letters = 'any'): object {
  const set = Array.from({ length: count }, (_, at) => {
    const values = officeValues(from + at, letters);
    return {
      recordID: `22355${String(from + at).padStart(14, '0')}`,
      createdAt: '2026-11-20T08:00:00.000Z',
      updatedAt: '2026-11-20T08:00:00.000Z',
      via: ['2235523839810244608'],
      values: OFFICE_COLUMNS.map((name) => ({ name, value: values[name] })),
    };
  });
  return {
    response: { epoch: '0123456789abcdef0123456789abcdef', next: from + count, more: true, total: 0, set },
  };
}

/** Numbers from a seed, the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
