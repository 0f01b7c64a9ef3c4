import type { App } from '../../../state/app.svelte.ts';

const PAUSE_MS = 500;

/** Enough for a slow computer to restart its listeners. */
const TIMEOUT_MS = 60_000;

/** Returns whether an invite would name an address that no other office can reach, as network access is off. */
export const isClosed = ({ settings, overview }: App): boolean =>
  settings?.settings.publicUrl === '' && overview?.reachable === false;

/** Returns whether our user can switch network access on here; not if a command-line option decides it. */
export const canEnableNetworkAccess = (app: App): boolean =>
  isClosed(app) && app.settings?.addressGiven !== true;

/**
 * Lets partners on the network reach this computer: changes the setting and waits until the node, which restarts
 * its listeners, answers as reachable, at most a minute. Throws if it doesn't answer then.
 */
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

/**
 * Asks the router to forward connections to this computer, for up to 30 seconds. Returns whether it does; if not,
 * switches the setting off again.
 */
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
