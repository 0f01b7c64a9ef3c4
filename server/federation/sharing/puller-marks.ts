import type { Partition, Table, Tx } from '../../store/store.ts';
import type { FeedEpochs } from './feed-epochs.ts';
import type { Exposure, Node } from '../model.ts';
import type { LiveDefinitions } from './live-definitions.ts';
import { EXPOSURES } from '../tables.ts';

/** Progress of a puller in one exposure, in our own change numbers. Key: the exposure's id. */
interface Served {
  /** Names what the numbers belong to; after a change of it they say nothing. */
  readonly epoch: string;
  /** The last answer holds the changes in `(from, upTo]`. */
  readonly from: number;
  readonly upTo: number;
  /** The puller stored the changes up to here, as far as one step of its mark can show. */
  readonly trusted: number;
  /**
   * The next step of the mark shows that the changes up to here are stored: the end of the earliest answer that can
   * cause it. Absent in records of older versions, where it is `upTo`.
   */
  readonly proven?: number;
  /** The puller's own mark when it asked for the last answer. */
  readonly mark: number;
  /** An answer under this mark left whole, as far as can be seen from here. */
  readonly sent: boolean;
  /** Tells the answers apart. */
  readonly answer: number;
}

export const SERVED: Table<Served> = { name: 'served-to-puller' };

/** A puller's request for the rows of one list. */
export interface Asked {
  /** The puller's own mark, in whatever unit; 0 when it has none. */
  readonly mark: number;
  /** Change number that the list has come to. */
  readonly lastSeq: number;
  /** The connection it came over, where that is the puller's own. */
  readonly connection?: object | undefined;
}

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
   * Begins an answer that holds all that is durable now. A change is repeated only while its arrival is uncertain:
   * until the answer that holds it left whole and the puller's mark moved on afterwards. A puller of several lists has
   * one mark for all of them, so another list's answer can move it. There the puller also has to ask for rows again
   * over the connection of that answer; otherwise the change is in two answers.
   */
  begin(exposure: Exposure, node: Node, asked: Asked): Promise<MarkedAnswer>;
  /**
   * The change number up to which the puller is known to have this exposure, as its mark moved on after the answer;
   * 0 where it is known of nothing, or of nothing that is told in this way any more. Undefined: it never asked in this
   * way.
   */
  takenUpTo(exposure: Exposure, node: Node, lastSeq: number): Promise<number | undefined>;
  /** The puller asked for the definitions of these exposures. */
  definitionsAsked(exposures: readonly Exposure[]): void;
  /** Whether the puller fetched this list before and skips it now: its server stopped it, as its columns differ. */
  hasStopped(exposure: Exposure): Promise<boolean>;
}

/** Definitions are asked for half as often as rows: so many times without rows are no coincidence. */
const SKIPPED = 3;
/** The same after an answer with rows, which a server stores for minutes before it asks for any rows again. */
const SKIPPED_STORING = 15;

export function createPullerMarks(
  system: Partition,
  feedEpochs: FeedEpochs,
  definitions: Pick<LiveDefinitions, 'asPinned'>,
): PullerMarks {
  /** Only pinned names count: a name that the puller never sees is no reason to read everything again. */
  const epochOf = async (exposure: Exposure, node: Node, lastSeq: number): Promise<string> =>
    feedEpochs.of(await definitions.asPinned(exposure), node, lastSeq);
  /** How often the definitions were asked for since an exposure's rows were, by the exposure. */
  const unasked = new Map<string, number>();
  /** Whether the last answer for a partner held rows, by the partner: it may still be storing them. */
  const isStoring = new Map<string, boolean>();
  /** Answers on their way, by exposure. A puller that has the last byte may ask again before we know. */
  const leaving = new Map<string, Promise<void>>();

  /** Marks under which an exposure was last answered without any change. These answers are not written down. */
  const emptyUnder = new Map<string, number>();

  /** The last answer with rows on each connection, and the exposure that it is of. */
  const lastOn = new WeakMap<object, Pick<Exposure, 'moduleID' | 'nodeID'> & { readonly answer: number }>();
  /** The last answer of an exposure that {@link noteStored} knows of. */
  const stored = new Map<string, number>();

  /**
   * Whether this exposure alone can have moved the partner's mark since that was `mark`: no other one of it was ever asked
   * for, apart from those that were withdrawn before.
   */
  async function isSoleMover({ moduleID, nodeID }: Exposure, mark: number): Promise<boolean> {
    for (const { value: other } of await system.find(EXPOSURES, 'node', nodeID)) {
      const served = other.moduleID === moduleID ? undefined : await system.get(SERVED, other.moduleID);
      if (!served) continue;
      const last = Math.max(served.mark, emptyUnder.get(other.moduleID) ?? 0);
      if (other.deletedAt === undefined || last >= mark) return false;
    }
    return true;
  }

  /**
   * Notes that the answer before on this connection is stored: a server reads an answer to its end before it uses the
   * connection again, and stores it before it asks for other rows. One that was killed has no connection left.
   */
  function noteStored({ nodeID }: Exposure, connection: object): void {
    const before = lastOn.get(connection);
    if (before?.nodeID === nodeID) stored.set(before.moduleID, before.answer);
    lastOn.delete(connection);
  }

  /** Returns what the next answer leaves out, and what the marks say after it. `lastSeq` is where it ends. */
  async function startOf(
    exposure: Exposure,
    known: Served | undefined,
    { epoch, mark, lastSeq }: { epoch: string; mark: number; lastSeq: number },
  ): Promise<Pick<Served, 'from' | 'trusted' | 'sent'> & { readonly proven: number }> {
    const all = { from: 0, trusted: 0, proven: lastSeq, sent: false };
    // A mark that went back belongs to a puller that lost what it had.
    if (known?.epoch !== epoch || mark < known.mark) return all;
    const { from, upTo, proven = upTo, trusted } = known;
    if (mark === known.mark)
      return known.sent ? { from, trusted, proven, sent: true } : { ...all, from, trusted: from };
    if (!known.sent) return { ...all, from, trusted: from };
    const isStored = stored.get(exposure.moduleID) === known.answer;
    const reached = isStored ? upTo : proven;
    const begin = isStored || (await isSoleMover(exposure, known.mark)) ? reached : trusted;
    // A later answer under the mark before, or an empty one under this mark, can still move the mark.
    const isUndecided = reached < upTo || emptyUnder.get(exposure.moduleID) === mark;
    return { from: begin, trusted: reached, proven: isUndecided ? upTo : lastSeq, sent: false };
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
      return known.epoch === (await epochOf(exposure, node, lastSeq)) ? known.trusted : 0;
    },
    definitionsAsked(exposures) {
      for (const { moduleID } of exposures) unasked.set(moduleID, (unasked.get(moduleID) ?? 0) + 1);
    },
    async hasStopped({ moduleID, nodeID }) {
      const most = isStoring.get(nodeID) ? SKIPPED_STORING : SKIPPED;
      return (unasked.get(moduleID) ?? 0) >= most && (await system.get(SERVED, moduleID)) !== undefined;
    },
    async begin(exposure, node, { mark, lastSeq, connection }) {
      const { moduleID, nodeID } = exposure;
      unasked.delete(moduleID);
      if (connection) noteStored(exposure, connection);
      await leaving.get(moduleID);
      const epoch = await epochOf(exposure, node, lastSeq);
      const known = await system.get(SERVED, moduleID);
      const start = await startOf(exposure, known, { epoch, mark, lastSeq });
      const { from } = start;
      isStoring.set(nodeID, from < lastSeq);
      const after = from === 0 ? undefined : from;
      const isIdle = known?.sent === true && known.epoch === epoch && from === lastSeq && known.from === from;
      if (isIdle) {
        emptyUnder.set(moduleID, mark);
        return { after, keep: () => Promise.resolve(), ended: () => Promise.resolve() };
      }
      const answer = (known?.answer ?? 0) + 1;
      const served: Served = { epoch, ...start, upTo: lastSeq, mark, answer };
      let left = (): void => undefined;
      return {
        after,
        async keep() {
          await system.transaction(async (tx) => {
            // One that was given up while it was made may come in between: then nothing is certain.
            const isNext = (await tx.get(SERVED, moduleID))?.answer === known?.answer;
            const certain = isNext ? {} : { from: 0, trusted: 0, proven: 0, sent: false };
            tx.put(SERVED, moduleID, { ...served, ...certain });
          });
          if (connection) lastOn.set(connection, { moduleID, nodeID, answer });
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
