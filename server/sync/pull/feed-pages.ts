import { definitionMark } from '../../federation/sharing/definition-mark.ts';
import type { OfferedColumn } from '../../federation/model.ts';
import {
  ProtocolViolationError,
  RequestRefusedError,
  NextPageTooLargeError,
} from '../../peer/guard/errors.ts';
import type { FootbridgeCalls } from '../../peer/dialects/footbridge.ts';
import type { ChangesPage } from '../../peer/remote.ts';
import { GROUP_ROWS } from '../../base/row-group.ts';
import { LoopGuard } from './loop-guard.ts';
import type { PageContext, PulledPage } from './pages.ts';
import type { ResyncReason, FeedMark } from '../tables.ts';

const PAGE_ROWS = 500;
/** Milliseconds within which a page has to come for the next ones to be larger: a slow line needs its time for them. */
const QUICK_PAGE = 2000;
/** Pages that are asked for behind the one in hand: neither side waits for the other, and few are given up by a stop. */
const PAGES_AHEAD = 2;
/**
 * Bytes of a page, behind which the others are asked for one at a time: on a slow line several large ones would use
 * up each other's time.
 */
const SMALL_PAGE_BYTES = 1024 * 1024;
/** Pages whose rows changed since they were named are empty; so are those of partners that count what is not for us. */
const EMPTY_PAGES = 20_000;

/**
 * The pages of a pull from another Footbridge: its change feed by sequence number, on from the last page that
 * was applied. When the partner counts anew (its store was restored, its choice of columns changed) the feed
 * is taken in from the beginning.
 * @param columns as we know them: with others no row comes ({@link isOtherDefinition}); undefined: whatever they are
 * @throws PartnerError
 */
export async function* feedPages(
  calls: FootbridgeCalls,
  {
    moduleID,
    columns,
  }: { readonly moduleID: string; readonly columns: readonly OfferedColumn[] | undefined },
  { checkpoint, readBefore, clock, signal }: PageContext,
): AsyncGenerator<PulledPage> {
  let guard = new LoopGuard(EMPTY_PAGES);
  const known = columns && { columns: definitionMark(columns) };
  /** A page costs both sides much beside its rows. As objects, more rows at once cost more each. */
  let limit = PAGE_ROWS;
  const convoy = createPagePipeline(async (range) => {
    const asked = clock.monotonic();
    const page = await calls.changes(moduleID, { ...range, ...known, limit, marks: PAGES_AHEAD }, signal);
    const isQuick = clock.monotonic() - asked < QUICK_PAGE;
    limit = page.grouped && isQuick ? GROUP_ROWS : PAGE_ROWS;
    // Who counts anew refuses; this is the answer to another question, as of a broken proxy that mixes them up.
    if (range.epoch === undefined || page.epoch === range.epoch) return page;
    page.rows.release();
    throw new ProtocolViolationError('its change feed answers for another list.');
  });
  let position: Position = checkpoint.feed ?? { after: 0 };
  let anew = checkpoint.feed?.anew ?? (readBefore && (await sinceThen(readBefore)));
  let restarted = false;
  let taken = 0;
  let total: number | undefined;
  for (;;) {
    let page;
    try {
      page = await convoy.page(position);
    } catch (error) {
      const reason = restarted ? undefined : resyncReason(error);
      if (!reason) throw error;
      restarted = true;
      // That it went back stays true when it is rearranged as well.
      anew = anew === 'went-back' ? anew : reason;
      // The same rows come once more, rightly.
      guard = new LoopGuard(EMPTY_PAGES);
      position = { after: 0 };
      continue;
    }
    const { epoch, state, next, more } = page;
    // The partner says what is still to come; what changes meanwhile it counts once more, so that it never becomes more.
    if (page.total !== undefined) total = Math.min(total ?? Infinity, taken + page.total);
    const feed = { epoch, after: next, ...(state === undefined ? {} : { state }), ...(anew ? { anew } : {}) };
    position = feed;
    for await (const { isLast, ...piece } of page.rows) {
      guard.rows(piece);
      taken += piece.records.length + piece.bad.length;
      // The feed tells what is now, in the order in which it came to be, whatever times stand on it.
      const pulled = {
        ...piece,
        overrule: true,
        ...(checkpoint.feed ? {} : { whole: true as const }),
        ...(anew ? { anew } : {}),
        ...(total === undefined ? {} : { total }),
      };
      if (isLast) {
        guard.page(more ? `${epoch}/${next}` : undefined);
        const unsettled = page.unsettled ? { unsettled: page.unsettled } : {};
        yield { ...pulled, ...unsettled, checkpoint: { ...checkpoint, feed }, last: !more };
      } else {
        yield { ...pulled, last: false };
      }
    }
    if (!more) return;
  }

  /** All is read once more, as other columns are wanted: it still has to be known whether something is gone meanwhile. */
  async function sinceThen(before: FeedMark): Promise<ResyncReason | undefined> {
    if (before.anew) return before.anew;
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

/**
 * Asks for the pages behind the one in hand while that is dealt with, as far as the partner has said where they
 * end. Each begins where the one before ends, whatever changes meanwhile: a row that changes goes behind all of them.
 */
function createPagePipeline(ask: (range: Range) => Promise<ChangesPage>): {
  page(position: Range): Promise<ChangesPage>;
} {
  let underWay: { readonly range: Range; readonly until: number; readonly answer: Promise<ChangesPage> }[] =
    [];

  return {
    async page(position) {
      // A page that ended early, as one of very large rows does: the others would leave a gap behind it.
      if (underWay[0]?.range.after !== position.after) underWay = [];
      const first = underWay.shift();
      const page = first ? await first.answer.catch(askAgain(first.range)) : await ask(rangeOf(position));
      for (const until of page.more && page.bytes <= SMALL_PAGE_BYTES ? endsBehind(page) : []) {
        const after = underWay.at(-1)?.until ?? page.next;
        if (underWay.length >= PAGES_AHEAD || until === after) continue;
        const range = { ...rangeOf({ ...page, after }), until };
        const answer = ask({ ...range, isAhead: true });
        // A failure is for the reader, at its turn; until then nobody else is to hear of it.
        answer.catch(() => undefined);
        underWay.push({ range, until, answer });
      }
      return page;
    },
  };

  /** The ends of pages that are not asked for yet. Places tell nothing but whether they are the same. */
  function endsBehind({ marks }: ChangesPage): readonly number[] {
    const last = underWay.at(-1)?.until;
    if (last === undefined) return marks;
    const known = marks.indexOf(last);
    return known < 0 ? [] : marks.slice(known + 1);
  }

  function askAgain(range: Range) {
    return (error: unknown): Promise<ChangesPage> => {
      if (error instanceof NextPageTooLargeError) return ask(range);
      throw error;
    };
  }
}

/** The columns changed since their definition was read: it has to be read again before any row. */
export function isOtherDefinition(error: unknown): boolean {
  return error instanceof RequestRefusedError && error.status === 409 && error.code === 'feed.definition';
}

/** What was read before, as the partner is told of it. */
function rangeOf({ after, epoch, state }: Position): Range {
  return { after, ...(epoch === undefined ? {} : { epoch }), ...(state === undefined ? {} : { state }) };
}

function resyncReason(error: unknown): ResyncReason | undefined {
  if (!(error instanceof RequestRefusedError) || error.status !== 409) return undefined;
  if (error.code === 'feed.went-back') return 'went-back';
  return error.code === 'feed.epoch' ? 'rearranged' : undefined;
}
