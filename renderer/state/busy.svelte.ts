import type { App } from './app.svelte.ts';

/** Something that the user set off and that its buttons wait for. */
export interface Busy {
  readonly busy: boolean;
  /** Does it; what goes wrong is told as `app.attempt` tells it. Undefined then. */
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
