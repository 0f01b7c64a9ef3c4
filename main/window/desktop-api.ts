import type { BrowserWindow } from 'electron';
import type { DesktopApi, DesktopInfo } from '../../server/contract/app/desktop.ts';
import { VERSION } from '../../server/version.ts';
import type { Electron } from '../electron.ts';
import { loginItem, type LoginSituation } from '../shell/login-item.ts';
import type { Texts } from '../text/i18n.ts';
import type { Updater } from '../updates/updater.ts';
import { createChoosePath } from './choose-path.ts';

const PLATFORMS: Partial<Record<NodeJS.Platform, DesktopInfo['platform']>> = {
  darwin: 'macos',
  win32: 'windows',
};

/** Returns the functions of `window.footbridge`, the desktop app's only API for its page. Expects checked arguments. */
export function createDesktopApi(deps: {
  electron: Electron<'clipboard' | 'dialog' | 'shell'>;
  login: LoginSituation;
  dataDir: string;
  updates: Pick<Updater, 'state' | 'check' | 'install'>;
  openExternal: (url: string) => boolean;
  trayShown: () => Promise<boolean>;
  /** Parent window of dialogs. */
  window: () => BrowserWindow | undefined;
  /** In the current language. */
  texts: () => Texts;
}): DesktopApi {
  return {
    /** Returns facts about the app: system, version, tray, start at login and updates. */
    async info() {
      const login = loginItem(deps.login, true);
      return {
        platform: PLATFORMS[deps.login.platform] ?? 'linux',
        version: VERSION,
        trayShown: await deps.trayShown(),
        loginItem:
          login.kind === 'unavailable'
            ? { available: false, message: deps.texts()('login.from-sources') }
            : { available: true, message: '' },
        update: deps.updates.state(),
      };
    },
    openExternal: (url) => Promise.resolve(deps.openExternal(url)),
    /** Writes a text to the clipboard. */
    async copyText(text) {
      await deps.electron.clipboard.writeText(text);
    },
    /** Shows the data folder in the system's file manager. */
    showDataFolder() {
      deps.electron.shell.showItemInFolder(deps.dataDir);
      return Promise.resolve();
    },
    checkForUpdates: () => deps.updates.check(),
    installUpdate: () => Promise.resolve(deps.updates.install()),
    choosePath: createChoosePath(deps),
  };
}
