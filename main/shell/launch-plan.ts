import { posix, win32 } from 'node:path';

/** Facts about a start from the sources. */
export interface LaunchSituation {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Numeric user, 0 is root; undefined on systems without. */
  readonly uid: number | undefined;
  readonly args: readonly string[];
}

export type LaunchPlan =
  | { readonly run: 'desktop' }
  /** `why` is fit to be printed; empty when the user asked for it. */
  | { readonly run: 'headless'; readonly why: string };

/** Returns whether to try the desktop app, or to run headless with the reason. Finding Electron is the next step. */
export function planLaunch({ platform, env, uid, args }: LaunchSituation): LaunchPlan {
  if (args.includes('--headless')) return { run: 'headless', why: '' };
  if (platform !== 'linux') return { run: 'desktop' };
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return { run: 'headless', why: 'There is no display here.' };
  if (uid === 0) return { run: 'headless', why: 'The desktop app does not run as root.' };
  return { run: 'desktop' };
}

/** Returns the path of Electron's program within its folder. */
export function electronProgram(platform: NodeJS.Platform, folder: string): string {
  if (platform === 'win32') return win32.join(folder, 'electron.exe');
  return posix.join(folder, platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron');
}

/** Exit code of the desktop app after a message to the user on why it can't start. */
export const EXIT_REPORTED = 3;

const EARLY_MS = 20_000;

/**
 * Returns whether the desktop app failed to start (no sandbox, a missing library, no display), so that the browser
 * should be used. Ends after 20 seconds, by a signal of the user, or after a message to the user are ordinary ends.
 */
export function failedToComeUp(code: number | null, signal: string | null, afterMs: number): boolean {
  if (afterMs > EARLY_MS || signal === 'SIGINT' || signal === 'SIGTERM') return false;
  return signal !== null || (code !== 0 && code !== EXIT_REPORTED);
}
