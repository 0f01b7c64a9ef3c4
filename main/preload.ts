import { contextBridge, ipcRenderer } from 'electron';
import { channelOf, DESKTOP_METHODS } from './window/desktop-methods.ts';

/** Exposes `window.footbridge` unchecked: the main process checks (desktop-api.ts). */
contextBridge.exposeInMainWorld(
  'footbridge',
  Object.fromEntries(
    DESKTOP_METHODS.map((method) => [
      method,
      (...args: unknown[]): Promise<unknown> => ipcRenderer.invoke(channelOf(method), ...args),
    ]),
  ),
);
