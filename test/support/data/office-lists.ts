import Papa from 'papaparse';
import { PLACES, PRODUCTS, TITLES } from '../../../scripts/sample-words.ts';
import { note, phrase, WORDS, type Script } from './office-words.ts';
import { seeded, type Seeded } from './seeded.ts';

/** A list as an office has it: no two rows are the same, and few values repeat more than they do in life. */
export interface OfficeList {
  readonly name: string;
  readonly columns: readonly string[];
  /** A text for every column; an empty one where a cell is empty. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** How many rows instead of the usual number, and chance of another seed. */
export interface ListSize {
  readonly rows?: number;
  readonly seed?: number;
}

/** Names and addresses in 11 columns: 400 rows. */
export function customers({ rows = 400, seed = 11 }: ListSize = {}): OfficeList {
  return made('customers', rows, seed, (random, at) => {
    const place = random.pick(PLACES);
    const family = random.pick(place.families);
    const [city, region] = random.pick(place.cities);
    return {
      CustomerID: `${family.slice(0, 3).toUpperCase()}${String(at + 1).padStart(5, '0')}`,
      CompanyName: `${random.pick(place.shops).replace('*', family)} ${filled(random, '@##')}`,
      ContactName: `${random.pick(place.firstNames)} ${family}`,
      ContactTitle: random.pick(TITLES),
      Address: `${random.pick(place.streets)} ${1 + random.below(240)}`,
      City: city,
      Region: random.happens(0.6) ? region : '',
      PostalCode: filled(random, place.postalCode),
      Country: place.country,
      Phone: filled(random, place.phone),
      Remark: random.happens(0.4)
        ? note(random, 20 + random.below(160), ['english', 'german', 'polish'])
        : '',
    };
  });
}

/** Everything that somebody once wanted to know about an article, in 60 columns of several kinds: 1,500 rows. */
export function articles({ rows = 1500, seed = 60 }: ListSize = {}): OfficeList {
  return made('articles', rows, seed, (random, at) => {
    const row: Record<string, string> = { ArticleNo: String(100_000 + at), Title: phrase(random, 3) };
    for (let column = 3; column <= 60; column++) {
      const [kind, value] = ARTICLE_CELLS[column % ARTICLE_CELLS.length]!;
      row[`${kind}${column}`] = random.happens(0.2) ? '' : value(random);
    }
    return row;
  });
}

const ARTICLE_CELLS: readonly (readonly [kind: string, value: (random: Seeded) => string])[] = [
  ['Price', decimal],
  ['Since', day],
  ['Remark', (random) => note(random, 10 + random.below(80))],
  ['Stock', (random) => String(random.below(20_000) - 500)],
  ['Code', (random) => filled(random, '@@-####-@#')],
  ['Words', (random) => phrase(random, 1 + random.below(4))],
];

/** Texts of 400 to 900 letters that do not compress, as signatures, keys and scans are: 3,000 rows. */
export function signatures({ rows = 3000, seed = 400 }: ListSize = {}): OfficeList {
  return made('signatures', rows, seed, (random, at) => ({
    Number: String(at + 1),
    Signature: noise(random, 400 + random.below(500)),
  }));
}

/** A long list of few columns: 20,000 rows of 4. */
export function payments({ rows = 20_000, seed = 4 }: ListSize = {}): OfficeList {
  return made('payments', rows, seed, (random, at) => ({
    PaymentNo: String(7_000_000 + at * 3),
    Paid: day(random),
    Amount: decimal(random),
    Purpose: `${random.pick(PRODUCTS)[0]} ${phrase(random, 1 + random.below(4))} ${random.below(1e6)}`,
  }));
}

/** Texts of 100 kB: 40 rows. */
export function reports({ rows = 40, seed = 100 }: ListSize = {}): OfficeList {
  return made('reports', rows, seed, (random, at) => ({
    Report: `Report ${at + 1} of ${day(random)}`,
    Text: `${note(random, 60_000, ['english', 'german'])}\n${noise(random, 40_000)}`,
  }));
}

/** Words of every script, lone and mixed, with cells that are empty, odd or hard to quote: 300 rows. */
export function languages({ rows = 300, seed = 8 }: ListSize = {}): OfficeList {
  const scripts = Object.keys(WORDS) as Script[];
  return made('languages', rows, seed, (random, at) => ({
    Nr: String(at + 1),
    Script: scripts[at % scripts.length]!,
    Word: phrase(random, 1 + random.below(3), [scripts[at % scripts.length]!]),
    Mixed: random.happens(0.1) ? '' : phrase(random, 2 + random.below(6), scripts),
    Odd: random.pick(ODD),
    Amount: decimal(random),
    Day: random.happens(0.2) ? '' : day(random),
  }));
}

const ODD = [
  '',
  '"quoted"',
  'a,b;c\td',
  'two\nlines',
  '<b>not bold</b>',
  "O'Brien & 'sons'",
  '\\n is no line',
  '0',
  'null',
  '\u202eright to left\u202c',
  'zero\u200bwidth',
  '100 %',
];

/** The same list as a file. */
export function csvOf({ columns, rows }: OfficeList): string {
  return `${Papa.unparse({ fields: [...columns], data: rows.map((row) => columns.map((name) => row[name])) }, { newline: '\n' })}\n`;
}

/** Letters and digits without any order, so that no encoding makes fewer bytes of them than three quarters. */
export function noise(random: Seeded, length: number): string {
  let text = '';
  while (text.length < length) text += SIGNS.charAt(random.below(64));
  return text;
}

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function decimal(random: Seeded): string {
  const size = random.pick([100, 10_000, 1_000_000, 1e12]);
  const value = (random.number() * size).toFixed(random.pick([0, 2, 2, 3]));
  return random.happens(0.1) && Number(value) !== 0 ? `-${value}` : value;
}

function day(random: Seeded): string {
  return new Date(Date.UTC(1961 + random.below(80), random.below(12), 1 + random.below(28)))
    .toISOString()
    .slice(0, 10);
}

/** Fills a pattern with digits (`#`) and capital letters (`@`). */
function filled(random: Seeded, pattern: string): string {
  return pattern.replace(/[#@]/g, (sign) =>
    sign === '#' ? String(random.below(10)) : random.pick(Array.from('ABCDEFGHJKLMNPRSTUWXY')),
  );
}

function made(
  name: string,
  count: number,
  seed: number,
  row: (random: Seeded, at: number) => Readonly<Record<string, string>>,
): OfficeList {
  const random = seeded(seed);
  const rows = Array.from({ length: count }, (_, at) => row(random, at));
  return { name, columns: Object.keys(rows[0] ?? row(random, 0)), rows };
}
