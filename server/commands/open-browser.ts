import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from '../base/child-environment.ts';

/** A slow computer's browser start. The link works once, for ten minutes. */
const KEPT_MS = 60_000;
/** Exists in the data folder while a browser starts. */
export const PAGE = 'open-window.html';

export interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Starts a program in the background; a missing one is no error. */
  start(command: string, args: readonly string[]): void;
  /** Calls `work` later unless the process ends. */
  after(milliseconds: number, work: () => void): void;
}

/**
 * Opens the window in the user's browser, if there is a desktop. A private page in `folder` redirects to the link, as
 * all users can read a program's arguments. The result removes that page, as happens after a minute.
 */
export function openBrowser(url: string, folder: string, desktop: Desktop = thisDesktop): () => void {
  const { platform, env } = desktop;
  if (platform === 'linux' && env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined)
    return () => undefined;
  const page = join(folder, PAGE);
  const remove = (): void => rmSync(page, { force: true });
  remove();
  writeFileSync(page, redirectPage(url), { mode: 0o600, flag: 'wx' });
  desktop.after(KEPT_MS, remove);
  const shown = pathToFileURL(page).href;
  if (platform === 'darwin') desktop.start('open', [shown]);
  else if (platform === 'win32') desktop.start('cmd', ['/c', 'start', '', shown]);
  else desktop.start('xdg-open', [shown]);
  return remove;
}

/** Returns an HTML page that leads to the link at once. */
function redirectPage(url: string): string {
  const link = new URL(url).href.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}">
<title>Footbridge</title>
<p><a href="${link}">Footbridge</a></p>
`;
}

const thisDesktop: Desktop = {
  platform: process.platform,
  env: process.env,
  /** Starts a program detached, without secrets in the environment; ignores errors. */
  start(command, args) {
    const env = childEnvironment(process.env);
    const child = spawn(command, args, { stdio: 'ignore', detached: true, env });
    child.on('error', () => undefined);
    child.unref();
  },
  after: (milliseconds, work) => void setTimeout(work, milliseconds).unref(),
};
