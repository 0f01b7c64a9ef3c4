import { ListenError } from '../../server/http/listeners/listen.ts';
import { StoreError } from '../../server/store/store.ts';
import { speak } from '../../server/words/said.ts';
import type { Translation } from '../text/i18n.ts';

/** What to tell a user whose app can't start: no jargon, what to do, and what is safe. */
export interface Failure {
  readonly message: string;
  readonly detail: string;
  /** Opening the folder may help, for instance to copy it. */
  readonly offerDataFolder: boolean;
  /** Unexpected: worth a report file. */
  readonly report: boolean;
}

const ABOUT_THE_FOLDER: readonly StoreError['code'][] = ['damaged', 'permission', 'foreign', 'full', 'io'];

/** Returns what to tell the user when the node didn't start: what happened, and what to do. */
export function startFailure(error: unknown, { t, language }: Translation): Failure {
  if (error instanceof StoreError) {
    const message = t(`failure.${error.code}.message`);
    const detail = `${speak(error.words, language)}\n\n${t(`failure.${error.code}.advice`)}`;
    return { message, detail, offerDataFolder: ABOUT_THE_FOLDER.includes(error.code), report: false };
  }
  if (error instanceof ListenError) {
    // What follows the first sentence is about the command line.
    const found = error.message.split('. ')[0] ?? '';
    const detail = `${found}.\n\n${t('failure.port.advice')}`;
    return { message: t('failure.port.message'), detail, offerDataFolder: false, report: false };
  }
  return {
    message: t('failure.unforeseen.message'),
    detail: t('failure.unforeseen.advice'),
    offerDataFolder: false,
    report: true,
  };
}
