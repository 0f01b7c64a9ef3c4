import type { App } from '../../../state/app.svelte.ts';
import type { Rows } from './rows.svelte.ts';

interface TickingDeps {
  readonly app: Pick<App, 'attempt'>;
  readonly rows: Pick<Rows, 'between'>;
  readonly ticked: () => ReadonlySet<string>;
  readonly ontick: (ticked: ReadonlySet<string>) => void;
}

/** Selects rows, one or several at a time. */
export class RowSelection {
  readonly #deps: TickingDeps;
  /** Index of the row that was selected last. */
  #last = 0;

  constructor(deps: TickingDeps) {
    this.#deps = deps;
  }

  /** Selects or deselects a row; with `through` also those between it and the one that was last. */
  async row(index: number, on: boolean, through: boolean): Promise<void> {
    const last = through ? this.#last : index;
    this.#last = index;
    await this.between(Math.min(last, index), Math.max(last, index) + 1, on);
  }

  /**
   * Selects or deselects the rows from `start` up to `end`, fetching those out of view first. A failure is reported
   * and changes nothing.
   */
  async between(start: number, end: number, on: boolean): Promise<void> {
    const { app, rows, ticked, ontick } = this.#deps;
    const found = await app.attempt(() => rows.between(start, end));
    const next = new Set(ticked());
    for (const { recordID } of found ?? []) {
      if (on) next.add(recordID);
      else next.delete(recordID);
    }
    ontick(next);
  }
}
