import type { Field, Row } from '../definitions/model.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import { readCell, withCell, withoutCell } from './row-cell.ts';
import { isDeletedThere, sourceFrom, sourcesOf } from './sources.ts';
import { isSameCell, type CellStep, type Matching, type MatchingStep } from './undo-log.ts';

interface RematchedRow {
  readonly row: Row;
  readonly cells: readonly CellStep[];
}

const fills = (matching: Matching | undefined, { name }: Field): boolean =>
  matching?.some(({ destination }) => destination === name) === true;

const isConcerned = ({ was, became }: MatchingStep, field: Field): boolean =>
  fills(was, field) !== fills(became, field);

/** Returns whether an offered column that went into this one goes into another now. */
function isMovedOn({ was, became }: MatchingStep, field: Field): boolean {
  const origin = was?.find(({ destination }) => destination === field.name)?.origin;
  return !fills(became, field) && became?.some((match) => match.origin === origin) === true;
}

/** Returns whether the row is in the bin until the partner sends it again: neither deleted by our user nor purged. */
function isAwaited({ deletedAt, deletedBy, purged }: Row): boolean {
  return deletedAt !== undefined && deletedBy === undefined && purged !== true;
}

/** Returns whether another partner's source has a value for the column. */
const isFilledByOthers = ({ received }: Row, { name }: Field, nodeID: string): boolean =>
  received !== undefined &&
  sourcesOf(received).some((source) => source.nodeID !== nodeID && Object.hasOwn(source.values, name));

/** Returns whether the column shows our user's value, not the received one. */
export function showsOwn({ values, received }: Row, { name }: Pick<Field, 'name'>): boolean {
  if (received && Object.hasOwn(received.values, name)) return received.edited.includes(name);
  return valuesOf(values, name).length > 0;
}

/**
 * Applies a user's change of a mapping; returns the same row if nothing leaves it. Received values leave columns whose
 * offered column moved to another of ours, and unmapped ones of a row that a first mapping brings back from the bin.
 * `cells`, for undo: as before, of all columns that begin or cease to be filled, also where they stay. Skips columns that
 * another partner fills; rows kept from an ended partner stay unchanged.
 */
export function rematchRow(row: Row, fields: readonly Field[], change: MatchingStep): RematchedRow {
  const { nodeID, was, became } = change;
  const source = sourceFrom(row, nodeID);
  // A row kept when its partner ended is received again if this partner has it.
  if (!source && !row.former) return { row, cells: [] };
  const comesBack = source !== undefined && was === undefined && isAwaited(row) && !isDeletedThere(source);
  const { recordID } = row;
  const cells: CellStep[] = [];
  let rematched = row;
  for (const field of fields) {
    const isLeaving = isMovedOn(change, field) || (comesBack && !fills(became, field));
    const cell = isLeaving || isConcerned(change, field) ? readCell(row, field.name) : undefined;
    if (!cell || isFilledByOthers(row, field, nodeID)) continue;
    cells.push({ recordID, fieldID: field.fieldID, was: cell });
    if (source && isLeaving && !showsOwn(row, field)) rematched = withoutCell(rematched, field.name);
  }
  return { row: rematched, cells };
}

/** Now and before this write, with its cells before the mapping changed. */
interface MatchedRow {
  readonly row: Row;
  readonly before: Row;
  readonly old: readonly CellStep[];
}

/** Filled by a user after the mapping changed; and its content before. */
interface KeptCell {
  readonly fieldID: string;
  readonly texts: readonly string[];
  /** It was empty then. */
  readonly isWhole: boolean;
}

/**
 * Undoes a change of a mapping: cells that only it filled get back what they held before, if anything. Values that our
 * user entered since stay and are in `kept`.
 */
export function unmatchRow(
  { row, before, old }: MatchedRow,
  fields: readonly Field[],
  change: MatchingStep,
): RematchedRow & { readonly kept: readonly KeptCell[] } {
  const { nodeID, was } = change;
  const { recordID } = row;
  const cells: CellStep[] = [];
  const kept: KeptCell[] = [];
  let restored = row;
  for (const field of fields) {
    const { fieldID, name } = field;
    const known = old.find((cell) => cell.fieldID === fieldID);
    const wanted = known?.was;
    if (!(known || isConcerned(change, field)) || isFilledByOthers(row, field, nodeID)) continue;
    const cell = readCell(before, name);
    // Empty cells count too: they may be cleared again.
    if (cell || known) cells.push({ recordID, fieldID, ...(cell && { was: cell }) });
    // The partner fills it again, or did already.
    if (fills(was, field) && (cell?.received || !wanted)) continue;
    if (showsOwn(before, field) && !hasSameTexts(valuesOf(before.values, name), wanted?.value ?? [])) {
      kept.push({ fieldID, texts: wanted?.value ?? [], isWhole: wanted === undefined });
      continue;
    }
    if (isSameCell(readCell(restored, name), wanted)) continue;
    const emptied = withoutCell(restored, name);
    restored = wanted ? withCell(emptied, name, wanted) : emptied;
  }
  return { row: restored, cells, kept };
}
