import type * as ElectronModule from 'electron';

/**
 * The parts of Electron that a piece of the shell is given. Every piece names what it uses, so that a test
 * can hand it exactly that, and so that only `main.ts` and `preload.ts` import Electron itself.
 */
export type Electron<Part extends keyof typeof ElectronModule> = Pick<typeof ElectronModule, Part>;
