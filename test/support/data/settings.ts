import type { Settings } from '../../../server/contract/app/settings.ts';

/** Settings of an office whose first steps are behind it, and who has chosen nothing else. */
export const SETTINGS: Settings = {
  office: 'Us',
  firstRunDone: true,
  network: false,
  port: 7420,
  plainPartners: false,
  relay: '',
  partnerRelays: false,
  reverse: false,
  mapPort: false,
  carry: false,
  nearby: false,
  publicUrl: '',
  syncIntervalSeconds: 60,
  theme: 'system',
  language: 'system',
  startAtLogin: false,
  closeToTray: true,
  notify: { arrived: true, needsYou: true, problems: true },
  checkForUpdates: true,
  keepLedgerDays: 730,
  keepHistoryDays: 730,
  keepBinDays: 90,
};
