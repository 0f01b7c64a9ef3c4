import type { ApplyCounts, Provenance, Row, Values, RowSource } from '../definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { hasSameTexts, valuesOf, withColumn } from '../values/value-sets.ts';
import { byPrecedence, isDeletedThere } from './sources.ts';

/** What one incoming row comes to: how it counts, and the rows to write where there is anything to write. */
export interface Applied {
  readonly outcome: keyof ApplyCounts;
  /** Besides, another row went, in whose place this one is. */
  readonly replaced?: true;
  readonly puts: readonly Put[];
}

/** A row as it was, undefined for a new one, and as it is to be. */
export interface Put {
  readonly before: Row | undefined;
  readonly after: Row;
}

/** There is nothing to write. */
export const UNCHANGED: Applied = { outcome: 'unchanged', puts: [] };
const NONE: readonly string[] = [];

/** By what a row came until now, and by what it comes from now on. */
export interface SourceChange {
  readonly before: readonly RowSource[];
  readonly ways: readonly RowSource[];
  /** Received columns that nobody fills any more. */
  readonly emptied?: readonly string[];
}

/**
 * The row as these ways bring it, with what our user wrote.
 * @param columns looked at in any case, as the partner fills them; `now` is the time of the write
 */
export function mergeSources(
  row: Row,
  { before, ways, emptied = NONE }: SourceChange,
  { columns, now }: { readonly columns: readonly string[]; readonly now: string },
): Applied {
  const known = row.received;
  const [lead, ...rest] = byPrecedence(ways);
  if (!known || !lead) return UNCHANGED;
  // What was deleted at last is not to come back by what was heard before.
  const kept = [lead, ...rest.filter((way) => !isDeletedThere(way) && !(isDeletedThere(lead) && way.left))];
  const isNews = kept.length !== before.length || kept.some((way, at) => way !== before[at]);
  const isAsAtFirst =
    known.ways === undefined && known.nodeID === lead.nodeID && hasSameTexts(known.via, lead.via);
  const all = isAsAtFirst && kept.length === 1 ? {} : { ways: kept };
  // Of what our user deleted for good it is noted that there is another version, and none of its values.
  if (isDeletedThere(lead) || isPurged(row)) {
    if (!isNews) return UNCHANGED;
    // The partner may have taken its deletion back.
    const received = { ...omit(known, 'deletedAt', 'left'), ...lead, values: known.values, ...all };
    const after = { ...row, updatedAt: now, updatedBy: '0', received };
    if (row.deletedAt !== undefined || before.includes(lead))
      return { outcome: 'unchanged', puts: [{ before: row, after }] };
    return { outcome: 'deleted', puts: [{ before: row, after: { ...after, deletedAt: now } }] };
  }
  const merged = isNews ? mergedValues(known.values, kept, emptied) : known.values;
  const brought = brings(row, known, merged, columns);
  const revives = row.deletedAt !== undefined && row.deletedBy === undefined;
  if (!isNews && !brought.isNews && !revives) return UNCHANGED;
  const previous = brought.arrived && !row.purged ? known.values : known.previous;
  const after: Row = {
    ...(revives ? withoutDeletion(row) : row),
    values: brought.values,
    updatedAt: now,
    updatedBy: '0',
    received: {
      ...lead,
      values: brought.received,
      ...(previous ? { previous } : {}),
      edited: brought.edited,
      ...all,
    },
  };
  const puts = [{ before: row, after }];
  if (row.purged) return { outcome: 'created', puts };
  return { outcome: brought.arrived || revives ? 'updated' : 'unchanged', puts };
}

/** What all ways bring together, the word of the first one over that of the others. */
function mergedValues(known: Values, kept: readonly RowSource[], emptied: readonly string[]): Values {
  const merged: Record<string, readonly string[]> = { ...known };
  for (const column of emptied) merged[column] = NONE;
  for (const way of [...kept].reverse()) if (!isDeletedThere(way)) Object.assign(merged, way.values);
  return merged;
}

interface Brought {
  readonly values: Values;
  readonly received: Values;
  readonly edited: readonly string[];
  /** There is anything to write. */
  readonly isNews: boolean;
  /** Another value came. */
  readonly arrived: boolean;
}

/**
 * What a row shows once these values have come, with the user's own kept.
 * @param columns looked at in any case; others only where another value came
 */
function brings(row: Row, known: Provenance, merged: Values, columns: readonly string[]): Brought {
  const received: Record<string, readonly string[]> = { ...known.values };
  const edited = new Set(known.edited);
  let values = row.values;
  let isNews = false;
  let arrived = false;
  const looked = merged === known.values ? columns : new Set([...columns, ...Object.keys(merged)]);
  for (const column of looked) {
    const texts = valuesOf(merged, column);
    const isNew = !Object.hasOwn(known.values, column);
    const own = valuesOf(row.values, column);
    const isKnown = !isNew && hasSameTexts(valuesOf(known.values, column), texts);
    // What is neither as it arrived nor marked as edited was changed by nobody: it is put right.
    if (isKnown && (!columns.includes(column) || edited.has(column) || hasSameTexts(own, texts))) continue;
    isNews = true;
    arrived ||= !isNew || texts.length > 0;
    received[column] = texts;
    // What stood in a column before it was matched is the user's as well, and is never written over.
    const isOwn = isNew ? own.length > 0 : edited.has(column);
    if (isOwn && !hasSameTexts(own, texts)) {
      edited.add(column);
    } else {
      edited.delete(column);
      values = withColumn(values, column, texts);
    }
  }
  return { values, received, edited: [...edited], isNews, arrived };
}

/** Our user deleted it, and its time in the bin is over. */
export const isPurged = ({ purged, deletedBy }: Row): boolean => purged === true && deletedBy !== undefined;

/** The row as if it had never been deleted. */
export function withoutDeletion(row: Row): Row {
  return omit(row, 'deletedAt', 'deletedBy', 'purged', 'cameDeleted', 'disclosed');
}
