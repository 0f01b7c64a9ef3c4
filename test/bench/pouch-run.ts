import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { officeValues } from './rows.ts';

/**
 * PouchDB for the same: `pouch-run.ts serve <rows>` fills a database and serves it with express-pouchdb;
 * `pouch-run.ts pull <address> <rows>` replicates it into a LevelDB in the folder at hand, and tells the
 * milliseconds.
 */
interface Database {
  bulkDocs(docs: readonly object[]): Promise<unknown>;
  info(): Promise<{ doc_count: number }>;
}
interface PouchDB {
  new (name: string): Database;
  replicate(from: string, to: Database, options: object): Promise<unknown>;
}

const AT_ONCE = 500;
/** With id, revision and quotes a document is as long as a row of ours. */
const FILLER = 121;
/** Documents that are replicated before time is taken, as every one of the others is warm by then. */
const WARM = 2000;
const require = createRequire(import.meta.url);
const PouchDB = require('pouchdb') as PouchDB;

const [mode, ...args] = process.argv.slice(2);
if (mode === 'serve') await serve(Number(args[0]));
else process.send?.(await pull(args[0] ?? '', Number(args[1])), () => process.exit());

async function serve(rows: number): Promise<void> {
  const expressPouch = require('express-pouchdb') as (pouch: PouchDB, options: object) => RequestListener;
  const db = new PouchDB('customers');
  for (let from = 0; from < rows; from += AT_ONCE) {
    await db.bulkDocs(Array.from({ length: Math.min(AT_ONCE, rows - from) }, (_, at) => document(from + at)));
  }
  const server = createServer(expressPouch(PouchDB, { mode: 'minimumForPouchDB', inMemoryConfig: true }));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object')
      process.send?.(`http://127.0.0.1:${address.port}/customers`);
  });
}

async function pull(address: string, rows: number): Promise<number> {
  const warm = new PouchDB('warm');
  await PouchDB.replicate(address, warm, { batch_size: AT_ONCE, since: rows - Math.min(rows, WARM) });
  const db = new PouchDB('received');
  const start = performance.now();
  await PouchDB.replicate(address, db, { batch_size: AT_ONCE });
  const milliseconds = performance.now() - start;
  const { doc_count: count } = await db.info();
  if (count !== rows) throw new Error(`${count} documents came instead of ${rows}.`);
  return milliseconds;
}

function document(number: number): object {
  return {
    _id: `5321${String(number).padStart(14, '0')}`,
    createdAt: '2026-11-20T08:00:00Z',
    updatedAt: '2026-11-20T08:00:00Z',
    ...officeValues(number),
    Filler: 'x'.repeat(FILLER),
  };
}
