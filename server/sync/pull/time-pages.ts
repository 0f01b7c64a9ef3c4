import { omit } from '../../base/omit.ts';
import { hasStatus, ProtocolViolationError, RequestRefusedError } from '../../peer/guard/errors.ts';
import type { TimeFeed } from '../../peer/dialects/feed.ts';
import type { ListAddress, RecordsPage, RecordsPiece } from '../../peer/remote.ts';
import { LoopGuard } from './loop-guard.ts';
import type { PageContext, PulledPage } from './pages.ts';
import type { FullScan } from './missing-rows.ts';
import type { Checkpoint } from '../tables.ts';
import {
  advanceMark,
  partnerClockWentBack,
  isAheadOfPartnerClock,
  lacksGreatest,
  nextPullStart,
  versionTimeMs,
  type TimeMark,
} from './watermark.ts';

/**
 * Yields everything changed since the watermark. After an interruption it continues at a stored cursor, then reads
 * later changes; with page numbers it restarts from the watermark. Starts over once if watermark or cursor are unusable
 * or rows were missing. `reading` gets all row ids. Throws PartnerError.
 */
export async function* fetchTimePages(
  feed: TimeFeed,
  list: ListAddress,
  context: PageContext,
  reading: FullScan,
): AsyncGenerator<PulledPage> {
  let { checkpoint } = context;
  try {
    if (checkpoint.open) {
      for await (const page of readOnce(feed, list, context, checkpoint, reading)) {
        checkpoint = page.checkpoint ?? checkpoint;
        yield { ...page, last: false };
      }
    }
    yield* readOnce(feed, list, context, checkpoint, reading);
  } catch (error) {
    if (!(error instanceof StartOver)) throw error;
    const doubted = checkpoint.time?.greatest;
    const restarted = { ...withoutOpen(checkpoint), time: optionalMember('doubted', doubted) };
    yield* readOnce(feed, list, context, restarted, reading);
  }
}

class StartOver extends Error {}

/**
 * Yields one read's pages: continues an interrupted read at its cursor, else starts at the watermark, which moves with
 * the last page. Throws StartOver if that position is unusable or rows are missing, PartnerError otherwise.
 */
async function* readOnce(
  feed: TimeFeed,
  list: ListAddress,
  { clock, signal }: PageContext,
  begun: Checkpoint,
  reading: FullScan,
): AsyncGenerator<PulledPage> {
  const mark = begun.time ?? {};
  const { open } = begun;
  const since = open ? open.since : nextPullStart(mark, clock.now());
  const guard = new LoopGuard();
  reading.beginScan(since === undefined && !open);
  const stopwatch = clock.monotonic();
  let { startedAt, startedHere, greatest, next } = open ?? { startedHere: clock.now() };
  for (let pages = 0; ; pages++) {
    const askedAt = clock.now();
    const page = await fetchPage(feed, list, {
      since,
      next,
      signal,
      isResumed: pages === 0 && open !== undefined,
    });
    if (pages === 0 && !open) {
      if (since !== undefined && partnerClockWentBack(mark, page.originTime, askedAt)) {
        page.rows.release();
        throw new StartOver();
      }
      startedAt = page.originTime;
      startedHere = clock.now();
    }
    const total = page.total === undefined ? {} : { total: page.total };
    // Rows from before a clock correction must not hide newer ones. Feeds that reread everything bring
    // restored rows too, and a restore has no time.
    const overrule =
      since === undefined || page.isWhole === true || isAheadOfPartnerClock(mark, page.originTime);
    const common = { overrule, byTime: true as const, ...total };
    let lastPiece: RecordsPiece = { records: [], bad: [], letters: 0 };
    for await (const { isLast, ...piece } of page.rows) {
      guard.addRows(piece);
      reading.addRows(piece);
      for (const record of piece.records) greatest = Math.max(greatest ?? 0, versionTimeMs(record));
      if (isLast) lastPiece = piece;
      else yield { ...common, ...piece, last: false };
    }
    next = guard.endPage(page.next, page.mayRepeat);
    if (next === undefined) {
      if (lacksGreatest(mark, since, greatest)) throw new StartOver();
      if (isReadAfterLoss(mark) && greatest === undefined)
        throw new ProtocolViolationError('it gives none of the rows that it gave before.');
      const took = clock.monotonic() - stopwatch;
      // Interrupted reads don't show what is missing; before the first, nothing is.
      const isFirst = mark.wholeAt === undefined && mark.doubted === undefined;
      const whole = since === undefined && (!open || isFirst);
      const time = advanceMark(mark, { greatest, startedAt, startedHere, whole, took, now: clock.now() });
      yield { ...common, ...lastPiece, checkpoint: { ...withoutOpen(begun), time }, last: true };
      return;
    }
    const continued = page.resumable ? toOpenRead({ next, startedAt, startedHere, since, greatest }) : {};
    yield { ...common, ...lastPiece, checkpoint: { ...withoutOpen(begun), ...continued }, last: false };
  }
}

type OpenRead = NonNullable<Checkpoint['open']>;

/** Returns the read to store as interrupted at this page; {} if the partner's time at the start is unknown. */
function toOpenRead({
  startedAt,
  since,
  greatest,
  ...place
}: Pick<OpenRead, 'next' | 'startedHere'> & {
  readonly [K in 'startedAt' | 'since' | 'greatest']: OpenRead[K] | undefined;
}): Pick<Checkpoint, 'open'> {
  if (startedAt === undefined) return {};
  const known = { ...optionalMember('since', since), ...optionalMember('greatest', greatest) };
  return { open: { ...place, startedAt, ...known } };
}

/** Returns whether a read after rows went missing there saw no row yet. */
function isReadAfterLoss({ doubted, greatest }: TimeMark): boolean {
  return doubted !== undefined && greatest === undefined;
}

/**
 * Requests a page. Throws StartOver if the partner refuses a stored cursor (`isResumed`), which may have expired;
 * PartnerError otherwise.
 */
async function fetchPage(
  feed: TimeFeed,
  list: ListAddress,
  wanted: { since: number | undefined; next: string | undefined; signal: AbortSignal; isResumed: boolean },
): Promise<RecordsPage> {
  try {
    const position = { ...optionalMember('since', wanted.since), ...optionalMember('next', wanted.next) };
    return await feed.records(list, position, wanted.signal);
  } catch (error) {
    if (wanted.isResumed && (error instanceof RequestRefusedError || hasStatus(error, 400, 500)))
      throw new StartOver();
    throw error;
  }
}

function optionalMember<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, T>>);
}

function withoutOpen(checkpoint: Checkpoint): Checkpoint {
  return omit(checkpoint, 'open');
}
