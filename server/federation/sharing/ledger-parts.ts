import { createReadWriteLock } from '../../base/concurrency/read-write-lock.ts';
import { everyEntry } from '../../store/every-entry.ts';
import type { Partition, Store } from '../../store/store.ts';
import { COUNTS, EARLIER, type Count, type Summary } from './ledger-tables.ts';

const FIRST = 'ledger';
const NAME = /^ledger-(\d{6})-(\d{4}-\d\d)$/;
/** The next part begins at this size, as the present one is in memory. */
const MAX_PART_BYTES = 24 * 1024 * 1024;

/** Returns whether a partition is part of the sharing log, which no restore changes. */
export const isOfLedger = (partition: string): boolean => partition === FIRST || NAME.test(partition);

const numberOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);
const monthOf = (name: string): string | undefined => NAME.exec(name)?.[2];

/** Returns the last millisecond of a month (`2026-11`, UTC); 0 without a month. */
function endOf(month: string | undefined): number {
  if (month === undefined) return 0;
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number) - 1;
}

/**
 * Returns until when (milliseconds) each earlier part may have been written. One beside a later month was written under
 * a wrong clock: it counts as recent as the next part, else as of unknown age (Infinity).
 * @param present the part being written
 */
function withLastWrite(
  present: string,
  earlier: ReadonlyMap<string, Summary>,
): { readonly name: string; readonly until: number }[] {
  let latest = '';
  const inOrder = [...earlier.keys(), present].map((name) => {
    const month = monthOf(name) ?? '';
    if (month < latest) return false;
    latest = month;
    return true;
  });
  let following = Infinity;
  return [...earlier].reduceRight<{ readonly name: string; readonly until: number }[]>(
    (parts, [name, summary], index) => {
      const until = inOrder[index] || inOrder[index + 1] ? summary.until : following;
      following = until;
      return [{ name, until }, ...parts];
    },
    [],
  );
}

/** The part being written, and earlier ones. */
interface Present {
  readonly name: string;
  readonly earlier: Map<string, Summary>;
  size: number;
}

interface LedgerPartsDeps {
  readonly store: Store;
  /** The trusted clock. */
  readonly now: () => number;
  readonly largest?: number;
}

/** Partitions the ledger (audit log) by month and size; loads only the present one. */
export class LedgerParts {
  readonly #deps: LedgerPartsDeps;
  readonly #largest: number;
  readonly #inUse: LedgerPartCache;
  /** Writing is shared; beginning and removing parts is exclusive. */
  readonly #lock = createReadWriteLock();
  #present: Present | undefined;

  constructor(deps: LedgerPartsDeps) {
    this.#deps = deps;
    this.#largest = deps.largest ?? MAX_PART_BYTES;
    this.#inUse = createLedgerPartCache(this.#deps.store, (name) => name === this.#present?.name);
  }

  /**
   * Runs `body`, which returns its result and the bytes it wrote (`size`), with the part for new lines; begins one if
   * due. Returns the result.
   */
  async withPartToWrite<R>(
    body: (part: Partition) => Promise<{ readonly result: R; readonly size: number }>,
  ): Promise<R> {
    const known = await this.#writablePart();
    return this.#lock.shared(() => {
      const part = this.#present ?? known;
      return this.#inUse.withPart(part.name, async (partition) => {
        const { result, size } = await body(partition);
        part.size += size;
        return result;
      });
    });
  }

  /** Returns all parts, oldest first, with how many of this partner's lines each has. Those without any have 0. */
  async partsFor(nodeID: string): Promise<readonly { readonly name: string; readonly lines: number }[]> {
    const part = await this.#latestPart();
    if (!part) return [];
    const count = await this.#inUse.withPart(part.name, (partition) => partition.get(COUNTS, nodeID));
    const earlier = [...part.earlier].map(([name, { counts }]) => ({ name, lines: counts[nodeID]?.lines }));
    return [...earlier, { name: part.name, lines: count?.lines }].map(({ name, lines = 0 }) => ({
      name,
      lines,
    }));
  }

  /** Returns the number of all partners' lines in all parts, and the oldest part's month (`2026-11`) if known. */
  async countLines(): Promise<{ readonly lines: number; readonly since?: string }> {
    const part = await this.#latestPart();
    if (!part) return { lines: 0 };
    const own = await this.#inUse.withPart(part.name, readCounts);
    const counts = [...part.earlier.values()].map((summary) => summary.counts);
    const lines = [...counts, own].flatMap((each) => Object.values(each)).map((each) => each.lines);
    const since = monthOf([...part.earlier.keys(), part.name][0] ?? '');
    return { lines: lines.reduce((sum, each) => sum + each, 0), ...(since === undefined ? {} : { since }) };
  }

  /**
   * Returns a partner's totals from the latest earlier part with its lines; undefined without any. Only within {@link
   * withPartToWrite}.
   */
  countBefore(nodeID: string): Count | undefined {
    return [...(this.#present?.earlier.values() ?? [])].findLast(({ counts }) => counts[nodeID])?.counts[
      nodeID
    ];
  }

  /** Runs `body` with a part that mustn't be used afterwards; undefined if it was removed. */
  async withPart<R>(name: string, body: (part: Partition) => Promise<R>): Promise<R | undefined> {
    // Using a removed part would create it again.
    if (this.#present?.name !== name && this.#present?.earlier.has(name) !== true) return undefined;
    return this.#inUse.withPart(name, body);
  }

  /**
   * Deletes parts last written before this trusted time (ms), unless present or in use; returns their number. Rejects
   * at the first that can't be deleted.
   */
  async deleteBefore(before: number): Promise<number> {
    const part = await this.#latestPart();
    if (!part) return 0;
    return this.#lock.exclusive(async () => {
      let gone = 0;
      for (const { name, until } of withLastWrite(part.name, part.earlier)) {
        const summary = part.earlier.get(name);
        if (!summary || until >= before || this.#inUse.has(name)) continue;
        // First, against new readers.
        part.earlier.delete(name);
        try {
          await this.#deps.store.drop(name);
        } catch (error) {
          part.earlier.set(name, summary);
          throw error;
        }
        gone++;
      }
      return gone;
    });
  }

  /** Returns the names of the sharing log's partitions, oldest first. */
  async #partNames(): Promise<string[]> {
    return (await this.#deps.store.partitions()).filter(isOfLedger).sort((a, b) => numberOf(a) - numberOf(b));
  }

  /** Returns the month of the trusted clock as `2026-11`, UTC. */
  #currentMonth(): string {
    return new Date(this.#deps.now()).toISOString().slice(0, 7);
  }

  /** Returns whether a part is of another month than the current one, or full. */
  #isOver({ name, size }: Present): boolean {
    return monthOf(name) !== this.#currentMonth() || size > this.#largest;
  }

  /** Returns the summaries of earlier parts that a part stores; undefined for others. */
  #summariesIn(name: string, before: readonly string[]): Promise<readonly (Summary | undefined)[]> {
    return this.#inUse.withPart(name, (part) => part.getMany(EARLIER, before));
  }

  /** Opens a part as the present one, with a summary of each earlier part; stores those it lacks. */
  async #openPart(name: string, before: readonly string[]): Promise<Present> {
    const own = await this.#summariesIn(name, before);
    const previous = before.at(-1);
    const inherited = own.includes(undefined) && previous ? await this.#summariesIn(previous, before) : [];
    const earlier = new Map<string, Summary>();
    for (const [index, each] of before.entries())
      earlier.set(each, own[index] ?? inherited[index] ?? (await this.#summarizePart(each)));
    // Now, as the part revealing a wrong clock may go first.
    for (const { name: each, until } of withLastWrite(name, earlier)) {
      const summary = earlier.get(each);
      if (summary && until !== Infinity) earlier.set(each, { ...summary, until });
    }
    const size = await this.#inUse.withPart(name, async (part) => {
      if (own.includes(undefined))
        await part.transaction((tx) => {
          for (const [each, summary] of earlier) tx.put(EARLIER, each, summary);
        });
      const counts = Object.values(await readCounts(part));
      return counts.reduce((sum, count) => sum + (count.size ?? 0), 0);
    });
    return { name, earlier, size };
  }

  /** Counts a part's lines. Its last write (`until`) is taken as the later of now and its month's end. */
  async #summarizePart(name: string): Promise<Summary> {
    return {
      counts: await this.#inUse.withPart(name, readCounts),
      // Its whole month, as the clock may be slow.
      until: Math.max(this.#deps.now(), endOf(monthOf(name))),
    };
  }

  /**
   * Begins a part, numbered after the last of `all`, or continues the last one if that is of this month, empty and not
   * present.
   */
  async #beginPart(all: readonly string[]): Promise<Present> {
    const last = all.at(-1);
    if (
      last !== undefined &&
      monthOf(last) === this.#currentMonth() &&
      last !== this.#present?.name &&
      (await this.#isEmpty(last))
    )
      return this.#openPart(last, all.slice(0, -1));
    const number = String(numberOf(all.at(-1) ?? '') + 1).padStart(6, '0');
    return this.#openPart(`ledger-${number}-${this.#currentMonth()}`, all);
  }

  /** Returns whether a part is readable and was never written to. */
  async #isEmpty(name: string): Promise<boolean> {
    return (
      !(await this.#deps.store.isUnreadable(name)) &&
      (await this.#inUse.withPart(name, (part) => part.lastSeq())) === 0
    );
  }

  /** Returns the part written last, or a new one if it is unreadable; undefined without parts. */
  async #latestPart(): Promise<Present | undefined> {
    return (
      this.#present ??
      this.#lock.exclusive(async () => {
        const all = await this.#partNames();
        const name = all.at(-1);
        if (name === undefined) return this.#present;
        // An unreadable part takes no lines, without which nothing leaves.
        this.#present ??= (await this.#deps.store.isUnreadable(name))
          ? await this.#beginPart(all)
          : await this.#openPart(name, all.slice(0, -1));
        return this.#present;
      })
    );
  }

  /**
   * Returns the part for the next line. After a month or at the size limit, begins a new one and unloads the old one.
   */
  async #writablePart(): Promise<Present> {
    const known = await this.#latestPart();
    if (known && !this.#isOver(known)) return known;
    return this.#lock.exclusive(async () => {
      const before = this.#present;
      if (before && !this.#isOver(before)) return before;
      const all = await this.#partNames();
      this.#present = await this.#beginPart(all);
      if (before) await this.#inUse.release(before.name);
      return this.#present;
    });
  }
}

/** Returns each partner's totals as of a part. */
async function readCounts(part: Partition): Promise<Record<string, Count>> {
  const counts: Record<string, Count> = {};
  for await (const { key, value } of everyEntry(part, COUNTS)) counts[key] = value;
  return counts;
}

/** Loads ledger parts while in use. */
interface LedgerPartCache {
  has(name: string): boolean;
  /** Runs `body` with a part that stays loaded meanwhile. */
  withPart<R>(name: string, body: (part: Partition) => Promise<R>): Promise<R>;
  /** Frees a part's memory once unused. */
  release(name: string): Promise<void>;
}

/** Creates a cache that loads parts while they are used. Unused ones stay in memory if `stays` says so. */
export function createLedgerPartCache(
  store: Pick<Store, 'partition' | 'release'>,
  stays: (name: string) => boolean,
): LedgerPartCache {
  const users = new Map<string, number>();
  const going = new Map<string, Promise<void>>();

  /** Unloads a part, after an earlier unloading of it; a no-op while it is used. */
  async function releaseIdle(name: string): Promise<void> {
    if (users.has(name)) return;
    const release: Promise<void> = (going.get(name) ?? Promise.resolve())
      .then(() => store.release(name))
      .finally(() => {
        // A later one may be queued.
        if (going.get(name) === release) going.delete(name);
      });
    going.set(name, release);
    await release;
  }

  return {
    has: (name) => users.has(name),
    release: releaseIdle,
    /** Loads the part for `body`, after an unloading in progress; unloads it after its last user unless it stays. */
    async withPart(name, body) {
      users.set(name, (users.get(name) ?? 0) + 1);
      try {
        await going.get(name);
        return await body(await store.partition(name));
      } finally {
        const left = (users.get(name) ?? 1) - 1;
        if (left > 0) users.set(name, left);
        else users.delete(name);
        if (left === 0 && !stays(name)) await releaseIdle(name);
      }
    },
  };
}
