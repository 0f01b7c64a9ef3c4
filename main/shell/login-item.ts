import { join } from 'node:path';

/** What is known about how the app was started and where. */
export interface LoginSituation {
  readonly platform: NodeJS.Platform;
  /** A copy run from its sources never writes itself into the user's login. */
  readonly packaged: boolean;
  readonly execPath: string;
  /** The AppImage this runs from: the file that stays, where `execPath` lies in a mount that goes. */
  readonly appImage?: string | undefined;
  readonly home: string;
  /** `XDG_CONFIG_HOME`, where set. */
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
 * A desktop entry's own quoting: inside double quotes, these four are escaped, and a percent sign is doubled; then comes
 * the escaping of every text in an entry, which doubles each backslash once more.
 */
const quoted = (path: string): string =>
  `"${path.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n');

/**
 * The AppImage that this program runs from. Another program's AppImage that started this one leaves its name in the
 * surroundings too, so ours has to lie in the folder where it is mounted.
 */
export const ownAppImage = (
  env: Readonly<Record<string, string | undefined>>,
  execPath: string,
): string | undefined =>
  env.APPDIR !== undefined && execPath.startsWith(`${env.APPDIR}/`) ? env.APPIMAGE : undefined;

/**
 * What to hand to the system so that the app starts in the tray at login, or no longer does. Windows takes
 * arguments; macOS does not and tells the app afterwards that it was opened at login; Linux desktops read
 * a file, which is there or not.
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

/** Whether this start shows no window: asked for by argument, or by the login of a Mac. */
export function startsHidden(hidden: boolean, wasOpenedAtLogin: boolean): boolean {
  return hidden || wasOpenedAtLogin;
}
