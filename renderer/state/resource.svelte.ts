import type { AppEvent } from '../../server/contract/app/overview.ts';
import type { Live } from './live.svelte.ts';

export interface Resource<T> {
  /** Stays during reloads. */
  readonly data: T | undefined;
  readonly problem: unknown;
  reload(): Promise<void>;
  set(data: T): void;
}

/** One reload per burst of events. */
const GATHER_MS = 80;

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
    let gathered: ReturnType<typeof setTimeout> | undefined;
    const off = live.on((event) => {
      if (event.type !== 'hello' && !concerns(event, wanted)) return;
      gathered ??= setTimeout(() => {
        gathered = undefined;
        void loadKey(wanted);
      }, GATHER_MS);
    });
    return () => {
      clearTimeout(gathered);
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
