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

export const channelOf = (method: DesktopMethod): string => `footbridge:${method}`;
