import type { Clock } from '../../../base/clock.ts';
import { believedAtLeast } from '../../engine/believed-time.ts';
import { StoreError, type Partition, type Store, type Tx } from '../../store.ts';
import type { Notes, OpenNotes } from './notes.ts';
import type { Note, NotesFound } from './read-notes.ts';
import { putReach, reachOf, UNKNOWN_REACH, type Noted, type Reach } from './reach.ts';
import { verdictOn, type Verdict } from './verdict.ts';
import { WatchedTx } from './watched-tx.ts';
import type { Withdrawable } from './withdrawable.ts';

/** An entry of the store that older data would have opened again. */
export type KeptWithdrawn = Pick<Note, 'table' | 'key'>;

/** What a start found out about what was taken back. */
export interface Reapplied {
  readonly kept: readonly KeptWithdrawn[];
  /** Closed, as it may have been taken back without anything here knowing of it, until the user has looked. */
  readonly unsure: readonly KeptWithdrawn[];
  /** The list of what was taken back was missing, older or damaged, and was begun anew. */
  readonly isAnew: boolean;
  /** It was noted beside the data that it had been newer, as where a backup was put in its place. */
  readonly isNotedOlder: boolean;
}

/** How far notes have come, kept by the store beside its parts. */
export interface NotedReach {
  withdrawnReach(): Noted | undefined;
  /** The notes, and the data that knows of them, are on the disk; what came out of a backup was seen to. */
  withdrawnReached(reach: Reach): void;
}

interface WithdrawalsDeps {
  readonly notes: OpenNotes;
  readonly clock: Clock;
  readonly rules: readonly Withdrawable[];
  readonly noted?: NotedReach | undefined;
  /** Whether the store found that its data went back, or may have. */
  readonly wentBack?: () => boolean;
}

/**
 * What was taken back stays so, whatever older data takes the place of newer: a backup that is restored, by the
 * user or by the store itself, or an older file. Changes that take something back are noted apart from the data
 * before they are made, and done again at the start where the data does not know of them. Where the data went back and
 * the file is not as new as what it was about, all that could have been taken back is closed.
 */
export class Withdrawals {
  readonly #deps: WithdrawalsDeps;
  readonly #wentBack: () => boolean;
  readonly #rules: Map<string, Withdrawable>;
  /** A clock that is ahead at this start, and is put right later, must not let anything count no more. */
  #believed = -Infinity;
  readonly #notes: Notes;

  constructor(deps: WithdrawalsDeps) {
    this.#deps = deps;
    this.#wentBack = deps.wentBack ?? (() => false);
    this.#rules = new Map(deps.rules.map((rule) => [rule.table, rule]));
    this.#notes = deps.notes((note) => this.#counts(note));
  }

  /** The same partition, but that what its transactions take back is noted first. @throws StoreError from these */
  guard(system: Partition): Partition {
    return {
      ...system,
      transaction: async (body) => {
        let reached: Reach | undefined;
        const work = system.transaction(async (tx) => {
          const watched = new WatchedTx(tx, this.#rules);
          const result = await body(watched);
          const notes = await watched.notes(this.#now());
          if (notes.length > 0) {
            reached = await this.#notes.add(notes);
            putReach(tx, reached);
          }
          return result;
        });
        const result = await work.catch(async (error: unknown) => {
          // Nothing was taken back: the next start is not to do it, nor to say that the data is older.
          if (reached && isFull(error)) await this.#notes.undo(reached).catch(() => undefined);
          throw error;
        });
        if (reached) this.#deps.noted?.withdrawnReached(reached);
        return result;
      },
    };
  }

  /**
   * To be called with the guarded partition before anybody is served. `also` may put into the same durable write
   * what the user is to be told. Then notes what an older version did not, of what there is. @throws StoreError
   */
  async reapply(system: Partition, also: (tx: Tx, found: Reapplied) => Promise<void> | void): Promise<void> {
    this.#believed = await believedAtLeast(system, this.#deps.clock);
    const found = await this.#notes.read();
    const inData = await reachOf(system);
    const before = this.#deps.noted?.withdrawnReach();
    const verdict = verdictOn({ file: found, system: inData, noted: before, wentBack: this.#wentBack() });
    const isRestored = before?.restored === true;
    const isBehind = before !== undefined && (inData?.book !== before.book || inData.no < before.no);
    const isNotedOlder = isRestored || isBehind;
    const notes = isRestored ? found.notes : toReapply(found, verdict, inData);
    const noteOf = byEntry(notes);
    const isAnew = verdict !== 'file';
    let reached: Reach | undefined = found.reach;
    if (isAnew) reached = await orNoRoom(this.#notes.begin(notes, { from: before ?? UNKNOWN_REACH }));
    // Begun before there is anything to note: where it is gone later, that is known.
    else if (found.state !== 'sound') reached = await orNoRoom(this.#notes.begin(notes, 'all'));
    const isTold = isAnew && (found.state !== 'none' || inData !== undefined || before !== undefined);
    await system.transaction(async (tx) => {
      const kept: KeptWithdrawn[] = [];
      for (const note of notes) {
        const rule = this.#rules.get(note.table);
        if (await rule?.reapply(tx, note.key, note.note, this.#now())) kept.push(note);
      }
      if (isRestored) kept.push(...(await this.#asRestored(tx, system, { found, verdict, noteOf })));
      const unsure = verdict === 'nothing' ? await this.#closeUnsure(tx, system) : [];
      if (kept.length + unsure.length > 0 || isTold)
        await also(tx, { kept, unsure, isAnew: isTold, isNotedOlder });
    });
    reached = (await this.#noteLacking(system, noteOf)) ?? reached;
    if (reached && reached.book !== '') await orNoRoom(this.#settle(system, reached));
  }

  #counts({ table, at }: Note): boolean {
    return this.#believed - Date.parse(at) < (this.#rules.get(table)?.useful ?? Infinity);
  }

  #now(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }

  async #noteLacking(system: Partition, noteOf: NoteOf): Promise<Reach | undefined> {
    const at = this.#now();
    const lacking: Omit<Note, 'no'>[] = [];
    for (const rule of this.#rules.values()) {
      const found = await rule.lacking(system, (key) => noteOf(rule.table, key), at);
      lacking.push(...found.map((each) => ({ at, table: rule.table, ...each })));
    }
    return lacking.length === 0 ? undefined : orNoRoom(this.#notes.add(lacking));
  }

  /** Of what came out of a backup file nothing opens more than this folder had, whatever the file says. */
  async #asRestored(
    tx: Tx,
    system: Partition,
    { found, verdict, noteOf }: { found: NotesFound; verdict: Verdict; noteOf: NoteOf },
  ): Promise<KeptWithdrawn[]> {
    const kept: KeptWithdrawn[] = [];
    for (const rule of this.#rules.values()) {
      const isNoted = found.state === 'sound' && found.notes.some(({ table }) => table === rule.table);
      if (rule.moves && verdict === 'nothing' && !isNoted) continue;
      const keys = await rule.restored(tx, system, (key) => noteOf(rule.table, key), this.#now());
      kept.push(...keys.map((key) => ({ table: rule.table, key })));
    }
    return kept;
  }

  async #closeUnsure(tx: Tx, system: Partition): Promise<KeptWithdrawn[]> {
    const closed: KeptWithdrawn[] = [];
    for (const rule of this.#rules.values()) {
      for (const key of await rule.close(tx, system, this.#now())) closed.push({ table: rule.table, key });
    }
    return closed;
  }

  /** Data, file and what is noted beside them agree from here on. */
  async #settle(system: Partition, reached: Reach): Promise<void> {
    const known = await reachOf(system);
    const isKnown = known?.book === reached.book && known.no >= reached.no;
    if (!isKnown) await system.transaction((tx) => putReach(tx, reached));
    this.#deps.noted?.withdrawnReached(isKnown ? known : reached);
  }
}

/** The last note of an entry. */
type NoteOf = (table: string, key: string) => unknown;

function byEntry(notes: readonly Note[]): NoteOf {
  const known = new Map(notes.map(({ table, key, note }) => [JSON.stringify([table, key]), note]));
  return (table, key) => known.get(JSON.stringify([table, key]));
}

/** Notes that are to be done again; those that the data knew of as it was written are older than it. */
function toReapply(found: NotesFound, verdict: Verdict, inData: Reach | undefined): readonly Note[] {
  if (verdict === 'file') return found.notes;
  if (verdict === 'system') return [];
  if (inData?.book !== found.reach.book) return found.notes;
  return found.notes.filter(({ no }) => no > inData.no);
}

/** Without room for it the next start does it, and this one must not fail. */
async function orNoRoom<R>(work: Promise<R>): Promise<R | undefined> {
  return work.catch((error: unknown) => {
    if (!isFull(error)) throw error;
    return undefined;
  });
}

const isFull = (error: unknown): boolean => error instanceof StoreError && error.code === 'full';

/** The store, but that its partition `system` is guarded. */
export function guardStore<S extends Store>(store: S, withdrawals: Withdrawals): S {
  return {
    ...store,
    partition: async (name: string) =>
      name === 'system' ? withdrawals.guard(await store.partition(name)) : store.partition(name),
  };
}
