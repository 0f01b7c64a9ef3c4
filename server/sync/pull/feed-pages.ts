import { definitionMark } from '../../federation/sharing/definition-mark.ts';
import type { OfferedColumn } from '../../federation/model.ts';
import {
  PartnerUnreachableError,
  ProtocolViolationError,
  RequestRefusedError,
  NextPageTooLargeError,
} from '../../peer/guard/errors.ts';
import type { FootbridgeCalls } from '../../peer/dialects/footbridge.ts';
import { countRows, type ChangesPage } from '../../peer/remote.ts';
import { GROUP_ROWS } from '../../base/row-group.ts';
import { LoopGuard } from './loop-guard.ts';
import type { PageContext, PulledPage } from './pages.ts';
import type { ResyncReason, FeedMark } from '../tables.ts';

const PAGE_ROWS = 500;
/** Milliseconds. Pages grow only if they come faster: slow lines need the time. */
const QUICK_PAGE = 2000;
const PAGES_AHEAD = 2;
/** Beyond, pages are requested singly: on a slow line they would exceed each other's time limit. */
const SMALL_PAGE_BYTES = 1024 * 1024;
/** Consecutive ones: rows change after being counted, and some partners count rows not for us. */
const EMPTY_PAGES = 20_000;

/**
 * Yields another Footbridge's change feed after the last applied page; from the beginning, with the reason in `resync`,
 * if the partner's numbers changed. Throws PartnerError, also if the partner refuses `columns` ({@link
 * isOtherDefinition}); undefined accepts any.
 */
export async function* fetchFeedPages(
  calls: FootbridgeCalls,
  {
    moduleID,
    columns,
  }: { readonly moduleID: string; readonly columns: readonly OfferedColumn[] | undefined },
  { checkpoint, readBefore, clock, signal }: PageContext,
): AsyncGenerator<PulledPage> {
  let guard = new LoopGuard(EMPTY_PAGES);
  const known = columns && { columns: definitionMark(columns) };
  /**
   * Small pages are cheapest for objects; grouped rows cost little more, while each page costs both sides
   * much.
   */
  const sizes = { next: PAGE_ROWS, largest: GROUP_ROWS };
  const pipeline = createPagePipeline(async (range) => {
    const asked = clock.monotonic();
    const page = await calls.changes(moduleID, { ...range, ...known, marks: PAGES_AHEAD }, signal);
    const isQuick = clock.monotonic() - asked < QUICK_PAGE;
    sizes.next = page.grouped && isQuick ? sizes.largest : PAGE_ROWS;
    // New sequence numbers are refused; this answers another request, as from a broken proxy.
    if (range.epoch === undefined || page.epoch === range.epoch) return page;
    page.rows.release();
    throw new ProtocolViolationError('its change feed answers for another list.');
  }, sizes);
  const isOfFormerID = (mark: FeedMark): boolean => (mark.moduleID ?? moduleID) !== moduleID;
  const isRenewed = checkpoint.feed !== undefined && isOfFormerID(checkpoint.feed);
  let position: Position = (isRenewed ? undefined : checkpoint.feed) ?? { after: 0 };
  let resync =
    checkpoint.feed?.anew ?? (isRenewed ? 'renewed' : readBefore && (await resyncReasonSince(readBefore)));
  let restarted = false;
  let taken = 0;
  let total: number | undefined;
  for (;;) {
    let page;
    try {
      page = await pipeline.page(position);
    } catch (error) {
      const reason = restarted ? undefined : resyncReason(error);
      if (!reason) throw error;
      restarted = true;
      // Other reasons stay true after rearranging columns.
      if (resync === undefined || reason === 'went-back') resync = reason;
      // The same rows legitimately come again.
      guard = new LoopGuard(EMPTY_PAGES);
      position = { after: 0 };
      continue;
    }
    const { epoch, state, next, more } = page;
    // The partner counts the rest; later changes count again, so the total must not grow.
    if (page.total !== undefined) total = Math.min(total ?? Infinity, taken + page.total);
    const marks = { ...(state === undefined ? {} : { state }), ...(resync ? { anew: resync } : {}) };
    const feed = { epoch, after: next, moduleID, ...marks };
    position = feed;
    for await (const { isLast, ...piece } of page.rows) {
      guard.addRows(piece);
      taken += countRows(piece);
      // Present state in order of change, whatever the rows' times.
      const pulled = {
        ...piece,
        overrule: true,
        ...(checkpoint.feed ? {} : { whole: true as const }),
        ...(resync ? { resync } : {}),
        ...(total === undefined ? {} : { total }),
      };
      if (isLast) {
        guard.endPage(more ? `${epoch}/${next}` : undefined);
        const unsettled = page.unsettled ? { unsettled: page.unsettled } : {};
        yield { ...pulled, ...unsettled, checkpoint: { ...checkpoint, feed }, last: !more };
      } else {
        yield { ...pulled, last: false };
      }
    }
    if (!more) return;
  }

  /**
   * For a read from the beginning that our mapping's change causes, returns a further reason: asks the partner (by a
   * request for one row), if unknown, whether its numbers continue position `before`. Undefined if so, or if they were
   * only rearranged. Throws PartnerError.
   */
  async function resyncReasonSince(before: FeedMark): Promise<ResyncReason | undefined> {
    if (before.anew) return before.anew;
    if (isOfFormerID(before)) return 'renewed';
    try {
      const { rows } = await calls.changes(
        moduleID,
        { ...rangeOf(before), ...known, limit: 1, marks: 0 },
        signal,
      );
      rows.release();
      return undefined;
    } catch (error) {
      const reason = resyncReason(error);
      if (!reason) throw error;
      return reason === 'went-back' ? reason : undefined;
    }
  }
}

type Position = Pick<FeedMark, 'after'> & Partial<Pick<FeedMark, 'epoch' | 'state'>>;

interface Range {
  readonly after: number;
  readonly until?: number;
  readonly epoch?: string;
  readonly state?: string;
  readonly isAhead?: boolean;
}

/** Repeated unchanged, unless large pages don't arrive. */
interface PageRequest extends Range {
  readonly limit: number;
}

/**
 * Creates a pipeline that prefetches up to two pages, as far as the partner announced their ends. A row that changes
 * meanwhile comes after them. `sizes`: rows of the next page, and at most.
 */
function createPagePipeline(
  ask: (request: PageRequest) => Promise<ChangesPage>,
  sizes: { next: number; largest: number },
): {
  page(position: Range): Promise<ChangesPage>;
} {
  let underWay: {
    readonly request: PageRequest;
    readonly until: number;
    readonly answer: Promise<ChangesPage>;
  }[] = [];

  return {
    /**
     * Returns the page at this position, prefetched or requested now, and prefetches the next ones; drops prefetched
     * pages that don't follow on. Requests again after a cut ({@link retryOnce}).
     */
    async page(position) {
      // Truncated (very large rows): prefetched pages no longer follow on.
      if (underWay[0]?.request.after !== position.after) underWay = [];
      const first = underWay.shift();
      const request = first?.request ?? { ...rangeOf(position), limit: sizes.next };
      const page = await (first?.answer ?? ask(request)).catch(retryOnce(request));
      for (const until of page.more && page.bytes <= SMALL_PAGE_BYTES ? unrequestedEnds(page) : []) {
        const after = underWay.at(-1)?.until ?? page.next;
        if (underWay.length >= PAGES_AHEAD || until === after) continue;
        const ahead = { ...rangeOf({ ...page, after }), until, limit: sizes.next };
        const answer = ask({ ...ahead, isAhead: true });
        // Delivered at its turn, so not unhandled until then.
        answer.catch(() => undefined);
        underWay.push({ request: ahead, until, answer });
      }
      return page;
    },
  };

  /** Returns announced page ends after the last requested one. Cursors are opaque: only equality can be checked. */
  function unrequestedEnds({ marks }: ChangesPage): readonly number[] {
    const last = underWay.at(-1)?.until;
    if (last === undefined) return marks;
    const known = marks.indexOf(last);
    return known < 0 ? [] : marks.slice(known + 1);
  }

  /**
   * Returns an error handler that repeats a request once if memory was short or the connection was cut, as there may
   * be another route. A large page cut again is requested once more as a small one.
   */
  function retryOnce(request: PageRequest) {
    return (error: unknown): Promise<ChangesPage> => {
      if (!isCut(error) && !(error instanceof NextPageTooLargeError)) throw error;
      return ask(request).catch((again: unknown) => {
        if (!isCut(again) || request.limit <= PAGE_ROWS) throw again;
        Object.assign(sizes, { next: PAGE_ROWS, largest: PAGE_ROWS });
        return ask({ ...request, limit: PAGE_ROWS });
      });
    };
  }
}

const isCut = (error: unknown): boolean => error instanceof PartnerUnreachableError && error.why === 'cut';

/** Returns whether the partner refused because its columns differ from those we named. */
export function isOtherDefinition(error: unknown): boolean {
  return error instanceof RequestRefusedError && error.status === 409 && error.code === 'feed.definition';
}

function rangeOf({ after, epoch, state }: Position): Range {
  return { after, ...(epoch === undefined ? {} : { epoch }), ...(state === undefined ? {} : { state }) };
}

/** Returns why the partner's numbers don't continue; undefined for any other error. */
function resyncReason(error: unknown): ResyncReason | undefined {
  if (!(error instanceof RequestRefusedError) || error.status !== 409) return undefined;
  if (error.code === 'feed.went-back') return 'went-back';
  return error.code === 'feed.epoch' ? 'rearranged' : undefined;
}
