import { Router, type RequestHandler } from 'express';
import type { SlowReaders } from '../../../federation/sharing/slow-readers.ts';
import { requireNode, requireNodeOrUser, requirePartner, requireUser } from '../../auth/auth.ts';
import { authenticatedCaller } from '../../auth/caller.ts';
import { limitConcurrency } from '../../listeners/concurrency-limit.ts';
import { createPartnerQueue } from '../../listeners/per-partner-queue.ts';

/** Who may: middlewares for the routes of this folder (docs/interface.md: Who may). */
export interface Guards {
  readonly admin: RequestHandler;
  readonly edit: RequestHandler;
  readonly read: RequestHandler;
  /** Partners that wait for news: a few at the same time, as some are left over from lines that broke. */
  readonly wait: RequestHandler;
  /** Partners, and those whom we asked to pair, with the token for their answer: a few at the same time. */
  readonly answer: RequestHandler;
  /** Partners that read what we share, or say how far they have read: one answer at a time. */
  readonly feed: RequestHandler;
  /** The same, and our own users for the partner's-eye view. */
  readonly feedOrViewer: RequestHandler;
}

/** Twice as many as may wait: the oldest of them are ended for newer ones. */
const MAX_WAITS = 8;
const MAX_ANSWERS = 4;

/** @param management stands before everything that users do: from where management is taken on this listener */
export function createGuards(management: RequestHandler, unread: SlowReaders): Guards {
  const turnstile = createPartnerQueue({ unread });
  const usersFrom: RequestHandler = (req, res, next) => {
    if (authenticatedCaller(req)?.kind === 'user') management(req, res, next);
    else next();
  };
  return {
    admin: inOrder(management, requireUser('admin')),
    edit: inOrder(management, requireUser('editor')),
    read: inOrder(management, requireUser('viewer')),
    wait: inOrder(requireNode, limitConcurrency(MAX_WAITS)),
    answer: inOrder(requirePartner, limitConcurrency(MAX_ANSWERS)),
    feed: inOrder(requireNode, turnstile),
    feedOrViewer: inOrder(usersFrom, requireNodeOrUser('viewer'), turnstile),
  };
}

/** One middleware of several. */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return Router().use(...handlers);
}
