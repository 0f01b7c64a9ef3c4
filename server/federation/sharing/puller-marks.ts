import type { Partition, Table, Tx } from '../../store/store.ts';
import type { FeedEpochs } from './feed-epochs.ts';
import type { Exposure, Node } from '../model.ts';

/** What a puller was last served of one exposure; all by our own change numbers. Key: the exposure's id. */
interface Served {
  /** Names what the numbers belong to; after a change of it they say nothing. */
  readonly epoch: string;
  /** What the last answer began behind, and what it reached to. */
  readonly from: number;
  readonly upTo: number;
  /** What the answer after the next may begin behind: that before the last, where it was surely taken in. */
  readonly trusted: number;
  /** The puller's own mark when it asked for the last answer. */
  readonly mark: number;
  /** The last answer left whole, as far as can be seen from here. */
  readonly sent: boolean;
  /** Tells the answers apart. */
  readonly answer: number;
}

const SERVED: Table<Served> = { name: 'served-to-puller' };

/** One answer to a puller. */
export interface MarkedAnswer {
  /** Rows that changed behind this number belong in it; undefined: all rows. */
  readonly after: number | undefined;
  /** Remembers it; durable when it resolves, and only then may a byte of it leave. */
  keep(): Promise<void>;
  /**
   * To be called once it was kept, whatever became of it: whether its last byte went on its way. Until then the next
   * one of this exposure is not begun. Where it cannot be written down, the next repeats this one.
   */
  ended(whole: boolean): Promise<void>;
}

/**
 * Where the answers begin for pullers whose only mark is their own clock, after they stored our last answer, and one
 * for all lists (docs/interface.md: Live servers that fetch from us). What we write meanwhile is before that mark, an
 * old list shared today is, and with clocks apart anything may be. So it is remembered here what each was served of
 * each exposure, and the mark only tells whether anything was taken in since it last asked.
 */
export interface PullerMarks {
  /**
   * Begins an answer that holds all that is durable now. Each change is
   * served until the answer that brought it left whole, and the one after it too, and both times the puller's mark
   * moved on: so twice when all is well, and again for as long as it is not.
   * @param mark as the puller gives it, in whatever unit; 0 when it has none
   * @param lastSeq change number that the list has come to
   */
  begin(exposure: Exposure, node: Node, mark: number, lastSeq: number): Promise<MarkedAnswer>;
  /**
   * The change number up to which the puller is known to have this exposure, as its mark moved on after the answer;
   * 0 where it is known of nothing, or of nothing that is told in this way any more. Undefined: it never asked in this
   * way.
   */
  takenUpTo(exposure: Exposure, node: Node, lastSeq: number): Promise<number | undefined>;
}

export function createPullerMarks(system: Partition, epochs: FeedEpochs): PullerMarks {
  /** Answers on their way, by exposure. A puller that has the last byte may ask again before we know. */
  const leaving = new Map<string, Promise<void>>();

  /** Where the next answer begins, and what may be trusted after it. */
  function startOf(
    known: Served | undefined,
    epoch: string,
    mark: number,
  ): { from: number; trusted: number } {
    // A mark that went back is that of a puller which lost what it had.
    if (known?.epoch !== epoch || mark === 0 || mark < known.mark) return { from: 0, trusted: 0 };
    const isTaken = known.sent && mark > known.mark;
    return isTaken ? { from: known.trusted, trusted: known.upTo } : { from: known.from, trusted: known.from };
  }

  async function note(exposureID: string, answer: number): Promise<void> {
    await system.transaction(async (tx: Tx) => {
      const known = await tx.get(SERVED, exposureID);
      if (known?.answer === answer && !known.sent) tx.put(SERVED, exposureID, { ...known, sent: true });
    });
  }

  return {
    async takenUpTo(exposure, node, lastSeq) {
      const known = await system.get(SERVED, exposure.moduleID);
      if (!known) return undefined;
      return known.epoch === (await epochs.of(exposure, node, lastSeq)) ? known.trusted : 0;
    },
    async begin(exposure, node, mark, lastSeq) {
      const { moduleID } = exposure;
      await leaving.get(moduleID);
      const epoch = await epochs.of(exposure, node, lastSeq);
      const known = await system.get(SERVED, moduleID);
      const { from, trusted } = startOf(known, epoch, mark);
      const after = from === 0 ? undefined : from;
      const isIdle = known?.sent === true && known.epoch === epoch && from === lastSeq && known.from === from;
      if (isIdle) return { after, keep: () => Promise.resolve(), ended: () => Promise.resolve() };
      const answer = (known?.answer ?? 0) + 1;
      const served = { epoch, from, upTo: lastSeq, trusted, mark, sent: false, answer };
      let left = (): void => undefined;
      return {
        after,
        async keep() {
          await system.transaction(async (tx) => {
            // One that was given up while it was made may come in between: then nothing is certain.
            const isNext = (await tx.get(SERVED, moduleID))?.answer === known?.answer;
            tx.put(SERVED, moduleID, isNext ? served : { ...served, from: 0, trusted: 0 });
          });
          leaving.set(moduleID, new Promise((resolve) => (left = resolve)));
        },
        async ended(whole) {
          try {
            if (whole) await note(moduleID, answer).catch(() => undefined);
          } finally {
            leaving.delete(moduleID);
            left();
          }
        },
      };
    },
  };
}
