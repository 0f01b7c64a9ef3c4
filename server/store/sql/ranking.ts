import { createMutex } from '../../base/concurrency/mutex.ts';
import { StoreError, type Ranked, type Ranking } from '../store.ts';
import { bytesIn, numberIn, type Ask, type Database, type Isolation, type Row } from './database.ts';
import { keyBytes, keyOf } from './key-bytes.ts';
import { STRETCH, Stretches, type Stretch } from './stretches.ts';

/** What a ranking needs of the partition that it is of. */
export interface RankingDeps {
  readonly database: Database;
  /** Runs what changes the database, by whoever may. */
  readonly write: <R>(work: (ask: Ask) => Promise<R>, isolation?: Isolation) => Promise<R>;
  /** Of the partition. */
  readonly id: number;
  /** Rankings of this partition that are being made. */
  readonly making: Set<number>;
}

/** So many are kept of one partition. */
const MOST_RANKINGS = 8;
/** Larger ones a database may refuse in an index. */
const MOST_RANK = 2000;
/** So many entries are written, read or removed at a time. */
const AT_ONCE = 5000;
/** So many are passed over without a thought of stretches. */
const FEW = 4096;

/** A ranking in the database. There is one object for each, so that it knows the stretches of what it changed. */
export class SqlRanking implements Ranking {
  readonly #deps: RankingDeps;
  readonly #name: string;
  readonly #oneByOne = createMutex();
  /** Of the ranking of this id, as it is now. */
  #stretches: { readonly id: number; readonly of: Stretches } | undefined;

  constructor(deps: RankingDeps, name: string) {
    this.#deps = deps;
    this.#name = name;
  }

  async state(): Promise<{ readonly seq: number; readonly length: number } | undefined> {
    const known = await this.#known();
    if (!known) return undefined;
    if (known.isLongUnused)
      await this.#deps.write(
        (ask) => ask('UPDATE footbridge_ranking SET used = now() WHERE id = $1', [known.id]),
        BESIDE,
      );
    return { seq: known.seq, length: known.entries };
  }

  make(seq: number, entries: AsyncIterable<readonly Ranked[]>): Promise<void> {
    const { write, id: partition, making } = this.#deps;
    return this.#oneByOne(async () => {
      const known = await this.#known();
      // Somebody else made it while this one waited.
      if (known && known.seq >= seq) return;
      this.#stretches = undefined;
      const id = await write((ask) => begin(ask, partition, this.#name));
      making.add(id);
      try {
        let count = 0;
        // Those that follow are made while the database writes.
        let writing: Promise<void> = Promise.resolve();
        for await (const some of entries) {
          await writing;
          writing = write((ask) => putInto(ask, id, some), BESIDE);
          writing.catch(() => undefined);
          count += some.length;
        }
        await writing;
        await write(
          (ask) =>
            ask('UPDATE footbridge_ranking SET is_whole = true, seq = $2, entries = $3 WHERE id = $1', [
              ...[id, seq],
              count,
            ]),
          BESIDE,
        );
        // Of what it takes the place of; nobody waits for that, and what it does not do the next one does.
        void removeLeft(this.#deps).catch(() => undefined);
      } catch (error) {
        // Half of it is nothing; whoever makes the next one, or opens the store, removes what could not be removed now.
        await write((ask) => leave(ask, id), BESIDE).catch(() => undefined);
        throw error;
      } finally {
        making.delete(id);
      }
    });
  }

  change(seq: number, gone: readonly string[], come: readonly Ranked[]): Promise<void> {
    return this.#oneByOne(async () => {
      const known = await this.#known();
      if (!known) return;
      const stretches = this.#stretches;
      // Where it cannot be told whether it was changed, they are found anew.
      this.#stretches = undefined;
      const removed = await this.#deps.write(async (ask) => {
        if (!(await isThere(ask, known.id))) return [];
        const rows = await ask(
          'DELETE FROM footbridge_ranked WHERE ranking_id = $1 AND key = ANY($2) RETURNING rank',
          [known.id, gone.map(keyBytes)],
        );
        await put(ask, known.id, come);
        await ask(
          'UPDATE footbridge_ranking SET seq = $2, entries = entries + $3, used = now() WHERE id = $1',
          [...[known.id, seq], come.length - rows.length],
        );
        return rows.map((row) => bytesIn(row, 'rank'));
      }, BESIDE);
      if (stretches?.id !== known.id) return;
      stretches.of.change(
        removed,
        come.map(({ rank }) => rank),
      );
      if (!stretches.of.isWorn()) this.#stretches = stretches;
    });
  }

  async slice(start: number, end: number): Promise<Ranked[] | undefined> {
    const known = await this.#known();
    if (!known || end <= start) return known && [];
    const { first, before } = start < FEW ? BEGINNING : (await this.#stretchesOf(known)).at(start);
    return this.#read(known, { from: first, skipped: start - before, count: end - start, behind: '>=' });
  }

  async behind(rank: Buffer, count: number): Promise<Ranked[] | undefined> {
    const known = await this.#known();
    return known && this.#read(known, { from: rank, skipped: 0, count, behind: '>' });
  }

  /** In one look, as what changes its place between two would be there twice, or not at all. */
  async #read(known: Known, range: Range): Promise<Ranked[] | undefined> {
    const { database } = this.#deps;
    const first = await readRange(database.read, known.id, {
      ...range,
      count: Math.min(AT_ONCE, range.count),
    });
    const isAll = first.length < AT_ONCE || range.count <= AT_ONCE;
    const found = isAll ? first : await this.#readMany(known, range);
    // One that was given up may have been removed in part.
    return (await this.#known())?.id === known.id ? found : undefined;
  }

  async #readMany({ id }: Known, range: Range): Promise<Ranked[]> {
    const snapshot = await this.#deps.database.snapshot();
    try {
      return await readRange(snapshot.read, id, range);
    } finally {
      await snapshot.end();
    }
  }

  async #known(): Promise<Known | undefined> {
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

  async #stretchesOf({ id }: Known): Promise<Stretches> {
    const has = (): Stretches | undefined => (this.#stretches?.id === id ? this.#stretches.of : undefined);
    return (
      has() ??
      this.#oneByOne(async () => {
        const known = has();
        if (known) return known;
        const of = await readStretches(this.#deps.database, id);
        this.#stretches = { id, of };
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

/**
 * Many entries are written, or removed, for a long time, beside changes of rows: those must not be refused for it. One ranking
 * is changed by one at a time, who locks it.
 */
const BESIDE: Isolation = 'read committed';

const BEGINNING: Stretch = { first: Buffer.alloc(0), before: 0 };

interface Range {
  readonly behind: '>=' | '>';
  readonly from: Buffer;
  /** Of those from there on so many are left out. */
  readonly skipped: number;
  readonly count: number;
}

async function readRange(read: Ask, id: number, { count, ...range }: Range): Promise<Ranked[]> {
  const found: Ranked[] = [];
  for (let { behind, from, skipped } = range; found.length < count; behind = '>') {
    const wanted = Math.min(AT_ONCE, count - found.length);
    const rows = await read(
      `SELECT rank, key FROM footbridge_ranked WHERE ranking_id = $1 AND rank ${behind} $2
        ORDER BY rank LIMIT ${String(wanted)} OFFSET ${String(skipped)}`,
      [id, from],
    );
    for (const row of rows) found.push(rankedIn(row));
    if (rows.length < wanted) break;
    [from, skipped] = [bytesIn(rows.at(-1), 'rank'), 0];
  }
  return found;
}

async function readStretches({ read }: Database, id: number): Promise<Stretches> {
  const [counted] = await read('SELECT entries FROM footbridge_ranking WHERE id = $1', [id]);
  const rows = await read(
    `SELECT rank FROM (
      SELECT rank, row_number() OVER (ORDER BY rank) AS place FROM footbridge_ranked WHERE ranking_id = $1
    ) AS placed WHERE (place - 1) % ${String(STRETCH)} = 0 ORDER BY rank`,
    [id],
  );
  return new Stretches(
    rows.map((row) => bytesIn(row, 'rank')),
    counted ? numberIn(counted, 'entries') : 0,
  );
}

/** One that is not whole yet, in the place of that of before; answers its id, which no other one has or had. */
async function begin(ask: Ask, partition: number, name: string): Promise<number> {
  const before = await ask('SELECT id FROM footbridge_ranking WHERE partition_id = $1 AND name = $2', [
    ...[partition, name],
  ]);
  for (const row of before) await leave(ask, numberIn(row, 'id'));
  const rest = await ask(
    `SELECT id FROM footbridge_ranking WHERE partition_id = $1 AND is_whole
      ORDER BY used DESC OFFSET ${String(MOST_RANKINGS - 1)}`,
    [partition],
  );
  for (const row of rest) await leave(ask, numberIn(row, 'id'));
  const [made] = await ask(
    `INSERT INTO footbridge_ranking (id, partition_id, name, is_whole, seq, entries, used)
      SELECT greatest(coalesce(max(id), 0) + 1, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)),
        CAST($1 AS bigint), CAST($2 AS text), false, 0, 0, now() FROM footbridge_ranking RETURNING id`,
    [partition, name],
  );
  return numberIn(made, 'id');
}

/** What is written for one that was removed meanwhile would stay for ever. */
async function putInto(ask: Ask, id: number, entries: readonly Ranked[]): Promise<void> {
  if (!(await isThere(ask, id))) throw new StoreError('closed', 'The partition of the ranking was dropped.');
  await put(ask, id, entries);
}

/** Nobody else changes or removes it until the transaction has ended. */
async function isThere(ask: Ask, id: number): Promise<boolean> {
  return (await ask('SELECT 1 AS one FROM footbridge_ranking WHERE id = $1 FOR UPDATE', [id])).length > 0;
}

/** The name of one that is to be removed. */
const leftName = (id: number): string => `${String(id)}/left`;

async function leave(ask: Ask, id: number): Promise<void> {
  await ask('UPDATE footbridge_ranking SET name = $2, is_whole = false WHERE id = $1', [id, leftName(id)]);
}

/** Removes what was left of rankings of this partition, in steps. */
async function removeLeft({ database, write, id, making }: RankingDeps): Promise<void> {
  const rows = await database.read(
    // One that was begun just now may not be noted as being made yet.
    `SELECT id, name, NOT is_whole AND used < now() - interval '1 minute' AS half FROM footbridge_ranking
      WHERE partition_id = $1`,
    [id],
  );
  for (const row of rows) {
    const ranking = numberIn(row, 'id');
    // The database was away when it failed.
    const isForgotten = row.half === true && !making.has(ranking);
    if (isForgotten || row.name === leftName(ranking)) await removeRanking(write, ranking);
  }
}

async function removeRanking(write: RankingDeps['write'], id: number): Promise<void> {
  let after: Buffer | undefined = Buffer.alloc(0);
  while (after) {
    const from: Buffer = after;
    after = await write((ask) => removeSome(ask, id, from), BESIDE);
  }
  await write((ask) => ask('DELETE FROM footbridge_ranking WHERE id = $1', [id]), BESIDE);
}

/** On from where the step before ended: what was removed is gone through else, at each step, until it is tidied away. */
async function removeSome(ask: Ask, id: number, from: Buffer): Promise<Buffer | undefined> {
  await isThere(ask, id);
  const [last] = await ask(
    `SELECT rank FROM footbridge_ranked WHERE ranking_id = $1 AND rank >= $2
      ORDER BY rank LIMIT 1 OFFSET ${String(AT_ONCE)}`,
    [id, from],
  );
  const to = last && bytesIn(last, 'rank');
  await ask(
    `DELETE FROM footbridge_ranked WHERE ranking_id = $1 AND rank >= $2 ${to ? 'AND rank < $3' : ''}`,
    to ? [id, from, to] : [id, from],
  );
  return to;
}

/**
 * Ids of rankings that a process left that was ended while it made them, or removed them, and of those whose partition
 * is not there any more.
 */
export async function rankingsOfNoUse({ read }: Pick<Database, 'read'>): Promise<readonly number[]> {
  const rows = await read(
    `SELECT ranking.id FROM footbridge_ranking AS ranking
      LEFT JOIN footbridge_partition AS partition ON partition.id = ranking.partition_id
      WHERE NOT ranking.is_whole OR partition.id IS NULL OR ranking.name LIKE '%/%'`,
  );
  return rows.map((row) => numberIn(row, 'id'));
}

/** Those of partitions whose names end so, which nobody can ask for. */
export async function rankingsUnder(
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

/** Removes these, in steps. */
export async function removeRankings(write: RankingDeps['write'], ids: readonly number[]): Promise<void> {
  for (const id of ids) await removeRanking(write, id);
}

/** Those of a partition that is removed. */
export async function rankingsOf(ask: Ask, partition: number): Promise<readonly number[]> {
  const rows = await ask('SELECT id FROM footbridge_ranking WHERE partition_id = $1', [partition]);
  return rows.map((row) => numberIn(row, 'id'));
}

async function put(ask: Ask, id: number, entries: readonly Ranked[]): Promise<void> {
  if (entries.length === 0) return;
  const long = entries.find(({ rank }) => rank.length > MOST_RANK);
  if (long) throw new TypeError(`The rank of ${long.key} has more than ${MOST_RANK} bytes.`);
  await ask(
    `INSERT INTO footbridge_ranked (ranking_id, rank, key)
      SELECT $1, given.rank, given.key FROM unnest($2::bytea[], $3::bytea[]) AS given(rank, key)`,
    [id, entries.map(({ rank }) => rank), entries.map(({ key }) => keyBytes(key))],
  );
}

const rankedIn = (row: Row): Ranked => ({ key: keyOf(bytesIn(row, 'key')), rank: bytesIn(row, 'rank') });
