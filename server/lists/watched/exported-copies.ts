import { basename, dirname, extname } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';
import { isReservedName, shownFileName } from '../../base/file-names.ts';
import { Refusal } from '../../base/refusal.ts';
import { StoreError, type Partition, type Store, type Table } from '../../store/store.ts';
import { revocable } from '../../store/recovery/withdrawals/revocable.ts';
import { said, type Words } from '../../words/said.ts';
import type { ListsChange, Module } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import type { SlowDriveGuard, StepTimeout } from './slow-drive-guard.ts';
import { revocableLocation } from './revocable-location.ts';
import { resolveChosenLocation, MOVED, isSameLocation, isWithin, resolveLocation } from './file-locations.ts';
import { isThere, replaceFile, whyNotWritten } from './replace-file.ts';
import { withoutRetryPromise } from './cannot-choose-now.ts';

/** A file rewritten after list changes. */
export interface ListCopy {
  readonly moduleID: string;
  /** Absolute, local; `.xlsx` or `.csv` sets the format. */
  readonly path: string;
}

export interface CopyState {
  readonly copy: ListCopy;
  readonly writtenAt?: string;
  readonly problem?: { readonly at: string; readonly words: Words };
}

const COPIES: Table<ListCopy> = { name: 'list-copy' };

/** Older data must not revive an ended or moved copy: it would overwrite a file. */
export const revocableCopies = revocable({ table: COPIES, ...revocableLocation<ListCopy>() });

const MAX_COPIES = 200;
/** A pull must not write a file per page. */
const SOON_MS = 2000;
const AGAIN_MS = 10_000;

export interface ListCopiesDeps {
  readonly lists: Lists;
  readonly store: Pick<Store, 'dataDir' | 'partition'>;
  readonly system: Partition;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly asking: SlowDriveGuard;
  readonly sources: () => Promise<readonly string[]>;
  readonly onState: (moduleID: string) => void;
}

/** Copies for spreadsheet programs, one per list, replaced atomically. */
export class ListCopies {
  readonly #deps: ListCopiesDeps;
  readonly #known = new Map<string, Omit<CopyState, 'copy'>>();
  readonly #inTurn = createMutex();
  /** Lists changed since their copies were written. */
  readonly #due = new Set<string>();
  /** Writes given up on a slow drive, perhaps still running. */
  readonly #underWay = new Set<string>();
  readonly #ends = new AbortController();
  #isRunning = false;
  #isPlanned = false;
  #cancel: () => void = () => undefined;

  constructor(deps: ListCopiesDeps) {
    this.#deps = deps;
  }

  /** Returns all copies, each with its last write and problem since the program started. */
  async all(): Promise<readonly CopyState[]> {
    const found = await this.#deps.system.page(COPIES, { limit: MAX_COPIES });
    return found.map(({ value }) => this.#copyStateOf(value));
  }

  /** Returns the list's copy; undefined if it has none. */
  async get(moduleID: string): Promise<CopyState | undefined> {
    const copy = await this.#deps.system.get(COPIES, moduleID);
    return copy && this.#copyStateOf(copy);
  }

  /**
   * Checks the path, writes the copy in place of the list's other one, and announces it. Throws a refusal if it can't
   * be written now; `copy.many` at 200 copies.
   */
  startCopy(moduleID: string, wish: { readonly path: string; readonly replace: boolean }): Promise<void> {
    return this.#inTurn(async () => {
      const { lists, system } = this.#deps;
      const module = await lists.module(moduleID);
      const before = await system.get(COPIES, moduleID);
      const copy = { moduleID, path: await this.#resolveChosen(wish.path) };
      await this.#assertNewPlace(copy, wish.replace || before?.path === copy.path);
      if (!before && (await system.count(COPIES)) >= MAX_COPIES)
        throw new Refusal('conflict', 'copy.many', said('copy.too-many', { most: MAX_COPIES }));
      await this.#writeCopy(module, copy).catch((error: unknown) => {
        if (isUnanswered(error)) throw unanswered(withoutRetryPromise(error.words));
        if (error instanceof Refusal || error instanceof StoreError) throw error;
        const words = withoutRetryPromise(whyNotWritten(copy.path, error));
        throw new Refusal('impossible', 'copy.file', words, { cause: error });
      });
      await system.transaction((tx) => tx.put(COPIES, moduleID, copy));
      this.#recordWrite(moduleID);
    });
  }

  /** Ends the list's copy; the file stays unchanged. */
  stopCopy(moduleID: string): Promise<void> {
    return this.#inTurn(() => this.#forgetCopy(moduleID));
  }

  /** Writes copies that show the changed list, in two seconds. Ignores workspaces and changes of visibility alone. */
  scheduleWrites(change: ListsChange): void {
    if (change.kind === 'workspaces') return;
    if (change.kind === 'rows' && !change.rows) return;
    this.#scheduleWrite(change.kind === 'rows' ? change.moduleID : change.module.moduleID, SOON_MS);
  }

  /** Starts writing. Schedules all copies, as changes while the program was closed are unknown. */
  start(): void {
    this.#isRunning = true;
    void this.all().then(
      (found) => found.forEach(({ copy }) => this.#scheduleWrite(copy.moduleID, SOON_MS)),
      (error: unknown) => this.#deps.log.warn({ err: error }, 'copies of lists are not known'),
    );
  }

  /** Stops writing for good: aborts a running write, and waits for its end. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancel();
    this.#ends.abort();
    await this.#inTurn(() => undefined);
  }

  /**
   * Marks the copies that show the list as due, and starts a timer to write them, unless one runs or writing is
   * stopped.
   */
  #scheduleWrite(moduleID: string, ms: number): void {
    this.#due.add(moduleID);
    if (!this.#isRunning || this.#isPlanned) return;
    this.#isPlanned = true;
    this.#cancel = this.#deps.clock.after(ms, () => {
      this.#isPlanned = false;
      this.#inTurn(() => this.#writeDue()).catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'copies of lists could not be written'),
      );
    });
  }

  /** Writes the copies that show changed lists; skips those of lists in the bin, forgets those of purged lists. */
  async #writeDue(): Promise<void> {
    const due = new Set(this.#due);
    this.#due.clear();
    const found = await this.#deps.system.page(COPIES, { limit: MAX_COPIES });
    const modules = new Map((await this.#deps.lists.modules()).map((module) => [module.moduleID, module]));
    for (const { value: copy } of found) {
      if (!this.#isRunning) return;
      const module = modules.get(copy.moduleID);
      if (!module) {
        if (!(await this.#deps.lists.isBinned(copy.moduleID))) await this.#forgetCopy(copy.moduleID);
      } else if (findShownLists(module).some((moduleID) => due.has(moduleID)))
        await this.#tryWrite(module, copy);
    }
  }

  /** Writes a copy and records the result; schedules a retry in ten seconds of what can succeed then. */
  async #tryWrite(module: Module, copy: ListCopy): Promise<void> {
    const { moduleID } = copy;
    try {
      await this.#assertAllowedPlace(copy);
      await this.#writeCopy(module, copy);
      this.#recordWrite(moduleID);
    } catch (error) {
      const refused = error instanceof Refusal ? error : undefined;
      const words = refused?.words ?? whyNotWritten(copy.path, error);
      // Retrying helps changed locations and slow drives, not unrepresentable values.
      if (!refused || refused.code === MOVED || isUnanswered(error)) this.#scheduleWrite(moduleID, AGAIN_MS);
      this.#recordProblem(moduleID, words);
    }
  }

  /**
   * Writes the file atomically. Throws `copy.no-answer` if the drive doesn't respond, or an earlier write still hangs;
   * such a write leaves the file unchanged when it ends.
   */
  async #writeCopy(module: Module, { path }: ListCopy): Promise<void> {
    if (this.#underWay.has(path)) throw unanswered(said('copy.no-answer', { file: shownFileName(path) }));
    const rows = await this.#deps.lists.rows(module.moduleID);
    const pieces = isWorkbook(path)
      ? (await import('../sheets/export-xlsx.ts')).exportXlsx(this.#deps.lists, { module, rows })
      : (await import('../csv/export.ts')).exportCsv(module, rows, { bom: true });
    let isGivenUp = false;
    /** Returns `on`, preceded by a check that throws `copy.no-answer` once the write was given up. */
    const unlessGivenUp = (on: () => void) => (): void => {
      if (isGivenUp) throw unanswered(said('copy.no-answer', { file: shownFileName(path) }));
      on();
    };
    try {
      await this.#withDrive(path, async ({ restart, pause }) => {
        this.#underWay.add(path);
        const timeout = { restart: unlessGivenUp(restart), pause: unlessGivenUp(pause) };
        await replaceFile(this.#deps.clock, path, pieces, timeout).finally(() => this.#underWay.delete(path));
      });
    } finally {
      isGivenUp = true;
    }
  }

  /** Runs `work` within the drive's time limit. Throws `copy.no-answer` beyond it, if drives hang, or once stopped. */
  async #withDrive<R>(path: string, work: (timeout: StepTimeout) => Promise<R>): Promise<R> {
    let done: { readonly of: R } | undefined;
    const waits = await this.#deps.asking.runTimed(
      path,
      async (timeout) => void (done = { of: await work(timeout) }),
      this.#ends.signal,
    );
    if (done) return done.of;
    throw unanswered(waits?.waits ?? said('copy.no-answer', { file: shownFileName(path) }));
  }

  /** Resolves a path that a user entered. Throws `copy.no-answer` if the drive doesn't answer in time. */
  async #resolveChosen(given: string): Promise<string> {
    return this.#withDrive(given, () => resolveChosenLocation(given));
  }

  /**
   * Throws a refusal for another format, reserved names, the data folder, a followed file, another list's copy. It runs
   * before each write, as a stored path may come from a backup.
   */
  async #assertAllowedPlace({ moduleID, path }: ListCopy): Promise<void> {
    const file = shownFileName(path);
    if (!isWorkbook(path) && extname(path).toLowerCase() !== '.csv')
      throw new Refusal('malformed', 'copy.kind', said('copy.kind'));
    if (isReservedName(basename(path)))
      throw new Refusal('malformed', 'copy.reserved', said('copy.reserved', { file }));
    if (isWithin(await resolveLocation(this.#deps.store.dataDir), path))
      throw new Refusal('impossible', 'copy.inside', said('copy.inside'));
    if ((await this.#deps.sources()).some((source) => isWithin(source, path)))
      throw new Refusal('conflict', 'copy.a-source', said('copy.a-source', { file }));
    const copies = (await this.all()).map(({ copy }) => copy);
    if (copies.some((other) => isSameLocation(other.path, path) && other.moduleID !== moduleID))
      throw new Refusal('conflict', 'copy.of-another', said('copy.of-another', { file }));
  }

  /**
   * Throws `copy.folder` for a missing folder, `copy.there-already` for an existing file, and refusals of {@link
   * #assertAllowedPlace}.
   * @param mayReplace an existing file is fine
   */
  async #assertNewPlace(copy: ListCopy, mayReplace: boolean): Promise<void> {
    const { path } = copy;
    const [file, folder] = [shownFileName(path), dirname(path)];
    await this.#assertAllowedPlace(copy);
    if (!(await this.#withDrive(path, () => isThere(folder))))
      throw new Refusal(
        'impossible',
        'copy.folder',
        said('copy.no-folder', { folder: shownFileName(folder) }),
      );
    if (!mayReplace && (await this.#withDrive(path, () => isThere(path))))
      throw new Refusal('conflict', 'copy.there-already', said('copy.there-already', { file }));
  }

  /** Records the time of a write, which ends any problem, and announces it. */
  #recordWrite(moduleID: string): void {
    this.#known.set(moduleID, { writtenAt: this.#now() });
    this.#deps.onState(moduleID);
  }

  /** Records and announces a problem, unless the copy has it already. */
  #recordProblem(moduleID: string, words: Words): void {
    const known = this.#known.get(moduleID);
    if (JSON.stringify(known?.problem?.words) === JSON.stringify(words)) return;
    this.#known.set(moduleID, { ...known, problem: { at: this.#now(), words } });
    this.#deps.onState(moduleID);
  }

  /** Deletes copy and state, and announces it; the file stays. */
  async #forgetCopy(moduleID: string): Promise<void> {
    await this.#deps.system.transaction((tx) => tx.delete(COPIES, moduleID));
    this.#known.delete(moduleID);
    this.#deps.onState(moduleID);
  }

  #now(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }

  #copyStateOf(copy: ListCopy): CopyState {
    return { copy, ...this.#known.get(copy.moduleID) };
  }
}

const NO_ANSWER = 'copy.no-answer';
const unanswered = (words: Words): Refusal => new Refusal('impossible', NO_ANSWER, words);
const isUnanswered = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === NO_ANSWER;

const isWorkbook = (path: string): boolean => extname(path).toLowerCase() === '.xlsx';

/** Returns ids of the lists that a copy shows: its own and referenced ones. */
const findShownLists = ({ moduleID, fields }: Module): readonly string[] => [
  moduleID,
  ...fields.flatMap(({ options }) => options.moduleID ?? []),
];
