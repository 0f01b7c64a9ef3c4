import { StoreError } from '../../server/store/store.ts';
import { said } from '../../server/words/said.ts';
import type { Electron } from '../electron.ts';
import { speechFor, type Speech } from '../text/speech.ts';
import { createDialogs } from '../window/dialogs.ts';
import { EXIT_TOLD } from './launch-plan.ts';

/** Tells the user that nothing can be written there, and ends the app. To be called when Electron is ready. */
export async function endUnwritable(
  electron: Electron<'app' | 'dialog' | 'shell'>,
  folder: string,
): Promise<void> {
  const { app } = electron;
  const speech = (): Speech => speechFor('system', app.getLocale());
  const dialogs = createDialogs({ electron, dataDir: folder, speech });
  const failure = new StoreError('permission', said('disk.not-writable'));
  if ((await dialogs.startFailed(failure, () => Promise.resolve(undefined))) === 'retry') app.relaunch();
  app.exit(EXIT_TOLD);
}
