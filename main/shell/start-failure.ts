import { ListenError } from '../../server/http/listeners/listen.ts';
import { StoreError } from '../../server/store/store.ts';
import type { Texts } from '../text/en.ts';

/** What to tell a user whose app cannot start: no jargon, what to do, and what was not lost. */
export interface Failure {
  readonly message: string;
  readonly detail: string;
  /** The folder is worth looking at, for instance to make a copy of it. */
  readonly offerDataFolder: boolean;
  /** Unforeseen: worth a report file. */
  readonly report: boolean;
}

const ABOUT_THE_FOLDER: readonly StoreError['code'][] = ['damaged', 'permission', 'full', 'io'];

/** Explains why the node did not start. */
export function startFailure(error: unknown, { failures }: Texts): Failure {
  if (error instanceof StoreError) {
    const { message, advice } = failures[error.code];
    const offerDataFolder = ABOUT_THE_FOLDER.includes(error.code);
    return { message, detail: `${advice}\n\n${error.message}`, offerDataFolder, report: false };
  }
  if (error instanceof ListenError) {
    const { message, advice } = failures.port;
    // What follows its first sentence is about the command line.
    const found = error.message.split('. ')[0] ?? '';
    return { message, detail: `${advice}\n\n${found}.`, offerDataFolder: false, report: false };
  }
  const { message, advice } = failures.unforeseen;
  return { message, detail: advice, offerDataFolder: false, report: true };
}
