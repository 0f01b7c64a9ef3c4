import { PARTITION_NAME } from '../files/format.ts';
import { StoreError } from '../store.ts';
import { bytesIn, numberIn, textIn, type Ask, type Database, type Isolation } from './database.ts';

export interface RankingDeps {
  readonly database: Database;
  /** Changes the database, as the process that may. */
  readonly write: <R>(work: (ask: Ask) => Promise<R>, isolation?: Isolation) => Promise<R>;
  readonly id: number;
  /** Ids of this partition's rankings being made. */
  readonly making: Set<number>;
}

/** Per partition; entries of owned ones are limited to as many whole rankings. */
const MAX_RANKINGS = 8;
/** Readers mark a ranking every ten minutes; unmarked longer, it has none. */
const IN_USE_SECONDS = 15 * 60;
const OWNER_END = '.';
const MAX_REMOVED = 5000;

/** Long ranking work beside row changes must not make these fail. */
export const BESIDE_CHANGES: Isolation = 'read committed';

/**
 * Begins a ranking and returns its id, never reused. Marks the previous one of this name or owner, and those beyond the
 * limits, for deletion. Throws StoreError `closed` if the partition is dropped.
 */
export async function createRanking(ask: Ask, partition: number, name: string): Promise<number> {
  // Delays dropping it until readers finish.
  const [there] = await ask('SELECT name FROM footbridge_partition WHERE id = $1 FOR SHARE', [partition]);
  if (!there || !PARTITION_NAME.test(textIn(there, 'name'))) throw dropped();
  const before = await ask('SELECT id FROM footbridge_ranking WHERE partition_id = $1 AND name = $2', [
    ...[partition, name],
  ]);
  for (const row of before) await markForDeletion(ask, numberIn(row, 'id'));
  const owner = ownerIn(name);
  for (const given of await (owner === undefined ? excessRankings : excessOwnedRankings)(
    ask,
    partition,
    owner ?? '',
  ))
    await markForDeletion(ask, given);
  const [made] = await ask(
    `INSERT INTO footbridge_ranking (id, partition_id, name, is_whole, seq, entries, used)
      SELECT greatest(coalesce(max(id), 0) + 1, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)),
        CAST($1 AS bigint), CAST($2 AS text), false, 0, 0, now() FROM footbridge_ranking RETURNING id`,
    [partition, name],
  );
  return numberIn(made, 'id');
}

/** Returns the owner in a ranking's name, with the dot; undefined without one. */
function ownerIn(name: string): string | undefined {
  const dot = name.indexOf(OWNER_END);
  return dot < 0 ? undefined : name.slice(0, dot + 1);
}

/**
 * Returns the ids of the least recently used complete rankings without owner, to be deleted so that one more is within
 * the limit.
 */
async function excessRankings(ask: Ask, partition: number): Promise<readonly number[]> {
  const rows = await ask(
    `SELECT id FROM footbridge_ranking WHERE partition_id = $1 AND is_whole AND name NOT LIKE '%${OWNER_END}%'
      ORDER BY used DESC OFFSET ${String(MAX_RANKINGS - 1)}`,
    [partition],
  );
  return rows.map((row) => numberIn(row, 'id'));
}

/**
 * Returns the ids of this owner's previous ranking, and of those of owners whose rankings have too many entries
 * together. Unused ones go first, oldest before others; then the newest, so that the first reader of many can finish.
 */
async function excessOwnedRankings(ask: Ask, partition: number, owner: string): Promise<readonly number[]> {
  const rows = await ask(
    `SELECT id FROM (
      SELECT id, left(name, $3) = $2 AS same,
        sum(entries) OVER (ORDER BY unused > 0, abs(unused), id) AS held
        FROM (
          SELECT *, extract(epoch FROM now() - used) - ${String(IN_USE_SECONDS)} AS unused
            FROM footbridge_ranking WHERE partition_id = $1 AND is_whole AND name LIKE '%${OWNER_END}%'
        ) AS aged
    ) AS owned WHERE same OR held > ${String(MAX_RANKINGS - 1)} * (
      SELECT coalesce(max(entries), 0) FROM footbridge_table WHERE partition_id = $1
    )`,
    [partition, owner, owner.length],
  );
  return rows.map((row) => numberIn(row, 'id'));
}

/** Marks a ranking complete as of change `seq`. Throws StoreError `closed` if it was removed. */
export async function completeRanking(
  ask: Ask,
  rankingID: number,
  { seq, count }: { readonly seq: number; readonly count: number },
): Promise<void> {
  await assertAlive(ask, rankingID);
  await ask('UPDATE footbridge_ranking SET is_whole = true, seq = $2, entries = $3 WHERE id = $1', [
    ...[rankingID, seq],
    count,
  ]);
}

const dropped = (): StoreError => new StoreError('closed', 'The partition of the ranking was dropped.');

/** Returns whether a ranking exists and isn't marked for deletion; locks it until the transaction ends. */
export async function isAlive(ask: Ask, rankingID: number): Promise<boolean> {
  const [row] = await ask('SELECT name FROM footbridge_ranking WHERE id = $1 FOR UPDATE', [rankingID]);
  return row !== undefined && textIn(row, 'name') !== tombstoneName(rankingID);
}

/** Locks a ranking until the transaction ends. Throws StoreError `closed` if gone or marked for deletion. */
export async function assertAlive(ask: Ask, rankingID: number): Promise<void> {
  if (!(await isAlive(ask, rankingID))) throw dropped();
}

const tombstoneName = (rankingID: number): string => `${String(rankingID)}/left`;

/** Marks a ranking for deletion by {@link vacuumRankings}, under a name no caller asks for. */
export async function markForDeletion(ask: Ask, rankingID: number): Promise<void> {
  await ask('UPDATE footbridge_ranking SET name = $2, is_whole = false WHERE id = $1', [
    rankingID,
    tombstoneName(rankingID),
  ]);
}

/**
 * Removes, in steps, this partition's rankings that are marked for deletion, or unfinished for a minute and not being
 * made.
 */
export async function vacuumRankings({ database, write, id, making }: RankingDeps): Promise<void> {
  const rows = await database.read(
    // A new one may not be in `making` yet.
    `SELECT id, name, NOT is_whole AND used < now() - interval '1 minute' AS half FROM footbridge_ranking
      WHERE partition_id = $1`,
    [id],
  );
  for (const row of rows) {
    const ranking = numberIn(row, 'id');
    const isForgotten = row.half === true && !making.has(ranking);
    if (isForgotten || row.name === tombstoneName(ranking)) await removeRanking(write, ranking);
  }
}

/** Marks a ranking for deletion and removes it in steps. */
async function removeRanking(write: RankingDeps['write'], rankingID: number): Promise<void> {
  await write((ask) => markForDeletion(ask, rankingID), BESIDE_CHANGES);
  let after: Buffer | undefined = Buffer.alloc(0);
  while (after) {
    const from: Buffer = after;
    after = await write((ask) => removeRanked(ask, rankingID, from), BESIDE_CHANGES);
  }
  await write((ask) => ask('DELETE FROM footbridge_ranking WHERE id = $1', [rankingID]), BESIDE_CHANGES);
}

/** Removes up to 5,000 entries from rank `from` on. Returns the rank to continue at; undefined at the end. */
async function removeRanked(ask: Ask, rankingID: number, from: Buffer): Promise<Buffer | undefined> {
  const [last] = await ask(
    `SELECT rank FROM footbridge_ranked WHERE ranking_id = $1 AND rank >= $2
      ORDER BY rank LIMIT 1 OFFSET ${String(MAX_REMOVED)}`,
    [rankingID, from],
  );
  const to = last && bytesIn(last, 'rank');
  await ask(
    `DELETE FROM footbridge_ranked WHERE ranking_id = $1 AND rank >= $2 ${to ? 'AND rank < $3' : ''}`,
    to ? [rankingID, from, to] : [rankingID, from],
  );
  return to;
}

/** Returns the ids of rankings that nobody can use: incomplete, marked for deletion, or of a missing partition. */
export async function unusedRankings({ read }: Pick<Database, 'read'>): Promise<readonly number[]> {
  const rows = await read(
    `SELECT ranking.id FROM footbridge_ranking AS ranking
      LEFT JOIN footbridge_partition AS partition ON partition.id = ranking.partition_id
      WHERE NOT ranking.is_whole OR partition.id IS NULL OR ranking.name LIKE '%/%'`,
  );
  return rows.map((row) => numberIn(row, 'id'));
}

/** Returns the ids of rankings of partitions whose names end with `ending`. */
export async function rankingsOfPartitionsEnding(
  { read }: Pick<Database, 'read'>,
  ending: string,
): Promise<readonly number[]> {
  const rows = await read(
    `SELECT ranking.id FROM footbridge_ranking AS ranking
      JOIN footbridge_partition AS partition ON partition.id = ranking.partition_id
      WHERE right(partition.name, $2) = $1`,
    [ending, ending.length],
  );
  return rows.map((row) => numberIn(row, 'id'));
}

export async function removeRankings(write: RankingDeps['write'], ids: readonly number[]): Promise<void> {
  for (const id of ids) await removeRanking(write, id);
}

/** Returns the ids of all rankings of a partition. */
export async function rankingsOf(ask: Ask, partition: number): Promise<readonly number[]> {
  const rows = await ask('SELECT id FROM footbridge_ranking WHERE partition_id = $1', [partition]);
  return rows.map((row) => numberIn(row, 'id'));
}
