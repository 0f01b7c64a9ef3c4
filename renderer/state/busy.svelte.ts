import type { App } from './app.svelte.ts';

/** An operation that its buttons wait for. */
export interface Busy {
  readonly busy: boolean;
  /** Runs it; reports a failure like `app.attempt` and returns undefined then. */
  run<T>(task: () => Promise<T>): Promise<T | undefined>;
}

export function createBusy(app: Pick<App, 'attempt'>): Busy {
  let busy = $state(false);
  return {
    get busy() {
      return busy;
    },
    async run(task) {
      busy = true;
      const done = await app.attempt(task);
      busy = false;
      return done;
    },
  };
}
