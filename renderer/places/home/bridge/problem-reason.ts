import type { PartnerSummary } from '../../../../server/contract/app/overview.ts';
import type { App } from '../../../state/app.svelte.ts';
import { isUnknown, unknownSince } from '../../../state/status.ts';
import { timeLeft } from '../../../state/time-left.ts';

/** Why it is not well with a partner, as its place on the map says it; undefined where the word of its state is all. */
export function problemReason(app: App, partner: PartnerSummary): string | undefined {
  if (isUnknown(partner, app.now)) return unknownSince(app, partner);
  if (partner.idle) return partner.reason;
  const progress = app.running.of(partner.nodeID);
  const comes = progress !== undefined && timeLeft(progress, app.t) !== undefined;
  return partner.state === 'up-to-date' || comes ? undefined : partner.reason;
}
