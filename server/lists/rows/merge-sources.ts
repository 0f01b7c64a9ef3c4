import type { ApplyCounts, Provenance, Row, Values, RowSource } from '../definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { hasSameTexts, valuesOf, withColumn } from '../values/value-sets.ts';
import { byPrecedence, isDeletedThere } from './sources.ts';

export interface Applied {
  readonly outcome: keyof ApplyCounts;
  /** Replaces another row, now deleted. */
  readonly replaced?: true;
  readonly puts: readonly Put[];
}

export interface Put {
  readonly before: Row | undefined;
  readonly after: Row;
}

export const UNCHANGED: Applied = { outcome: 'unchanged', puts: [] };
const NONE: readonly string[] = [];

export interface SourceChange {
  readonly before: readonly RowSource[];
  readonly ways: readonly RowSource[];
  readonly emptied?: readonly string[];
}

/**
 * Merges new sources and the user's edits; `UNCHANGED` without a new version and with nothing to repair.
 * @param columns those that the partner fills: repaired if they show anything else than received values or edits, even
 * without a new version
 */
export function mergeSources(
  row: Row,
  { before, ways: sources, emptied = NONE }: SourceChange,
  { columns, now }: { readonly columns: readonly string[]; readonly now: string },
): Applied {
  const known = row.received;
  const [lead, ...rest] = byPrecedence(sources);
  if (!known || !lead) return UNCHANGED;
  // Earlier versions must not revive a row deleted last.
  const kept = [
    lead,
    ...rest.filter((source) => !isDeletedThere(source) && !(isDeletedThere(lead) && source.left)),
  ];
  const isNews = kept.length !== before.length || kept.some((source, at) => source !== before[at]);
  const isAsAtFirst =
    known.ways === undefined && known.nodeID === lead.nodeID && hasSameTexts(known.via, lead.via);
  const all = isAsAtFirst && kept.length === 1 ? {} : { ways: kept };
  // User-purged rows keep only the new version, without values.
  if (isDeletedThere(lead) || isPurged(row)) {
    if (!isNews) return UNCHANGED;
    // Possibly the partner revoked its deletion.
    const received = { ...omit(known, 'deletedAt', 'left'), ...lead, values: known.values, ...all };
    const after = { ...row, updatedAt: now, updatedBy: '0', received };
    if (row.deletedAt !== undefined || before.includes(lead))
      return { outcome: 'unchanged', puts: [{ before: row, after }] };
    return { outcome: 'deleted', puts: [{ before: row, after: { ...after, deletedAt: now } }] };
  }
  const merged = isNews ? mergeValues(known.values, kept, emptied) : known.values;
  const brought = applyValues(row, known, merged, columns);
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

/**
 * Returns each column of the first source that has it, otherwise the known value; deleted sources don't count.
 * @param emptied columns that no source fills any more
 */
function mergeValues(known: Values, sources: readonly RowSource[], emptied: readonly string[]): Values {
  const merged: Record<string, readonly string[]> = { ...known };
  for (const column of emptied) merged[column] = NONE;
  for (const source of [...sources].reverse())
    if (!isDeletedThere(source)) Object.assign(merged, source.values);
  return merged;
}

interface Brought {
  readonly values: Values;
  readonly received: Values;
  readonly edited: readonly string[];
  readonly isNews: boolean;
  /** A value changed. */
  readonly arrived: boolean;
}

/**
 * Returns the row's values and provenance with received values applied, except where our user edited them or had values
 * before the column was mapped. Such columns count as edited until both agree.
 * @param merged the received values of all sources
 * @param columns checked in any case; others only if `merged` is new
 */
function applyValues(row: Row, known: Provenance, merged: Values, columns: readonly string[]): Brought {
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
    // Neither as received nor edited: nobody changed it, so repair it.
    if (isKnown && (!columns.includes(column) || edited.has(column) || hasSameTexts(own, texts))) continue;
    isNews = true;
    arrived ||= !isNew || texts.length > 0;
    received[column] = texts;
    // Content from before the mapping is the user's, and never overwritten.
    const isOwn = isNew ? own.length > 0 : edited.has(column);
    if (isOwn && !hasSameTexts(own, texts)) {
      edited.add(column);
    } else {
      edited.delete(column);
      if (!hasSameTexts(own, texts)) values = withColumn(values, column, texts);
    }
  }
  return { values, received, edited: [...edited], isNews, arrived };
}

/** Returns whether our user deleted the row, and its values were purged. */
export const isPurged = ({ purged, deletedBy }: Row): boolean => purged === true && deletedBy !== undefined;

/** Returns the row without marks of deletion. */
export function withoutDeletion(row: Row): Row {
  return omit(row, 'deletedAt', 'deletedBy', 'purged', 'cameDeleted', 'disclosed');
}
