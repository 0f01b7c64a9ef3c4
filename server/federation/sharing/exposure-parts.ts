import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import { compareKeys } from '../../base/sorted-list.ts';
import type { Field, Module } from '../../lists/definitions/model.ts';
import { brokenParts, conditionFor, EVERY_ROW, type ConditionWish } from '../../lists/query/condition.ts';
import type { TitlePins } from '../../lists/rows/pinned-titles.ts';
import { said, type Words } from '../../words/said.ts';
import type { Exposure } from '../model.ts';
import { sharedColumns, type ColumnWish } from './columns.ts';
import { pinned, type WishedPins } from './exposure-pins.ts';
import type { UnsharedInterval } from './unshared-intervals.ts';

export interface ExposureInput {
  readonly composeModuleID: string;
  /** Checked against the list when given. */
  readonly composeNamespaceID?: string;
  /** The list's own when absent or empty. */
  readonly name?: string;
  readonly handle?: string;
  /** At least one; kind and isMulti are the list's own, whatever was asked. */
  readonly fields: readonly ColumnWish[];
  /**
   * By the id of a column that refers to rows of another list: the id of that list's column that it leaves as, or
   * empty for nothing. A column that is not named keeps what it has; a new one gets what names that list's rows.
   */
  readonly titlePins?: TitlePins;
  /**
   * Which rows it gives; null: all. Where nothing is said of it, a share gives the rows that it gave, also one that was
   * withdrawn, and a new one all.
   */
  readonly condition?: ConditionWish | null;
  readonly shape: 1 | 2;
}

/** Returns the latest exposure of a list for this installation, also a withdrawn one. Live servers can have had several. */
export const exposureOf = (all: readonly Exposure[], composeModuleID: string): Exposure | undefined =>
  all.findLast((each) => each.composeModuleID === composeModuleID && !each.ofAnother);

/**
 * The newest one that was for another installation, whose place the partner has taken since. Nothing of it is shared with
 * this one, but who says nothing of rows shares no others than it gave.
 */
export const formerOf = (all: readonly Exposure[], composeModuleID: string): Exposure | undefined =>
  all.findLast((each) => each.composeModuleID === composeModuleID && each.ofAnother);

/**
 * What is chosen from now on; every row of a share that never had a condition is none. Who says nothing of rows leaves
 * a condition as it is, and with it that it gives nothing any more.
 */
export function chosenRows(
  { condition }: ExposureInput,
  { fields }: Module,
  before: Exposure | undefined,
  at: string,
): Pick<Exposure, 'condition' | 'broken'> {
  const known = before?.condition;
  if (condition === undefined && before?.broken && known) return { condition: known, broken: before.broken };
  const wished = condition === undefined ? known : condition && conditionFor(condition, fields);
  // A column may have become another one while nobody was given rows by it, and nobody was told.
  if (wished && (wished.parts.length > 0 || known))
    return { condition: wished, ...brokenBy({ condition: wished }, fields, at) };
  return known ? { condition: EVERY_ROW } : {};
}

/** No row meets the condition any more, of which the user is told, until they choose anew. */
export function brokenBy(
  { condition = EVERY_ROW }: Pick<Exposure, 'condition'>,
  now: readonly Field[],
  at: string,
): Pick<Exposure, 'condition' | 'broken'> {
  const columns = brokenParts(condition, now).map(({ label }) => label);
  if (columns.length === 0 || condition.closed) return {};
  return { condition: { ...condition, closed: true }, broken: { at, columns } };
}

type WrittenPart =
  | 'composeModuleID'
  | 'composeNamespaceID'
  | 'handle'
  | 'name'
  | 'fields'
  | 'fieldIDs'
  | 'titlePins'
  | 'shape';

export function written(
  input: ExposureInput,
  module: Module,
  pins: WishedPins,
  before?: Exposure,
): Pick<Exposure, WrittenPart> {
  const columns = sharedColumns(input.fields, module.fields);
  if (columns.fields.length === 0) throw impossible('exposure.no-columns', said('share.no-column'));
  return {
    composeModuleID: module.moduleID,
    composeNamespaceID: module.namespaceID,
    handle: given(input.handle) ?? module.handle,
    name: given(input.name) ?? module.name,
    ...columns,
    titlePins: pinned(columns.fieldIDs, pins, before),
    shape: input.shape,
  };
}

/**
 * The time of a change of what a partner is shared, later than any that it was told of one: other software asks for what
 * changed since the latest that it knows, and the clock may have been put back.
 * @param all what is and was shared with that partner
 */
export function changedAt(now: string, all: readonly Exposure[]): string {
  const known = all.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt ?? createdAt]).sort();
  const latest = known.at(-1);
  return latest === undefined || latest < now ? now : new Date(Date.parse(latest) + 1).toISOString();
}

/** Live pullers tell offers apart by handle and name, so that two alike would shut each other out. */
export function checkUnlike(exposure: Exposure, all: readonly Exposure[]): void {
  const twin = all.find(
    (other) =>
      other.moduleID !== exposure.moduleID &&
      other.deletedAt === undefined &&
      other.handle === exposure.handle &&
      other.name === exposure.name,
  );
  if (twin) throw new Refusal('conflict', 'exposure.twin', said('share.name-taken', { list: exposure.name }));
}

/** What partners are told of a share, or what decides about what leaves, but which rows. */
export function definitionOf(exposure: Exposure): string {
  const { titlePins, ...known } = omit(
    exposure,
    'condition',
    'unmirrored',
    'chosenFor',
    'updatedAt',
    'updatedBy',
  );
  // They are kept in the order in which they were chosen.
  const pins = Object.entries(titlePins ?? {}).sort(([a], [b]) => compareKeys(a, b));
  return JSON.stringify([omit(known, 'retyped', 'formerFieldIDs', 'broken'), titlePins && pins]);
}

/** @throws Refusal `conflict` for a list that the partner sees already */
export function mustBeNew(before: Exposure | undefined): void {
  if (!before || before.deletedAt !== undefined) return;
  const { name, moduleID } = before;
  throw new Refusal('conflict', 'exposure.exists', said('share.twice', { list: name, number: moduleID }));
}

/** As it was, with the time noted during which it was not shared. */
export function revived(before: Exposure, began: string, idle: ReadonlySet<string>): Exposure {
  const gap: UnsharedInterval = { from: before.ended ?? before.deletedAt ?? began, to: began };
  const earlier = (before.gaps ?? []).filter(({ from }) => !idle.has(from));
  const known = omit(before, 'deletedAt', 'ended', 'retyped', 'formerFieldIDs', 'broken', 'unmirrored');
  return { ...known, gaps: [...earlier, gap] };
}

export const given = (text: string | undefined): string | undefined =>
  text?.trim() === '' ? undefined : text?.trim();

export const impossible = (code: string, message: Words): Refusal => new Refusal('impossible', code, message);

export const unknown = (moduleID: string): Refusal =>
  new Refusal('not-found', 'exposure.unknown', said('share.unknown', { number: moduleID }));
