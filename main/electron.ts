import type * as ElectronModule from 'electron';

/**
 * Parts of Electron. Each piece of the shell names what it uses, so that tests can pass exactly that; only main.ts
 * and preload.ts import Electron itself.
 */
export type Electron<Part extends keyof typeof ElectronModule> = Pick<typeof ElectronModule, Part>;
