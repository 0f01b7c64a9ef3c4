import { Router, type RequestHandler } from 'express';
import type { SlowReaders } from '../../../federation/sharing/slow-readers.ts';
import { requireNode, requireNodeOrUser, requirePartner, requireUser } from '../../auth/auth.ts';
import { authenticatedCaller } from '../../auth/caller.ts';
import { createPartnerQueue, limitConcurrency } from '../../listeners/per-partner-queue.ts';

export interface Guards {
  readonly admin: RequestHandler;
  readonly edit: RequestHandler;
  readonly read: RequestHandler;
  /** Admits partners' long polls, up to 8 at once: some may be of broken connections. */
  readonly wait: RequestHandler;
  /** Admits partners, and those we asked to pair, up to 4 calls at once. */
  readonly answer: RequestHandler;
  /** Admits partners, one call at a time. */
  readonly feed: RequestHandler;
  /** Likewise, and our own users for the share preview. */
  readonly feedOrViewer: RequestHandler;
}

/** Twice the maximum of waiting ones; newer ones end the oldest. */
const MAX_WAITS = 8;
const MAX_ANSWERS = 4;

/**
 * Creates the access checks, and limits for calls at once that count per set. `management`: from which computer users
 * manage; `unread` records partners that don't read their answers.
 */
export function createGuards(management: RequestHandler, unread: SlowReaders): Guards {
  const queue = createPartnerQueue({ unread });
  /** Lets users manage only from where `management` allows it; passes all others. */
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
    feed: inOrder(requireNode, queue),
    feedOrViewer: inOrder(usersFrom, requireNodeOrUser('viewer'), queue),
  };
}

/** Returns one handler that runs these in order. */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return Router().use(...handlers);
}
