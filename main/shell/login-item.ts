import { join, dirname } from 'node:path';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { Electron } from '../electron.ts';

export interface LoginSituation {
  readonly platform: NodeJS.Platform;
  /** Running from sources never registers itself. */
  readonly packaged: boolean;
  readonly execPath: string;
  /** The AppImage's permanent file; `execPath` is in its temporary mount. */
  readonly appImage?: string | undefined;
  readonly home: string;
  readonly configHome?: string | undefined;
}

/** The system's setting for starts at login. */
type LoginItem =
  | {
      readonly kind: 'system';
      readonly settings: { readonly openAtLogin: boolean; readonly args?: string[] };
    }
  | { readonly kind: 'autostart-file'; readonly file: string; readonly content: string }
  | { readonly kind: 'unavailable' };

/**
 * Quotes a path for `Exec` in a desktop entry: escapes for the quotes, doubles percent signs, then escapes backslashes
 * and line ends as everywhere in an entry.
 */
const quoted = (path: string): string =>
  `"${path.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n');

/**
 * Returns the AppImage that this program runs from, if any. Another AppImage that started this one leaves its name in
 * the environment too, so the program must be in its mount (`APPDIR`).
 */
export const ownAppImage = (
  env: Readonly<Record<string, string | undefined>>,
  execPath: string,
): string | undefined =>
  env.APPDIR !== undefined && execPath.startsWith(`${env.APPDIR}/`) ? env.APPIMAGE : undefined;

/**
 * Returns what to set so that the app starts in the tray at login, or doesn't; `unavailable` from the sources. Linux's
 * autostart file ignores `enabled`: delete it to disable. macOS takes no arguments, and tells a start that it was at
 * login.
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

/** Returns whether to start without a window: by the option, or as the system opened the app at login. */
export function startsHidden(hidden: boolean, wasOpenedAtLogin: boolean): boolean {
  return hidden || wasOpenedAtLogin;
}

/**
 * Registers or unregisters the start at login, unless run from the sources. Throws if the file can't be written or
 * deleted.
 */
export async function applyLoginItem(
  { app }: Electron<'app'>,
  situation: LoginSituation,
  enabled: boolean,
): Promise<void> {
  const item = loginItem(situation, enabled);
  if (item.kind === 'system') app.setLoginItemSettings(item.settings);
  if (item.kind !== 'autostart-file') return;
  if (!enabled) return rm(item.file, { force: true });
  await mkdir(dirname(item.file), { recursive: true });
  await writeFile(item.file, item.content);
}
