import type { PartnerSummary, PartnerDetail } from '../../../../server/contract/app/overview.ts';

export type PairingStep =
  'connected' | 'asked' | 'invited' | 'invite-gone' | 'unasked' | 'waiting' | 'failed' | 'ended';

/** Returns the only partner with this name, regardless of case; undefined if none or several have it. */
export function partnerNamed<T extends Pick<PartnerSummary, 'name'>>(
  partners: readonly T[],
  name: string,
): T | undefined {
  const folded = name.trim().toLocaleLowerCase();
  const [only, ...more] = partners.filter((partner) => partner.name.trim().toLocaleLowerCase() === folded);
  return more.length === 0 ? only : undefined;
}

/** Returns how far a partner's pairing is at `now` (milliseconds), when its invite may have expired. */
export function pairingStep(
  partner: Pick<PartnerSummary, 'status' | 'role'> & Pick<PartnerDetail, 'invite' | 'asksAgain'>,
  now: number,
): PairingStep {
  switch (partner.status) {
    case 'paired':
      return partner.asksAgain ? 'asked' : 'connected';
    case 'failed':
      return 'failed';
    case 'unpaired':
      return 'ended';
    case 'pair_requested':
      return partner.role === 'invitee' ? 'waiting' : 'asked';
    case 'pending':
      if (partner.role === 'invitee') return 'unasked';
      if (!partner.invite) return 'invite-gone';
      return Date.parse(partner.invite.expiresAt) > now ? 'invited' : 'invite-gone';
  }
}
