import type { FootbridgeCalls } from '../../peer/dialects/footbridge.ts';
import { startPoller, type Poller } from './poller.ts';

type PollerDeps = Parameters<typeof startPoller>[0];

export interface Listener extends Pick<PollerDeps, 'onPoke' | 'onLost'> {
  /** Nothing changed since the last answer. */
  readonly onQuiet: (calls: FootbridgeCalls) => void;
  /** The clone check changed. */
  readonly onTwice: () => void;
}

/** Long-polls a Footbridge while the connection stays the same. */
export class Listening {
  readonly #deps: Pick<PollerDeps, 'clock' | 'random' | 'interval' | 'run' | 'isAsked' | 'isWatched'>;
  readonly #listener: Listener;
  #current: { readonly key: string; readonly poller: Poller } | undefined;
  #twice = false;

  constructor(
    deps: Pick<PollerDeps, 'clock' | 'random' | 'interval' | 'run' | 'isAsked' | 'isWatched'>,
    listener: Listener,
  ) {
    this.#deps = deps;
    this.#listener = listener;
  }

  get isOn(): boolean {
    return this.#current !== undefined;
  }

  /** The last poll was answered. */
  get isLive(): boolean {
    return this.#current?.poller.healthy === true;
  }

  /** The partner reports that another program calls as us too. */
  get isClonedThere(): boolean {
    return this.#twice;
  }

  /** Starts a long poll and stops an earlier one; a no-op if one runs over this key's connection. */
  start(key: string, calls: FootbridgeCalls): void {
    if (this.#current?.key === key) return;
    this.stop();
    const { onPoke, onQuiet, onLost } = this.#listener;
    const poller = startPoller({
      ...this.#deps,
      calls,
      onPoke,
      onLost,
      onQuiet: () => onQuiet(calls),
      onTwice: (isTwice) => this.#setTwice(isTwice),
    });
    this.#current = { key, poller };
  }

  /** Stops the long poll, if any, without `onLost`. */
  stop(): void {
    this.#current?.poller.stop();
    this.#current = undefined;
    this.#twice = false;
  }

  /** Stores whether the partner sees this office twice, and calls `onTwice` if that is news. */
  #setTwice(isTwice: boolean): void {
    const isNews = this.#twice !== isTwice;
    this.#twice = isTwice;
    if (isNews) this.#listener.onTwice();
  }
}
