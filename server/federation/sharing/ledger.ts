import { createHash } from 'node:crypto';
import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Clock } from '../../base/clock.ts';
import { createYielder } from '../../base/yield.ts';
import type { Condition } from '../../lists/query/condition.ts';
import type { Partition, Store } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import { LedgerParts } from './ledger-parts.ts';
import { createSentToday, type KnownRows, type SentToday, type SentTodayOf } from './sent-today.ts';
import { COUNTS, LAST, LINES, REPEATS } from './ledger-tables.ts';

/** Rows about to be sent, or a question about to be answered. */
export interface Disclosure {
  readonly nodeID: string;
  /** The exposure's id. */
  readonly moduleID: string;
  readonly listName: string;
  readonly fields: readonly string[];
  readonly recordIDs: readonly string[];
  /** The requesting network address. */
  readonly address: string;
  /** Identifies the rows' content: in another state they are another disclosure. */
  readonly state: string;
  /** The partner's comparison, which covers all rows, not only returned ones. */
  readonly query?: string;
  readonly sort?: string;
  /** The rows given (default: all); with `changed`, from then on. */
  readonly condition?: Condition;
  /** Nothing sent: our user chose other rows. */
  readonly changed?: 'condition';
  /** Rows only reported as gone. */
  readonly takenBack?: number;
  /** Only digests were sent, which can confirm guessed values. */
  readonly digests?: true;
}

/** Returns the member `takenBack`, omitted for 0. */
export const takenBack = (gone: number): Pick<Disclosure, 'takenBack'> =>
  gone > 0 ? { takenBack: gone } : {};

export interface LedgerLine extends Omit<Disclosure, 'state'> {
  readonly at: string;
  /** Number of times the same content was sent that day, last at `lastAt`. */
  readonly times?: number;
  readonly lastAt?: string;
}

export interface LedgerTotal {
  /** Distinct rows sent, as far as the ledger reaches. */
  readonly rows: number;
  readonly lastServedAt: string;
}

const BATCH_ROWS = 500;

/** Enough for ids of some million rows. */
const BYTES_A_DAY = 128 * 1024 * 1024;
/** Its part for questions and comparisons. */
const QUESTIONS_OF_DAY = 1 / 16;
/** Digests and index keys. */
const LINE_BYTES = 250;

interface LedgerDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** Default: the system clock. */
  readonly slewedNow?: () => number;
  readonly bytesADay?: number;
  readonly largestPart?: number;
}

/**
 * Logs what was sent, when, to whom, before pages are served. Only retention removes lines; new content has a
 * daily limit per partner.
 */
export class Ledger {
  readonly #deps: LedgerDeps;
  readonly #bytesADay: number;
  readonly #parts: LedgerParts;
  /** By exposure; computed on first use, then maintained. */
  readonly #sent = new Map<string, Promise<Map<string, Sent>>>();
  readonly #sentToday: SentTodayOf;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
    this.#bytesADay = deps.bytesADay ?? BYTES_A_DAY;
    this.#parts = new LedgerParts({
      store: this.#deps.store,
      now: this.#deps.slewedNow ?? (() => this.#deps.clock.now()),
      ...(this.#deps.largestPart === undefined ? {} : { largest: this.#deps.largestPart }),
    });
    this.#sentToday = createSentToday({
      now: () => this.#deps.clock.now(),
      page: (nodeID, options) => this.page(nodeID, options),
    });
  }

  /**
   * Writes a line about what was sent; resolves once it is on disk. An answer equal to one of the same day only raises
   * its count; one that discloses nothing isn't recorded. Throws `ledger.full-today` (too-many).
   */
  async record(disclosure: Disclosure): Promise<void> {
    const { nodeID, moduleID, fields, recordIDs, digests, query, sort, condition, changed } = disclosure;
    const isQuestion = query !== undefined || sort !== undefined;
    if (recordIDs.length === 0 && !digests && !isQuestion && !changed) return;
    const at = new Date(this.#deps.clock.now()).toISOString();
    const day = at.slice(0, 10);
    const digest = digestOf([moduleID, fields, recordIDs]);
    const what = digestOf([
      day,
      digest,
      disclosure.state,
      disclosure.address,
      digests,
      query,
      sort,
      condition,
      changed,
    ]);
    await this.#parts.withPartToWrite((part) =>
      part.transaction(async (tx) => {
        if (!digests && !changed) tx.put(LAST, this.#moduleKey(nodeID, moduleID), { nodeID, moduleID, at });
        const [again] = await tx.find(LINES, 'what', `${nodeID} ${what}`);
        if (again) {
          const times = ((await tx.get(REPEATS, again.key))?.times ?? 1) + 1;
          tx.put(REPEATS, again.key, { times, lastAt: at });
          return { result: undefined, size: 0 };
        }
        const [before] = await tx.find(LINES, 'rows', `${nodeID} ${digest}`);
        const rows = before ? { sameAs: Number(before.key.slice(nodeID.length + 1)) } : { recordIDs };
        const own = await tx.get(COUNTS, nodeID);
        const today = own ?? this.#parts.countBefore(nodeID);
        const size = sizeOf(disclosure, before !== undefined);
        const soFar = today?.day === day ? today : undefined;
        const bytes = (soFar?.bytes ?? 0) + size;
        const asked = (soFar?.asked ?? 0) + (isQuestion || digests ? size : 0);
        if (bytes > this.#bytesADay || asked > this.#bytesADay * QUESTIONS_OF_DAY) throw tooMuch();
        const number = (own?.lines ?? 0) + 1;
        tx.put(LINES, this.#lineKey(nodeID, number), {
          ...omit(disclosure, 'recordIDs', 'state'),
          ...{ at, digest, what, ...rows },
        });
        tx.put(COUNTS, nodeID, { lines: number, day, bytes, asked, size: (own?.size ?? 0) + size });
        return { result: undefined, size };
      }),
    );
    // In the background, as it may read years of lines.
    if (!digests && !changed)
      void this.#sent.get(nodeID)?.then(
        (known) => addSent(known, { moduleID, recordIDs }, at),
        () => undefined,
      );
    void this.#sentToday.record(disclosure, at).catch(() => undefined);
  }

  /** Returns lines, latest first, and their total; pages from 1. A shared `known` avoids repeated reads. */
  async page(
    nodeID: string,
    {
      page: wantedPage,
      perPage,
      known = new Map<string, readonly string[]>(),
    }: { readonly page: number; readonly perPage: number; readonly known?: KnownRows },
  ): Promise<{ readonly total: number; readonly lines: readonly LedgerLine[] }> {
    const all = (await this.#parts.partsFor(nodeID)).toReversed();
    const found: LedgerLine[] = [];
    let skip = (wantedPage - 1) * perPage;
    for (const { name, lines: count } of all) {
      const last = count - skip;
      skip = Math.max(0, skip - count);
      const wanted = integersBetween(Math.max(last - (perPage - found.length) + 1, 1), last).reverse();
      if (wanted.length === 0) continue;
      found.push(
        ...((await this.#parts.withPart(name, (part) => this.#readLines(part, nodeID, wanted, known))) ?? []),
      );
    }
    return { total: all.reduce((sum, part) => sum + part.lines, 0), lines: found };
  }

  /** Yields a partner's lines in batches, oldest first. Skips parts removed meanwhile. */
  async *scan(nodeID: string): AsyncGenerator<LedgerLine[]> {
    for (const { name, lines: total } of await this.#parts.partsFor(nodeID)) {
      for (let first = 1; first <= total; first += BATCH_ROWS) {
        const numbers = integersBetween(first, Math.min(first + BATCH_ROWS - 1, total));
        yield (await this.#parts.withPart(name, (part) => this.#readLines(part, nodeID, numbers))) ?? [];
      }
    }
  }

  /**
   * Returns, by exposure id, how many distinct rows were ever sent and when last. A partner's first call reads all
   * lines; later ones use the counts in memory.
   */
  async totals(nodeID: string): Promise<ReadonlyMap<string, LedgerTotal>> {
    let gathered = this.#sent.get(nodeID);
    if (!gathered) {
      gathered = this.#readAllSent(nodeID);
      this.#sent.set(nodeID, gathered);
      gathered.catch(() => this.#sent.delete(nodeID));
    }
    return new Map(
      [...(await gathered)].map(([moduleID, { rows, lastServedAt }]) => [
        moduleID,
        { rows: rows.size, lastServedAt },
      ]),
    );
  }

  /** Returns, by exposure id, how many distinct rows the partner was sent since local midnight, and when last. */
  sentToday(nodeID: string): Promise<ReadonlyMap<string, SentToday>> {
    return this.#sentToday.forPartner(nodeID);
  }

  /** Returns how many lines all parts have, and the oldest part's month (`2026-11`) if known. */
  countLines(): Promise<{ readonly lines: number; readonly since?: string }> {
    return this.#parts.countLines();
  }

  /**
   * Deletes parts last written before this time (milliseconds, trusted clock); returns their number. If any, the cache
   * of what was sent is computed again.
   */
  async deleteBefore(before: number): Promise<number> {
    const gone = await this.#parts.deleteBefore(before);
    if (gone > 0) this.#sent.clear();
    return gone;
  }

  #lineKey(nodeID: string, number: number): string {
    return `${nodeID}-${number}`;
  }

  #moduleKey(nodeID: string, moduleID: string): string {
    return `${nodeID}-${moduleID}`;
  }

  /**
   * Returns a part's lines of these numbers, in their order, omitting missing ones. Adds row ids to `known`, by which
   * equal ones aren't read again.
   */
  async #readLines(
    part: Partition,
    nodeID: string,
    numbers: readonly number[],
    known: KnownRows = new Map(),
  ): Promise<LedgerLine[]> {
    const found: LedgerLine[] = [];
    const pause = createYielder();
    for (const number of numbers) {
      const key = this.#lineKey(nodeID, number);
      const line = await part.get(LINES, key);
      if (!line) continue;
      const listed = async (): Promise<readonly string[]> =>
        line.recordIDs ?? (await part.get(LINES, this.#lineKey(nodeID, line.sameAs ?? 0)))?.recordIDs ?? [];
      const recordIDs = known.get(line.digest) ?? (await listed());
      known.set(line.digest, recordIDs);
      found.push({ ...omit(line, 'digest', 'what', 'sameAs'), recordIDs, ...(await part.get(REPEATS, key)) });
      await pause();
    }
    return found;
  }

  /** Returns, by exposure id, all rows sent to a partner and the last time; reads all its lines. */
  async #readAllSent(nodeID: string): Promise<Map<string, Sent>> {
    const all = new Map<string, Sent>();
    const pause = createYielder();
    for (const { name, lines: total } of await this.#parts.partsFor(nodeID)) {
      await this.#parts.withPart(name, async (part) => {
        const known: KnownRows = new Map();
        const counted = new Set<readonly string[]>();
        for (let first = 1; first <= total; first += BATCH_ROWS) {
          const numbers = integersBetween(first, Math.min(first + BATCH_ROWS - 1, total));
          for (const line of await this.#readLines(part, nodeID, numbers, known)) {
            if (line.digests || line.changed) continue;
            const { moduleID, recordIDs } = line;
            addSent(all, { moduleID, recordIDs: counted.has(recordIDs) ? [] : recordIDs }, line.at);
            counted.add(recordIDs);
            await pause();
          }
        }
        for (const { value } of await part.find(LAST, 'node', nodeID))
          addSent(all, { moduleID: value.moduleID, recordIDs: [] }, value.at);
      });
    }
    return all;
  }
}

interface Sent {
  readonly rows: Set<string>;
  lastServedAt: string;
}

/** Adds sent rows and their time to the exposure's totals. */
function addSent(
  all: Map<string, Sent>,
  { moduleID, recordIDs }: Pick<Disclosure, 'moduleID' | 'recordIDs'>,
  at: string,
): void {
  const known = all.get(moduleID) ?? { rows: new Set<string>(), lastServedAt: at };
  for (const recordID of recordIDs) known.rows.add(recordID);
  if (at > known.lastServedAt) known.lastServedAt = at;
  all.set(moduleID, known);
}

/** Returns the SHA-256 of a JSON value, in base64url. */
function digestOf(what: unknown): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('base64url');
}

/**
 * Returns a line's estimated bytes; ids stored already (`isKnown`) count nothing. Everything else counts: the names of
 * 500 columns take more than a page's ids, and a partner may name them in any order.
 */
function sizeOf(disclosure: Disclosure, isKnown: boolean): number {
  const rows = isKnown ? 0 : disclosure.recordIDs.reduce((sum, { length }) => sum + length + 3, 0);
  return LINE_BYTES + Buffer.byteLength(JSON.stringify(omit(disclosure, 'recordIDs', 'state'))) + rows;
}

const tooMuch = (): Refusal => new Refusal('too-many', 'ledger.full-today', said('ledger.full'));

/** Returns the integers from `first` to `last`; [] if that is less. */
function integersBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at);
}
