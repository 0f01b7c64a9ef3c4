import type { Request, RequestHandler } from 'express';
import { requireUser } from '../auth/auth.ts';
import { caller } from '../auth/caller.ts';

/** The role for each kind of call (docs/interface.md: Who may). */
export interface Guard {
  /** Reads: viewer. */
  readonly read: RequestHandler;
  /** Sharing, mapping, lists, rows, sync: editor. */
  readonly write: RequestHandler;
  /** Partners, pairing, settings, backup: admin. */
  readonly admin: RequestHandler;
}

export const guard: Guard = {
  read: requireUser('viewer'),
  write: requireUser('editor'),
  admin: requireUser('admin'),
};

/** Returns the id of the requesting user; for a partner our id of it. Throws 401 for anonymous callers. */
export function userOf(req: Request): string {
  const who = caller(req);
  return who.kind === 'user' ? who.userID : who.node.nodeID;
}
