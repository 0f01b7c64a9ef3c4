/** Ends the app: the node first, then everything, within two seconds whatever happens. */
export interface Quit {
  /** Whether the app is on its way out. */
  underway(): boolean;
  /** Begins the end; more calls change nothing. `last` does the quitting itself, as an installer does. */
  begin(last?: () => void): void;
  /** Somebody starts the app while it ends, and would be left with nothing: starts it again, once, but where `last` does. */
  again(relaunch: () => void): void;
  /** Electron asks before it quits: true lets it, false holds it until the node has stopped. */
  mayQuit(): boolean;
}

/** The node gets this much of the two seconds; the rest is for windows and files. */
const NODE_MS = 1_700;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function createQuit(deps: {
  stopNode: (withinMs: number) => Promise<void>;
  /** Writes down what the next start begins with: once Electron quits, nothing that is still to be written is. */
  remember: () => Promise<void>;
  /** Whatever else must be closed. */
  cleanUp: () => void;
  /** Electron's own, orderly quit; it asks {@link Quit.mayQuit} again. */
  quit: () => void;
  /** The end of the process, if the orderly one does not come. */
  exit: () => void;
}): Quit {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  let startsAgain = false;

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

  function begin(last?: () => void): void {
    if (state !== 'running') return;
    state = 'stopping';
    startsAgain = last !== undefined;
    void stop(last);
  }

  return {
    underway: () => state !== 'running',
    begin,
    again(relaunch) {
      if (startsAgain) return;
      startsAgain = true;
      relaunch();
    },
    mayQuit() {
      begin();
      return state === 'stopped';
    },
  };
}
