import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { Offer, Suggestion } from '../../../../server/contract/app/sharing.ts';
import { displayValues, type DisplayedColumn, type Wording } from '../../lists/grid/values.ts';

/** Our column by offered name; absent: unmatched. */
export type Matches = Readonly<Record<string, string>>;

/** Returns matches that the node would refuse: their column or ours is gone. */
export const findBrokenMatches = (
  suggestions: readonly Suggestion[],
  { matches }: Pick<Offer, 'matches'>,
): Offer['matches'] =>
  matches.filter(({ origin, destination }) => {
    const offered = suggestions.find((suggestion) => suggestion.origin.name === origin);
    return !offered?.candidates.some(({ name }) => name === destination);
  });

/**
 * Returns the present matches without gone columns if the offer comes into this list; else those from before both
 * offices paired again if it did then, else the suggested ones.
 */
export function initialMatches(
  suggestions: readonly Suggestion[],
  offer: Pick<Offer, 'moduleID' | 'matches' | 'former'>,
  moduleID: string,
): Matches {
  const matches: Record<string, string> = {};
  if (offer.moduleID === moduleID) {
    const gone = new Set(findBrokenMatches(suggestions, offer));
    for (const match of offer.matches) if (!gone.has(match)) matches[match.origin] = match.destination;
    return matches;
  }
  if (offer.former?.moduleID === moduleID) {
    for (const { origin, destination } of offer.former.matches) matches[origin] = destination;
    return matches;
  }
  for (const { origin, destination } of suggestions) {
    if (destination !== undefined) matches[origin.name] = destination;
  }
  return matches;
}

/** Returns the first of our columns that two of theirs would fill; undefined if there is none. */
export function findDuplicateTarget(matches: Matches): string | undefined {
  const seen = new Set<string>();
  for (const destination of Object.values(matches)) {
    if (seen.has(destination)) return destination;
    seen.add(destination);
  }
  return undefined;
}

/** A row's values in a column, as displayed. */
interface DisplayedSample {
  readonly before: string;
  readonly after?: string | undefined;
  readonly problem?: string | undefined;
}

/**
 * Returns samples of an offered column as displayed: as in our column `ours` if they stay the same there, else with what
 * becomes of them.
 */
export function displaySamples(
  { origin, samples, candidates }: Pick<Suggestion, 'origin' | 'samples' | 'candidates'>,
  ours: ListColumn | undefined,
  wording: Wording,
): readonly DisplayedSample[] {
  const chosen = candidates.find(({ name }) => name === ours?.name);
  const theirs: DisplayedColumn =
    ours && chosen?.conversion === 'same' ? ours : { kind: origin.kind, options: {} };
  const converted: NonNullable<typeof chosen>['samples'] =
    chosen?.samples ?? samples.map((before) => ({ before }));
  return converted.map(({ before, after, problem }) => ({
    before: displayValues(theirs, before, wording),
    after: ours && after && displayValues(ours, after, wording),
    problem,
  }));
}
