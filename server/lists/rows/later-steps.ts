import { createYielder } from '../../base/yield.ts';
import type { Tx } from '../../store/store.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import { readPartEntries, writePart, type RowStep, type StepPart, type UndoStep } from './undo-log.ts';

/** A cell before a step; also whether it was the partner's. */
export interface CellBase {
  readonly texts: readonly string[];
  readonly isReceived: boolean;
}

/**
 * Steps after one undone or redone out of order. A later one's undo must bring back what is beneath it then
 * (docs/undo.md).
 */
export interface LaterSteps {
  /** Some later step kept no content: any row may have changed. */
  readonly isIncomplete: boolean;
  /**
   * Replaces `from` by `to` in what later steps keep. Returns what the step that covers the cell kept.
   * @param isFree the cell shows `from`, then `to`
   */
  rebaseCell(
    place: { readonly recordID: string; readonly fieldID: string },
    from: readonly string[] | 'received',
    to: CellBase,
    isFree: boolean,
  ): CellBase | undefined;
  /** Same for a row outside the bin; returns whether a later step covers it. */
  rebaseShown(recordID: string, from: boolean, isFree: boolean): boolean;
  /** Returns whether a later step, not undone, changed the row. */
  isChanged(recordID: string): boolean;
  /** Returns whether the last write, at this time, undid a later step, and none remains done. */
  isLastUndone(recordID: string, at: string): boolean;
  /** Stores changed content of later steps. */
  write(): void;
}

interface Entry {
  readonly isDone: boolean;
  /** Last write, ISO 8601. */
  readonly at: string;
  row: RowStep;
}

interface Part {
  readonly key: string;
  readonly value: StepPart;
  readonly entries: readonly Entry[];
}

const MOVES = { shown: [false, true], hidden: [true, false], binned: [false, false] } as const;
/** Returns whether a step's row was shown before and after. */
export const movesOf = (did: RowStep['did']): readonly [was: boolean, became: boolean] =>
  did === undefined ? [true, true] : MOVES[did];
/** Returns a step's move of a row that was shown or not, and became so or not; undefined if it was and is shown. */
export const moveFrom = (was: boolean, became: boolean): RowStep['did'] =>
  was ? (became ? undefined : 'hidden') : became ? 'shown' : 'binned';

/**
 * Reads what all later steps keep of their rows. The result rebases that in memory when this step is undone or redone,
 * and tells which rows later steps changed; its `write` stores it.
 */
export async function readLaterSteps(
  tx: Tx,
  steps: readonly UndoStep[],
  { stepID }: UndoStep,
): Promise<LaterSteps> {
  const pause = createYielder();
  const later = steps.slice(steps.findIndex((step) => step.stepID === stepID) + 1);
  const parts: Part[] = [];
  /** Entries in step order. */
  const byRow = new Map<string, Entry[]>();
  for (const { stepID: laterID, state } of later) {
    const isDone = state === 'done';
    const ofStep: Entry[] = [];
    for (const { key, value } of await readPartEntries(tx, laterID)) {
      const entries = value.rows.map((row) => ({ isDone, at: value.at, row }));
      parts.push({ key, value, entries });
      ofStep.push(...entries);
      await pause();
    }
    // An undone step lists its rows in undo order, latest first.
    for (const entry of isDone ? ofStep : ofStep.reverse()) {
      const known = byRow.get(entry.row.recordID);
      if (known) known.push(entry);
      else byRow.set(entry.row.recordID, [entry]);
    }
  }

  return {
    isIncomplete: later.some(({ state, isTooLarge }) => state === 'done' && isTooLarge === true),

    /**
     * Puts `to` in place of `from` in undone steps and the first done step that keeps the cell; returns what that kept.
     * If that keeps something else, or there is none and the cell isn't free, changes nothing and returns undefined.
     */
    rebaseCell({ recordID, fieldID }, from, to, isFree) {
      const undone: Entry[] = [];
      let cover: Entry | undefined;
      for (const entry of byRow.get(recordID) ?? []) {
        const { was = {}, became = {}, received = [] } = entry.row;
        if (!Object.hasOwn(was, fieldID)) continue;
        const kept = valuesOf(entry.isDone ? was : became, fieldID);
        const isMeant = from === 'received' ? received.includes(fieldID) : hasSameTexts(kept, from);
        if (!entry.isDone && isMeant) undone.push(entry);
        if (!entry.isDone) continue;
        if (!isMeant) return undefined;
        cover = entry;
        break;
      }
      if (!cover && !isFree) return undefined;
      for (const entry of undone)
        entry.row = { ...entry.row, became: { ...entry.row.became, [fieldID]: to.texts } };
      if (!cover) return undefined;
      const { received = [], ...rest } = cover.row;
      const others = received.filter((each) => each !== fieldID);
      const now = to.isReceived ? [...others, fieldID] : others;
      const before = { texts: valuesOf(rest.was ?? {}, fieldID), isReceived: received.includes(fieldID) };
      const was = { ...rest.was, [fieldID]: to.texts };
      cover.row = { ...rest, was, ...(now.length > 0 && { received: now }) };
      return before;
    },

    /**
     * Inverts `from`, whether the row is shown, in the steps where `rebaseCell` would put `to`; returns whether a done
     * one is among them. Like it, changes nothing if a done one keeps the opposite, or none does and it isn't free.
     */
    rebaseShown(recordID, from, isFree) {
      const undone: Entry[] = [];
      let cover: Entry | undefined;
      for (const entry of byRow.get(recordID) ?? []) {
        const [was, became] = movesOf(entry.row.did);
        const isMeant = (entry.isDone ? was : became) === from;
        if (!entry.isDone && isMeant) undone.push(entry);
        if (!entry.isDone) continue;
        if (!isMeant) return false;
        cover = entry;
        break;
      }
      if (!cover && !isFree) return false;
      for (const entry of cover ? [...undone, cover] : undone) {
        const { did, ...rest } = entry.row;
        const [was, became] = movesOf(did);
        const now = entry.isDone ? moveFrom(!from, became) : moveFrom(was, !from);
        entry.row = { ...rest, ...(now && { did: now }) };
      }
      return cover !== undefined;
    },

    isChanged: (recordID) => byRow.get(recordID)?.some(({ isDone }) => isDone) === true,

    /** Returns whether undoing a later step wrote the row last, at this time, and none is done any more. */
    isLastUndone(recordID, at) {
      const entries = byRow.get(recordID) ?? [];
      return entries.every(({ isDone }) => !isDone) && entries.some((entry) => entry.at === at);
    },

    /** Stores the parts of later steps that rebasing changed. */
    write() {
      for (const { key, value, entries } of parts) {
        const isChanged = entries.some(({ row }, at) => row !== value.rows[at]);
        if (isChanged) writePart(tx, key, { ...value, rows: entries.map(({ row }) => row) });
      }
    },
  };
}
