import type { App } from './app.svelte.ts';

interface Busy {
  readonly busy: boolean;
  run<T>(task: () => Promise<T>): Promise<T | undefined>;
}

/** Creates the state of an operation of a component, which runs its tasks and tells whether one is running. */
export function createBusy(app: Pick<App, 'attempt'>): Busy {
  let busy = $state(false);
  return {
    get busy() {
      return busy;
    },
    /** Runs the task with `busy` set. A failure shows a notice and returns undefined. */
    async run(task) {
      busy = true;
      const done = await app.attempt(task);
      busy = false;
      return done;
    },
  };
}
