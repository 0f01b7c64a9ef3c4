import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { RowValues } from '../../../api/lists.ts';
import type { RejectedInput } from '../../../state/drafts.svelte.ts';
import { editsInPlace, takesLetters, type Editing, type Position, type ComingRow } from './editing.ts';
import type { Edits, OnUnfit } from './edits.svelte.ts';
import type { Rows } from './rows.svelte.ts';

interface WritingDeps {
  readonly rows: Pick<Rows, 'at' | 'total' | 'keepInView' | 'indexOf'>;
  readonly edits: Edits;
  readonly columns: () => readonly ListColumn[];
  readonly fields: () => readonly ListColumn[];
  readonly readonly: () => boolean;
  readonly ondetails: (column: ListColumn) => void;
  readonly onunfit: (row: number, column: ListColumn) => void;
  readonly onadd: (values: RowValues) => void;
  /** Inputs that the node rejected, to be edited again once no other cell is. */
  readonly rejected: () => readonly RejectedInput[];
  readonly onreject: (error: unknown) => void;
  readonly ondismiss: (input: RejectedInput) => void;
}

/** Edits the grid's cells; the line below the last row adds a row. */
export class CellEditing {
  readonly #deps: WritingDeps;
  readonly #coming: PendingRows;
  #editing = $state.raw<Editing>();
  /** The rejected input that is edited again. */
  #resumed: RejectedInput | undefined;

  constructor(deps: WritingDeps) {
    this.#deps = deps;
    this.#coming = new PendingRows(deps.edits);
    this.#keepUnfitRows();
  }

  get editing(): Editing | undefined {
    return this.#editing;
  }

  /** Index after the last row, with new ones that wait for the node. It stays while a new row is edited. */
  get rowsEnd(): number {
    const editing = this.#editing;
    return editing && !editing.of ? editing.row : this.#total + this.#coming.rows.length;
  }

  /** Returns whether a row can be added in this line, below the last row of a writable, loaded list. */
  isBlank(row: number): boolean {
    const { readonly, rows } = this.#deps;
    return !readonly() && rows.total !== undefined && row >= this.rowsEnd;
  }

  /** Returns a row's values that the node hasn't confirmed, all of a row being created; undefined if there are none. */
  pending(row: number): RowValues | undefined {
    const there = this.#deps.rows.at(row);
    return there
      ? this.#deps.edits.pendingValues(there.recordID)
      : this.#coming.rows[row - this.#total]?.values;
  }

  /**
   * Edits a cell in place, beginning with the character `typed` if given. A yes/no is toggled and saved at once. For
   * kinds that need more room, and in read-only lists, opens the details; in a blank line asks for a new row.
   */
  begin({ row: line, column: place }: Position, typed?: string): void {
    const { rows, columns, readonly, ondetails, onadd } = this.#deps;
    const here = rows.at(line);
    const next = here ? undefined : this.#coming.rows[line - this.#total];
    const row = here ?? next?.row;
    const column = columns()[place];
    if (!column || (!row && !this.isBlank(line))) return;
    const stored = (here ?? next)?.values[column.name] ?? [];
    this.#deferUnfit();
    if (readonly()) ondetails(column);
    else if (column.kind === 'Bool' && !column.isMulti) {
      this.#save(row, column, stored[0] === '1' ? [] : ['1']);
    } else if (editsInPlace(column, stored)) {
      const { fieldID } = column;
      const letter = typed !== undefined && takesLetters(column) ? { typed } : {};
      this.#editing = { row: line, fieldID, of: row, ...letter };
    } else if (here) ondetails(column);
    else if (!next) onadd({});
  }

  /** Ends editing and saves the input in the background. Returns its row's index; undefined if nothing was edited. */
  commit(value: string): number | undefined {
    const editing = this.#editing;
    const column = this.#deps.fields().find(({ fieldID }) => fieldID === editing?.fieldID);
    this.cancel();
    if (column) this.#save(editing?.of, column, value === '' ? [] : [value]);
    return editing?.row;
  }

  cancel(): void {
    this.#editing = undefined;
    if (this.#resumed) this.#deps.ondismiss(this.#resumed);
    this.#resumed = undefined;
    this.#keepUnfitRows();
  }

  /** Edits the first rejected input again and scrolls to it, unless another cell is being edited. */
  resume(): void {
    const next = this.#resumeUnfit();
    const column = this.#deps.fields().find(({ fieldID }) => fieldID === next?.fieldID);
    if (next && column) this.#deps.onunfit(next.row, column);
  }

  /** Lets a rejected input follow its row, or wait until that is loaded. Call it once the rows have other places. */
  relocate(): void {
    if (this.#editing && this.#editing.problem === undefined) return;
    this.#deferUnfit();
    this.#resumeUnfit();
  }

  /** Edits a rejected input once its row is loaded, and ends that once it was saved or discarded elsewhere. */
  followRejected(rejected: readonly RejectedInput[]): void {
    if (this.#resumed && !rejected.includes(this.#resumed)) this.#deferUnfit();
    this.#keepUnfitRows();
    this.#resumeUnfit();
  }

  #deferUnfit(): void {
    this.#resumed = undefined;
    this.#editing = undefined;
  }

  /** Edits the first rejected input whose row is loaded and returns it; undefined for none or while editing. */
  #resumeUnfit(): Editing | undefined {
    if (this.#editing) return undefined;
    for (const unfit of this.#unfit) {
      const { row: of, fieldID, values, problem } = unfit;
      const row = of ? this.#deps.rows.indexOf(of.recordID) : this.rowsEnd;
      if (row === undefined) continue;
      this.#resumed = unfit;
      return (this.#editing = { row, of, fieldID, typed: values[0] ?? '', problem });
    }
    return undefined;
  }

  #keepUnfitRows(): void {
    this.#deps.rows.keepInView(this.#unfit.flatMap(({ row }) => row?.recordID ?? []));
  }

  /** Those that a cell can show: the details have those of hidden columns and of several values. */
  get #unfit(): readonly RejectedInput[] {
    const inCells = this.#deps.columns().filter(({ isMulti }) => !isMulti);
    return this.#deps
      .rejected()
      .filter(({ fieldID, isDeleted }) => !isDeleted && inCells.some((one) => one.fieldID === fieldID));
  }

  get #total(): number {
    return this.#deps.rows.total ?? 0;
  }

  /** Saves a cell's values in the background: in a row, in one still being created, or, if not empty, as a new row. */
  #save(row: Editing['of'], column: ListColumn, values: readonly string[]): void {
    // Continuing in the next column refers to the row still being created.
    if (row instanceof Promise) void row.then((made) => this.#save(made, column, values));
    else {
      const { fieldID } = column;
      const onUnfit: OnUnfit = (error) => {
        this.#deps.edits.keepRejected({ row, fieldID, values }, error);
        this.#deps.onreject(error);
        this.#keepUnfitRows();
        this.resume();
      };
      if (row) void this.#deps.edits.change(row, { [column.name]: values }, undefined, onUnfit);
      else if (values.length > 0) this.#add({ [column.name]: values }, onUnfit);
    }
  }

  /** Creates a row of these values in the background, or calls `onadd` if other columns are required. */
  #add(values: RowValues, onUnfit: OnUnfit): void {
    const { fields, onadd } = this.#deps;
    const isWhole = fields().every(({ name, isRequired }) => !isRequired || Object.hasOwn(values, name));
    if (isWhole) this.#coming.add(values, onUnfit);
    else onadd(values);
  }
}

class PendingRows {
  rows = $state.raw<readonly { readonly values: RowValues; readonly row: ComingRow }[]>([]);
  readonly #edits: Pick<Edits, 'add'>;
  #last: ComingRow = Promise.resolve(undefined);

  constructor(edits: Pick<Edits, 'add'>) {
    this.#edits = edits;
  }

  /** Creates a row after those before it, in `rows` until answered; `onUnfit` gets the reason if one doesn't fit. */
  add(values: RowValues, onUnfit: OnUnfit): void {
    const row = this.#last.then(() =>
      this.#edits.add(values, () => (this.rows = this.rows.slice(1)), onUnfit),
    );
    this.rows = [...this.rows, { values, row }];
    this.#last = row;
  }
}
