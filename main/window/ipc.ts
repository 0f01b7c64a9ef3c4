import type { IpcMainInvokeEvent } from 'electron';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { desktopArguments, type DesktopApi } from '../../server/contract/app/desktop.ts';
import { channelOf, type DesktopMethod } from './desktop-methods.ts';
import type { Electron } from '../electron.ts';
import { isAppUrl } from '../security/navigation.ts';

/** Returns whether a call comes from the app's own page: its main frame, at the app's origin. */
function fromOwnPage(event: IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame;
  return frame?.parent === null && isAppUrl(frame.url);
}

/**
 * Registers the handlers of the page's calls. Each checks sender and arguments first; a wrong call is logged and
 * rejected without details.
 */
export function answerPage(deps: { electron: Electron<'ipcMain'>; api: DesktopApi; log: Logger }): void {
  const { api, log } = deps;

  /** Registers `call` as the handler of one method of the page's API; `schema` checks its arguments. */
  function answer<Args extends unknown[]>(
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

  answer('info', desktopArguments.info, () => api.info());
  answer('openExternal', desktopArguments.openExternal, (url) => api.openExternal(url));
  answer('copyText', desktopArguments.copyText, (text) => api.copyText(text));
  answer('showDataFolder', desktopArguments.showDataFolder, () => api.showDataFolder());
  answer('checkForUpdates', desktopArguments.checkForUpdates, () => api.checkForUpdates());
  answer('installUpdate', desktopArguments.installUpdate, () => api.installUpdate());
  answer('choosePath', desktopArguments.choosePath, (kind, name) => api.choosePath(kind, name));
}
