import type { Field, Module, Row, Values } from '../definitions/model.ts';
import { createYielder } from '../../base/yield.ts';
import { titleOf } from './row-titles.ts';
import type { Rows } from './rows.ts';
import { valuesOf } from '../values/value-sets.ts';

export type ReferenceState = 'there' | 'bin' | 'gone' | 'unreadable';

export interface Reference {
  readonly state: ReferenceState;
  /** Empty for missing or empty rows. */
  readonly text: string;
}

/** By stored id. Others are a partner's texts, displayed unchanged. */
export type References = ReadonlyMap<string, Reference>;

export type ReferringField = Field & { readonly options: { readonly moduleID: string } };

/** Excludes columns of kind Record without a list. */
export const isReferring = (field: Field): field is ReferringField =>
  field.kind === 'Record' && field.options.moduleID !== undefined;

const ID = /^[1-9]\d{0,19}$/;
/** Shorter: perhaps a received order number; ours are longer (server/base/ids.ts). */
const SURELY_ID = /^\d{15,20}$/;
export const isSurelyID = (text: string): boolean => SURELY_ID.test(text);

type Found = { module: Module; rows: Rows } | 'unreadable' | undefined;
export type FindList = (moduleID: string) => Promise<Found>;

/**
 * Returns by id state and title of rows that values, received and previous values refer to. Without a row, ids of at
 * least 15 digits are `gone`, or `unreadable` with their list; shorter ones are absent, as they may be plain numbers.
 */
export async function resolveReferences(
  fields: readonly Field[],
  rows: readonly Row[],
  find: FindList,
): Promise<References> {
  const found = new Map<string, Reference>();
  const wanted = new Map<string, Set<string>>();
  for (const field of fields.filter(isReferring)) {
    const ids = wanted.get(field.options.moduleID) ?? new Set();
    wanted.set(field.options.moduleID, ids);
    for (const { values, received } of rows) {
      for (const source of [values, received?.values, received?.previous]) addIDs(ids, source, field.name);
    }
  }
  for (const [moduleID, named] of wanted) {
    const ids = [...named];
    if (ids.length === 0) continue;
    const list = await find(moduleID);
    if (list === 'unreadable') {
      for (const id of ids.filter(isSurelyID)) found.set(id, { state: 'unreadable', text: '' });
      continue;
    }
    const targets = list ? await list.rows.entries(ids) : [];
    const pause = createYielder();
    for (const [at, id] of ids.entries()) {
      const target = targets[at]?.value;
      if (target && list && !target.purged) found.set(id, describeReference(list.module, target));
      else if (isSurelyID(id) && !found.has(id)) found.set(id, { state: 'gone', text: '' });
      await pause();
    }
  }
  return found;
}

/** Returns a row's title (empty without one), and whether it is in the bin. */
const describeReference = ({ fields }: Module, { values, deletedAt }: Row): Reference => ({
  state: deletedAt === undefined ? 'there' : 'bin',
  text: titleOf(fields, values),
});

/** Adds the column's texts that may be row ids. */
function addIDs(ids: Set<string>, values: Values | undefined, name: string): void {
  if (values) for (const text of valuesOf(values, name)) if (ID.test(text)) ids.add(text);
}
