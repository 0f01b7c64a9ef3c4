import { reattach } from './detached.ts';
import type { IncomingRow, Provenance, Row, Values, RowSource } from '../definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { compareTimes, versionTime } from '../values/times.ts';
import { losesValue, hasSameTexts, hasSameValues, valuesOf, withColumn } from '../values/value-sets.ts';
import { isPurged, mergeSources, UNCHANGED, type Applied } from './merge-sources.ts';
import { isDeletedThere, originKey, sourceFrom, sourcesOf, withEnded } from './sources.ts';

export interface Candidates {
  /** This partner's row of this id. */
  readonly known: Row | undefined;
  /** From any partner with this origin (`originKey`). */
  readonly same: Row | undefined;
  /** Had this origin until it became ours (`Row.former`). */
  readonly former?: Row | undefined;
}

export interface ApplyContext {
  /** Local id of the partner. */ readonly nodeID: string;
  readonly columns: readonly string[];
  /** This write's, ISO 8601. */
  readonly now: string;
  readonly newID: () => string;
  /** The partner's version wins whatever its time. */
  readonly overrule?: boolean;
  /** Ours of partners that ended as sources: others' newer versions replace theirs. */
  readonly left?: readonly string[];
}

const NONE: readonly string[] = [];

/**
 * Returns what a partner's version changes, without writing it (docs/architecture.md: The pull engine; docs/rings.md);
 * idempotent: `unchanged` for the same input again. Conflict resolution: the last writer wins by the partner's times,
 * or with `overrule` this one; a deletion wins a tie. Of two ids of a row, the one read last counts. A row `fromUs`
 * brings no values, it only ends its source; one `idOnly` only updates an alias.
 */
export function applyIncoming(candidates: Candidates, sent: IncomingRow, context: ApplyContext): Applied {
  const { known } = candidates;
  if (sent.idOnly) return updateAlias(known ?? candidates.same, sent.recordID, context);
  const source = known && findSourceWithID(known, sent, context);
  const other = !source || candidates.same?.recordID !== known.recordID ? candidates.same : undefined;
  const isTaken = other !== undefined && deletesDuplicate(other, sent, context);
  const same = isTaken ? undefined : other;
  const incoming = isTaken ? omit(sent, 'origin') : sent;

  if (!known || !source) {
    if (incoming.fromUs) return UNCHANGED;
    if (!same) return reattachRow(candidates.former, incoming, context) ?? insertRow(incoming, context);
    return incoming.deletedAt === undefined ? addSource(same, incoming, context) : UNCHANGED;
  }
  if (incoming.fromUs) return isDeletedThere(source) ? UNCHANGED : endSource(known, source, context);
  if (isOutdated(source, incoming, context)) return UNCHANGED;
  if (same || (claimsOtherOrigin(source, incoming) && hasOthers(known)))
    return reassignID(known, same, incoming, context);
  return updateFromSource(known, source, incoming, context);
}

/** Returns whether a deletion ends only this id, as the partner brings the row under another id too. */
function deletesDuplicate(row: Row, incoming: IncomingRow, { nodeID }: ApplyContext): boolean {
  return incoming.deletedAt !== undefined && sourceFrom(row, nodeID) !== undefined;
}

/** Records the partner's new id of a row; its version isn't applied. Unchanged without a live source of the partner. */
function updateAlias(row: Row | undefined, recordID: string, context: ApplyContext): Applied {
  const source = row && sourceFrom(row, context.nodeID);
  if (!row || !source || isDeletedThere(source) || source.recordID === recordID) return UNCHANGED;
  return withSource(row, { ...source, recordID }, context);
}

/** Returns the partner's source of the row under this id; undefined if it has none. */
function findSourceWithID(
  { received }: Row,
  incoming: IncomingRow,
  { nodeID }: ApplyContext,
): RowSource | undefined {
  const isMatch = (source: RowSource): boolean =>
    source.nodeID === nodeID && source.recordID === incoming.recordID;
  return received && sourcesOf(received).find(isMatch);
}

/** Returns the row without the source; without other sources, as deleted by it. */
function endSource(row: Row, source: RowSource, context: ApplyContext): Applied {
  return hasOthers(row)
    ? withoutSource(row, context)
    : withSource(row, asDeleted(source, source, context), context);
}

/**
 * Returns whether the partner's version is older, or as old if the known one is a deletion. `overrule` makes it newer,
 * except for the same deletion again.
 */
function isOutdated(source: RowSource, incoming: IncomingRow, { overrule }: ApplyContext): boolean {
  const order = compareTimes(versionTime(incoming), versionTime(source));
  if (order === 0 && isDeletedThere(source) && incoming.deletedAt !== undefined) return true;
  return (order < 0 || (order === 0 && isDeletedThere(source))) && overrule !== true;
}

/** Returns whether another source has the row too. */
function hasOthers({ received }: Row): boolean {
  return received?.ways !== undefined && received.ways.length > 1;
}

/** Returns whether both versions have an origin, and not the same. */
function claimsOtherOrigin(source: RowSource, incoming: IncomingRow): boolean {
  const [before, now] = [originKey(source), originKey(incoming)];
  return before !== undefined && now !== undefined && before !== now;
}

/**
 * Applies that the partner now uses the id for another row: `same` or a new one gets the source, unless deleted. The
 * known row loses it; left without a source, it is deleted, or merged into `same` if that was new to the partner.
 */
function reassignID(
  known: Row,
  same: Row | undefined,
  incoming: IncomingRow,
  context: ApplyContext,
): Applied {
  const isGoing = incoming.deletedAt !== undefined;
  const arrived = isGoing
    ? undefined
    : same
      ? addSource(same, incoming, context)
      : insertRow(incoming, context);
  // A source of the other one too could merge any number of rows into it.
  const isDouble = same !== undefined && sourceFrom(same, context.nodeID) === undefined;
  const other = arrived && isDouble ? (arrived.puts[0]?.after ?? same) : undefined;
  const left = hasOthers(known) ? withoutSource(known, context) : deleteReplaced(known, other, context);
  if (!arrived) return left;
  const replaced = left.outcome === 'deleted' ? ({ replaced: true } as const) : {};
  return { outcome: arrived.outcome, ...replaced, puts: [...left.puts, ...arrived.puts] };
}

/**
 * Returns a row that another one replaces as deleted and ours: purged if that displays its values, otherwise binned.
 * The outcome is `unchanged` if it was deleted already.
 */
function deleteReplaced(row: Row, other: Row | undefined, { now }: ApplyContext): Applied {
  const ours: Row = {
    ...omit(row, 'received', 'deletedBy'),
    updatedAt: now,
    updatedBy: '0',
    deletedAt: row.deletedAt ?? now,
  };
  const isShown = row.purged === true || (other?.deletedAt === undefined && showsAll(other, row.values));
  const after: Row = isShown ? { ...ours, values: {}, purged: true } : ours;
  return { outcome: row.deletedAt === undefined ? 'deleted' : 'unchanged', puts: [{ before: row, after }] };
}

/** Returns whether the row displays these values, ignoring other columns. */
function showsAll(row: Row | undefined, values: Values): boolean {
  const isThere = (column: string): boolean =>
    row !== undefined && hasSameTexts(valuesOf(row.values, column), valuesOf(values, column));
  return Object.keys(values).every(isThere);
}

/** Returns the insertion of a new row; of a deletion, that of its tombstone, as `unchanged`. */
function insertRow(incoming: IncomingRow, context: ApplyContext): Applied {
  const { now } = context;
  const recordID = context.newID();
  const base = { recordID, createdAt: now, createdBy: '0', updatedAt: now, updatedBy: '0' };
  if (incoming.deletedAt !== undefined) {
    // A delayed creation must not revive it.
    const received: Provenance = { ...createSource(incoming, context, {}), edited: NONE };
    const deleted = { deletedAt: context.now, purged: true, cameDeleted: true } as const;
    const row: Row = { ...base, values: {}, ...deleted, received };
    return { outcome: 'unchanged', puts: [{ before: undefined, after: row }] };
  }
  const values = sentValues(incoming, context);
  const isFull = Object.values(values).every((texts) => texts.length > 0);
  const received: Provenance = { ...createSource(incoming, context, values), edited: NONE };
  const after: Row = { ...base, values: isFull ? values : withoutEmptyColumns(values), received };
  return { outcome: 'created', puts: [{ before: undefined, after }] };
}

/** Returns the values of the shared columns; `[]` where the partner sent none. */
function sentValues(incoming: IncomingRow, { columns }: ApplyContext): Values {
  return Object.fromEntries(columns.map((column) => [column, valuesOf(incoming.values, column)]));
}

function withoutEmptyColumns(values: Values): Values {
  const filled = Object.entries(values).filter(([, texts]) => texts.length > 0);
  return Object.fromEntries(filled);
}

/**
 * Creates the partner's source of a row, received now.
 * @param values those to keep with it
 */
function createSource(
  incoming: IncomingRow,
  { nodeID, now: receivedAt }: ApplyContext,
  values: Values,
): RowSource {
  const { recordID, createdAt, updatedAt, deletedAt, via = NONE, origin } = incoming;
  const source: RowSource = { nodeID, recordID, createdAt, updatedAt, receivedAt, values, via };
  return { ...source, ...(deletedAt === undefined ? {} : { deletedAt }), ...(origin ? { origin } : {}) };
}

/** Adds the partner's source to a row that was known without it. */
function addSource(row: Row, incoming: IncomingRow, context: ApplyContext): Applied {
  return withSource(row, createSource(incoming, context, sentValues(incoming, context)), context);
}

/** Turns a row kept after its partner ended into a received one; a deletion has no effect. Undefined without one. */
function reattachRow(
  row: Row | undefined,
  incoming: IncomingRow,
  context: ApplyContext,
): Applied | undefined {
  if (!row?.former) return undefined;
  // Recording it would revive it beside the kept row when another partner brings it.
  if (incoming.deletedAt !== undefined) return UNCHANGED;
  const source = createSource(incoming, context, isPurged(row) ? {} : sentValues(incoming, context));
  const { outcome, puts } = mergeSources(
    reattach(row, row.former, source),
    { before: [], ways: [source] },
    context,
  );
  return { outcome, puts: puts.map(({ after }) => ({ before: row, after })) };
}

/** Applies a newer version of a source: a deletion keeps values, a change keeps columns it doesn't send. */
function updateFromSource(
  row: Row,
  source: RowSource,
  incoming: IncomingRow,
  context: ApplyContext,
): Applied {
  if (incoming.deletedAt !== undefined)
    return withSource(
      row,
      asDeleted(source, { ...incoming, deletedAt: incoming.deletedAt }, context),
      context,
    );
  const next = createSource(incoming, context, { ...source.values, ...sentValues(incoming, context) });
  const { origin, via } = source;
  return withSource(row, origin && !next.origin ? { ...next, origin, via } : next, context);
}

/** Returns a source as deleted, and no longer as ended. */
function asDeleted(
  source: RowSource,
  { updatedAt, deletedAt = updatedAt, origin }: Pick<RowSource, 'updatedAt' | 'deletedAt' | 'origin'>,
  { now: receivedAt }: ApplyContext,
): RowSource {
  return { ...omit(source, 'left'), updatedAt, deletedAt, receivedAt, ...(origin ? { origin } : {}) };
}

/**
 * Adds or replaces a partner's source, without values for a purged row, and merges all. `context.left` partners end.
 */
function withSource(row: Row, arrived: RowSource, context: ApplyContext): Applied {
  const source = isPurged(row) ? { ...arrived, values: {} } : arrived;
  const before = row.received ? sourcesOf(row.received) : [];
  const left = context.left?.filter((nodeID) => nodeID !== source.nodeID) ?? NONE;
  const heard = withEnded(before, left);
  const sources = heard.some(({ nodeID }) => nodeID === source.nodeID) ? heard : [...heard, source];
  const renewed = sources.map((each) =>
    each.nodeID === source.nodeID && !isSameVersion(each, source) ? source : each,
  );
  return mergeSources(row, { before, ways: renewed }, context);
}

/**
 * Returns whether two versions of a source are the same. Ignores times of rows with an origin, as forwarding changes
 * them.
 */
function isSameVersion(one: RowSource, other: RowSource): boolean {
  return (
    one.recordID === other.recordID &&
    one.deletedAt === other.deletedAt &&
    one.left === other.left &&
    one.origin?.id === other.origin?.id &&
    one.origin?.at === other.origin?.at &&
    (one.origin !== undefined || compareTimes(one.updatedAt, other.updatedAt) === 0) &&
    hasSameTexts(one.via, other.via) &&
    hasSameValues(one.values, other.values)
  );
}

/** Returns the row without the source of `context.nodeID`, the others merged. */
function withoutSource(row: Row, context: ApplyContext): Applied {
  const before = row.received ? sourcesOf(row.received) : [];
  const sources = before.filter(({ nodeID }) => nodeID !== context.nodeID);
  return mergeSources(row, { before, ways: sources }, context);
}

/**
 * Returns the row with this partner's source ended, so that others' newer versions replace it. Undefined if nothing
 * changes, no other source has the row, or a received value would be lost: then the user decides.
 */
export function withEndedSource(row: Row, nodeID: string, now: string): Row | undefined {
  const before = row.received ? sourcesOf(row.received) : [];
  if (before.filter((source) => source.nodeID !== nodeID).every(isDeletedThere)) return undefined;
  const sources = withEnded(before, [nodeID]);
  return rejectLoss(row, mergeSources(row, { before, ways: sources }, { columns: [], now }).puts[0]?.after);
}

/**
 * Returns the row without this partner's sources; undefined if no other source has it still.
 * @param what `keep`: displayed values that would be lost stay until a source's next version; `remove`: they go, as do
 * columns that only this partner filled, and previous values
 */
export function withoutPartner(
  row: Row,
  nodeID: string,
  { what, now }: { readonly what: 'keep' | 'remove'; readonly now: string },
): Row | undefined {
  const before = row.received ? sourcesOf(row.received) : [];
  const sources = before.filter((source) => source.nodeID !== nodeID);
  if (sources.every(isDeletedThere)) return undefined;
  const filled = new Set(sources.flatMap(({ values }) => Object.keys(values)));
  const theirs = Object.keys(row.received?.values ?? {}).filter((column) => !filled.has(column));
  const context = { columns: [], now };
  const after = mergeSources(
    row,
    { before, ways: sources, emptied: what === 'remove' ? theirs : [] },
    context,
  ).puts[0]?.after;
  if (!after) return undefined;
  return what === 'remove' ? withoutPrevious(after) : keepDisplayed(row, after);
}

/** Removes the received values of the version before. */
function withoutPrevious(row: Row): Row {
  return row.received ? { ...row, received: omit(row.received, 'previous') } : row;
}

/** Returns `after` unless it loses a received value: then undefined. */
function rejectLoss(row: Row, after: Row | undefined): Row | undefined {
  return losesValue(row.received?.values, after?.received?.values) ? undefined : after;
}

/** Returns `after` with displayed values that it would lose, as received ones, until any source's next version. */
function keepDisplayed(row: Row, after: Row): Row {
  const { received } = after;
  const shown = (column: string): Values => ({ [column]: valuesOf(row.values, column) });
  const lost = Object.keys(row.values).filter((column) => losesValue(shown(column), after.values));
  if (!received || lost.length === 0) return after;
  const kept = (values: Values): Values =>
    lost.reduce((all, column) => withColumn(all, column, valuesOf(row.values, column)), values);
  return { ...after, values: kept(after.values), received: { ...received, values: kept(received.values) } };
}
