import type { PartnerSummary, InboxItem } from '../../../../server/contract/app/overview.ts';
import type { App } from '../../../state/app.svelte.ts';
import { isUnknown, unknownSince, timeLeft } from '../../../state/status.ts';
import type { Translate } from '../../../text/catalogue.ts';

/**
 * Returns why a partner isn't well, for its label on the map. Undefined if the state's name says enough, or if the
 * remaining time of a pull is shown there.
 */
export function problemReason(app: App, partner: PartnerSummary): string | undefined {
  if (isUnknown(partner, app.now)) return unknownSince(app, partner);
  if (partner.idle) return partner.reason;
  const progress = app.running.get(partner.nodeID);
  const comes = progress !== undefined && timeLeft(progress, app.t) !== undefined;
  return partner.state === 'up-to-date' || comes ? undefined : partner.reason;
}

/** Returns an inbox item's subject in two or three words, to show beside its partner's name. */
export function itemSubject(t: Translate, { kind, listName = '' }: InboxItem): string {
  switch (kind) {
    // These are never shown beside a partner.
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
