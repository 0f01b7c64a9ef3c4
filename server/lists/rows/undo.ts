import { batchByCount } from '../../base/batches.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Ids } from '../../base/ids.ts';
import { Refusal } from '../../base/refusal.ts';
import { createYielder } from '../../base/yield.ts';
import type { Partition, Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import type { Field, Module, Row, Values } from '../definitions/model.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import { editRow } from './edits.ts';
import { withoutDeletion } from './merge-sources.ts';
import type { Batch, WriteRows } from './row-batch.ts';
import { readHistory } from './row-history.ts';
import { NO_ROWS, ROW_COUNTS, ROW_COUNTS_KEY } from './row-counts.ts';
import { getRows, pageRows } from './row-table.ts';
import {
  MAX_MATCHED_CELLS,
  groupCellsByRow,
  findStepsByKey,
  readDefinitionChange,
  nextSteps,
  readParts,
  readSteps,
  toRowStep,
  type CellStep,
  type Definition,
  type DefinitionStep,
  type ImportKeyStep,
  type MatchingStep,
  type RowStep,
  type StepBegun,
  type UndoStep,
} from './undo-log.ts';
import { moveFrom, movesOf, readLaterSteps, type CellBase, type LaterSteps } from './later-steps.ts';
import { rematchRow, unmatchRow } from './matched-cells.ts';
import { RELEASED } from './row-receive.ts';
import { sourceFrom, sourcesOf } from './sources.ts';

/** Rows, or columns if these changed. */
export interface UndoCounts {
  readonly done: number;
  /** Unchanged: changed since or purged, or the column is gone. */
  readonly left: number;
  /** Rows of `done` with other changes since, which they keep; absent if none. */
  readonly edited?: number;
  /** The list was renamed since, so its name stays. */
  readonly keepsName?: true;
}

export interface Undone extends UndoCounts {
  readonly step: UndoStep;
  readonly restored: readonly string[];
}

/** Restores an offered list's mapping with none of its pages in progress; throws a refusal if impossible. */
export type UndoMatching = (moduleID: string, change: MatchingStep) => Promise<void>;

/** Undoes a column change and writes the step's content for redo. */
export type UndoColumns = (begun: StepBegun, change: DefinitionStep) => Promise<UndoCounts>;

/** Restores the columns by which imports find rows, unless changed since. */
export type UndoImportKey = (change: ImportKeyStep) => Promise<void>;

/** Undo and redo of users' changes, across restarts (docs/undo.md). */
export interface Undoing {
  nextSteps(by: string): Promise<ReturnType<typeof nextSteps>>;
  /** Returns an id for several writes. */
  newStepID(): string;
  /** Returns the user's import with this key; undefined without one, or once it is undone. */
  findImport(by: string, idempotencyKey: string): Promise<UndoStep | undefined>;
  /** Undoes this step of any user, or the user's last. Throws `undo.none` and other refusals. */
  undo(by: string, stepID?: string): Promise<Undone>;
  /**
   * Writes a step: a user mapped or remapped an offered list, or removed its mapping.
   * @param offer its name
   * @param rows `bin`: bins rows that only this partner brings; returns their number
   */
  logMatching(change: MatchingStep, offer: string, by: string, rows?: 'keep' | 'bin'): Promise<number>;
  redo(by: string, stepID?: string): Promise<Undone>;
}

const SLICE = 500;

interface Turned {
  readonly done: Set<string>;
  readonly left: Set<string>;
  readonly edited?: Set<string>;
}
/** Counts rows undone, left, and undone ones that were edited. */
function countsOf({ done, left, edited = new Set() }: Turned): UndoCounts {
  const some = [...edited].filter((recordID) => done.has(recordID)).length;
  return { done: done.size, left: left.size, ...(some > 0 && { edited: some }) };
}

/** Returns the ids of columns that only `other` has. */
function columnsOnlyInOther(one: Definition, other: Definition): string[] {
  const known = new Set(one.fields.map(({ fieldID }) => fieldID));
  return other.fields.map(({ fieldID }) => fieldID).filter((fieldID) => !known.has(fieldID));
}

/** Creates undo and redo of the list's logged steps; what others changed since stays. */
export function createUndoing(deps: {
  readonly partition: Partition;
  readonly module: () => Module;
  readonly write: WriteRows;
  readonly ids: Ids;
  readonly undoColumns: UndoColumns;
  readonly undoMatching: UndoMatching;
  readonly undoImportKey: UndoImportKey;
}): Undoing {
  const { partition, module, write, ids, undoColumns, undoMatching, undoImportKey } = deps;

  /**
   * Undoes or redoes a step: columns by `undoColumns`; otherwise the mapping, then rows in one write, latest part
   * first. What was changed since stays. Throws the refusal `undo.none` without a step, `undo.too-large` if its
   * content wasn't kept.
   */
  async function undoOrRedoStep(step: UndoStep | undefined, to: UndoStep['state']): Promise<Undone> {
    if (!step) throw new Refusal('conflict', 'undo.none', said('undo.none'));
    if (step.isTooLarge) {
      const n = step.rows;
      const words =
        step.kind === 'columns'
          ? said('undo.too-large-columns', { n })
          : step.kind === 'delete'
            ? said('undo.too-large-deleted', { n })
            : said('undo.too-large', { n });
      throw new Refusal('conflict', 'undo.too-large', words);
    }
    const { stepID, kind, by, file, columns, offer, importKey: key } = step;
    const importKey = key && { was: key.became, became: key.was };
    const begun = {
      ...{ stepID, kind, by, turns: to },
      ...omitUndefined({ file, columns, offer, importKey }),
    };
    const { definition, matching } = await readDefinitionChange(partition, stepID);
    if (definition) {
      const restored = columnsOnlyInOther(definition.became, definition.was);
      return { step: { ...step, state: to }, restored, ...(await undoColumns(begun, definition)) };
    }
    if (matching) await undoMatching(module().moduleID, matching);
    const undone = await write(
      async (batch) => {
        const pause = createYielder();
        const later = await readLaterSteps(batch.tx, await readSteps(partition), step);
        const edited = new Set<string>();
        const turned: Turned = { done: new Set(), left: new Set(), edited };
        const isEdit = kind === 'edit' || kind === 'cells' || kind === 'revert';
        /** Returns whether only the mapping that is undone brings the row, which the user left as it came. */
        const isBrought = ({ received }: Row): boolean =>
          kind === 'match' &&
          matching?.was === undefined &&
          received?.edited.length === 0 &&
          sourcesOf(received).every(({ nodeID }) => nodeID === matching?.nodeID);
        for (const part of (await readParts(batch.tx, stepID)).toReversed()) {
          // A mapping's row is deleted by no user, so that the partner can bring it back.
          const deletion = { deletedAt: batch.now, ...(matching ? {} : { deletedBy: by }) };
          /**
           * Returns the row moved to the bin. A received row, or any if the log is incomplete, stays unchanged if its
           * time shows a later write, unless only the undone mapping brought it, or only a mapping undone earlier, or
           * all changes since are undone (`isAsLeft`).
           */
          const moveToBin = (row: Row, isAsLeft: boolean): Row => {
            const isOurs = row.received === undefined && !later.isIncomplete;
            // An edit shows a received row only if the mapping beneath was undone: it returns with that.
            const isBroughtBefore = isEdit && row.received && sourcesOf(row.received).length === 1;
            if (!isOurs && !isBroughtBefore && row.updatedAt !== part.at && !isBrought(row) && !isAsLeft)
              return row;
            return { ...row, ...(isBroughtBefore ? { deletedAt: batch.now } : deletion) };
          };
          const rows = part.rows.toReversed();
          for (const slice of batchByCount(rows, SLICE)) {
            const found = await getRows(
              batch.tx,
              slice.map(({ recordID }) => recordID),
            );
            for (const [place, rowStep] of slice.entries()) {
              const row = found[place];
              const isAsLeft =
                row !== undefined &&
                later.isLastUndone(row.recordID, row.updatedAt) &&
                !(await changedByPartnerSince(row.recordID, part.at));
              const isMatching = matching !== undefined;
              if (!isMatching && later.isChanged(rowStep.recordID)) edited.add(rowStep.recordID);
              const how = { by, moveToBin: (shown: Row) => moveToBin(shown, isAsLeft), later, isMatching };
              const isBack = undoRow(batch, row, rowStep, how);
              turned[isBack ? 'done' : 'left'].add(rowStep.recordID);
            }
            await pause();
          }
        }
        if (matching && !matching.was && kind === 'match')
          await moveBroughtRowsToBin(batch, matching, by, turned, { since: step.at, later });
        if (matching) {
          const { nodeID, sharedModuleID, was, became } = matching;
          const cells = await restoreMatchedCells(batch, matching, by, turned, later);
          const back = { nodeID, sharedModuleID, ...omitUndefined({ was: became, became: was }) };
          batch.steps?.recordMatching({ ...back, ...(matching.cells && { cells }) });
        }
        for (const recordID of turned.left) turned.done.delete(recordID);
        later.write();
        return { step: { ...step, state: to }, restored: [], ...countsOf(turned) };
      },
      { step: begun },
    );
    if (importKey) await undoImportKey(importKey);
    return undone;
  }

  /** Returns whether the partner brought the row, or restored it from the bin, since a time, ISO 8601. */
  async function arrivedSince(
    { recordID, createdAt, updatedAt }: Row,
    nodeID: string,
    since: string,
  ): Promise<boolean> {
    if (createdAt >= since || updatedAt < since) return createdAt >= since;
    const { changes } = (await readHistory(partition, recordID)) ?? { changes: [] };
    return changes.some((past) => past.did === 'restored' && past.from === nodeID && past.at >= since);
  }

  /** Returns whether a partner changed the row since a time, ISO 8601, by its history. */
  async function changedByPartnerSince(recordID: string, since: string): Promise<boolean> {
    const { changes } = (await readHistory(partition, recordID)) ?? { changes: [] };
    return changes.some((past) => past.from !== undefined && past.at > since);
  }

  /** Calls `body` with each row of the list, as this write has it so far, and as it was before the write. */
  async function eachRow(tx: Tx, body: (row: Row, before: Row) => Promise<void> | void): Promise<void> {
    const pause = createYielder();
    let page = await pageRows(partition, SLICE, undefined);
    while (page.length > 0) {
      const ids = page.map(({ recordID }) => recordID);
      const now = await getRows(tx, ids);
      for (const [at, before] of page.entries()) await body(now[at] ?? before, before);
      await pause();
      page = await pageRows(partition, SLICE, ids.at(-1));
    }
  }

  /**
   * Empties received cells that a mapping changed by a user no longer fills, see {@link rematchRow}; then the next pull
   * starts from the beginning, also if the mapping is as at the last one again. Returns affected cells as before, for
   * undo; none without received or released rows, undefined if they are too many to be kept.
   */
  async function rematchRows(
    batch: Batch,
    change: MatchingStep,
    userID: string,
  ): Promise<readonly CellStep[] | undefined> {
    const all: CellStep[] = [];
    const { received, receivedInBin } = (await batch.tx.get(ROW_COUNTS, ROW_COUNTS_KEY)) ?? NO_ROWS;
    const hasReceived = Object.keys({ ...received, ...receivedInBin }).length > 0;
    if (!hasReceived && (await partition.page(RELEASED, { limit: 1 })).length === 0) return all;
    let size = 0;
    const { fields } = module();
    await eachRow(batch.tx, (row) => {
      const { row: rematched, cells } = rematchRow(row, fields, change);
      size += JSON.stringify(cells).length;
      if (size <= MAX_MATCHED_CELLS) all.push(...cells);
      if (rematched === row) return;
      batch.putMatched(row, { ...rematched, updatedAt: batch.now, updatedBy: userID });
      batch.tx.put(RELEASED, change.nodeID, batch.now);
    });
    return size <= MAX_MATCHED_CELLS ? all : undefined;
  }

  /**
   * Puts back the cells that rows had before a mapping changed; of rows that go to the bin in this write only those of
   * columns that the mapping leaves out, or that were empty before, as the others keep their latest values. Returns the
   * cells that it replaced, for redo. Adds the rows' ids to `done` and `left`.
   */
  async function restoreMatchedCells(
    batch: Batch,
    change: MatchingStep,
    userID: string,
    { done, left }: Turned,
    later: LaterSteps,
  ): Promise<readonly CellStep[]> {
    const all: CellStep[] = [];
    if (!change.cells) return all;
    const known = groupCellsByRow(change.cells);
    const { fields } = module();
    const filled = new Set(change.became?.map(({ destination }) => destination));
    await eachRow(batch.tx, (row, before) => {
      if (!sourceFrom(row, change.nodeID)) return;
      const isGoing = row.deletedAt !== undefined && before.deletedAt === undefined;
      const knownCells = known.get(row.recordID);
      const old = knownCells ?? [];
      const wasEmpty = ({ fieldID }: Field): boolean =>
        knownCells?.every((cell) => cell.fieldID !== fieldID || cell.was === undefined) === true;
      const concerned = isGoing
        ? fields.filter((field) => !filled.has(field.name) || wasEmpty(field))
        : fields;
      const { row: restored, cells, kept } = unmatchRow({ row, before, old }, concerned, change);
      all.push(...cells);
      for (const { fieldID, texts, isWhole } of kept) {
        const to = { texts, isReceived: false };
        const was = later.rebaseCell({ recordID: row.recordID, fieldID }, 'received', to, false);
        if (was) recordCovered(batch, row.recordID, { [fieldID]: { was, became: texts } });
        if (was || !isWhole) left.add(row.recordID);
      }
      if (left.has(row.recordID)) done.delete(row.recordID);
      else if (restored !== row) done.add(row.recordID);
      if (restored === row) return;
      batch.putMatched(row, { ...restored, updatedAt: batch.now, updatedBy: userID });
      batch.tx.put(RELEASED, change.nodeID, batch.now);
    });
    return all;
  }

  /**
   * Moves rows that only this partner brings to the bin: all, or, for a mapping that is `undone`, those that arrived
   * since that time (ISO 8601) and aren't edited since; edited ones follow with the undo of the edit. Adds the rows'
   * ids to `done`, those of edited rows, and of rows kept from a partner that ended, to `left`.
   */
  async function moveBroughtRowsToBin(
    batch: Batch,
    { nodeID, cells = [] }: MatchingStep,
    userID: string,
    { done, left }: Turned,
    undone?: { readonly since: string; readonly later: LaterSteps },
  ): Promise<void> {
    const since = undone?.since;
    const former = groupCellsByRow(cells);
    const { fields } = module();
    /** Returns whether the row came out of the bin with these edits. */
    const isEditedAsBefore = ({ recordID, values, received }: Row): boolean =>
      received?.edited.every((name) => {
        const field = fields.find((each) => each.name === name);
        const cell = former.get(recordID)?.find(({ fieldID }) => fieldID === field?.fieldID)?.was;
        return cell?.received?.edited === true && hasSameTexts(cell.value ?? [], valuesOf(values, name));
      }) === true;
    await eachRow(batch.tx, async (row) => {
      const { received, deletedAt, createdAt } = row;
      if (deletedAt !== undefined) return;
      // Our user disconnected the partner, keeping its rows.
      if (since !== undefined && !received && row.former && createdAt >= since) left.add(row.recordID);
      if (!received) return;
      if (!sourcesOf(received).every((source) => source.nodeID === nodeID)) return;
      if (since !== undefined && !(await arrivedSince(row, nodeID, since))) return;
      if (undone && !isEditedAsBefore(row)) {
        left.add(row.recordID);
        if (undone.later.rebaseShown(row.recordID, true, false))
          batch.steps?.recordTurned({ recordID: row.recordID, did: 'hidden' });
        return;
      }
      // Deleted by no user, so the partner can bring it back.
      batch.put(row, { ...row, deletedAt: batch.now, updatedAt: batch.now, updatedBy: userID });
      done.add(row.recordID);
    });
  }

  /**
   * Records in the step how it changed what a later step keeps of these cells, from `was` to `became`, and which are
   * received. `turned` is what this step does to the row itself. A no-op without `batch.steps`.
   */
  function recordCovered(
    batch: Batch,
    recordID: string,
    cells: Readonly<Record<string, { readonly was: CellBase; readonly became: readonly string[] }>>,
    turned?: RowStep,
  ): void {
    const entries = Object.entries(cells);
    const was = Object.fromEntries(entries.map(([fieldID, cell]) => [fieldID, cell.was.texts]));
    const became = Object.fromEntries(entries.map(([fieldID, cell]) => [fieldID, cell.became]));
    const covered = entries.flatMap(([fieldID, cell]) => (cell.was.isReceived ? [fieldID] : []));
    const received = [...(turned?.received ?? []), ...covered];
    batch.steps?.recordTurned({
      ...(turned ?? { recordID }),
      ...(entries.length > 0 && {
        was: { ...turned?.was, ...was },
        became: { ...turned?.became, ...became },
      }),
      ...(received.length > 0 && { received }),
    });
  }

  /**
   * Undoes a step's effect on a row; values changed since stay, and where a later step did that, its undo brings back
   * what this step replaced. A column that had the partner's value gets its latest one. Returns whether all of it was
   * undone.
   * @param moveToBin returns the row moved to the bin; unchanged if it was written since
   * @param isMatching the partner's cells are put back with the mapping
   */
  function undoRow(
    batch: Batch,
    row: Row | undefined,
    { recordID, did, was = {}, became = {}, received = [] }: RowStep,
    {
      by,
      moveToBin,
      later,
      isMatching,
    }: {
      readonly by: string;
      readonly moveToBin: (row: Row) => Row;
      readonly later: LaterSteps;
      readonly isMatching: boolean;
    },
  ): boolean {
    if (!row || row.purged) return false;
    const { fields } = module();
    const wanted: Record<string, readonly string[]> = {};
    const noted: Record<string, { readonly was: CellBase; readonly became: readonly string[] }> = {};
    let isWhole = true;
    const theirs = row.received?.values ?? {};
    for (const [fieldID, texts] of Object.entries(was)) {
      const field = fields.find((each) => each.fieldID === fieldID);
      const present = valuesOf(became, fieldID);
      const isShown = field !== undefined && hasSameTexts(valuesOf(row.values, field.name), present);
      const to = { texts, isReceived: received.includes(fieldID) };
      const covered = later.rebaseCell({ recordID, fieldID }, present, to, isShown || isMatching);
      if (covered) noted[fieldID] = { was: covered, became: texts };
      else if (isMatching || hasSameTexts(texts, present))
        noted[fieldID] = { was: { texts: present, isReceived: false }, became: texts };
      else if (isShown)
        wanted[field.name] =
          to.isReceived && Object.hasOwn(theirs, field.name) ? valuesOf(theirs, field.name) : texts;
      isWhole &&= covered === undefined && (isShown || isMatching);
    }
    const [wasShown, becameShown] = movesOf(did);
    const isMoving = wasShown !== becameShown;
    const moved = reverseMove(row, did, moveToBin);
    const isCovered = isMoving && later.rebaseShown(recordID, becameShown, moved !== row);
    const after = editRow(isCovered ? row : moved, wanted satisfies Values);
    const written =
      after === row ? row : batch.putMatched(row, { ...after, updatedAt: batch.now, updatedBy: by });
    const turned = toRowStep(row, written, fields);
    const keptMove = isCovered || !isMoving ? moveFrom(becameShown, wasShown) : turned?.did;
    const isEmpty = Object.keys(noted).length === 0 && !turned && !isCovered;
    const isNoOp = Object.keys(was).length === 0 && !isMoving;
    if (!isEmpty || isNoOp)
      recordCovered(batch, recordID, noted, {
        ...(turned ?? { recordID }),
        ...(keptMove && { did: keptMove }),
      });
    return isWhole && (!isMoving || (!isCovered && moved !== row));
  }

  /** Returns the row with its move into or out of the bin reversed; the same object if it was moved since. */
  function reverseMove(row: Row, did: RowStep['did'], moveToBin: (row: Row) => Row): Row {
    const isShown = row.deletedAt === undefined;
    if (did === 'hidden' && !isShown) return withoutDeletion(row);
    return did === 'shown' && isShown ? moveToBin(row) : row;
  }

  return {
    findImport: async (by, idempotencyKey) =>
      (await findStepsByKey(partition, by, idempotencyKey)).find(({ kind }) => kind === 'import'),
    nextSteps: async (by) => nextSteps(await readSteps(partition), by),
    newStepID: () => ids.next(),
    /**
     * Undoes the named step, even another user's, or the user's last one. Throws the refusal `undo.none`,
     * `undo.too-large`, or `list.retype` if values entered since don't fit a column's former kind.
     */
    async undo(by, stepID) {
      const steps = await readSteps(partition);
      const named = steps.find((step) => step.stepID === stepID && step.state === 'done');
      return undoOrRedoStep(stepID === undefined ? nextSteps(steps, by).undo : named, 'undone');
    },
    logMatching: (change, offer, by, rows = 'keep') =>
      write(
        async (batch) => {
          const cells = change.became && (await rematchRows(batch, change, by));
          batch.steps?.recordMatching({ ...change, ...omitUndefined({ cells }) });
          const moved: Turned = { done: new Set(), left: new Set() };
          if (rows === 'bin') await moveBroughtRowsToBin(batch, change, by, moved);
          return moved.done.size;
        },
        { step: { stepID: ids.next(), kind: change.became ? 'match' : 'unmatch', by, offer } },
      ),
    /** Redoes the named step, even another user's, or the user's last one. Throws `undo.none` or `undo.too-large`. */
    async redo(by, stepID) {
      const steps = await readSteps(partition);
      const named = steps.find((step) => step.stepID === stepID && step.state === 'undone');
      return undoOrRedoStep(stepID === undefined ? nextSteps(steps, by).redo : named, 'done');
    },
  };
}
