import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { isDeeperThan } from '../../base/json-depth.ts';
import { Refusal } from '../../base/refusal.ts';
import { MAX_KEYS, type Order, type SortKey } from '../query/sort.ts';

/** A page's sort and last key. */
export interface Cursor {
  readonly sort: string;
  /** Kinds and ids of sort columns: others' keys compare differently. */
  readonly columns: readonly string[];
  readonly key: SortKey;
}

const MAX_LENGTH = 8192;
const MAX_BYTES = 1024 * 1024;
/** {@link content} has this depth. */
const DEPTH = 2;
/** Cursors of other forms are refused. */
const FORM = 5;
const content = z.tuple([
  z.literal(FORM),
  z.string(),
  z.string().regex(/^\d{1,20}$/),
  z.array(z.string().nullable()).max(MAX_KEYS),
  z.array(z.string()).max(MAX_KEYS),
]);

/** Returns a cursor as deflated JSON in URL-safe base64. */
export function writeCursor({ sort, key, columns }: Cursor): string {
  return deflateRawSync(JSON.stringify([FORM, sort, key.recordID, key.keys, columns])).toString('base64url');
}

/** Returns the cursor of the page behind this key. */
export const cursorAfter = (order: Order, key: SortKey): string =>
  writeCursor({ sort: order.text, key, columns: describeColumns(order) });

const describeColumns = ({ parts }: Order): string[] =>
  parts.map(({ kind, fieldID }) => (fieldID === undefined ? kind : `${kind} ${fieldID}`));

/** Reads a cursor of {@link writeCursor}. Throws `page.cursor` for any other text, or an older version's. */
export function readCursor(text: string): Cursor {
  const parsed = content.safeParse(text.length > MAX_LENGTH ? undefined : decodeCursor(text));
  if (!parsed.success) throw invalidCursorRefusal();
  const [, sort, recordID, keys, columns] = parsed.data;
  return { sort, columns, key: { recordID, keys: keys.map((key) => key ?? undefined) } };
}

/** Inflates and parses a cursor; undefined if the text is none. */
function decodeCursor(text: string): unknown {
  try {
    const json = inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: MAX_BYTES });
    return isDeeperThan(DEPTH, json) ? undefined : JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}

/**
 * Returns the cursor's order; by id without keys. Throws `page.cursor` if a column of its sort is gone or converted, or
 * another column has its name.
 */
export function orderOfCursor(
  { sort, columns, key: { keys } }: Cursor,
  parse: (sort: string) => Order,
): Order {
  let order: Order;
  try {
    order = parse(sort);
    if (keys.length === 0 && order.parts.length > 0) order = parse('');
  } catch (cause) {
    const message = 'The page cursor sorts by a column that is not in this list. Start again without it.';
    throw new Refusal('malformed', 'page.cursor', message, { cause });
  }
  if (order.parts.length !== keys.length || columns.length !== keys.length) throw invalidCursorRefusal();
  if (describeColumns(order).every((column, at) => column === columns[at])) return order;
  const message =
    'A column that the page cursor sorts by has another name or kind now. Start again without it.';
  throw new Refusal('malformed', 'page.cursor', message);
}

/** Returns the refusal `page.cursor` for a text that is no cursor of ours. */
const invalidCursorRefusal = (): Refusal =>
  new Refusal(
    'malformed',
    'page.cursor',
    'The page cursor is none that was given out. Start again without it.',
  );
