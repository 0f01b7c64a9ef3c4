import type { BodyGiven } from '../../server/contract/app/calls.ts';
import { pathOf, type Http } from './http.ts';
import type { HistoryPage } from './partners.ts';

/** Creates the calls about the whole office: overview, activity, settings, backups. */
// eslint-disable-next-line @typescript-eslint/explicit-function-return-type -- each entry says its own
export function createOfficeApi(http: Http) {
  return {
    overview: () => http.call('GET /app/overview'),
    activity: (which: HistoryPage) => http.call('GET /app/activity', { query: { ...which } }),
    dismiss: (itemID: string) => http.call('POST /app/inbox/:itemID/dismiss', { params: { itemID } }),
    syncAll: () => http.call('POST /app/sync'),
    pauseAll: (until?: string) => http.call('POST /app/pause', { body: until ? { until } : {} }),
    resumeAll: () => http.call('POST /app/resume'),
    settings: () => http.call('GET /app/settings'),
    changeSettings: (body: BodyGiven<'PATCH /app/settings'>) => http.call('PATCH /app/settings', { body }),
    sessions: () => http.call('GET /app/sessions'),
    endSessions: (sessionIDs: readonly string[]) =>
      http.call('POST /app/sessions/end', { body: { sessionIDs } }),
    /** Looks for others on the network; polling makes the office visible to them, if switched on. */
    nearby: () => http.call('POST /app/nearby'),
    reachability: () => http.call('GET /app/reachability'),
    prepareBackup: () => http.call('POST /app/backup'),
    restore: (file: Blob) => http.upload('POST /app/restore', { file, type: 'application/octet-stream' }),
    ledgerFile: () => pathOf('GET /app/ledger.csv'),
    supportFile: () => pathOf('GET /app/support-bundle'),
  };
}
