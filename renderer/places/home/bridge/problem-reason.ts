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
