import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Field, Row, Values } from '../definitions/model.ts';
import { sameTexts, valuesOf } from '../values/value-sets.ts';

/**
 * The undo log of a list: what its users did to rows, one step each, with what the rows held before. It is in the list's
 * partition and is written in the same transaction as the rows, so that a step is never without its change nor a change
 * without its step. What partners bring is no step.
 */

/** What a user did. */
export const STEP_KINDS = ['add', 'edit', 'cells', 'delete', 'restore', 'revert', 'join', 'import'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export interface UndoStep {
  readonly stepID: string;
  readonly kind: StepKind;
  /** Rows that it wrote. */
  readonly rows: number;
  /** The file that was imported. */
  readonly file?: string;
  /** Id of the user. */
  readonly by: string;
  /** ISO 8601, in the list's own time. */
  readonly at: string;
  readonly state: 'done' | 'undone';
  /** Characters of its parts. */
  readonly size: number;
  /** How many parts it has; absent in steps of older versions. */
  readonly parts?: number;
  /** It wrote more than is kept and cannot be undone. */
  readonly isTooLarge?: true;
}

/** What one write of a step did to a row. Values are by the ids of their columns. */
export interface RowStep {
  readonly recordID: string;
  /** Into the bin, or out of it or new. */
  readonly did?: 'hidden' | 'shown';
  readonly was?: Values;
  readonly became?: Values;
}

interface StepPart {
  readonly stepID: string;
  /** The time of the write, ISO 8601. */
  readonly at: string;
  readonly rows: readonly RowStep[];
}

/** Key: the step's id. */
const STEPS: Table<UndoStep> = { name: 'undo-step' };
/** Key: the step's id and a number. */
const PARTS: Table<StepPart> = { name: 'undo-part', indexes: { step: ({ stepID }) => stepID } };

/** How much of a list's past can be undone (docs/undo.md). */
export interface UndoLimits {
  readonly steps: number;
  /** Characters of all steps together, and of one. */
  readonly size: number;
  readonly ageMs: number;
}
export const UNDO_LIMITS: UndoLimits = { steps: 100, size: 16_000_000, ageMs: 30 * 86_400_000 };

/** A step that is being written. Several writes with one id are one step. */
export interface StepBegun {
  readonly stepID: string;
  readonly kind: StepKind;
  readonly by: string;
  readonly file?: string;
  /** It is undone by what is written, or done again: what was kept of it is replaced. */
  readonly turns?: UndoStep['state'];
}

/** Collects what one write does to rows, for the step that it belongs to. */
export interface StepRecorder {
  note(before: Row | undefined, after: Row): void;
  write(): Promise<void>;
}

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
  const { stepID, kind, by, file, turns } = step;
  const rows: RowStep[] = [];

  return {
    note(before, after) {
      const did = rowStep(before, after, fields);
      if (did) rows.push(did);
    },
    async write() {
      if (rows.length === 0 && turns === undefined) return;
      const known = turns === undefined ? await tx.get(STEPS, stepID) : undefined;
      const size = JSON.stringify(rows).length + (known?.size ?? 0);
      const isTooLarge = known?.isTooLarge === true || size > limits.size;
      const isReplaced = turns !== undefined || (isTooLarge && known?.isTooLarge !== true);
      // Finding the parts parses all of them, which would be quadratic in the pages of an import.
      const isCounted = known === undefined || known.parts !== undefined;
      const parts = isReplaced || !isCounted ? await tx.find(PARTS, 'step', stepID) : [];
      if (isReplaced) for (const { key } of parts) tx.delete(PARTS, key);
      const at = turns === undefined ? (known?.parts ?? parts.length) : 0;
      if (!isTooLarge) tx.put(PARTS, `${stepID} ${at}`, { stepID, at: now, rows });
      tx.put(STEPS, stepID, {
        ...{ stepID, kind, by, at: known?.at ?? now, state: turns ?? 'done' },
        rows: (known?.rows ?? 0) + rows.length,
        size: isTooLarge ? 0 : size,
        parts: isTooLarge ? 0 : at + 1,
        ...(file === undefined ? {} : { file }),
        ...(isTooLarge ? { isTooLarge } : {}),
      });
      if (known || turns !== undefined) return;
      const others = await forgetUndone(tx, partition, by);
      await prune(tx, others, { newest: stepID, size, now }, limits);
    },
  };
}

function rowStep(before: Row | undefined, after: Row, fields: readonly Field[]): RowStep | undefined {
  const { recordID } = after;
  if (!before) return { recordID, did: 'shown' };
  const [was, became]: Record<string, readonly string[]>[] = [{}, {}];
  if (was && became && before.values !== after.values) {
    for (const { fieldID, name } of fields) {
      const [old, now] = [valuesOf(before.values, name), valuesOf(after.values, name)];
      if (!sameTexts(old, now)) [was[fieldID], became[fieldID]] = [old, now];
    }
  }
  const wasShown = before.deletedAt === undefined;
  const isShown = after.deletedAt === undefined;
  const did = wasShown === isShown ? undefined : isShown ? ('shown' as const) : ('hidden' as const);
  const isEdited = Object.keys(was ?? {}).length > 0;
  if (did === undefined && !isEdited) return undefined;
  return { recordID, ...(did ? { did } : {}), ...(isEdited && was && became ? { was, became } : {}) };
}

/** All steps that are kept, oldest first. */
export const stepsOf = async (source: Partition): Promise<UndoStep[]> =>
  (await source.page(STEPS, { limit: 2 * UNDO_LIMITS.steps })).map(({ value }) => value);

/** The step that a user would undo now, and the one that they would redo. */
export function nextSteps(
  steps: readonly UndoStep[],
  by: string,
): { readonly undo: UndoStep | undefined; readonly redo: UndoStep | undefined } {
  const own = steps.filter((step) => step.by === by);
  return {
    undo: own.findLast(({ state }) => state === 'done'),
    // The oldest of them was undone last.
    redo: own.find(({ state }) => state === 'undone'),
  };
}

/** What a step did to rows, in the order in which it did it. */
export async function partsOf(tx: Tx, stepID: string): Promise<readonly StepPart[]> {
  const parts = await tx.find(PARTS, 'step', stepID);
  const numberOf = (key: string): number => Number(key.slice(stepID.length + 1));
  return parts.sort((one, other) => numberOf(one.key) - numberOf(other.key)).map(({ value }) => value);
}

/** Whether somebody else did something since that is not undone. */
export const isFollowed = (steps: readonly UndoStep[], { stepID }: UndoStep): boolean =>
  steps.slice(steps.findIndex((step) => step.stepID === stepID) + 1).some(({ state }) => state === 'done');

/** Forgets what the user could redo, as they did something else since. Returns the steps that are left, oldest first. */
async function forgetUndone(tx: Tx, partition: Partition, by: string): Promise<readonly UndoStep[]> {
  const steps = await stepsOf(partition);
  const isUndone = (step: UndoStep): boolean => step.by === by && step.state === 'undone';
  for (const { stepID } of steps.filter(isUndone)) await forgetStep(tx, stepID);
  return steps.filter((step) => !isUndone(step));
}

async function forgetStep(tx: Tx, stepID: string): Promise<void> {
  tx.delete(STEPS, stepID);
  for (const { key } of await tx.find(PARTS, 'step', stepID)) tx.delete(PARTS, key);
}

/** Forgets the oldest steps that are over the limits. */
async function prune(
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

/** Forgets steps of before that time, in milliseconds, or all. */
export async function forgetSteps(partition: Partition, tx: Tx, before = Infinity): Promise<void> {
  for (const { stepID, at } of await stepsOf(partition))
    if (Date.parse(at) < before) await forgetStep(tx, stepID);
}
