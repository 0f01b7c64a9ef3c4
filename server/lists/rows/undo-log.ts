import { batchByCount } from '../../base/batches.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { MAX_STEP_CHARS } from '../../base/vocabulary.ts';
import { Refusal } from '../../base/refusal.ts';
import { createYielder } from '../../base/yield.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Field, Module, Row, Values } from '../definitions/model.ts';
import { said } from '../../words/said.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import { readCell, type RowCell } from './row-cell.ts';

/** Undo log of a list: its users' changes with previous content. Partners' changes aren't steps. */

export const ROW_STEPS = ['add', 'edit', 'cells', 'delete', 'restore', 'revert', 'join', 'import'] as const;
/** `columns`: mixed, or neither adding nor deleting; `name`: only the list's. */
export const DEFINITION_STEPS = ['columns-add', 'columns-delete', 'columns', 'name'] as const;
/** Mapping an offered list, remapping it, removing its mapping. */
export const MATCHING_STEPS = ['match', 'unmatch'] as const;
export const STEP_KINDS = [...ROW_STEPS, ...DEFINITION_STEPS, ...MATCHING_STEPS] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export interface UndoStep {
  readonly stepID: string;
  readonly kind: StepKind;
  readonly rows: number;
  /** Those of them that a step of kind `cells` added; absent if none, or by an older version. */
  readonly added?: number;
  readonly file?: string;
  readonly columns?: readonly string[];
  readonly offer?: string;
  readonly importKey?: ImportKeyStep;
  readonly by: string;
  readonly at: string;
  readonly state: 'done' | 'undone';
  /** The client's, of an added row or an import; absent without. */
  readonly idempotencyKey?: string;
  /** Last undo or redo, ISO 8601; absent if never, or older version. */
  readonly turnedAt?: string;
  readonly size: number;
  /** Absent from older versions. */
  readonly parts?: number;
  readonly isTooLarge?: true;
}

/** Ids of columns by which imports find rows, before and after; empty: none. */
export interface ImportKeyStep {
  readonly was: readonly string[];
  readonly became: readonly string[];
}

/** One write's effect on a row. Values by column id. */
export interface RowStep {
  readonly recordID: string;
  /** Hidden: binned; shown: restored or new; binned: stays binned while an earlier step is undone. */
  readonly did?: 'hidden' | 'shown' | 'binned';
  readonly was?: Values;
  readonly became?: Values;
  /** Ids of changed columns that had the partner's value. */
  readonly received?: readonly string[];
}

export interface DefinitionStep {
  readonly was: Definition;
  readonly became: Definition;
  readonly cells: readonly CellStep[];
}

/** An offered list's mapping before and after; absent: none. */
export interface MatchingStep {
  /** Local ids of partner and offered list. */
  readonly nodeID: string;
  readonly sharedModuleID: string;
  readonly was?: Matching;
  readonly became?: Matching;
  /** Previous cells of the partner's rows; absent beyond `MAX_MATCHED_CELLS`. */
  readonly cells?: readonly CellStep[];
}

export type Matching = readonly { readonly origin: string; readonly destination: string }[];

export type Definition = Pick<Module, 'name' | 'fields'>;

export interface CellStep {
  readonly recordID: string;
  readonly fieldID: string;
  readonly was?: RowCell;
  readonly became?: RowCell;
}

export interface StepPart {
  readonly stepID: string;
  readonly at: string;
  readonly rows: readonly RowStep[];
  readonly definition?: DefinitionStep;
  readonly matching?: MatchingStep;
}

const STEPS: Table<UndoStep> = {
  name: 'undo-step',
  indexes: { idempotencyKey: ({ idempotencyKey }) => idempotencyKey },
};
/** Key: step id and a number. */
const PARTS: Table<StepPart> = { name: 'undo-part', indexes: { step: ({ stepID }) => stepID } };

/** Limits of undo (docs/undo.md). */
export interface UndoLimits {
  readonly steps: number;
  /** Characters of all steps, and of one. */
  readonly size: number;
  readonly ageMs: number;
}
/** Beyond these characters, undoing a mapping restores only the mapping and new rows. */
export const MAX_MATCHED_CELLS = 8_000_000;
const PART_ROWS = 2000;
export const UNDO_LIMITS: UndoLimits = { steps: 100, size: MAX_STEP_CHARS, ageMs: 30 * 86_400_000 };

/** Writes with one id are one step. */
export interface StepBegun {
  readonly stepID: string;
  readonly kind: StepKind;
  readonly by: string;
  readonly file?: string;
  readonly columns?: readonly string[];
  readonly offer?: string;
  /** Written by the caller, outside the partition. */
  readonly importKey?: ImportKeyStep;
  readonly idempotencyKey?: string;
  /** Continued if still the user's last step. */
  readonly continues?: string;
  /** Refuses the write if undo would be impossible. */
  readonly isUndoable?: boolean;
  /** Undone or redone by the write, which replaces its content. */
  readonly turns?: UndoStep['state'];
}

export interface StepRecorder {
  recordRow(before: Row | undefined, after: Row): void;
  recordTurned(row: RowStep): void;
  recordDefinition(was: Definition, became: Definition): void;
  recordMatching(change: MatchingStep): void;
  recordCell(before: Row, after: Row, column: { fieldID: string; was: string; became: string }): void;
  isTooLarge(): boolean;
  write(): Promise<void>;
}

/**
 * Creates the recorder of one step: collects its changes, then writes them once; into the step that it continues, if
 * that is still its user's latest.
 */
export function createStepRecorder(
  deps: {
    readonly tx: Tx;
    readonly partition: Partition;
    readonly now: string;
    readonly fields: readonly Field[];
    readonly limits?: UndoLimits;
  },
  step: StepBegun,
): StepRecorder {
  const { tx, partition, now, fields, limits = UNDO_LIMITS } = deps;
  const { kind, by, file, columns, offer, importKey, idempotencyKey, turns, continues, isUndoable } = step;
  const rows: RowStep[] = [];
  const cells: CellStep[] = [];
  let definition: DefinitionStep | undefined;
  let matching: MatchingStep | undefined;
  /** Characters of noted cells, not kept beyond the limit, and their rows. */
  let [cellsSize, cellRows] = [0, 0];
  let lastRow = '';

  /** Returns the id of the step to continue; undefined unless it is still its user's last one, and of this kind. */
  async function findContinuedStepID(): Promise<string | undefined> {
    if (continues === undefined) return undefined;
    const { undo } = nextSteps(await readSteps(partition), by);
    return undo?.stepID === continues && undo.kind === kind ? continues : undefined;
  }

  return {
    /** Records a row's change, unless there is nothing to undo in it. */
    recordRow(before, after) {
      const did = toRowStep(before, after, fields);
      if (did) rows.push(did);
    },
    /** Includes effects beneath later steps. */
    recordTurned: (row) => void rows.push(row),
    recordDefinition: (was, became) => void (definition = { was, became, cells }),
    recordMatching: (change) => void (matching = change),
    /**
     * Records a cell before and after the conversion of its column, under old and new name, if it changed. Beyond the
     * size limit all recorded cells are dropped, and cells only counted.
     */
    recordCell(before, after, column) {
      const { recordID } = after;
      const [was, became] = [readCell(before, column.was), readCell(after, column.became)];
      if (isSameCell(was, became)) return;
      const { fieldID } = column;
      const cell = { recordID, fieldID, ...(was && { was }), ...(became && { became }) };
      if (recordID !== lastRow) cellRows++;
      lastRow = recordID;
      cellsSize += JSON.stringify(cell).length;
      if (cellsSize > limits.size) cells.length = 0;
      else cells.push(cell);
    },
    /** By noted cells alone. */
    isTooLarge: () => cellsSize > limits.size,
    /**
     * Writes the step with this write's part, unless nothing changed. An undo or redo replaces its parts. A new step
     * deletes the user's undone steps, and those beyond the limits. A step that is too large keeps no parts. Throws
     * `undo.too-large` (409) for it if the step must be undoable.
     */
    async write() {
      if (rows.length === 0 && !definition && !matching && turns === undefined) return;
      const stepID = (await findContinuedStepID()) ?? step.stepID;
      const known = turns === undefined ? await tx.get(STEPS, stepID) : undefined;
      const pause = createYielder();
      let size = JSON.stringify([definition, matching]).length + (known?.size ?? 0);
      for (const row of rows) {
        await pause();
        size += sizeOf(row);
      }
      // Cells move no row: the step added it.
      const moved = kind === 'cells' ? rows.filter(({ did }) => did !== undefined).length : 0;
      const added = (known?.added ?? 0) + moved || undefined;
      const isTooLarge = known?.isTooLarge === true || Math.max(size, cellsSize) > limits.size;
      if (isTooLarge && isUndoable === true)
        throw new Refusal('conflict', 'undo.too-large', said('undo.refused'));
      const isReplaced = turns !== undefined || (isTooLarge && known?.isTooLarge !== true);
      // Parsing all parts to count would be quadratic in an import's pages.
      const isCounted = known === undefined || known.parts !== undefined;
      const parts = isReplaced || !isCounted ? await tx.find(PARTS, 'step', stepID) : [];
      if (isReplaced) for (const { key } of parts) tx.delete(PARTS, key);
      const at = turns === undefined ? (known?.parts ?? parts.length) : 0;
      let end = at;
      // Each part blocks the event loop once.
      const pieces = rows.length === 0 ? [[]] : batchByCount(rows, PART_ROWS);
      for (const some of isTooLarge ? [] : pieces) {
        await pause();
        const beside = end === at ? omitUndefined({ definition, matching }) : {};
        tx.put(PARTS, `${stepID} ${end++}`, { stepID, at: now, rows: some, ...beside });
      }
      tx.put(STEPS, stepID, {
        ...{ stepID, kind, by, at: known?.at ?? now, state: turns ?? 'done' },
        rows: (known?.rows ?? 0) + rows.length + cellRows,
        size: isTooLarge ? 0 : size,
        parts: isTooLarge ? 0 : end,
        ...omitUndefined({ added, file, columns, offer, importKey, idempotencyKey }),
        ...(turns && { turnedAt: laterThanTurned(await readSteps(partition), now) }),
        ...(isTooLarge ? { isTooLarge } : {}),
      });
      if (known || turns !== undefined) return;
      const others = await forgetUndone(tx, partition, by);
      await pruneSteps(tx, others, { newest: stepID, size, now }, limits);
    },
  };
}

/** Groups cells by row id, in their order. */
export function groupCellsByRow(cells: readonly CellStep[]): ReadonlyMap<string, readonly CellStep[]> {
  const byRow = new Map<string, CellStep[]>();
  for (const cell of cells) {
    const others = byRow.get(cell.recordID);
    if (others) others.push(cell);
    else byRow.set(cell.recordID, [cell]);
  }
  return byRow;
}

export const isSameCell = (one: RowCell | undefined, other: RowCell | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const sizeOf = (row: RowStep): number => JSON.stringify(row).length + 1;

/** Returns the characters by which a change of a row, or a new row, enlarges its step. */
export function measureStep(before: Row | undefined, after: Row, fields: readonly Field[]): number {
  const did = toRowStep(before, after, fields);
  return did ? sizeOf(did) : 0;
}

/**
 * Returns a write's effect on a row, values by column id, for a new row only that it is shown; undefined if there is
 * none.
 */
export function toRowStep(
  before: Row | undefined,
  after: Row,
  fields: readonly Field[],
): RowStep | undefined {
  const { recordID } = after;
  if (!before) return { recordID, did: 'shown' };
  const [was, became]: Record<string, readonly string[]>[] = [{}, {}];
  const received: string[] = [];
  if (was && became && before.values !== after.values) {
    for (const { fieldID, name } of fields) {
      const [old, now] = [valuesOf(before.values, name), valuesOf(after.values, name)];
      if (hasSameTexts(old, now)) continue;
      [was[fieldID], became[fieldID]] = [old, now];
      const theirs = before.received?.values;
      if (theirs && Object.hasOwn(theirs, name) && hasSameTexts(old, valuesOf(theirs, name)))
        received.push(fieldID);
    }
  }
  const wasShown = before.deletedAt === undefined;
  const isShown = after.deletedAt === undefined;
  const did = wasShown === isShown ? undefined : isShown ? ('shown' as const) : ('hidden' as const);
  const isEdited = Object.keys(was ?? {}).length > 0;
  if (did === undefined && !isEdited) return undefined;
  return {
    recordID,
    ...(did ? { did } : {}),
    ...(isEdited && was && became ? { was, became } : {}),
    ...(received.length > 0 ? { received } : {}),
  };
}

export const readSteps = async (source: Partition): Promise<UndoStep[]> =>
  (await source.page(STEPS, { limit: 2 * UNDO_LIMITS.steps })).map(({ value }) => value);

/** Returns the user's steps with this key, without undone ones. */
export async function findStepsByKey(
  source: Pick<Tx, 'find'>,
  by: string,
  idempotencyKey: string,
): Promise<UndoStep[]> {
  const steps = (await source.find(STEPS, 'idempotencyKey', idempotencyKey)).map(({ value }) => value);
  return steps.filter((step) => step.by === by && step.state === 'done');
}

/** Returns the ids of the rows that the user added with this key, without undone ones. */
export async function findAddedRows(tx: Tx, by: string, idempotencyKey: string): Promise<string[]> {
  const recordIDs: string[] = [];
  for (const { stepID } of await findStepsByKey(tx, by, idempotencyKey))
    for (const { rows } of await readParts(tx, stepID))
      recordIDs.push(...rows.map(({ recordID }) => recordID));
  return recordIDs;
}

/** Returns `now`, or just after the latest undo or redo if that has a later time, e.g. as the clock was set back. */
function laterThanTurned(steps: readonly UndoStep[], now: string): string {
  const last = Math.max(...steps.map(({ turnedAt }) => (turnedAt === undefined ? 0 : Date.parse(turnedAt))));
  return new Date(Math.max(Date.parse(now), last + 1)).toISOString();
}

export interface NextSteps {
  readonly undo: UndoStep | undefined;
  readonly redo: UndoStep | undefined;
}

/** Returns the last done step, and the one undone last. */
const lastSteps = (steps: readonly UndoStep[]): NextSteps => ({
  undo: steps.findLast(({ state }) => state === 'done'),
  // Older versions stored no time: there the oldest was undone last.
  redo: steps
    .filter(({ state }) => state === 'undone')
    .reduceRight<UndoStep | undefined>(
      (last, step) => ((step.turnedAt ?? '') >= (last?.turnedAt ?? '') ? step : last),
      undefined,
    ),
});

/** Returns the steps that a user can undo and redo next, and those of all others together. */
export const nextSteps = (
  steps: readonly UndoStep[],
  userID: string,
): NextSteps & { readonly others: NextSteps } => ({
  ...lastSteps(steps.filter((step) => step.by === userID)),
  others: lastSteps(steps.filter((step) => step.by !== userID)),
});

/** Returns the parts of a step in order, one or more per write, with their keys. */
export async function readPartEntries(
  tx: Tx,
  stepID: string,
): Promise<readonly { readonly key: string; readonly value: StepPart }[]> {
  const parts = await tx.find(PARTS, 'step', stepID);
  const numberOf = (key: string): number => Number(key.slice(stepID.length + 1));
  return parts.sort((one, other) => numberOf(one.key) - numberOf(other.key));
}

export const readParts = async (tx: Tx, stepID: string): Promise<readonly StepPart[]> =>
  (await readPartEntries(tx, stepID)).map(({ value }) => value);

export const writePart = (tx: Tx, key: string, part: StepPart): void => tx.put(PARTS, key, part);

/** Reads what a step did to columns or a mapping; empty if it only changed rows. */
export async function readDefinitionChange(
  partition: Partition,
  stepID: string,
): Promise<{ readonly definition?: DefinitionStep; readonly matching?: MatchingStep }> {
  const parts = (await partition.find(PARTS, 'step', stepID)).map(({ value }) => value);
  return parts.find(({ definition, matching }) => definition ?? matching) ?? {};
}

/** Deletes the user's undone steps; returns the other steps, oldest first. */
async function forgetUndone(tx: Tx, partition: Partition, userID: string): Promise<readonly UndoStep[]> {
  const steps = await readSteps(partition);
  const isUndone = (step: UndoStep): boolean => step.by === userID && step.state === 'undone';
  for (const { stepID } of steps.filter(isUndone)) await forgetStep(tx, stepID);
  return steps.filter((step) => !isUndone(step));
}

/** Deletes a step with its parts. */
async function forgetStep(tx: Tx, stepID: string): Promise<void> {
  tx.delete(STEPS, stepID);
  for (const { key } of await tx.find(PARTS, 'step', stepID)) tx.delete(PARTS, key);
}

/**
 * Deletes the oldest steps beyond the limits of number, size and age.
 * @param newest id of the step being written, which stays; `size` its characters
 */
async function pruneSteps(
  tx: Tx,
  others: readonly UndoStep[],
  { newest, size, now }: { readonly newest: string; readonly size: number; readonly now: string },
  limits: UndoLimits,
): Promise<void> {
  const steps = others.filter(({ stepID }) => stepID !== newest);
  const before = new Date(Date.parse(now) - limits.ageMs).toISOString();
  let [count, sum] = [1, size];
  for (const step of steps.reverse()) {
    count++;
    sum += step.size;
    if (count > limits.steps || sum > limits.size || step.at < before) await forgetStep(tx, step.stepID);
  }
}

/** Deletes steps from before a time (ms since the epoch), or all. */
export async function forgetSteps(partition: Partition, tx: Tx, before = Infinity): Promise<void> {
  for (const { stepID, at } of await readSteps(partition))
    if (Date.parse(at) < before) await forgetStep(tx, stepID);
}

/**
 * Removes the values of purged columns from all steps. Forgets steps that changed the columns themselves, and those
 * with nothing left to undo.
 */
export async function forgetColumnsInSteps(
  partition: Partition,
  tx: Tx,
  purged: ReadonlySet<string>,
): Promise<void> {
  const pause = createYielder();
  for (const { stepID } of await readSteps(partition)) {
    const parts = (await tx.find(PARTS, 'step', stepID)).map(({ key, value }) => ({
      key,
      value,
      rest: withoutColumns(value, purged),
    }));
    const isEmpty = parts.every(({ rest }) => rest.rows.length === 0 && !rest.definition && !rest.matching);
    if (parts.length > 0 && (isEmpty || parts.some(({ value }) => changesColumns(value, purged))))
      await forgetStep(tx, stepID);
    else for (const { key, rest } of parts) tx.put(PARTS, key, rest);
    await pause();
  }
}

/** Returns whether a part of a step added, deleted or redefined one of these columns. */
function changesColumns({ definition }: StepPart, columns: ReadonlySet<string>): boolean {
  if (!definition) return false;
  const [was, became] = [definition.was, definition.became].map(({ fields }) =>
    JSON.stringify(fields.filter(({ fieldID }) => columns.has(fieldID))),
  );
  return was !== became;
}

/** Returns a part of a step without the values of these columns, and without rows that only changed in them. */
function withoutColumns(part: StepPart, columns: ReadonlySet<string>): StepPart {
  const others = (values: Values): Values =>
    Object.fromEntries(Object.entries(values).filter(([fieldID]) => !columns.has(fieldID)));
  const { matching } = part;
  const cells = matching?.cells?.filter(({ fieldID }) => !columns.has(fieldID));
  const rows = part.rows.flatMap(({ was, became, ...row }) => {
    if (!was || !became) return [row];
    const kept = others(was);
    if (Object.keys(kept).length > 0) return [{ ...row, was: kept, became: others(became) }];
    return row.did === undefined ? [] : [row];
  });
  return { ...part, rows, ...(matching && cells && { matching: { ...matching, cells } }) };
}
