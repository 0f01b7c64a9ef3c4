import type { App } from './app.svelte.ts';

interface Busy {
  readonly busy: boolean;
  run<T>(task: () => Promise<T>): Promise<T | undefined>;
}

/** Runs a component's tasks and tells whether one is running. */
export function createBusy(app: Pick<App, 'attempt'>): Busy {
  let busy = $state(false);
  return {
    get busy() {
      return busy;
    },
    /** Runs a task and returns its result; undefined after a failure, which a notice shows. */
    async run(task) {
      busy = true;
      const done = await app.attempt(task);
      busy = false;
      return done;
    },
  };
}
