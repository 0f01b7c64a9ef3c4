import { z } from 'zod';

export interface UpdateState {
  readonly state: 'off' | 'idle' | 'checking' | 'none' | 'downloading' | 'ready' | 'failed';
  readonly message: string;
  /** Ready or loading. */
  readonly version?: string | undefined;
}

export interface DesktopInfo {
  readonly platform: 'windows' | 'macos' | 'linux';
  readonly version: string;
  /** The desktop has a tray, so closing can hide the window. */
  readonly trayShown: boolean;
  readonly loginItem: { readonly available: boolean; readonly message: string };
  readonly update: UpdateState;
}

/** `copy`: where to write a table. */
const pathKind = z.enum(['file', 'folder', 'copy']);
export type PathKind = z.infer<typeof pathKind>;

export const desktopArguments = {
  info: z.tuple([]),
  openExternal: z.tuple([z.string().min(1).max(8192)]),
  copyText: z.tuple([z.string().max(65_536)]),
  showDataFolder: z.tuple([]),
  checkForUpdates: z.tuple([]),
  installUpdate: z.tuple([]),
  choosePath: z.tuple([pathKind, z.string().max(200)]),
};

/** `window.footbridge` (desktop app only). Methods reject wrong arguments and other pages. */
export interface DesktopApi {
  info(): Promise<DesktopInfo>;
  /** Opens http, https and mailto addresses outside the app; returns false for others. */
  openExternal(url: string): Promise<boolean>;
  /** Puts text on the clipboard, as pages aren't permitted to. */
  copyText(text: string): Promise<void>;
  showDataFolder(): Promise<void>;
  /** Checks for an update; resolves while a found one loads. */
  checkForUpdates(): Promise<UpdateState>;
  /** Restarts into an update that is ready; returns false without one. */
  installUpdate(): Promise<boolean>;
  /**
   * Asks the user for a path; '' if cancelled.
   * @param name a suggestion without extension
   */
  choosePath(kind: PathKind, name: string): Promise<string>;
}
