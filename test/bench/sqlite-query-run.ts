import { createRequire } from 'node:module';
import { officeValues } from './rows.ts';

/**
 * `sqlite-query-run.ts <rows> <searched>`: fills a table of better-sqlite3 with the rows of an office, and tells how many
 * milliseconds a first page of 100 takes by text, by number, and of what holds a text, each the middle of five.
 */
interface Statement {
  run(...values: unknown[]): void;
  all(...values: unknown[]): unknown[];
}
interface Database {
  pragma(text: string): void;
  exec(text: string): void;
  prepare(text: string): Statement;
}

const RUNS = 5;
const [rowsText, searched = ''] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const Sqlite = require('better-sqlite3') as new (path: string) => Database;
const db = new Sqlite('rows.sqlite');
db.pragma('journal_mode = WAL');
db.exec(
  'CREATE TABLE rows (id TEXT PRIMARY KEY, customer TEXT, city TEXT, amount REAL, ordered TEXT, note TEXT) WITHOUT ROWID',
);
const insert = db.prepare('INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?)');
db.exec('BEGIN');
for (let number = 0; number < Number(rowsText); number++) {
  const { Customer, City, Amount, Ordered, Note } = officeValues(number);
  insert.run(`5321${String(number).padStart(14, '0')}`, Customer, City, Number(Amount), Ordered, Note);
}
db.exec('COMMIT');

const found =
  'instr(lower(customer), @searched) OR instr(lower(city), @searched) OR instr(lower(note), @searched)';
const answer = {
  text: took('SELECT * FROM rows ORDER BY customer COLLATE NOCASE LIMIT 100'),
  number: took('SELECT * FROM rows ORDER BY amount LIMIT 100'),
  // The grid counts what was found as well.
  search: took(`SELECT id FROM rows WHERE ${found}`, { searched: searched.toLowerCase() }),
};
process.send?.(answer, () => process.exit());

function took(query: string, ...values: unknown[]): number {
  const statement = db.prepare(query);
  const runs = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    statement.all(...values);
    return performance.now() - start;
  });
  return runs.sort((one, other) => one - other)[RUNS >> 1] ?? Number.NaN;
}
