import { execFile } from 'node:child_process';

/** Asks the session bus whether something on this desktop shows tray icons (StatusNotifier). */
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

/** Reads the answer of `dbus-send`; anything but a clear yes is a no. */
export const saysYes = (answer: string): boolean => /^\s*variant\s+boolean true\s*$/m.test(answer);

/**
 * Whether the tray icon can be seen. Always on Windows and macOS; on Linux only when the desktop says so:
 * a window that is hidden without a tray could not be brought back.
 */
export function trayIsShown(platform: NodeJS.Platform, run: typeof execFile = execFile): Promise<boolean> {
  if (platform !== 'linux') return Promise.resolve(true);
  return new Promise((resolve) => {
    run('dbus-send', QUESTION, { timeout: 1500 }, (error, answer) => resolve(!error && saysYes(answer)));
  });
}
