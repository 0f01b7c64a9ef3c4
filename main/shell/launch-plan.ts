import { posix, win32 } from 'node:path';

interface LaunchSituation {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** 0: root; undefined without numeric users. */
  readonly uid: number | undefined;
  readonly args: readonly string[];
}

type LaunchPlan =
  | { readonly run: 'desktop' }
  /** Printed; empty if the user asked for it. */
  | { readonly run: 'headless'; readonly why: string };

/**
 * Returns whether a start from the sources should try the desktop app, or run headless and why: at `--headless`, and on
 * Linux without a display or as root.
 */
export function planLaunch({ platform, env, uid, args }: LaunchSituation): LaunchPlan {
  if (args.includes('--headless')) return { run: 'headless', why: '' };
  if (platform !== 'linux') return { run: 'desktop' };
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return { run: 'headless', why: 'There is no display here.' };
  if (uid === 0) return { run: 'headless', why: 'The desktop app does not run as root.' };
  return { run: 'desktop' };
}

/** Returns the path of Electron's program below its folder. */
export function electronProgram(platform: NodeJS.Platform, folder: string): string {
  if (platform === 'win32') return win32.join(folder, 'electron.exe');
  return posix.join(folder, platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron');
}

/** Exit code after the app told the user that it can't start. */
export const EXIT_REPORTED = 3;

const EARLY_MS = 20_000;

/**
 * Returns whether the desktop app failed to start: it ended within 20 seconds by an error or a signal, but SIGINT,
 * SIGTERM or after a message to the user.
 */
export function failedToStart(code: number | null, signal: string | null, afterMs: number): boolean {
  if (afterMs > EARLY_MS || signal === 'SIGINT' || signal === 'SIGTERM') return false;
  return signal !== null || (code !== 0 && code !== EXIT_REPORTED);
}
