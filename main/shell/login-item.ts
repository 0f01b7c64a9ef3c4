import { join } from 'node:path';

/** How and from where the app was started. */
export interface LoginSituation {
  readonly platform: NodeJS.Platform;
  /** A copy run from its sources never registers itself for login. */
  readonly packaged: boolean;
  readonly execPath: string;
  /** The AppImage in use: the permanent file, while `execPath` is in a temporary mount. */
  readonly appImage?: string | undefined;
  readonly home: string;
  /** `XDG_CONFIG_HOME`, if set. */
  readonly configHome?: string | undefined;
}

/** How this system starts an app at login. */
export type LoginItem =
  | {
      readonly kind: 'system';
      readonly settings: { readonly openAtLogin: boolean; readonly args?: string[] };
    }
  | { readonly kind: 'autostart-file'; readonly file: string; readonly content: string }
  | { readonly kind: 'unavailable' };

/**
 * Quotes a path for a desktop entry: within double quotes these four characters are escaped and percent signs
 * doubled; then each backslash is doubled again, as in every text of an entry.
 */
const quoted = (path: string): string =>
  `"${path.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n');

/**
 * Returns the AppImage that this program runs from; undefined if there is none. Another AppImage that started this
 * one leaves its name in the environment too, so the program must be in the folder of its mount.
 */
export const ownAppImage = (
  env: Readonly<Record<string, string | undefined>>,
  execPath: string,
): string | undefined =>
  env.APPDIR !== undefined && execPath.startsWith(`${env.APPDIR}/`) ? env.APPIMAGE : undefined;

/**
 * Returns the system's setting to start the app in the tray at login, or not to; changes nothing. Windows takes
 * arguments; macOS doesn't, and reports afterwards that the app was opened at login; Linux desktops read a file.
 */
export function loginItem(situation: LoginSituation, enabled: boolean): LoginItem {
  if (!situation.packaged) return { kind: 'unavailable' };
  if (situation.platform === 'win32')
    return { kind: 'system', settings: { openAtLogin: enabled, args: ['--hidden'] } };
  if (situation.platform === 'darwin') return { kind: 'system', settings: { openAtLogin: enabled } };
  const program = situation.appImage ?? situation.execPath;
  return {
    kind: 'autostart-file',
    file: join(situation.configHome ?? join(situation.home, '.config'), 'autostart', 'footbridge.desktop'),
    content: `[Desktop Entry]
Type=Application
Name=Footbridge
Comment=Shares chosen lists with partner offices
Exec=${quoted(program)} --hidden
Icon=footbridge
Terminal=false
X-GNOME-Autostart-enabled=true
`,
  };
}

/** Returns whether this start shows no window: by argument, or at the login of a Mac. */
export function startsHidden(hidden: boolean, wasOpenedAtLogin: boolean): boolean {
  return hidden || wasOpenedAtLogin;
}
