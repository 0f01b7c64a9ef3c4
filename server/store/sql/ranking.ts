import { createMutex } from '../../base/concurrency/mutex.ts';
import type { Ranked, Ranking } from '../store.ts';
import { bytesIn, numberIn, type Ask, type Database, type Row } from './database.ts';
import { keyBytes, keyOf } from './key-bytes.ts';
import {
  createRanking,
  BESIDE_CHANGES,
  assertAlive,
  completeRanking,
  isAlive,
  markForDeletion,
  vacuumRankings,
  type RankingDeps,
} from './sort-indexes.ts';
import { ENTRIES_PER_SKIP, SkipIndex, type SkipEntry } from './skip-index.ts';

/** Databases may refuse larger ones in an index. */
const MAX_RANK_BYTES = 2000;
const BATCH_ENTRIES = 5000;
/** More are skipped by the skip index. */
const MAX_SCANNED_ENTRIES = 4096;

/** Materialised sort index in the database; one object each. */
export class SqlRanking implements Ranking {
  readonly #deps: RankingDeps;
  readonly #name: string;
  readonly #oneByOne = createMutex();
  #skipIndex: { readonly id: number; readonly of: SkipIndex } | undefined;

  constructor(deps: RankingDeps, name: string) {
    this.#deps = deps;
    this.#name = name;
  }

  /** Returns the change and length as of which the ranking is complete; undefined if it isn't. Marks it as used. */
  async state(): Promise<{ readonly seq: number; readonly length: number } | undefined> {
    const known = await this.#findComplete();
    if (!known) return undefined;
    if (known.isLongUnused)
      await this.#deps.write(
        (ask) => ask('UPDATE footbridge_ranking SET used = now() WHERE id = $1', [known.id]),
        BESIDE_CHANGES,
      );
    return { seq: known.seq, length: known.entries };
  }

  /**
   * Writes a ranking of these entries as of change `seq`, in place of the previous one; nothing if that is as new.
   * Rejects if it fails, and marks the unfinished ranking for deletion.
   */
  build(seq: number, entries: AsyncIterable<readonly Ranked[]>): Promise<void> {
    const { write, id: partition, making } = this.#deps;
    return this.#oneByOne(async () => {
      const known = await this.#findComplete();
      if (known && known.seq >= seq) return;
      this.#skipIndex = undefined;
      const id = await write((ask) => createRanking(ask, partition, this.#name));
      making.add(id);
      try {
        let count = 0;
        let writing: Promise<void> = Promise.resolve();
        for await (const some of entries) {
          await writing;
          writing = write((ask) => insertIfAlive(ask, id, some), BESIDE_CHANGES);
          writing.catch(() => undefined);
          count += some.length;
        }
        await writing;
        await write((ask) => completeRanking(ask, id, { seq, count }), BESIDE_CHANGES);
        // A later caller removes what remains.
        void vacuumRankings(this.#deps).catch(() => undefined);
      } catch (error) {
        await write((ask) => markForDeletion(ask, id), BESIDE_CHANGES).catch(() => undefined);
        throw error;
      } finally {
        making.delete(id);
      }
    });
  }

  /** Removes the entries of the keys `gone` and adds `come`, as of change `seq`; nothing without a complete ranking. */
  update(seq: number, gone: readonly string[], come: readonly Ranked[]): Promise<void> {
    return this.#oneByOne(async () => {
      const known = await this.#findComplete();
      if (!known) return;
      const skipIndex = this.#skipIndex;
      // After a failure, the outcome may be unknown.
      this.#skipIndex = undefined;
      const removed = await this.#deps.write(async (ask) => {
        if (!(await isAlive(ask, known.id))) return [];
        const rows = await ask(
          'DELETE FROM footbridge_ranked WHERE ranking_id = $1 AND key = ANY($2) RETURNING rank',
          [known.id, gone.map(keyBytes)],
        );
        await insertRanked(ask, known.id, come);
        await ask(
          'UPDATE footbridge_ranking SET seq = $2, entries = entries + $3, used = now() WHERE id = $1',
          [...[known.id, seq], come.length - rows.length],
        );
        return rows.map((row) => bytesIn(row, 'rank'));
      }, BESIDE_CHANGES);
      if (skipIndex?.id !== known.id) return;
      skipIndex.of.applyChanges(
        removed,
        come.map(({ rank }) => rank),
      );
      if (!skipIndex.of.needsRebuild()) this.#skipIndex = skipIndex;
    });
  }

  /**
   * Returns the entries from position `start` to before `end`; undefined without a complete ranking, or if it was
   * replaced meanwhile.
   */
  async slice(start: number, end: number): Promise<Ranked[] | undefined> {
    const known = await this.#findComplete();
    if (!known || end <= start) return known && [];
    const { first, before } =
      start < MAX_SCANNED_ENTRIES ? BEGINNING : (await this.#loadSkipIndex(known)).at(start);
    return this.#readRange(known, { from: first, skipped: start - before, count: end - start, behind: '>=' });
  }

  /** Returns up to `count` entries after a rank; undefined without a complete ranking, or if replaced meanwhile. */
  async entriesAfter(rank: Buffer, count: number): Promise<Ranked[] | undefined> {
    const known = await this.#findComplete();
    return known && this.#readRange(known, { from: rank, skipped: 0, count, behind: '>' });
  }

  /** Returns the range's entries as of one moment; undefined if the ranking was replaced meanwhile. */
  async #readRange(known: Known, range: Range): Promise<Ranked[] | undefined> {
    const { database } = this.#deps;
    const first = await readRange(database.read, known.id, {
      ...range,
      count: Math.min(BATCH_ENTRIES, range.count),
    });
    const isAll = first.length < BATCH_ENTRIES || range.count <= BATCH_ENTRIES;
    const found = isAll ? first : await this.#readMany(known, range);
    return (await this.#findComplete())?.id === known.id ? found : undefined;
  }

  /** Reads a range as of one moment, over a connection of its own. */
  async #readMany({ id }: Known, range: Range): Promise<Ranked[]> {
    const snapshot = await this.#deps.database.snapshot();
    try {
      return await readRange(snapshot.read, id, range);
    } finally {
      await snapshot.end();
    }
  }

  /** Returns the complete ranking of this name; undefined without one. */
  async #findComplete(): Promise<Known | undefined> {
    const [row] = await this.#deps.database.read(
      `SELECT id, seq, entries, used < now() - interval '10 minutes' AS unused FROM footbridge_ranking
        WHERE partition_id = $1 AND name = $2 AND is_whole`,
      [this.#deps.id, this.#name],
    );
    return (
      row && {
        id: numberIn(row, 'id'),
        seq: numberIn(row, 'seq'),
        entries: numberIn(row, 'entries'),
        isLongUnused: row.unused === true,
      }
    );
  }

  /**
   * Returns the skip index, read at first use and after a change. Waits for builds and updates, so within these it would
   * never resolve.
   */
  async #loadSkipIndex({ id }: Known): Promise<SkipIndex> {
    const has = (): SkipIndex | undefined => (this.#skipIndex?.id === id ? this.#skipIndex.of : undefined);
    return (
      has() ??
      this.#oneByOne(async () => {
        const known = has();
        if (known) return known;
        const of = await readSkipIndex(this.#deps.database, id);
        this.#skipIndex = { id, of };
        return of;
      })
    );
  }
}

interface Known {
  readonly id: number;
  readonly seq: number;
  readonly entries: number;
  readonly isLongUnused: boolean;
}

const BEGINNING: SkipEntry = { first: Buffer.alloc(0), before: 0 };

interface Range {
  readonly behind: '>=' | '>';
  readonly from: Buffer;
  readonly skipped: number;
  readonly count: number;
}

/** Returns up to `count` entries of the range in batches. */
async function readRange(read: Ask, rankingID: number, { count, ...range }: Range): Promise<Ranked[]> {
  const found: Ranked[] = [];
  for (let { behind, from, skipped } = range; found.length < count; behind = '>') {
    const wanted = Math.min(BATCH_ENTRIES, count - found.length);
    const rows = await read(
      `SELECT rank, key FROM footbridge_ranked WHERE ranking_id = $1 AND rank ${behind} $2
        ORDER BY rank LIMIT ${String(wanted)} OFFSET ${String(skipped)}`,
      [rankingID, from],
    );
    for (const row of rows) found.push(rankedIn(row));
    if (rows.length < wanted) break;
    [from, skipped] = [bytesIn(rows.at(-1), 'rank'), 0];
  }
  return found;
}

/** Reads the rank of each entry at a multiple of {@link ENTRIES_PER_SKIP}. */
async function readSkipIndex({ read }: Database, rankingID: number): Promise<SkipIndex> {
  const [counted] = await read('SELECT entries FROM footbridge_ranking WHERE id = $1', [rankingID]);
  const rows = await read(
    `SELECT rank FROM (
      SELECT rank, row_number() OVER (ORDER BY rank) AS place FROM footbridge_ranked WHERE ranking_id = $1
    ) AS placed WHERE (place - 1) % ${String(ENTRIES_PER_SKIP)} = 0 ORDER BY rank`,
    [rankingID],
  );
  return new SkipIndex(
    rows.map((row) => bytesIn(row, 'rank')),
    counted ? numberIn(counted, 'entries') : 0,
  );
}

/** Inserts entries. Throws StoreError `closed` if the ranking was removed. */
async function insertIfAlive(ask: Ask, rankingID: number, entries: readonly Ranked[]): Promise<void> {
  await assertAlive(ask, rankingID);
  await insertRanked(ask, rankingID, entries);
}

/** Inserts entries in one statement. Throws TypeError for a rank over 2,000 bytes. */
async function insertRanked(ask: Ask, rankingID: number, entries: readonly Ranked[]): Promise<void> {
  if (entries.length === 0) return;
  const long = entries.find(({ rank }) => rank.length > MAX_RANK_BYTES);
  if (long) throw new TypeError(`The rank of ${long.key} has more than ${MAX_RANK_BYTES} bytes.`);
  await ask(
    `INSERT INTO footbridge_ranked (ranking_id, rank, key)
      SELECT $1, given.rank, given.key FROM unnest($2::bytea[], $3::bytea[]) AS given(rank, key)`,
    [rankingID, entries.map(({ rank }) => rank), entries.map(({ key }) => keyBytes(key))],
  );
}

const rankedIn = (row: Row): Ranked => ({ key: keyOf(bytesIn(row, 'key')), rank: bytesIn(row, 'rank') });
