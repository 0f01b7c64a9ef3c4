import { hasStatus, HTMLResponseError, ProtocolViolationError } from '../guard/errors.ts';
import type { TimeFeed } from './feed.ts';
import type { Dialect } from '../../base/vocabulary.ts';

export interface UnknownFeed extends TimeFeed {
  /** As an answer showed, if any. */
  readonly dialect: Dialect | undefined;
}

/**
 * Returns a feed that tries each dialect until one is answered; rows, or a live server's offers, settle it (`dialect`).
 * A missing address, an HTML page or an answer that breaks the dialect means another one; any other error ends the
 * detection.
 */
export function createUnknownFeed(feeds: Readonly<Record<Dialect, TimeFeed>>): UnknownFeed {
  let dialect: Dialect | undefined;

  /**
   * Asks by each dialect until one is answered, or by the known one; returns that and the answer. Throws the first
   * refusal if none is, and at once an error that another dialect wouldn't mend.
   */
  async function askFirstAnswering<T>(
    dialects: readonly Dialect[],
    ask: (feed: TimeFeed) => Promise<T>,
  ): Promise<[Dialect, T]> {
    let refusal: unknown;
    for (const candidate of dialect === undefined ? dialects : [dialect]) {
      try {
        return [candidate, await ask(feeds[candidate])];
      } catch (error) {
        if (!mayMeanOtherDialect(error)) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }

  return {
    /** The dialect that an answer settled; undefined until then. */
    get dialect() {
      return dialect;
    },
    /** Returns a page of offers. Shape 1 and 2 answer alike; a live server's answer settles the dialect. */
    async offers(next, signal) {
      const [answered, page] = await askFirstAnswering(['shape1', 'live'], (feed) =>
        feed.offers(next, signal),
      );
      if (answered === 'live') dialect = answered;
      return page;
    },
    /** Returns a page of rows; the dialect that answers is settled by that. */
    async records(list, position, signal) {
      const [answered, page] = await askFirstAnswering(['shape1', 'shape2', 'live'], (feed) =>
        feed.records(list, position, signal),
      );
      dialect = answered;
      return page;
    },
  };
}

/**
 * Returns whether an error may come from asking in the wrong dialect: 404, 405, an HTML page, or an answer that breaks
 * the protocol.
 */
function mayMeanOtherDialect(error: unknown): boolean {
  return (
    error instanceof ProtocolViolationError ||
    error instanceof HTMLResponseError ||
    hasStatus(error, 404, 405)
  );
}
