import type { Clock } from '../../base/clock.ts';
import type { Refusal } from '../../base/refusal.ts';
import type { Words } from '../../words/said.ts';
import type { Partition, Table } from '../../store/store.ts';
import { isSameFile, type FoundFile } from './find-file.ts';
import type { AppliedFile, WatchedFile } from './apply-file.ts';

export interface WatchedState {
  readonly file: WatchedFile;
  readonly problem?: { readonly at: string; readonly words: Words };
  readonly last?: AppliedFile & { readonly at: string; readonly of: FoundFile };
}

/** Skipped until the file changes: it exceeded memory or time. Key: list id. */
const EXHAUSTED: Table<{ readonly of: FoundFile; readonly at: string; readonly words: Words }> = {
  name: 'watched-file-exhausted',
};

/** Returns whether the worker that read a file ended: the same file would end it again. */
export const isExhausted = ({ code }: Refusal): boolean => code.startsWith('reading.');

export interface FileState {
  /** Last look; `still` counts looks since it changed. */
  seen?: FoundFile;
  still?: number;
  /** Last reading, successful or not. */
  read?: FoundFile;
  /** Before missing lines counted as removed. */
  readEarly?: FoundFile;
  restsUntil?: number;
  /** Last look's failure, as JSON; a problem once repeated. */
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

  /** Returns the state for the caller to update; creates an empty one if needed. */
  get(moduleID: string): FileState {
    const known = this.#known.get(moduleID) ?? {};
    this.#known.set(moduleID, known);
    return known;
  }

  /** Returns the file with its problem and last result, if any. */
  toWatchedState(file: WatchedFile): WatchedState {
    const { problem, last } = this.get(file.moduleID);
    return { file, ...(problem ? { problem } : {}), ...(last ? { last } : {}) };
  }

  /** Forgets all but the file as found. */
  reset(moduleID: string, found: FoundFile): void {
    this.#known.set(moduleID, { seen: found });
  }

  /**
   * Has the file of a list read at the next check, even if it is unchanged; not one that exceeds its reader's limits.
   */
  markUnread(moduleID: string): void {
    const known = this.#known.get(moduleID);
    if (!known) return;
    delete known.read;
    delete known.readEarly;
    delete known.isExhaustedLoaded;
  }

  /** Forgets the list's state in memory. */
  forget(moduleID: string): void {
    this.#known.delete(moduleID);
  }

  /** Stores that this version of the file exceeded its reader's memory or time. */
  async recordExhausted(moduleID: string, version: FoundFile, words: Words): Promise<void> {
    const at = new Date(this.#deps.clock.now()).toISOString();
    await this.#deps.system.transaction((tx) => tx.put(EXHAUSTED, moduleID, { of: version, at, words }));
  }

  /**
   * Counts a version that exceeded its reader's limits as read, with that problem. Does nothing if the file was read in
   * this run or changed since.
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

  /** Deletes what {@link recordExhausted} stored, if anything. */
  async clearExhausted(moduleID: string): Promise<void> {
    if (await this.#deps.system.get(EXHAUSTED, moduleID))
      await this.#deps.system.transaction((tx) => tx.delete(EXHAUSTED, moduleID));
  }

  /** Records a problem if the previous check failed alike; otherwise only notes it. */
  recordDoubt(moduleID: string, words: Words): void {
    const known = this.get(moduleID);
    const doubt = JSON.stringify(words);
    if (known.doubt === doubt) this.recordProblem(moduleID, words);
    known.doubt = doubt;
  }

  /** Sets and announces the problem, unless the file has it already. */
  recordProblem(moduleID: string, words: Words): void {
    const known = this.get(moduleID);
    if (JSON.stringify(known.problem?.words) === JSON.stringify(words)) return;
    known.problem = { at: new Date(this.#deps.clock.now()).toISOString(), words };
    this.#deps.onState(moduleID);
  }
}
