import { createHash } from 'node:crypto';
import { createYielder } from '../../base/yield.ts';
import type { Ranked, Ranking } from '../../store/store.ts';
import type { PackedRows } from '../query/packed-rows.ts';
import { decodeRank, RANK_FORM, encodeRank } from '../query/rank.ts';
import type { Order, SortKey } from '../query/sort.ts';
import type { RowReader } from './row-reader.ts';
import type { ViewDefinition } from './view-rows.ts';
import type { View } from './view.ts';

const AT_ONCE = 5000;

/** Returns the view's ranking, written or not, equal for equal definitions; undefined if the store has none. */
export function findRanking(source: RowReader, { key, owner }: ViewDefinition): Ranking | undefined {
  const name = hashOf([RANK_FORM, source.name, key]);
  return source.ranking?.(owner === undefined ? name : `${hashOf(owner)}.${name}`);
}

const hashOf = (what: unknown): string =>
  createHash('sha256').update(JSON.stringify(what)).digest('base64url');

export interface AskedView {
  readonly source: RowReader;
  readonly definition: ViewDefinition;
  readonly again: () => Promise<View>;
}

/** Stored with the rows; loads only requested parts. */
export class RankedView {
  readonly held = 0;
  readonly view: View;
  readonly #ranking: Ranking;
  readonly #asked: AskedView;

  /**
   * Stores a view in the database as ranks.
   * @param portions all matching rows as of change `seq`
   */
  static async write(
    ranking: Ranking,
    { order }: ViewDefinition,
    { portions, seq }: { readonly portions: AsyncIterable<PackedRows>; readonly seq: number },
  ): Promise<void> {
    await ranking.build(seq, rankInBatches(portions, order));
  }

  /** Opens a stored ranking, and writes the changes since to it; undefined if there is none. */
  static async open(ranking: Ranking, asked: AskedView): Promise<RankedView | undefined> {
    const { source, definition } = asked;
    for (;;) {
      const state = await ranking.state();
      if (!state) return undefined;
      const changes = await source.changed({ afterSeq: state.seq }, AT_ONCE);
      const last = changes.at(-1);
      if (!last) return new RankedView(ranking, asked, state.length);
      const come: Ranked[] = [];
      const pause = createYielder();
      for (const { value } of changes) {
        if (definition.fits(value))
          come.push(toRankedEntry(definition.order, value.recordID, definition.order.keyOf(value)));
        await pause();
      }
      await ranking.update(
        last.seq,
        changes.map(({ key }) => key),
        come,
      );
    }
  }

  private constructor(ranking: Ranking, asked: AskedView, length: number) {
    this.#ranking = ranking;
    this.#asked = asked;
    this.view = createRankedView(ranking, asked, length);
  }

  /** Opens the ranking again with changes since; undefined if it was dropped. */
  withChanges(definition: ViewDefinition): Promise<RankedView | undefined> {
    return RankedView.open(this.#ranking, { ...this.#asked, definition });
  }
}

const toRankedEntry = (order: Order, recordID: string, key: Parameters<typeof encodeRank>[1]): Ranked => ({
  key: recordID,
  rank: encodeRank(order, key),
});

/** Yields ranks in batches of up to 5,000, each sorted, which is faster to write. */
async function* rankInBatches(
  portions: AsyncIterable<PackedRows>,
  order: Order,
): AsyncGenerator<readonly Ranked[]> {
  const pause = createYielder();
  for await (const rows of portions) {
    const places = await rows.sorted();
    for (let at = 0; at < places.length; at += AT_ONCE) {
      const some: Ranked[] = [];
      for (const place of places.subarray(at, at + AT_ONCE)) {
        some.push(toRankedEntry(order, rows.idAt(place), rows.keyAt(place)));
        await pause();
      }
      yield some;
    }
  }
}

/** Creates a view that reads the ranking; if that was dropped meanwhile, each call builds the view again. */
function createRankedView(
  ranking: Ranking,
  { definition: { order }, again }: AskedView,
  length: number,
): View {
  const keyIn = ({ key, rank }: Ranked): SortKey => decodeRank(order, rank, key);
  return {
    length,
    slice: async (start, end) =>
      (await ranking.slice(start, end ?? Infinity))?.map(keyIn) ?? (await again()).slice(start, end),
    ids: async (start, end) =>
      (await ranking.slice(start, end ?? Infinity))?.map(({ key }) => key) ?? (await again()).ids(start, end),
    keysAfter: async (key, count) =>
      (await ranking.entriesAfter(encodeRank(order, key), count))?.map(keyIn) ??
      (await again()).keysAfter(key, count),
  };
}
