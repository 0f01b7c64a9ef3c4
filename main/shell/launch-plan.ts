import { posix, win32 } from 'node:path';

/** What a start from the sources finds. */
export interface LaunchSituation {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Numeric user, 0 being root; undefined where there is no such thing. */
  readonly uid: number | undefined;
  readonly args: readonly string[];
}

export type LaunchPlan =
  | { readonly run: 'desktop' }
  /** `why` is fit to be printed; empty when the user asked for it. */
  | { readonly run: 'headless'; readonly why: string };

/** Whether the desktop app can be tried here at all; finding Electron comes after. */
export function planLaunch({ platform, env, uid, args }: LaunchSituation): LaunchPlan {
  if (args.includes('--headless')) return { run: 'headless', why: '' };
  if (platform !== 'linux') return { run: 'desktop' };
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return { run: 'headless', why: 'There is no display here.' };
  if (uid === 0) return { run: 'headless', why: 'The desktop app does not run as root.' };
  return { run: 'desktop' };
}

/** Where Electron's program lies inside its folder. */
export function electronProgram(platform: NodeJS.Platform, folder: string): string {
  if (platform === 'win32') return win32.join(folder, 'electron.exe');
  return posix.join(folder, platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron');
}

/** Exit code of the desktop app after it has told the user itself why it cannot start. */
export const EXIT_TOLD = 3;

const EARLY_MS = 20_000;

/**
 * Whether the desktop app failed to come up (no sandbox, a missing library, no display after all), so that
 * the browser should be used instead. An end after a while, or one that the user was told of, is an end.
 */
export function failedToComeUp(code: number | null, signal: string | null, afterMs: number): boolean {
  if (afterMs > EARLY_MS || signal === 'SIGINT' || signal === 'SIGTERM') return false;
  return signal !== null || (code !== 0 && code !== EXIT_TOLD);
}
