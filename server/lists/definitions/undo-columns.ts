import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Ids } from '../../base/ids.ts';
import { readCell, withCell, withoutCell, type RowCell } from '../rows/row-cell.ts';
import {
  groupCellsByRow,
  isSameCell,
  type CellStep,
  type Definition,
  type DefinitionStep,
  type StepBegun,
  type StepKind,
} from '../rows/undo-log.ts';
import { withColumnInPlace, type BinnedColumn } from './column-bin.ts';
import { isFreeName, withFreeName } from './fields.ts';
import type { Field, Module, Row } from './model.ts';

const MAX_TITLES = 5;

export interface ChangeAs {
  readonly by?: string | undefined;
  /** The step to undo or redo, and its effect on cells. */
  readonly begun?: StepBegun;
  readonly turns?: readonly CellStep[];
  /** Runs before the change, and again once no row can be written. */
  readonly check?: Check | undefined;
}

/** Throws a refusal if the change isn't allowed; runs exclusively. */
export type Check = () => Promise<void>;

export interface RecordedStep {
  readonly begun: StepBegun;
  readonly was: Definition;
  readonly became: Definition;
}

/**
 * Returns the undo step of a change of columns: `begun` if given, as when that is undone. Otherwise a new one;
 * undefined if no user made the change or nothing undoable changed.
 */
export function createColumnStep(
  before: Definition,
  after: Definition,
  { by, begun }: ChangeAs,
  ids: Ids,
): RecordedStep | undefined {
  const was = { name: before.name, fields: before.fields };
  const became = { name: after.name, fields: after.fields };
  const changed = describeChange(was, became);
  const own = changed && by !== undefined ? { ...changed, stepID: ids.next(), by } : undefined;
  const step = begun ?? own;
  return step && { begun: step, was, became };
}

/** Returns the kind of the change and up to five column titles; undefined if nothing undoable changed. */
function describeChange(
  was: Definition,
  became: Definition,
): { readonly kind: StepKind; readonly columns: readonly string[] } | undefined {
  const added = fieldsMissingIn(became.fields, was.fields);
  const deleted = fieldsMissingIn(was.fields, became.fields);
  const changed = became.fields.filter((field) => {
    const old = was.fields.find(({ fieldID }) => fieldID === field.fieldID);
    return old !== undefined && !isSame(old, field);
  });
  const ids = ({ fields }: Definition): string[] => fields.map(({ fieldID }) => fieldID);
  const isMoved = added.length + deleted.length === 0 && !isSame(ids(was), ids(became));
  const all = [...deleted, ...added, ...changed];
  const columns = all.slice(0, MAX_TITLES).map(({ label, name }) => label || name);
  if (all.length === 0 && !isMoved) return was.name === became.name ? undefined : { kind: 'name', columns };
  if (deleted.length === all.length && !isMoved) return { kind: 'columns-delete', columns };
  if (added.length === all.length && !isMoved) return { kind: 'columns-add', columns };
  return { kind: 'columns', columns };
}

export interface UndoneDefinition {
  readonly module: Module;
  /** Columns whose change is undone; `left`: others, changed or purged since. */
  readonly done: number;
  readonly left: number;
  /** The list was renamed since, so its name stays. */
  readonly keepsName?: true;
}

/**
 * Undoes a change of columns, order and name, unwritten. Columns that it added go, even if changed since; deleted ones
 * come back from the bin; of others, parts changed since stay.
 * @param was,became the definition before and after the change
 * @param binned deleted columns of the list
 */
export function undoChange(
  module: Module,
  { was, became }: Pick<DefinitionStep, 'was' | 'became'>,
  binned: readonly BinnedColumn[],
): UndoneDefinition {
  let [done, left] = [0, 0];
  /** Counts a column as undone or left. */
  const countColumn = (isBack: boolean): void => {
    if (isBack) done++;
    else left++;
  };
  const added = new Set(fieldsMissingIn(became.fields, was.fields).map(({ fieldID }) => fieldID));
  let fields = module.fields
    .filter(({ fieldID }) => !added.has(fieldID))
    .map((field) => {
      const [old, made] = [was, became].map((one) =>
        one.fields.find((each) => each.fieldID === field.fieldID),
      );
      if (!old || !made || isSame(old, made)) return field;
      const back = withRevertedParts(field, old, made);
      countColumn(isSame(back, old));
      return isFreeName(back, module.fields) ? back : { ...back, name: field.name };
    });
  for (const { fieldID } of became.fields) if (added.has(fieldID)) countColumn(true);
  for (const old of fieldsMissingIn(was.fields, became.fields)) {
    const isThere = fields.some(({ fieldID }) => fieldID === old.fieldID);
    const inBin = binned.find(({ field }) => field.fieldID === old.fieldID);
    countColumn(isThere || inBin !== undefined);
    if (isThere || !inBin) continue;
    const { field } = inBin;
    const back = isFreeName(field, fields) ? field : withFreeName(field, fields);
    fields = withColumnInPlace(fields, back, inBin);
  }
  if (!isSame(orderAmong(was.fields, became.fields), orderAmong(became.fields, was.fields))) {
    const isMovedSince = !isSame(
      orderAmong(module.fields, became.fields),
      orderAmong(became.fields, module.fields),
    );
    if (isMovedSince) countColumn(false);
    else fields = inFormerOrder(fields, was.fields);
  }
  const name = module.name === became.name ? was.name : module.name;
  const keepsName = was.name !== became.name && name !== was.name;
  return { module: { ...module, name, fields }, done, left, ...(keepsName && { keepsName }) };
}

/** Returns ids of the columns that are among the others too, in their order. */
const orderAmong = (fields: readonly Field[], others: readonly Field[]): string[] =>
  fields.map(({ fieldID }) => fieldID).filter((fieldID) => others.some((other) => other.fieldID === fieldID));

/** Orders columns as formerly. Those that were not there stay behind the one that they follow now. */
function inFormerOrder(fields: readonly Field[], former: readonly Field[]): Field[] {
  const ids = fields.map(({ fieldID }) => fieldID);
  const place = new Map(former.map(({ fieldID }, at) => [fieldID, at]));
  const placeOf = ({ fieldID }: Field): number => place.get(fieldID) ?? 0;
  const ordered = fields
    .filter(({ fieldID }) => place.has(fieldID))
    .sort((one, other) => placeOf(one) - placeOf(other));
  return fields.reduce(
    (all, field, at) =>
      place.has(field.fieldID) ? all : withColumnInPlace(all, field, { at, after: ids.slice(0, at) }),
    ordered,
  );
}

/** Returns the column with parts of `old` where the change to `made` replaced them and nobody changed them since. */
function withRevertedParts(field: Field, old: Field, made: Field): Field {
  const keep = <K extends keyof Field>(part: K): Field[K] =>
    isSame(field[part], made[part]) ? old[part] : field[part];
  return {
    fieldID: field.fieldID,
    kind: keep('kind'),
    name: keep('name'),
    label: keep('label'),
    isMulti: keep('isMulti'),
    isRequired: keep('isRequired'),
    options: keep('options'),
    ...omitUndefined({ compose: keep('compose') }),
  };
}

const fieldsMissingIn = (fields: readonly Field[], others: readonly Field[]): Field[] =>
  fields.filter(({ fieldID }) => others.every((other) => other.fieldID !== fieldID));

/** As JSON, order of members included. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export interface ConvertedColumn {
  readonly fieldID: string;
  readonly was: string;
  readonly became: string;
}

/**
 * Returns functions to call in turn for each row: `remove` before the columns change back, then `restore`. Cells
 * changed since the conversion are left alone.
 */
export function createCellRestorer(
  cells: readonly CellStep[],
  columns: readonly ConvertedColumn[],
): { remove(row: Row): Row; restore(row: Row): Row } {
  const byRow = groupCellsByRow(cells);
  const names = new Map(columns.map((column) => [column.fieldID, column]));
  let taken: { readonly name: string; readonly cell: RowCell | undefined }[] = [];
  return {
    /** Returns the row without cells that `restore` will put back; those changed since the conversion stay. */
    remove(row) {
      taken = [];
      let rest = row;
      for (const { fieldID, was, became } of byRow.get(row.recordID) ?? []) {
        const column = names.get(fieldID);
        if (!column || !isSameCell(readCell(row, column.was), became)) continue;
        taken.push({ name: column.became, cell: was });
        rest = withoutCell(rest, column.was);
      }
      return rest;
    },
    restore: (row) => taken.reduce((all, { name, cell }) => (cell ? withCell(all, name, cell) : all), row),
  };
}
