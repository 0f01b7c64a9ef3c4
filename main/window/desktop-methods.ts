import type { DesktopApi } from '../../server/contract/app/desktop.ts';

/** The methods that the preload offers to the page. Nothing else crosses. */
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

/** The channel of a method between page and main process. */
export const channelOf = (method: DesktopMethod): string => `footbridge:${method}`;
