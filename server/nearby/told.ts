import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isSeen, plainName } from '../base/plain-name.ts';

/** What offices tell each other on their network: that a Footbridge looks for partners, and its office's name. */

/** Under this name everybody asks, and everybody answers. */
export const SERVICE = '_footbridge._tcp.local';

/** Bytes of a name: a text in such an answer has 255, its own name among them. */
const MOST_BYTES = 240;
/** Letters of a name that are shown. */
const MOST_LETTERS = 100;
const NAME = 'name=';

/** Another office, as it calls itself: nobody has looked whether it is that one. */
export interface NearbyOffice {
  /** Drawn anew each time that it begins to look. */
  readonly key: string;
  readonly name: string;
}

const KEY = /^[a-f0-9]{16}$/;

/** A record of an answer as it was read off the network; records of other kinds are none of ours. */
const record = z.object({
  type: z.literal('TXT'),
  name: z.string().max(255),
  ttl: z.number().optional(),
  data: z.union([z.array(z.instanceof(Uint8Array)).max(8), z.instanceof(Uint8Array)]),
});
const answer = z.object({ answers: z.array(z.unknown()).max(64) });
const question = z.object({ questions: z.array(z.object({ name: z.string() })).max(64) });

/** The name as it is told to others: cut where a letter ends. */
export function tellableName(name: string): string {
  let told = plainName(name).trim();
  while (Buffer.byteLength(told) > MOST_BYTES) told = Array.from(told).slice(0, -1).join('');
  return told;
}

/** The one record by which an office is told. `ttl` 0 takes it back. */
export const recordOf = (
  { key, name }: NearbyOffice,
  ttl: number,
): { type: 'TXT'; name: string; ttl: number; data: string[] } => ({
  type: 'TXT',
  name: `${key}.${SERVICE}`,
  ttl,
  data: [NAME + tellableName(name)],
});

/** Whether somebody asks who is there; anything at all may come in. */
export function asksForUs(packet: unknown): boolean {
  const read = question.safeParse(packet);
  return read.success && read.data.questions.some(({ name }) => name.toLowerCase() === SERVICE);
}

/** The offices that an answer tells of, each with whether it is still there; anything at all may come in. */
export function officesIn(packet: unknown): readonly (NearbyOffice & { readonly gone: boolean })[] {
  const read = answer.safeParse(packet);
  if (!read.success) return [];
  return read.data.answers.flatMap((each) => {
    const known = record.safeParse(each);
    if (!known.success) return [];
    const { name, data, ttl } = known.data;
    const [key = '', ...service] = name.toLowerCase().split('.');
    if (!KEY.test(key) || service.join('.') !== SERVICE) return [];
    const texts = (Array.isArray(data) ? data : [data]).map((bytes) => Buffer.from(bytes).toString('utf8'));
    const told = texts.find((text) => text.startsWith(NAME))?.slice(NAME.length) ?? '';
    const shown = Array.from(plainName(told).trim()).slice(0, MOST_LETTERS).join('');
    return isSeen(shown) ? [{ key, name: shown, gone: ttl === 0 }] : [];
  });
}

/** Whether it came from a network of the office's own, or from this computer. */
export function isFromNearby(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ['private', 'linkLocal', 'uniqueLocal', 'loopback'].includes(ipaddr.process(address).range());
}
