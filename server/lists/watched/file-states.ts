import type { Clock } from '../../base/clock.ts';
import type { Words } from '../../words/said.ts';
import type { Partition, Table } from '../../store/store.ts';
import { isSameFile, type FoundFile } from './find-file.ts';
import type { AppliedFile, WatchedFile } from './apply-file.ts';

export interface WatchedState {
  readonly file: WatchedFile;
  readonly problem?: { readonly at: string; readonly words: Words };
  readonly last?: AppliedFile & { readonly at: string; readonly of: FoundFile };
}

/** A file that exceeded its reader's memory or time: it isn't read again until it changes. Key: the list's id. */
const EXHAUSTED: Table<{ readonly of: FoundFile; readonly at: string; readonly words: Words }> = {
  name: 'watched-file-exhausted',
};

export interface FileState {
  /** The file at the last look, and the number of looks since it changed. */
  seen?: FoundFile;
  still?: number;
  /** The file at the last reading, successful or not. */
  read?: FoundFile;
  /** The file as it was read before its missing lines counted as removed. */
  readEarly?: FoundFile;
  restsUntil?: number;
  /** Why the last look failed, as JSON; it becomes a problem if the next look fails alike. */
  doubt?: string;
  problem?: WatchedState['problem'];
  last?: WatchedState['last'];
  isExhaustedLoaded?: boolean;
}

interface FilesSeenDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly system: Partition;
  readonly onState: (moduleID: string) => void;
}

/** In-memory state of the files that lists follow. */
export class FileStates {
  readonly #deps: FilesSeenDeps;
  readonly #known = new Map<string, FileState>();

  constructor(deps: FilesSeenDeps) {
    this.#deps = deps;
  }

  /** Returns a list's state for the caller to update; an empty one is created if needed. */
  get(moduleID: string): FileState {
    const known = this.#known.get(moduleID) ?? {};
    this.#known.set(moduleID, known);
    return known;
  }

  toWatchedState(file: WatchedFile): WatchedState {
    const { problem, last } = this.get(file.moduleID);
    return { file, ...(problem ? { problem } : {}), ...(last ? { last } : {}) };
  }

  /** Replaces a list's state by one that knows only the file as found. */
  reset(moduleID: string, found: FoundFile): void {
    this.#known.set(moduleID, { seen: found });
  }

  /** Has the file of a list read at the next look, even if it is unchanged; not one that exceeds its reader's limits. */
  markUnread(moduleID: string): void {
    const known = this.#known.get(moduleID);
    if (!known) return;
    delete known.read;
    delete known.readEarly;
    delete known.isExhaustedLoaded;
  }

  forget(moduleID: string): void {
    this.#known.delete(moduleID);
  }

  /** Stores that this version of a file exceeded its reader's memory or time. */
  async recordExhausted(moduleID: string, of: FoundFile, words: Words): Promise<void> {
    const at = new Date(this.#deps.clock.now()).toISOString();
    await this.#deps.system.transaction((tx) => tx.put(EXHAUSTED, moduleID, { of, at, words }));
  }

  /**
   * Restores from the store that this version of a file exceeded its reader's limits: then it counts as read, with that
   * problem. Does nothing if the file was read in this run or changed since.
   */
  async loadExhausted(moduleID: string, found: FoundFile): Promise<void> {
    const known = this.get(moduleID);
    known.isExhaustedLoaded = true;
    const noted = await this.#deps.system.get(EXHAUSTED, moduleID);
    if (!noted || known.read || !isSameFile(noted.of, found)) return;
    known.read = found;
    known.problem = { at: noted.at, words: noted.words };
    this.#deps.onState(moduleID);
  }

  async clearExhausted(moduleID: string): Promise<void> {
    if (await this.#deps.system.get(EXHAUSTED, moduleID))
      await this.#deps.system.transaction((tx) => tx.delete(EXHAUSTED, moduleID));
  }

  /** Records why a list's file can't be read now: as a problem if the previous look failed for the same reason. */
  recordDoubt(moduleID: string, words: Words): void {
    const known = this.get(moduleID);
    const doubt = JSON.stringify(words);
    if (known.doubt === doubt) this.recordProblem(moduleID, words);
    known.doubt = doubt;
  }

  /** Records the problem of a list's file, with the time, and announces it, unless it has the same problem already. */
  recordProblem(moduleID: string, words: Words): void {
    const known = this.get(moduleID);
    if (JSON.stringify(known.problem?.words) === JSON.stringify(words)) return;
    known.problem = { at: new Date(this.#deps.clock.now()).toISOString(), words };
    this.#deps.onState(moduleID);
  }
}
