import type { DesktopApi } from '../../server/contract/app/desktop.ts';

export const DESKTOP_METHODS = [
  'info',
  'openExternal',
  'copyText',
  'showDataFolder',
  'checkForUpdates',
  'installUpdate',
  'choosePath',
] as const satisfies readonly (keyof DesktopApi)[];

export type DesktopMethod = (typeof DESKTOP_METHODS)[number];

/** Returns a method's channel between page and main process. */
export const channelOf = (method: DesktopMethod): string => `footbridge:${method}`;
