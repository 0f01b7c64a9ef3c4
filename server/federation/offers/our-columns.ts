import { omit } from '../../base/omit.ts';
import type { Field } from '../../lists/definitions/model.ts';
import { said } from '../../words/said.ts';
import type { FieldMatch, MatchedColumn, OfferedColumn } from '../model.ts';
import { againstOffer, descriptorOf, parkedMatch } from '../sharing/columns.ts';

/** A column of ours, with what it is known by. */
export const matchedColumn = ({ fieldID, ...column }: Field): MatchedColumn => ({
  ...descriptorOf(column),
  fieldID,
});

/** The match as it is where only the name of our column counts. */
export const byName = (match: FieldMatch): FieldMatch => ({
  ...match,
  destination: omit(match.destination, 'fieldID'),
});

/**
 * The match with our columns as they are now: one that was renamed stays matched, one that is gone parks it, and one that
 * comes back under its name takes it up. A column that took the name of another one is not the one that was matched, so
 * that it makes no difference whether changes are followed one by one or, after a crash, all at once, nor how often.
 */
export function followColumn(
  match: FieldMatch,
  ours: readonly Field[],
  offered: readonly OfferedColumn[],
): FieldMatch {
  const { fieldID, name } = match.destination;
  const namesake = ours.find((field) => field.name === name);
  const now = fieldID === undefined ? namesake : ours.find((field) => field.fieldID === fieldID);
  if (!now) {
    const parked = parkedMatch(match, 'us', said('match.column-gone', { column: name }));
    return namesake ? parked : byName(parked);
  }
  const followed = { ...match, destination: matchedColumn(now) };
  return match.parkedBy === 'us' ? againstOffer(followed, offered) : followed;
}
