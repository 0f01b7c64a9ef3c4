/** One reload per burst of events. */
const GATHER_MS = 80;

export interface Reloads {
  /** Requests a reload. `isReconnect`: waits for none under way, whose answer may never come. */
  request(isReconnect?: boolean): void;
  stop(): void;
}

/**
 * Creates reloads for events: `load` runs 80 ms after the first of a burst, one at a time, and again for events
 * meanwhile. Otherwise events that come faster than answers would pile up calls, each of which outdates the one before.
 */
export function createReloads(load: () => Promise<void>): Reloads {
  let due: ReturnType<typeof setTimeout> | undefined;
  let underWay: { isOutdated: boolean } | undefined;

  /** Loads in 80 ms, once for all calls until then. */
  function loadSoon(): void {
    due ??= setTimeout(() => void loadNow(), GATHER_MS);
  }

  /** Loads, and again after an event meanwhile. Never rejects. */
  async function loadNow(): Promise<void> {
    const own: { isOutdated: boolean } = { isOutdated: false };
    underWay = own;
    due = undefined;
    await load().catch(() => undefined);
    if (underWay !== own) return;
    underWay = undefined;
    if (own.isOutdated) loadSoon();
  }

  return {
    /** Loads soon, or else once the load under way has ended. */
    request(isReconnect = false) {
      if (underWay && !isReconnect) underWay.isOutdated = true;
      else loadSoon();
    },
    /** Ends requested reloads, except one under way. */
    stop() {
      clearTimeout(due);
      due = undefined;
      underWay = undefined;
    },
  };
}
