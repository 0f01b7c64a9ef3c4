import type * as ElectronModule from 'electron';

/**
 * The parts of Electron that a piece of the shell is given. Each piece names what it uses, so that tests can
 * pass exactly that, and only `main.ts` and `preload.ts` import Electron itself.
 */
export type Electron<Part extends keyof typeof ElectronModule> = Pick<typeof ElectronModule, Part>;
