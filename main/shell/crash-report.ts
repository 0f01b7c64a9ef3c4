import { inspect } from 'node:util';
import { redact } from '../../server/node/log.ts';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { arch, homedir, platform, release } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../../server/version.ts';
import type { Dialogs } from '../window/dialogs.ts';
import type { NodeRunner } from './node-runner.ts';

interface CrashPlace {
  readonly version: string;
  readonly platform: string;
  readonly release: string;
  readonly arch: string;
  readonly electron: string;
  readonly uptimeSeconds: number;
  /** Written as `~`. */
  readonly home: string;
}

/** Returns an error's stack and its causes', at most five together; of anything else its contents. */
export function stackWithCauses(error: unknown): string {
  const seen: string[] = [];
  for (let cause = error; cause !== undefined && seen.length < 5;) {
    seen.push(cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause, { depth: 2 }));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return seen.join('\n\nCaused by: ');
}

/**
 * Returns a crash report's text, with the home folder as `~` and without apparent secrets; an error's message may still
 * quote data.
 */
export function crashReport(error: unknown, during: string, at: Date, place: CrashPlace): string {
  const text = [
    `Footbridge ${place.version} stopped unexpectedly`,
    `At: ${at.toISOString()}`,
    `During: ${during}`,
    `System: ${place.platform} ${place.release} ${place.arch}, Electron ${place.electron}`,
    `Running for: ${Math.round(place.uptimeSeconds)} s`,
    '',
    stackWithCauses(error),
    '',
  ].join('\n');
  const homeless = place.home.length > 1 ? text.replaceAll(place.home, '~') : text;
  return redact(homeless);
}

export const crashFileName = (at: Date): string =>
  `crash-${at.toISOString().replace(/[:.]/g, '-').slice(0, 23)}.txt`;

const MAX_REPORTS = 10;

/**
 * Writes a crash report below the data folder, for the owner only, and deletes all but the last ten. Returns its path;
 * undefined if the disk refuses.
 */
export async function writeReport(
  dataDir: string,
  error: unknown,
  during: string,
): Promise<string | undefined> {
  const folder = join(dataDir, 'reports');
  const now = new Date();
  const text = crashReport(error, during, now, {
    version: VERSION,
    platform: platform(),
    release: release(),
    arch: arch(),
    electron: process.versions.electron,
    uptimeSeconds: process.uptime(),
    home: homedir(),
  });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, crashFileName(now));
    await writeFile(file, text, { mode: 0o600 });
    const old = (await readdir(folder)).filter((name) => name.startsWith('crash-')).sort();
    for (const name of old.slice(0, -MAX_REPORTS)) await rm(join(folder, name), { force: true });
    return file;
  } catch {
    return undefined;
  }
}

/** Resolves once the message is closed and the choice carried out. */
export type CrashResponse = (
  outcome: 'restarted' | 'gave-up',
  error: unknown,
  during: string,
) => Promise<void>;

/**
 * Returns the handler of the node's crashes: it writes a report, reloads the page and says that the node runs again or,
 * if given up, asks whether to retry or quit, until one succeeds.
 */
export function createCrashResponse(deps: {
  dataDir: string;
  dialogs: Dialogs;
  runner: () => Pick<NodeRunner, 'retry'>;
  reloadPage: () => void;
  /** Shows in the tray that nothing is synced. */
  showDown: () => void;
  quit: () => void;
}): CrashResponse {
  const { dialogs } = deps;
  return async function tell(outcome, error, during) {
    const report = await writeReport(deps.dataDir, error, during);
    if (outcome === 'restarted') {
      deps.reloadPage();
      await dialogs.restarted(report);
      return;
    }
    deps.showDown();
    if ((await dialogs.gaveUp(error, report)) === 'quit') {
      deps.quit();
      return;
    }
    try {
      await deps.runner().retry();
    } catch (again) {
      await tell('gave-up', again, 'trying again');
    }
  };
}
