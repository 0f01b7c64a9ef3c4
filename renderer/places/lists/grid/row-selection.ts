import type { App } from '../../../state/app.svelte.ts';
import type { Rows } from './rows.svelte.ts';

interface TickingDeps {
  readonly app: Pick<App, 'attempt'>;
  readonly rows: Pick<Rows, 'between'>;
  readonly ticked: () => ReadonlySet<string>;
  readonly ontick: (ticked: ReadonlySet<string>) => void;
}

/** Selected rows, singly or by range. */
export class RowSelection {
  readonly #deps: TickingDeps;
  /** The row that was selected last. */
  #last = 0;

  constructor(deps: TickingDeps) {
    this.#deps = deps;
  }

  /** @param through includes everything from the last selected one */
  async row(index: number, on: boolean, through: boolean): Promise<void> {
    const last = through ? this.#last : index;
    this.#last = index;
    await this.between(Math.min(last, index), Math.max(last, index) + 1, on);
  }

  /** Fetches rows out of view first, so that the range has no gap. */
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
