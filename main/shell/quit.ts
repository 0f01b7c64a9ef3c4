/** Ends the app: first the node, then everything, within two seconds in any case. */
export interface Quit {
  /** Returns whether the app is ending. */
  underway(): boolean;
  /** Begins the end; further calls do nothing. `last` quits by itself, like an installer. */
  begin(last?: () => void): void;
  /** Restarts once after the end, because somebody started the app while it ended; not if `last` quits. */
  again(relaunch: () => void): void;
  /** Electron asks before it quits: false holds it until the node has stopped. */
  mayQuit(): boolean;
}

/** The node's part of the two seconds; the rest is for windows and files. */
const NODE_MS = 1_700;

/** Resolves after so many milliseconds. */
const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Creates the controller that ends the app in order: first the node, then everything else. */
export function createQuit(deps: {
  stopNode: (withinMs: number) => Promise<void>;
  /** Saves what the next start needs: nothing is written once Electron quits. */
  remember: () => Promise<void>;
  /** Closes everything else. */
  cleanUp: () => void;
  /** Electron's orderly quit, which asks {@link Quit.mayQuit} again. */
  quit: () => void;
  /** Ends the process if the orderly quit doesn't. */
  exit: () => void;
}): Quit {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  let startsAgain = false;

  /**
   * Stops the node and saves the shell's state, for at most 1.7 seconds; then closes the rest and quits, or calls
   * `last`.
   */
  async function stop(last: (() => void) | undefined): Promise<void> {
    await Promise.race([Promise.allSettled([deps.stopNode(NODE_MS), deps.remember()]), after(NODE_MS)]);
    state = 'stopped';
    deps.cleanUp();
    if (last) {
      last();
    } else {
      setTimeout(deps.exit, 250);
      deps.quit();
    }
  }

  /** Starts to end the app; further calls do nothing. `last` quits by itself, like an installer. */
  function begin(last?: () => void): void {
    if (state !== 'running') return;
    state = 'stopping';
    startsAgain = last !== undefined;
    void stop(last);
  }

  return {
    underway: () => state !== 'running',
    begin,
    /** Restarts the app by `relaunch` after its end, once; not if the installer does so anyway. */
    again(relaunch) {
      if (startsAgain) return;
      startsAgain = true;
      relaunch();
    },
    /** Starts to end the app. Returns whether the node has stopped, so that Electron may quit. */
    mayQuit() {
      begin();
      return state === 'stopped';
    },
  };
}
