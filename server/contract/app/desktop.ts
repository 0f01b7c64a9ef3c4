import { z } from 'zod';

/**
 * What the desktop shell offers the window as `window.footbridge`, beside the node's interface: only what a
 * page cannot do itself. Absent in a browser, so every use asks first. Settings are the node's.
 */

/** How the update of the app stands. */
export interface UpdateState {
  readonly state: 'off' | 'idle' | 'checking' | 'none' | 'downloading' | 'ready' | 'failed';
  /** Fit to be shown. */
  readonly message: string;
  /** The one that waits or loads. */
  readonly version?: string | undefined;
}

export interface DesktopInfo {
  readonly platform: 'windows' | 'macos' | 'linux';
  readonly version: string;
  /** This desktop shows tray icons, so that closing can hide the window. */
  readonly trayShown: boolean;
  readonly loginItem: { readonly available: boolean; readonly message: string };
  readonly update: UpdateState;
}

/** What is chosen on this computer: a table to read, a folder with tables, or where a table is to be written. */
const pathKind = z.enum(['file', 'folder', 'copy']);
export type PathKind = z.infer<typeof pathKind>;

/** Arguments of every method, as the shell checks them. */
export const desktopArguments = {
  info: z.tuple([]),
  openExternal: z.tuple([z.string().min(1).max(8192)]),
  copyText: z.tuple([z.string().max(65_536)]),
  showDataFolder: z.tuple([]),
  checkForUpdates: z.tuple([]),
  installUpdate: z.tuple([]),
  choosePath: z.tuple([pathKind, z.string().max(200)]),
};

/** `window.footbridge`. Every method rejects when it was called wrongly or from another page. */
export interface DesktopApi {
  info(): Promise<DesktopInfo>;
  /** Opens http, https and mailto addresses outside the app; false when the address is none of these. */
  openExternal(url: string): Promise<boolean>;
  /** Puts text on the clipboard; pages have no permission for that here. */
  copyText(text: string): Promise<void>;
  /** Shows the data folder in the system's file manager. */
  showDataFolder(): Promise<void>;
  /** Looks for an update now; resolves when that is known, a found one is then loading. */
  checkForUpdates(): Promise<UpdateState>;
  /** Restarts into an update that is ready; false when there is none. */
  installUpdate(): Promise<boolean>;
  /**
   * Has the user choose where something lies on this computer, in the system's own dialog; empty when they did not.
   * Nothing is read or written there.
   * @param name what a copy is to be called unless they say otherwise, without the end that tells its form
   */
  choosePath(kind: PathKind, name: string): Promise<string>;
}
