import { StoreError } from '../../server/store/store.ts';
import { said } from '../../server/words/said.ts';
import type { Electron } from '../electron.ts';
import { translationFor, type Translation } from '../text/i18n.ts';
import { createDialogs, type Dialogs } from '../window/dialogs.ts';
import { EXIT_REPORTED } from './launch-plan.ts';

/* These end a start before there is a shell, with a dialog. Call them when Electron is ready. */

type Uses = Electron<'app' | 'dialog' | 'shell'>;

/** Creates message boxes in the system's language. */
function dialogsOf(electron: Uses, dataDir: string): Dialogs {
  const speech = (): Translation => translationFor('system', electron.app.getLocale());
  return createDialogs({ electron, dataDir, speech });
}

/** Says that the folder can't be written, then ends this process; plans a new start if the user retries. */
export async function quitUnwritable(electron: Uses, folder: string): Promise<void> {
  const { app } = electron;
  const failure = new StoreError('permission', said('disk.not-writable'));
  const answer = await dialogsOf(electron, folder).startFailed(failure, () => Promise.resolve(undefined));
  if (answer === 'retry') app.relaunch();
  app.exit(EXIT_REPORTED);
}

/** Tells the user that the link is too long for the running instance; then ends this process. */
export async function quitLinkTooLong(electron: Uses, folder: string): Promise<void> {
  await dialogsOf(electron, folder).linkRefused('link.too-long');
  electron.app.exit(EXIT_REPORTED);
}
