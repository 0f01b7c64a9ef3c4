import type { RowHistory } from '../contract/app/lists.ts';
import { omit } from '../base/omit.ts';
import type { Federation } from '../federation/federation.ts';
import type { Module, Row, Values } from '../lists/definitions/model.ts';
import type { Lists } from '../lists/lists.ts';
import type { PastChange } from '../lists/rows/row-history.ts';
import type { Rows } from '../lists/rows/rows.ts';
import { hasSameTexts, valuesOf } from '../lists/values/value-sets.ts';
import { partnerNames } from './partner-names.ts';

type Change = RowHistory['changes'][number];
type Who = Pick<Change, 'who' | 'nodeID' | 'partner' | 'file'>;

const OFFICE = '0';

/**
 * Returns a row's history, latest change first; if none is stored, what the partner changed last. Throws `row.unknown`,
 * `list.unknown` (404).
 */
export async function rowHistoryOf(
  deps: { readonly lists: Pick<Lists, 'module' | 'rows' | 'references'>; readonly federation: Federation },
  moduleID: string,
  recordID: string,
): Promise<RowHistory> {
  const [module, rows, names] = await Promise.all([
    deps.lists.module(moduleID),
    deps.lists.rows(moduleID),
    partnerNames(deps.federation),
  ]);
  const row = await rows.get(recordID);
  const known = await rows.history(recordID);
  const who = (by: string, at: string, from?: string): Promise<Who> =>
    authorOf(rows, names, { by, at, from });
  const kept = await Promise.all(
    withNewValues(known.changes, row, module)
      .toReversed()
      .map(async ({ at, by, from, did, times, columns }): Promise<Change> => {
        const whose = await who(by, at, from);
        // A merged entry may have changes from several files.
        const made = times === undefined ? whose : omit(whose, 'file');
        const more = { ...(did === undefined ? {} : { did }), ...(times === undefined ? {} : { times }) };
        return { ...made, at, columns, ...more };
      }),
  );
  const changes = kept.length > 0 ? kept : toArrivalChange(row, module, names);
  const references = await deps.lists.references(moduleID, expandChanges(row, changes));
  return {
    made: { ...(await creatorOf(row, who)), at: row.createdAt },
    changes,
    older: known.older === true || (kept.length === 0 && row.updatedAt !== row.createdAt),
    ...(references.size > 0 ? { references: Object.fromEntries(references) } : {}),
  };
}

/** Returns who created a row: `partners` if several bring it. */
function creatorOf(
  { received, former, createdBy, createdAt }: Row,
  who: (by: string, at: string, from?: string) => Promise<Who>,
): Who | Promise<Who> {
  const came = received ?? former;
  return came?.ways ? { who: 'partners' } : who(createdBy, createdAt, came?.nodeID);
}

/** Returns who made a change: the partner `from`, our user, or a script; with the file for an import. */
async function authorOf(
  rows: Rows,
  names: ReadonlyMap<string, string>,
  { by, at, from }: { readonly by: string; readonly at: string; readonly from: string | undefined },
): Promise<Who> {
  if (from !== undefined) return { who: 'partner', nodeID: from, partner: names.get(from) ?? '' };
  const file = await rows.importedFrom(at, by);
  return { who: by === OFFICE ? 'office' : 'program', ...(file === undefined ? {} : { file }) };
}

export type ColumnChange = Change['columns'][number];
type WithColumns = Omit<PastChange, 'was'> & Pick<Change, 'columns'>;

/**
 * Adds the values after each change: those before the next one, or the present ones. `changes` are oldest first and
 * stay so. Omits those that touched deleted columns only.
 */
export function withNewValues(changes: readonly PastChange[], row: Row, { fields }: Module): WithColumns[] {
  const now = new Map(fields.map(({ fieldID, name }) => [fieldID, [...valuesOf(row.values, name)]]));
  return changes
    .toReversed()
    .map(({ was, ...change }) => {
      const columns = fields.flatMap(({ fieldID, name }) => {
        const texts = was[fieldID];
        return texts ? [{ name, was: [...texts], now: now.get(fieldID) ?? [] }] : [];
      });
      for (const [fieldID, texts] of Object.entries(was)) now.set(fieldID, [...texts]);
      return { ...change, columns };
    })
    .filter(({ did, columns }) => did !== undefined || columns.length > 0)
    .toReversed();
}

/** Returns the partner's last change, for rows without stored history; [] if unknown or without differences. */
function toArrivalChange(
  { received }: Row,
  { fields }: Module,
  names: ReadonlyMap<string, string>,
): Change[] {
  const { previous } = received ?? {};
  if (!received || !previous) return [];
  const columns = fields.flatMap(({ name }) => {
    const was = valuesOf(previous, name);
    const now = valuesOf(received.values, name);
    return Object.hasOwn(previous, name) && !hasSameTexts(was, now)
      ? [{ name, was: [...was], now: [...now] }]
      : [];
  });
  if (columns.length === 0) return [];
  const { nodeID, receivedAt: at } = received;
  return [{ who: 'partner', nodeID, partner: names.get(nodeID) ?? '', at, columns }];
}

/** Returns a row for each set of values, so that titles of references in them can be looked up. */
export function expandChanges(row: Row, changes: readonly Pick<Change, 'columns'>[]): Row[] {
  return changes.flatMap(({ columns }) =>
    (['was', 'now'] as const).map((side): Row => {
      const values: Values = Object.fromEntries(columns.map((column) => [column.name, column[side]]));
      return { recordID: row.recordID, createdAt: '', createdBy: '', updatedAt: '', updatedBy: '', values };
    }),
  );
}
