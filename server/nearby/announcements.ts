import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isVisibleText, plainName } from '../base/plain-name.ts';

export const SERVICE = '_footbridge._tcp.local';

/** A text record has 255 bytes, key included. */
const MAX_BYTES = 240;
const MAX_LETTERS = 100;
const NAME = 'name=';

/** Another office; its name is unverified. */
export interface NearbyOffice {
  /** Random for each search. */
  readonly key: string;
  readonly name: string;
}

const KEY = /^[a-f0-9]{16}$/;

/** A record of an answer from the network; other kinds are ignored. */
const record = z.object({
  type: z.literal('TXT'),
  name: z.string().max(255),
  ttl: z.number().optional(),
  data: z.union([z.array(z.instanceof(Uint8Array)).max(8), z.instanceof(Uint8Array)]),
});
const answer = z.object({ answers: z.array(z.unknown()).max(64) });
const question = z.object({ questions: z.array(z.object({ name: z.string() })).max(64) });

/** Returns an office's name as it is sent: visible characters only, and shortened at a character's end to 240 bytes. */
export function announcedName(name: string): string {
  let sent = plainName(name).trim();
  while (Buffer.byteLength(sent) > MAX_BYTES) sent = Array.from(sent).slice(0, -1).join('');
  return sent;
}

/** Returns the DNS record that announces an office. @param ttl seconds for which it is valid; 0 withdraws it */
export const announcementRecord = (
  { key, name }: NearbyOffice,
  ttl: number,
): { type: 'TXT'; name: string; ttl: number; data: string[] } => ({
  type: 'TXT',
  name: `${key}.${SERVICE}`,
  ttl,
  data: [NAME + announcedName(name)],
});

/** Returns whether a packet asks for offices; false for any other content. */
export function asksForOffices(packet: unknown): boolean {
  const read = question.safeParse(packet);
  return read.success && read.data.questions.some(({ name }) => name.toLowerCase() === SERVICE);
}

/**
 * Returns the offices that an mDNS packet announces or withdraws (`gone`), each with its visible name of at most 100
 * characters; none for any other content.
 */
export function readOffices(packet: unknown): readonly (NearbyOffice & { readonly gone: boolean })[] {
  const read = answer.safeParse(packet);
  if (!read.success) return [];
  return read.data.answers.flatMap((each) => {
    const known = record.safeParse(each);
    if (!known.success) return [];
    const { name, data, ttl } = known.data;
    const [key = '', ...service] = name.toLowerCase().split('.');
    if (!KEY.test(key) || service.join('.') !== SERVICE) return [];
    const texts = (Array.isArray(data) ? data : [data]).map((bytes) => Buffer.from(bytes).toString('utf8'));
    const sent = texts.find((text) => text.startsWith(NAME))?.slice(NAME.length) ?? '';
    const shown = Array.from(plainName(sent).trim()).slice(0, MAX_LETTERS).join('');
    return isVisibleText(shown) ? [{ key, name: shown, gone: ttl === 0 }] : [];
  });
}

/** Returns whether a sender's address is private, link-local or of this computer; false if it is no address. */
export function isFromNearby(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ['private', 'linkLocal', 'uniqueLocal', 'loopback'].includes(ipaddr.process(address).range());
}
