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

  /** Reads the next steps to undo and redo from the node, as another window may have added some. */
  refreshSteps(): Promise<void> {
    return this.wait(this.#readSteps());
  }

  /** Returns a row's values that were changed here and aren't confirmed yet; undefined if there are none. */
  pendingValues(recordID: string): RowValues | undefined {
    return this.#pending.get(recordID);
  }

  /**
   * Saves a row's changed values, shown as pending meanwhile. Resolves with false if it failed, which is reported.
   * @param done notice after success, with an undo of this change @param onUnfit receives why a value doesn't fit
   */
  change(row: GridRow, values: RowValues, done?: string, onUnfit?: OnUnfit): Promise<boolean> {
    return this.wait(this.#change(row, values, { done, onUnfit }));
  }

  /**
   * Creates a row and offers an undo. Resolves with undefined if it failed, which is reported. @param answered
   * called when the node has answered, before the row appears @param onUnfit receives why a value doesn't fit
   */
  add(values: RowValues, answered?: () => void, onUnfit?: OnUnfit): Promise<GridRow | undefined> {
    return this.wait(this.#add(values, { answered, onUnfit }));
  }

  remove(recordIDs: readonly string[]): Promise<boolean> {
    return this.wait(this.#remove(recordIDs));
  }

  restore(recordIDs: readonly string[]): Promise<boolean> {
    return this.wait(this.#restore(recordIDs));
  }

  /**
   * Reverts a received row's local edits, all of them without `columns`. Resolves with false if it failed, which is
   * reported.
   */
  revert(row: GridRow, columns?: readonly string[]): Promise<boolean> {
    return this.wait(this.#revert(row, columns));
  }

  /** Reads the undo log. Returns the id of the user's last step if it is of this kind, else undefined. */
  async lastStep(kind: UndoStep['kind']): Promise<string | undefined> {
    await this.#readSteps();
    return this.#steps.undo?.kind === kind ? this.#steps.undo.stepID : undefined;
  }

  /** Shows a notice with an undo of exactly this step, regardless of later steps; without a step only the text. */
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

  /** Returns `work`, and makes the next undo or redo wait for it. */
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

  /** Reads the next steps to undo and redo; a failure leaves them as they are. */
  async #readSteps(): Promise<void> {
    // An unreadable list says so in its rows.
    this.#steps = await this.#lists.steps(this.#moduleID).catch(() => this.#steps);
  }

  /**
   * Undoes a step, the last one without an id: closes its notice, refreshes the rows and reports it. A failure is
   * reported.
   */
  async #undo(stepID?: string): Promise<void> {
    const undone = await this.#app.attempt(() => this.#lists.undo(this.#moduleID, stepID));
    if (!undone) return this.#readSteps();
    const offered = this.#offered.get(undone.step.stepID);
    if (offered !== undefined) this.#app.notices.close(offered);
    this.#offered.delete(undone.step.stepID);
    this.#onStepTurned('undo.did', undone);
  }

  /** Redoes the last undone step, refreshes the rows and reports it. A failure is reported. */
  async #redo(): Promise<void> {
    const redone = await this.#app.attempt(() => this.#lists.redo(this.#moduleID));
    if (redone) this.#onStepTurned('redo.did', redone);
    else await this.#readSteps();
  }

  /** Stores the next steps after an undo or redo, refreshes the rows and reports it. */
  #onStepTurned(key: 'undo.did' | 'redo.did', turned: Undone): void {
    this.#steps = { undo: turned.undo, redo: turned.redo };
    this.#rows.refresh();
    notifyUndone(this.#app, this.#moduleID, key, turned);
  }

  /** Undoes the step of a notice, unless it is undone already. */
  async #undoOffered(stepID: string): Promise<void> {
    if (this.#offered.has(stepID)) await this.#undo(stepID);
  }

  /** Adds pending values of a row; `undefined` removes them all. */
  #setPending(recordID: string, values: RowValues | undefined): void {
    const next = new Map(this.#pending);
    if (values) next.set(recordID, { ...next.get(recordID), ...values });
    else next.delete(recordID);
    this.#pending = next;
  }

  /**
   * Runs a change. Returns undefined if it fails; passes a value that doesn't fit to `onUnfit`, and reports other
   * errors.
   */
  #attempt(task: () => Promise<GridRow>, onUnfit: OnUnfit | undefined): Promise<GridRow | undefined> {
    return this.#app.attempt(() =>
      task().catch((problem: unknown) => {
        if (!onUnfit || !(problem instanceof NodeError) || problem.code !== 'row.values') throw problem;
        onUnfit(this.#app.explain(problem));
        return undefined;
      }),
    );
  }

  /** Saves a row's values, shown as pending meanwhile, and shows the answer. Returns whether it succeeded. */
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

  /**
   * Deletes or restores rows in pieces, as one step, and refreshes the rows. Returns the step's id, null if nothing
   * changed, undefined if it failed, which is reported.
   */
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

  /**
   * Saves the values that differ from the row's, and offers an undo with the notice `done`, if given. Returns
   * whether it succeeded; true if nothing differs.
   */
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

  /** Creates a row, appends it to the visible rows and offers an undo. Returns undefined if it failed. */
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

  /**
   * Deletes rows and offers an undo; the notice names the partners where they disappear too. Returns false if it
   * failed.
   */
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

  /** Restores rows from the bin and offers an undo. Returns false if it failed. */
  async #restore(recordIDs: readonly string[]): Promise<boolean> {
    const step = await this.#inPieces('restore', recordIDs);
    if (step === undefined) return false;
    this.offerUndo(this.#app.t('grid.restored', { n: recordIDs.length }), step ?? undefined);
    return true;
  }

  /** Reverts local edits of a received row and shows the answer. Returns false if it failed, which is reported. */
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
