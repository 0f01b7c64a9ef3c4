import { batchByCount } from '../../base/batches.ts';
import {
  blockOf,
  blocksFor,
  createBlockSums,
  differingBlocks,
  differingRows,
  rowDigest,
} from '../../federation/sharing/digest.ts';
import type { Field, FieldDescriptor, Row, Values, RowSource } from '../../lists/definitions/model.ts';
import type { IDSet } from '../../base/id-set.ts';
import { Refusal } from '../../base/refusal.ts';
import { createYielder } from '../../base/yield.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { titleOf } from '../../lists/rows/row-titles.ts';
import { hasSameTexts, valuesOf } from '../../lists/values/value-sets.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import { ProtocolViolationError } from '../../peer/guard/errors.ts';
import type { CompareCalls } from '../../peer/dialects/footbridge-compare.ts';
import type { Peer } from '../../peer/peer.ts';
import type { Clock } from '../../base/clock.ts';
import { createFindings, MAX_NAMED, type DifferingRow } from './compare-findings.ts';
import { ownWorkOn, findShownFault, type OwnWork } from './compare-shown.ts';
import { describeConversion } from '../pull/convert.ts';
import type { SyncFederation } from '../ports.ts';
import { fetchRowIDs, findOtherOffers } from '../pull/other-offers.ts';
import type { PullDeps, PullJob } from '../pull/job.ts';
import { liveSourceFrom } from '../pull/missing-rows.ts';
import { createTransformation } from '../pull/transform.ts';
import { said } from '../../words/said.ts';

/** Comparison of an offered list with our list that receives it. */
export interface Comparison {
  readonly identical: boolean;
  /** Rows shown to us. */
  readonly theirs: number;
  /** Those of them that we have. */
  readonly ours: number;
  /** Changed or binned by our user. */
  readonly ownWork: Readonly<Record<OwnWork, number>>;
  readonly differing: readonly DifferingRow[];
  /** `differing` is incomplete. */
  readonly more: boolean;
  readonly comparedAt: string;
}

/** Beyond, a new pull is cheaper. */
const MAX_BLOCKS_LOOKED_INTO = 64;
/** In differing blocks, by the partner's count; the first block may exceed it. */
const MAX_ROWS_LOOKED_INTO = 200_000;
/** A block may have doubled since counted, or grown by this many rows. */
const GROWN = 1000;

interface CompareDeps extends Pick<PullDeps, 'lists'> {
  readonly federation: Pick<SyncFederation, 'shared' | 'mappings'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Compares an offered list with what we received of it, writing nothing. Throws PartnerError, `mapping.unknown`, or
 * `compare.other-server` (impossible) for other software.
 */
export async function compareOffer(
  deps: CompareDeps,
  peer: Pick<Peer, 'footbridge'>,
  offer: { readonly nodeID: string; readonly sharedModuleID: string },
): Promise<Comparison> {
  const job = await findJob(deps, offer);
  if (!peer.footbridge)
    throw new Refusal('impossible', 'compare.other-server', said('compare.only-footbridges'));
  const found = await compareList(deps, peer.footbridge, job);
  return { ...found, comparedAt: new Date(deps.clock.now()).toISOString() };
}

/** Returns the offer with its oldest mapping as a pull job. Throws `mapping.unknown` (not-found). */
async function findJob(
  { federation, lists }: CompareDeps,
  { nodeID, sharedModuleID }: { nodeID: string; sharedModuleID: string },
): Promise<PullJob> {
  const offered = new Map((await federation.shared.list(nodeID)).map((each) => [each.moduleID, each]));
  const mappings = await federation.mappings.list(nodeID);
  const shared = offered.get(sharedModuleID);
  const mapping = mappings.find(({ federationModuleID }) => federationModuleID === sharedModuleID);
  if (!shared || !mapping) throw new Refusal('not-found', 'mapping.unknown', said('compare.not-matched'));
  const module = await lists.module(mapping.composeModuleID);
  const otherOffers = findOtherOffers(mapping, mappings, offered);
  return { shared, mapping, module, ...(otherOffers ? { otherOffers } : {}) };
}

/**
 * Compares what we received of a list with the partner's: by digests of blocks, then of rows in differing blocks, then
 * by values (of all rows if columns are converted). Also finds rows shown here other than they arrived, and counts our
 * user's changes. `more`: there are too many differences to look at all.
 */
export async function compareList(
  { lists }: Pick<PullDeps, 'lists'>,
  calls: CompareCalls,
  job: PullJob,
): Promise<Omit<Comparison, 'comparedAt'>> {
  const { nodeID, externalFederationModuleID: moduleID } = job.shared;
  const { pairs, converted } = matchedColumns(job);
  const rows = await lists.rows(job.module.moduleID);
  // One of their columns may fill several of ours.
  const fields = [...new Set(pairs.map(({ origin }) => origin.name))];
  const received = (await rows.counts()).received[nodeID] ?? 0;
  const elsewhere = await fetchRowIDs(calls, job.otherOffers?.offers ?? [], received);
  const blocks = blocksFor(received);
  const held = (): AsyncGenerator<HeldRow> => scanRowsFromPartner(rows, nodeID, elsewhere);
  const digestOf = ({ recordID, received }: HeldRow): string =>
    rowDigest(recordID, toOriginColumns(received.values, pairs), fields);

  const sums = createBlockSums(blocks);
  const found = createFindings(job.module.fields);
  const columns = [...pairs, ...converted].map(({ local }) => local.name);
  const toFetch: string[] = [];
  const differing: string[] = [];
  const ownWork: Record<OwnWork, number> = { changed: 0, removed: 0 };
  for await (const row of held()) {
    sums.add(row.recordID, digestOf(row));
    const fault = findShownFault(row.row, columns);
    if (fault) found.add(row.recordID, fault.difference, { own: row.row, columns: fault.columns });
    const work = ownWorkOn(row.row, columns);
    if (work) ownWork[work]++;
    if (converted.length > 0) toFetch.push(row.recordID);
  }
  const [ours, theirs] = [sums.result(), await calls.digest(moduleID, { fields, blocks })];
  const differ = differingBlocks(ours, theirs);
  const countOf = (block: number): number => theirs[block]?.count ?? 0;
  const looked = new Map(takeFirstBlocks(differ, countOf).map((block) => [block, new Map<string, string>()]));
  if (looked.size > 0)
    for await (const row of held())
      looked.get(blockOf(row.recordID, blocks))?.set(row.recordID, digestOf(row));

  const digestsOf = (block: number): Promise<ReadonlyMap<string, string>> =>
    calls.digestBlock(moduleID, { fields, blocks, block }, 2 * countOf(block) + GROWN);
  for await (const { recordID, difference } of findDifferingRows(looked, blocks, digestsOf)) {
    if (difference !== 'missing-there') differing.push(recordID);
    else found.add(recordID, difference, { own: (await rows.findReceived(nodeID, [recordID]))[0] });
  }
  for await (const theirs of compareValues({ calls, job, rows }, [
    ...new Set([...toFetch, ...differing.slice(0, MAX_NAMED)]),
  ])) {
    const { recordID, own, title, columns } = theirs;
    if (!own || liveSourceFrom(own, nodeID) === undefined) found.add(recordID, 'missing-here', { title });
    else if (columns?.length !== 0) found.add(recordID, 'values', { own, columns: columns ?? [] });
  }
  const more = differ.length > looked.size || differing.length > MAX_NAMED || found.more;
  return {
    identical: found.rows.length === 0 && !more,
    theirs: total(theirs),
    ours: total(ours),
    ownWork,
    differing: found.rows,
    more,
  };
}

/**
 * Yields rows that differ between our digests in `looked` (by block and row id) and the partner's from `theirs`.
 * Throws ProtocolViolationError for a row in the wrong block.
 */
async function* findDifferingRows(
  looked: ReadonlyMap<number, ReadonlyMap<string, string>>,
  blocks: number,
  theirs: (block: number) => Promise<ReadonlyMap<string, string>>,
): AsyncGenerator<ReturnType<typeof differingRows>[number]> {
  for (const [block, own] of looked) {
    const other = await theirs(block);
    if ([...other.keys()].some((recordID) => blockOf(recordID, blocks) !== block))
      throw new ProtocolViolationError('it puts a row into the wrong block.');
    yield* differingRows(own, other);
  }
}

/**
 * Returns the first blocks: at most 64, and as many as have 200,000 rows together, at least one. `countOf` gives a
 * block's rows.
 */
function takeFirstBlocks(blocks: readonly number[], countOf: (block: number) => number): readonly number[] {
  let rows = 0;
  const end = blocks.findIndex((block, at) => {
    rows += countOf(block);
    return at === MAX_BLOCKS_LOOKED_INTO || (at > 0 && rows > MAX_ROWS_LOOKED_INTO);
  });
  return end < 0 ? blocks : blocks.slice(0, end);
}

/** Brought, and not deleted, by the partner. */
interface HeldRow {
  readonly recordID: string;
  readonly row: Row;
  readonly received: RowSource;
}

/** Yields the rows whose live version this partner sent, also those our user deleted, except ids in `elsewhere`. */
async function* scanRowsFromPartner(
  rows: Pick<Rows, 'scan'>,
  nodeID: string,
  elsewhere: IDSet,
): AsyncGenerator<HeldRow> {
  const pause = createYielder();
  for await (const batch of rows.scan({ deleted: 1 })) {
    for (const row of batch) {
      await pause();
      const received = liveSourceFrom(row, nodeID);
      if (received && !elsewhere.has(received.recordID)) yield { recordID: received.recordID, row, received };
    }
  }
}

interface Pair {
  readonly origin: FieldDescriptor;
  readonly local: Field;
}

/**
 * Returns the mapped columns that both sides have and aren't parked; `pairs` keep values unchanged, `converted`
 * don't.
 */
function matchedColumns({ shared, mapping, module }: PullJob): { pairs: Pair[]; converted: Pair[] } {
  const pairs: Pair[] = [];
  const converted: Pair[] = [];
  for (const match of mapping.fields) {
    const origin = shared.fields.find(({ name }) => name === match.origin.name);
    const local = module.fields.find(({ name }) => name === match.destination.name);
    if (match.parked !== undefined || !origin || !local) continue;
    const isSame =
      describeConversion(origin, local).conversion === 'same' && origin.isMulti === local.isMulti;
    (isSame ? pairs : converted).push({ origin, local });
  }
  return { pairs, converted };
}

/** Returns the values under the partner's column names, [] for a missing one. */
function toOriginColumns(values: Values, pairs: readonly Pair[]): Values {
  return Object.fromEntries(pairs.map(({ origin, local }) => [origin.name, valuesOf(values, local.name)]));
}

const total = (blocks: readonly { readonly count: number }[]): number =>
  blocks.reduce((sum, { count }) => sum + count, 0);

interface ComparedRow {
  readonly recordID: string;
  /** Our names of columns that differ after conversion; undefined if conversion fails. */
  readonly columns: readonly string[] | undefined;
  readonly title: string;
  readonly own: Row | undefined;
}

/** Partners accept at most 500 rows per request. */
const PIECE = 200;

/**
 * Yields each fetched row with the columns that differ once converted: [] if none, undefined if the row doesn't
 * convert. Skips deleted rows.
 */
async function* compareValues(
  { calls, job, rows }: { calls: Pick<CompareCalls, 'rows'>; job: PullJob; rows: Pick<Rows, 'findReceived'> },
  recordIDs: readonly string[],
): AsyncGenerator<ComparedRow> {
  const { shared, mapping, module } = job;
  const transformation = createTransformation(mapping.fields, shared.fields, module.fields);
  for (const piece of batchByCount(recordIDs, PIECE)) {
    for await (const { records } of calls.rows(shared.externalFederationModuleID, piece)) {
      for (const record of records) {
        if (record.deletedAt !== undefined) continue;
        // Singly, as together they may far exceed the answer.
        const [own] = await rows.findReceived(shared.nodeID, [record.recordID]);
        const transformed = transformation.apply(record);
        const columns =
          'row' in transformed
            ? transformation.columns.filter(
                (column) =>
                  !hasSameTexts(
                    valuesOf(transformed.row.values, column),
                    valuesOf((own && sourceFrom(own, shared.nodeID)?.values) ?? {}, column),
                  ),
              )
            : undefined;
        yield {
          recordID: record.recordID,
          columns,
          title: titleOf(shared.fields, record.values),
          own,
        };
      }
    }
  }
}
