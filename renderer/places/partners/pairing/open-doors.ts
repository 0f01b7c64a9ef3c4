import type { App } from '../../../state/app.svelte.ts';

const PAUSE_MS = 500;
const TRIES = 20;

/** Whether an invite would lead to where nobody else is. */
export const isClosed = ({ settings, overview }: App): boolean =>
  settings?.settings.publicUrl === '' && overview?.reachable === false;

/** Whether our user can change that here: not where it was started so. */
export const canOpenDoors = (app: App): boolean => isClosed(app) && app.settings?.addressGiven !== true;

/** Lets partners on the network reach this computer. The node opens its doors anew, and does not answer for a moment. */
export async function openDoors(app: App): Promise<void> {
  await app.changeSettings({ network: true });
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      await app.reloadOverview();
      if (app.overview?.reachable) return;
    } catch (problem) {
      if (tries === TRIES) throw problem;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
