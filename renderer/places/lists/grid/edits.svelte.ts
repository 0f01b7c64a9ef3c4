import type { GridRow } from '../../../../server/contract/app/lists.ts';
import type { ListsApi, RowValues } from '../../../api/lists.ts';
import type { App } from '../../../state/app.svelte.ts';
import type { Rows } from './rows.svelte.ts';
import { sameValues } from './values.ts';

type Step = () => Promise<unknown>;

/** More rows are not deleted or restored with one call. */
const MOST_AT_ONCE = 10_000;
/** Undoing goes back this far. */
const REMEMBERED = 100;

/** Changes to the rows of one list: shown at once as pending, undone with one key. */
export class Edits {
  readonly #app: App;
  readonly #lists: ListsApi;
  readonly #moduleID: string;
  readonly #rows: Rows;
  readonly #goesAt: () => readonly string[];
  #pending = $state.raw<ReadonlyMap<string, RowValues>>(new Map());
  #past = $state.raw<readonly Step[]>([]);
  /** The message that offers to take a step back. */
  readonly #offered = new WeakMap<Step, number>();
  // Whoever undoes means what was done last, even while the node has not answered yet.
  #settled: Promise<unknown> = Promise.resolve();

  /** @param goesAt names of the partners at whom rows that are deleted here go as well */
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
  }

  /** Values that were changed here and are not confirmed yet. */
  pendingValues(recordID: string): RowValues | undefined {
    return this.#pending.get(recordID);
  }

  /** @param done said once it is, with a way back from this very change */
  change(row: GridRow, values: RowValues, done?: string): Promise<boolean> {
    return this.wait(this.#change(row, values, done));
  }

  /** @param answered done when the node has answered, as the row takes its place or will not */
  add(values: RowValues, answered?: () => void): Promise<GridRow | undefined> {
    return this.wait(this.#add(values, answered));
  }

  remove(recordIDs: readonly string[]): Promise<boolean> {
    return this.wait(this.#removeForNow(recordIDs));
  }

  restore(recordIDs: readonly string[]): Promise<boolean> {
    return this.wait(this.#takeBack(recordIDs));
  }

  /** Takes back local edits of a received row; all of them if no columns are named. */
  revert(row: GridRow, columns?: readonly string[]): Promise<boolean> {
    return this.wait(this.#revert(row, columns));
  }

  /** Tells what was done in some other way, with the way back from it. */
  done(text: string, back: Step): void {
    this.#offerUndo(text, this.#remember(back));
  }

  /** What is undone next waits for this. */
  wait<Result>(work: Promise<Result>): Promise<Result> {
    this.#settled = Promise.allSettled([this.#settled, work]);
    return work;
  }

  undo(): Promise<void> {
    return this.wait(this.#settled.then(() => this.#takeBackStep(this.#past.at(-1))));
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  #remember(step: Step): Step {
    this.#past = [...this.#past, step].slice(-REMEMBERED);
    return step;
  }

  #setPending(recordID: string, values: RowValues | undefined): void {
    const next = new Map(this.#pending);
    if (values) next.set(recordID, { ...next.get(recordID), ...values });
    else next.delete(recordID);
    this.#pending = next;
  }

  async #send(recordID: string, values: RowValues): Promise<boolean> {
    this.#setPending(recordID, values);
    const answer = await this.#app.attempt(() => this.#lists.changeRow(this.#moduleID, recordID, values));
    if (answer) this.#rows.replace(answer);
    this.#setPending(recordID, undefined);
    return answer !== undefined;
  }

  /** Whether all of it could be done. */
  async #inPieces(
    recordIDs: readonly string[],
    run: (piece: readonly string[]) => Promise<unknown>,
  ): Promise<boolean> {
    const done = await this.#app.attempt(async () => {
      for (let at = 0; at < recordIDs.length; at += MOST_AT_ONCE)
        await run(recordIDs.slice(at, at + MOST_AT_ONCE));
      return true;
    });
    this.#rows.refresh();
    return done === true;
  }

  async #remove(recordIDs: readonly string[]): Promise<boolean> {
    return this.#inPieces(recordIDs, (piece) => this.#lists.deleteRows(this.#moduleID, piece));
  }

  async #restore(recordIDs: readonly string[]): Promise<boolean> {
    return this.#inPieces(recordIDs, (piece) => this.#lists.restoreRows(this.#moduleID, piece));
  }

  async #takeBackStep(step: Step | undefined): Promise<void> {
    // It may have been taken back already.
    if (!step || !this.#past.includes(step)) return;
    this.#past = this.#past.filter((each) => each !== step);
    const offered = this.#offered.get(step);
    if (offered !== undefined) this.#app.notices.close(offered);
    await step();
    this.#app.notices.say(this.#app.t('grid.undone'));
  }

  /** What stands in a message takes back what the message is of, whatever was done since. */
  #offerUndo(text: string, step: Step): void {
    const message = this.#app.notices.say(text, {
      label: this.#app.t('action.undo'),
      run: () => void this.wait(this.#settled.then(() => this.#takeBackStep(step))),
    });
    this.#offered.set(step, message);
  }

  async #change(row: GridRow, values: RowValues, said?: string): Promise<boolean> {
    const changed = Object.entries(values).filter(([name, value]) => !sameValues(row.values[name], value));
    if (changed.length === 0) return true;
    const before = Object.fromEntries(changed.map(([name]) => [name, row.values[name] ?? []]));
    const done = await this.#send(row.recordID, Object.fromEntries(changed));
    if (!done) return false;
    const step = this.#remember(() => this.#send(row.recordID, before));
    if (said !== undefined) this.#offerUndo(said, step);
    return true;
  }

  async #add(values: RowValues, answered?: () => void): Promise<GridRow | undefined> {
    const row = await this.#app.attempt(() => this.#lists.addRow(this.#moduleID, values));
    answered?.();
    if (!row) return undefined;
    this.#rows.append(row);
    this.#rows.refresh();
    this.#offerUndo(
      this.#app.t('grid.added'),
      this.#remember(() => this.#remove([row.recordID])),
    );
    return row;
  }

  async #removeForNow(recordIDs: readonly string[]): Promise<boolean> {
    const done = await this.#remove(recordIDs);
    if (done) {
      const step = this.#remember(() => this.#restore(recordIDs));
      const to = this.#goesAt();
      const text = this.#app.t('grid.deleted', { n: recordIDs.length });
      const there = { n: recordIDs.length, partners: this.#app.format.list(to) };
      this.#offerUndo(to.length > 0 ? `${text} ${this.#app.t('grid.deleted-there', there)}` : text, step);
    }
    return done;
  }

  async #takeBack(recordIDs: readonly string[]): Promise<boolean> {
    const done = await this.#restore(recordIDs);
    if (done) {
      this.#offerUndo(
        this.#app.t('grid.restored', { n: recordIDs.length }),
        this.#remember(() => this.#remove(recordIDs)),
      );
    }
    return done;
  }

  async #revert(row: GridRow, columns?: readonly string[]): Promise<boolean> {
    const names = columns ?? row.received?.edited ?? [];
    const before = Object.fromEntries(names.map((name) => [name, row.values[name] ?? []]));
    const answer = await this.#app.attempt(() =>
      this.#lists.revertRow(this.#moduleID, row.recordID, columns),
    );
    if (answer) {
      this.#rows.replace(answer);
      this.#remember(() => this.#send(row.recordID, before));
    }
    return answer !== undefined;
  }
}
