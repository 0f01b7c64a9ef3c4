import type { PartnerSummary } from '../../../server/contract/app/overview.ts';
import type { Translate } from '../../text/catalogue.ts';

type Came = PartnerSummary['today']['arrived'];

/**
 * Returns in words how many rows are new, changed and removed today; empty for none. The numbers stay apart, as one
 * row may be in several.
 */
export function receivedToday(t: Translate, came: Came): string {
  const parts = (['created', 'updated', 'deleted'] as const)
    .filter((name) => came[name] > 0)
    .map((name) => t(`count.${name}`, { n: came[name] }));
  return parts.length === 0 ? '' : t('bridge.arrived-today', { what: parts.join(', ') });
}

/** Returns the sums of the partners' numbers of today. */
export function receivedFrom(partners: readonly Pick<PartnerSummary, 'today'>[]): Came {
  const sum = (name: keyof Came): number => partners.reduce((all, { today }) => all + today.arrived[name], 0);
  return { created: sum('created'), updated: sum('updated'), deleted: sum('deleted') };
}
