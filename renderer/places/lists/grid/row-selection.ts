import type { App } from '../../../state/app.svelte.ts';
import type { Rows } from './rows.svelte.ts';

interface TickingDeps {
  readonly app: Pick<App, 'attempt'>;
  readonly rows: Pick<Rows, 'between'>;
  readonly ticked: () => ReadonlySet<string>;
  readonly ontick: (ticked: ReadonlySet<string>) => void;
}

/** Which rows are ticked, one by one or from one to another. */
export class RowSelection {
  readonly #deps: TickingDeps;
  /** The row that was ticked last. */
  #last = 0;

  constructor(deps: TickingDeps) {
    this.#deps = deps;
  }

  /** @param through with all from the one that was ticked last */
  async row(index: number, on: boolean, through: boolean): Promise<void> {
    const last = through ? this.#last : index;
    this.#last = index;
    await this.between(Math.min(last, index), Math.max(last, index) + 1, on);
  }

  /** Rows that were not in view yet are read first: what is between the first and the last is ticked without a gap. */
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
