import { omit } from '../../base/omit.ts';
import type { Field } from '../../lists/definitions/model.ts';
import { said } from '../../words/said.ts';
import type { FieldMatch, MatchedColumn, OfferedColumn } from '../model.ts';
import { againstOffer, descriptorOf, parkedMatch } from '../sharing/columns.ts';

/** Returns a column of ours as stored in a match. */
export const matchedColumn = ({ fieldID, ...column }: Field): MatchedColumn => ({
  ...descriptorOf(column),
  fieldID,
});

/** Returns the match reduced to our column's name. */
export const byName = (match: FieldMatch): FieldMatch => ({
  ...match,
  destination: omit(match.destination, 'fieldID'),
});

/**
 * Updates the match to our present columns: a renamed one stays mapped, a deleted one is parked, and one that
 * returns under its name resumes. A column that took another's name is not the mapped one, so it makes no
 * difference whether changes are followed one by one or, after a crash, all at once.
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
