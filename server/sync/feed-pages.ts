import { PartnerRefused } from '../peer/errors.ts';
import type { FootbridgeCalls } from '../peer/footbridge.ts';
import { createLoopGuard } from './loop-guard.ts';
import type { PageContext, PulledPage } from './pages.ts';

/** Half as many rows as travel at once elsewhere: what is in flight then fits the young part of the heap. */
const PAGE_ROWS = 250;
/** Changes that may not travel to us (our own rows, above all) leave pages empty; a feed of ten million of them ends. */
const EMPTY_PAGES = 20_000;

/**
 * The pages of a pull from another Footbridge: its change feed by sequence number, on from the last page that
 * was applied. When the partner counts anew (its store was restored, its choice of columns changed) the feed
 * is taken in from the beginning.
 * @throws PartnerError
 */
export async function* feedPages(
  calls: FootbridgeCalls,
  moduleID: string,
  { checkpoint, signal }: PageContext,
): AsyncGenerator<PulledPage> {
  const guard = createLoopGuard(EMPTY_PAGES);
  let position: { after: number; epoch?: string } = checkpoint.feed ?? { after: 0 };
  let restarted = false;
  for (;;) {
    let page;
    try {
      page = await calls.changes(moduleID, { ...position, limit: PAGE_ROWS }, signal);
    } catch (error) {
      if (restarted || !isNewEpoch(error)) throw error;
      restarted = true;
      position = { after: 0 };
      continue;
    }
    guard(page.more ? { ...page, next: `${page.epoch}/${page.next}` } : { ...page, next: undefined });
    position = { epoch: page.epoch, after: page.next };
    yield {
      records: page.records,
      bad: page.bad,
      checkpoint: { ...checkpoint, feed: { epoch: page.epoch, after: page.next } },
      last: !page.more,
      // The feed tells what is now, in the order in which it came to be, whatever times stand on it.
      overrule: true,
      anew: restarted,
      ...(page.total === undefined ? {} : { total: page.total }),
    };
    if (!page.more) return;
  }
}

function isNewEpoch(error: unknown): boolean {
  return error instanceof PartnerRefused && error.status === 409 && error.code === 'feed.epoch';
}
