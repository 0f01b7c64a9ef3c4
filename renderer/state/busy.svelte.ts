import type { App } from './app.svelte.ts';

/** An operation that its buttons wait for. */
export interface Busy {
  readonly busy: boolean;
  /** Runs it; reports a failure like `app.attempt` and returns undefined then. */
  run<T>(task: () => Promise<T>): Promise<T | undefined>;
}

/** Creates the state of one operation, for its buttons. */
export function createBusy(app: Pick<App, 'attempt'>): Busy {
  let busy = $state(false);
  return {
    get busy() {
      return busy;
    },
    /** Runs the task with `busy` set. A failure is shown as a notice, and undefined is returned. */
    async run(task) {
      busy = true;
      const done = await app.attempt(task);
      busy = false;
      return done;
    },
  };
}
