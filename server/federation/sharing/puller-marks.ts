import type { Partition, Table, Tx } from '../../store/store.ts';
import type { FeedEpochs } from './feed-epochs.ts';
import type { Exposure, Node } from '../model.ts';
import type { LiveDefinitions } from './live-definitions.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { EXPOSURES } from '../tables.ts';

/** By exposure id: a puller's progress in our sequence numbers. */
interface Served {
  /** Another one invalidates the numbers. */
  readonly epoch: string;
  /** The connection's `tokenSince`; without it (older records): the present one's. */
  readonly since?: string;
  /** The last answer has changes in `(from, upTo]`; those up to `from` are stored. */
  readonly from: number;
  readonly upTo: number;
  /** The mark's next step proves changes up to here; older records: `upTo`. */
  readonly proven?: number;
  /** The puller's own, at the last answer. */
  readonly mark: number;
  /** An answer under this mark was sent completely, as far as known. */
  readonly sent: boolean;
  readonly answer: number;
}

export const SERVED: Table<Served> = { name: 'served-to-puller' };

interface Turn {
  /** The last with rows in this turn. */
  readonly answer?: number;
  /** Refused with nothing to send: no other list waits for it. */
  readonly isIdle?: boolean;
  /** In the present turn. */
  readonly refusals: number;
}

export interface RowsRequest {
  /** The puller's own mark, in any unit; 0 without one. */
  readonly mark: number;
  readonly lastSeq: number;
  /** Counts changes above this number that the puller gets. */
  readonly countSince: (seq: number) => Promise<number>;
  /** Absent if it may not be the puller's own. */
  readonly connection?: object | undefined;
}

export interface MarkedAnswer {
  /** Rows changed after this number; undefined: all rows. */
  readonly after: number | undefined;
  /** Records the answer durably; send no byte before it resolves. */
  storeRange(): Promise<void>;
  /**
   * Records the answer as sent if `whole`, and lets the exposure's next begin: always call it after
   * `storeRange`. Never rejects.
   */
  finishAnswer(whole: boolean): Promise<void>;
}

/**
 * Decides where answers begin for pullers whose only mark is their clock at our last answer, one for all
 * lists (docs/interface.md: Live servers that fetch from us). Marks miss changes, so positions are recorded
 * here; a mark only tells whether anything was stored.
 */
export interface PullerMarks {
  /**
   * Begins an answer after the exposure's previous one. Repeats changes until they provably arrived: by a
   * request on the same connection, or by a moved mark under which only this list was answered. Hence lists
   * take turns.
   * @throws Refusal `busy` while it is another list's turn
   */
  beginAnswer(exposure: Exposure, node: Node, asked: RowsRequest): Promise<MarkedAnswer>;
  /** Returns the number up to which arrival is proven; 0 in another epoch, undefined if never asked. */
  confirmedSeq(exposure: Exposure, node: Node, lastSeq: number): Promise<number | undefined>;
  /** Counts a definitions request as a skip of these exposures until their rows are requested. */
  recordDefinitionsRequest(exposures: readonly Exposure[]): void;
  /**
   * Returns whether the puller fetched this list on this connection and stopped. Large answers take more
   * skips, as the puller stores them first.
   */
  hasStoppedFetching(exposure: Exposure, node: Node): Promise<boolean>;
}

/** A list counts as stopped after so many. Fetching pullers ask for definitions twice per request. */
const MAX_SKIPS = 3;
/** After rows, which a server stores for minutes. */
const MAX_SKIPS_STORING = 15;
/** A slow server (25 a second) stores so many between two requests: one more skip each. */
const ROWS_PER_SKIP = 3000;
const MAX_SKIPS_LARGE = 250;
/** Per turn, one a minute: a list that never arrives must not block others. */
const MAX_REFUSALS = 5;
const RETRY_AFTER_SECONDS = 60;
const NEW_TURN: Turn = { refusals: 0 };

/**
 * Returns whose turn it is when `moduleID` asks: the first list whose sent rows aren't proven to be stored; else, if
 * this one is new or has nothing to send, another that waits; else this one.
 */
function findListInTurn(
  queue: ReadonlyMap<string, Turn>,
  moduleID: string,
  isIdle: boolean,
): readonly [moduleID: string, turn: Turn] {
  const own = queue.get(moduleID);
  const present = [...queue].find(([, turn]) => turn.answer !== undefined);
  if (present) return present;
  const waiting =
    own && !isIdle ? undefined : [...queue].find(([each, turn]) => each !== moduleID && !turn.isIdle);
  return waiting ?? [moduleID, own ?? NEW_TURN];
}

/**
 * Creates the record of how far partners have read each share and whose turn it is: positions are stored in `system`;
 * turns and connections are in memory.
 */
export function createPullerMarks(
  system: Partition,
  feedEpochs: FeedEpochs,
  definitions: Pick<LiveDefinitions, 'asPinned'>,
): PullerMarks {
  /** Returns the exposure's epoch by its pinned names, as the puller never sees others. */
  const epochOf = async (exposure: Exposure, node: Node, lastSeq: number): Promise<string> =>
    feedEpochs.get(await definitions.asPinned(exposure), node, lastSeq);
  /** Requests for definitions since rows were requested, by exposure. */
  const skips = new Map<string, number>();
  /** Changes of the last answer, which the partner may still be storing. */
  const lastAnswerChanges = new Map<string, number>();
  /** By exposure: the puller may ask before we know that it has the last byte. */
  const sending = new Map<string, Promise<void>>();

  /** By exposure: the last empty answer's mark, which isn't recorded. */
  const emptyUnder = new Map<string, number>();
  /** By exposure: its last answer's mark. */
  const answeredUnder = new Map<string, number>();
  /** By partner: lowest since the start; other lists may have been answered under it before. */
  const firstMarks = new Map<string, number>();
  const lastMarks = new Map<string, number>();
  /** By connection, in order. */
  const turns = new Map<string, Map<string, Turn>>();

  /** The last with rows, by connection. */
  const lastOn = new WeakMap<object, Pick<Exposure, 'moduleID' | 'nodeID'> & { readonly answer: number }>();
  /** By exposure: the last in {@link recordStored}. */
  const storedAnswers = new Map<string, number>();

  /** By exposure: the last that alone moved the mark. */
  const movingAnswers = new Map<string, number>();

  /**
   * Returns the exposure's stored position; undefined without one or if it is another connection's. One stored without
   * a connection counts for every one.
   */
  async function servedOver({ tokenSince }: Node, moduleID: string): Promise<Served | undefined> {
    const served = await system.get(SERVED, moduleID);
    return served?.since === undefined || served.since === tokenSince ? served : undefined;
  }

  /**
   * Returns whether only this exposure's rows can have moved the partner's mark beyond `mark`. Another list counts if
   * it was answered under that mark or later, or may have been before our start.
   */
  async function isSoleMover(moduleID: string, node: Node, mark: number): Promise<boolean> {
    const isKnown = mark > (firstMarks.get(node.nodeID) ?? Infinity);
    for (const { value: other } of await system.find(EXPOSURES, 'node', node.nodeID)) {
      const served = other.moduleID === moduleID ? undefined : await servedOver(node, other.moduleID);
      if (!served) continue;
      const last = answeredUnder.get(other.moduleID) ?? served.mark;
      if (last >= mark || (other.deletedAt === undefined && !isKnown)) return false;
    }
    return true;
  }

  /** Returns the present connection's turns in order: a live map, made if missing. */
  function turnsOf({ nodeID, tokenSince }: Node): Map<string, Turn> {
    const connection = JSON.stringify([nodeID, tokenSince]);
    const queue = turns.get(connection) ?? new Map<string, Turn>();
    turns.set(connection, queue);
    return queue;
  }

  /**
   * Returns whether the puller proved to have stored this turn's rows; false if none were sent. May record the answer
   * as moving the mark.
   */
  async function isProven(moduleID: string, node: Node, turn: Turn, mark: number): Promise<boolean> {
    const { answer } = turn;
    if (answer === undefined) return false;
    if (storedAnswers.get(moduleID) === answer || movingAnswers.get(moduleID) === answer) return true;
    // Doesn't wait for a running answer, which may need what this request holds.
    const known = await servedOver(node, moduleID);
    if (known?.answer !== answer || !known.sent || mark <= known.mark) return false;
    if (!(await isSoleMover(moduleID, node, known.mark))) return false;
    movingAnswers.set(moduleID, answer);
    return true;
  }

  /** Returns whether this list was withdrawn, or is no longer fetched. */
  async function isDropped(moduleID: string, node: Node): Promise<boolean> {
    const exposure = await system.get(EXPOSURES, moduleID);
    return exposure?.deletedAt !== undefined || (await hasStoppedFetching({ moduleID }, node));
  }

  /** Returns whether the list, once served, was skipped more often than the last answer's size explains. */
  async function hasStoppedFetching({ moduleID }: Pick<Exposure, 'moduleID'>, node: Node): Promise<boolean> {
    const changes = lastAnswerChanges.get(node.nodeID) ?? 0;
    const slowest = Math.min(Math.ceil(changes / ROWS_PER_SKIP), MAX_SKIPS_LARGE);
    const maxSkips = changes === 0 ? MAX_SKIPS : Math.max(MAX_SKIPS_STORING, slowest);
    return (skips.get(moduleID) ?? 0) >= maxSkips && (await servedOver(node, moduleID)) !== undefined;
  }

  /**
   * Takes the turn for a list. First ends turns of lists that are stored at the puller, withdrawn or no longer fetched,
   * or made this one wait too often. Throws `request.another-list` (busy), and counts it, while another list has the
   * turn, or waits and this one is new or idle. Kept in memory only.
   * @param isIdle the list has nothing to send: waiting ones go first
   */
  async function takeTurn({ moduleID }: Exposure, node: Node, mark: number, isIdle: boolean): Promise<void> {
    const queue = turnsOf(node);
    /** Ends a list's turn and resets the others' refusals. */
    const endTurn = (first: string): void => {
      queue.delete(first);
      for (const [each, turn] of queue) queue.set(each, { ...turn, refusals: 0 });
    };
    for (;;) {
      const [first, turn] = findListInTurn(queue, moduleID, isIdle);
      const isOver = await isProven(first, node, turn, mark);
      const [firstNow, turnNow] = findListInTurn(queue, moduleID, isIdle);
      if (firstNow !== first || turnNow !== turn) continue;
      if (isOver) {
        endTurn(first);
        continue;
      }
      if (first === moduleID) {
        queue.set(moduleID, turn);
        return;
      }
      const refusals = queue.get(moduleID)?.refusals ?? 0;
      if (refusals >= MAX_REFUSALS || (await isDropped(first, node))) {
        endTurn(first);
        continue;
      }
      queue.set(moduleID, { ...queue.get(moduleID), refusals: refusals + 1, isIdle });
      throw new Refusal('busy', 'request.another-list', said('request.another-list'), {
        retryAfter: RETRY_AFTER_SECONDS,
      });
    }
  }

  /**
   * Records the partner's mark. Lists answered under a later one, or if it went back under this one, are sent from the
   * beginning.
   */
  async function resetIfWentBack(node: Node, mark: number): Promise<void> {
    const isBack = mark < (lastMarks.get(node.nodeID) ?? -1);
    lastMarks.set(node.nodeID, mark);
    for (const { value } of await system.find(EXPOSURES, 'node', node.nodeID)) {
      const served = await servedOver(node, value.moduleID);
      if (!served || served.mark < mark || (served.mark === mark && !isBack)) continue;
      await system.transaction(async (tx) => {
        const known = await tx.get(SERVED, value.moduleID);
        if (known?.answer !== served.answer) return;
        const nothing = { from: 0, upTo: 0, proven: 0, sent: false, mark: -1, answer: known.answer + 1 };
        tx.put(SERVED, value.moduleID, { ...known, ...nothing });
      });
      answeredUnder.delete(value.moduleID);
      emptyUnder.delete(value.moduleID);
    }
  }

  /** Records the previous answer on this connection as stored: a server stores it before it asks again. */
  function recordStored({ nodeID }: Exposure, connection: object): void {
    const before = lastOn.get(connection);
    if (before?.nodeID === nodeID) storedAnswers.set(before.moduleID, before.answer);
    lastOn.delete(connection);
  }

  /**
   * Returns where the next answer begins (`from`): at 0 in another epoch or if the mark went back, where the last one
   * began unless its arrival is proven, else after what is; and up to which change a later, higher mark will prove
   * arrival (`proven`).
   */
  async function nextRange(
    { moduleID }: Exposure,
    node: Node,
    known: Served | undefined,
    { epoch, mark, lastSeq }: { epoch: string; mark: number; lastSeq: number },
  ): Promise<Pick<Served, 'from' | 'sent'> & { readonly proven: number }> {
    const all = { from: 0, proven: lastSeq, sent: false };
    if (known?.epoch !== epoch || mark < known.mark) return all;
    const { from, upTo, proven = upTo } = known;
    if (!known.sent) return { ...all, from };
    if (mark === known.mark) return { from, proven, sent: true };
    const isStored = storedAnswers.get(moduleID) === known.answer;
    const isMoved =
      movingAnswers.get(moduleID) === known.answer || (await isSoleMover(moduleID, node, known.mark));
    // A late store may still move the mark.
    if (!isStored && !isMoved && from < upTo) return { from, proven, sent: false };
    const reached = isStored ? upTo : proven;
    // Another answer may still move it.
    const isUndecided = reached < upTo || emptyUnder.get(moduleID) === mark;
    return { from: reached, proven: isUndecided ? upTo : lastSeq, sent: false };
  }

  /** Records that this answer was sent, unless another of the exposure followed. */
  async function recordSent(exposureID: string, answer: number): Promise<void> {
    await system.transaction(async (tx: Tx) => {
      const known = await tx.get(SERVED, exposureID);
      if (known?.answer === answer && !known.sent) tx.put(SERVED, exposureID, { ...known, sent: true });
    });
  }

  return {
    /**
     * Returns up to which number the puller has the share; 0 in another epoch, undefined if it never asked on this
     * connection.
     */
    async confirmedSeq(exposure, node, lastSeq) {
      const known = await servedOver(node, exposure.moduleID);
      if (!known) return undefined;
      return known.epoch === (await epochOf(exposure, node, lastSeq)) ? known.from : 0;
    },
    /** Counts a request for definitions as a skip of these exposures, until their rows are requested. */
    recordDefinitionsRequest(exposures) {
      for (const { moduleID } of exposures) skips.set(moduleID, (skips.get(moduleID) ?? 0) + 1);
    },
    hasStoppedFetching,
    /**
     * Begins an answer: waits for one being sent, records the mark, takes the turn, and returns the range to send;
     * unproven changes again. Call `storeRange` before and `finishAnswer` after sending, as later answers wait. Throws
     * `request.another-list` (busy).
     */
    async beginAnswer(exposure, node, { mark, lastSeq, countSince, connection }) {
      const { moduleID, nodeID } = exposure;
      const { tokenSince: since } = node;
      skips.delete(moduleID);
      if (connection) recordStored(exposure, connection);
      await sending.get(moduleID);
      firstMarks.set(nodeID, Math.min(mark, firstMarks.get(nodeID) ?? Infinity));
      await resetIfWentBack(node, mark);
      const epoch = await epochOf(exposure, node, lastSeq);
      const had = await servedOver(node, moduleID);
      const before = had?.epoch === epoch ? had.upTo : 0;
      // Turns and repeats would disclose other changes.
      const last = (await countSince(before)) === 0 ? before : lastSeq;
      await takeTurn(exposure, node, mark, had?.epoch === epoch && had.from === last);
      answeredUnder.set(moduleID, mark);
      const previous = await system.get(SERVED, moduleID);
      const known = await servedOver(node, moduleID);
      const start = await nextRange(exposure, node, known, { epoch, mark, lastSeq: last });
      const { from } = start;
      lastAnswerChanges.set(nodeID, await countSince(from));
      const queue = turnsOf(node);
      if (from === last) queue.delete(moduleID);
      const after = from === 0 ? undefined : from;
      const isSame = known?.epoch === epoch && known.since === since;
      if (isSame && known.sent && from === last && known.from === from) {
        emptyUnder.set(moduleID, mark);
        return { after, storeRange: () => Promise.resolve(), finishAnswer: () => Promise.resolve() };
      }
      const answer = (previous?.answer ?? 0) + 1;
      const over = since === undefined ? {} : { since };
      const served: Served = { epoch, ...over, ...start, upTo: last, mark, answer };
      let finishSending = (): void => undefined;
      return {
        after,
        /**
         * Stores the answer's range, uncertain if another answer came in between, gives the list the turn and lets
         * later answers wait for this one.
         */
        async storeRange() {
          await system.transaction(async (tx) => {
            // After another answer nothing is certain.
            const isNext = (await tx.get(SERVED, moduleID))?.answer === previous?.answer;
            const certain = isNext ? {} : { from: 0, proven: 0, sent: false };
            tx.put(SERVED, moduleID, { ...served, ...certain });
          });
          const turn = queue.get(moduleID);
          if (turn) queue.set(moduleID, { ...turn, answer });
          if (connection) lastOn.set(connection, { moduleID, nodeID, answer });
          sending.set(moduleID, new Promise((resolve) => (finishSending = resolve)));
        },
        /** Ends the answer, which lets the next one begin; if sent `whole`, records that. Never rejects. */
        async finishAnswer(whole) {
          try {
            if (whole) await recordSent(moduleID, answer).catch(() => undefined);
          } finally {
            sending.delete(moduleID);
            finishSending();
          }
        },
      };
    },
  };
}
