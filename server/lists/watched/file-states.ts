import type { Clock } from '../../base/clock.ts';
import type { Words } from '../../words/said.ts';
import type { Partition, Table } from '../../store/store.ts';
import { isSameFile, type FoundFile } from './find-file.ts';
import type { AppliedFile, WatchedFile } from './apply-file.ts';

/** How it stands with a list that is kept as in a file. */
export interface WatchedState {
  readonly file: WatchedFile;
  /** Why it cannot be read for now, or why what is in it cannot be used. */
  readonly problem?: { readonly at: string; readonly words: Words };
  /** The last reading since this program runs. */
  readonly last?: AppliedFile & { readonly at: string; readonly of: FoundFile };
}

/** A file that exhausted the memory or time of its reader: it is not read again until it changes, also after a restart. */
const EXHAUSTED: Table<{ readonly of: FoundFile; readonly at: string; readonly words: Words }> = {
  name: 'watched-file-exhausted',
};

/** What is known of one file while the program runs. */
export interface FileState {
  /** At the last look, and at how many before that it was the same. */
  seen?: FoundFile;
  still?: number;
  /** As it was read last, well or not. */
  read?: FoundFile;
  /** As it was read before its lines that are missing were taken for gone. */
  readEarly?: FoundFile;
  restsUntil?: number;
  /** Why it could not be read at the last look: told at the next one, as most of that is over by then. */
  doubt?: string;
  problem?: WatchedState['problem'];
  last?: WatchedState['last'];
  /** What an earlier run of the program noted was looked up. */
  isRecalled?: boolean;
}

interface FilesSeenDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly system: Partition;
  /** How it stands with the file of a list changed. */
  readonly onState: (moduleID: string) => void;
}

/** What is known of the files that lists are kept as in, while the program runs. */
export class FileStates {
  readonly #deps: FilesSeenDeps;
  readonly #known = new Map<string, FileState>();

  constructor(deps: FilesSeenDeps) {
    this.#deps = deps;
  }

  /** Of the file of a list, to be kept up by who looks at it. */
  of(moduleID: string): FileState {
    const known = this.#known.get(moduleID) ?? {};
    this.#known.set(moduleID, known);
    return known;
  }

  stateOf(file: WatchedFile): WatchedState {
    const { problem, last } = this.of(file.moduleID);
    return { file, ...(problem ? { problem } : {}), ...(last ? { last } : {}) };
  }

  /** Nothing more than that it is there. */
  begin(moduleID: string, found: FoundFile): void {
    this.#known.set(moduleID, { seen: found });
  }

  forget(moduleID: string): void {
    this.#known.delete(moduleID);
  }

  /** Notes that this file exhausted its reader. */
  async exhausted(moduleID: string, of: FoundFile, words: Words): Promise<void> {
    const at = new Date(this.#deps.clock.now()).toISOString();
    await this.#deps.system.transaction((tx) => tx.put(EXHAUSTED, moduleID, { of, at, words }));
  }

  /** Takes over what an earlier run noted, where it is the same file still. */
  async recall(moduleID: string, found: FoundFile): Promise<void> {
    const known = this.of(moduleID);
    known.isRecalled = true;
    const noted = await this.#deps.system.get(EXHAUSTED, moduleID);
    if (!noted || known.read || !isSameFile(noted.of, found)) return;
    known.read = found;
    known.problem = { at: noted.at, words: noted.words };
    this.#deps.onState(moduleID);
  }

  /** Its file was read, or is followed no more. */
  async succeeded(moduleID: string): Promise<void> {
    if (await this.#deps.system.get(EXHAUSTED, moduleID))
      await this.#deps.system.transaction((tx) => tx.delete(EXHAUSTED, moduleID));
  }

  /** It cannot be read, which is told where it was so at the last look already. */
  doubts(moduleID: string, words: Words): void {
    const known = this.of(moduleID);
    const doubt = JSON.stringify(words);
    if (known.doubt === doubt) this.waits(moduleID, words);
    known.doubt = doubt;
  }

  /** What is in it did not go in, or not all of it. */
  waits(moduleID: string, words: Words): void {
    const known = this.of(moduleID);
    if (JSON.stringify(known.problem?.words) === JSON.stringify(words)) return;
    known.problem = { at: new Date(this.#deps.clock.now()).toISOString(), words };
    this.#deps.onState(moduleID);
  }
}
