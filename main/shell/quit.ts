export interface Quit {
  isUnderway(): boolean;
  begin(last?: () => void): void;
  relaunchOnce(relaunch: () => void): void;
  requestQuit(): boolean;
}

/** Saves what is typed and stops the node, within the app's two seconds. */
const SAVING_MS = 1_700;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Creates the controller of the app's end: it stops the node and saves within two seconds before the app quits. */
export function createQuit(deps: {
  /** Takes at most 400 ms. */
  saveTyped: () => Promise<void>;
  stopNode: (withinMs: number) => Promise<void>;
  /** Saves what the next start needs. */
  remember: () => Promise<void>;
  cleanUp: () => void;
  /** Calls Electron's quit, which asks {@link Quit.requestQuit}. */
  quit: () => void;
  /** Ends the process 250 ms after `quit`. */
  exit: () => void;
}): Quit {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  let startsAgain = false;

  /** Saves and stops the node for at most 1.7 seconds, closes the rest and calls `last`, or quits within 250 ms. */
  async function stop(last: (() => void) | undefined): Promise<void> {
    const end = Date.now() + SAVING_MS;
    await deps.saveTyped().catch(() => undefined);
    const left = end - Date.now();
    await Promise.race([Promise.allSettled([deps.stopNode(left), deps.remember()]), after(left)]);
    state = 'stopped';
    deps.cleanUp();
    if (last) {
      last();
    } else {
      setTimeout(deps.exit, 250);
      deps.quit();
    }
  }

  /** Starts to end the app, once. `last` replaces the quit and must end the app, as an installer of updates does. */
  function beginQuit(last?: () => void): void {
    if (state !== 'running') return;
    state = 'stopping';
    startsAgain = last !== undefined;
    void stop(last);
  }

  return {
    isUnderway: () => state !== 'running',
    begin: beginQuit,
    /** Calls `relaunch`, which plans a new start, once; not if the app starts again anyway. */
    relaunchOnce(relaunch) {
      if (startsAgain) return;
      startsAgain = true;
      relaunch();
    },
    /** Starts to end the app. Returns false, for Electron to hold its quit, until the node has stopped. */
    requestQuit() {
      beginQuit();
      return state === 'stopped';
    },
  };
}
