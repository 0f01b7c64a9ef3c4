import { said } from '../../words/said.ts';
import { FORMAT_VERSION } from '../files/format.ts';
import { StoreError } from '../store.ts';
import { numberIn, type Ask, type Database } from './database.ts';

/** One per index of a table. */
export const INDEX_COLUMNS = ['h1', 'h2', 'h3', 'h4'] as const;

/** Schema migrations by version, in portable SQL. Append only. */
export const STEPS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE footbridge_hub (
      id int PRIMARY KEY CHECK (id = 1),
      schema_version int NOT NULL,
      format_version int NOT NULL,
      epoch bigint NOT NULL
    )`,
    `CREATE TABLE footbridge_lease (
      id int PRIMARY KEY CHECK (id = 1),
      holder text NOT NULL,
      held_until timestamptz NOT NULL
    )`,
    `CREATE TABLE footbridge_own (name text PRIMARY KEY, value text NOT NULL)`,
    `CREATE TABLE footbridge_note (no bigint PRIMARY KEY, note text NOT NULL)`,
    `CREATE TABLE footbridge_user_token (no bigint PRIMARY KEY, line text NOT NULL)`,
    `CREATE TABLE footbridge_partition (
      id bigint PRIMARY KEY,
      name text NOT NULL UNIQUE,
      last_seq bigint NOT NULL,
      last_commit text NOT NULL
    )`,
    `CREATE TABLE footbridge_table (
      partition_id bigint NOT NULL,
      tbl text NOT NULL,
      entries bigint NOT NULL,
      indexed text NOT NULL,
      PRIMARY KEY (partition_id, tbl)
    )`,
    `CREATE TABLE footbridge_entry (
      partition_id bigint NOT NULL,
      tbl text NOT NULL,
      key bytea NOT NULL,
      seq bigint NOT NULL,
      value text NOT NULL,
      ${INDEX_COLUMNS.map((column) => `${column} bigint`).join(', ')},
      PRIMARY KEY (partition_id, tbl, key)
    )`,
    `CREATE INDEX footbridge_entry_seq ON footbridge_entry (partition_id, tbl, seq)`,
    ...INDEX_COLUMNS.map(
      (column) =>
        `CREATE INDEX footbridge_entry_${column} ON footbridge_entry (partition_id, tbl, ${column}, key)
          WHERE ${column} IS NOT NULL`,
    ),
    `INSERT INTO footbridge_hub VALUES (1, 1, ${FORMAT_VERSION}, 0)`,
    `INSERT INTO footbridge_lease VALUES (1, '', now() - interval '1 second')`,
  ],
  [
    `CREATE TABLE footbridge_ranking (
      id bigint PRIMARY KEY,
      partition_id bigint NOT NULL,
      name text NOT NULL,
      is_whole boolean NOT NULL,
      seq bigint NOT NULL,
      entries bigint NOT NULL,
      used timestamptz NOT NULL,
      UNIQUE (partition_id, name)
    )`,
    `CREATE TABLE footbridge_ranked (
      ranking_id bigint NOT NULL,
      rank bytea NOT NULL,
      key bytea NOT NULL,
      PRIMARY KEY (ranking_id, rank)
    )`,
    `CREATE UNIQUE INDEX footbridge_ranked_key ON footbridge_ranked (ranking_id, key)`,
  ],
  [`UPDATE footbridge_hub SET format_version = ${FORMAT_VERSION} WHERE id = 1`],
];

/** Lowest version known to work, as PostgreSQL numbers it. */
const MIN_SERVER_VERSION = 150_000;

/**
 * Creates the tables, if there are none, by `steps`, the statements for each version; older tables stay as they are.
 * Throws StoreError `newer-version` for tables of a newer version, `damaged` before PostgreSQL 15.
 */
export async function makeTables(database: Database, steps = STEPS): Promise<void> {
  const version = Number((await database.read('SHOW server_version_num'))[0]?.server_version_num);
  // PostgreSQL's, in other databases too.
  if (version < MIN_SERVER_VERSION)
    throw new StoreError(
      'damaged',
      `The database server is PostgreSQL ${Math.floor(version / 10_000)}. Footbridge needs PostgreSQL 15 or later.`,
    );
  /** Runs all steps if there are no tables. */
  const runAllSteps = (): Promise<void> =>
    database.transaction(async (ask) => {
      if ((await readVersion(ask, steps)) === 0) await runSteps(ask, 0, steps);
    });
  // The later of two concurrent starts fails, and then finds everything made.
  await runAllSteps().catch(runAllSteps);
}

/** Migrates older tables. Only the serving process may, as older ones can't continue. */
export async function migrateTables(database: Database, steps = STEPS): Promise<void> {
  await database.transaction(async (ask) => runSteps(ask, await readVersion(ask, steps), steps));
}

/** Runs the steps after version `made`, and stores the new version. */
async function runSteps(ask: Ask, made: number, steps: typeof STEPS): Promise<void> {
  for (const step of steps.slice(made)) for (const statement of step) await ask(statement);
  if (made < steps.length)
    await ask('UPDATE footbridge_hub SET schema_version = $1 WHERE id = 1', [steps.length]);
}

/** Returns the tables' version; 0 without tables. Throws StoreError `newer-version`. */
async function readVersion(ask: Ask, steps: typeof STEPS): Promise<number> {
  const [known] = await ask("SELECT to_regclass('footbridge_hub') IS NOT NULL AS there");
  if (known?.there !== true) return 0;
  const [hub] = await ask('SELECT schema_version, format_version FROM footbridge_hub WHERE id = 1');
  const made = numberIn(hub, 'schema_version');
  if (made > steps.length || numberIn(hub, 'format_version') > FORMAT_VERSION)
    throw new StoreError('newer-version', said('store.newer-version'));
  return made;
}
