import type { Request, RequestHandler } from 'express';
import { requireUser } from '../auth/auth.ts';
import { caller } from '../auth/caller.ts';

/** Which role each kind of call needs (docs/interface.md: Who may). */
export interface Guard {
  /** Every read: viewer. */
  readonly read: RequestHandler;
  /** Sharing, matching, lists, rows, sync: editor. */
  readonly write: RequestHandler;
  /** Partners, pairing, settings, backup: admin. */
  readonly admin: RequestHandler;
}

export const guard: Guard = {
  read: requireUser('viewer'),
  write: requireUser('editor'),
  admin: requireUser('admin'),
};

/** Id of the user who sends this request. Only behind a {@link guard}. */
export function userOf(req: Request): string {
  const who = caller(req);
  return who.kind === 'user' ? who.userID : who.node.nodeID;
}
