import { createHash } from 'node:crypto';
import { createPause } from '../../base/yield.ts';
import type { Ranked, Ranking } from '../../store/store.ts';
import type { PackedRows } from '../query/packed-rows.ts';
import { keyOfRank, RANK_FORM, rankOf } from '../query/rank.ts';
import type { Order } from '../query/sort.ts';
import type { RowSource } from './row-source.ts';
import type { ViewDefinition } from './view-rows.ts';
import type { View } from './view.ts';

/** So many rows are ranked, and written, at a time. */
const AT_ONCE = 5000;

/** The ranking that keeps such a view, where the store keeps any: views of one definition share it, also after a start. */
export function rankingOf(source: RowSource, { key }: ViewDefinition): Ranking | undefined {
  const name = createHash('sha256').update(JSON.stringify([RANK_FORM, source.name, key]));
  return source.ranking?.(name.digest('base64url'));
}

/** A view that is kept where the rows are: of it nothing but what is asked for comes into memory. */
export class RankedView {
  /** Rows whose keys take memory. */
  readonly held = 0;
  readonly view: View;
  readonly #source: RowSource;
  readonly #ranking: Ranking;

  /** @param portions all rows that fit, as of change `seq` */
  static async make(
    ranking: Ranking,
    { order }: ViewDefinition,
    { portions, seq }: { readonly portions: AsyncIterable<PackedRows>; readonly seq: number },
  ): Promise<void> {
    await ranking.make(seq, ranked(portions, order));
  }

  /** Brings a ranking up to date; undefined where there is none yet. */
  static async of(
    source: RowSource,
    ranking: Ranking,
    definition: ViewDefinition,
  ): Promise<RankedView | undefined> {
    for (;;) {
      const state = await ranking.state();
      if (!state) return undefined;
      const changes = await source.changed({ afterSeq: state.seq }, AT_ONCE);
      const last = changes.at(-1);
      if (!last)
        return new RankedView(source, ranking, viewOfRanking(ranking, state.length, definition.order));
      const come: Ranked[] = [];
      const pause = createPause();
      for (const { value } of changes) {
        if (definition.fits(value))
          come.push(placed(definition.order, value.recordID, definition.order.keyOf(value)));
        await pause();
      }
      await ranking.change(
        last.seq,
        changes.map(({ key }) => key),
        come,
      );
    }
  }

  private constructor(source: RowSource, ranking: Ranking, view: View) {
    this.#source = source;
    this.#ranking = ranking;
    this.view = view;
  }

  /** The view as of the last change; undefined where it was given up meanwhile. */
  refreshed(definition: ViewDefinition): Promise<RankedView | undefined> {
    return RankedView.of(this.#source, this.#ranking, definition);
  }
}

const placed = (order: Order, recordID: string, key: Parameters<typeof rankOf>[1]): Ranked => ({
  key: recordID,
  rank: rankOf(order, key),
});

/** Portions in order, as neighbours are written the quicker together. */
async function* ranked(portions: AsyncIterable<PackedRows>, order: Order): AsyncGenerator<readonly Ranked[]> {
  const pause = createPause();
  for await (const rows of portions) {
    const places = await rows.sorted();
    for (let at = 0; at < places.length; at += AT_ONCE) {
      const some: Ranked[] = [];
      for (const place of places.subarray(at, at + AT_ONCE)) {
        some.push(placed(order, rows.idAt(place), rows.keyAt(place)));
        await pause();
      }
      yield some;
    }
  }
}

function viewOfRanking(ranking: Ranking, length: number, order: Order): View {
  return {
    length,
    slice: async (start, end = length) =>
      (await ranking.slice(start, end)).map(({ key, rank }) => keyOfRank(order, rank, key)),
    ids: async (start, end = length) => (await ranking.slice(start, end)).map(({ key }) => key),
    placeBehind: (key) => ranking.placeBehind(rankOf(order, key)),
  };
}
