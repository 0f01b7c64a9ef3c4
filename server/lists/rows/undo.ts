import { given } from '../../base/given.ts';
import type { Ids } from '../../base/ids.ts';
import { Refusal } from '../../base/refusal.ts';
import { createPause } from '../../base/yield.ts';
import type { Partition } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import type { Module, Row, Values } from '../definitions/model.ts';
import { sameTexts, valuesOf } from '../values/value-sets.ts';
import { editRow } from './edits.ts';
import { withoutDeletion } from './merged-ways.ts';
import type { Batch, WriteRows } from './row-batch.ts';
import { getRows } from './row-table.ts';
import {
  definitionStepOf,
  isFollowed,
  nextSteps,
  partsOf,
  stepsOf,
  type Definition,
  type DefinitionStep,
  type RowStep,
  type StepBegun,
  type UndoStep,
} from './undo-log.ts';

/** Counts rows, or columns where a step changed these. */
export interface TurnedRows {
  /** Those that are as they were before the step. */
  readonly done: number;
  /** Those that were changed since, are gone for good, or whose column is gone: they stay as they are. */
  readonly left: number;
}

/** What came of undoing or redoing a step. */
export interface Undone extends TurnedRows {
  readonly step: UndoStep;
  /** Ids of the columns that came back. */
  readonly restored: readonly string[];
}

/** Takes a change of columns back, and writes that as the next turn of the step. */
export type TurnColumns = (begun: StepBegun, change: DefinitionStep) => Promise<TurnedRows>;

/** Undo and redo of what users do to the rows and columns of a list. They outlast the program (docs/undo.md). */
export interface Undoing {
  /** The step that this user would undo now, and the one that they would redo. */
  nextSteps(by: string): Promise<ReturnType<typeof nextSteps>>;
  /** An id for a step of several writes. */
  newStepID(): string;
  /**
   * Undoes a step as one write; rows that others changed since stay as these left them.
   * @param stepID the user's last one unless given
   * @throws Refusal `conflict` where there is none, or it wrote more than is kept; `impossible` where values entered since
   *   do not fit the kind that a column had
   */
  undo(by: string, stepID?: string): Promise<Undone>;
  /** Does again what was undone last. @throws Refusal `conflict` where there is none */
  redo(by: string): Promise<Undone>;
}

const SLICE = 500;

export function createUndoing(deps: {
  readonly partition: Partition;
  readonly module: () => Module;
  readonly write: WriteRows;
  readonly ids: Ids;
  readonly turnColumns: TurnColumns;
}): Undoing {
  const { partition, module, write, ids, turnColumns } = deps;

  async function turn(step: UndoStep | undefined, to: UndoStep['state']): Promise<Undone> {
    if (!step) throw new Refusal('conflict', 'undo.none', said('undo.none'));
    if (step.isTooLarge)
      throw new Refusal('conflict', 'undo.too-large', said('undo.too-large', { n: step.rows }));
    const { stepID, kind, by, file, columns } = step;
    const isLast = !isFollowed(await stepsOf(partition), step);
    const begun = { ...{ stepID, kind, by, turns: to }, ...given({ file, columns }) };
    const change = await definitionStepOf(partition, stepID);
    if (change) {
      const ids = ({ fields }: Definition): Set<string> => new Set(fields.map(({ fieldID }) => fieldID));
      const had = ids(change.became);
      const restored = [...ids(change.was)].filter((fieldID) => !had.has(fieldID));
      return { step: { ...step, state: to }, restored, ...(await turnColumns(begun, change)) };
    }
    return write(
      async (batch) => {
        const pause = createPause();
        let [done, left] = [0, 0];
        for (const part of (await partsOf(batch.tx, stepID)).toReversed()) {
          const mayHide = ({ received, updatedAt }: Row): boolean =>
            (received === undefined && isLast) || updatedAt === part.at;
          const rows = part.rows.toReversed();
          for (let at = 0; at < rows.length; at += SLICE) {
            const slice = rows.slice(at, at + SLICE);
            const found = await getRows(
              batch.tx,
              slice.map(({ recordID }) => recordID),
            );
            for (const [place, rowStep] of slice.entries()) {
              const isBack = takeBack(batch, found[place], rowStep, by, mayHide);
              if (isBack) done++;
              else left++;
            }
            await pause();
          }
        }
        return { step: { ...step, state: to }, restored: [], done, left };
      },
      { step: begun },
    );
  }

  /** Whether all of it could be taken back. */
  function takeBack(
    batch: Batch,
    row: Row | undefined,
    { did, was = {}, became = {} }: RowStep,
    by: string,
    mayHide: (row: Row) => boolean,
  ): boolean {
    if (!row || row.purged) return false;
    const wanted: Record<string, readonly string[]> = {};
    for (const [fieldID, texts] of Object.entries(was)) {
      const field = module().fields.find((each) => each.fieldID === fieldID);
      if (field && sameTexts(valuesOf(row.values, field.name), valuesOf(became, fieldID)))
        wanted[field.name] = texts;
    }
    const isWhole = Object.keys(wanted).length === Object.keys(was).length;
    const moved = movedBack(batch, row, did, by, mayHide);
    const after = editRow(moved, wanted satisfies Values);
    if (after !== row) batch.put(row, { ...after, updatedAt: batch.now, updatedBy: by });
    return isWhole && (did === undefined || moved !== row);
  }

  function movedBack(
    batch: Batch,
    row: Row,
    did: RowStep['did'],
    by: string,
    mayHide: (row: Row) => boolean,
  ): Row {
    const isShown = row.deletedAt === undefined;
    if (did === 'hidden' && !isShown) return withoutDeletion(row);
    if (did === 'shown' && isShown && mayHide(row)) return { ...row, deletedAt: batch.now, deletedBy: by };
    return row;
  }

  return {
    nextSteps: async (by) => nextSteps(await stepsOf(partition), by),
    newStepID: () => ids.next(),
    async undo(by, stepID) {
      const steps = await stepsOf(partition);
      const named = steps.find((step) => step.stepID === stepID && step.state === 'done');
      return turn(stepID === undefined ? nextSteps(steps, by).undo : named, 'undone');
    },
    redo: async (by) => turn(nextSteps(await stepsOf(partition), by).redo, 'done'),
  };
}
