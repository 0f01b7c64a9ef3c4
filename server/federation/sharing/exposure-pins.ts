import type { Lists } from '../../lists/lists.ts';
import type { Module } from '../../lists/definitions/model.ts';
import { choosePin, type TitlePins } from '../../lists/rows/pinned-titles.ts';
import { isReferring } from '../../lists/rows/references.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Exposure } from '../model.ts';

/** What the columns of a list that refer to rows may leave as: what was wished for, and what is taken otherwise. */
export interface WishedPins {
  readonly wished: TitlePins;
  readonly otherwise: TitlePins;
}

/** @throws Refusal `impossible` for a column that the other list does not have, or that cannot name its rows */
export async function pinsFor(
  lists: Pick<Lists, 'modules'>,
  { fields }: Module,
  wishes: TitlePins = {},
): Promise<WishedPins> {
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
    else wished[fieldID] = choosePin(target, wish)?.fieldID ?? noTitle(label);
  }
  return { wished, otherwise };
}

/**
 * The pins of these columns. What was pinned before stays until something else is wished for, be it gone by now or
 * nothing at all (empty).
 */
export function pinned(
  fieldIDs: readonly string[],
  { wished, otherwise }: WishedPins,
  before?: Pick<Exposure, 'titlePins'>,
): TitlePins {
  const known = { ...otherwise, ...before?.titlePins, ...wished };
  return Object.fromEntries(Object.entries(known).filter(([fieldID]) => fieldIDs.includes(fieldID)));
}

/** No column has this id, and the user did not wish for nothing either: another one has to be chosen. */
const NONE = '0';

/** The pins without those columns that name nothing any more; undefined where there is none among them. */
export function unpinned(pins: TitlePins = {}, nameless: ReadonlySet<string>): TitlePins | undefined {
  const entries = Object.entries(pins);
  if (!entries.some(([, pin]) => nameless.has(pin))) return undefined;
  return Object.fromEntries(entries.map(([fieldID, pin]) => [fieldID, nameless.has(pin) ? NONE : pin]));
}

/** The pins of both of two choices; where they name two columns neither was chosen for what the other one has. */
export function agreedPins(one: TitlePins, other: TitlePins): TitlePins {
  const agreed = ([fieldID, pin]: [string, string]): [string, string] => {
    const before = one[fieldID];
    return [fieldID, pin === before ? pin : pin === '' || before === '' ? '' : NONE];
  };
  return Object.fromEntries(Object.entries(other).map(agreed));
}

/** What a column that refers to rows is shown as elsewhere: by this column of that list. */
export interface PinnedColumn {
  readonly fieldID: string;
  readonly target: string;
  readonly pin: string;
}

/** The columns of a list that are shown as something. */
export function pinnedColumns({ fields }: Pick<Module, 'fields'>, pins: TitlePins = {}): PinnedColumn[] {
  return fields.filter(isReferring).flatMap(({ fieldID, options }) => {
    const pin = pins[fieldID] ?? '';
    return pin === '' ? [] : [{ fieldID, target: options.moduleID, pin }];
  });
}

/** To be called before anything is shown by these pins, so that no change of what is shown is missed. */
export function keepTitles(
  lists: Pick<Lists, 'keepTitles'>,
  module: Pick<Module, 'fields'>,
  pins: TitlePins | undefined,
): void {
  for (const { target, pin } of pinnedColumns(module, pins)) lists.keepTitles(target, pin);
}

function noTitle(label: string): never {
  throw new Refusal('impossible', 'exposure.title', said('share.bad-title', { column: label }));
}
