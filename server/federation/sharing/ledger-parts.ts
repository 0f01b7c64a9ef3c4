import { createReadWriteLock } from '../../base/concurrency/read-write-lock.ts';
import type { Partition, Store } from '../../store/store.ts';
import { COUNTS, EARLIER, type Count, type Summary } from './ledger-tables.ts';
import { createPartsInUse } from './parts-in-use.ts';

/**
 * The ledger lies in parts, each a partition of the store: a new one begins with every month, or when one has grown
 * large. Only the one that is written is in memory; an older one is loaded while somebody looks at it. So neither the
 * memory nor the time that a line takes depends on how many years the ledger has.
 */
export interface LedgerParts {
  /** Runs `body` with the part that is written now; `size` of what it wrote in bytes counts towards its end. */
  write<R>(body: (part: Partition) => Promise<{ readonly result: R; readonly size: number }>): Promise<R>;
  /** All parts, oldest first, with how many lines of a partner each has. */
  of(nodeID: string): Promise<readonly { readonly name: string; readonly lines: number }[]>;
  /** The last that is known of a partner from parts before the one that is written; to be asked while writing. */
  countBefore(nodeID: string): Count | undefined;
  /** `body` must have read all that it needs when it resolves. Undefined where the part was forgotten meanwhile. */
  read<R>(name: string, body: (part: Partition) => Promise<R>): Promise<R | undefined>;
  /** How many lines all parts have, and the month with which they begin where that is known. */
  held(): Promise<{ readonly lines: number; readonly since?: string }>;
  /** Removes the parts to which nothing was written since then, never the present one; answers how many. */
  forget(before: number): Promise<number>;
}

const FIRST = 'ledger';
const NAME = /^ledger-(\d{6})-(\d{4}-\d\d)$/;
/** What a part takes in before the next one begins: so much is in memory. */
const LARGEST = 24 * 1024 * 1024;

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

export function createLedgerParts(deps: {
  readonly store: Store;
  /** The believed time. */
  readonly now: () => number;
  readonly largest?: number;
}): LedgerParts {
  const { store, now, largest = LARGEST } = deps;
  const inUse = createPartsInUse(store, (name) => name === present?.name);
  /** What is written goes together; a part begins, and parts go, while nothing is. */
  const lock = createReadWriteLock();
  let present: Present | undefined;

  const names = async (): Promise<string[]> =>
    (await store.partitions()).filter(isOfLedger).sort((a, b) => numberOf(a) - numberOf(b));

  const month = (): string => new Date(now()).toISOString().slice(0, 7);
  const isOver = ({ name, size }: Present): boolean => monthOf(name) !== month() || size > largest;

  /** What a part knows of those before it. */
  const knownTo = (name: string, before: readonly string[]): Promise<readonly (Summary | undefined)[]> =>
    inUse.use(name, (part) => part.getMany(EARLIER, before));

  /** Takes a part for the present one, once it knows of all before it. */
  async function open(name: string, before: readonly string[]): Promise<Present> {
    const own = await knownTo(name, before);
    const previous = before.at(-1);
    const inherited = own.includes(undefined) && previous ? await knownTo(previous, before) : [];
    const earlier = new Map<string, Summary>();
    for (const [index, each] of before.entries())
      earlier.set(each, own[index] ?? inherited[index] ?? (await summaryOf(each)));
    // Settled now: the part that tells which ones were written with a wrong clock may be forgotten before these.
    for (const { name: each, until } of withUntil(name, earlier)) {
      const summary = earlier.get(each);
      if (summary && until !== Infinity) earlier.set(each, { ...summary, until });
    }
    const size = await inUse.use(name, async (part) => {
      if (own.includes(undefined))
        await part.transaction((tx) => {
          for (const [each, summary] of earlier) tx.put(EARLIER, each, summary);
        });
      const counts = Object.values(await allCounts(part));
      return counts.reduce((sum, count) => sum + (count.size ?? 0), 0);
    });
    return { name, earlier, size };
  }

  const summaryOf = async (name: string): Promise<Summary> => ({
    counts: await inUse.use(name, allCounts),
    // It may be closed by a clock that is behind: what was written in its own month is not older than that.
    until: Math.max(now(), endOf(monthOf(name))),
  });

  /** The part behind all that there are; one of this month in which nothing stands yet, as the disk was full, is taken up. */
  async function begin(all: readonly string[]): Promise<Present> {
    const last = all.at(-1);
    if (last !== undefined && monthOf(last) === month() && last !== present?.name && (await isEmpty(last)))
      return open(last, all.slice(0, -1));
    const number = String(numberOf(all.at(-1) ?? '') + 1).padStart(6, '0');
    return open(`ledger-${number}-${month()}`, all);
  }

  async function isEmpty(name: string): Promise<boolean> {
    return !(await store.isUnreadable(name)) && (await inUse.use(name, (part) => part.lastSeq())) === 0;
  }

  /** The part that was written last, a new one where that cannot be read; undefined before there is any. */
  async function last(): Promise<Present | undefined> {
    return (
      present ??
      lock.exclusive(async () => {
        const all = await names();
        const name = all.at(-1);
        if (name === undefined) return present;
        // Nothing can be written to it any more, and nothing leaves without its line.
        present ??= (await store.isUnreadable(name)) ? await begin(all) : await open(name, all.slice(0, -1));
        return present;
      })
    );
  }

  /** The part that the next line goes to. */
  async function current(): Promise<Present> {
    const known = await last();
    if (known && !isOver(known)) return known;
    return lock.exclusive(async () => {
      const before = present;
      if (before && !isOver(before)) return before;
      const all = await names();
      present = await begin(all);
      if (before) await inUse.letGo(before.name);
      return present;
    });
  }

  return {
    async write(body) {
      const known = await current();
      return lock.shared(() => {
        const part = present ?? known;
        return inUse.use(part.name, async (partition) => {
          const { result, size } = await body(partition);
          part.size += size;
          return result;
        });
      });
    },
    async of(nodeID) {
      const part = await last();
      if (!part) return [];
      const count = await inUse.use(part.name, (partition) => partition.get(COUNTS, nodeID));
      const earlier = [...part.earlier].map(([name, { counts }]) => ({ name, lines: counts[nodeID]?.lines }));
      return [...earlier, { name: part.name, lines: count?.lines }].map(({ name, lines = 0 }) => ({
        name,
        lines,
      }));
    },
    async held() {
      const part = await last();
      if (!part) return { lines: 0 };
      const own = await inUse.use(part.name, allCounts);
      const counts = [...part.earlier.values()].map((summary) => summary.counts);
      const lines = [...counts, own].flatMap((each) => Object.values(each)).map((each) => each.lines);
      const since = monthOf([...part.earlier.keys(), part.name][0] ?? '');
      return { lines: lines.reduce((sum, each) => sum + each, 0), ...(since === undefined ? {} : { since }) };
    },
    countBefore: (nodeID) =>
      [...(present?.earlier.values() ?? [])].findLast(({ counts }) => counts[nodeID])?.counts[nodeID],
    async read(name, body) {
      // One that was removed would be made anew, and empty, by whoever uses it.
      if (present?.name !== name && present?.earlier.has(name) !== true) return undefined;
      return inUse.use(name, body);
    },
    async forget(before) {
      const part = await last();
      if (!part) return 0;
      return lock.exclusive(async () => {
        let gone = 0;
        for (const { name, until } of withUntil(part.name, part.earlier)) {
          const summary = part.earlier.get(name);
          if (!summary || until >= before || inUse.has(name)) continue;
          // First of all, so that nobody begins to read it.
          part.earlier.delete(name);
          try {
            await store.drop(name);
          } catch (error) {
            part.earlier.set(name, summary);
            throw error;
          }
          gone++;
        }
        return gone;
      });
    },
  };
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
