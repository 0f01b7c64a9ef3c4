import type { Overview } from '../../server/contract/app/overview.ts';
import type { ListedSession, SettingsAnswer, SettingsChange } from '../../server/contract/app/settings.ts';
import type { ActivityPage, Reachability } from '../../server/contract/app/pages.ts';
import type { Http } from './http.ts';
import type { HistoryPage } from './partners.ts';

/** What the window asks or tells the node about this office as a whole. */
// eslint-disable-next-line @typescript-eslint/explicit-function-return-type -- each entry says its own
export function createOfficeApi(http: Http) {
  return {
    overview: () => http.get<Overview>('/app/overview'),
    activity: (which: HistoryPage) => http.get<ActivityPage>('/app/activity', { ...which }),
    dismiss: (itemID: string) => http.send('POST', `/app/inbox/${encodeURIComponent(itemID)}/dismiss`),
    syncAll: () => http.send('POST', '/app/sync'),
    pauseAll: (until?: string) => http.send('POST', '/app/pause', until ? { until } : {}),
    resumeAll: () => http.send('POST', '/app/resume'),
    settings: () => http.get<SettingsAnswer>('/app/settings'),
    changeSettings: (change: SettingsChange) => http.send<SettingsAnswer>('PATCH', '/app/settings', change),
    sessions: () => http.get<ListedSession[]>('/app/sessions'),
    endSessions: (sessionIDs: readonly string[]) => http.send('POST', '/app/sessions/end', { sessionIDs }),
    reachability: () => http.get<Reachability>('/app/reachability'),
    backupFile: () => '/app/backup',
    restore: (file: Blob) => http.upload('/app/restore', file, 'application/octet-stream'),
    ledgerFile: () => '/app/ledger.csv',
    supportFile: () => '/app/support-bundle',
  };
}

export type OfficeApi = ReturnType<typeof createOfficeApi>;
