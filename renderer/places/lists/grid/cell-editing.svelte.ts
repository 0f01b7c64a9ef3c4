import type { GridRow, ListColumn } from '../../../../server/contract/app/lists.ts';
import type { RowValues } from '../../../api/lists.ts';
import { createID, type CellInput, type Content, type RejectedInput } from '../../../state/drafts.svelte.ts';
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
  /** Asks for a new row; with a refused `input`, the user may type elsewhere by now. */
  readonly onadd: (values: RowValues, idempotencyKey?: string, input?: RejectedInput) => void;
  /** Keeps the values of a new row until `onanswered`. */
  readonly onsent: (values: RowValues, idempotencyKey: string) => void;
  readonly onanswered: (idempotencyKey: string) => void;
  /** Refused input, edited again once no other cell is. */
  readonly rejected: () => readonly RejectedInput[];
  readonly ondismiss: (input: RejectedInput) => void;
}

/** The line below the last row adds one. */
export class CellEditing {
  readonly #deps: WritingDeps;
  readonly #coming: PendingRows;
  #editing = $state.raw<Editing>();
  readonly #line = $derived.by(() => this.#editing && this.#lineOf(this.#editing));
  #resumed: RejectedInput | undefined;

  constructor(deps: WritingDeps) {
    this.#deps = deps;
    this.#coming = new PendingRows(deps, (of, typed, key) => this.#saveInAdded(of, typed, key));
    this.#keepUnfitRowsInView();
  }

  get editing(): Editing | undefined {
    return this.#editing;
  }

  /** Index of the edited row, which moves with it; undefined while none is edited, and if that row isn't loaded. */
  get line(): number | undefined {
    return this.#line;
  }

  /** Index after the last row, including new ones that wait for the node. */
  get rowsEnd(): number {
    return this.#total + this.#coming.rows.length;
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
   * a yes/no. Opens the details in read-only lists and for kinds that need room; a blank line asks for a row instead.
   */
  beginEditing({ row: line, column: place }: Position, typed?: string): void {
    const { rows, edits, columns, readonly, ondetails, onadd } = this.#deps;
    const here = rows.rowAt(line);
    const next = here ? undefined : this.#coming.rows[line - this.#total];
    const row = here ?? next?.row;
    const column = columns()[place];
    if (!column || (!row && !this.isBlank(line))) return;
    const stored = this.pendingValues(line)?.[column.name] ?? here?.values[column.name] ?? [];
    const seen = here && edits.seenIn(here, column);
    this.#stopEditing();
    if (readonly()) ondetails(column);
    else if (column.kind === 'Bool' && !column.isMulti) {
      this.#saveCell({ of: row, column, seen }, stored[0] === '1' ? [] : ['1']);
    } else if (editsInPlace(column, stored)) {
      const letter = typed !== undefined && takesLetters(column) ? { typed } : {};
      this.#editing = { column, of: row, seen, ...letter };
    } else if (here) ondetails(column);
    else if (!next) onadd({});
  }

  /** Ends editing and saves in the background. Returns the row's index; undefined without {@link line}. */
  commit(value: string): number | undefined {
    const editing = this.#editing;
    const line = this.#line;
    this.cancel();
    if (editing) this.#saveCell(editing, value === '' ? [] : [value]);
    return line;
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
    if (next && this.#line !== undefined) this.#deps.onunfit(this.#line, next.column);
  }

  /**
   * Edits a refused input once its row is loaded; stops when that isn't any more, it is saved or discarded elsewhere,
   * or its column is gone.
   */
  followRejected(): void {
    const isGone = this.#line === undefined || (this.#resumed && !this.#unfit.includes(this.#resumed));
    if (isGone) this.#stopEditing();
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
      const { row: of, fieldID, values, problem, idempotencyKey } = unfit;
      const column = this.#deps.columns().find((one) => one.fieldID === fieldID);
      if (!column || this.#lineOf({ of }) === undefined) continue;
      this.#resumed = unfit;
      return (this.#editing = { of, column, typed: values[0] ?? '', problem, idempotencyKey });
    }
    return undefined;
  }

  /** Returns the waiting row at this index; undefined for others. */
  waitingRowAt(row: number): ComingRow | undefined {
    return this.#coming.rows[row - this.#total]?.row;
  }

  /** Returns the index of a row that waits or waited; undefined if it isn't loaded. */
  lineOfWaiting(of: ComingRow): number | undefined {
    return this.#lineOf({ of });
  }

  /** Returns the index of an edited row, for a new or refused one that of the blank line; undefined if not loaded. */
  #lineOf({ of }: Pick<Editing, 'of'>): number | undefined {
    const coming = this.#coming.rows.findIndex(({ row }) => row === of);
    if (coming >= 0) return this.#total + coming;
    const row = of instanceof Promise ? this.#coming.createdBy(of) : of;
    return row ? this.#deps.rows.indexOf(row.recordID) : this.rowsEnd;
  }

  /** Keeps rows with refused inputs in sight, whatever the filters; lets others go. */
  #keepUnfitRowsInView(): void {
    this.#deps.rows.keepInView(this.#unfit.flatMap(({ row }) => row?.recordID ?? []));
  }

  /** Refused inputs that a cell can show: of rows that aren't deleted, into present columns of single values. */
  get #unfit(): readonly RejectedInput[] {
    const inCells = this.#deps.columns().filter(({ isMulti }) => !isMulti);
    return this.#deps
      .rejected()
      .filter(({ fieldID, isDeleted }) => !isDeleted && inCells.some((one) => one.fieldID === fieldID));
  }

  /** Number of rows; 0 before the first page. */
  get #total(): number {
    return this.#deps.rows.total ?? 0;
  }

  /**
   * Saves in the background, in a row, one being created, or, unless the value is empty, a new one. After a failure
   * shows refused inputs.
   */
  #saveCell(
    { of: row, column, seen, idempotencyKey }: Omit<Editing, 'typed' | 'problem'>,
    values: readonly string[],
  ): void {
    // The next column refers to a row being created or just refused.
    if (row instanceof Promise) {
      this.#coming.change(row, column, values);
    } else if (row)
      void this.#deps.edits
        .changeCell(row, column, values, { seen })
        .then((isSaved) => isSaved || this.#showUnfit());
    else if (values.length > 0) this.#addRow(column, values, idempotencyKey);
  }

  /** Refused values of new rows; the blank line shows the first. */
  get #refusedRows(): readonly RejectedInput[] {
    return this.#unfit.filter(({ row }) => row === undefined);
  }

  /** Saves in a row that was added; if it was refused, asks for a new one with all of these and the refused value. */
  #saveInAdded(of: GridRow | undefined, typed: ReadonlyMap<ListColumn, Content>, key: string): void {
    if (of) for (const [column, values] of typed) this.#saveCell({ of, column }, values);
    else if ([...typed.values()].some((values) => values.length > 0)) {
      const values = Object.fromEntries([...typed].map(([{ name }, texts]) => [name, texts]));
      const refused = this.#refusedRows.find(({ idempotencyKey }) => idempotencyKey === key);
      this.#continueRow(values, refused, key, refused);
    }
  }

  /** Asks for a new row with these values and the refused one, which belong together. */
  #continueRow(
    values: RowValues,
    refused: RejectedInput | undefined,
    key = refused?.idempotencyKey,
    input?: RejectedInput,
  ): void {
    if (refused) this.#deps.ondismiss(refused);
    this.#deps.onadd({ ...(refused && { [refused.name]: refused.values }), ...values }, key, input);
  }

  /**
   * Creates a row with this value, and edits it again if refused; asks for a new row instead if other columns are
   * required, or a value of one of them was refused.
   */
  #addRow(column: ListColumn, values: readonly string[], idempotencyKey = createID()): void {
    const { fieldID, name, label } = column;
    const { fields, onadd } = this.#deps;
    const [refused] = this.#refusedRows;
    if (refused && refused.fieldID !== fieldID) {
      this.#continueRow({ [name]: values }, refused);
      return;
    }
    const isWhole = fields().every((column) => !column.isRequired || column.name === name);
    const input = { row: undefined, fieldID, name, label, values, idempotencyKey };
    if (isWhole) void this.#coming.add(input).then((row) => row ?? this.#showUnfit());
    else onadd({ [name]: values }, idempotencyKey);
  }

  /** Keeps rows of refused inputs in sight, and edits the first. */
  #showUnfit(): void {
    this.#keepUnfitRowsInView();
    this.resume();
  }
}

interface PendingRow {
  /** All that was typed. */
  readonly values: RowValues;
  readonly row: ComingRow;
  readonly idempotencyKey: string;
  /** Typed since the row was sent. */
  readonly later: ReadonlyMap<ListColumn, Content>;
}

type SaveTyped = (of: GridRow | undefined, typed: ReadonlyMap<ListColumn, Content>, key: string) => void;

class PendingRows {
  rows = $state.raw<readonly PendingRow[]>([]);
  readonly #deps: Pick<WritingDeps, 'edits' | 'onsent' | 'onanswered'>;
  readonly #save: SaveTyped;
  readonly #created = new WeakMap<ComingRow, GridRow>();
  readonly #keys = new WeakMap<ComingRow, string>();
  #last: ComingRow = Promise.resolve(undefined);

  /** @param save gets later values once the row is added or refused */
  constructor(deps: Pick<WritingDeps, 'edits' | 'onsent' | 'onanswered'>, save: SaveTyped) {
    this.#deps = deps;
    this.#save = save;
  }

  /** Creates a row after earlier inputs; it is in `rows` until answered. */
  add(input: CellInput & { readonly idempotencyKey: string }): ComingRow {
    const { idempotencyKey } = input;
    const { edits, onsent, onanswered } = this.#deps;
    const values = { [input.name]: input.values };
    const row = this.#last.then(() => edits.addRow(values, { answered, input }));
    /**
     * Takes the first row out of the waiting ones, which the grid shows behind those of the list, records the created
     * one, and saves what was typed since.
     */
    const answered = (created: GridRow | undefined): void => {
      if (created) this.#created.set(row, created);
      const [first] = this.rows;
      this.rows = this.rows.slice(1);
      if (first) this.#save(created, first.later, idempotencyKey);
      onanswered(idempotencyKey);
    };
    this.#keys.set(row, idempotencyKey);
    onsent(values, idempotencyKey);
    this.rows = [...this.rows, { values, row, idempotencyKey, later: new Map() }];
    return (this.#last = row);
  }

  /** Keeps a value for a row that isn't answered; saves it if it is. */
  change(of: ComingRow, column: ListColumn, texts: Content): void {
    if (!this.rows.some(({ row }) => row === of))
      this.#save(this.#created.get(of), new Map([[column, texts]]), this.#keys.get(of) ?? createID());
    this.rows = this.rows.map((pending) => {
      if (pending.row !== of) return pending;
      const values = { ...pending.values, [column.name]: texts };
      this.#deps.onsent(values, pending.idempotencyKey);
      return { ...pending, values, later: new Map([...pending.later, [column, texts]]) };
    });
  }

  /** Returns the row that the node created; undefined before, or if it refused. */
  createdBy(coming: ComingRow): GridRow | undefined {
    return this.#created.get(coming);
  }
}
