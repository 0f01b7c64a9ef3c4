import { createYielder } from '../../base/yield.ts';
import type { PackedRows } from '../query/packed-rows.ts';
import { orderedPlaces, type OrderedPlaces } from './ordered-places.ts';
import type { RowReader } from './row-reader.ts';
import { createPlaceByID, withChanges, type PlaceByID } from './view-changes.ts';
import type { ViewDefinition } from './view-rows.ts';
import { createViewOfPlaces, type View } from './view.ts';

/** Beyond, rebuilding is cheaper. */
const MAX_CATCH_UP = 20_000;

interface State {
  /** All rows of the view, and some former ones. */
  readonly rows: PackedRows;
  readonly places: OrderedPlaces;
  readonly placeByID: PlaceByID;
  /** Last change included. */
  readonly seq: number;
}

export class PackedView {
  readonly view: View;
  readonly #source: RowReader;
  readonly #state: State;

  /**
   * Creates a view of the rows, which it sorts.
   * @param rows all matching rows, as of change `seq`
   */
  static async create(
    source: RowReader,
    { order }: ViewDefinition,
    { rows, seq }: Pick<State, 'rows' | 'seq'>,
  ): Promise<PackedView> {
    const places = orderedPlaces(await rows.sorted());
    const view = createViewOfPlaces(places, rows, order);
    return new PackedView(source, view, { rows, places, placeByID: createPlaceByID(rows), seq });
  }

  private constructor(source: RowReader, view: View, state: State) {
    this.#source = source;
    this.view = view;
    this.#state = state;
  }

  /** Number of rows whose keys take memory. */
  get held(): number {
    return this.#state.rows.count();
  }

  /**
   * Adds later changes at the cost of the changed rows; itself without any, undefined if rebuilding is cheaper. Earlier
   * views stay unchanged; this one must not be refreshed again.
   */
  async withChanges({ order, fits }: ViewDefinition): Promise<PackedView | undefined> {
    const { rows, places, placeByID } = this.#state;
    const seq = await this.#source.lastSeq();
    if (seq === this.#state.seq) return this;
    const changes = await this.#source.changed({ afterSeq: this.#state.seq }, MAX_CATCH_UP);
    const isWorn = rows.count() - places.length > MAX_CATCH_UP + places.length;
    if (changes.length >= MAX_CATCH_UP || isWorn) return undefined;
    if (changes.length === 0) return new PackedView(this.#source, this.view, { ...this.#state, seq });

    const gone: number[] = [];
    const come: number[] = [];
    const pause = createYielder();
    for (const { value } of changes) {
      const before = placeByID.get(value.recordID);
      if (before !== undefined) gone.push(before);
      if (fits(value)) {
        come.push(rows.count());
        placeByID.set(value.recordID, rows.count());
        rows.add(order.keyOf(value));
      } else if (before !== undefined) placeByID.delete(value.recordID);
      await pause();
    }
    const changed = await withChanges(places, { gone, come }, rows, order);
    return new PackedView(this.#source, createViewOfPlaces(changed, rows, order), {
      ...this.#state,
      places: changed,
      seq: Math.max(seq, changes.at(-1)?.seq ?? 0),
    });
  }
}
