import type { BrowserWindow, IpcMainInvokeEvent, OpenDialogOptions, SaveDialogOptions } from 'electron';
import { type DesktopApi, type DesktopInfo, desktopArguments } from '../../server/contract/app/desktop.ts';
import { VERSION } from '../../server/version.ts';
import type { Electron } from '../electron.ts';
import { loginItem, type LoginSituation } from '../shell/login-item.ts';
import type { Texts } from '../text/i18n.ts';
import type { Updater } from '../updates/updater.ts';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { channelOf, type DesktopMethod } from './desktop-methods.ts';
import { isAppUrl } from '../security/navigation.ts';

const PLATFORMS: Partial<Record<NodeJS.Platform, DesktopInfo['platform']>> = {
  darwin: 'macos',
  win32: 'windows',
};

/** Returns the functions of `window.footbridge`, the page's only way into the app. Arguments must be checked. */
export function createDesktopApi(deps: {
  electron: Electron<'clipboard' | 'dialog' | 'shell'>;
  login: LoginSituation;
  dataDir: string;
  updates: Pick<Updater, 'state' | 'check' | 'install'>;
  openExternal: (url: string) => boolean;
  trayShown: () => Promise<boolean>;
  window: () => BrowserWindow | undefined;
  texts: () => Texts;
}): DesktopApi {
  return {
    /** Returns the system, the version, whether the tray shows, whether a start at login can be set, and the update. */
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
    async copyText(text) {
      await deps.electron.clipboard.writeText(text);
    },
    /** Selects the data folder in the system's file manager. */
    showDataFolder() {
      deps.electron.shell.showItemInFolder(deps.dataDir);
      return Promise.resolve();
    },
    checkForUpdates: () => deps.updates.check(),
    installUpdate: () => Promise.resolve(deps.updates.install()),
    choosePath: createChoosePath(deps),
  };
}

/** Returns whether the call comes from the main frame, which shows the app's own page. */
function fromOwnPage(event: IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame;
  return frame?.parent === null && isAppUrl(frame.url);
}

/**
 * Registers the handlers of the page's calls. Each checks sender and arguments first: a wrong call is logged and
 * rejected without details.
 */
export function registerPageCalls(deps: {
  electron: Electron<'ipcMain'>;
  api: DesktopApi;
  log: Logger;
}): void {
  const { api, log } = deps;

  /** Registers a method's handler. It logs and rejects calls of foreign pages, and wrong arguments. */
  function registerCall<Args extends unknown[]>(
    method: DesktopMethod,
    schema: z.ZodType<Args>,
    call: (...args: Args) => Promise<unknown>,
  ): void {
    deps.electron.ipcMain.handle(channelOf(method), (event, ...args: unknown[]) => {
      if (!fromOwnPage(event)) {
        log.warn({ method, from: event.senderFrame?.url.slice(0, 100) }, 'call from a foreign page');
        throw new Error('This page may not do that.');
      }
      const checked = schema.safeParse(args);
      if (!checked.success) {
        log.warn({ method, issues: checked.error.issues.map(({ code }) => code) }, 'call refused');
        throw new Error('This was called wrongly.');
      }
      return call(...checked.data);
    });
  }

  registerCall('info', desktopArguments.info, () => api.info());
  registerCall('openExternal', desktopArguments.openExternal, (url) => api.openExternal(url));
  registerCall('copyText', desktopArguments.copyText, (text) => api.copyText(text));
  registerCall('showDataFolder', desktopArguments.showDataFolder, () => api.showDataFolder());
  registerCall('checkForUpdates', desktopArguments.checkForUpdates, () => api.checkForUpdates());
  registerCall('installUpdate', desktopArguments.installUpdate, () => api.installUpdate());
  registerCall('choosePath', desktopArguments.choosePath, (kind, name) => api.choosePath(kind, name));
}

/** Returns a function that lets the user choose a file, a folder or a file to save; '' if cancelled. */
export function createChoosePath({
  electron: { dialog },
  window,
  texts,
}: {
  readonly electron: Electron<'dialog'>;
  readonly window: () => BrowserWindow | undefined;
  readonly texts: () => Texts;
}): DesktopApi['choosePath'] {
  /** Lets the user choose an existing file or folder; '' if cancelled. */
  async function askForOpenPath(options: OpenDialogOptions): Promise<string> {
    const before = window();
    const { canceled, filePaths } = await (before
      ? dialog.showOpenDialog(before, options)
      : dialog.showOpenDialog(options));
    return canceled ? '' : (filePaths[0] ?? '');
  }
  /** Lets the user choose a file to save; '' if cancelled. */
  async function askForSavePath(options: SaveDialogOptions): Promise<string> {
    const before = window();
    const { canceled, filePath } = await (before
      ? dialog.showSaveDialog(before, options)
      : dialog.showSaveDialog(options));
    return canceled ? '' : filePath;
  }
  return (kind, name) => {
    const t = texts();
    const tableFilters = (extensions: string[]): { name: string; extensions: string[] }[] => [
      { name: t('choose.tables'), extensions },
    ];
    if (kind === 'folder')
      return askForOpenPath({ title: t('choose.folder'), properties: ['openDirectory'] });
    if (kind === 'file')
      return askForOpenPath({
        title: t('choose.file'),
        properties: ['openFile'],
        filters: tableFilters(['xlsx', 'xlsm', 'ods', 'csv', 'tsv']),
      });
    return askForSavePath({
      title: t('choose.copy'),
      defaultPath: `${plainFileName(name)}.xlsx`,
      filters: tableFilters(['xlsx', 'csv']),
      properties: ['createDirectory'],
    });
  };
}

/**
 * Returns a file name of at most 100 characters: without path separators, characters that systems refuse, and dots at
 * its ends; `Footbridge` if nothing is left.
 */
const plainFileName = (name: string): string =>
  name
    .replace(/[\\/:*?"<>|\p{C}]+/gu, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 100) || 'Footbridge';
