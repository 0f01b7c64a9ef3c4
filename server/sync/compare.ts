import {
  blockOf,
  blocksFor,
  createBlockSums,
  differingBlocks,
  differingRows,
  rowDigest,
  type RowDifference,
} from '../federation/digest.ts';
import type { FieldDescriptor, Field, Row, Values } from '../lists/model.ts';
import { Refusal } from '../lists/refusal.ts';
import { createPause } from '../lists/pause.ts';
import { sameTexts, valuesOf } from '../lists/value-sets.ts';
import { PartnerFaulty } from '../peer/errors.ts';
import type { CompareCalls } from '../peer/footbridge-compare.ts';
import type { Peer } from '../peer/peer.ts';
import type { Clock } from '../store/clock.ts';
import { describeConversion } from './convert.ts';
import type { SyncFederation } from './ports.ts';
import type { PullDeps, PullJob } from './pull.ts';
import { createTransformation } from './transform.ts';
import { said } from '../words/said.ts';

/** The answer to “are we identical?” about one offered list and the list of ours that receives it. */
export interface Comparison {
  readonly identical: boolean;
  /** Rows that the partner shows us. */
  readonly theirs: number;
  /** Rows that we hold of them. */
  readonly ours: number;
  readonly differing: readonly RowDifference[];
  /** There are further differences, too many to name at once. */
  readonly more: boolean;
  /** Labels of our columns whose values are converted on the way: of these only the rows were compared. */
  readonly notCompared: readonly string[];
  readonly comparedAt: string;
}

/** Blocks that are looked into; a list that differs in more is better pulled anew than compared. */
const MOST_BLOCKS_LOOKED_INTO = 64;
/** Differing rows that are fetched to see whether they truly differ. */
const MOST_LOOKED_AT = 2000;
const PIECE = 200;

interface CompareDeps extends Pick<PullDeps, 'lists'> {
  readonly federation: Pick<SyncFederation, 'shared' | 'mappings'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Compares what a partner shows with what we hold of it (issue: “are we identical?”): counts and digests of
 * blocks of rows, and the rows of differing blocks. Local edits do not count, as they lie over what was
 * received; a row that our user put into the bin counts as held.
 * @throws PartnerError; Refusal `not-found`, `impossible`
 */
export async function compareOffer(
  deps: CompareDeps,
  peer: Pick<Peer, 'footbridge'>,
  offer: { readonly nodeID: string; readonly sharedModuleID: string },
): Promise<Comparison> {
  const job = await jobOf(deps, offer);
  if (!peer.footbridge)
    throw new Refusal(
      'impossible',
      'compare.other-server',
      said`Only two Footbridges can compare their rows. Compare by looking at the lists.`,
    );
  const found = await compareList(deps, peer.footbridge, job);
  return { ...found, comparedAt: new Date(deps.clock.now()).toISOString() };
}

async function jobOf(
  { federation, lists }: CompareDeps,
  { nodeID, sharedModuleID }: { nodeID: string; sharedModuleID: string },
): Promise<PullJob> {
  const shared = (await federation.shared.list(nodeID)).find(({ moduleID }) => moduleID === sharedModuleID);
  const mapping = (await federation.mappings.list(nodeID)).find(
    ({ federationModuleID }) => federationModuleID === sharedModuleID,
  );
  if (!shared || !mapping)
    throw new Refusal('not-found', 'mapping.unknown', said`This list is not matched. Match it first.`);
  return { shared, mapping, module: await lists.module(mapping.composeModuleID) };
}

/** What differs in one list. @throws PartnerError */
export async function compareList(
  { lists }: Pick<PullDeps, 'lists'>,
  calls: CompareCalls,
  job: PullJob,
): Promise<Omit<Comparison, 'comparedAt'>> {
  const { nodeID, externalFederationModuleID: moduleID } = job.shared;
  const { pairs, notCompared } = comparable(job);
  const rows = await lists.rows(job.module.moduleID);
  const fields = pairs.map(({ origin }) => origin.name);
  const blocks = blocksFor((await rows.counts()).received[nodeID] ?? 0);

  async function eachOfOurs(body: (recordID: string, digest: () => string) => void): Promise<void> {
    const pause = createPause();
    for await (const batch of rows.scan({ deleted: 1 })) {
      for (const row of batch) {
        await pause();
        const held = heldFrom(row, nodeID);
        if (held) body(held.recordID, () => rowDigest(held.recordID, asOrigin(held.values, pairs), fields));
      }
    }
  }

  const sums = createBlockSums(blocks);
  await eachOfOurs((recordID, digest) => sums.add(recordID, digest()));
  const [ours, theirs] = [sums.result(), await calls.digest(moduleID, { fields, blocks })];
  const differ = differingBlocks(ours, theirs);
  const looked = new Map(
    differ.slice(0, MOST_BLOCKS_LOOKED_INTO).map((block) => [block, new Map<string, string>()]),
  );
  if (looked.size > 0)
    await eachOfOurs((recordID, digest) => looked.get(blockOf(recordID, blocks))?.set(recordID, digest()));

  const suspects: RowDifference[] = [];
  for (const [block, own] of looked) {
    const other = await calls.digestBlock(moduleID, { fields, blocks, block });
    if ([...other.keys()].some((recordID) => blockOf(recordID, blocks) !== block))
      throw new PartnerFaulty('it puts a row into the wrong block.');
    suspects.push(...differingRows(own, other));
  }
  const differing = await withoutConverted(suspects, { calls, job, rows });
  return {
    identical: differ.length === 0 || (differing.length === 0 && differ.length === looked.size),
    theirs: total(theirs),
    ours: total(ours),
    differing,
    more: differ.length > looked.size,
    notCompared,
  };
}

interface Pair {
  readonly origin: FieldDescriptor;
  readonly local: Field;
}

/** Columns whose values arrive as they are, and the labels of those that do not. */
function comparable({ shared, mapping, module }: PullJob): { pairs: Pair[]; notCompared: string[] } {
  const pairs: Pair[] = [];
  const notCompared: string[] = [];
  for (const match of mapping.fields) {
    const origin = shared.fields.find(({ name }) => name === match.origin.name);
    const local = module.fields.find(({ name }) => name === match.destination.name);
    if (match.parked !== undefined || !origin || !local) continue;
    const isSame =
      describeConversion(origin, local).conversion === 'same' && origin.isMulti === local.isMulti;
    if (isSame) pairs.push({ origin, local });
    else notCompared.push(local.label);
  }
  return { pairs, notCompared };
}

/** What of a row we hold from this partner: as received, whatever our user did to it; nothing when it is gone there. */
function heldFrom(row: Row, nodeID: string): { recordID: string; values: Values } | undefined {
  const { received } = row;
  if (received?.nodeID !== nodeID || received.deletedAt !== undefined || row.purged) return undefined;
  return received;
}

/** Received values under the partner's names of the columns. */
function asOrigin(values: Values, pairs: readonly Pair[]): Values {
  return Object.fromEntries(pairs.map(({ origin, local }) => [origin.name, valuesOf(values, local.name)]));
}

const total = (blocks: readonly { readonly count: number }[]): number =>
  blocks.reduce((sum, { count }) => sum + count, 0);

/** Fetches rows whose values seem to differ, and drops those that differ in writing only. */
async function withoutConverted(
  suspects: readonly RowDifference[],
  {
    calls,
    job,
    rows,
  }: { calls: CompareCalls; job: PullJob; rows: Awaited<ReturnType<PullDeps['lists']['rows']>> },
): Promise<RowDifference[]> {
  const { shared, mapping, module } = job;
  const transformation = createTransformation(mapping.fields, shared.fields, module.fields);
  const doubtful = suspects
    .filter(({ difference }) => difference === 'values')
    .slice(0, MOST_LOOKED_AT)
    .map(({ recordID }) => recordID);
  const equal = new Set<string>();
  for (let at = 0; at < doubtful.length; at += PIECE) {
    const piece = doubtful.slice(at, at + PIECE);
    for await (const { records } of await calls.rows(shared.externalFederationModuleID, piece)) {
      const own = await rows.findReceived(
        shared.nodeID,
        records.map(({ recordID }) => recordID),
      );
      records.forEach((record, index) => {
        const transformed = transformation.apply(record);
        const received = own[index]?.received;
        if (record.deletedAt !== undefined || !('row' in transformed) || !received) return;
        const same = transformation.columns.every((column) =>
          sameTexts(valuesOf(transformed.row.values, column), valuesOf(received.values, column)),
        );
        if (same) equal.add(record.recordID);
      });
    }
  }
  return suspects.filter(({ recordID }) => !equal.has(recordID));
}
