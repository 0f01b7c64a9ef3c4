import type { App } from './app.svelte.ts';

/** Whether an operation runs, which disables its buttons. */
interface Busy {
  readonly busy: boolean;
  run<T>(task: () => Promise<T>): Promise<T | undefined>;
}

/** Creates the state of one operation. */
export function createBusy(app: Pick<App, 'attempt'>): Busy {
  let busy = $state(false);
  return {
    get busy() {
      return busy;
    },
    /** Runs the task with `busy` set. A failure is shown as a notice, and undefined returned. */
    async run(task) {
      busy = true;
      const done = await app.attempt(task);
      busy = false;
      return done;
    },
  };
}
