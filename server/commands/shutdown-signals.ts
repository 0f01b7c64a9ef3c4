import { PARENT_PID_VARIABLE, watchParent } from '../base/parent-process.ts';
import type { Ready } from '../node/node.ts';
import { openBrowser } from './open-browser.ts';
import type { ServeOptions } from './serve-options.ts';

/** After this time the process ends anyway. */
const STOP_MS = 2_000;

/** On Windows, SIGHUP is a closed console, SIGBREAK Ctrl+Break. */
const STOP_SIGNALS: readonly NodeJS.Signals[] = [
  ...(['SIGTERM', 'SIGINT', 'SIGHUP'] as const),
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
];

/** Calls `begin` at each stop signal. Returns a function that removes the handlers. */
export function onStopSignals(begin: () => void): () => void {
  for (const signal of STOP_SIGNALS) process.on(signal, begin);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, begin);
  };
}

/**
 * Graceful shutdown: calls `stop` at the first stop signal, or the end of a parent that the environment names; resolves
 * when it has finished, even if it failed. After 2 seconds the process ends anyway. Further signals change nothing.
 */
export function stopOnSignal(stop: () => Promise<void>): Promise<void> {
  return new Promise<void>((done) => {
    let stopping = false;
    /** Calls `stop` once, ignoring its failure; ends the process if it still runs 2 seconds later. */
    const beginStop = (): void => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(0), STOP_MS).unref();
      stop()
        .finally(done)
        .catch(() => undefined);
    };
    onStopSignals(beginStop);
    const launcher = Number(process.env[PARENT_PID_VARIABLE]);
    if (launcher > 0) watchParent(launcher, beginStop);
  });
}

/** Returns a link into the window for a terminal; for a log or file, which others read, a command that prints one. */
function windowHint(link: string, dataDir: string, tunnelPort?: number): string {
  if (process.stdout.isTTY) return `Its window, for this computer and the next ten minutes:\n\n  ${link}`;
  const [, script = ''] = process.argv;
  const program = script.endsWith('cli.js') ? `node ${script}` : 'footbridge';
  const port = tunnelPort === undefined ? '' : ` --tunnel-port ${tunnelPort}`;
  return `Its window is at ${new URL(link).origin}. This command prints a link into it:\n\n  ${program} window --data ${dataDir}${port}`;
}

/**
 * Prints where the node is, with `json` as JSON; else `open` opens its window. Returns a function that removes the
 * browser's page, if any.
 */
export function printReady(
  ready: Ready,
  { json, open, store, publicUrl, tunnelPort }: ServeOptions,
): () => void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ event: 'ready', ...ready, pid: process.pid })}\n`);
    return () => undefined;
  }
  process.stdout.write(
    `Footbridge is running. ${windowHint(ready.window, ready.dataDir, tunnelPort)}\n\n` +
      `Partners reach it at ${publicUrl ?? ready.federation}\nIts data lies in ${store === undefined ? ready.dataDir : 'the database'}\nCtrl+C stops it.\n`,
  );
  return open ? openBrowser(ready.window, ready.dataDir) : () => undefined;
}
