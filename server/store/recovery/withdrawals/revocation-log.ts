import type { Clock } from '../../../base/clock.ts';
import { storedTime } from '../../engine/slewed-clock.ts';
import { StoreError, type Partition, type Store, type Tx } from '../../store.ts';
import type { Revocations, OpenRevocations } from './revocations.ts';
import type { Revocation, ReadRevocations } from './read-revocations.ts';
import { putPosition, readPosition, UNKNOWN_POSITION, type Noted, type LogPosition } from './log-position.ts';
import { findTrustedSource, type TrustedSource } from './trusted-source.ts';
import { RecordingTx } from './recording-tx.ts';
import type { RevocableTable } from './revocable.ts';

/** Older data would have reopened it. */
export type SurvivingRevocation = Pick<Revocation, 'table' | 'key'>;

export interface Reapplied {
  readonly kept: readonly SurvivingRevocation[];
  /** Possibly revoked: closed until the user has looked. */
  readonly unsure: readonly SurvivingRevocation[];
  /** Missing, older or damaged, so started again. */
  readonly isNewLog: boolean;
  /** It had been newer, as a mark beside the data shows (after a restore). */
  readonly isNotedOlder: boolean;
}

/** Kept beside the partitions. */
export interface LogPositions {
  revocationPosition(): Noted | undefined;
  /** Call it once notes and data that knows them are durable. */
  advanceRevocationPosition(reach: LogPosition): void;
}

interface WithdrawalsDeps {
  readonly notes: OpenRevocations;
  readonly clock: Clock;
  readonly rules: readonly RevocableTable[];
  readonly noted?: LogPositions | undefined;
  /** Returns whether the data may have gone back. */
  readonly wentBack?: () => boolean;
}

/**
 * Anti-rollback protection: revocations are logged outside the data first, and repeated at the start. If data
 * and log went back, everything revocable is closed.
 */
export class RevocationLog {
  readonly #deps: WithdrawalsDeps;
  readonly #wentBack: () => boolean;
  readonly #rules: Map<string, RevocableTable>;
  /** Fixed at start, so that a fast clock expires nothing. */
  #slewedNow = -Infinity;
  readonly #notes: Revocations;

  constructor(deps: WithdrawalsDeps) {
    this.#deps = deps;
    this.#wentBack = deps.wentBack ?? (() => false);
    this.#rules = new Map(deps.rules.map((rule) => [rule.table, rule]));
    this.#notes = deps.notes((note) => this.#isRelevant(note));
  }

  /**
   * Returns the partition with transactions that first log what they revoke, throwing the log's StoreError. If a full
   * disk then fails the change, the log's addition is undone.
   */
  guardPartition(system: Partition): Partition {
    return {
      ...system,
      transaction: async (body) => {
        let reached: LogPosition | undefined;
        const work = system.transaction(async (tx) => {
          const watched = new RecordingTx(tx, this.#rules);
          const result = await body(watched);
          const notes = await watched.notes(this.#now());
          if (notes.length > 0) {
            reached = await this.#notes.add(notes);
            putPosition(tx, reached);
          }
          return result;
        });
        const result = await work.catch(async (error: unknown) => {
          // Nothing was revoked: the next start must neither do it nor call the data older.
          if (reached && isFull(error)) await this.#notes.undo(reached).catch(() => undefined);
          throw error;
        });
        if (reached) this.#deps.noted?.advanceRevocationPosition(reached);
        return result;
      },
    };
  }

  /**
   * Repeats revocations that the data lacks, and closes what may have been revoked if both log and data went back.
   * Replaces an untrusted or damaged log, and adds notes an older version didn't write. Call with the guarded partition
   * before anything is served; `also` adds messages, if there is something to report.
   */
  async reapply(system: Partition, also: (tx: Tx, found: Reapplied) => Promise<void> | void): Promise<void> {
    this.#slewedNow = await storedTime(system, this.#deps.clock);
    const found = await this.#notes.read();
    const inData = await readPosition(system);
    const before = this.#deps.noted?.revocationPosition();
    const verdict = findTrustedSource({
      file: found,
      system: inData,
      noted: before,
      wentBack: this.#wentBack(),
    });
    const isRestored = before?.restored === true;
    const isBehind = before !== undefined && (inData?.book !== before.book || inData.no < before.no);
    const isNotedOlder = isRestored || isBehind;
    const repeated = isRestored ? found.notes : notesToRepeat(found, verdict, inData);
    // In table order: a token counts only for a partner connected by then.
    const notes = [...this.#rules.keys()].flatMap((table) => repeated.filter((note) => note.table === table));
    const noteOf = indexByEntry(notes);
    const startsLog = verdict !== 'file';
    let reached: LogPosition | undefined = found.reach;
    if (startsLog)
      reached = await ignoreFullDisk(this.#notes.startLog(notes, { from: before ?? UNKNOWN_POSITION }));
    // At once, so that the new log's loss is noticed.
    else if (found.state !== 'sound') reached = await ignoreFullDisk(this.#notes.startLog(notes, 'all'));
    const isReported = startsLog && (found.state !== 'none' || inData !== undefined || before !== undefined);
    await system.transaction(async (tx) => {
      const kept: SurvivingRevocation[] = [];
      for (const note of notes) {
        const rule = this.#rules.get(note.table);
        if (await rule?.applyNote(tx, note.key, note.note, this.#now())) kept.push(note);
      }
      if (isRestored) kept.push(...(await this.#limitToNotes(tx, system, { found, verdict, noteOf })));
      const unsure = verdict === 'nothing' ? await this.#closeUnsure(tx, system) : [];
      if (kept.length + unsure.length > 0 || isReported)
        await also(tx, { kept, unsure, isNewLog: isReported, isNotedOlder });
    });
    reached = (await this.#addMissingNotes(system, noteOf)) ?? reached;
    if (reached && reached.book !== '') await ignoreFullDisk(this.#storePosition(system, reached));
  }

  /** Returns whether the note is young enough to matter, by its table's rule; always if the table has none. */
  #isRelevant({ table, at }: Revocation): boolean {
    return this.#slewedNow - Date.parse(at) < (this.#rules.get(table)?.useful ?? Infinity);
  }

  #now(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }

  /**
   * Adds notes that entries should have and the log lacks. Returns the position; undefined if nothing is missing, or
   * the disk is full.
   */
  async #addMissingNotes(system: Partition, noteOf: NoteOf): Promise<LogPosition | undefined> {
    const at = this.#now();
    const lacking: Omit<Revocation, 'no'>[] = [];
    for (const rule of this.#rules.values()) {
      const found = await rule.findLackingNotes(system, (key) => noteOf(rule.table, key), at);
      lacking.push(...found.map((each) => ({ at, table: rule.table, ...each })));
    }
    return lacking.length === 0 ? undefined : ignoreFullDisk(this.#notes.add(lacking));
  }

  /**
   * Limits a restored backup's entries to what the notes allow; returns those that had opened more. If nothing is
   * trusted, skips `moves` rules without notes.
   */
  async #limitToNotes(
    tx: Tx,
    system: Partition,
    { found, verdict, noteOf }: { found: ReadRevocations; verdict: TrustedSource; noteOf: NoteOf },
  ): Promise<SurvivingRevocation[]> {
    const kept: SurvivingRevocation[] = [];
    for (const rule of this.#rules.values()) {
      const isNoted = found.state === 'sound' && found.notes.some(({ table }) => table === rule.table);
      if (rule.moves && verdict === 'nothing' && !isNoted) continue;
      const keys = await rule.limitAllRestored(tx, system, (key) => noteOf(rule.table, key), this.#now());
      kept.push(...keys.map((key) => ({ table: rule.table, key })));
    }
    return kept;
  }

  /** Closes all entries that may have been revoked; returns them. */
  async #closeUnsure(tx: Tx, system: Partition): Promise<SurvivingRevocation[]> {
    const closed: SurvivingRevocation[] = [];
    for (const rule of this.#rules.values()) {
      for (const key of await rule.close(tx, system, this.#now())) closed.push({ table: rule.table, key });
    }
    return closed;
  }

  /** Writes the log's position into the data, unless that has it or a later one, then the data's into the marks. */
  async #storePosition(system: Partition, reached: LogPosition): Promise<void> {
    const known = await readPosition(system);
    const isKnown = known?.book === reached.book && known.no >= reached.no;
    if (!isKnown) await system.transaction((tx) => putPosition(tx, reached));
    this.#deps.noted?.advanceRevocationPosition(isKnown ? known : reached);
  }
}

type NoteOf = (table: string, key: string) => unknown;

/** Returns a function that finds an entry's last note; undefined without one. */
function indexByEntry(notes: readonly Revocation[]): NoteOf {
  const known = new Map(notes.map(({ table, key, note }) => [JSON.stringify([table, key]), note]));
  return (table, key) => known.get(JSON.stringify([table, key]));
}

/**
 * Returns the notes to apply again: all if the log is trusted, none if the data is; else those after the data's
 * position in this log, or all if that names another log.
 */
function notesToRepeat(
  found: ReadRevocations,
  verdict: TrustedSource,
  inData: LogPosition | undefined,
): readonly Revocation[] {
  if (verdict === 'file') return found.notes;
  if (verdict === 'system') return [];
  if (inData?.book !== found.reach.book) return found.notes;
  return found.notes.filter(({ no }) => no > inData.no);
}

/** Returns the result of `work`; undefined if the disk is full, as the next start repeats it. */
async function ignoreFullDisk<R>(work: Promise<R>): Promise<R | undefined> {
  return work.catch((error: unknown) => {
    if (!isFull(error)) throw error;
    return undefined;
  });
}

const isFull = (error: unknown): boolean => error instanceof StoreError && error.code === 'full';

/** Returns a store whose `system` partition logs revocations first; see {@link RevocationLog.guardPartition}. */
export function recordRevocations<S extends Store>(store: S, withdrawals: RevocationLog): S {
  return {
    ...store,
    partition: async (name: string) =>
      name === 'system' ? withdrawals.guardPartition(await store.partition(name)) : store.partition(name),
  };
}
