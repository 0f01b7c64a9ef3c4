import type { AppEvent } from '../../server/contract/app/overview.ts';
import type { Live } from './live.svelte.ts';
import { createReloads } from './reloads.ts';

export interface Resource<T> {
  /** Stays during reloads. */
  readonly data: T | undefined;
  readonly problem: unknown;
  reload(): Promise<void>;
  set(data: T): void;
}

/**
 * Keeps `load(key())` up to date while the calling component lives: loads again for a new key, an event that `concerns`
 * matches, and after an interruption. Drops an older key's data and answers; stores a failure as `problem`.
 */
export function createResource<K, T>(
  live: Live,
  key: () => K,
  load: (key: K) => Promise<T>,
  concerns: (event: AppEvent, key: K) => boolean,
): Resource<T> {
  let data = $state.raw<T>();
  let problem = $state.raw<unknown>();
  let turn = 0;

  /** Loads the data or stores the problem; nothing once a later load has begun. Never rejects. */
  async function loadKey(wanted: K): Promise<void> {
    const mine = ++turn;
    try {
      const answer = await load(wanted);
      if (mine !== turn) return;
      data = answer;
      problem = undefined;
    } catch (cause) {
      if (mine === turn) problem = cause;
    }
  }

  let seen: { readonly key: K } | undefined;
  $effect(() => {
    const wanted = key();
    if (seen && seen.key !== wanted) data = undefined;
    seen = { key: wanted };
    void loadKey(wanted);
    const reloads = createReloads(() => loadKey(wanted));
    const off = live.on((event) => {
      const isHello = event.type === 'hello';
      if (isHello || concerns(event, wanted)) reloads.request(isHello);
    });
    return () => {
      reloads.stop();
      off();
    };
  });

  return {
    get data() {
      return data;
    },
    get problem() {
      return problem;
    },
    reload: () => loadKey(key()),
    /** Replaces the data; drops answers still to come. */
    set(value) {
      turn++;
      data = value;
    },
  };
}
