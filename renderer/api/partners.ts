import type { PartnerDetail, PartnerSummary } from '../../server/contract/app/overview.ts';
import type { InviteAnswer, InviteCheck } from '../../server/contract/app/invites.ts';
import type {
  Comparison,
  DisconnectEffect,
  FailedRow,
  Offer,
  Share,
  SharePreview,
  Suggestion,
  WaitingRows,
} from '../../server/contract/app/sharing.ts';
import type {
  ActivityPage,
  Chart,
  LedgerPage,
  MatchingRequest,
  PartnerChange,
  WordsRequest,
} from '../../server/contract/app/pages.ts';
import type { Http } from './http.ts';

/** Which of the history one wants to see; absent: all. */
export interface HistoryPage {
  readonly page: number;
  readonly perPage: number;
  readonly outcome?: 'ok' | 'failed' | 'waiting' | undefined;
}

/** By the id of a column that refers to rows: the id of the column that names them, or empty for nothing. */
export type Titles = Readonly<Record<string, string>>;

const enc = encodeURIComponent;
const at = (nodeID: string): string => `/app/partners/${enc(nodeID)}`;
const offerAt = (nodeID: string, offer: string): string => `${at(nodeID)}/offers/${enc(offer)}`;

/** Everything that the window asks or tells the node about partners. Ids are ours, as decimal strings. */
// eslint-disable-next-line @typescript-eslint/explicit-function-return-type -- each entry says its own
export function createPartnersApi(http: Http) {
  const post = (nodeID: string, what: string, body?: unknown): Promise<unknown> =>
    http.send('POST', `${at(nodeID)}/${what}`, body);

  return {
    all: () => http.get<PartnerSummary[]>('/app/partners'),
    one: (n: string) => http.get<PartnerDetail>(at(n)),
    change: (n: string, change: PartnerChange) => http.send<PartnerDetail>('PATCH', at(n), change),

    invite: (name: string, contact?: string) =>
      http.send<InviteAnswer>('POST', '/app/invites', contact ? { name, contact } : { name }),
    reinvite: (n: string) => http.send<InviteAnswer>('POST', `${at(n)}/reinvite`),
    checkInvite: (uri: string) => http.send<InviteCheck>('POST', '/app/invites/check', { uri }),
    acceptInvite: (uri: string, name: string, ownNetwork: boolean) =>
      http.send<{ nodeID: string }>('POST', '/app/invites/accept', {
        uri,
        ownNetwork,
        ...(name === '' ? {} : { name }),
      }),
    /** Reads rows past a feed that is broken at the other end, or no longer. */
    readAround: (n: string, on: boolean) => http.send<PartnerDetail>('PUT', `${at(n)}/fallback`, { on }),
    approve: (n: string) => post(n, 'approve'),
    /** Asks anew with the invite that was taken, after it did not work. */
    pair: (n: string) => post(n, 'pair'),
    decline: (n: string) => post(n, 'decline'),
    wordsCompared: (n: string, found: WordsRequest) =>
      http.send<PartnerDetail>('POST', `${at(n)}/words`, found),

    sync: (n: string) => post(n, 'sync'),
    /** Both ways, unless one is named. */
    pause: (n: string, what: { until?: string; fetch?: true; serve?: true }) => post(n, 'pause', what),
    resume: (n: string) => post(n, 'resume'),
    disconnectEffect: (n: string) => http.get<DisconnectEffect>(`${at(n)}/disconnect`),
    disconnect: (n: string, what: { received: 'keep' | 'remove'; askRemoval: boolean }) =>
      post(n, 'disconnect', what),

    shares: (n: string) => http.get<Share[]>(`${at(n)}/shares`),
    share: (n: string, moduleID: string, fieldIDs: readonly string[], titles: Titles) =>
      http.send('PUT', `${at(n)}/shares/${enc(moduleID)}`, { fields: fieldIDs, titles }),
    stopSharing: (n: string, moduleID: string) => http.send('DELETE', `${at(n)}/shares/${enc(moduleID)}`),
    preview: (
      n: string,
      moduleID: string,
      fieldIDs: readonly string[],
      titles: Titles,
      signal?: AbortSignal,
    ) =>
      http.get<SharePreview>(
        `${at(n)}/shares/${enc(moduleID)}/preview`,
        {
          fields: fieldIDs.join(','),
          titles: Object.entries(titles)
            .map(([fieldID, title]) => `${fieldID}:${title}`)
            .join(','),
        },
        signal,
      ),

    offers: (n: string) => http.get<Offer[]>(`${at(n)}/offers`),
    suggest: (n: string, offer: string, moduleID: string) =>
      http.get<Suggestion[]>(`${offerAt(n, offer)}/suggest`, { moduleID }),
    match: (n: string, offer: string, matching: MatchingRequest) =>
      http.send('PUT', `${offerAt(n, offer)}/matching`, matching),
    unmatch: (n: string, offer: string) => http.send('DELETE', `${offerAt(n, offer)}/matching`),
    makeList: (n: string, offer: string) =>
      http.send<{ moduleID: string; namespaceID: string }>('POST', `${offerAt(n, offer)}/list`, {}),
    dismissOffer: (n: string, offer: string) => http.send('POST', `${offerAt(n, offer)}/dismiss`),
    recallOffer: (n: string, offer: string) => http.send('POST', `${offerAt(n, offer)}/recall`),
    waiting: (n: string, offer: string, limit: number) =>
      http.get<WaitingRows>(`${offerAt(n, offer)}/waiting`, { limit }),
    waitingFile: (n: string, offer: string) => `${offerAt(n, offer)}/waiting.csv`,
    brake: (n: string, offer: string, go: boolean) => http.send('POST', `${offerAt(n, offer)}/brake`, { go }),
    compare: (n: string, offer: string) => http.send<Comparison>('POST', `${offerAt(n, offer)}/compare`),
    repull: (n: string, offer: string, recordIDs: readonly string[]) =>
      http.send('POST', `${offerAt(n, offer)}/repull`, { recordIDs }),

    failed: (n: string, offer: string) => http.get<FailedRow[]>(`${at(n)}/failed`, { sharedModuleID: offer }),
    retryFailed: (n: string) => post(n, 'failed/retry'),
    activity: (n: string, which: HistoryPage) => http.get<ActivityPage>(`${at(n)}/activity`, { ...which }),
    ledger: (n: string, page: number, perPage: number) =>
      http.get<LedgerPage>(`${at(n)}/ledger`, { page, perPage }),
    ledgerFile: (n: string) => `${at(n)}/ledger.csv`,
    chart: (n: string, days: number) => http.get<Chart>(`${at(n)}/chart`, { days }),
  };
}

export type PartnersApi = ReturnType<typeof createPartnersApi>;
