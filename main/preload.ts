import { contextBridge, ipcRenderer } from 'electron';
import { channelOf, DESKTOP_METHODS } from './window/desktop-methods.ts';

/** Offers `window.footbridge` to the page. It checks nothing: the main process does, where no page can reach. */
contextBridge.exposeInMainWorld(
  'footbridge',
  Object.fromEntries(
    DESKTOP_METHODS.map((method) => [
      method,
      (...args: unknown[]): Promise<unknown> => ipcRenderer.invoke(channelOf(method), ...args),
    ]),
  ),
);
