import type { App } from '../../../state/app.svelte.ts';

const PAUSE_MS = 500;

const TIMEOUT_MS = 60_000;

/** Returns whether an invite's address would be unreachable, as network access is off. */
export const isClosed = ({ settings, overview }: App): boolean =>
  settings?.settings.publicUrl === '' && overview?.reachable === false;

/** Returns whether network access is off and no command-line option decides it. */
export const canEnableNetworkAccess = (app: App): boolean =>
  isClosed(app) && app.settings?.addressGiven !== true;

/**
 * Switches network access on. Waits at most a minute until the node, which reopens its listeners, can be reached;
 * returns even if it never can. Throws if the setting isn't saved, or the node doesn't answer at the end.
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

const ROUTER_MS = 30_000;

/**
 * Asks the router to forward connections here. Returns whether it does within 30 seconds; if not, or once it refuses,
 * switches the setting off again. Throws if a setting isn't saved.
 */
export async function enablePortMapping(app: App): Promise<boolean> {
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
