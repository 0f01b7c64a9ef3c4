import type { Request, RequestHandler } from 'express';
import { requireUser } from '../auth/auth.ts';
import { caller } from '../auth/caller.ts';

export interface Guard {
  /** Viewers: reading. */
  readonly read: RequestHandler;
  /** Editors: sharing, mapping, lists, rows and sync. */
  readonly write: RequestHandler;
  /** Admins: partners, pairing, settings and backup. */
  readonly admin: RequestHandler;
}

export const guard: Guard = {
  read: requireUser('viewer'),
  write: requireUser('editor'),
  admin: requireUser('admin'),
};

/** Returns the requesting user's id, or our id of a partner. Throws 401 for anonymous callers. */
export function userOrPartnerID(req: Request): string {
  const who = caller(req);
  return who.kind === 'user' ? who.userID : who.node.nodeID;
}
