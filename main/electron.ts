import type * as ElectronModule from 'electron';

/**
 * Parts of Electron: each piece of the shell names what it uses, so that tests pass exactly that. Only main.ts and
 * preload.ts import Electron itself.
 */
export type Electron<Part extends keyof typeof ElectronModule> = Pick<typeof ElectronModule, Part>;
