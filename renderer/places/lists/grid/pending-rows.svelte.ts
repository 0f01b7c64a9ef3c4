import type { RowValues } from '../../../api/lists.ts';
import type { ComingRow } from './editing.ts';
import type { Edits } from './edits.svelte.ts';

/** Rows that are being created, in order. */
export class PendingRows {
  rows = $state.raw<readonly { readonly values: RowValues; readonly row: ComingRow }[]>([]);
  readonly #edits: Pick<Edits, 'add'>;
  #last: ComingRow = Promise.resolve(undefined);

  constructor(edits: Pick<Edits, 'add'>) {
    this.#edits = edits;
  }

  /**
   * Creates a row after earlier ones; it is among `rows` until the node has answered. `onUnfit` receives why a value
   * doesn't fit.
   */
  add(values: RowValues, onUnfit: (problem: string) => void): void {
    const row = this.#last.then(() =>
      this.#edits.add(values, () => (this.rows = this.rows.slice(1)), onUnfit),
    );
    this.rows = [...this.rows, { values, row }];
    this.#last = row;
  }
}
