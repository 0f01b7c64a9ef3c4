import type { Request, RequestHandler, Response } from 'express';
import { Semaphore, type Permit } from '../../base/concurrency/semaphore.ts';
import type { ErrorBody } from '../../contract/common.ts';
import { said } from '../../words/said.ts';
import { isSmallFile } from '../../lists/reading/read-in-worker.ts';
import { caller } from '../auth/caller.ts';
import { abortOnClose } from './abort-on-close.ts';
import { sayerFor } from './language.ts';

export interface UploadQueueLimits {
  /** A body without a new byte for this long is dropped. */
  readonly stallMs: number;
  /** A body that takes longer is dropped when another upload waits for its memory. */
  readonly receiveMs: number;
  /** Bodies in memory at a time; further ones wait unread. */
  readonly maxBodies: number;
}

const LIMITS: UploadQueueLimits = { stallMs: 10_000, receiveMs: 30_000, maxBodies: 3 };

/** Several, so that a blocked event loop isn't taken for a stalled sender. */
const STALL_LOOKS = 5;

/** Bodies up to this length have turns of their own. */
const SHORT_BODY_BYTES = 1024 * 1024;

/** Classes of work that don't wait for each other; `first`: the first look at a large file. */
type SizeClass = 'small' | 'first' | 'large';

/**
 * Returns middleware that receives bodies by `receive`, then passes one request per size class on at a time;
 * others wait, unread. Each user has one short and one long upload at a time. Throws 401 for anonymous
 * callers.
 */
export function queueUploads(receive: RequestHandler, limits: UploadQueueLimits = LIMITS): RequestHandler {
  const users = new Map<string, { readonly turn: Semaphore; requests: number }>();
  const bodiesFor = (): Semaphore => new Semaphore(limits.maxBodies, limits.receiveMs);
  const bodies = { small: bodiesFor(), large: bodiesFor() };
  const work: Readonly<Record<SizeClass, Semaphore>> = {
    small: new Semaphore(1, Infinity),
    first: new Semaphore(1, Infinity),
    large: new Semaphore(1, Infinity),
  };
  const ignorePreemption = (): void => undefined;

  /** Returns the user's semaphore for this length of body. */
  function userSemaphore(req: Request, res: Response): Semaphore {
    const who = caller(req);
    const name = who.kind === 'user' ? `user ${who.userID}` : `partner ${who.node.nodeID}`;
    const key = `${name} ${lengthClass(req)}`;
    const user = users.get(key) ?? { turn: new Semaphore(1, Infinity), requests: 0 };
    users.set(key, user);
    user.requests++;
    res.once('close', () => {
      user.requests--;
      if (user.requests === 0) users.delete(key);
    });
    return user.turn;
  }

  return async (req, res, next) => {
    // A request that was closed by now would never release its turn.
    if (res.closed) return;
    const signal = abortOnClose(req);
    /** Waits for a permit; undefined if the request closes meanwhile. */
    const takePermit = (permits: Semaphore, drop = ignorePreemption): Promise<Permit | undefined> =>
      permits.take({ signal, preempt: drop }).catch(() => undefined);

    if (!(await takePermit(userSemaphore(req, res)))) return;
    const drop = (): void => dropStalled(req, res);
    const body = await takePermit(bodies[lengthClass(req)], drop);
    if (!body) return;
    const stopWatching = watchBody(req, res, limits.stallMs, drop);
    receive(req, res, (error?: unknown) => {
      stopWatching();
      body.bodyReceived();
      if (error !== undefined) next(error);
      else
        void takePermit(work[sizeClassOf(req)]).then((permit) => {
          if (permit) next();
        });
    });
  };
}

/** Returns the class of an unread body by its length; a compressed one, or of unknown length, is large. */
function lengthClass(req: Request): 'small' | 'large' {
  const length = Number(req.get('content-length') ?? Infinity);
  return length <= SHORT_BODY_BYTES && req.get('content-encoding') === undefined ? 'small' : 'large';
}

/** Returns the size class of a received body. */
function sizeClassOf({ body, query }: { readonly body?: unknown; readonly query: object }): SizeClass {
  if (!Buffer.isBuffer(body) || isSmallFile(body)) return 'small';
  return 'first' in query ? 'first' : 'large';
}

/** Calls `onStall` once when no byte came for `stallMs`. Returns a function that stops watching. */
function watchBody(req: Request, res: Response, stallMs: number, onStall: () => void): () => void {
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

/** Answers 408 `request.stalled` and ends the connection; does nothing if the answer has begun. */
function dropStalled(req: Request, res: Response): void {
  if (res.headersSent) return;
  const error = { code: 'request.stalled', message: sayerFor(req)(said('request.stalled')) };
  res.once('finish', () => req.socket.destroySoon());
  res
    .status(408)
    .set('Connection', 'close')
    .json({ error } satisfies ErrorBody);
}
