import { Router, type RequestHandler } from 'express';
import type { Unread } from '../../../federation/sharing/unread.ts';
import { requireNode, requireNodeOrUser, requirePartner, requireUser } from '../../auth/auth.ts';
import { knownCaller } from '../../auth/caller.ts';
import { createTurnstile } from '../../listeners/turnstile.ts';

/** Who may: middlewares for the routes of this folder (docs/interface.md: Who may). */
export interface Guards {
  readonly admin: RequestHandler;
  readonly edit: RequestHandler;
  readonly read: RequestHandler;
  /** Partners with their node token. */
  readonly node: RequestHandler;
  /** Partners, and those whom we asked to pair, with the token for their answer. */
  readonly answer: RequestHandler;
  /** Partners that read what we share: one answer at a time. */
  readonly feed: RequestHandler;
  /** The same, and our own users for the partner's-eye view. */
  readonly feedOrViewer: RequestHandler;
}

/** @param management stands before everything that users do: from where management is taken on this listener */
export function createGuards(management: RequestHandler, unread: Unread): Guards {
  const turnstile = createTurnstile({ unread });
  const usersFrom: RequestHandler = (req, res, next) => {
    if (knownCaller(req)?.kind === 'user') management(req, res, next);
    else next();
  };
  return {
    admin: inOrder(management, requireUser('admin')),
    edit: inOrder(management, requireUser('editor')),
    read: inOrder(management, requireUser('viewer')),
    node: requireNode,
    answer: requirePartner,
    feed: inOrder(requireNode, turnstile),
    feedOrViewer: inOrder(usersFrom, requireNodeOrUser('viewer'), turnstile),
  };
}

/** One middleware of several. */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return Router().use(...handlers);
}
