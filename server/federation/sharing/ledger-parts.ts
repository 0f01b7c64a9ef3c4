import { createReadWriteLock } from '../../base/concurrency/read-write-lock.ts';
import type { Partition, Store } from '../../store/store.ts';
import { COUNTS, EARLIER, type Count, type Summary } from './ledger-tables.ts';
import { createLedgerPartCache, type LedgerPartCache } from './ledger-part-cache.ts';

const FIRST = 'ledger';
const NAME = /^ledger-(\d{6})-(\d{4}-\d\d)$/;
/** What a part takes in before the next one begins: so much is in memory. */
const MAX_PART_BYTES = 24 * 1024 * 1024;

/** Whether a partition holds the ledger: what left, left, also when older data is put back. */
export const isOfLedger = (partition: string): boolean => partition === FIRST || NAME.test(partition);

const numberOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);
const monthOf = (name: string): string | undefined => NAME.exec(name)?.[2];

/** The last moment of a month such as `2026-11`; of none it is long ago. */
function endOf(month: string | undefined): number {
  if (month === undefined) return 0;
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number) - 1;
}

/**
 * The parts before the present one, with the moment until which they were written at the latest. One whose month lies
 * before that of an earlier part was written with a wrong clock, which may have closed it as well: it is as young as
 * the last in such a run, and nobody knows its age as long as that run goes on.
 */
function withUntil(
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

/** The part that is written, and what is known of those before it. */
interface Present {
  readonly name: string;
  readonly earlier: Map<string, Summary>;
  size: number;
}

interface LedgerPartsDeps {
  readonly store: Store;
  /** The believed time. */
  readonly now: () => number;
  readonly largest?: number;
}

/**
 * The ledger lies in parts, each a partition of the store: a new one begins with every month, or when one has grown
 * large. Only the one that is written is in memory; an older one is loaded while somebody looks at it. So neither the
 * memory nor the time that a line takes depends on how many years the ledger has.
 */
export class LedgerParts {
  readonly #deps: LedgerPartsDeps;
  readonly #largest: number;
  readonly #inUse: LedgerPartCache;
  /** What is written goes together; a part begins, and parts go, while nothing is. */
  readonly #lock = createReadWriteLock();
  #present: Present | undefined;

  constructor(deps: LedgerPartsDeps) {
    this.#deps = deps;
    this.#largest = deps.largest ?? MAX_PART_BYTES;
    this.#inUse = createLedgerPartCache(this.#deps.store, (name) => name === this.#present?.name);
  }

  /** Runs `body` with the part that is written now; `size` of what it wrote in bytes counts towards its end. */
  async write<R>(
    body: (part: Partition) => Promise<{ readonly result: R; readonly size: number }>,
  ): Promise<R> {
    const known = await this.#current();
    return this.#lock.shared(() => {
      const part = this.#present ?? known;
      return this.#inUse.use(part.name, async (partition) => {
        const { result, size } = await body(partition);
        part.size += size;
        return result;
      });
    });
  }

  /** All parts, oldest first, with how many lines of a partner each has. */
  async of(nodeID: string): Promise<readonly { readonly name: string; readonly lines: number }[]> {
    const part = await this.#last();
    if (!part) return [];
    const count = await this.#inUse.use(part.name, (partition) => partition.get(COUNTS, nodeID));
    const earlier = [...part.earlier].map(([name, { counts }]) => ({ name, lines: counts[nodeID]?.lines }));
    return [...earlier, { name: part.name, lines: count?.lines }].map(({ name, lines = 0 }) => ({
      name,
      lines,
    }));
  }

  /** How many lines all parts have, and the month with which they begin where that is known. */
  async held(): Promise<{ readonly lines: number; readonly since?: string }> {
    const part = await this.#last();
    if (!part) return { lines: 0 };
    const own = await this.#inUse.use(part.name, allCounts);
    const counts = [...part.earlier.values()].map((summary) => summary.counts);
    const lines = [...counts, own].flatMap((each) => Object.values(each)).map((each) => each.lines);
    const since = monthOf([...part.earlier.keys(), part.name][0] ?? '');
    return { lines: lines.reduce((sum, each) => sum + each, 0), ...(since === undefined ? {} : { since }) };
  }

  /** The last that is known of a partner from parts before the one that is written; to be asked while writing. */
  countBefore(nodeID: string): Count | undefined {
    return [...(this.#present?.earlier.values() ?? [])].findLast(({ counts }) => counts[nodeID])?.counts[
      nodeID
    ];
  }

  /** `body` must have read all that it needs when it resolves. Undefined where the part was forgotten meanwhile. */
  async read<R>(name: string, body: (part: Partition) => Promise<R>): Promise<R | undefined> {
    // One that was removed would be made anew, and empty, by whoever uses it.
    if (this.#present?.name !== name && this.#present?.earlier.has(name) !== true) return undefined;
    return this.#inUse.use(name, body);
  }

  /** Removes the parts to which nothing was written since then, never the present one; answers how many. */
  async forget(before: number): Promise<number> {
    const part = await this.#last();
    if (!part) return 0;
    return this.#lock.exclusive(async () => {
      let gone = 0;
      for (const { name, until } of withUntil(part.name, part.earlier)) {
        const summary = part.earlier.get(name);
        if (!summary || until >= before || this.#inUse.has(name)) continue;
        // First of all, so that nobody begins to read it.
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

  async #names(): Promise<string[]> {
    return (await this.#deps.store.partitions()).filter(isOfLedger).sort((a, b) => numberOf(a) - numberOf(b));
  }

  #month(): string {
    return new Date(this.#deps.now()).toISOString().slice(0, 7);
  }

  #isOver({ name, size }: Present): boolean {
    return monthOf(name) !== this.#month() || size > this.#largest;
  }

  /** What a part knows of those before it. */
  #knownTo(name: string, before: readonly string[]): Promise<readonly (Summary | undefined)[]> {
    return this.#inUse.use(name, (part) => part.getMany(EARLIER, before));
  }

  /** Takes a part for the present one, once it knows of all before it. */
  async #open(name: string, before: readonly string[]): Promise<Present> {
    const own = await this.#knownTo(name, before);
    const previous = before.at(-1);
    const inherited = own.includes(undefined) && previous ? await this.#knownTo(previous, before) : [];
    const earlier = new Map<string, Summary>();
    for (const [index, each] of before.entries())
      earlier.set(each, own[index] ?? inherited[index] ?? (await this.#summaryOf(each)));
    // Settled now: the part that tells which ones were written with a wrong clock may be forgotten before these.
    for (const { name: each, until } of withUntil(name, earlier)) {
      const summary = earlier.get(each);
      if (summary && until !== Infinity) earlier.set(each, { ...summary, until });
    }
    const size = await this.#inUse.use(name, async (part) => {
      if (own.includes(undefined))
        await part.transaction((tx) => {
          for (const [each, summary] of earlier) tx.put(EARLIER, each, summary);
        });
      const counts = Object.values(await allCounts(part));
      return counts.reduce((sum, count) => sum + (count.size ?? 0), 0);
    });
    return { name, earlier, size };
  }

  async #summaryOf(name: string): Promise<Summary> {
    return {
      counts: await this.#inUse.use(name, allCounts),
      // It may be closed by a clock that is behind: what was written in its own month is not older than that.
      until: Math.max(this.#deps.now(), endOf(monthOf(name))),
    };
  }

  /** The part behind all that there are; one of this month in which nothing stands yet, as the disk was full, is taken up. */
  async #begin(all: readonly string[]): Promise<Present> {
    const last = all.at(-1);
    if (
      last !== undefined &&
      monthOf(last) === this.#month() &&
      last !== this.#present?.name &&
      (await this.#isEmpty(last))
    )
      return this.#open(last, all.slice(0, -1));
    const number = String(numberOf(all.at(-1) ?? '') + 1).padStart(6, '0');
    return this.#open(`ledger-${number}-${this.#month()}`, all);
  }

  async #isEmpty(name: string): Promise<boolean> {
    return (
      !(await this.#deps.store.isUnreadable(name)) &&
      (await this.#inUse.use(name, (part) => part.lastSeq())) === 0
    );
  }

  /** The part that was written last, a new one where that cannot be read; undefined before there is any. */
  async #last(): Promise<Present | undefined> {
    return (
      this.#present ??
      this.#lock.exclusive(async () => {
        const all = await this.#names();
        const name = all.at(-1);
        if (name === undefined) return this.#present;
        // Nothing can be written to it any more, and nothing leaves without its line.
        this.#present ??= (await this.#deps.store.isUnreadable(name))
          ? await this.#begin(all)
          : await this.#open(name, all.slice(0, -1));
        return this.#present;
      })
    );
  }

  /** The part that the next line goes to. */
  async #current(): Promise<Present> {
    const known = await this.#last();
    if (known && !this.#isOver(known)) return known;
    return this.#lock.exclusive(async () => {
      const before = this.#present;
      if (before && !this.#isOver(before)) return before;
      const all = await this.#names();
      this.#present = await this.#begin(all);
      if (before) await this.#inUse.release(before.name);
      return this.#present;
    });
  }
}

const PAGE = 500;

async function allCounts(part: Partition): Promise<Record<string, Count>> {
  const counts: Record<string, Count> = {};
  let after: string | undefined;
  do {
    const page = await part.page(COUNTS, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const { key, value } of page) counts[key] = value;
    after = page.length === PAGE ? page.at(-1)?.key : undefined;
  } while (after !== undefined);
  return counts;
}
