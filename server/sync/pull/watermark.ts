/**
 * Position of a pull by time, safe against clock skew: times are the partner's, in milliseconds since the
 * epoch, and our clock never advances it (docs/architecture.md: The pull engine).
 */
export interface TimeMark {
  /** Where the next pull starts; absent: from the beginning. */
  readonly since?: number;
  readonly greatest?: number;
  /** The partner's clock when the pull that first saw `greatest` began. */
  readonly greatestSeenAt?: number;
  /** The partner's clock at the last complete pull's start, and ours on learning it. */
  readonly clock?: { readonly theirs: number; readonly ours: number };
  /** Our clock at the last pull from the beginning. */
  readonly wholeAt?: number;
  /** The row with this greatest time didn't recur, so everything was read ({@link lacksGreatest}). */
  readonly doubted?: number;
}

export interface PullTimes {
  readonly greatest: number | undefined;
  /** The partner's clock at its first page, if known, and ours on arrival. */
  readonly startedAt: number | undefined;
  readonly startedHere: number;
  readonly whole: boolean;
  readonly took: number;
  /** Our clock, which limits the mark if the partner shows none. */
  readonly now: number;
}

/** Rows may become visible so many milliseconds after their own time. */
const OVERLAP = 30_000;
/** Milliseconds; smaller corrections aren't a clock going back. */
const CLOCK_TOLERANCE = 5_000;

/**
 * Returns the mark after a complete pull: the greatest time seen, at most the pull's start by the partner's clock,
 * minus an overlap; minus the pull's duration too if that clock is unknown. Once a later pull finds nothing newer, the
 * mark moves past the last row.
 */
export function advanceMark(mark: TimeMark, pull: PullTimes): TimeMark {
  const greatest = laterTime(mark.greatest, pull.greatest);
  const wholeAt = pull.whole ? pull.startedHere : mark.wholeAt;
  const rest = {
    ...(pull.startedAt === undefined ? {} : { clock: { theirs: pull.startedAt, ours: pull.startedHere } }),
    ...(wholeAt === undefined ? {} : { wholeAt }),
    ...(mark.doubted === undefined ? {} : { doubted: mark.doubted }),
  };
  if (greatest === undefined) return rest;
  const ceiling = pull.startedAt ?? pull.now - pull.took;
  const isNewer = mark.greatest === undefined || greatest > mark.greatest;
  const greatestSeenAt = isNewer ? pull.startedAt : mark.greatestSeenAt;
  const settled =
    !isNewer &&
    pull.startedAt !== undefined &&
    greatestSeenAt !== undefined &&
    pull.startedAt - greatestSeenAt > OVERLAP;
  const since = settled
    ? Math.min((Math.floor(greatest / 1000) + 1) * 1000, ceiling - OVERLAP)
    : Math.min(greatest, ceiling) - OVERLAP - (pull.startedAt === undefined ? pull.took : 0);
  return {
    ...rest,
    since: Math.max(0, since),
    greatest,
    ...(greatestSeenAt === undefined ? {} : { greatestSeenAt }),
  };
}

/**
 * Returns whether the partner's clock advanced less than ours since the last pull, so that new rows may have times
 * before the mark. `shown` is the partner's time, `askedAt` our clock at the request.
 */
export function partnerClockWentBack(mark: TimeMark, shown: number | undefined, askedAt: number): boolean {
  if (!mark.clock || shown === undefined) return false;
  return shown - mark.clock.theirs < askedAt - mark.clock.ours - CLOCK_TOLERANCE;
}

/**
 * Returns whether the latest row ever seen was requested and didn't come: rows are missing there. False for a time that
 * the caller has recorded as `doubted`, as a partner may remove rows for good. `since` is the requested time, if not
 * everything; `came` the greatest time received.
 */
export function lacksGreatest(mark: TimeMark, since: number | undefined, came: number | undefined): boolean {
  const { greatest, doubted } = mark;
  if (greatest === undefined || greatest === doubted) return false;
  // Requests have whole seconds.
  const isAskedFor = since === undefined || greatest >= Math.floor(since / 1000) * 1000;
  return isAskedFor && (came === undefined || came < greatest);
}

/** Returns whether the greatest time seen is ahead of the partner's clock, `shown`. */
export function isAheadOfPartnerClock(mark: TimeMark, shown: number | undefined): boolean {
  return mark.greatest !== undefined && shown !== undefined && mark.greatest > shown + CLOCK_TOLERANCE;
}

/** For changes that no clock reveals. */
const FULL_SCAN_INTERVAL_MS = 24 * 3_600_000;

/** Returns the time from which the next pull requests changes; undefined, at least daily, for the beginning. */
export function nextPullStart(mark: TimeMark, now: number): number | undefined {
  const isDue = mark.wholeAt === undefined || Math.abs(now - mark.wholeAt) > FULL_SCAN_INTERVAL_MS;
  return isDue ? undefined : mark.since;
}

/** Returns the time of a row's version, or a later deletion's, in milliseconds since the epoch. */
export function versionTimeMs(row: { updatedAt: string; deletedAt?: string }): number {
  const updated = Date.parse(row.updatedAt);
  return row.deletedAt === undefined ? updated : Math.max(updated, Date.parse(row.deletedAt));
}

function laterTime(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}
