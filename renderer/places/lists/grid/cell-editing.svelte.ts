import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { RowValues } from '../../../api/lists.ts';
import type { CellInput, RejectedInput } from '../../../state/drafts.svelte.ts';
import { editsInPlace, takesLetters, type Editing, type Position, type ComingRow } from './editing.ts';
import type { Edits } from './edits.svelte.ts';
import type { Rows } from './rows.svelte.ts';

interface WritingDeps {
  readonly rows: Pick<Rows, 'rowAt' | 'total' | 'keepInView' | 'indexOf'>;
  readonly edits: Edits;
  readonly columns: () => readonly ListColumn[];
  readonly fields: () => readonly ListColumn[];
  readonly readonly: () => boolean;
  readonly ondetails: (column: ListColumn) => void;
  readonly onunfit: (row: number, column: ListColumn) => void;
  readonly onadd: (values: RowValues) => void;
  /** Input that the node refused, edited again once no other cell is. */
  readonly rejected: () => readonly RejectedInput[];
  readonly ondismiss: (input: RejectedInput) => void;
}

/** Edits cells; the line below the last row adds one. */
export class CellEditing {
  readonly #deps: WritingDeps;
  readonly #coming: PendingRows;
  #editing = $state.raw<Editing>();
  #resumed: RejectedInput | undefined;

  constructor(deps: WritingDeps) {
    this.#deps = deps;
    this.#coming = new PendingRows(deps.edits);
    this.#keepUnfitRowsInView();
  }

  get editing(): Editing | undefined {
    return this.#editing;
  }

  /** Index after the last row, including new ones that wait for the node. It stays while a new row is edited. */
  get rowsEnd(): number {
    const editing = this.#editing;
    return editing && !editing.of ? editing.row : this.#total + this.#coming.rows.length;
  }

  /** Returns whether this is the line that can become a row, below the last of a writable, loaded list. */
  isBlank(row: number): boolean {
    const { readonly, rows } = this.#deps;
    return !readonly() && rows.total !== undefined && row >= this.rowsEnd;
  }

  /** Returns a row's values that the node hasn't confirmed, all of one being created; undefined if there are none. */
  pendingValues(row: number): RowValues | undefined {
    const there = this.#deps.rows.rowAt(row);
    return there
      ? this.#deps.edits.pendingValues(there.recordID)
      : this.#coming.rows[row - this.#total]?.values;
  }

  /**
   * Begins to edit a cell, with the character `typed` if given; ends another edit without saving it. Toggles and saves
   * a yes/no. Opens the details for kinds that need room and in read-only lists; a blank line asks for a new row.
   */
  beginEditing({ row: line, column: place }: Position, typed?: string): void {
    const { rows, columns, readonly, ondetails, onadd } = this.#deps;
    const here = rows.rowAt(line);
    const next = here ? undefined : this.#coming.rows[line - this.#total];
    const row = here ?? next?.row;
    const column = columns()[place];
    if (!column || (!row && !this.isBlank(line))) return;
    const pending = this.pendingValues(line)?.[column.name];
    const stored = pending ?? here?.values[column.name] ?? [];
    const seen = pending ? undefined : stored;
    this.#stopEditing();
    if (readonly()) ondetails(column);
    else if (column.kind === 'Bool' && !column.isMulti) {
      this.#saveCell({ of: row, column, seen }, stored[0] === '1' ? [] : ['1']);
    } else if (editsInPlace(column, stored)) {
      const letter = typed !== undefined && takesLetters(column) ? { typed } : {};
      this.#editing = { row: line, column, of: row, seen, ...letter };
    } else if (here) ondetails(column);
    else if (!next) onadd({});
  }

  /** Ends editing and saves in the background. Returns the row's index; undefined if nothing was edited. */
  commit(value: string): number | undefined {
    const editing = this.#editing;
    this.cancel();
    if (editing) this.#saveCell(editing, value === '' ? [] : [value]);
    return editing?.row;
  }

  /** Ends editing without saving; drops a refused input too if that was edited. */
  cancel(): void {
    this.#editing = undefined;
    if (this.#resumed) this.#deps.ondismiss(this.#resumed);
    this.#resumed = undefined;
    this.#keepUnfitRowsInView();
  }

  /** Scrolls to the first refused input and edits it, unless another cell is being edited. */
  resume(): void {
    const next = this.#resumeUnfit();
    if (next) this.#deps.onunfit(next.row, next.column);
  }

  /** Moves a refused input with its row, or until that is loaded ends editing it. Call it once rows moved. */
  relocate(): void {
    if (this.#editing && this.#editing.problem === undefined) return;
    this.#stopEditing();
    this.#resumeUnfit();
  }

  /**
   * Edits a refused input once its row is loaded; stops when it is saved or discarded elsewhere, or its column is gone.
   */
  followRejected(): void {
    if (this.#resumed && !this.#unfit.includes(this.#resumed)) this.#stopEditing();
    this.#keepUnfitRowsInView();
    this.#resumeUnfit();
  }

  /** Stops editing; a refused input stays, to be edited later. */
  #stopEditing(): void {
    this.#resumed = undefined;
    this.#editing = undefined;
  }

  /** Begins to edit the first refused input whose row is loaded. Undefined if there is none, or while editing. */
  #resumeUnfit(): Editing | undefined {
    if (this.#editing) return undefined;
    for (const unfit of this.#unfit) {
      const { row: of, fieldID, values, problem } = unfit;
      const row = of ? this.#deps.rows.indexOf(of.recordID) : this.rowsEnd;
      const column = this.#deps.columns().find((one) => one.fieldID === fieldID);
      if (row === undefined || !column) continue;
      this.#resumed = unfit;
      return (this.#editing = { row, of, column, typed: values[0] ?? '', problem });
    }
    return undefined;
  }

  /** Keeps rows with refused inputs in sight, whatever the filters; lets others go. */
  #keepUnfitRowsInView(): void {
    this.#deps.rows.keepInView(this.#unfit.flatMap(({ row }) => row?.recordID ?? []));
  }

  /** No cell shows hidden columns' and several values: the details do. */
  get #unfit(): readonly RejectedInput[] {
    const inCells = this.#deps.columns().filter(({ isMulti }) => !isMulti);
    return this.#deps
      .rejected()
      .filter(({ fieldID, isDeleted }) => !isDeleted && inCells.some((one) => one.fieldID === fieldID));
  }

  get #total(): number {
    return this.#deps.rows.total ?? 0;
  }

  /**
   * Saves in the background, in a row, one being created, or, unless the value is empty, a new one. After a failure
   * shows refused inputs.
   */
  #saveCell(
    { of: row, column, seen }: Pick<Editing, 'of' | 'column' | 'seen'>,
    values: readonly string[],
  ): void {
    // The next column refers to the row still being created.
    if (row instanceof Promise) void row.then((of) => this.#saveCell({ of, column }, values));
    else if (row)
      void this.#deps.edits
        .changeCell(row, column, values, { seen })
        .then((isSaved) => isSaved || this.#showUnfit());
    else if (values.length > 0) this.#addRow(column, values);
  }

  /**
   * Creates a row with this value, and edits it again if refused; calls `onadd` instead if other columns are required.
   */
  #addRow({ fieldID, name, label }: ListColumn, values: readonly string[]): void {
    const { fields, onadd } = this.#deps;
    const isWhole = fields().every((column) => !column.isRequired || column.name === name);
    const input = { row: undefined, fieldID, name, label, values };
    if (isWhole) void this.#coming.add(input).then((row) => row ?? this.#showUnfit());
    else onadd({ [name]: values });
  }

  /** Keeps rows of refused inputs in sight, and edits the first. */
  #showUnfit(): void {
    this.#keepUnfitRowsInView();
    this.resume();
  }
}

class PendingRows {
  rows = $state.raw<readonly { readonly values: RowValues; readonly row: ComingRow }[]>([]);
  readonly #edits: Pick<Edits, 'addRow'>;
  #last: ComingRow = Promise.resolve(undefined);

  constructor(edits: Pick<Edits, 'addRow'>) {
    this.#edits = edits;
  }

  /** Creates a row after earlier inputs; it is in `rows` until answered. */
  add(input: CellInput): ComingRow {
    const values = { [input.name]: input.values };
    const row = this.#last.then(() =>
      this.#edits.addRow(values, () => (this.rows = this.rows.slice(1)), input),
    );
    this.rows = [...this.rows, { values, row }];
    return (this.#last = row);
  }
}
