import type * as ElectronModule from 'electron';

/** The parts of Electron that a piece of the shell uses, for tests to pass. Only main.ts and preload.ts import it. */
export type Electron<Part extends keyof typeof ElectronModule> = Pick<typeof ElectronModule, Part>;
