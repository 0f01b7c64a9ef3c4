import type { ApplyCounts, IncomingRow, Provenance, Row, Values } from './model.ts';
import { omit } from './omit.ts';
import { compareTimes, later } from './times.ts';
import { sameTexts, valuesOf, withColumn } from './value-sets.ts';

/** What one incoming row comes to: how it counts, and the row to write where there is anything to write. */
export interface Applied {
  readonly outcome: keyof ApplyCounts;
  readonly row?: Row;
}

export interface ApplyContext {
  readonly nodeID: string;
  /** Local columns that the partner fills. */
  readonly columns: readonly string[];
  /** Time of this write. */
  readonly now: string;
  readonly newID: () => string;
  /** The partner's version counts whatever its time is. */
  readonly overrule?: boolean;
}

const UNCHANGED: Applied = { outcome: 'unchanged' };
const NONE: readonly string[] = [];

/**
 * What becomes of a row when the partner's version arrives (design §7, the rules on identity, values and
 * deletion). Pure, and the same input a second time gives `unchanged` with nothing to write, in any order
 * of arrival: a version is newer by the partner's own times; between equals a deletion wins.
 *
 * @param existing the row with this origin, tombstones included
 */
export function applyIncoming(
  existing: Row | undefined,
  incoming: IncomingRow,
  context: ApplyContext,
): Applied {
  const known = existing?.received;
  if (!existing || !known) return firstSight(incoming, context);

  const order = compareTimes(versionTime(incoming), versionTime(known));
  const isGone = known.deletedAt !== undefined;
  if (order === 0 && isGone && incoming.deletedAt !== undefined) return UNCHANGED;
  if ((order < 0 || (order === 0 && isGone)) && context.overrule !== true) return UNCHANGED;
  return incoming.deletedAt === undefined
    ? applyVersion(existing, known, incoming, context)
    : applyDeletion(existing, known, incoming, incoming.deletedAt, context);
}

function versionTime(version: { updatedAt: string; deletedAt?: string }): string {
  return later(version.updatedAt, version.deletedAt);
}

function firstSight(incoming: IncomingRow, context: ApplyContext): Applied {
  const { now } = context;
  const recordID = context.newID();
  const base = { recordID, createdAt: now, createdBy: '0', updatedAt: now, updatedBy: '0' };
  if (incoming.deletedAt !== undefined) {
    // Kept so that a creation that was delayed on its way does not bring the row to life.
    const received = provenance(incoming, context, {});
    const row: Row = { ...base, values: {}, deletedAt: context.now, purged: true, received };
    return { outcome: 'unchanged', row };
  }
  const values: Record<string, readonly string[]> = {};
  let isFull = true;
  for (const column of context.columns) {
    const texts = valuesOf(incoming.values, column);
    values[column] = texts;
    isFull &&= texts.length > 0;
  }
  return {
    outcome: 'created',
    row: {
      ...base,
      values: isFull ? values : withoutEmptyColumns(values),
      received: provenance(incoming, context, values),
    },
  };
}

function withoutEmptyColumns(values: Values): Values {
  const filled = Object.entries(values).filter(([, texts]) => texts.length > 0);
  return Object.fromEntries(filled);
}

function provenance(incoming: IncomingRow, context: ApplyContext, values: Values): Provenance {
  const { recordID, createdAt, updatedAt, deletedAt, via = NONE } = incoming;
  const { nodeID, now: receivedAt } = context;
  const known = { nodeID, recordID, createdAt, updatedAt, receivedAt, values, edited: NONE, via };
  return deletedAt === undefined ? known : { ...known, deletedAt };
}

function applyDeletion(
  existing: Row,
  known: Provenance,
  incoming: IncomingRow,
  deletedAt: string,
  context: ApplyContext,
): Applied {
  const received = { ...known, updatedAt: incoming.updatedAt, deletedAt, receivedAt: context.now };
  const row = { ...existing, updatedAt: context.now, updatedBy: '0', received };
  if (existing.deletedAt !== undefined) return { outcome: 'unchanged', row };
  return { outcome: 'deleted', row: { ...row, deletedAt: context.now } };
}

function applyVersion(
  existing: Row,
  known: Provenance,
  incoming: IncomingRow,
  context: ApplyContext,
): Applied {
  const receivedValues: Record<string, readonly string[]> = { ...known.values };
  const edited = new Set(known.edited);
  let values = existing.values;
  let arrived = false;
  let noted = known.deletedAt !== undefined || compareTimes(known.updatedAt, incoming.updatedAt) !== 0;

  for (const column of context.columns) {
    const texts = valuesOf(incoming.values, column);
    const isNew = !Object.hasOwn(known.values, column);
    const own = valuesOf(existing.values, column);
    const isKnown = !isNew && sameTexts(valuesOf(known.values, column), texts);
    // What is neither as it arrived nor marked as edited was changed by nobody: it is put right.
    if (isKnown && (edited.has(column) || sameTexts(own, texts))) continue;
    noted = true;
    arrived ||= !isNew || texts.length > 0;
    receivedValues[column] = texts;
    // What stood in a column before it was matched is the user's as well, and is never written over.
    const isOwn = isNew ? own.length > 0 : edited.has(column);
    if (isOwn && !sameTexts(own, texts)) {
      edited.add(column);
    } else {
      edited.delete(column);
      values = withColumn(values, column, texts);
    }
  }

  const revives = existing.deletedAt !== undefined && existing.deletedBy === undefined;
  if (!noted && !revives) return UNCHANGED;
  const row: Row = {
    ...(revives ? withoutDeletion(existing) : existing),
    values,
    updatedAt: context.now,
    updatedBy: '0',
    received: {
      ...omit(known, 'deletedAt'),
      createdAt: incoming.createdAt,
      updatedAt: incoming.updatedAt,
      receivedAt: context.now,
      values: receivedValues,
      ...(arrived && !existing.purged ? { previous: known.values } : {}),
      edited: [...edited],
      via: incoming.via ?? [],
    },
  };
  if (existing.purged) return { outcome: 'created', row };
  return { outcome: arrived || revives ? 'updated' : 'unchanged', row };
}

/** The row as if it had never been deleted. */
export function withoutDeletion(row: Row): Row {
  return omit(row, 'deletedAt', 'deletedBy', 'purged');
}
