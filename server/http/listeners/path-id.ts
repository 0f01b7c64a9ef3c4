import type { Request } from 'express';
import { Refusal } from '../../base/refusal.ts';
import { id } from '../../contract/common.ts';

/** Returns an id of the path. Throws `path.id` (400) if it isn't one. */
export function pathID(req: Request, name: string): string {
  const parsed = id.safeParse(req.params[name]);
  if (parsed.success) return parsed.data;
  const text = String(req.params[name]).slice(0, 50);
  throw new Refusal('malformed', 'path.id', `“${text}” is not an id.`);
}
