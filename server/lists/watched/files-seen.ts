import type { Clock } from '../../base/clock.ts';
import type { Words } from '../../words/said.ts';
import type { FoundFile } from './find-file.ts';
import type { TakenIn, WatchedFile } from './take-in.ts';

/** How it stands with a list that is kept as in a file. */
export interface WatchedState {
  readonly file: WatchedFile;
  /** Why it cannot be read for now, or why what is in it cannot be used. */
  readonly problem?: { readonly at: string; readonly words: Words };
  /** The last reading since this program runs. */
  readonly last?: TakenIn & { readonly at: string; readonly of: FoundFile };
}

/** What is known of one file while the program runs. */
export interface FileAsSeen {
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
}

interface FilesSeenDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** How it stands with the file of a list changed. */
  readonly onState: (moduleID: string) => void;
}

/** What is known of the files that lists are kept as in, while the program runs. */
export class FilesSeen {
  readonly #deps: FilesSeenDeps;
  readonly #known = new Map<string, FileAsSeen>();

  constructor(deps: FilesSeenDeps) {
    this.#deps = deps;
  }

  /** Of the file of a list, to be kept up by who looks at it. */
  of(moduleID: string): FileAsSeen {
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
