import { join } from 'node:path';
import type { MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
import type { Electron } from '../electron.ts';
import type { Translation } from '../text/i18n.ts';
import { trayMenu, type MenuEntry, type TrayAction } from './tray-menu.ts';
import { tooltip, trayPicture, type TrayInput } from './tray-model.ts';
import { execFile } from 'node:child_process';

export interface TrayIcon {
  draw(input: TrayInput, updateReady: boolean): void;
  /** The next `draw` shows the icon again. */
  remove(): void;
}

interface TrayDeps {
  readonly electron: Electron<'Tray' | 'Menu' | 'nativeImage'>;
  readonly platform: NodeJS.Platform;
  readonly icons: string;
  readonly speech: () => Translation;
  readonly now: () => number;
  readonly act: (action: TrayAction) => void;
}

/** Creates the tray's icon, which appears when first drawn. */
export function createTray(deps: TrayDeps): TrayIcon {
  const { electron, platform } = deps;
  let tray: Tray | undefined;
  let shown: { picture?: NativeImage; toolTip?: string; menu?: string } = {};
  const pictures = new Map<string, NativeImage>();

  /** Returns a state's picture, read from its file once. */
  function loadPicture(state: TrayInput['state']): NativeImage {
    const file = join(deps.icons, trayPicture(state, platform));
    const image = pictures.get(file) ?? electron.nativeImage.createFromPath(file);
    pictures.set(file, image);
    return image;
  }

  /** Converts entries to Electron's, whose clicks call `act`. */
  const toMenuItems = (entries: readonly MenuEntry[]): MenuItemConstructorOptions[] =>
    entries.map((entry) => {
      if ('separator' in entry) return { type: 'separator' };
      const { id, label, action, enabled, submenu } = entry;
      return {
        id,
        label,
        ...(enabled === undefined ? {} : { enabled }),
        ...(submenu ? { submenu: toMenuItems(submenu) } : {}),
        ...(action ? { click: () => deps.act(action) } : {}),
      };
    });

  return {
    /** Shows or changes icon, tooltip and menu, as far as they differ. */
    draw(input, updateReady) {
      const image = loadPicture(input.state);
      if (!tray) {
        tray = new electron.Tray(image);
        // macOS opens the menu itself; elsewhere a click opens the window.
        if (platform !== 'darwin') tray.on('click', () => deps.act({ do: 'open' }));
      } else if (image !== shown.picture) tray.setImage(image);
      const toolTip = tooltip(input, deps.now(), deps.speech());
      if (toolTip !== shown.toolTip) tray.setToolTip(toolTip);
      const entries = trayMenu(input, deps.now(), deps.speech(), updateReady);
      // On Linux, replacing an open menu loses a click, even with equal content.
      const menu = JSON.stringify(entries);
      if (menu !== shown.menu) tray.setContextMenu(electron.Menu.buildFromTemplate(toMenuItems(entries)));
      shown = { picture: image, toolTip, menu };
    },
    /** Removes the icon; the next `draw` shows it again. */
    remove() {
      tray?.destroy();
      tray = undefined;
      shown = {};
    },
  };
}

/** `dbus-send` asks whether the desktop shows tray icons (StatusNotifier). */
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

export const saysYes = (answer: string): boolean => /^\s*variant\s+boolean true\s*$/m.test(answer);

/**
 * Returns whether the tray icon is visible: always on Windows and macOS, on Linux if the desktop says so over D-Bus
 * within 1.5 seconds. A window hidden without a tray couldn't be reopened.
 */
export function trayIsShown(platform: NodeJS.Platform, run: typeof execFile = execFile): Promise<boolean> {
  if (platform !== 'linux') return Promise.resolve(true);
  return new Promise((resolve) => {
    run('dbus-send', QUESTION, { timeout: 1500 }, (error, answer) => resolve(!error && saysYes(answer)));
  });
}
