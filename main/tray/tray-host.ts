import { execFile } from 'node:child_process';

/** Asks the session bus whether the desktop shows tray icons (StatusNotifier). */
const QUESTION = [
  '--session',
  '--print-reply',
  '--reply-timeout=1000',
  '--dest=org.kde.StatusNotifierWatcher',
  '/StatusNotifierWatcher',
  'org.freedesktop.DBus.Properties.Get',
  'string:org.kde.StatusNotifierWatcher',
  'string:IsStatusNotifierHostRegistered',
];

/** Returns whether an answer of `dbus-send` is a clear yes. */
export const saysYes = (answer: string): boolean => /^\s*variant\s+boolean true\s*$/m.test(answer);

/**
 * Returns whether the tray icon is visible. Always on Windows and macOS; on Linux only if the desktop reports it
 * over D-Bus: a window hidden without a tray couldn't be reopened.
 */
export function trayIsShown(platform: NodeJS.Platform, run: typeof execFile = execFile): Promise<boolean> {
  if (platform !== 'linux') return Promise.resolve(true);
  return new Promise((resolve) => {
    run('dbus-send', QUESTION, { timeout: 1500 }, (error, answer) => resolve(!error && saysYes(answer)));
  });
}
