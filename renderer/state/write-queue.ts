import type { GridRow } from '../../server/contract/app/lists.ts';
import type { ListsApi } from '../api/lists.ts';
import type { CellInput, Content, Drafts, RejectedInput } from './drafts.svelte.ts';

/** A cell's content that a user saw: the node's, or input that waits for it. Undefined if only the node knows. */
export type Seen = Content | CellInput | undefined;

const hasSameTexts = (one?: Content, other?: Content): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns what the cell may hold without a change from elsewhere, after what was seen in it. */
export const contentsAfter = (seen: Content | CellInput): readonly Content[] =>
  'fieldID' in seen ? [...(seen.over ?? [seen.row.values[seen.name] ?? []]), seen.values] : [seen];

/** Returns what a refused input may replace; undefined for anything, once the user was told that the cell changed. */
export const seenBefore = (refused: RejectedInput): Seen => refused.over && refused;

/**
 * Writes into rows in the order in which they were asked for, one at a time for each row: a request that is overtaken
 * would replace the later input.
 */
export class WriteQueue {
  readonly #lists: Pick<ListsApi, 'row' | 'changeRow'>;
  readonly #drafts: Pick<Drafts, 'changeOver'>;
  /** The last write into each row; never rejects. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #listeners = new Set<(row: GridRow) => void>();

  constructor(lists: Pick<ListsApi, 'row' | 'changeRow'>, drafts: Pick<Drafts, 'changeOver'>) {
    this.#lists = lists;
    this.#drafts = drafts;
  }

  /** Passes each row as saved with an input, until the returned function is called. */
  onSaved(listener: (row: GridRow) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs a write once earlier ones into any of these rows have ended, and returns its result. */
  run<T>(recordIDs: readonly string[], write: () => Promise<T>): Promise<T> {
    const earlier = new Set(recordIDs.flatMap((recordID) => this.#last.get(recordID) ?? []));
    const written = earlier.size === 0 ? write() : Promise.all(earlier).then(write);
    const ended: Promise<unknown> = Promise.allSettled([written]).then(() => {
      for (const recordID of recordIDs) if (this.#last.get(recordID) === ended) this.#last.delete(recordID);
    });
    for (const recordID of recordIDs) this.#last.set(recordID, ended);
    return written;
  }

  /**
   * Saves an input, and returns once listeners have its row; call it within {@link run}. Returns false if the node had
   * it, as after a lost answer. Throws `NodeError`, `row.changed` if the cell was changed elsewhere since `seen`.
   * @param seen the input itself to save it again; undefined to replace whatever the cell holds
   */
  async save(
    moduleID: string,
    { recordID }: GridRow,
    input: CellInput,
    seen: Seen,
    name = input.name,
  ): Promise<boolean> {
    // A block written in between has changed what an input over content may replace.
    const over = seen && ('fieldID' in seen ? contentsAfter(seen) : (input.over ?? [seen]));
    if (over && seen !== input) this.#drafts.changeOver(input, over);
    // The node may have an input whose answer was lost.
    const isSure = over?.every((content) => hasSameTexts(content, over[0])) ?? true;
    const stored = isSure ? undefined : await this.#lists.row(moduleID, recordID);
    const holds = stored && (stored.values[name] ?? []);
    const isStored = stored && hasSameTexts(holds, input.values);
    const before = over?.find((content) => hasSameTexts(content, holds)) ?? over?.[0];
    const row = isStored
      ? stored
      : await this.#lists.changeRow(
          moduleID,
          recordID,
          { [name]: input.values },
          before && { [name]: before },
        );
    this.#drafts.changeOver(input, [row.values[name] ?? []]);
    for (const listener of this.#listeners) listener(row);
    return !isStored;
  }
}
