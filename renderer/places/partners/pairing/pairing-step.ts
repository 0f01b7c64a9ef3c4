import type { PartnerSummary, PartnerDetail } from '../../../../server/contract/app/overview.ts';
import type { App } from '../../../state/app.svelte.ts';

type PairingStep =
  'connected' | 'asked' | 'approved' | 'invited' | 'invite-gone' | 'unasked' | 'waiting' | 'failed' | 'ended';

/** Returns the only partner with this name, in capitals or not; undefined for none or several. */
export function findPartnerNamed<T extends Pick<PartnerSummary, 'name'>>(
  partners: readonly T[],
  name: string,
): T | undefined {
  const folded = name.trim().toLocaleLowerCase();
  const [only, ...more] = partners.filter((partner) => partner.name.trim().toLocaleLowerCase() === folded);
  return more.length === 0 ? only : undefined;
}

/**
 * Returns where the pairing with a partner is: a connected one may have asked again (`asked`), or have yet to answer
 * our new request (`waiting`). `now` is in milliseconds, as an invite may have expired.
 */
export function pairingStep(
  partner: Pick<PartnerSummary, 'status' | 'role' | 'approved'> &
    Pick<PartnerDetail, 'invite' | 'asksAgain' | 'waitsAgain'>,
  now: number,
): PairingStep {
  switch (partner.status) {
    case 'paired':
      if (partner.waitsAgain) return 'waiting';
      return partner.asksAgain ? 'asked' : 'connected';
    case 'failed':
      return 'failed';
    case 'unpaired':
      return 'ended';
    case 'pair_requested':
      if (partner.role === 'invitee') return 'waiting';
      return partner.approved ? 'approved' : 'asked';
    case 'pending':
      if (partner.role === 'invitee') return 'unasked';
      if (!partner.invite) return 'invite-gone';
      return Date.parse(partner.invite.expiresAt) > now ? 'invited' : 'invite-gone';
  }
}

/** Returns who compared the verification words, as far as known, and when. */
export function comparedSentence(
  { t, format }: Pick<App, 't' | 'format'>,
  { at, name, spokeTo }: NonNullable<PartnerDetail['wordsCompared']>,
): string {
  const date = format.date(at);
  if (name && spokeTo) return t('words.compared-both', { name, spokeTo, date });
  if (name) return t('words.compared-by', { name, date });
  return spokeTo ? t('words.compared-with', { spokeTo, date }) : t('words.compared', { date });
}
