import type { AppEvent } from '../../server/contract/app/overview.ts';
import type { Live } from './live.svelte.ts';

/** Something the node knows and the window shows: loaded when first asked for, and again when it changed. */
export interface Resource<T> {
  /** The newest known; stays while it is loaded anew, so that nothing jumps. */
  readonly data: T | undefined;
  /** Why the last attempt failed; undefined once one succeeds. */
  readonly problem: unknown;
  reload(): Promise<void>;
  /** Puts a value in place that an answer already brought. */
  set(data: T): void;
}

/** Events come in bursts; one reload serves all that arrive within this time. */
const GATHER_MS = 80;

/**
 * Keeps `load(key())` up to date while the component that calls this lives. It loads anew when the key
 * changes, when `concerns` says an event is about it, and after the stream was away. Answers that come late
 * for an older key are dropped.
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

  async function run(wanted: K): Promise<void> {
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
    void run(wanted);
    let gathered: ReturnType<typeof setTimeout> | undefined;
    const off = live.on((event) => {
      if (event.type !== 'hello' && !concerns(event, wanted)) return;
      gathered ??= setTimeout(() => {
        gathered = undefined;
        void run(wanted);
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
    reload: () => run(key()),
    set(value) {
      turn++;
      data = value;
    },
  };
}
