import type { PartnerSummary } from '../../../../server/contract/app/overview.ts';
import type { Translate } from '../../../text/catalogue.ts';

type Partner = Pick<PartnerSummary, 'status' | 'state' | 'line' | 'partly'>;

/**
 * Says how many partners are connected; with none, that all are paused or that some can be reached in part.
 * Those whose state has expired (`isUnknown`) don't count; those never paired only prevent "both" and "all".
 */
export function homeTitle<P extends Partner>(
  partners: readonly P[],
  isUnknown: (partner: P) => boolean,
  t: Translate,
): string {
  if (partners.length === 0) return t('home.ready');
  const met = partners.filter(({ status }) => status === 'paired' || status === 'unpaired');
  if (met.length === 0) return t('home.nobody-connected');
  const connected = met.filter((partner) => partner.line === 'open' && !isUnknown(partner)).length;
  const words = t('number.words').split(' ');
  const word = (n: number): string | number => words[n] ?? n;
  const isEverybody = met.length === partners.length;
  const all = word(met.length);
  const several = (one: string, two: string, more: string): string =>
    met.length === 1 ? one : met.length === 2 ? two : more;
  /** Returns that some are connected, with a capital first letter. */
  const someConnectedText = (of: string | number): string => {
    const sentence = t('home.some-connected', { some: word(connected), all: of });
    return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
  };
  if (connected === met.length && connected > 1 && !isEverybody)
    return someConnectedText(word(partners.length));
  if (connected === met.length)
    return several(t('home.one-connected'), t('home.both-connected'), t('home.all-connected', { all }));
  if (met.every(({ line }) => line === 'paused'))
    return several(t('home.one-paused'), t('home.both-paused'), t('home.all-paused', { all }));
  if (connected === 0 && met.some((partner) => partner.partly === true && !isUnknown(partner)))
    return t('home.partly', { n: met.length });
  const isOffline = met.every(
    (partner) => partner.status === 'paired' && partner.state === 'offline' && !isUnknown(partner),
  );
  if (connected === 0)
    return several(
      t(isOffline ? 'home.one-offline' : 'home.one-not-connected'),
      t('home.neither-connected'),
      t('home.none-connected', { all }),
    );
  if (connected === 1) return t('home.one-of-connected', { all });
  return someConnectedText(all);
}
