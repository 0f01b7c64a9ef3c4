import type { Lists } from '../../lists/lists.ts';
import type { Module } from '../../lists/definitions/model.ts';
import { choosePin, type TitlePins } from '../../lists/rows/pinned-titles.ts';
import { isReferring } from '../../lists/rows/references.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Exposure } from '../model.ts';

/** Title columns by reference column id. */
export interface RequestedPins {
  readonly wished: TitlePins;
  readonly otherwise: TitlePins;
}

/**
 * Returns title columns by reference column, as requested (`wished`) or chosen for those not in `wishes` (`otherwise`);
 * '' is none; their values are sent instead of row ids. Throws `exposure.title` for one that can't be a title.
 */
export async function requestedPins(
  lists: Pick<Lists, 'modules'>,
  { fields }: Module,
  wishes: TitlePins = {},
): Promise<RequestedPins> {
  const referring = fields.filter(isReferring);
  const wished: Record<string, string> = {};
  const otherwise: Record<string, string> = {};
  const modules = referring.length === 0 ? [] : await lists.modules();
  for (const { fieldID, label, options } of referring) {
    const wish = wishes[fieldID];
    const target = modules.find(({ moduleID }) => moduleID === options.moduleID);
    if (wish === '') wished[fieldID] = '';
    else if (!target) continue;
    else if (wish === undefined) otherwise[fieldID] = choosePin(target, undefined)?.fieldID ?? '';
    else wished[fieldID] = choosePin(target, wish)?.fieldID ?? throwNoTitle(label);
  }
  return { wished, otherwise };
}

/** Returns, for these columns, the wished title columns, else the share's, else the default ones. */
export function pinsToStore(
  fieldIDs: readonly string[],
  { wished, otherwise }: RequestedPins,
  before?: Pick<Exposure, 'titlePins'>,
): TitlePins {
  const known = { ...otherwise, ...before?.titlePins, ...wished };
  return Object.fromEntries(Object.entries(known).filter(([fieldID]) => fieldIDs.includes(fieldID)));
}

/** No column's id: nothing is shown until our user chooses. */
const NONE = '0';

/**
 * Returns the share's pins with those that are no titles any more (`isNameless`) replaced by {@link NONE} and noted as
 * former titles; undefined if there are none.
 */
export function unpinTitles(
  { titlePins = {}, formerTitleIDs = [] }: Pick<Exposure, 'titlePins' | 'formerTitleIDs'>,
  isNameless: (fieldID: string) => boolean,
): Pick<Exposure, 'titlePins' | 'formerTitleIDs'> | undefined {
  const entries = Object.entries(titlePins);
  const gone = entries.map(([, pin]) => pin).filter((pin) => pin !== '' && pin !== NONE && isNameless(pin));
  if (gone.length === 0) return undefined;
  return {
    titlePins: Object.fromEntries(entries.map(([id, pin]) => [id, gone.includes(pin) ? NONE : pin])),
    formerTitleIDs: [...new Set([...formerTitleIDs, ...gone])],
  };
}

/**
 * Returns the pins of `other`'s columns: the same where `one` agrees, else '' (shows nothing) if either is '', else
 * {@link NONE}.
 */
export function agreeingPins(one: TitlePins, other: TitlePins): TitlePins {
  /** Returns a column's pin: the same if both have it, '' if either is, else {@link NONE}. */
  const agreeOnPin = ([fieldID, pin]: [string, string]): [string, string] => {
    const before = one[fieldID];
    return [fieldID, pin === before ? pin : pin === '' || before === '' ? '' : NONE];
  };
  return Object.fromEntries(Object.entries(other).map(agreeOnPin));
}

/** Another list's column, shown for a reference. */
export interface PinnedColumn {
  readonly fieldID: string;
  readonly target: string;
  readonly pin: string;
}

/**
 * Returns each reference column with a pin, and its list; none without a pin or for ''. The pin may be no column of that
 * list ({@link NONE}, or a deleted one).
 */
export function pinnedColumns({ fields }: Pick<Module, 'fields'>, pins: TitlePins = {}): PinnedColumn[] {
  return fields.filter(isReferring).flatMap(({ fieldID, options }) => {
    const pin = pins[fieldID] ?? '';
    return pin === '' ? [] : [{ fieldID, target: options.moduleID, pin }];
  });
}

/** Makes the lists record changes of these titles. Call it before anything is sent with them. */
export function keepTitles(
  lists: Pick<Lists, 'keepTitles'>,
  module: Pick<Module, 'fields'>,
  pins: TitlePins | undefined,
): void {
  for (const { target, pin } of pinnedColumns(module, pins)) lists.keepTitles(target, pin);
}

/** Throws `exposure.title` (impossible). */
function throwNoTitle(label: string): never {
  throw new Refusal('impossible', 'exposure.title', said('share.bad-title', { column: label }));
}
