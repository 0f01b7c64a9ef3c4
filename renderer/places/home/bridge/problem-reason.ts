import type { PartnerSummary } from '../../../../server/contract/app/overview.ts';
import type { App } from '../../../state/app.svelte.ts';
import { isUnknown, unknownSince } from '../../../state/status.ts';
import { timeLeft } from '../../../state/time-left.ts';

/**
 * Returns why a partner isn't well, for its label on the map; undefined if the state's name is enough, or the time
 * left of a pull is shown.
 */
export function problemReason(app: App, partner: PartnerSummary): string | undefined {
  if (isUnknown(partner, app.now)) return unknownSince(app, partner);
  if (partner.idle) return partner.reason;
  const progress = app.running.of(partner.nodeID);
  const comes = progress !== undefined && timeLeft(progress, app.t) !== undefined;
  return partner.state === 'up-to-date' || comes ? undefined : partner.reason;
}
