import type { ArrivedRow } from '../contract/app/lists.ts';
import type { Module, Row } from '../lists/definitions/model.ts';
import type { Lists } from '../lists/lists.ts';
import type { Reference } from '../lists/rows/references.ts';
import { countValueChars, MAX_PAGE_CHARS } from '../lists/rows/row-size.ts';
import type { Rows } from '../lists/rows/rows.ts';
import { hasSameTexts, valuesOf } from '../lists/values/value-sets.ts';
import { expandChanges, withNewValues, type ColumnChange } from './row-history.ts';

/** One partner's rows of a time range (milliseconds since the epoch, inclusive). */
export interface ArrivedWhen {
  readonly nodeID: string;
  readonly from: number;
  readonly until: number;
  readonly did?: ArrivedRow['did'] | undefined;
  readonly limit: number;
}

export interface Arrived {
  readonly rows: readonly ArrivedRow[];
  readonly more: boolean;
  readonly references: ReadonlyMap<string, Reference>;
}

const PAGE = 500;
const MAX_ROWS = 20_000;

/**
 * Returns rows that a partner brought, latest first, with previous and new values. Stops at `when.limit`, at a size, or
 * after the latest 20,000 changed rows: then there may be `more`. Throws `list.unknown` (404).
 */
export async function findArrivedRows(
  { lists }: { readonly lists: Pick<Lists, 'module' | 'rows' | 'references'> },
  moduleID: string,
  when: ArrivedWhen,
): Promise<Arrived> {
  const [module, rows] = await Promise.all([lists.module(moduleID), lists.rows(moduleID)]);
  const found: { readonly row: Row; readonly arrived: ArrivedRow }[] = [];
  let [looked, letters] = [0, 0];
  let more = false;
  let cursor: string | undefined;
  do {
    const page = await rows.list({
      limit: PAGE,
      sort: 'updatedAt DESC',
      query: `updatedAt >= '${new Date(when.from).toISOString()}'`,
      deleted: 1,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const row of page.rows) {
      const arrived = await toArrivedRow(rows, module, row, when);
      if (!arrived) continue;
      letters += countValueChars(arrived.values);
      for (const { was, now } of arrived.columns) letters += countValueChars({ was, now });
      more = found.length === when.limit || (found.length > 0 && letters > MAX_PAGE_CHARS);
      if (more) break;
      found.push({ row, arrived });
    }
    looked += page.rows.length;
    cursor = page.nextPage;
    more ||= cursor !== undefined && looked >= MAX_ROWS;
  } while (cursor !== undefined && !more);
  const named = found.flatMap(({ row, arrived: { columns } }) => [row, ...expandChanges(row, [{ columns }])]);
  return {
    rows: found.map(({ arrived }) => arrived),
    more,
    references: await lists.references(moduleID, named),
  };
}

/**
 * Returns what the partner did to a row in the period, if anything: the first of removed, changed, new, or only
 * `when.did`. A column's changes become one, from the first previous to the last new value; only a changed row has any.
 */
async function toArrivedRow(
  rows: Rows,
  module: Module,
  row: Row,
  when: ArrivedWhen,
): Promise<ArrivedRow | undefined> {
  const isInPeriod = (time: string): boolean => {
    const at = Date.parse(time);
    return at >= when.from && at <= when.until;
  };
  const came = row.received ?? row.former;
  const sources = came?.ways ?? (came ? [came] : []);
  const isNew = isInPeriod(row.createdAt) && sources.some(({ nodeID }) => nodeID === when.nodeID);
  const changes = withNewValues((await rows.history(row.recordID)).changes, row, module).filter(
    ({ from, at }) => from === when.nodeID && isInPeriod(at),
  );
  const columns = new Map<string, ColumnChange & { readonly own: boolean }>();
  for (const { name, was, now } of changes.flatMap((change) => change.columns))
    columns.set(name, { name, was: columns.get(name)?.was ?? was, now, own: false });
  if (came?.nodeID === when.nodeID && isInPeriod(came.receivedAt))
    for (const change of hiddenByEdits(row, module)) columns.set(change.name, { ...change, own: true });
  const became: Readonly<Record<ArrivedRow['did'], boolean>> = {
    removed: changes.at(-1)?.did === 'removed',
    new: isNew,
    changed: columns.size > 0,
  };
  const did = when.did ?? (['removed', 'changed', 'new'] as const).find((each) => became[each]);
  if (did === undefined || !became[did]) return undefined;
  const values = Object.fromEntries(
    Object.entries(row.values).map(([name, texts]): [string, string[]] => [name, [...texts]]),
  );
  return { recordID: row.recordID, did, values, columns: did === 'changed' ? [...columns.values()] : [] };
}

/** Returns columns the partner changed last, if our user's edits hide their new values. */
function hiddenByEdits({ received }: Row, { fields }: Module): ColumnChange[] {
  const { previous, values, edited } = received ?? {};
  if (!previous || !values || !edited) return [];
  return fields.flatMap(({ name }) => {
    const [was, now] = [valuesOf(previous, name), valuesOf(values, name)];
    return edited.includes(name) && !hasSameTexts(was, now) ? [{ name, was: [...was], now: [...now] }] : [];
  });
}
