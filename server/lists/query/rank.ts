import { timeKey } from '../values/times.ts';
import { packUnit, unpackText } from './packed-keys.ts';
import type { Order, SortKey, SortPart } from './sort.ts';

/**
 * Unique in a list; compares bytewise like its row. Unlike {@link Order.compare}, very long keys are cut, and
 * times compare by meaning.
 */
export type Rank = Buffer;

/** Ranks of other forms don't compare. */
export const RANK_FORM = `2 ${process.versions.unicode ?? ''}`;

/** Limit of a rank's keys together, near that of database indexes. */
const MAX_BYTES = 1800;
/** Before a key in either direction: rows without one come last. */
const HAS_KEY = 1;
const HAS_NONE = 2;
/** Separates a time from its spelling; sorts before content. */
const BEHIND_TIME = '\u0000';

const writing = Buffer.alloc(MAX_BYTES + 300);

/** Returns bytes that compare like the rows; keys are cut to 1,800 bytes in all. */
export function encodeRank({ parts }: Order, { recordID, keys }: SortKey): Rank {
  const most = Math.floor(MAX_BYTES / Math.max(1, parts.length));
  let end = 0;
  for (const [at, part] of parts.entries()) end = writeKey(part, keys[at], end, most);
  // By length, then digits.
  writing[end++] = recordID.length;
  end += writing.write(recordID, end, 'latin1');
  return Buffer.from(writing.subarray(0, end));
}

/** Returns the sort key as far as it was encoded. */
export function decodeRank({ parts }: Order, rank: Rank, recordID: string): SortKey {
  let at = 0;
  const keys = parts.map(({ kind, descending }) => {
    if (rank[at++] === HAS_NONE) return undefined;
    const end = rank.indexOf(descending ? 0xff : 0, at);
    const bytes = Uint8Array.from(rank.subarray(at, end + 1), (byte) => (descending ? 0xff - byte : byte));
    at = end + 1;
    const text = unpackText(bytes, 0);
    return kind === 'DateTime' ? text.slice(text.indexOf(BEHIND_TIME) + 1) : text;
  });
  return { recordID, keys };
}

/**
 * Writes a key into {@link writing} from `start` on, cut to `maxBytes`, inverted if descending; a single byte for
 * undefined. Returns the index after it.
 */
function writeKey(
  { kind, descending }: SortPart,
  key: string | undefined,
  start: number,
  maxBytes: number,
): number {
  if (key === undefined) {
    writing[start] = HAS_NONE;
    return start + 1;
  }
  const text = kind === 'DateTime' ? timeKey(key) + BEHIND_TIME + key : key;
  writing[start] = HAS_KEY;
  let end = start + 1;
  for (let unit = 0; unit < text.length && end + LARGEST_UNIT < start + maxBytes; unit++)
    end = packUnit(text.charCodeAt(unit), writing, end);
  writing[end++] = 0;
  if (descending) for (let at = start + 1; at < end; at++) writing[at] = 0xff - (writing[at] ?? 0);
  return end;
}

const LARGEST_UNIT = 5;
