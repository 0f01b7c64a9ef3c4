import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Ids } from '../../base/ids.ts';
import { Refusal } from '../../base/refusal.ts';
import { createYielder } from '../../base/yield.ts';
import type { Partition } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import type { Module, Row, Values } from '../definitions/model.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import { editRow } from './edits.ts';
import { withoutDeletion } from './merge-sources.ts';
import type { Batch, WriteRows } from './row-batch.ts';
import { historyOf } from './row-history.ts';
import { getRows, pageRows } from './row-table.ts';
import {
  changeOf,
  isFollowed,
  nextSteps,
  partsOf,
  stepsOf,
  type Definition,
  type DefinitionStep,
  type MatchingStep,
  type RowStep,
  type StepBegun,
  type UndoStep,
} from './undo-log.ts';
import { sourcesOf } from './sources.ts';

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

/** Matches an offered list as it was before this step, once no page of it is in hand. @throws Refusal if that cannot be done */
export type TurnMatching = (moduleID: string, change: MatchingStep) => Promise<void>;

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
  /**
   * Logs that a user matched an offered list with this one, in another way, or not any more. Its undo moves the rows to the
   * bin that only this partner brought since; they return when it brings them again.
   * @param offer name of the offered list
   * @param rows `bin` moves those to the bin that only this partner brings. Returns how many that are
   */
  logMatching(change: MatchingStep, offer: string, by: string, rows?: 'keep' | 'bin'): Promise<number>;
  /** Does again what was undone last. @throws Refusal `conflict` where there is none */
  redo(by: string): Promise<Undone>;
}

const SLICE = 500;

/** Ids of the columns that `other` has and `one` has not. */
function missingIn(one: Definition, other: Definition): string[] {
  const known = new Set(one.fields.map(({ fieldID }) => fieldID));
  return other.fields.map(({ fieldID }) => fieldID).filter((fieldID) => !known.has(fieldID));
}

export function createUndoing(deps: {
  readonly partition: Partition;
  readonly module: () => Module;
  readonly write: WriteRows;
  readonly ids: Ids;
  readonly turnColumns: TurnColumns;
  readonly turnMatching: TurnMatching;
}): Undoing {
  const { partition, module, write, ids, turnColumns, turnMatching } = deps;

  async function turn(step: UndoStep | undefined, to: UndoStep['state']): Promise<Undone> {
    if (!step) throw new Refusal('conflict', 'undo.none', said('undo.none'));
    if (step.isTooLarge)
      throw new Refusal('conflict', 'undo.too-large', said('undo.too-large', { n: step.rows }));
    const { stepID, kind, by, file, columns, offer } = step;
    const isLast = !isFollowed(await stepsOf(partition), step);
    const begun = { ...{ stepID, kind, by, turns: to }, ...omitUndefined({ file, columns, offer }) };
    const { definition, matching } = await changeOf(partition, stepID);
    if (definition) {
      const restored = missingIn(definition.became, definition.was);
      return { step: { ...step, state: to }, restored, ...(await turnColumns(begun, definition)) };
    }
    if (matching) await turnMatching(module().moduleID, matching);
    return write(
      async (batch) => {
        const pause = createYielder();
        let [done, left] = [0, 0];
        for (const part of (await partsOf(batch.tx, stepID)).toReversed()) {
          // By no user where a matching brought it, so that it returns once the partner brings it again.
          const deletion = { deletedAt: batch.now, ...(matching ? {} : { deletedBy: by }) };
          const hide = (row: Row): Row =>
            (row.received === undefined && isLast) || row.updatedAt === part.at
              ? { ...row, ...deletion }
              : row;
          const rows = part.rows.toReversed();
          for (let at = 0; at < rows.length; at += SLICE) {
            const slice = rows.slice(at, at + SLICE);
            const found = await getRows(
              batch.tx,
              slice.map(({ recordID }) => recordID),
            );
            for (const [place, rowStep] of slice.entries()) {
              const isBack = takeBack(batch, found[place], rowStep, by, hide);
              if (isBack) done++;
              else left++;
            }
            await pause();
          }
        }
        if (matching) {
          const { was, became, ...offered } = matching;
          batch.steps?.noteMatching({ ...offered, ...omitUndefined({ was: became, became: was }) });
          if (!was && kind === 'match') {
            const hidden = await hideBrought(batch, matching.nodeID, by, step.at);
            [done, left] = [done + hidden.done, left + hidden.left];
          }
        }
        return { step: { ...step, state: to }, restored: [], done, left };
      },
      { step: begun },
    );
  }

  /** Whether the partner made the row, or brought it back out of the bin. */
  async function cameSince(
    { recordID, createdAt, updatedAt }: Row,
    nodeID: string,
    at: string,
  ): Promise<boolean> {
    if (createdAt >= at || updatedAt < at) return createdAt >= at;
    const { changes } = (await historyOf(partition, recordID)) ?? { changes: [] };
    return changes.some((past) => past.did === 'restored' && past.from === nodeID && past.at >= at);
  }

  /** Moves rows to the bin that only this partner brings: all, or those that came since a time and that nobody changed. */
  async function hideBrought(batch: Batch, nodeID: string, by: string, since?: string): Promise<TurnedRows> {
    const pause = createYielder();
    let [done, left] = [0, 0];
    let page = await pageRows(partition, SLICE, undefined);
    while (page.length > 0) {
      for (const row of page) {
        const { received, deletedAt } = row;
        if (!received || deletedAt !== undefined) continue;
        if (!sourcesOf(received).every((way) => way.nodeID === nodeID)) continue;
        if (since !== undefined && !(await cameSince(row, nodeID, since))) continue;
        if (since !== undefined && received.edited.length > 0) {
          left++;
          continue;
        }
        // By no user, so that it returns once the partner brings it again.
        batch.put(row, { ...row, deletedAt: batch.now, updatedAt: batch.now, updatedBy: by });
        done++;
      }
      await pause();
      page = await pageRows(partition, SLICE, page.at(-1)?.recordID);
    }
    return { done, left };
  }

  /** Whether all of it could be taken back. */
  function takeBack(
    batch: Batch,
    row: Row | undefined,
    { did, was = {}, became = {} }: RowStep,
    by: string,
    hide: (row: Row) => Row,
  ): boolean {
    if (!row || row.purged) return false;
    const wanted: Record<string, readonly string[]> = {};
    for (const [fieldID, texts] of Object.entries(was)) {
      const field = module().fields.find((each) => each.fieldID === fieldID);
      if (field && hasSameTexts(valuesOf(row.values, field.name), valuesOf(became, fieldID)))
        wanted[field.name] = texts;
    }
    const isWhole = Object.keys(wanted).length === Object.keys(was).length;
    const moved = movedBack(row, did, hide);
    const after = editRow(moved, wanted satisfies Values);
    if (after !== row) batch.put(row, { ...after, updatedAt: batch.now, updatedBy: by });
    return isWhole && (did === undefined || moved !== row);
  }

  function movedBack(row: Row, did: RowStep['did'], hide: (row: Row) => Row): Row {
    const isShown = row.deletedAt === undefined;
    if (did === 'hidden' && !isShown) return withoutDeletion(row);
    return did === 'shown' && isShown ? hide(row) : row;
  }

  return {
    nextSteps: async (by) => nextSteps(await stepsOf(partition), by),
    newStepID: () => ids.next(),
    async undo(by, stepID) {
      const steps = await stepsOf(partition);
      const named = steps.find((step) => step.stepID === stepID && step.state === 'done');
      return turn(stepID === undefined ? nextSteps(steps, by).undo : named, 'undone');
    },
    logMatching: (change, offer, by, rows = 'keep') =>
      write(
        async (batch) => {
          batch.steps?.noteMatching(change);
          return rows === 'bin' ? (await hideBrought(batch, change.nodeID, by)).done : 0;
        },
        { step: { stepID: ids.next(), kind: change.became ? 'match' : 'unmatch', by, offer } },
      ),
    redo: async (by) => turn(nextSteps(await stepsOf(partition), by).redo, 'done'),
  };
}
