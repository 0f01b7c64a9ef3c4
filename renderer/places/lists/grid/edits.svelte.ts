import type {
  GridRow,
  ListColumn,
  NextSteps,
  Undone,
  UndoStep,
} from '../../../../server/contract/app/lists.ts';
import { NodeError } from '../../../api/http.ts';
import type { ListsApi, RowValues } from '../../../api/lists.ts';
import type { App } from '../../../state/app.svelte.ts';
import { createID, type CellInput } from '../../../state/drafts.svelte.ts';
import { to } from '../../../state/route.ts';
import { contentsAfter, type Seen } from '../../../state/write-queue.ts';
import { notifyUndone } from '../undo-notices.ts';
import type { Rows } from './rows.svelte.ts';
import { sameValues } from './values.ts';

const MAX_AT_ONCE = 10_000;

export interface NewRowOptions {
  /** Gets the row, or why it wasn't added, which is then not reported. */
  readonly answered?: (row: GridRow | undefined, problem?: string) => void;
  /** Default: a new one. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Changes rows, pending until the node answers. Unsaved input is kept as a draft; other failures are
 * reported. Undo and redo wait for running changes.
 */
export class Edits {
  readonly #app: App;
  readonly #lists: ListsApi;
  readonly #moduleID: string;
  readonly #rows: Rows;
  readonly #fields: () => readonly ListColumn[];
  readonly #goesAt: () => readonly string[];
  #steps = $state.raw<Pick<NextSteps, 'undo' | 'redo'>>({});
  /** Steps with an undo notice. */
  readonly #offered = new Set<string>();
  /** Undo waits for it: it means the last step, even an unconfirmed one. */
  #settled: Promise<unknown> = Promise.resolve();
  /** Inputs that the node refused, each with the step that was the last before it. */
  #refused: readonly { readonly waits: () => boolean; readonly after: string | undefined }[] = [];
  /** The latest change of a block, while it runs. */
  #block: Promise<unknown> | undefined;

  /** @param goesAt partners where rows deleted here disappear too */
  constructor(
    app: App,
    lists: ListsApi,
    moduleID: string,
    rows: Rows,
    fields: () => readonly ListColumn[],
    goesAt: () => readonly string[] = () => [],
  ) {
    this.#app = app;
    this.#lists = lists;
    this.#moduleID = moduleID;
    this.#rows = rows;
    this.#fields = fields;
    this.#goesAt = goesAt;
    void this.refreshSteps();
  }

  /** The steps to undo and redo next, as last read. */
  get steps(): Pick<NextSteps, 'undo' | 'redo'> {
    return this.#steps;
  }

  /** Reads the undo log again, as another window may have added steps; undo and redo wait for it. */
  refreshSteps(): Promise<void> {
    return this.delayUndoUntil(this.#readSteps());
  }

  /** Returns a row's values that the node hasn't confirmed; undefined if there are none. */
  pendingValues(recordID: string): RowValues | undefined {
    const unsent = this.#pendingInputs(recordID);
    return unsent.length > 0
      ? Object.fromEntries(unsent.map(({ name, values }) => [name, values]))
      : undefined;
  }

  /** Returns what the user sees in the cell: input that waits for the node, otherwise the row's content. */
  seenIn({ recordID, values }: GridRow, { fieldID, name }: ListColumn): NonNullable<Seen> {
    const pending = this.#pendingInputs(recordID).find((input) => input.fieldID === fieldID);
    return pending ?? values[name] ?? [];
  }

  /**
   * Saves a cell at once. Returns false if it failed; the input is then kept.
   * @param options.done said with an undo
   * @param options.seen the cell's content as typing began: one changed elsewhere since is not replaced
   */
  changeCell(
    row: GridRow,
    column: ListColumn,
    values: readonly string[],
    options: { readonly done?: string; readonly seen?: Seen } = {},
  ): Promise<boolean> {
    return this.delayUndoUntil(this.#changeCell(row, column, values, options));
  }

  /**
   * Adds a row, once for each key, and offers an undo; undefined if it failed. Calls `answered` before the row appears,
   * or after the failure.
   */
  addRow(values: RowValues, options: NewRowOptions = {}): Promise<GridRow | undefined> {
    return this.delayUndoUntil(this.#addRow(values, options));
  }

  /** Moves rows to the bin, and offers an undo. Returns false if it failed, which is reported. */
  removeRows(recordIDs: readonly string[]): Promise<boolean> {
    return this.delayUndoUntil(this.#removeRows(recordIDs));
  }

  /** Restores rows from the bin, and offers an undo. Returns false if it failed, which is reported. */
  restoreRows(recordIDs: readonly string[]): Promise<boolean> {
    return this.delayUndoUntil(this.#restoreRows(recordIDs));
  }

  /** Takes back a received row's local edits, in these columns or all. Returns false if it failed. */
  revertRow(row: GridRow, columns?: readonly string[]): Promise<boolean> {
    return this.delayUndoUntil(this.#revertRow(row, columns));
  }

  /**
   * Reads the undo log; returns the id of the step that undo would take back, if of this kind, and if given with this
   * key: another window may have added a row since. Otherwise undefined.
   */
  async lastStep(kind: UndoStep['kind'], idempotencyKey?: string): Promise<string | undefined> {
    await this.#readSteps();
    const { undo } = this.#steps;
    const isMeant = undo?.kind === kind && (idempotencyKey ?? undo.idempotencyKey) === undo.idempotencyKey;
    return isMeant ? undo.stepID : undefined;
  }

  /**
   * Offers to undo this step, even after later ones; without one says only the text, and what helps instead if it was
   * too large.
   */
  offerUndo(text: string, stepID: string | undefined): void {
    const last = this.#steps.undo;
    const isTooLarge = last?.stepID === stepID && last?.isTooLarge === true;
    if (stepID === undefined || isTooLarge) {
      const why = last?.kind === 'delete' ? 'undo.large-deleted' : 'undo.large-done';
      this.#app.notices.say(isTooLarge ? `${text} ${this.#app.t(why)}` : text);
      return;
    }
    this.#app.notices.say(text, {
      label: this.#app.t('action.undo'),
      run: () => void this.delayUndoUntil(this.#settled.then(() => this.#undoOffered(stepID))),
      undoes: stepID,
    });
    this.#offered.add(stepID);
  }

  /** Makes the next undo or redo wait for `work`, and returns it. */
  delayUndoUntil<Result>(work: Promise<Result>): Promise<Result> {
    this.#settled = Promise.allSettled([this.#settled, work]);
    return work;
  }

  /**
   * Makes undo and redo wait for a change of a block from its first fetch on, and returns it. If that returns a falsy
   * value, as it wrote nothing, an undo asked for meanwhile does nothing: it doesn't mean an older step.
   */
  changeBlock<Result>(change: Promise<Result>): Promise<Result> {
    this.#block = change;
    void change.finally(() => {
      if (this.#block === change) this.#block = undefined;
    });
    return this.delayUndoUntil(change);
  }

  /**
   * Undoes the step shown after running edits; a no-op without one, or while input waits unsent or was refused since
   * that step, which is said. Reports a refusal, as once a column is purged.
   */
  undo(): Promise<void> {
    return this.#turnAfterEdits(() => {
      const stepID = this.#steps.undo?.stepID;
      if (!this.#refused.some(({ waits, after }) => after === stepID && waits()))
        return stepID === undefined ? undefined : this.#undoStep(stepID);
      const app = this.#app;
      app.notices.fail(app.t('undo.refused-last'));
      return undefined;
    });
  }

  /** Redoes the step shown after running edits; a no-op as for {@link undo}. Reports a refusal. */
  redo(): Promise<void> {
    return this.#turnAfterEdits(() => this.#steps.redo && this.#redoStep(this.#steps.redo.stepID));
  }

  /** Returns inputs into the row, by default any, that the node hasn't confirmed. */
  #pendingInputs(recordID?: string): readonly CellInput[] {
    const { unsent } = this.#app.drafts.draftOf(this.#moduleID);
    return unsent.filter(({ row }) => row.recordID === (recordID ?? row.recordID));
  }

  /** Undoes or redoes after running edits. While input waits unsent, says so instead: no step is the user's last then. */
  #turnAfterEdits(turn: () => Promise<void> | undefined): Promise<void> {
    const app = this.#app;
    const block = this.#block;
    const turned = this.#settled.then(async () => {
      if (block && !(await block)) return undefined;
      const isUnsent = this.#pendingInputs().some((input) =>
        this.#fields().some(({ fieldID }) => fieldID === input.fieldID),
      );
      if (!isUnsent) return turn();
      app.notices.fail(app.t('error.kept'));
      return undefined;
    });
    return this.delayUndoUntil(turned);
  }

  /** Notes an input, refused if it `waits`, as later than the last step. */
  async #noteRefused(waits: () => boolean): Promise<void> {
    if (!waits()) return;
    await this.#readSteps();
    const earlier = this.#refused.filter((other) => other.waits());
    this.#refused = [...earlier, { waits, after: this.#steps.undo?.stepID }];
  }

  /** Reads the undo log; keeps known steps after a failure, which the rows show. */
  async #readSteps(): Promise<void> {
    this.#steps = await this.#lists.steps(this.#moduleID).catch(() => this.#steps);
  }

  /** Undoes a step, and says so. Reports a failure and reads the undo log. */
  async #undoStep(stepID: string): Promise<void> {
    const undone = await this.#app.attempt(() => this.#lists.undo(this.#moduleID, stepID));
    if (!undone) return this.#readSteps();
    this.#offered.delete(undone.step.stepID);
    this.#onStepTurned('undo.did', undone);
  }

  /** Redoes a step, and says so. Reports a failure and reads the undo log. */
  async #redoStep(stepID: string): Promise<void> {
    const redone = await this.#app.attempt(() => this.#lists.redo(this.#moduleID, stepID));
    if (redone) this.#onStepTurned('redo.did', redone);
    else await this.#readSteps();
  }

  /** Takes over the new steps, refreshes the rows and reports the change. */
  #onStepTurned(key: 'undo.did' | 'redo.did', turned: Undone): void {
    this.#steps = { undo: turned.undo, redo: turned.redo };
    this.#rows.refresh();
    notifyUndone(this.#app, this.#moduleID, key, turned);
  }

  /** Undoes a notice's step; nothing if it was undone already. */
  async #undoOffered(stepID: string): Promise<void> {
    if (this.#offered.has(stepID)) await this.#undoStep(stepID);
  }

  /**
   * Keeps a refused input with the reason, reported if the list was left. One without an answer is reported and sent
   * later.
   */
  #keepFailedInput(input: CellInput, error: NodeError): void {
    const app = this.#app;
    if (!app.drafts.keepRejected(this.#moduleID, input, error, app.explain(error))) {
      app.notices.fail(app.t('error.kept'));
      app.saveUnsentLater(this.#moduleID);
      return;
    }
    this.#reportIfLeft(error);
  }

  /** Reports why an input was refused if the list, which shows it, was left. */
  #reportIfLeft(error: NodeError): void {
    const app = this.#app;
    if (app.route.place === 'list' && app.route.moduleID === this.#moduleID) return;
    const run = (): void => app.go(to.list(this.#moduleID));
    app.fail(error, { label: app.t('action.open'), run });
  }

  /**
   * Runs the task. Passes the error to `onfailed` if the node refuses or doesn't answer; without it, and for other
   * failures, reports the error. Returns undefined after any failure.
   */
  #runOrPass<T>(
    task: () => Promise<T>,
    onfailed: ((error: NodeError) => void) | undefined,
  ): Promise<T | undefined> {
    return this.#app.attempt(() =>
      task().catch((problem: unknown) => {
        if (!onfailed || !(problem instanceof NodeError)) throw problem;
        onfailed(problem);
        return undefined;
      }),
    );
  }

  /**
   * Deletes or restores rows in pieces, as one step of the undo log, and refreshes. Returns the step's id, null if
   * nothing changed; undefined after a failure, which is reported, while earlier pieces stay.
   */
  async #runInPieces(
    kind: 'delete' | 'restore',
    recordIDs: readonly string[],
  ): Promise<string | null | undefined> {
    const run = kind === 'delete' ? this.#lists.deleteRows : this.#lists.restoreRows;
    const stepID = await this.#app.attempt(async () => {
      let step: string | undefined;
      for (let at = 0; at < recordIDs.length; at += MAX_AT_ONCE) {
        const piece = recordIDs.slice(at, at + MAX_AT_ONCE);
        const { done } = await this.#app.writes.run(piece, () => run(this.#moduleID, piece, step));
        if (done > 0) step = await this.lastStep(kind);
      }
      return step ?? null;
    });
    this.#rows.refresh();
    return stepID;
  }

  /**
   * Saves a cell; its values are a draft until the node has them. Offers an undo with the text `done`, if given. What
   * is stored already isn't sent. Returns false if it failed, or the column was deleted: the draft then stays.
   */
  async #changeCell(
    row: GridRow,
    column: ListColumn,
    values: readonly string[],
    { done, seen }: { readonly done?: string; readonly seen?: Seen },
  ): Promise<boolean> {
    const { drafts, writes } = this.#app;
    const { fieldID, name, label } = column;
    const now = this.seenIn(row, column);
    // The row may be older than the input, as after a refusal: without `seen` only the node knows.
    const over = 'fieldID' in now ? now : seen;
    const isStored = over !== undefined && !('fieldID' in over) && sameValues(over, values);
    const input = { row, fieldID, name, label, values, ...(over && { over: contentsAfter(over) }) };
    drafts.keepUnsent(this.#moduleID, input);
    // Kept until its deleted column is restored.
    if (!this.#fields().some((column) => column.fieldID === fieldID)) return false;
    if (isStored) {
      drafts.dismissInput(input);
      return true;
    }
    const isSaved = await writes.run([row.recordID], () =>
      this.#runOrPass(
        async () => {
          await writes.save(this.#moduleID, row, input, over);
          drafts.dismissInput(input);
          return true;
        },
        (error) => this.#keepFailedInput(input, error),
      ),
    );
    if (!isSaved) {
      await this.#noteRefused(() =>
        drafts
          .draftOf(this.#moduleID)
          .rejected.some((other) => other.row.recordID === row.recordID && other.fieldID === fieldID),
      );
      return false;
    }
    const step = await this.lastStep('edit');
    if (done !== undefined) this.offerUndo(done, step);
    return true;
  }

  /** Adds a row, shows it last, refreshes, and offers an undo; undefined if it failed. Calls `answered` in any case. */
  async #addRow(
    values: RowValues,
    { answered, idempotencyKey = createID() }: NewRowOptions,
  ): Promise<GridRow | undefined> {
    let problem: string | undefined;
    const onfailed = (error: NodeError): void => {
      problem = this.#app.explain(error);
      this.#reportIfLeft(error);
    };
    const row = await this.#runOrPass(
      () => this.#lists.addRow(this.#moduleID, values, idempotencyKey),
      answered && onfailed,
    );
    // Later writes into the row wait: theirs would be the last step.
    const step = row && this.#app.writes.run([row.recordID], () => this.lastStep('add', idempotencyKey));
    answered?.(row, problem);
    if (!row) {
      await this.#noteRefused(() => this.#app.drafts.isSentRow(this.#moduleID, idempotencyKey));
      return undefined;
    }
    this.#rows.appendRow(row);
    this.#rows.refresh();
    this.offerUndo(this.#app.t('grid.added'), await step);
    return row;
  }

  /**
   * Moves rows to the bin, offers an undo, and names partners at which the rows disappear too. Returns false if it
   * failed.
   */
  async #removeRows(recordIDs: readonly string[]): Promise<boolean> {
    const step = await this.#runInPieces('delete', recordIDs);
    if (step === undefined) return false;
    const to = this.#goesAt();
    const text = this.#app.t('grid.deleted', { n: recordIDs.length });
    const there = { n: recordIDs.length, partners: this.#app.format.list(to) };
    const all = to.length > 0 ? `${text} ${this.#app.t('grid.deleted-there', there)}` : text;
    this.offerUndo(all, step ?? undefined);
    return true;
  }

  /** Restores rows and offers an undo. Returns false if it failed. */
  async #restoreRows(recordIDs: readonly string[]): Promise<boolean> {
    const step = await this.#runInPieces('restore', recordIDs);
    if (step === undefined) return false;
    this.offerUndo(this.#app.t('grid.restored', { n: recordIDs.length }), step ?? undefined);
    return true;
  }

  /** Reverts edits, shows the row and reads the undo log. Returns false if it failed, which is reported. */
  async #revertRow(row: GridRow, columns?: readonly string[]): Promise<boolean> {
    const { recordID } = row;
    const answer = await this.#app.attempt(() =>
      this.#app.writes.run([recordID], () => this.#lists.revertRow(this.#moduleID, recordID, columns)),
    );
    if (!answer) return false;
    this.#rows.replaceRow(answer);
    await this.#readSteps();
    return true;
  }
}
