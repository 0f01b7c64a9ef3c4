import { StoreError } from '../../server/store/store.ts';
import { said } from '../../server/words/said.ts';
import type { Electron } from '../electron.ts';
import { speechFor, type Speech } from '../text/speech.ts';
import { createDialogs, type Dialogs } from '../window/dialogs.ts';
import { EXIT_TOLD } from './launch-plan.ts';

/*
 * Starts that end before there is a shell, with a dialog that says why. To be called when Electron is ready.
 */

type Uses = Electron<'app' | 'dialog' | 'shell'>;

function dialogsOf(electron: Uses, dataDir: string): Dialogs {
  const speech = (): Speech => speechFor('system', electron.app.getLocale());
  return createDialogs({ electron, dataDir, speech });
}

/** Nothing can be written in that folder. */
export async function endUnwritable(electron: Uses, folder: string): Promise<void> {
  const { app } = electron;
  const failure = new StoreError('permission', said('disk.not-writable'));
  const answer = await dialogsOf(electron, folder).startFailed(failure, () => Promise.resolve(undefined));
  if (answer === 'retry') app.relaunch();
  app.exit(EXIT_TOLD);
}

/** The link that it was started for is too long for any other start to be asked about. */
export async function endTooLong(electron: Uses, folder: string): Promise<void> {
  await dialogsOf(electron, folder).linkRefused('link.too-long');
  electron.app.exit(EXIT_TOLD);
}
