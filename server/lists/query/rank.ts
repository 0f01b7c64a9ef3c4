import { timeKey } from '../values/times.ts';
import { packUnit, unpacked } from './packed-keys.ts';
import type { Order, SortKey, SortPart } from './sort.ts';

/**
 * A row's place in an order as bytes: two rows stand to each other as their ranks do, byte by byte, and no two rows of
 * a list have the same. So whoever can order bytes can order rows, without knowing of languages, numbers or times.
 *
 * Differs from {@link Order.compare} in two things: of very long keys only the beginning counts, and times in spellings of
 * different lengths are ordered by what they say, also where some of them have the same length.
 */
export type Rank = Buffer;

/** To be part of every name under which ranks are kept: others stand in no order to those of another form. */
export const RANK_FORM = `2 ${process.versions.unicode ?? ''}`;

/** Bytes of all keys of a rank together; indexes of databases do not take much more. */
const MAX_BYTES = 1800;
/** In front of a key, in any direction: rows without one come last. */
const HAS_KEY = 1;
const HAS_NONE = 2;
/** Between what a time is ordered by and how it is written: before everything that may stand there. */
const BEHIND_TIME = '\u0000';

/** A rank while it is written: there are very many, and each is copied out of here once it is there. */
const writing = Buffer.alloc(MAX_BYTES + 300);

/** The rank of a row of this key. */
export function rankOf({ parts }: Order, { recordID, keys }: SortKey): Rank {
  const most = Math.floor(MAX_BYTES / Math.max(1, parts.length));
  let end = 0;
  for (const [at, part] of parts.entries()) end = writeKey(part, keys[at], end, most);
  // Ids are in order by their length, and then by their digits.
  writing[end++] = recordID.length;
  end += writing.write(recordID, end, 'latin1');
  return Buffer.from(writing.subarray(0, end));
}

/** The key that a rank was made of, as far as it counted. */
export function keyOfRank({ parts }: Order, rank: Rank, recordID: string): SortKey {
  let at = 0;
  const keys = parts.map(({ kind, descending }) => {
    if (rank[at++] === HAS_NONE) return undefined;
    const end = rank.indexOf(descending ? 0xff : 0, at);
    const bytes = Uint8Array.from(rank.subarray(at, end + 1), (byte) => (descending ? 0xff - byte : byte));
    at = end + 1;
    const text = unpacked(bytes, 0);
    return kind === 'DateTime' ? text.slice(text.indexOf(BEHIND_TIME) + 1) : text;
  });
  return { recordID, keys };
}

/** Writes the key from there on, in so many bytes at most; answers where the next one goes. */
function writeKey(
  { kind, descending }: SortPart,
  key: string | undefined,
  start: number,
  most: number,
): number {
  if (key === undefined) {
    writing[start] = HAS_NONE;
    return start + 1;
  }
  const text = kind === 'DateTime' ? timeKey(key) + BEHIND_TIME + key : key;
  writing[start] = HAS_KEY;
  let end = start + 1;
  for (let unit = 0; unit < text.length && end + LARGEST_UNIT < start + most; unit++)
    end = packUnit(text.charCodeAt(unit), writing, end);
  writing[end++] = 0;
  if (descending) for (let at = start + 1; at < end; at++) writing[at] = 0xff - (writing[at] ?? 0);
  return end;
}

/** Bytes of a code unit at most, and of the end behind it. */
const LARGEST_UNIT = 5;
