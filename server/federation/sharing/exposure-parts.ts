import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import { compareKeys } from '../../base/sorted-list.ts';
import type { Field, Module } from '../../lists/definitions/model.ts';
import {
  findBrokenParts,
  toCondition,
  EVERY_ROW,
  type RequestedCondition,
} from '../../lists/query/condition.ts';
import type { TitlePins } from '../../lists/rows/pinned-titles.ts';
import { said, type Words } from '../../words/said.ts';
import type { Exposure } from '../model.ts';
import type { RequestedColumn, SharedColumns } from './columns.ts';
import { pinsToStore, type RequestedPins } from './exposure-pins.ts';
import type { UnsharedInterval } from './unshared-intervals.ts';

export interface ExposureInput {
  readonly composeModuleID: string;
  readonly composeNamespaceID?: string;
  /** Default, also if empty: the present name, else the list's. */
  readonly name?: string;
  readonly handle?: string;
  /** At least one; kind and isMulti are always the list's. */
  readonly fields: readonly RequestedColumn[];
  /**
   * By reference column: the other list's column to show, '' for nothing. Default: the last choice, also
   * after a withdrawal.
   */
  readonly titlePins?: TitlePins;
  /** Null: all rows. Default: the last choice, also after a withdrawal, else all. */
  readonly condition?: RequestedCondition | null;
  readonly shape: 1 | 2;
}

/** Returns the list's latest exposure to the present installation, even withdrawn. */
export const latestExposureOf = (all: readonly Exposure[], composeModuleID: string): Exposure | undefined =>
  all.findLast((each) => each.composeModuleID === composeModuleID && !each.ofAnother);

/** Returns the latest exposure to an earlier installation: its condition is a new share's default. */
export const formerExposureOf = (all: readonly Exposure[], composeModuleID: string): Exposure | undefined =>
  all.findLast((each) => each.composeModuleID === composeModuleID && each.ofAnother);

/**
 * Returns the requested condition, else the one before; closed, to give no row, if its columns are gone. A request for
 * all rows leaves an empty condition if there was one. `at`: ISO 8601. Throws like {@link toCondition}.
 */
export function conditionToStore(
  { condition }: ExposureInput,
  { fields }: Module,
  before: Exposure | undefined,
  at: string,
): Pick<Exposure, 'condition' | 'broken'> {
  const known = before?.condition;
  if (condition === undefined && before?.broken && known) return { condition: known, broken: before.broken };
  const wished = condition === undefined ? known : condition && toCondition(condition, fields);
  // Columns may have been replaced meanwhile.
  if (wished && (wished.parts.length > 0 || known))
    return { condition: wished, ...closeIfBroken({ condition: wished }, fields, at) };
  return known ? { condition: EVERY_ROW } : {};
}

/**
 * Returns the condition closed, to give no row, if its columns are gone or changed kind. A closed one stays so, with
 * the columns still gone: once all are back, our user only has to save the share. {} if nothing changes.
 */
export function closeIfBroken(
  { condition = EVERY_ROW, broken }: Pick<Exposure, 'condition' | 'broken'>,
  now: readonly Field[],
  at: string,
): Pick<Exposure, 'condition' | 'broken'> {
  const columns = findBrokenParts(condition, now).map(({ label }) => label);
  if (!condition.closed && columns.length === 0) return {};
  if (condition.closed && JSON.stringify(columns) === JSON.stringify(broken?.columns)) return {};
  return { condition: { ...condition, closed: true }, broken: { at, columns } };
}

/** A list, and at least one of its columns. */
export interface ListToShare {
  readonly module: Module;
  readonly columns: SharedColumns;
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

/** Returns all members of a share that a request sets, except the rows. */
export function writtenMembers(
  input: ExposureInput,
  { module, columns }: ListToShare,
  pins: RequestedPins,
  before?: Exposure,
): Pick<Exposure, WrittenPart> {
  return {
    composeModuleID: module.moduleID,
    composeNamespaceID: module.namespaceID,
    handle: nonEmpty(input.handle) ?? module.handle,
    name: nonEmpty(input.name) ?? module.name,
    ...columns,
    titlePins: pinsToStore(columns.fieldIDs, pins, before),
    shape: input.shape,
  };
}

/**
 * Returns `now`, or a millisecond after the latest time of all shares, even former, if that isn't earlier: other
 * software asks since the latest.
 */
export function changedAt(now: string, all: readonly Exposure[]): string {
  const known = all.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt ?? createdAt]).sort();
  const latest = known.at(-1);
  return latest === undefined || latest < now ? now : new Date(Date.parse(latest) + 1).toISOString();
}

/**
 * Throws `exposure.twin` (conflict) for another open share of this handle and name, by which live servers know lists.
 */
export function checkNameFree(exposure: Exposure, all: readonly Exposure[]): void {
  const twin = all.find(
    (other) =>
      other.moduleID !== exposure.moduleID &&
      other.deletedAt === undefined &&
      other.handle === exposure.handle &&
      other.name === exposure.name,
  );
  if (twin) throw new Refusal('conflict', 'exposure.twin', said('share.name-taken', { list: exposure.name }));
}

/** Returns, as text, what partners see of a share and what decides what is sent, except the condition. */
export function disclosedDefinition(exposure: Exposure): string {
  const { titlePins, ...known } = omit(
    exposure,
    'condition',
    'unmirrored',
    'chosenFor',
    'updatedAt',
    'updatedBy',
  );
  const pins = Object.entries(titlePins ?? {}).sort(([a], [b]) => compareKeys(a, b));
  return JSON.stringify([
    omit(known, 'retyped', 'formerFieldIDs', 'formerTitleIDs', 'broken'),
    titlePins && pins,
  ]);
}

/** Throws `exposure.exists` (conflict) for an open share. */
export function mustNotBeShared(before: Exposure | undefined): void {
  if (!before || before.deletedAt !== undefined) return;
  const { name, moduleID } = before;
  throw new Refusal('conflict', 'exposure.exists', said('share.twice', { list: name, number: moduleID }));
}

/**
 * Returns the withdrawn share as open, without its problems and former columns. Adds the time in between as an unshared
 * interval, and drops earlier ones that begin at a time in `idle`.
 */
export function reopenShare(before: Exposure, began: string, idle: ReadonlySet<string>): Exposure {
  const gap: UnsharedInterval = { from: before.ended ?? before.deletedAt ?? began, to: began };
  const earlier = (before.gaps ?? []).filter(({ from }) => !idle.has(from));
  const known = omit(before, 'deletedAt', 'ended', 'retyped', 'formerFieldIDs', 'formerTitleIDs');
  return { ...omit(known, 'broken', 'unmirrored'), gaps: [...earlier, gap] };
}

export const nonEmpty = (text: string | undefined): string | undefined =>
  text?.trim() === '' ? undefined : text?.trim();

export const impossible = (code: string, message: Words): Refusal => new Refusal('impossible', code, message);

export const unknownExposure = (moduleID: string): Refusal =>
  new Refusal('not-found', 'exposure.unknown', said('share.unknown', { number: moduleID }));
