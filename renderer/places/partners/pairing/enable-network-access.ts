import type { App } from '../../../state/app.svelte.ts';

const PAUSE_MS = 500;

/** Enough for a slow computer to restart its listeners. */
const TIMEOUT_MS = 60_000;

/** Whether an invite would lead to where nobody else is. */
export const isClosed = ({ settings, overview }: App): boolean =>
  settings?.settings.publicUrl === '' && overview?.reachable === false;

/** Whether our user can change that here: not where it was started so. */
export const canEnableNetworkAccess = (app: App): boolean =>
  isClosed(app) && app.settings?.addressGiven !== true;

/** Lets partners on the network reach this computer. The node restarts its listeners, so it does not answer for a moment. */
export async function enableNetworkAccess(app: App): Promise<void> {
  await app.changeSettings({ network: true });
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    try {
      await app.reloadOverview();
      if (app.overview?.reachable) return;
    } catch (problem) {
      if (Date.now() + PAUSE_MS >= deadline) throw problem;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** How long the router may take to answer. */
const ROUTER_MS = 30_000;

/** Asks the router to let partners in. Returns whether it does; otherwise it is not asked any more. */
export async function askRouter(app: App): Promise<boolean> {
  await app.changeSettings({ mapPort: true });
  const deadline = Date.now() + ROUTER_MS;
  while (Date.now() < deadline) {
    const answer = await app.office.reachability().catch(() => undefined);
    const router = answer?.checks.find(({ name }) => name === 'router');
    if (router?.ok) return true;
    if (router) break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await app.changeSettings({ mapPort: false });
  return false;
}
