import { batchByCount } from '../../base/batches.ts';
import { omit } from '../../base/omit.ts';
import type { SharedModule } from '../../federation/model.ts';
import type { FootbridgeCalls } from '../../peer/dialects/footbridge.ts';
import type { Peer } from '../../peer/peer.ts';
import { countRows, type ListAddress } from '../../peer/remote.ts';
import { compareList } from '../compare/compare.ts';
import { countDuplicates } from '../compare/duplicates.ts';
import { fetchFeedPages } from './feed-pages.ts';
import { openListSession, type ListSession } from './list-session.ts';
import type { PageContext, PulledPage } from './pages.ts';
import type { ResyncReason } from '../tables.ts';
import { fetchTimePages } from './time-pages.ts';
import { createFullScan, detectMissingRows, toDeletions, type FullScan } from './missing-rows.ts';
import type { PullDeps, PullJob, PullOptions, PullOutcome } from './job.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { CompareCalls } from '../../peer/dialects/footbridge-compare.ts';
import type { OtherOffers } from './other-offers.ts';

/**
 * Pulls one list: retries failed rows, fetches those of `refetchIDs`, applies each page with its checkpoint in one
 * durable write, and compares rows after a resync. Returns the counts; after a first pull also of duplicates. Throws
 * PartnerError ({@link isOtherDefinition}), StoreError, Refusal for full memory, and the signal's reason.
 */
export async function pullList(
  deps: PullDeps,
  peer: Peer,
  job: PullJob,
  options: PullOptions,
): Promise<PullOutcome> {
  const session = await openListSession(deps, job, options);
  const before = await session.rows.count();
  options.onBegun?.(() => {
    const { counts, newlyFailed } = session.outcome();
    return { ...counts, failed: newlyFailed };
  });
  await session.retryFailed(options.retryFailedNow === true);
  if (session.transformation.columns.length === 0) return session.outcome();
  const { footbridge } = peer;
  if (options.refetchIDs && footbridge)
    await refetchRows(session, footbridge, job, options.refetchIDs, options.signal);
  const { resync, ...rest } = await applyPages(deps, session, peer, job, options);
  if (resync && footbridge) await finishResync(deps, session, footbridge, job, resync, options.signal);
  const { total, received } = await session.rows.counts();
  const now = received[job.shared.nodeID] ?? 0;
  const outcome = { ...withRowTotal(session.outcome(), now), ...rest };
  // An interrupted first pull may have created some, so all of the partner's count.
  if (options.isFirst !== true || now === 0) return outcome;
  if (before === 0 && total === now) return { ...outcome, doubles: 0 };
  const partner = { nodeID: job.shared.nodeID, installation: job.installation };
  return {
    ...outcome,
    doubles: await countDuplicates(session.rows, partner, session.transformation.columns),
  };
}

interface PageAnnouncements extends Pick<PullOutcome, 'unsettled'> {
  readonly resync?: ResyncReason | undefined;
}

/**
 * Applies all pages, and reports each by `onPage`. Returns why the read was a resync, if it was, and whether further
 * changes were announced. Throws the signal's reason once stopped, and Refusal for full memory.
 */
async function applyPages(
  deps: PullDeps,
  session: ListSession,
  peer: Peer,
  job: PullJob,
  options: PullOptions,
): Promise<PageAnnouncements> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([options.signal, leaving.signal]);
  let taken = 0;
  let said: PageAnnouncements = {};
  try {
    for await (const page of readPages(deps, session, peer, job, options, signal)) {
      deps.checkMemory(page.letters ?? 0);
      await session.applyPage(page);
      taken += countRows(page);
      if (page.resync) said = { ...said, resync: page.resync };
      if (page.unsettled) said = { ...said, unsettled: page.unsettled };
      options.onPage?.({ rows: taken, total: page.total });
      options.signal.throwIfAborted();
    }
  } finally {
    leaving.abort();
  }
  return said;
}

/**
 * Yields the list's pages by the partner's dialect, prefetching some. For software other than Footbridge adds deletions
 * of missing rows, unless several lists of the partner come into ours.
 */
function readPages(
  { clock }: PullDeps,
  session: ListSession,
  { feed, footbridge }: Peer,
  { shared, otherOffers }: PullJob,
  options: PullOptions,
  signal: AbortSignal,
): AsyncIterable<PulledPage> {
  const { checkpoint, readBefore, rows } = session;
  const context = { checkpoint, readBefore, clock, signal };
  const list = listAddress(shared);
  if (footbridge) {
    const columns = options.anyDefinition === true ? undefined : shared.fields;
    return fetchFeedPages(footbridge, { moduleID: list.moduleID, columns }, context);
  }
  const byTime = (reading: FullScan, again: boolean): AsyncGenerator<PulledPage> =>
    fetchTimePages(feed, list, again ? withoutPosition(context) : context, reading);
  if (otherOffers || session.otherOffers.hasUncheckedRows) return prefetch(byTime(createFullScan(), false));
  const known = {
    nodeID: shared.nodeID,
    rows,
    failed: () => session.failedIDs(),
    isKept: (recordID: string) => session.isKeptByUser(recordID),
  };
  return prefetch(detectMissingRows(byTime, { checkpoint: omit(checkpoint, 'open') }, known));
}

/** Returns the outcome with the list's row count beside what needs approval; unchanged if nothing does. */
function withRowTotal(outcome: PullOutcome, now: number): PullOutcome {
  const { brake } = outcome;
  if (!brake) return outcome;
  const of = Math.max(now > 0 ? now : brake.of, brake.removes, brake.empties);
  return { ...outcome, brake: { ...brake, of } };
}

/**
 * Fetches these rows (ids at the partner) again and applies them. `resync` says why the feed is read from its
 * beginning.
 */
async function refetchRows(
  session: ListSession,
  calls: FootbridgeCalls,
  { shared }: PullJob,
  recordIDs: Iterable<string>,
  signal: AbortSignal,
  resync?: ResyncReason,
): Promise<void> {
  const pages = refetchPages(
    { calls, shared, rows: session.rows, otherOffers: session.otherOffers, signal },
    [...recordIDs],
  );
  for await (const page of pages) await session.applyPage({ ...page, ...(resync ? { resync } : {}) });
}

/**
 * Applies deletions that a feed read from its beginning doesn't report, and ends the resync: compares and refetches
 * differing rows until a comparison named all differing rows or nothing new differs. The deletion guard holds back
 * many; if the list went back, all.
 */
async function finishResync(
  deps: PullDeps,
  session: ListSession,
  calls: FootbridgeCalls,
  job: PullJob,
  resync: ResyncReason,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Set<string>();
  for (;;) {
    const { differing, more } = await compareList(deps, calls, { ...job, otherOffers: session.otherOffers });
    const fresh = differing.map(({ recordID }) => recordID).filter((recordID) => !seen.has(recordID));
    if (fresh.length === 0) break;
    for (const recordID of fresh) seen.add(recordID);
    await refetchRows(session, calls, job, fresh, signal, resync);
    if (!more) break;
  }
  await session.endResync();
}

/** Returns the context for a read by time from the beginning; a change feed's position stays. */
function withoutPosition({ checkpoint, ...context }: PageContext): PageContext {
  return { ...context, checkpoint: omit(checkpoint, 'time', 'open') };
}

/** Returns the ids by which the partner knows the list. */
function listAddress(shared: SharedModule): ListAddress {
  const { externalFederationModuleID, externalComposeModuleID, externalComposeNamespaceID } = shared;
  return {
    moduleID: externalFederationModuleID,
    ...(externalComposeModuleID === undefined ? {} : { composeModuleID: externalComposeModuleID }),
    ...(externalComposeNamespaceID === undefined ? {} : { composeNamespaceID: externalComposeNamespaceID }),
  };
}

/** Partners accept at most 500 rows per request. */
const PIECE = 200;

/**
 * Yields these rows (ids at the partner) as the partner has them now. Rows in none of its lists that come into ours
 * count as deleted; if they may belong to a former list, as missing, so that removing them needs approval.
 */
async function* refetchPages(
  source: {
    readonly calls: CompareCalls;
    readonly shared: Pick<SharedModule, 'nodeID' | 'externalFederationModuleID'>;
    readonly rows: Pick<Rows, 'findReceived'>;
    readonly otherOffers: OtherOffers;
    readonly signal: AbortSignal;
  },
  recordIDs: readonly string[],
): AsyncGenerator<PulledPage> {
  const { calls, shared, rows, otherOffers, signal } = source;
  for (const piece of batchByCount(recordIDs, PIECE)) {
    const answered = new Set<string>();
    for await (const { records, bad } of calls.rows(shared.externalFederationModuleID, piece, signal)) {
      for (const { recordID } of [...records, ...bad]) answered.add(recordID);
      yield { records, bad, last: false, overrule: true };
    }
    for (const moduleID of otherOffers.offers) {
      const asked = piece.filter((recordID) => !answered.has(recordID));
      if (asked.length === 0) break;
      for await (const { records, bad } of calls.rows(moduleID, asked, signal))
        for (const { recordID } of [...records, ...bad]) answered.add(recordID);
    }
    const missing = piece.filter((recordID) => !answered.has(recordID));
    const gone = await toDeletions({ nodeID: shared.nodeID, rows }, missing);
    const flags = otherOffers.hasUncheckedRows ? ({ vanished: true } as const) : {};
    if (gone.length > 0) yield { records: gone, bad: [], last: false, overrule: true, ...flags };
  }
}

/** Yields the source's items, requesting the next one ahead. Ends the source if the reader stops early. */
async function* prefetch<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let coming = iterator.next();
  try {
    for (;;) {
      const item = await coming;
      if (item.done === true) return;
      coming = iterator.next();
      // The reader gets the failure later; this prevents an unhandled rejection.
      coming.catch(() => undefined);
      yield item.value;
    }
  } finally {
    await iterator.return?.(undefined).catch(() => undefined);
  }
}
