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

/** Consecutive checks without a new byte, so that a blocked event loop isn't taken for a stalled sender. */
const STALL_LOOKS = 5;

/** Bodies of at most this length have turns of their own, so that they never wait for longer ones. */
const SHORT_BODY_BYTES = 1024 * 1024;

/** Size classes that don't wait for each other. A first look at a large file takes a small part of the work of the whole. */
type SizeClass = 'small' | 'first' | 'large';

/**
 * Receives a body with `receive`, then passes one request of each lane at a time on to the next handlers. A slow sender
 * does not delay those who have sent everything, nor a large file a small one. Each user has one short and one long
 * request in here; the user's further requests wait unread. Expects a known caller.
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
  const giveWay = (): void => undefined;

  /** A user's turn; removed with the user's last request. */
  function turnOf(req: Request, res: Response): Semaphore {
    const who = caller(req);
    const name = who.kind === 'user' ? `user ${who.userID}` : `partner ${who.node.nodeID}`;
    const key = `${name} ${lengthOf(req)}`;
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
    // Rejected when the request is closed while it waits: nobody is left to answer.
    const whenFree = (permits: Semaphore, drop = giveWay): Promise<Permit | undefined> =>
      permits.take({ signal, giveWay: drop }).catch(() => undefined);

    if (!(await whenFree(turnOf(req, res)))) return;
    const drop = (): void => dropStalled(req, res);
    const body = await whenFree(bodies[lengthOf(req)], drop);
    if (!body) return;
    const stopWatching = watchBody(req, res, limits.stallMs, drop);
    receive(req, res, (error?: unknown) => {
      stopWatching();
      body.arrived();
      if (error !== undefined) next(error);
      else
        void whenFree(work[sizeClassOf(req)]).then((permit) => {
          if (permit) next();
        });
    });
  };
}

/** Returns the lane of an unread body. One that is packed, or of unknown length, may be long. */
function lengthOf(req: Request): 'small' | 'large' {
  const length = Number(req.get('content-length') ?? Infinity);
  return length <= SHORT_BODY_BYTES && req.get('content-encoding') === undefined ? 'small' : 'large';
}

function sizeClassOf({ body, query }: { readonly body?: unknown; readonly query: object }): SizeClass {
  if (!Buffer.isBuffer(body) || isSmallFile(body)) return 'small';
  return 'first' in query ? 'first' : 'large';
}

/** Calls `onStall` once no byte came for `stallMs`. @returns stops watching */
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

/** Answers 408 and ends the connection, which releases everything that the request holds. */
function dropStalled(req: Request, res: Response): void {
  if (res.headersSent) return;
  const error = { code: 'request.stalled', message: sayerFor(req)(said('request.stalled')) };
  res.once('finish', () => req.socket.destroySoon());
  res
    .status(408)
    .set('Connection', 'close')
    .json({ error } satisfies ErrorBody);
}
