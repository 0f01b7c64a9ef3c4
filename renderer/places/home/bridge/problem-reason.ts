import type { PartnerSummary, InboxItem } from '../../../../server/contract/app/overview.ts';
import type { App } from '../../../state/app.svelte.ts';
import { isUnknown, unknownSince, timeLeft } from '../../../state/status.ts';
import type { Translate } from '../../../text/catalogue.ts';

/**
 * Returns why a partner isn't well, for the map; undefined if its state's name or a pull's remaining time says enough.
 */
export function problemReason(app: App, partner: PartnerSummary): string | undefined {
  if (isUnknown(partner, app.now)) return unknownSince(app, partner);
  if (partner.idle) return partner.reason;
  const progress = app.running.get(partner.nodeID);
  const comes = progress !== undefined && timeLeft(progress, app.t) !== undefined;
  return partner.state === 'up-to-date' || comes ? undefined : partner.reason;
}

/** Returns what an inbox item is about in two or three words, beside the partner's name. */
export function itemSubject(t: Translate, { kind, listName = '' }: InboxItem): string {
  switch (kind) {
    // Never shown beside a partner.
    case 'stranger':
    case 'store-notice':
    case 'file-waits':
    case 'file-problem':
    case 'kept-withdrawn':
      return t('state.needs-you');
    default:
      return t(`brief.${kind}`, { list: listName });
  }
}
