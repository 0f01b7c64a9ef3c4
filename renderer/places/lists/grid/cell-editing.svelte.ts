import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { RowValues } from '../../../api/lists.ts';
import { PendingRows } from './pending-rows.svelte.ts';
import { editsInPlace, takesLetters, type Editing, type Position } from './editing.ts';
import type { Edits } from './edits.svelte.ts';
import type { Rows } from './rows.svelte.ts';

interface WritingDeps {
  readonly rows: Pick<Rows, 'at' | 'total'>;
  readonly edits: Edits;
  /** Those that are seen, from left to right, and all that there are. */
  readonly columns: () => readonly ListColumn[];
  readonly fields: () => readonly ListColumn[];
  readonly readonly: () => boolean;
  /** Opens a row's details, at a column. */
  readonly ondetails: (column: ListColumn) => void;
  /** Brings the cell into sight whose value did not fit. */
  readonly onunfit: (row: number, column: ListColumn) => void;
  /** Asks for a row of which more has to be said than one value. */
  readonly onadd: (values: RowValues) => void;
}

/** What is written into the cells of a grid, and into the row behind the last one, which then is a new row. */
export class CellEditing {
  readonly #deps: WritingDeps;
  readonly #coming: PendingRows;
  #editing = $state.raw<Editing>();
  /** Values that did not fit, which wait until the cell in hand is done. */
  #unfit: readonly Editing[] = [];

  constructor(deps: WritingDeps) {
    this.#deps = deps;
    this.#coming = new PendingRows(deps.edits);
  }

  /** The cell that is written into. */
  get editing(): Editing | undefined {
    return this.#editing;
  }

  /** Where the rows end. What arrives while a new row is begun comes into view when that is done. */
  get ends(): number {
    const editing = this.#editing;
    return editing && !editing.of ? editing.row : this.#total + this.#coming.rows.length;
  }

  /** There is nothing in the row yet. */
  isBlank(row: number): boolean {
    const { readonly, rows } = this.#deps;
    return !readonly() && rows.total !== undefined && row >= this.ends;
  }

  /** What a row will hold, where that is not known to be so yet: it was changed here, or is new. */
  pending(row: number): RowValues | undefined {
    const there = this.#deps.rows.at(row);
    return there
      ? this.#deps.edits.pendingValues(there.recordID)
      : this.#coming.rows[row - this.#total]?.values;
  }

  /** Begins to write into a cell, or does with it what its column has for that. @param typed a letter that it begins with */
  begin({ row: line, column: place }: Position, typed?: string): void {
    const { rows, columns, readonly, ondetails, onadd } = this.#deps;
    const here = rows.at(line);
    const next = here ? undefined : this.#coming.rows[line - this.#total];
    const row = here ?? next?.row;
    const column = columns()[place];
    if (!column || (!row && !this.isBlank(line))) return;
    const stored = (here ?? next)?.values[column.name] ?? [];
    this.#putOff();
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

  /** What was written counts. Answers in which row, if anything was. */
  commit(value: string): number | undefined {
    const editing = this.#editing;
    const column = this.#deps.fields().find(({ fieldID }) => fieldID === editing?.fieldID);
    this.#editing = undefined;
    if (column) this.#save(editing?.of, column, value === '' ? [] : [value]);
    return editing?.row;
  }

  cancel(): void {
    this.#editing = undefined;
  }

  /** Goes back to a value that did not fit, once nothing else is written. */
  resume(): void {
    const [next, ...others] = this.#unfit;
    if (this.#editing || !next) return;
    this.#unfit = others;
    this.#editing = next;
    const column = this.#deps.fields().find(({ fieldID }) => fieldID === next.fieldID);
    if (column) this.#deps.onunfit(next.row, column);
  }

  /** Keeps a value that did not fit while another cell is written into. */
  #putOff(): void {
    if (this.#editing?.problem !== undefined) this.#unfit = [...this.#unfit, this.#editing];
    this.#editing = undefined;
  }

  #refuse(refused: Omit<Editing, 'row'>): void {
    const { rows } = this.#deps;
    const id = refused.of instanceof Promise ? undefined : refused.of?.recordID;
    let row = id === undefined ? this.ends : 0;
    while (id !== undefined && row < this.#total && rows.at(row)?.recordID !== id) row++;
    this.#unfit = [...this.#unfit, { ...refused, row }];
    this.resume();
  }

  get #total(): number {
    return this.#deps.rows.total ?? 0;
  }

  #save(row: Editing['of'], column: ListColumn, values: readonly string[]): void {
    // Whoever writes on into the next column means the row that is not there yet.
    if (row instanceof Promise) void row.then((made) => this.#save(made, column, values));
    else {
      const { fieldID } = column;
      const [typed = ''] = values;
      const onUnfit = (problem: string): void => this.#refuse({ fieldID, of: row, typed, problem });
      if (row) void this.#deps.edits.change(row, { [column.name]: values }, undefined, onUnfit);
      else if (values.length > 0) this.#add({ [column.name]: values }, onUnfit);
    }
  }

  /** A new row of one value; where others must be filled as well, they are asked for. */
  #add(values: RowValues, onUnfit: (problem: string) => void): void {
    const { fields, onadd } = this.#deps;
    const isWhole = fields().every(({ name, isRequired }) => !isRequired || Object.hasOwn(values, name));
    if (isWhole) this.#coming.add(values, onUnfit);
    else onadd(values);
  }
}
