import express, { type Request, type RequestHandler, type Response } from 'express';
import { Semaphore, type Permit } from '../../base/concurrency/semaphore.ts';
import type { ErrorBody } from '../../contract/common.ts';
import { said, type Said } from '../../words/said.ts';
import type { WorkSize } from '../../base/concurrency/worker-pool.ts';
import { sizeOfWork } from '../../lists/reading/read-in-worker.ts';
import { caller } from '../auth/caller.ts';
import { abortOnClose } from './abort-on-close.ts';
import { sayerFor } from './language.ts';

export interface UploadQueueLimits {
  /** Drops a body without new bytes. */
  readonly stallMs: number;
  /** Drops a slower body if another waits for its memory. */
  readonly receiveMs: number;
  /** Refuses uploads that wait unread for longer: the server would cut them after two minutes. */
  readonly waitMs: number;
  /** Bodies in memory; further ones wait unread. */
  readonly maxBodies: Readonly<Record<WorkSize, number>>;
}

const LIMITS: UploadQueueLimits = {
  stallMs: 10_000,
  receiveMs: 30_000,
  waitMs: 100_000,
  maxBodies: { small: 3, first: 1, large: 2 },
};

/** Several tell a blocked event loop from a stalled sender. */
const STALL_LOOKS = 5;

const SHORT_BODY_BYTES = 1024 * 1024;
/** A caller's short but costly bodies, such as dense workbooks, beside the one being received. */
const MAX_DENSE = 4;

/**
 * Receives a body by `receive`, then passes on one request per size class at a time; others wait unread, so that a slow
 * sender or a large file doesn't delay others. Each caller may have one of each length class at a time. Slow, stalled
 * and long waiting ones get 408 or 503.
 */
export function queueUploads(receive: RequestHandler, limits: UploadQueueLimits = LIMITS): RequestHandler {
  const callers = new Map<string, CallerUploads>();
  const bodies = {
    small: new Semaphore(limits.maxBodies.small, limits.receiveMs),
    first: new Semaphore(limits.maxBodies.first, limits.receiveMs),
    large: new Semaphore(limits.maxBodies.large, limits.receiveMs),
  };
  const work: Readonly<Record<WorkSize, Semaphore>> = {
    small: new Semaphore(1, Infinity),
    first: new Semaphore(1, Infinity),
    large: new Semaphore(1, Infinity),
  };
  const ignorePreemption = (): void => undefined;

  /**
   * Returns the caller's permits, shared by its open requests; forgets them when the last one closes. Counts this
   * request.
   */
  function trackCaller(req: Request, res: Response): CallerUploads {
    const who = caller(req);
    const key = who.kind === 'user' ? `user ${who.userID}` : `partner ${who.node.nodeID}`;
    const uploads = callers.get(key) ?? {
      small: new Semaphore(1, Infinity),
      first: new Semaphore(1, Infinity),
      large: new Semaphore(1, Infinity),
      dense: new Semaphore(MAX_DENSE, Infinity),
      requests: 0,
    };
    callers.set(key, uploads);
    uploads.requests++;
    res.once('close', () => {
      uploads.requests--;
      if (uploads.requests === 0) callers.delete(key);
    });
    return uploads;
  }

  return async (req, res, next) => {
    // Would never release its turn.
    if (res.closed) return;
    const signal = abortOnClose(req);
    const takePermit = (permits: Semaphore, drop = ignorePreemption): Promise<Permit | undefined> =>
      permits.acquire({ signal, preempt: drop }).catch(() => undefined);

    const until = performance.now() + limits.waitMs;
    /**
     * Acquires a permit before the body is read; after `limits.waitMs` answers 503 and returns undefined. An aborted
     * request waits no longer.
     */
    const acquireBeforeBody = async (
      permits: Semaphore,
      preempt = ignorePreemption,
    ): Promise<Permit | undefined> => {
      const end = new AbortController();
      const leave = (): void => end.abort();
      signal.addEventListener('abort', leave, { once: true });
      const timer = setTimeout(leave, until - performance.now());
      const permit = await permits.acquire({ signal: end.signal, preempt }).catch(() => undefined);
      clearTimeout(timer);
      if (!permit)
        refuseUnread(req, res, { status: 503, code: 'request.waited', words: said('request.waited') });
      return permit;
    };
    const uploads = trackCaller(req, res);
    const length = lengthClass(req);
    const turn = await acquireBeforeBody(uploads[length]);
    if (!turn) return;
    const drop = (): void => dropStalled(req, res);
    const body = await acquireBeforeBody(bodies[length], drop);
    if (!body) return;
    const stopWatching = watchForStalledBody(req, res, limits.stallMs, drop);
    /**
     * Passes the received body on by `next` once its size class is free; doesn't if the request ends meanwhile. A short
     * body that is much work gives up its first permits: the caller's other short uploads don't wait for it.
     */
    const passOn = async (): Promise<void> => {
      const size = sizeClassOf(req);
      if (length === 'small' && size !== 'small') {
        if (!(await takePermit(uploads.dense))) return;
        turn.release();
        body.release();
      }
      if (await takePermit(work[size])) next();
    };
    receive(req, res, (error?: unknown) => {
      stopWatching();
      body.bodyReceived();
      if (error !== undefined) next(error);
      else void passOn();
    });
  };
}

interface CallerUploads extends Readonly<Record<WorkSize | 'dense', Semaphore>> {
  requests: number;
}

/**
 * Receives a file of at most `limit` bytes as `req.body`. A long unencoded one of known length goes into one buffer,
 * whatever its type: joining `express.raw`'s pieces would take the memory twice. Leaves all others to `express.raw`.
 */
export function receiveFile(options: {
  readonly type: string[] | (() => boolean);
  readonly limit: number;
}): RequestHandler {
  const receive: RequestHandler = express.raw(options);
  return (req, res, next) => {
    const length = Number(req.get('content-length'));
    const isWhole = length > SHORT_BODY_BYTES && length <= options.limit;
    if (!isWhole || req.get('content-encoding') !== undefined) {
      void receive(req, res, next);
      return;
    }
    const body = Buffer.allocUnsafeSlow(length);
    let received = 0;
    req.on('data', (piece: Buffer) => (received += piece.copy(body, received)));
    req.once('end', () => {
      req.body = body.subarray(0, received);
      next();
    });
  };
}

/**
 * Returns the body's class by length: `small`, or a long one as `first` if only its beginning is wanted. A compressed
 * body, or of unknown length, is long.
 */
function lengthClass(req: Request): WorkSize {
  const length = Number(req.get('content-length') ?? Infinity);
  if (length <= SHORT_BODY_BYTES && req.get('content-encoding') === undefined) return 'small';
  return 'first' in req.query ? 'first' : 'large';
}

/** Small files and JSON, first looks at large files, or large files. */
const sizeClassOf = ({ body, query }: { readonly body?: unknown; readonly query: object }): WorkSize =>
  Buffer.isBuffer(body) ? sizeOfWork(body, 'first' in query) : 'small';

/**
 * Calls `onStall` once if no byte comes for `stallMs`; returns a function that ends the watch. It also ends with the
 * answer.
 */
function watchForStalledBody(req: Request, res: Response, stallMs: number, onStall: () => void): () => void {
  let before = req.socket.bytesRead;
  let still = 0;
  const timer = setInterval(() => {
    const now = req.socket.bytesRead;
    still = now === before ? still + 1 : 0;
    before = now;
    if (still < STALL_LOOKS) return;
    clearInterval(timer);
    onStall();
  }, stallMs / STALL_LOOKS);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  res.once('close', stop);
  return stop;
}

const dropStalled = (req: Request, res: Response): void =>
  refuseUnread(req, res, { status: 408, code: 'request.stalled', words: said('request.stalled') });

/**
 * Answers a request without reading its body, and ends the connection once it is sent; a no-op if an answer has begun.
 */
function refuseUnread(
  req: Request,
  res: Response,
  { status, code, words }: { readonly status: number; readonly code: string; readonly words: Said },
): void {
  if (res.headersSent || res.closed) return;
  const error = { code, message: sayerFor(req)(words) };
  res.once('finish', () => req.socket.destroySoon());
  res
    .status(status)
    .set('Connection', 'close')
    .json({ error } satisfies ErrorBody);
}
