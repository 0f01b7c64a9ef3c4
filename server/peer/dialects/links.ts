import { z } from 'zod';
import { ProtocolViolationError } from '../guard/errors.ts';
import { remoteID } from './records.ts';

const link = z.object({ href: z.string().max(4096) });

/**
 * Returns the list that a change link points to. Only its id is used: we call addresses below the verified
 * base only, never one that the partner writes (protocol: link entry). @throws ProtocolViolationError
 */
export function moduleInLink(item: unknown): string {
  const parsed = link.safeParse(item);
  if (!parsed.success) throw new ProtocolViolationError('a change link has no address.');
  const path = parsed.data.href.replace(/[?#].*$/, '');
  const found = /\/(?:modules|records)\/(\d+)(?:\/records)?\/?$/.exec(path)?.[1];
  const id = remoteID.safeParse(found);
  if (!id.success) throw new ProtocolViolationError('a change link names no list.');
  return id.data;
}
