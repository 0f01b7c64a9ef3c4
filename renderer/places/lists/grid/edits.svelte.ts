import type { GridRow } from '../../../../server/contract/app/lists.ts';
import type { ListsApi, RowValues } from '../../../api/lists.ts';
import type { App } from '../../../state/app.svelte.ts';
import type { Rows } from './rows.svelte.ts';
import { sameValues } from './values.ts';

/** Changes to the rows of one list: shown at once as pending, undone with one key. */
export interface Edits {
  /** Values that were changed here and are not confirmed yet. */
  pendingValues(recordID: string): RowValues | undefined;
  readonly canUndo: boolean;
  change(row: GridRow, values: RowValues): Promise<boolean>;
  add(values: RowValues): Promise<GridRow | undefined>;
  remove(recordIDs: readonly string[]): Promise<boolean>;
  restore(recordIDs: readonly string[]): Promise<boolean>;
  /** Takes back local edits of a received row; all of them if no columns are named. */
  revert(row: GridRow, columns?: readonly string[]): Promise<boolean>;
  undo(): Promise<void>;
}

/** More rows are not deleted or restored with one call. */
const MOST_AT_ONCE = 10_000;
/** Undoing goes back this far. */
const REMEMBERED = 100;

/** @param goesAt names of the partners at whom rows that are deleted here go as well */
export function createEdits(
  app: App,
  lists: ListsApi,
  moduleID: string,
  rows: Rows,
  goesAt: () => readonly string[] = () => [],
): Edits {
  let pending = $state.raw<ReadonlyMap<string, RowValues>>(new Map());
  let past = $state.raw<readonly (() => Promise<unknown>)[]>([]);

  // Whoever undoes means what was done last, even while the node has not answered yet.
  let settled: Promise<unknown> = Promise.resolve();

  const remember = (step: () => Promise<unknown>): void => {
    past = [...past, step].slice(-REMEMBERED);
  };

  function underway<Result>(work: Promise<Result>): Promise<Result> {
    settled = Promise.allSettled([settled, work]);
    return work;
  }

  function setPending(recordID: string, values: RowValues | undefined): void {
    const next = new Map(pending);
    if (values) next.set(recordID, { ...next.get(recordID), ...values });
    else next.delete(recordID);
    pending = next;
  }

  async function send(recordID: string, values: RowValues): Promise<boolean> {
    setPending(recordID, values);
    const answer = await app.attempt(() => lists.changeRow(moduleID, recordID, values));
    if (answer) rows.replace(answer);
    setPending(recordID, undefined);
    return answer !== undefined;
  }

  /** Whether all of it could be done. */
  async function inPieces(
    recordIDs: readonly string[],
    run: (piece: readonly string[]) => Promise<unknown>,
  ): Promise<boolean> {
    const done = await app.attempt(async () => {
      for (let at = 0; at < recordIDs.length; at += MOST_AT_ONCE)
        await run(recordIDs.slice(at, at + MOST_AT_ONCE));
      return true;
    });
    rows.refresh();
    return done === true;
  }

  async function remove(recordIDs: readonly string[]): Promise<boolean> {
    return inPieces(recordIDs, (piece) => lists.deleteRows(moduleID, piece));
  }

  async function restore(recordIDs: readonly string[]): Promise<boolean> {
    return inPieces(recordIDs, (piece) => lists.restoreRows(moduleID, piece));
  }

  async function undoLast(): Promise<void> {
    const step = past.at(-1);
    past = past.slice(0, -1);
    if (!step) return;
    await step();
    app.notices.say(app.t('grid.undone'));
  }

  const undo = (): Promise<void> => underway(settled.then(undoLast));

  const offerUndo = (text: string): void =>
    app.notices.say(text, { label: app.t('action.undo'), run: () => void undo() });

  async function change(row: GridRow, values: RowValues): Promise<boolean> {
    const changed = Object.entries(values).filter(([name, value]) => !sameValues(row.values[name], value));
    if (changed.length === 0) return true;
    const before = Object.fromEntries(changed.map(([name]) => [name, row.values[name] ?? []]));
    const done = await send(row.recordID, Object.fromEntries(changed));
    if (done) remember(() => send(row.recordID, before));
    return done;
  }

  async function add(values: RowValues): Promise<GridRow | undefined> {
    const row = await app.attempt(() => lists.addRow(moduleID, values));
    if (!row) return undefined;
    rows.refresh();
    remember(() => remove([row.recordID]));
    offerUndo(app.t('grid.added'));
    return row;
  }

  async function removeForNow(recordIDs: readonly string[]): Promise<boolean> {
    const done = await remove(recordIDs);
    if (done) {
      remember(() => restore(recordIDs));
      const to = goesAt();
      const text = app.t('grid.deleted', { n: recordIDs.length });
      const there = { n: recordIDs.length, partners: app.format.list(to) };
      offerUndo(to.length > 0 ? `${text} ${app.t('grid.deleted-there', there)}` : text);
    }
    return done;
  }

  async function takeBack(recordIDs: readonly string[]): Promise<boolean> {
    const done = await restore(recordIDs);
    if (done) {
      remember(() => remove(recordIDs));
      offerUndo(app.t('grid.restored', { n: recordIDs.length }));
    }
    return done;
  }

  async function revert(row: GridRow, columns?: readonly string[]): Promise<boolean> {
    const names = columns ?? row.received?.edited ?? [];
    const before = Object.fromEntries(names.map((name) => [name, row.values[name] ?? []]));
    const answer = await app.attempt(() => lists.revertRow(moduleID, row.recordID, columns));
    if (answer) {
      rows.replace(answer);
      remember(() => send(row.recordID, before));
    }
    return answer !== undefined;
  }

  return {
    pendingValues: (recordID) => pending.get(recordID),
    get canUndo() {
      return past.length > 0;
    },
    change: (row, values) => underway(change(row, values)),
    add: (values) => underway(add(values)),
    remove: (recordIDs) => underway(removeForNow(recordIDs)),
    restore: (recordIDs) => underway(takeBack(recordIDs)),
    revert: (row, columns) => underway(revert(row, columns)),
    undo,
  };
}
