import { z } from 'zod';
import { LANGUAGES } from '../../base/vocabulary.ts';
import { id, timestamp } from '../common.ts';

export const settings = z.object({
  office: z.string().trim().min(1).max(200),
  firstRunDone: z.boolean(),
  network: z.boolean().describe('partners on the network can reach this computer'),
  nearby: z
    .boolean()
    .describe(
      'while partners are added, this office is told by its name on its network, and looks for others',
    ),
  port: z.number().int().min(0).max(65535),
  plainPartners: z
    .boolean()
    .describe('partners on the network may call without encryption; for servers that cannot pin'),
  relay: z
    .string()
    .max(1000)
    .describe('address of the relay through which partners reach this office; empty: none'),
  partnerRelays: z.boolean().describe('partners may be called through the relays that they name'),
  reverse: z
    .boolean()
    .describe('partners that cannot call this office use a connection that it keeps open to them'),
  mapPort: z.boolean().describe('the router is asked to forward a port to this office'),
  carry: z.boolean().describe('partners may be called by others through this office'),
  publicUrl: z.string().max(2000).describe('address given out in invites; empty: found out'),
  syncIntervalSeconds: z.number().int().min(10).max(86_400),
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', ...LANGUAGES]),
  startAtLogin: z.boolean(),
  closeToTray: z.boolean(),
  notify: z.object({ arrived: z.boolean(), needsYou: z.boolean(), problems: z.boolean() }),
  checkForUpdates: z.boolean(),
  keepLedgerDays: z
    .number()
    .int()
    .min(30)
    .max(36_500)
    .describe('how long it is kept what left; a month at a time goes when nothing in it is younger'),
  keepHistoryDays: z
    .number()
    .int()
    .min(7)
    .max(36_500)
    .describe('how long it is kept what happened, 10,000 entries at most'),
  keepBinDays: z
    .number()
    .int()
    .min(7)
    .max(36_500)
    .describe('how long a deleted row can be restored; that it was deleted stays known'),
});
export type Settings = z.infer<typeof settings>;

/** Each opens a way around the office's router: needs consent, and records who gave it. */
export const ROUTE_SETTINGS = ['relay', 'partnerRelays', 'reverse', 'mapPort', 'carry'] as const;

/** Notifications can be switched one by one. */
export const settingsChange = settings
  .partial()
  .extend({ notify: settings.shape.notify.partial().optional() });
export type SettingsChange = Partial<Omit<Settings, 'notify'>> & {
  readonly notify?: Partial<Settings['notify']>;
};

export const settingsAnswer = z.object({
  settings: settings.extend({ office: z.string().max(200).describe('empty before the first steps') }),
  openedBy: z
    .partialRecord(z.enum(ROUTE_SETTINGS), z.object({ by: id, at: timestamp }).optional())
    .optional()
    .describe('who allowed the routes around the router that are open, and when'),
  dataDir: z.string(),
  storeBytes: z.number().int(),
  lastBackupAt: timestamp.optional(),
  ledger: z
    .object({
      lines: z.number().int(),
      bytes: z.number().int(),
      since: z.string().optional().describe('the month with which it begins, as in 2026-11'),
    })
    .describe('what is kept of what left'),
  history: z
    .object({ entries: z.number().int(), bytes: z.number().int(), since: timestamp.optional() })
    .describe('what is kept of what happened'),
  bin: z.object({ rows: z.number().int() }).describe('rows in the bins of all lists'),
  secretProtection: z.enum(['system', 'file', 'given']),
  addressGiven: z
    .boolean()
    .describe(
      'the node was started for one address, so that `network` has no effect until it is started without',
    ),
});
export type SettingsAnswer = z.infer<typeof settingsAnswer>;

/** Signed-in windows, newest first. */
export const listedSession = z.object({
  sessionID: z.string(),
  own: z.boolean().describe('the window that asks'),
  browser: z.string().optional(),
  begunAt: timestamp.optional(),
  usedAt: timestamp.optional().describe('of the last use, give or take an hour'),
});
export type ListedSession = z.infer<typeof listedSession>;

/** Works once, within ten minutes. */
export const windowLink = z.object({ link: z.string() });

/** Works once, within a minute. */
export const preparedBackup = z.object({ download: z.string() });
export const backupQuery = z.object({ key: z.string().max(64) });

export const endSessions = z.object({ sessionIDs: z.array(z.string().max(64)).min(1).max(1000) });
