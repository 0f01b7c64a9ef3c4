import type { GridRow, ListColumn } from '../../../../server/contract/app/lists.ts';
import type { RowValues } from '../../../api/lists.ts';
import type { Content, RejectedInput } from '../../../state/drafts.svelte.ts';
import { seenBefore, type Seen } from '../../../state/write-queue.ts';
import {
  ComingRow,
  editsInPlace,
  takesLetters,
  type Editing,
  type Position,
  type Range,
  type RefusedValue,
} from './editing.ts';
import type { Edits } from './edits.svelte.ts';
import type { Rows } from './rows.svelte.ts';

interface WritingDeps {
  readonly rows: Pick<Rows, 'rowAt' | 'total' | 'keepInView' | 'indexOf'>;
  readonly edits: Edits;
  readonly columns: () => readonly ListColumn[];
  readonly fields: () => readonly ListColumn[];
  readonly readonly: () => boolean;
  readonly ondetails: (column: ListColumn) => void;
  /** Returns the content for a character typed on a yes/no; undefined if it means neither. */
  readonly readYesNo: (typed: string) => Content | undefined;
  /** Asks for a new row; with a key, one with all these values that the grid no longer shows. */
  readonly onadd: (values: RowValues, idempotencyKey?: string) => void;
  /** Keeps the values of a new row until `onanswered`. */
  readonly onsent: (values: RowValues, idempotencyKey: string) => void;
  readonly onanswered: (idempotencyKey: string) => void;
  readonly rejected: () => readonly RejectedInput[];
  readonly ondismiss: (input: RejectedInput) => void;
}

/** The line below the last row adds one. A refused value waits in its cell until the user goes there. */
export class CellEditing {
  readonly #deps: WritingDeps;
  readonly #coming: PendingRows;
  #editing = $state.raw<Editing>();
  readonly #line = $derived.by(() => this.#editing && this.#lineOf(this.#editing.of));

  constructor(deps: WritingDeps) {
    this.#deps = deps;
    this.#coming = new PendingRows(deps, (of, column, values) => this.#saveCell({ of, column }, values));
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
    if (there) return this.#deps.edits.pendingValues(there.recordID);
    const coming = this.#pendingAt(row);
    return coming && valuesOf(coming.typed);
  }

  /** Returns the refused values in a row's cells. */
  refusedIn(row: number): readonly RefusedValue[] {
    const there = this.#deps.rows.rowAt(row);
    if (there) return this.#unfit.filter((input) => input.row.recordID === there.recordID);
    return this.#pendingAt(row)?.refused ?? [];
  }

  /** Returns what the user sees in the cell, or what its refused value may replace. */
  seenIn(row: GridRow, column: ListColumn): Seen {
    const refused = this.#unfit.find(
      (input) => input.row.recordID === row.recordID && input.fieldID === column.fieldID,
    );
    return refused ? seenBefore(refused) : this.#deps.edits.seenIn(row, column);
  }

  /** Refused values in loaded rows, with their line, but the edited one. */
  get refused(): readonly (RefusedValue & { readonly line: number })[] {
    const inRows = this.#unfit.flatMap((input) => {
      const line = this.#deps.rows.indexOf(input.row.recordID);
      return line === undefined ? [] : { input, line };
    });
    const inNewRows = this.#coming.rows.flatMap(({ refused }, index) =>
      refused.map((input) => ({ input, line: this.#total + index })),
    );
    return [...inRows, ...inNewRows]
      .filter(({ input }) => input !== this.#editing?.refused)
      .map(({ input, line }) => ({ ...input, line }));
  }

  /**
   * Begins to edit a cell, with the character `typed` if given; ends another edit without saving it. Saves a yes/no as
   * typed, else toggled. Opens the details in read-only lists and for kinds that need room; a blank line asks for a row instead.
   */
  beginEditing({ row: line, column: place }: Position, typed?: string): void {
    const { rows, columns, readonly, ondetails, onadd } = this.#deps;
    const here = rows.rowAt(line);
    const next = here ? undefined : this.waitingRowAt(line);
    const row = here ?? next;
    const column = columns()[place];
    if (!column || (!row && !this.isBlank(line))) return;
    const refused = this.refusedIn(line).find(({ fieldID }) => fieldID === column.fieldID);
    const stored =
      refused?.values ?? this.pendingValues(line)?.[column.name] ?? here?.values[column.name] ?? [];
    const seen = here && this.seenIn(here, column);
    this.stopEditing();
    if (readonly()) ondetails(column);
    else if (column.kind === 'Bool' && !column.isMulti) {
      const toggled = stored[0] === '1' ? [] : ['1'];
      const wanted = typed === undefined ? toggled : this.#deps.readYesNo(typed);
      if (wanted) this.#saveCell({ of: row, column, seen }, wanted);
    } else if (editsInPlace(column, stored)) {
      const letter = typed !== undefined && takesLetters(column) ? { typed } : {};
      this.#editing = { column, of: row, seen, refused, ...letter };
    } else if (here) ondetails(column);
    else if (!this.openForm(line)) onadd({});
  }

  /** Edits a refused value; moves its new row into the form if the column is hidden or gone. */
  editRefused(line: number, fieldID: string): void {
    const column = this.#deps.columns().findIndex((one) => one.fieldID === fieldID);
    if (column >= 0) this.beginEditing({ row: line, column });
    else this.openForm(line);
  }

  /** Moves a refused new row from the grid into the form. Returns false if no new row waits in this line. */
  openForm(line: number): boolean {
    const pending = this.#pendingAt(line);
    if (!pending) return false;
    if (pending.refused.length > 0) {
      this.#coming.remove(pending.row);
      this.#deps.onadd(valuesOf(pending.typed), pending.row.idempotencyKey);
    }
    return true;
  }

  /** Returns false while a row isn't loaded, or is being added and the column needs room: the answer decides where. */
  isReady({ row: line, column: place }: Position): boolean {
    const pending = this.#pendingAt(line);
    if (!pending) return line >= this.#total || this.#deps.rows.rowAt(line) !== undefined;
    const column = this.#deps.columns()[place];
    const hasRoom = !column || (column.kind === 'Bool' && !column.isMulti) || editsInPlace(column, []);
    return hasRoom || pending.refused.length > 0;
  }

  /** Ends editing and saves in the background. Returns the row's index; undefined without {@link line}. */
  commit(value: string): number | undefined {
    const editing = this.#editing;
    const line = this.#line;
    this.stopEditing();
    if (editing) this.#saveCell(editing, value === '' ? [] : [value]);
    return line;
  }

  /** Ends editing without saving; drops a refused value too if that was edited. */
  cancel(): void {
    const { of, column, refused } = this.#editing ?? {};
    this.stopEditing();
    if (refused && column && of instanceof ComingRow) this.#coming.change(of, { column, values: [] });
    for (const input of this.#unfit) if (input === refused) this.#deps.ondismiss(input);
  }

  /** Empties the range's cells in new rows that wait; a row without any value left is gone. */
  emptyWaiting({ top, bottom, left, right }: Range): void {
    const inRange = this.#deps.columns().slice(left, right);
    for (const { row, typed } of this.#coming.rows.slice(
      Math.max(0, top - this.#total),
      Math.max(0, bottom - this.#total),
    ))
      this.#coming.change(
        row,
        ...[...typed.values()]
          .filter(({ column }) => inRange.some((one) => one.fieldID === column.fieldID))
          .map(({ column }) => ({ column, values: [] })),
      );
  }

  /** Ends editing without saving; a refused value stays. */
  stopEditing(): void {
    this.#editing = undefined;
  }

  /**
   * Keeps rows with refused values in sight; ends editing if its row isn't loaded any more, or the refused value is
   * saved or discarded elsewhere.
   */
  followRejected(): void {
    const { refused } = this.#editing ?? {};
    const isKept = this.#line !== undefined && (!refused || this.refusedIn(this.#line).includes(refused));
    if (!isKept) this.stopEditing();
    this.#keepUnfitRowsInView();
  }

  /** Returns the next line to type into. Skips refused new rows: one added later comes before them. */
  lineBelow(row: number): number {
    let next = row + 1;
    while ((this.#pendingAt(next)?.refused.length ?? 0) > 0) next++;
    return next;
  }

  /** Returns the waiting row at this index; undefined for others. */
  waitingRowAt(row: number): ComingRow | undefined {
    return this.#pendingAt(row)?.row;
  }

  /** Returns the index of a row that waits or waited; undefined if it isn't loaded. */
  lineOfWaiting(of: ComingRow): number | undefined {
    return this.#lineOf(of);
  }

  #pendingAt(row: number): PendingRow | undefined {
    return this.#coming.rows[row - this.#total];
  }

  /** Returns the index of an edited row, for one that is gone that of the blank line; undefined if not loaded. */
  #lineOf(of: Editing['of']): number | undefined {
    const coming = this.#coming.rows.findIndex(({ row }) => row === of);
    if (coming >= 0) return this.#total + coming;
    const row = of instanceof ComingRow ? of.created : of;
    return row ? this.#deps.rows.indexOf(row.recordID) : this.rowsEnd;
  }

  /** Keeps rows with refused values in sight, whatever the filters; lets others go. */
  #keepUnfitRowsInView(): void {
    this.#deps.rows.keepInView(this.#unfit.map(({ row }) => row.recordID));
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
   * Saves in the background, in a row, one being created, or, unless the value is empty, a new one: asks for that
   * instead if other columns are required.
   */
  #saveCell({ of, column, seen }: Pick<Editing, 'of' | 'column' | 'seen'>, values: Content): void {
    const { edits, fields, onadd } = this.#deps;
    if (of instanceof ComingRow) this.#coming.change(of, { column, values });
    else if (of) void edits.changeCell(of, column, values, { seen });
    else if (values.length > 0) {
      const isWhole = fields().every(({ isRequired, name }) => !isRequired || name === column.name);
      if (isWhole) this.#coming.add(column, values);
      else onadd({ [column.name]: values });
    }
  }
}

interface TypedValue {
  readonly column: ListColumn;
  readonly values: Content;
}

interface PendingRow {
  readonly row: ComingRow;
  /** All that was typed, by `fieldID`. */
  readonly typed: ReadonlyMap<string, TypedValue>;
  /** The node adds the row with it; the others follow into the added row. */
  readonly sent: TypedValue;
  /** `sent` if the node refused it; the row then waits for a correction. */
  readonly refused: readonly RefusedValue[];
}

const valuesOf = (typed: PendingRow['typed']): RowValues =>
  Object.fromEntries([...typed.values()].map(({ column, values }) => [column.name, values]));

type SaveValue = (of: GridRow | undefined, column: ListColumn, values: Content) => void;

class PendingRows {
  rows = $state.raw<readonly PendingRow[]>([]);
  readonly #deps: Pick<WritingDeps, 'edits' | 'onsent' | 'onanswered'>;
  readonly #save: SaveValue;
  #last: Promise<unknown> = Promise.resolve();

  /** @param save gets values into a row that is added by now, or was discarded */
  constructor(deps: Pick<WritingDeps, 'edits' | 'onsent' | 'onanswered'>, save: SaveValue) {
    this.#deps = deps;
    this.#save = save;
  }

  /** Creates a row after earlier ones; it is in `rows` until the node has it. */
  add(column: ListColumn, values: Content): void {
    this.#send(new ComingRow(), new Map([[column.fieldID, { column, values }]]), column.fieldID);
  }

  /**
   * Keeps values for a row that isn't added yet; sends the row again if one replaces a refused value. Saves them if the
   * row is added by now.
   */
  change(row: ComingRow, ...changed: readonly TypedValue[]): void {
    const pending = this.rows.find((other) => other.row === row);
    if (!pending) {
      for (const { column, values } of changed) this.#save(row.created, column, values);
      return;
    }
    const typed = new Map(pending.typed);
    for (const one of changed) typed.set(one.column.fieldID, one);
    const corrected = pending.refused.find(({ fieldID }) => typed.get(fieldID) !== pending.sent);
    if (corrected) this.#send(row, typed, corrected.fieldID);
    else this.#set({ ...pending, typed });
  }

  /** Sends the row with this value, or another if that is empty, after earlier rows; forgets the row without any. */
  #send(row: ComingRow, typed: PendingRow['typed'], fieldID: string): void {
    const wanted = typed.get(fieldID);
    const sent = [...(wanted ? [wanted] : []), ...typed.values()].find(({ values }) => values.length > 0);
    if (!sent) {
      this.remove(row);
      return;
    }
    this.#set({ row, typed, sent, refused: [] });
    const options = {
      idempotencyKey: row.idempotencyKey,
      answered: (created: GridRow | undefined, problem = '') => this.#onAnswered(row, sent, created, problem),
    };
    const values = { [sent.column.name]: sent.values };
    this.#last = this.#last.then(() => this.#deps.edits.addRow(values, options));
  }

  /** Saves what was typed since into an added row. Marks a refused value, or sends what replaced it meanwhile. */
  #onAnswered(row: ComingRow, sent: TypedValue, created: GridRow | undefined, problem: string): void {
    const pending = this.rows.find((other) => other.row === row);
    if (!pending) return;
    const { fieldID } = sent.column;
    row.created = created;
    if (created) {
      this.remove(row);
      for (const typed of pending.typed.values())
        if (typed !== sent) this.#save(created, typed.column, typed.values);
    } else if (pending.typed.get(fieldID) !== sent) this.#send(row, pending.typed, fieldID);
    else this.#set({ ...pending, refused: [{ fieldID, values: sent.values, problem }] });
  }

  /** Shows a row in its place, a new one last, and keeps its values. */
  #set(pending: PendingRow): void {
    const { row, typed } = pending;
    this.rows = this.rows.some((other) => other.row === row)
      ? this.rows.map((other) => (other.row === row ? pending : other))
      : [...this.rows, pending];
    this.#deps.onsent(valuesOf(typed), row.idempotencyKey);
  }

  /** Forgets a row that was added, discarded or is in the form. */
  remove(row: ComingRow): void {
    this.rows = this.rows.filter((other) => other.row !== row);
    this.#deps.onanswered(row.idempotencyKey);
  }
}
