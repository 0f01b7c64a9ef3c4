import { z } from 'zod';
import { PartnerFaulty } from '../guard/errors.ts';
import { remoteID } from './records.ts';

const link = z.object({ href: z.string().max(4096) });

/**
 * The list that a change link points to. Only the id is taken from the address: what we call is always below
 * the base that was checked, never an address that the partner writes (protocol: link entry).
 * @throws PartnerFaulty
 */
export function moduleInLink(item: unknown): string {
  const parsed = link.safeParse(item);
  if (!parsed.success) throw new PartnerFaulty('a change link has no address.');
  const path = parsed.data.href.replace(/[?#].*$/, '');
  const found = /\/(?:modules|records)\/(\d+)(?:\/records)?\/?$/.exec(path)?.[1];
  const id = remoteID.safeParse(found);
  if (!id.success) throw new PartnerFaulty('a change link names no list.');
  return id.data;
}
