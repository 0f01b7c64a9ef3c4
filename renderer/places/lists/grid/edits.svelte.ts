import type { GridRow, NextSteps, Undone, UndoStep } from '../../../../server/contract/app/lists.ts';
import { NodeError } from '../../../api/http.ts';
import type { ListsApi, RowValues } from '../../../api/lists.ts';
import type { App } from '../../../state/app.svelte.ts';
import { notifyUndone } from '../undo-notices.ts';
import type { Rows } from './rows.svelte.ts';
import { sameValues } from './values.ts';

/** Receives why a value doesn't fit; by default a notice says it. */
type OnUnfit = (problem: string) => void;

/** Limit of rows deleted or restored with one call. */
const MAX_AT_ONCE = 10_000;

/** Changes to the rows of one list, shown at once as pending. The node keeps the undo log. */
export class Edits {
  readonly #app: App;
  readonly #lists: ListsApi;
  readonly #moduleID: string;
  readonly #rows: Rows;
  readonly #goesAt: () => readonly string[];
  #pending = $state.raw<ReadonlyMap<string, RowValues>>(new Map());
  #steps = $state.raw<NextSteps>({});
  /** Step ids with an undo offered in a notice → the notice. */
  readonly #offered = new Map<string, number>();
  // Undo means the last step, even while the node hasn't confirmed it.
  #settled: Promise<unknown> = Promise.resolve();

  /** @param goesAt names of partners from whom rows deleted here disappear as well */
  constructor(
    app: App,
    lists: ListsApi,
    moduleID: string,
    rows: Rows,
    goesAt: () => readonly string[] = () => [],
  ) {
    this.#app = app;
    this.#lists = lists;
    this.#moduleID = moduleID;
    this.#rows = rows;
    this.#goesAt = goesAt;
    void this.refreshSteps();
  }

  /** The next steps to undo and redo. */
  get steps(): NextSteps {
    return this.#steps;
  }

  /** Reads the steps from the node, as another window may have added some. */
  refreshSteps(): Promise<void> {
    return this.wait(this.#readSteps());
  }

  /** Returns unconfirmed values that were changed here. */
  pendingValues(recordID: string): RowValues | undefined {
    return this.#pending.get(recordID);
  }

  /** @param done notice after success, with an undo of this change */
  change(row: GridRow, values: RowValues, done?: string, onUnfit?: OnUnfit): Promise<boolean> {
    return this.wait(this.#change(row, values, { done, onUnfit }));
  }

  /** @param answered called when the node has answered: the row takes its place or doesn't */
  add(values: RowValues, answered?: () => void, onUnfit?: OnUnfit): Promise<GridRow | undefined> {
    return this.wait(this.#add(values, { answered, onUnfit }));
  }

  remove(recordIDs: readonly string[]): Promise<boolean> {
    return this.wait(this.#remove(recordIDs));
  }

  restore(recordIDs: readonly string[]): Promise<boolean> {
    return this.wait(this.#restore(recordIDs));
  }

  /** Reverts local edits of a received row; all of them without columns. */
  revert(row: GridRow, columns?: readonly string[]): Promise<boolean> {
    return this.wait(this.#revert(row, columns));
  }

  /** Returns the id of the user's last step if it is of that kind. */
  async lastStep(kind: UndoStep['kind']): Promise<string | undefined> {
    await this.#readSteps();
    return this.#steps.undo?.kind === kind ? this.#steps.undo.stepID : undefined;
  }

  /** Shows a notice with an undo of exactly this step, whatever happens meanwhile. */
  offerUndo(text: string, stepID: string | undefined): void {
    if (stepID === undefined) {
      this.#app.notices.say(text);
      return;
    }
    const message = this.#app.notices.say(text, {
      label: this.#app.t('action.undo'),
      run: () => void this.wait(this.#settled.then(() => this.#undoOffered(stepID))),
    });
    this.#offered.set(stepID, message);
  }

  /** Makes the next undo wait for this. */
  wait<Result>(work: Promise<Result>): Promise<Result> {
    this.#settled = Promise.allSettled([this.#settled, work]);
    return work;
  }

  undo(): Promise<void> {
    return this.wait(this.#settled.then(() => (this.#steps.undo ? this.#undo() : undefined)));
  }

  redo(): Promise<void> {
    return this.wait(this.#settled.then(() => (this.#steps.redo ? this.#redo() : undefined)));
  }

  async #readSteps(): Promise<void> {
    // An unreadable list says so in its rows.
    this.#steps = await this.#lists.steps(this.#moduleID).catch(() => this.#steps);
  }

  async #undo(stepID?: string): Promise<void> {
    const undone = await this.#app.attempt(() => this.#lists.undo(this.#moduleID, stepID));
    if (!undone) return this.#readSteps();
    const offered = this.#offered.get(undone.step.stepID);
    if (offered !== undefined) this.#app.notices.close(offered);
    this.#offered.delete(undone.step.stepID);
    this.#turned('undo.did', undone);
  }

  async #redo(): Promise<void> {
    const redone = await this.#app.attempt(() => this.#lists.redo(this.#moduleID));
    if (redone) this.#turned('redo.did', redone);
    else await this.#readSteps();
  }

  #turned(key: 'undo.did' | 'redo.did', turned: Undone): void {
    this.#steps = { undo: turned.undo, redo: turned.redo };
    this.#rows.refresh();
    notifyUndone(this.#app, this.#moduleID, key, turned);
  }

  /** A step that is already undone is skipped. */
  async #undoOffered(stepID: string): Promise<void> {
    if (this.#offered.has(stepID)) await this.#undo(stepID);
  }

  #setPending(recordID: string, values: RowValues | undefined): void {
    const next = new Map(this.#pending);
    if (values) next.set(recordID, { ...next.get(recordID), ...values });
    else next.delete(recordID);
    this.#pending = next;
  }

  #attempt(task: () => Promise<GridRow>, onUnfit: OnUnfit | undefined): Promise<GridRow | undefined> {
    return this.#app.attempt(() =>
      task().catch((problem: unknown) => {
        if (!onUnfit || !(problem instanceof NodeError) || problem.code !== 'row.values') throw problem;
        onUnfit(this.#app.explain(problem));
        return undefined;
      }),
    );
  }

  async #send(recordID: string, values: RowValues, onUnfit: OnUnfit | undefined): Promise<boolean> {
    this.#setPending(recordID, values);
    const answer = await this.#attempt(
      () => this.#lists.changeRow(this.#moduleID, recordID, values),
      onUnfit,
    );
    if (answer) this.#rows.replace(answer);
    this.#setPending(recordID, undefined);
    return answer !== undefined;
  }

  /** Deletes or restores rows as one step. Returns its id, null if nothing changed, undefined if it failed. */
  async #inPieces(
    kind: 'delete' | 'restore',
    recordIDs: readonly string[],
  ): Promise<string | null | undefined> {
    const run = kind === 'delete' ? this.#lists.deleteRows : this.#lists.restoreRows;
    const stepID = await this.#app.attempt(async () => {
      let step: string | undefined;
      for (let at = 0; at < recordIDs.length; at += MAX_AT_ONCE) {
        const { done } = await run(this.#moduleID, recordIDs.slice(at, at + MAX_AT_ONCE), step);
        if (done > 0) step = await this.lastStep(kind);
      }
      return step ?? null;
    });
    this.#rows.refresh();
    return stepID;
  }

  async #change(
    row: GridRow,
    values: RowValues,
    { done: said, onUnfit }: { readonly done: string | undefined; readonly onUnfit: OnUnfit | undefined },
  ): Promise<boolean> {
    const changed = Object.entries(values).filter(([name, value]) => !sameValues(row.values[name], value));
    if (changed.length === 0) return true;
    const done = await this.#send(row.recordID, Object.fromEntries(changed), onUnfit);
    if (!done) return false;
    const step = await this.lastStep('edit');
    if (said !== undefined) this.offerUndo(said, step);
    return true;
  }

  async #add(
    values: RowValues,
    {
      answered,
      onUnfit,
    }: { readonly answered: (() => void) | undefined; readonly onUnfit: OnUnfit | undefined },
  ): Promise<GridRow | undefined> {
    const row = await this.#attempt(() => this.#lists.addRow(this.#moduleID, values), onUnfit);
    answered?.();
    if (!row) return undefined;
    this.#rows.append(row);
    this.#rows.refresh();
    this.offerUndo(this.#app.t('grid.added'), await this.lastStep('add'));
    return row;
  }

  async #remove(recordIDs: readonly string[]): Promise<boolean> {
    const step = await this.#inPieces('delete', recordIDs);
    if (step === undefined) return false;
    const to = this.#goesAt();
    const text = this.#app.t('grid.deleted', { n: recordIDs.length });
    const there = { n: recordIDs.length, partners: this.#app.format.list(to) };
    const all = to.length > 0 ? `${text} ${this.#app.t('grid.deleted-there', there)}` : text;
    this.offerUndo(all, step ?? undefined);
    return true;
  }

  async #restore(recordIDs: readonly string[]): Promise<boolean> {
    const step = await this.#inPieces('restore', recordIDs);
    if (step === undefined) return false;
    this.offerUndo(this.#app.t('grid.restored', { n: recordIDs.length }), step ?? undefined);
    return true;
  }

  async #revert(row: GridRow, columns?: readonly string[]): Promise<boolean> {
    const answer = await this.#app.attempt(() =>
      this.#lists.revertRow(this.#moduleID, row.recordID, columns),
    );
    if (!answer) return false;
    this.#rows.replace(answer);
    await this.#readSteps();
    return true;
  }
}
