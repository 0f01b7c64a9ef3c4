import type { ConditionRequest } from '../../server/contract/condition.ts';
import type { BodyGiven } from '../../server/contract/app/calls.ts';
import { pathOf, type Http } from './http.ts';

export interface HistoryPage {
  readonly page: number;
  readonly perPage: number;
  readonly outcome?: 'ok' | 'failed' | 'waiting' | undefined;
}

/** By reference column id, the column that stands for its rows; empty: none. */
export type Titles = Readonly<Record<string, string>>;

/** Creates the calls about partners and shares. `n` is our id of a partner, `s` of an offered list, `m` of a list. */
// eslint-disable-next-line @typescript-eslint/explicit-function-return-type -- each entry says its own
export function createPartnersApi(http: Http) {
  return {
    all: () => http.call('GET /app/partners'),
    former: () => http.call('GET /app/former-partners'),
    one: (n: string) => http.call('GET /app/partners/:n', { params: { n } }),
    change: (n: string, body: BodyGiven<'PATCH /app/partners/:n'>) =>
      http.call('PATCH /app/partners/:n', { params: { n }, body }),

    invite: (name: string) => http.call('POST /app/invites', { body: { name } }),
    inviteInReply: (name: string, replyTo: string) =>
      http.call('POST /app/invites', { body: { name, replyTo } }),
    reinvite: (n: string) => http.call('POST /app/partners/:n/reinvite', { params: { n } }),
    checkInvite: (uri: string) => http.call('POST /app/invites/check', { body: { uri } }),
    acceptInvite: (
      uri: string,
      name: string,
      allowed: { readonly ownNetwork: boolean; readonly relay: boolean },
    ) =>
      http.call('POST /app/invites/accept', { body: { uri, ...allowed, ...(name === '' ? {} : { name }) } }),
    /** Bypasses a partner's broken feed. */
    setFallback: (n: string, on: boolean) =>
      http.call('PUT /app/partners/:n/fallback', { params: { n }, body: { on } }),
    approve: (n: string) => http.call('POST /app/partners/:n/approve', { params: { n } }),
    /** Retries with the accepted invite. */
    pair: (n: string) => http.call('POST /app/partners/:n/pair', { params: { n } }),
    decline: (n: string) => http.call('POST /app/partners/:n/decline', { params: { n } }),
    wordsCompared: (n: string, body: BodyGiven<'POST /app/partners/:n/words'>) =>
      http.call('POST /app/partners/:n/words', { params: { n }, body }),

    sync: (n: string) => http.call('POST /app/partners/:n/sync', { params: { n } }),
    pause: (n: string, body: BodyGiven<'POST /app/partners/:n/pause'>) =>
      http.call('POST /app/partners/:n/pause', { params: { n }, body }),
    resume: (n: string) => http.call('POST /app/partners/:n/resume', { params: { n } }),
    sharesSeen: (n: string) => http.call('POST /app/partners/:n/shares-seen', { params: { n } }),
    disconnectEffect: (n: string) => http.call('GET /app/partners/:n/disconnect', { params: { n } }),
    disconnect: (n: string, body: BodyGiven<'POST /app/partners/:n/disconnect'>) =>
      http.call('POST /app/partners/:n/disconnect', { params: { n }, body }),

    shares: (n: string) => http.call('GET /app/partners/:n/shares', { params: { n } }),
    formerShares: (n: string) => http.call('GET /app/partners/:n/former-shares', { params: { n } }),
    share: (
      n: string,
      m: string,
      fields: readonly string[],
      titles: Titles,
      condition: ConditionRequest | null,
    ) =>
      http.call('PUT /app/partners/:n/shares/:m', { params: { n, m }, body: { fields, titles, condition } }),
    stopSharing: (n: string, m: string) =>
      http.call('DELETE /app/partners/:n/shares/:m', { params: { n, m } }),
    previewShare: (
      n: string,
      m: string,
      fieldIDs: readonly string[],
      titles: Titles,
      condition: ConditionRequest,
      signal?: AbortSignal,
    ) =>
      http.call('GET /app/partners/:n/shares/:m/preview', {
        params: { n, m },
        query: {
          fields: fieldIDs.join(','),
          titles: Object.entries(titles)
            .map(([fieldID, title]) => `${fieldID}:${title}`)
            .join(','),
          condition: JSON.stringify(condition),
        },
        signal,
      }),

    offers: (n: string) => http.call('GET /app/partners/:n/offers', { params: { n } }),
    suggest: (n: string, s: string, moduleID: string) =>
      http.call('GET /app/partners/:n/offers/:s/suggest', { params: { n, s }, query: { moduleID } }),
    twice: (n: string, s: string, body: BodyGiven<'POST /app/partners/:n/offers/:s/twice'>) =>
      http.call('POST /app/partners/:n/offers/:s/twice', { params: { n, s }, body }),
    match: (n: string, s: string, body: BodyGiven<'PUT /app/partners/:n/offers/:s/matching'>) =>
      http.call('PUT /app/partners/:n/offers/:s/matching', { params: { n, s }, body }),
    unmatch: (n: string, s: string, rows: 'keep' | 'bin' = 'keep') =>
      http.call('DELETE /app/partners/:n/offers/:s/matching', { params: { n, s }, query: { rows } }),
    makeList: (n: string, s: string) =>
      http.call('POST /app/partners/:n/offers/:s/list', { params: { n, s }, body: {} }),
    dismissOffer: (n: string, s: string) =>
      http.call('POST /app/partners/:n/offers/:s/dismiss', { params: { n, s } }),
    recallOffer: (n: string, s: string) =>
      http.call('POST /app/partners/:n/offers/:s/recall', { params: { n, s } }),
    waiting: (n: string, s: string, limit: number) =>
      http.call('GET /app/partners/:n/offers/:s/waiting', { params: { n, s }, query: { limit } }),
    waitingFile: (n: string, s: string) => pathOf('GET /app/partners/:n/offers/:s/waiting.csv', { n, s }),
    settle: (n: string, s: string) =>
      http.call('POST /app/partners/:n/offers/:s/settle', { params: { n, s } }),
    /** `mark`: the rows that the user was shown. */
    approveDeletions: (n: string, s: string, mark: string) =>
      http.call('POST /app/partners/:n/offers/:s/brake', { params: { n, s }, body: { go: true, mark } }),
    keepRows: (n: string, s: string) =>
      http.call('POST /app/partners/:n/offers/:s/brake', { params: { n, s }, body: { go: false } }),
    compare: (n: string, s: string) =>
      http.call('POST /app/partners/:n/offers/:s/compare', { params: { n, s } }),
    repull: (n: string, s: string, recordIDs: readonly string[]) =>
      http.call('POST /app/partners/:n/offers/:s/repull', { params: { n, s }, body: { recordIDs } }),

    failed: (n: string, sharedModuleID: string) =>
      http.call('GET /app/partners/:n/failed', { params: { n }, query: { sharedModuleID } }),
    retryFailed: (n: string) => http.call('POST /app/partners/:n/failed/retry', { params: { n } }),
    activity: (n: string, which: HistoryPage) =>
      http.call('GET /app/partners/:n/activity', { params: { n }, query: { ...which } }),
    ledger: (n: string, page: number, perPage: number) =>
      http.call('GET /app/partners/:n/ledger', { params: { n }, query: { page, perPage } }),
    ledgerFile: (n: string) => pathOf('GET /app/partners/:n/ledger.csv', { n }),
    chart: (n: string, days: number) =>
      http.call('GET /app/partners/:n/chart', { params: { n }, query: { days } }),
  };
}
