import { shownFileName } from '../../base/file-names.ts';
import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';
import { omit } from '../../base/omit.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { Refusal } from '../../base/refusal.ts';
import { StoreError, type Partition, type Store, type Table } from '../../store/store.ts';
import { revocable } from '../../store/recovery/withdrawals/revocable.ts';
import { said, type Words } from '../../words/said.ts';
import type { ListsChange } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import type { SlowDriveGuard } from './slow-drive-guard.ts';
import { listPartition } from '../rows/row-table.ts';
import type { ImportResult } from '../csv/result.ts';
import type { ForeignTable, withTable } from '../reading/read-in-worker.ts';
import { FileStates, isExhausted, type WatchedState } from './file-states.ts';
import { findFile, isSameFile, readWhole, type FoundFile } from './find-file.ts';
import { forgetAllLines } from './line-hashes.ts';
import type { DeletionAnswer, AppliedFile, WatchedFile } from './apply-file.ts';
import { resolveChosenLocation, isWithin } from './file-locations.ts';
import { revocableLocation } from './revocable-location.ts';
import type { FollowRequest } from './choose-reading.ts';
import { withoutRetryPromise } from './cannot-choose-now.ts';

type OfOneKey = Omit<WatchedFile, 'keyFieldIDs'> & { readonly keyFieldID: string };
type Stored = WatchedFile | OfOneKey;

const FILES: Table<Stored> = { name: 'watched-file' };

/** Returns the stored file; that of an older version, with a single key column, in the present form. */
function upgradeStored(stored: Stored): WatchedFile {
  if ('keyFieldIDs' in stored) return stored;
  const { keyFieldID, ...file } = stored;
  return { ...file, keyFieldIDs: [keyFieldID] };
}

/** Older data must not revive a replaced or unfollowed file. */
export const revocableFiles = revocable({ table: FILES, ...revocableLocation<Stored>() });

const MAX_FILES = 200;
const LOOK_MS = 2000;
/** After so many equal looks a text file is whole: missing lines count as removed. */
const LOOKS_FOR_LOSS = 5;
const IS_TEXT = /\.[ct]sv$/i;
/** After errors such as a full disk. */
const REST_MS = 30_000;

export interface WatchedFilesDeps {
  readonly lists: Lists;
  readonly store: Pick<Store, 'partition'>;
  readonly system: Partition;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly asking: SlowDriveGuard;
  readonly copies: () => Promise<readonly string[]>;
  readonly onState: (moduleID: string) => void;
  readonly read?: typeof withTable;
}

/**
 * Follows one file per list: polls every two seconds, applies a file equal in two looks. Loads what reads files with the
 * first one, as most offices follow none.
 */
export class WatchedFiles {
  readonly #deps: WatchedFilesDeps;
  readonly #known: FileStates;
  readonly #inTurn = createMutex();
  readonly #ends = new AbortController();
  #isRunning = false;
  #cancel: () => void = () => undefined;

  constructor(deps: WatchedFilesDeps) {
    this.#deps = deps;
    this.#known = new FileStates(deps);
  }

  /** Returns all followed files with their states. */
  async all(): Promise<readonly WatchedState[]> {
    const found = await this.#deps.system.page(FILES, { limit: MAX_FILES });
    return found.map(({ value }) => this.#known.toWatchedState(upgradeStored(value)));
  }

  /** Returns the file that the list follows; undefined if none. */
  async get(moduleID: string): Promise<WatchedState | undefined> {
    const file = await this.#deps.system.get(FILES, moduleID);
    return file && this.#known.toWatchedState(upgradeStored(file));
  }

  /**
   * Checks, stores and announces the file that the list follows, in place of any other; forgets earlier imports' lines.
   * Throws `watched.file` (unreadable now), `watched.a-copy` (an exported copy), `watched.many` (over 200), or the file's.
   */
  watch(moduleID: string, wish: FollowRequest, userID: string): Promise<void> {
    return this.#inTurn(async () => {
      const { lists, store, system } = this.#deps;
      const { path, found, bytes } = await this.#readChosen(wish.path);
      await this.#assertNoCopy(path);
      const module = await lists.module(moduleID);
      const { withTable } = await import('../reading/read-in-worker.ts');
      const { chooseReading } = await import('./choose-reading.ts');
      const file = await withTable(bytes, wish.reading ?? {}, (table) =>
        chooseReading(module, table, { ...wish, path }, userID),
      );
      const isNew = (await system.get(FILES, moduleID)) === undefined;
      if (isNew && (await system.count(FILES)) >= MAX_FILES)
        throw new Refusal('conflict', 'watched.many', said('watched.too-many', { most: MAX_FILES }));
      await forgetAllLines(await store.partition(listPartition(moduleID)));
      await system.transaction((tx) => tx.put(FILES, moduleID, file));
      await this.#known.clearExhausted(moduleID);
      this.#known.reset(moduleID, found);
      this.#deps.onState(moduleID);
      this.#scheduleCheck();
    });
  }

  /**
   * Returns what a first reading would do, with key columns and first lines; writes nothing. Throws `watched.file` if
   * the file can't be read now, or those of {@link chooseReading} and the file.
   * @param given key columns; undefined: proposes some
   */
  async tryFile(
    moduleID: string,
    wish: Omit<FollowRequest, 'key'>,
    given: FollowRequest['key'] | undefined,
  ): Promise<ImportResult & Pick<FollowRequest, 'key'> & Pick<ForeignTable, 'start'>> {
    const { lists } = this.#deps;
    const { bytes } = await this.#readChosen(wish.path);
    const { match = {}, reading = {} } = wish;
    const module = await lists.module(moduleID);
    const { withTable } = await import('../reading/read-in-worker.ts');
    const { chooseReading } = await import('./choose-reading.ts');
    const { proposeKey } = await import('./proposed-key.ts');
    const { tryTable } = await import('../csv/import.ts');
    return withTable(bytes, reading, async (table) => {
      const key = given ?? (await proposeKey(module, await lists.rows(moduleID), table, wish));
      await chooseReading(module, table, { ...wish, key }, '');
      const result = await tryTable(lists, table, { ...reading, to: { moduleID }, match, key });
      return { ...result, key, start: table.start };
    });
  }

  /** Ends following the file; the list's rows stay. */
  stopWatching(moduleID: string): Promise<void> {
    return this.#inTurn(() => this.#forgetFile(moduleID));
  }

  /**
   * Applies the file with the user's decision on removals, unless its removals changed since. Throws
   * `watched.others-wait` if not these wait, `watched.file` without the file; records other failures instead.
   */
  decideDeletions(moduleID: string, answer: DeletionAnswer): Promise<void> {
    return this.#inTurn(async () => {
      const state = await this.get(moduleID);
      if (state?.last?.waiting?.mark !== answer.mark)
        throw new Refusal('conflict', 'watched.others-wait', said('watched.others-wait'));
      await this.#readNow(state.file, answer);
    });
  }

  /**
   * Stores options that settle doubts, those confirmed by omission too, and reads the file at once. Throws
   * `watched.others-wait` if nothing is in doubt.
   */
  settleDoubts(moduleID: string, reading: WatchedFile['reading']): Promise<void> {
    return this.#inTurn(async () => {
      const state = await this.get(moduleID);
      const doubts = state?.last?.doubts ?? [];
      if (!state || doubts.length === 0)
        throw new Refusal('conflict', 'watched.others-wait', said('watched.others-wait'));
      const { asChosenOptions } = await import('./choose-reading.ts');
      // The guess in doubt is stored at the reading below: it contradicts the answer no more.
      const isEncodingSettled = doubts.some(({ kind }) => kind === 'encoding');
      const file = {
        ...(isEncodingSettled
          ? {
              ...omit(state.file, 'encodingGuess'),
              ...omitUndefined({ guessBeforeAnswer: state.file.encodingGuess }),
            }
          : state.file),
        reading: { ...state.file.reading, ...asChosenOptions(doubts), ...reading },
      };
      await this.#deps.system.transaction((tx) => tx.put(FILES, moduleID, file));
      await this.#readNow(file);
    });
  }

  /** Reads and applies the whole file at once. Throws `watched.file` if it can't be found now. */
  async #readNow(file: WatchedFile, answer?: DeletionAnswer): Promise<void> {
    const found = await this.#findFile(file.path);
    if ('waits' in found) throw new Refusal('impossible', 'watched.file', found.waits);
    await this.#readAndApply(file, found, { isWhole: true, ...(answer ? { answer } : {}) });
  }

  /** Has the file read again of a list that came out of the bin, or got columns: it may have changed meanwhile. */
  listsChanged(change: ListsChange): void {
    if (change.kind !== 'list') return;
    const { module, before = module } = change;
    const known = new Set(before.fields.map(({ fieldID }) => fieldID));
    if (change.change === 'restored' || module.fields.some(({ fieldID }) => !known.has(fieldID)))
      this.#known.markUnread(module.moduleID);
  }

  /** Starts polling the files. */
  start(): void {
    this.#isRunning = true;
    this.#scheduleCheck();
  }

  /** Stops polling for good: aborts a reading, and waits for its end. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancel();
    this.#ends.abort();
    await this.#inTurn(() => undefined);
  }

  /** Starts a timer that checks all files in two seconds, in place of a running one; none once stopped. */
  #scheduleCheck(): void {
    this.#cancel();
    if (!this.#isRunning) return;
    this.#cancel = this.#deps.clock.after(LOOK_MS, () => {
      this.#inTurn(() => this.#checkAll()).catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'watched files could not be looked at'),
      );
    });
  }

  /** Checks the files one after another; then schedules the next check if there are files. */
  async #checkAll(): Promise<void> {
    const files = await this.#deps.system.page(FILES, { limit: MAX_FILES });
    for (const { value } of files) {
      if (!this.#isRunning) return;
      await this.#checkFile(upgradeStored(value));
    }
    // Without a timer an idle computer can sleep.
    if (files.length > 0) this.#scheduleCheck();
  }

  /** Resolves and reads the file that a user chose. Throws `watched.file` if it can't be read now. */
  async #readChosen(
    given: string,
  ): Promise<{ readonly path: string; readonly found: FoundFile; readonly bytes: Buffer }> {
    /** Throws `watched.file` with this reason, without its promise of a retry. */
    const refuseFile = (waits: Words): never => {
      throw new Refusal('impossible', 'watched.file', withoutRetryPromise(waits));
    };
    const { asking } = this.#deps;
    const path = await asking.runTimed(given, () => resolveChosenLocation(given), this.#ends.signal);
    if (typeof path !== 'string') return refuseFile(path.waits);
    const found = await this.#findFile(path);
    if ('waits' in found) return refuseFile(found.waits);
    const bytes = await this.#readWhole(found);
    return 'waits' in bytes ? refuseFile(bytes.waits) : { path, found, bytes };
  }

  /** Finds the file and records its drive; otherwise says why there is none, or that the drive doesn't respond. */
  async #findFile(path: string): ReturnType<typeof findFile> {
    const { asking } = this.#deps;
    const found = await asking.runTimed(path, () => findFile(path), this.#ends.signal);
    if (!('waits' in found)) asking.recordDrive(path, found.drive);
    return found;
  }

  /** Reads the file, or says why it can't be read, or that the drive doesn't respond. */
  #readWhole(found: FoundFile): ReturnType<typeof readWhole> {
    return this.#deps.asking.runTimed(
      found.path,
      ({ restart }) => readWhole(found, restart),
      this.#ends.signal,
    );
  }

  /** Throws `watched.a-copy` if the path is or contains an exported copy, as stored paths may come from a backup. */
  async #assertNoCopy(path: string): Promise<void> {
    if ((await this.#deps.copies()).some((copy) => isWithin(path, copy)))
      throw new Refusal('conflict', 'watched.a-copy', said('watched.a-copy', { file: shownFileName(path) }));
  }

  /**
   * Reads a changed file once it equals that of the check before; lines missing in a text file count as removed after
   * five such checks. Records why it can't be found. Reads no older table of a folder in place of a removed one.
   */
  async #checkFile(file: WatchedFile): Promise<void> {
    const known = this.#known.get(file.moduleID);
    if ((known.restsUntil ?? 0) > this.#deps.clock.monotonic()) return;
    const found = await this.#findFile(file.path);
    if ('waits' in found) {
      delete known.seen;
      // Once back, read even if unchanged.
      delete known.read;
      this.#known.recordDoubt(file.moduleID, found.waits);
      return;
    }
    if (!known.isExhaustedLoaded) await this.#known.loadExhausted(file.moduleID, found);
    if (isSameFile(known.read, found)) return;
    if (isOlder(file, known.last?.of, found)) {
      this.#known.recordDoubt(
        file.moduleID,
        said('watched.newest-gone', { folder: shownFileName(file.path) }),
      );
      return;
    }
    const still = isSameFile(known.seen, found) ? (known.still ?? 0) + 1 : 0;
    known.seen = found;
    known.still = still;
    const isWhole = still >= LOOKS_FOR_LOSS || !IS_TEXT.test(found.path);
    if (still > 0 && (isWhole || !isSameFile(known.readEarly, found)))
      await this.#readAndApply(file, found, { isWhole });
  }

  /**
   * Reads and applies the file; records and announces the result or failure.
   * @param options `isWhole`: what the file lacks counts as removed
   */
  async #readAndApply(
    file: WatchedFile,
    found: FoundFile,
    options: { readonly isWhole: boolean; readonly answer?: DeletionAnswer },
  ): Promise<void> {
    const { clock, onState } = this.#deps;
    const { moduleID } = file;
    const known = this.#known.get(moduleID);
    const bytes = await this.#readWhole(found);
    if ('waits' in bytes) {
      this.#known.recordDoubt(moduleID, bytes.waits);
      return;
    }
    try {
      await this.#assertNoCopy(file.path);
      const signal = this.#ends.signal;
      const { applyFile } = await import('./apply-file.ts');
      const { upgraded, ...taken } = await applyFile(
        this.#deps,
        file,
        { path: found.path, bytes },
        { ...options, signal },
      );
      if (upgraded) await this.#deps.system.transaction((tx) => tx.put(FILES, moduleID, upgraded));
      known.last = { ...taken, at: new Date(clock.now()).toISOString(), of: found };
      if (taken.isEarly) known.readEarly = found;
      else known.read = found;
      await this.#known.clearExhausted(moduleID);
      delete known.doubt;
      const words = describeGaps(taken, shownFileName(found.path));
      if (words) this.#known.recordProblem(moduleID, words);
      else delete known.problem;
      onState(moduleID);
    } catch (error) {
      await this.#recordFailure(file, found, error);
    }
  }

  /**
   * Records and announces why a file couldn't be applied, unless stopped or the list is in the bin. A refused one is
   * read again after a change, any other after 30 seconds. Stops following if the list is gone for good.
   */
  async #recordFailure({ moduleID, path }: WatchedFile, found: FoundFile, error: unknown): Promise<void> {
    if (this.#ends.signal.aborted) return;
    const known = this.#known.get(moduleID);
    if (error instanceof Refusal) {
      if (error.kind === 'not-found' && !(await this.#isThere(moduleID))) {
        if (await this.#deps.lists.isBinned(moduleID)) known.read = found;
        else await this.#forgetFile(moduleID);
        return;
      }
      known.read = found;
      const words = said('inbox.about-list', { list: shownFileName(found.path), what: error.words });
      this.#known.recordProblem(moduleID, words);
      if (isExhausted(error)) await this.#known.recordExhausted(moduleID, found, words);
      return;
    }
    known.restsUntil = this.#deps.clock.monotonic() + REST_MS;
    const file = shownFileName(path);
    if (error instanceof StoreError) this.#known.recordProblem(moduleID, error.words);
    else {
      this.#deps.log.warn({ err: error }, 'a watched file could not be taken in');
      this.#known.recordProblem(moduleID, said('watched.not-read', { file, code: 'internal' }));
    }
  }

  /** Stops following: deletes the file's entry, state and lines' digests; announces it. */
  async #forgetFile(moduleID: string): Promise<void> {
    await this.#deps.system.transaction((tx) => tx.delete(FILES, moduleID));
    await this.#known.clearExhausted(moduleID);
    this.#known.forget(moduleID);
    if (await this.#isThere(moduleID))
      await forgetAllLines(await this.#deps.store.partition(listPartition(moduleID)));
    this.#deps.onState(moduleID);
  }

  /** Returns whether the list exists outside the bin. */
  async #isThere(moduleID: string): Promise<boolean> {
    return (await this.#deps.lists.modules()).some((module) => module.moduleID === moduleID);
  }
}

/** Returns whether a folder's last read table is gone and this one is older: it would undo changes. */
const isOlder = (file: WatchedFile, last: FoundFile | undefined, found: FoundFile): boolean =>
  last !== undefined && found.path !== file.path && found.path !== last.path && found.changed < last.changed;

/** Returns what the last reading couldn't apply; undefined if all is well, or for early doubts. */
function describeGaps(
  { lacking, rejectedLines, isUnsure, doubts, isEarly }: AppliedFile,
  file: string,
): Words | undefined {
  if (doubts.length > 0) return isEarly ? undefined : said('watched.in-doubt', { file });
  if (lacking.length > 0) return said('watched.column-gone', { file, columns: lacking.join(', ') });
  if (isUnsure) return said('watched.unsure', { file, n: rejectedLines });
  return rejectedLines > 0 ? said('watched.rejected', { file, n: rejectedLines }) : undefined;
}
