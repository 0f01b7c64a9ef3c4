import type * as ElectronModule from 'electron';

/** Parts of Electron that tests can replace. Only main.ts and preload.ts import it. */
export type Electron<Part extends keyof typeof ElectronModule> = Pick<typeof ElectronModule, Part>;
