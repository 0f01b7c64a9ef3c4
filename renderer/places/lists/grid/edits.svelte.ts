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
  /** @param done said once it is, with a way back from this very change */
  change(row: GridRow, values: RowValues, done?: string): Promise<boolean>;
  /** @param answered done when the node has answered, as the row takes its place or will not */
  add(values: RowValues, answered?: () => void): Promise<GridRow | undefined>;
  remove(recordIDs: readonly string[]): Promise<boolean>;
  restore(recordIDs: readonly string[]): Promise<boolean>;
  /** Takes back local edits of a received row; all of them if no columns are named. */
  revert(row: GridRow, columns?: readonly string[]): Promise<boolean>;
  /** Tells what was done in some other way, with the way back from it. */
  done(text: string, back: Step): void;
  /** What is undone next waits for this. */
  wait<Result>(work: Promise<Result>): Promise<Result>;
  undo(): Promise<void>;
}

type Step = () => Promise<unknown>;

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
  let past = $state.raw<readonly Step[]>([]);

  // Whoever undoes means what was done last, even while the node has not answered yet.
  let settled: Promise<unknown> = Promise.resolve();

  const remember = (step: Step): Step => {
    past = [...past, step].slice(-REMEMBERED);
    return step;
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

  async function takeBackStep(step: Step | undefined): Promise<void> {
    // It may have been taken back already.
    if (!step || !past.includes(step)) return;
    past = past.filter((each) => each !== step);
    await step();
    app.notices.say(app.t('grid.undone'));
  }

  const undo = (): Promise<void> => underway(settled.then(() => takeBackStep(past.at(-1))));

  /** What stands in a message takes back what the message is of, whatever was done since. */
  const offerUndo = (text: string, step: Step): void =>
    app.notices.say(text, {
      label: app.t('action.undo'),
      run: () => void underway(settled.then(() => takeBackStep(step))),
    });

  async function change(row: GridRow, values: RowValues, said?: string): Promise<boolean> {
    const changed = Object.entries(values).filter(([name, value]) => !sameValues(row.values[name], value));
    if (changed.length === 0) return true;
    const before = Object.fromEntries(changed.map(([name]) => [name, row.values[name] ?? []]));
    const done = await send(row.recordID, Object.fromEntries(changed));
    if (!done) return false;
    const step = remember(() => send(row.recordID, before));
    if (said !== undefined) offerUndo(said, step);
    return true;
  }

  async function add(values: RowValues, answered?: () => void): Promise<GridRow | undefined> {
    const row = await app.attempt(() => lists.addRow(moduleID, values));
    answered?.();
    if (!row) return undefined;
    rows.append(row);
    rows.refresh();
    offerUndo(
      app.t('grid.added'),
      remember(() => remove([row.recordID])),
    );
    return row;
  }

  async function removeForNow(recordIDs: readonly string[]): Promise<boolean> {
    const done = await remove(recordIDs);
    if (done) {
      const step = remember(() => restore(recordIDs));
      const to = goesAt();
      const text = app.t('grid.deleted', { n: recordIDs.length });
      const there = { n: recordIDs.length, partners: app.format.list(to) };
      offerUndo(to.length > 0 ? `${text} ${app.t('grid.deleted-there', there)}` : text, step);
    }
    return done;
  }

  async function takeBack(recordIDs: readonly string[]): Promise<boolean> {
    const done = await restore(recordIDs);
    if (done) {
      offerUndo(
        app.t('grid.restored', { n: recordIDs.length }),
        remember(() => remove(recordIDs)),
      );
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
    change: (row, values, done) => underway(change(row, values, done)),
    add: (values, answered) => underway(add(values, answered)),
    remove: (recordIDs) => underway(removeForNow(recordIDs)),
    restore: (recordIDs) => underway(takeBack(recordIDs)),
    revert: (row, columns) => underway(revert(row, columns)),
    done: (text, back) => offerUndo(text, remember(back)),
    wait: underway,
    undo,
  };
}
