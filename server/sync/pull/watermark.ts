/**
 * How far a pull by time has come, for partners whose changes are asked for by a time (`lastSync`, `after`).
 * All times are the partner's own, in milliseconds since the epoch: those of its rows, and its clock as its
 * `Date` header shows it. Our clock never moves the mark forward (docs/architecture.md: The pull engine).
 */
export interface TimeMark {
  /** The next pull asks for changes from here; absent: from the beginning. */
  readonly since?: number;
  /** The greatest time of a row ever seen. */
  readonly greatest?: number;
  /** The partner's clock at the start of the pull that saw `greatest` first. */
  readonly greatestSeenAt?: number;
  /** The partner's clock at the start of the last whole pull, and ours when we learnt it. */
  readonly clock?: { readonly theirs: number; readonly ours: number };
  /** Our clock at the last pull from the beginning. */
  readonly wholeAt?: number;
  /** The greatest time for which a row did not come again, so that all was read from the beginning ({@link lacksGreatest}). */
  readonly doubted?: number;
}

/** What a whole pull found out. */
export interface PullTimes {
  /** Greatest time of a row in it. */
  readonly greatest: number | undefined;
  /** The partner's clock at its first page, where the partner shows one, and ours when that page was in. */
  readonly startedAt: number | undefined;
  readonly startedHere: number;
  /** It began from the beginning. */
  readonly whole: boolean;
  /** Milliseconds from first to last page. */
  readonly took: number;
  /** Our clock; only ever used to hold the mark back where the partner shows no clock of its own. */
  readonly now: number;
}

/** Rows may become visible this long after the time that they carry. */
const OVERLAP = 30_000;
/** A clock that is corrected by less than this has not gone back. */
const CLOCK_TOLERANCE = 5_000;

/**
 * The mark after a whole pull: the greatest time seen, less an overlap, and not past the start of the pull by
 * the partner's clock: rows of pages already fetched may have changed while later pages came, and a row may be
 * dated in the future. Where the partner shows no clock, the time that the pull took is taken off instead. Once a later pull has found nothing newer, the overlap has done its
 * work and the mark moves behind the last row, so that an idle list costs nothing.
 */
export function advance(mark: TimeMark, pull: PullTimes): TimeMark {
  const greatest = later(mark.greatest, pull.greatest);
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
 * Whether the partner's clock has gone back since the last pull: it shows less time gone by than our stopwatch.
 * Rows written since may carry times from before the mark and would be missed, so that the pull has to start
 * from the beginning once. Our own clock only measures how much time went by; when it is wrong, the worst is a
 * pull too many.
 * @param askedAt our clock when the page was asked for
 */
export function hasGoneBack(mark: TimeMark, shown: number | undefined, askedAt: number): boolean {
  if (!mark.clock || shown === undefined) return false;
  return shown - mark.clock.theirs < askedAt - mark.clock.ours - CLOCK_TOLERANCE;
}

/**
 * Whether what came cannot be all that is there: times of rows only grow, so that the latest one that was ever seen comes
 * again wherever it was asked for. Told once of each: a partner may remove rows for good.
 * @param since what was asked for; undefined: everything
 * @param came the greatest time of what came
 */
export function lacksGreatest(mark: TimeMark, since: number | undefined, came: number | undefined): boolean {
  const { greatest, doubted } = mark;
  if (greatest === undefined || greatest === doubted) return false;
  // Times are asked for in whole seconds.
  const isAskedFor = since === undefined || greatest >= Math.floor(since / 1000) * 1000;
  return isAskedFor && (came === undefined || came < greatest);
}

/** Whether rows were seen that carry times which the partner's clock has not come to yet. */
export function isAhead(mark: TimeMark, shown: number | undefined): boolean {
  return mark.greatest !== undefined && shown !== undefined && mark.greatest > shown + CLOCK_TOLERANCE;
}

/** Once a day everything is looked through again, for what no clock can tell. */
const FULL_SCAN_INTERVAL_MS = 24 * 3_600_000;

/** Where the next pull begins; undefined: at the beginning. */
export function startOf(mark: TimeMark, now: number): number | undefined {
  const isDue = mark.wholeAt === undefined || Math.abs(now - mark.wholeAt) > FULL_SCAN_INTERVAL_MS;
  return isDue ? undefined : mark.since;
}

/** The time of a version of a row, of its deletion where that is later. */
export function timeOf(row: { updatedAt: string; deletedAt?: string }): number {
  const updated = Date.parse(row.updatedAt);
  return row.deletedAt === undefined ? updated : Math.max(updated, Date.parse(row.deletedAt));
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}
