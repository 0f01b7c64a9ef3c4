import type { PartnerSummary, State } from '../../../../server/contract/app/overview.ts';

type Partner = Pick<PartnerSummary, 'nodeID' | 'state' | 'idle'>;

/** In detail, a line each, or only the worst. */
export type Arrangement<P extends Partner = PartnerSummary> =
  | { readonly kind: 'none' }
  | { readonly kind: 'wide' | 'lines'; readonly shown: readonly P[] }
  | {
      readonly kind: 'crowd';
      readonly shown: readonly P[];
      /** Others: up to date, without a list (`connected`), or not up to date. */
      readonly upToDate: readonly P[];
      readonly connected: number;
      readonly notUpToDate: number;
    };

const MAX_WIDTH = 5;
const MAX_LINES = 20;

const WORST_FIRST: readonly State[] = ['error', 'needs-you', 'offline', 'syncing', 'paused', 'up-to-date'];

const sortByNeed = <P extends Partner>(partners: readonly P[], stateOf: (partner: P) => State): P[] =>
  [...partners].sort((a, b) => WORST_FIRST.indexOf(stateOf(a)) - WORST_FIRST.indexOf(stateOf(b)));

/**
 * Arranges up to 5 partners side by side in their order, up to 20 as lines, worst state first; else the worst 5 that
 * aren't up to date, with counts of the rest.
 */
export function arrange<P extends Partner>(
  partners: readonly P[],
  stateOf: (partner: P) => State,
): Arrangement<P> {
  if (partners.length === 0) return { kind: 'none' };
  if (partners.length <= MAX_WIDTH) return { kind: 'wide', shown: partners };
  const sorted = sortByNeed(partners, stateOf);
  if (partners.length <= MAX_LINES) return { kind: 'lines', shown: sorted };
  const shown = sorted.filter((partner) => stateOf(partner) !== 'up-to-date').slice(0, MAX_WIDTH);
  const rest = partners.filter((partner) => !shown.includes(partner));
  const well = rest.filter((partner) => stateOf(partner) === 'up-to-date');
  const upToDate = well.filter(({ idle }) => idle !== true);
  return {
    kind: 'crowd',
    shown,
    upToDate,
    connected: well.length - upToDate.length,
    notUpToDate: rest.length - well.length,
  };
}
