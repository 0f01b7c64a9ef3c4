import type { Partition, Table, Tx } from '../../store/store.ts';
import type { FeedEpochs } from './feed-epochs.ts';
import type { Exposure, Node } from '../model.ts';
import type { LiveDefinitions } from './live-definitions.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { EXPOSURES } from '../tables.ts';

/** Progress of a puller in one exposure, in our own change numbers. Key: the exposure's id. */
interface Served {
  /** Names what the numbers belong to; after a change of it they say nothing. */
  readonly epoch: string;
  /** The connection, by its {@link Node.tokenSince}. Absent in records of older versions: the present one. */
  readonly since?: string;
  /** The last answer holds the changes in `(from, upTo]`; the puller stored those up to `from`. */
  readonly from: number;
  readonly upTo: number;
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

/** A list's turn to be fetched by a partner. */
interface Turn {
  /** Its last answer with rows in this turn. */
  readonly answer?: number;
  /** It was refused while it had nothing to send: no other list waits for it. */
  readonly isIdle?: boolean;
  /** How often the list was refused since the present turn began. */
  readonly refusals: number;
}

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
   * Begins an answer that holds all that is durable now. A change is repeated until its arrival is proven. The puller
   * asks for rows again over the connection of the whole answer, or its mark moves on after it. A puller of several
   * lists has one mark for all of them. So the mark proves an answer only where no other list was answered under it, and
   * while an answer is unproven the other lists are refused in turn.
   * @throws Refusal `busy` while it is another list's turn
   */
  begin(exposure: Exposure, node: Node, asked: Asked): Promise<MarkedAnswer>;
  /**
   * Returns the change number up to which the puller has proven to have this exposure; 0 where that is nothing that
   * still counts. Undefined: it never asked in this way over the present connection.
   */
  takenUpTo(exposure: Exposure, node: Node, lastSeq: number): Promise<number | undefined>;
  /** The puller asked for the definitions of these exposures. */
  definitionsAsked(exposures: readonly Exposure[]): void;
  /**
   * Returns whether the puller fetched this list over the present connection and skips it now: it isn't mapped there any
   * more, or the server stopped it.
   */
  hasStopped(exposure: Exposure, node: Node): Promise<boolean>;
}

/** Definitions are asked for half as often as rows: so many times without rows are no coincidence. */
const SKIPPED = 3;
/** The same after an answer with rows, which a server stores for minutes before it asks for any rows again. */
const SKIPPED_STORING = 15;
/** Rows that a slow server stores between two requests for the definitions, 25 a second. */
const STORED_MEANWHILE = 3000;
/** A list whose numbers jumped must not look as if it were being stored for ever. */
const MAX_SKIPPED = 250;
/** A list is refused at most so often in one turn, once a minute: a list that never arrives must not block the others. */
const MAX_REFUSALS = 5;
const RETRY_AFTER_SECONDS = 60;
const NEW_TURN: Turn = { refusals: 0 };

/** Returns the list whose turn it is when this one asks. */
function firstOf(
  queue: ReadonlyMap<string, Turn>,
  moduleID: string,
  isIdle: boolean,
): readonly [moduleID: string, turn: Turn] {
  const own = queue.get(moduleID);
  const present = [...queue].find(([, turn]) => turn.answer !== undefined);
  if (present) return present;
  // Lists that wait have sent nothing: whichever of them asks first comes first.
  const waiting =
    own && !isIdle ? undefined : [...queue].find(([each, turn]) => each !== moduleID && !turn.isIdle);
  return waiting ?? [moduleID, own ?? NEW_TURN];
}

export function createPullerMarks(
  system: Partition,
  feedEpochs: FeedEpochs,
  definitions: Pick<LiveDefinitions, 'asPinned'>,
): PullerMarks {
  /** Only pinned names count: a name that the puller never sees is no reason to read everything again. */
  const epochOf = async (exposure: Exposure, node: Node, lastSeq: number): Promise<string> =>
    feedEpochs.get(await definitions.asPinned(exposure), node, lastSeq);
  /** How often the definitions were asked for since an exposure's rows were, by the exposure. */
  const unasked = new Map<string, number>();
  /** How many changes the last answer for a partner held, by the partner: it may still be storing them. */
  const storing = new Map<string, number>();
  /** Answers on their way, by exposure. A puller that has the last byte may ask again before we know. */
  const leaving = new Map<string, Promise<void>>();

  /** Marks under which an exposure was last answered without any change. These answers are not written down. */
  const emptyUnder = new Map<string, number>();
  /** Marks under which an exposure was last answered at all. */
  const answeredUnder = new Map<string, number>();
  /** The first mark of each partner since the start: other lists may have been answered under it before. */
  const firstMarks = new Map<string, number>();
  /** The mark under which each partner asked last. */
  const lastMarks = new Map<string, number>();
  /** By connection, the lists in the order of their turns. Until the first one's rows are proven, the others wait. */
  const turns = new Map<string, Map<string, Turn>>();

  /** The last answer with rows on each connection, and the exposure that it is of. */
  const lastOn = new WeakMap<object, Pick<Exposure, 'moduleID' | 'nodeID'> & { readonly answer: number }>();
  /** The last answer of an exposure that {@link noteStored} knows of. */
  const stored = new Map<string, number>();

  /** The last answer of an exposure after which the mark moved that only this exposure can have moved. */
  const moved = new Map<string, number>();

  async function servedOver({ tokenSince }: Node, moduleID: string): Promise<Served | undefined> {
    const served = await system.get(SERVED, moduleID);
    return served?.since === undefined || served.since === tokenSince ? served : undefined;
  }

  /**
   * Returns whether only this exposure can have moved the partner's mark since that was `mark`: no other one was answered
   * under it or a later one. Of the time before the start, only answers with rows are known.
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

  function turnsOf({ nodeID, tokenSince }: Node): Map<string, Turn> {
    const connection = JSON.stringify([nodeID, tokenSince]);
    const queue = turns.get(connection) ?? new Map<string, Turn>();
    turns.set(connection, queue);
    return queue;
  }

  /** Returns whether the rows that left in this turn are stored, at least those of its first whole answer. */
  async function isProven(moduleID: string, node: Node, turn: Turn, mark: number): Promise<boolean> {
    const { answer } = turn;
    if (answer === undefined) return false;
    if (stored.get(moduleID) === answer || moved.get(moduleID) === answer) return true;
    // Not waited for while it leaves: that may need the lists, which this request holds.
    const known = await servedOver(node, moduleID);
    if (known?.answer !== answer || !known.sent || mark <= known.mark) return false;
    if (!(await isSoleMover(moduleID, node, known.mark))) return false;
    moved.set(moduleID, answer);
    return true;
  }

  /** Returns whether the partner doesn't fetch this list any more. */
  async function isDropped(moduleID: string, node: Node): Promise<boolean> {
    const exposure = await system.get(EXPOSURES, moduleID);
    return exposure?.deletedAt !== undefined || (await hasStopped({ moduleID }, node));
  }

  async function hasStopped({ moduleID }: Pick<Exposure, 'moduleID'>, node: Node): Promise<boolean> {
    const changes = storing.get(node.nodeID) ?? 0;
    const slowest = Math.min(Math.ceil(changes / STORED_MEANWHILE), MAX_SKIPPED);
    const most = changes === 0 ? SKIPPED : Math.max(SKIPPED_STORING, slowest);
    return (unasked.get(moduleID) ?? 0) >= most && (await servedOver(node, moduleID)) !== undefined;
  }

  /**
   * Lets a list be answered when it is its turn.
   * @param isIdle it has nothing to send
   * @throws Refusal `busy` while it is another list's
   */
  async function takeTurn({ moduleID }: Exposure, node: Node, mark: number, isIdle: boolean): Promise<void> {
    const queue = turnsOf(node);
    const end = (first: string): void => {
      queue.delete(first);
      for (const [each, turn] of queue) queue.set(each, { ...turn, refusals: 0 });
    };
    for (;;) {
      const [first, turn] = firstOf(queue, moduleID, isIdle);
      const isOver = await isProven(first, node, turn, mark);
      const [firstNow, turnNow] = firstOf(queue, moduleID, isIdle);
      if (firstNow !== first || turnNow !== turn) continue;
      if (isOver) {
        end(first);
        continue;
      }
      if (first === moduleID) {
        queue.set(moduleID, turn);
        return;
      }
      const refusals = queue.get(moduleID)?.refusals ?? 0;
      if (refusals >= MAX_REFUSALS || (await isDropped(first, node))) {
        end(first);
        continue;
      }
      queue.set(moduleID, { ...queue.get(moduleID), refusals: refusals + 1, isIdle });
      throw new Refusal('busy', 'request.another-list', said('request.another-list'), {
        retryAfter: RETRY_AFTER_SECONDS,
      });
    }
  }

  /**
   * Starts over with each list that a puller was served under this mark or a later one, where its mark went back: it lost
   * what it stored since. It may ask for some of them under a later mark only, and that shows nothing any more.
   */
  async function noteWentBack(node: Node, mark: number): Promise<void> {
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
    { moduleID }: Exposure,
    node: Node,
    known: Served | undefined,
    { epoch, mark, lastSeq }: { epoch: string; mark: number; lastSeq: number },
  ): Promise<Pick<Served, 'from' | 'sent'> & { readonly proven: number }> {
    const all = { from: 0, proven: lastSeq, sent: false };
    // A mark that went back belongs to a puller that lost what it had.
    if (known?.epoch !== epoch || mark < known.mark) return all;
    const { from, upTo, proven = upTo } = known;
    if (!known.sent) return { ...all, from };
    if (mark === known.mark) return { from, proven, sent: true };
    const isStored = stored.get(moduleID) === known.answer;
    const isMoved = moved.get(moduleID) === known.answer || (await isSoleMover(moduleID, node, known.mark));
    // It may be stored late, and move the mark then.
    if (!isStored && !isMoved && from < upTo) return { from, proven, sent: false };
    const reached = isStored ? upTo : proven;
    // A later answer under the mark before, or an empty one under this mark, can still move the mark.
    const isUndecided = reached < upTo || emptyUnder.get(moduleID) === mark;
    return { from: reached, proven: isUndecided ? upTo : lastSeq, sent: false };
  }

  async function note(exposureID: string, answer: number): Promise<void> {
    await system.transaction(async (tx: Tx) => {
      const known = await tx.get(SERVED, exposureID);
      if (known?.answer === answer && !known.sent) tx.put(SERVED, exposureID, { ...known, sent: true });
    });
  }

  return {
    async takenUpTo(exposure, node, lastSeq) {
      const known = await servedOver(node, exposure.moduleID);
      if (!known) return undefined;
      return known.epoch === (await epochOf(exposure, node, lastSeq)) ? known.from : 0;
    },
    definitionsAsked(exposures) {
      for (const { moduleID } of exposures) unasked.set(moduleID, (unasked.get(moduleID) ?? 0) + 1);
    },
    hasStopped,
    async begin(exposure, node, { mark, lastSeq, connection }) {
      const { moduleID, nodeID } = exposure;
      const { tokenSince: since } = node;
      unasked.delete(moduleID);
      if (connection) noteStored(exposure, connection);
      await leaving.get(moduleID);
      firstMarks.set(nodeID, Math.min(mark, firstMarks.get(nodeID) ?? Infinity));
      await noteWentBack(node, mark);
      const epoch = await epochOf(exposure, node, lastSeq);
      const had = await servedOver(node, moduleID);
      await takeTurn(exposure, node, mark, had?.epoch === epoch && had.from === lastSeq);
      answeredUnder.set(moduleID, mark);
      const previous = await system.get(SERVED, moduleID);
      const known = await servedOver(node, moduleID);
      const start = await startOf(exposure, node, known, { epoch, mark, lastSeq });
      const { from } = start;
      storing.set(nodeID, lastSeq - from);
      const queue = turnsOf(node);
      if (from === lastSeq) queue.delete(moduleID);
      const after = from === 0 ? undefined : from;
      const isSame = known?.epoch === epoch && known.since === since;
      if (isSame && known.sent && from === lastSeq && known.from === from) {
        emptyUnder.set(moduleID, mark);
        return { after, keep: () => Promise.resolve(), ended: () => Promise.resolve() };
      }
      const answer = (previous?.answer ?? 0) + 1;
      const over = since === undefined ? {} : { since };
      const served: Served = { epoch, ...over, ...start, upTo: lastSeq, mark, answer };
      let left = (): void => undefined;
      return {
        after,
        async keep() {
          await system.transaction(async (tx) => {
            // One that was given up while it was made may come in between: then nothing is certain.
            const isNext = (await tx.get(SERVED, moduleID))?.answer === previous?.answer;
            const certain = isNext ? {} : { from: 0, proven: 0, sent: false };
            tx.put(SERVED, moduleID, { ...served, ...certain });
          });
          const turn = queue.get(moduleID);
          if (turn) queue.set(moduleID, { ...turn, answer });
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
