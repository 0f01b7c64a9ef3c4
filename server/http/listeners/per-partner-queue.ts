import type { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../base/refusal.ts';
import type { SlowReaders } from '../../federation/sharing/slow-readers.ts';
import { TooManyAttempts } from '../auth/auth.ts';
import { authenticatedCaller } from '../auth/caller.ts';

const MAX_QUEUED = 16;
const RETRY_SECONDS = 5;

interface QueuedRequest {
  readonly url: string;
  readonly socket: Socket;
  readonly start: () => void;
}

interface PartnerQueue {
  current: QueuedRequest;
  readonly waiting: Set<QueuedRequest>;
  /** Those that waited when the current answer stalled; absent without a stall. */
  beforeStall?: readonly QueuedRequest[] | undefined;
}

const works = new WeakMap<Request, Promise<unknown>>();

/**
 * Returns the result of `work`, until whose end its partner keeps its turn, even if the caller leaves: abandoned work
 * would pile up otherwise. Throws `request.left` (410) for a caller that has left.
 */
export async function whileInTurn<T>(req: Request, work: () => Promise<T>): Promise<T> {
  if (req.res?.closed === true) throw new Refusal('gone', 'request.left', 'The caller left.');
  const working = work();
  works.set(req, working);
  return working;
}

/**
 * Answers each partner's requests one after the other, each once the previous answer closed and its work ended. Throws
 * `TooManyAttempts` (429) beyond `mostWaiting`, and disconnects stalled readers, sooner if they ask again over another
 * connection. Other callers pass.
 */
export function createPartnerQueue({
  unread,
  mostWaiting = MAX_QUEUED,
  patience = STALL_TIMEOUTS,
}: {
  /** Receives partners that don't read their answers. */
  readonly unread: Pick<SlowReaders, 'recordStalled' | 'recordResumed'>;
  readonly mostWaiting?: number;
  readonly patience?: StallTimeouts;
}): RequestHandler {
  const queues = new Map<string, PartnerQueue>();

  return (req, res, next) => {
    const who = authenticatedCaller(req);
    if (who?.kind !== 'node') {
      next();
      return;
    }
    // Left during authentication: nobody would free its turn.
    if (res.closed) return;
    const { nodeID } = who.node;
    const queue = queues.get(nodeID);
    if (queue && queue.waiting.size >= mostWaiting)
      throw new TooManyAttempts(RETRY_SECONDS, 'requests at once');

    /** Starts a request: watches its answer for stalls, and starts the next once it closes. */
    const startRequest = (): void => {
      res.off('close', leaveQueue);
      res.once('close', () => {
        const goOn = (): void => startNext(nodeID);
        void Promise.resolve(works.get(req)).then(goOn, goOn);
      });
      const [path = ''] = req.originalUrl.split('?');
      watchForStall(res, patience, {
        stalled: () => {
          unread.recordStalled(nodeID, path);
          const stalled = queues.get(nodeID);
          if (!stalled) return;
          stalled.beforeStall = [...stalled.waiting];
          endAbandoned(stalled);
        },
        resumed: () => {
          unread.recordResumed(nodeID, path);
          const resumed = queues.get(nodeID);
          if (resumed) resumed.beforeStall = undefined;
        },
      });
      next();
    };
    const request = { url: req.originalUrl, socket: req.socket, start: startRequest };
    const leaveQueue = (): void => void queue?.waiting.delete(request);
    if (queue) {
      queue.waiting.add(request);
      res.once('close', leaveQueue);
      endAbandoned(queue);
    } else {
      queues.set(nodeID, { current: request, waiting: new Set() });
      startRequest();
    }
  };

  /**
   * Destroys a stalled connection, and those waiting before the stall, if the partner repeats the request over another
   * one: it has given up the answer.
   */
  function endAbandoned({ current, waiting, beforeStall }: PartnerQueue): void {
    const isRepeated = [...waiting].some(
      ({ url, socket }) => url === current.url && socket !== current.socket,
    );
    if (!beforeStall || !isRepeated) return;
    for (const { socket } of [current, ...beforeStall]) socket.destroy();
  }

  /** Starts the partner's next waiting request; forgets the partner without one. */
  function startNext(nodeID: string): void {
    const queue = queues.get(nodeID);
    const [first] = queue?.waiting ?? [];
    if (queue && first) {
      queue.waiting.delete(first);
      queue.current = first;
      queue.beforeStall = undefined;
      first.start();
    } else {
      queues.delete(nodeID);
    }
  }
}

/** Milliseconds of an unread answer. */
export interface StallTimeouts {
  readonly noticeAfter: number;
  /** Ends the connection: it may be broken, with the same partner waiting. */
  readonly endAfter: number;
}

/** Readers of 4 kB a second progress within ten seconds. */
const STALL_TIMEOUTS: StallTimeouts = { noticeAfter: 10_000, endAfter: 30_000 };

/** Several checks tell a busy node from a silent reader. */
const LOOKS = 5;
const LOOK_EVERY = 1000;

interface StallListener {
  /** Its reader takes nothing. */
  stalled(): void;
  /** Continues after a stall, or is complete. */
  resumed(): void;
}

/**
 * Calls `listener.stalled` once bytes to send rest for `patience.noticeAfter`, and `listener.resumed` when they move
 * again, and whenever the answer is complete. Destroys the connection after `patience.endAfter`.
 */
export function watchForStall(res: Response, patience: StallTimeouts, listener: StallListener): void {
  const every = Math.min(LOOK_EVERY, patience.noticeAfter / LOOKS);
  let before = '';
  let still = 0;
  let stands = false;

  /** Reports a stall or its end since the last look, and destroys a connection that stalls for too long. */
  function checkProgress(): void {
    const { socket } = res;
    if (!socket) return;
    const now = `${socket.bytesWritten} ${res.writableLength}`;
    still = res.writableLength === 0 || now !== before ? 0 : still + every;
    before = now;
    if (stands && still === 0) {
      stands = false;
      listener.resumed();
    } else if (!stands && still >= patience.noticeAfter) {
      stands = true;
      listener.stalled();
    }
    if (still >= patience.endAfter) socket.destroy();
  }

  const timer = setInterval(checkProgress, every);
  timer.unref();
  res.once('close', () => {
    clearInterval(timer);
    if (res.writableFinished) listener.resumed();
  });
}

/**
 * Allows each partner `most` open requests; throws `TooManyAttempts` (429) for more. Users and anonymous callers pass.
 */
export function limitConcurrency(most: number): RequestHandler {
  const open = new Map<string, number>();

  return (req, res, next) => {
    const who = authenticatedCaller(req);
    if (who === undefined || who.kind === 'user' || res.closed) {
      next();
      return;
    }
    const { nodeID } = who.node;
    const before = open.get(nodeID) ?? 0;
    if (before >= most) throw new TooManyAttempts(RETRY_SECONDS, 'requests at once');
    open.set(nodeID, before + 1);
    res.once('close', () => {
      const left = (open.get(nodeID) ?? 1) - 1;
      if (left > 0) open.set(nodeID, left);
      else open.delete(nodeID);
    });
    next();
  };
}
