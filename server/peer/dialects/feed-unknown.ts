import { hasStatus, HTMLResponseError, ProtocolViolationError } from '../guard/errors.ts';
import type { TimeFeed } from './feed.ts';
import type { Dialect } from '../../base/vocabulary.ts';

/** A feed that detects the partner's dialect. */
export interface UnknownFeed extends TimeFeed {
  /** What the first answer showed; undefined before. */
  readonly dialect: Dialect | undefined;
}

/**
 * The feed of a partner with unknown dialect. Each dialect is tried until one is answered: offers are
 * requested alike in both shapes, rows distinguish the shapes. A missing address, an HTML page or an answer
 * that breaks the dialect means that this isn't it; any other error is the partner's own and ends the detection.
 */
export function createUnknownFeed(feeds: Readonly<Record<Dialect, TimeFeed>>): UnknownFeed {
  let dialect: Dialect | undefined;

  /** Asks in each of these dialects until one is answered; once it is known, only in that. @throws the first refusal */
  async function firstAnswered<T>(
    ways: readonly Dialect[],
    ask: (feed: TimeFeed) => Promise<T>,
  ): Promise<[Dialect, T]> {
    let refusal: unknown;
    for (const way of dialect === undefined ? ways : [dialect]) {
      try {
        return [way, await ask(feeds[way])];
      } catch (error) {
        if (!isNotThere(error)) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }

  return {
    get dialect() {
      return dialect;
    },
    async offers(next, signal) {
      const [way, page] = await firstAnswered(['shape1', 'live'], (feed) => feed.offers(next, signal));
      if (way === 'live') dialect = way;
      return page;
    },
    async records(list, position, signal) {
      const [way, page] = await firstAnswered(['shape1', 'shape2', 'live'], (feed) =>
        feed.records(list, position, signal),
      );
      dialect = way;
      return page;
    },
  };
}

/** Returns whether a partner of this dialect would have answered otherwise. */
function isNotThere(error: unknown): boolean {
  return (
    error instanceof ProtocolViolationError ||
    error instanceof HTMLResponseError ||
    hasStatus(error, 404, 405)
  );
}
