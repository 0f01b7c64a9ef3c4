import { z } from 'zod';

export interface UpdateState {
  readonly state: 'off' | 'idle' | 'checking' | 'none' | 'downloading' | 'ready' | 'failed';
  readonly message: string;
  /** The version that is ready or loading. */
  readonly version?: string | undefined;
}

export interface DesktopInfo {
  readonly platform: 'windows' | 'macos' | 'linux';
  readonly version: string;
  /** The desktop shows tray icons, so closing can hide the window. */
  readonly trayShown: boolean;
  readonly loginItem: { readonly available: boolean; readonly message: string };
  readonly update: UpdateState;
}

/** A table to read, a folder with tables, or where to write a table. */
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

/** `window.footbridge`, only in the desktop app. Every method rejects wrong arguments and other pages. */
export interface DesktopApi {
  info(): Promise<DesktopInfo>;
  /** Opens http, https and mailto addresses outside the app; returns false for others. */
  openExternal(url: string): Promise<boolean>;
  /** Puts text on the clipboard, for which pages have no permission here. */
  copyText(text: string): Promise<void>;
  showDataFolder(): Promise<void>;
  /** Checks for an update; resolves with the result, while a found one loads. */
  checkForUpdates(): Promise<UpdateState>;
  /** Restarts into an update that is ready; returns false without one. */
  installUpdate(): Promise<boolean>;
  /**
   * Lets the user choose a path; returns '' if they cancel.
   * @param name a suggestion without extension
   */
  choosePath(kind: PathKind, name: string): Promise<string>;
}
