import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { systemClock } from '../../server/base/clock.ts';
import { openStore } from '../../server/store/engine/open-store.ts';
import type { Table } from '../../server/store/store.ts';
import type { BenchRow } from './rows.ts';

/** Something that stores pages of rows durably. */
export interface Subject {
  /** Resolves when the page and its checkpoint are fsynced as one. */
  upsert(rows: readonly BenchRow[], checkpoint: number): Promise<void>;
  /** Number of rows; loads all of them where that is what opening means. */
  loadAll(): Promise<number>;
  close(): Promise<void>;
}

const rowTable: Table<BenchRow> = { name: 'rows', stamp: (row) => Date.parse(row.updatedAt) };
const checkpoints: Table<{ page: number }> = { name: 'checkpoints' };

/** Our own store. */
export async function openFootbridge(folder: string): Promise<Subject> {
  const store = await openStore({ dataDir: folder, clock: systemClock });
  const partition = await store.partition('rows');
  return {
    upsert: (rows, page) =>
      partition.transaction((tx) => {
        for (const row of rows) tx.put(rowTable, row.recordID, row);
        tx.put(checkpoints, 'pull', { page });
      }),
    loadAll: () => partition.count(rowTable),
    close: () => store.close(),
  };
}

interface SqliteStatement {
  run(...values: unknown[]): void;
  iterate(): Iterable<{ data: string }>;
}
interface SqliteDatabase {
  pragma(text: string): void;
  exec(text: string): void;
  prepare(text: string): SqliteStatement;
  transaction(
    body: (rows: readonly BenchRow[], page: number) => void,
  ): (rows: readonly BenchRow[], page: number) => void;
  close(): void;
}

/** better-sqlite3 as it is usually used for the same: WAL, synchronous=FULL, one transaction a page. */
export async function openSqlite(folder: string): Promise<Subject> {
  await mkdir(folder, { recursive: true });
  const require = createRequire(import.meta.url);
  const Database = require('better-sqlite3') as new (path: string) => SqliteDatabase;
  const db = new Database(join(folder, 'rows.sqlite'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE IF NOT EXISTS rows (id TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID');
  db.exec('CREATE TABLE IF NOT EXISTS checkpoints (id TEXT PRIMARY KEY, page INTEGER)');
  const upsertRow = db.prepare(
    'INSERT INTO rows VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data',
  );
  const upsertPage = db.prepare(
    'INSERT INTO checkpoints VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET page = excluded.page',
  );
  const page = db.transaction((rows, checkpoint) => {
    for (const row of rows) upsertRow.run(row.recordID, JSON.stringify(row));
    upsertPage.run('pull', checkpoint);
  });
  return {
    upsert(rows, checkpoint) {
      page(rows, checkpoint);
      return Promise.resolve();
    },
    loadAll() {
      let count = 0;
      for (const { data } of db.prepare('SELECT data FROM rows').iterate()) {
        JSON.parse(data);
        count++;
      }
      return Promise.resolve(count);
    },
    close() {
      db.close();
      return Promise.resolve();
    },
  };
}
