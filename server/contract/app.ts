import { z } from 'zod';
import { fieldDescriptor, fieldKind, id, timestamp } from './common.ts';

/**
 * The app's own API under `/app` on the window listener. It carries what the window shows and the federation
 * and compose routes do not: overviews, the inbox, matching help, history. What those routes can do (create
 * a node, pair, expose, map, edit rows) is done through them. Answers are wrapped as `{"response": …}`,
 * errors as `{"error": {code, message}}`; the message is fit to be shown.
 */

/** The six states, worst first in the order of the array (design §9). */
export const STATES = ['error', 'needs-you', 'syncing', 'offline', 'paused', 'up-to-date'] as const;
export const state = z.enum(STATES);
export type State = z.infer<typeof state>;

export const counts = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  deleted: z.number().int(),
  unchanged: z.number().int(),
  failed: z.number().int(),
});
export type Counts = z.infer<typeof counts>;

/** GET /app/session: what the window sends as `x-csrf-token` with every request that changes something. */
export const sessionAnswer = z.object({ csrfToken: z.string() });
export type SessionAnswer = z.infer<typeof sessionAnswer>;

/** How far a pull that is running has come. */
export const progress = z.object({
  nodeID: id,
  moduleID: id.describe('our id of the list that receives'),
  listName: z.string(),
  done: z.number().int().describe('rows so far'),
  total: z.number().int().optional().describe('rows expected, where the partner says'),
  rowsPerSecond: z.number(),
});
export type Progress = z.infer<typeof progress>;

/** GET /app/partners, and part of the overview. */
export const partnerSummary = z.object({
  nodeID: id,
  name: z.string(),
  state,
  reason: z.string().describe('the state in words, with what to do where something is to be done'),
  status: z.enum(['pending', 'pair_requested', 'paired', 'failed', 'unpaired']),
  role: z.enum(['inviter', 'invitee']).optional(),
  pausedUntil: timestamp.optional(),
  lastSuccessAt: timestamp.optional(),
  nextSyncAt: timestamp.optional(),
  sharedLists: z.number().int().describe('lists that we share with them'),
  receivedLists: z.number().int().describe('lists that we receive and have matched'),
  offeredLists: z.number().int().describe('offered lists that wait for a decision'),
  receivedRows: z.number().int(),
  couldNotApply: z.number().int(),
  progress: progress.optional(),
});
export type PartnerSummary = z.infer<typeof partnerSummary>;

/** GET /app/partners/{n}: what the Connection tab shows. */
export const partnerDetail = partnerSummary.extend({
  baseURL: z.string(),
  contact: z.string(),
  ownNetwork: z.boolean(),
  dialect: z.enum(['shape1', 'shape2', 'live']).optional(),
  footbridge: z.boolean(),
  transport: z
    .enum(['pinned', 'https', 'http', 'they-call'])
    .describe('own certificate pinned, public authority, open, or only they call us, as they can'),
  certificate: z.string().optional().describe('SHA-256 fingerprint that is pinned, hex'),
  words: z.array(z.string()).describe('verification words; empty until both sides have tokens'),
  reachable: z.enum(['both', 'we-call-them', 'they-call-us', 'unknown']),
  expiresAt: timestamp.optional().describe('when the connection ends unless it is renewed'),
  renews: z.boolean(),
  invite: z
    .object({ expiresAt: timestamp, usedAt: timestamp.optional() })
    .optional()
    .describe('our invite, without its secret'),
  fallback: z
    .enum(['offered', 'on'])
    .optional()
    .describe('a live server with a broken record feed: its rows can be, or are, read past it'),
  removeRequest: z
    .object({ at: timestamp, rows: z.number().int() })
    .optional()
    .describe('they ended the connection and ask us to remove what is left here of their rows'),
  problem: z.string().optional(),
  createdAt: timestamp,
});
export type PartnerDetail = z.infer<typeof partnerDetail>;

/** Things that need the user; each is shown once until it is dealt with or put aside. */
export const inboxItem = z.object({
  itemID: z.string(),
  kind: z.enum([
    'pair-request',
    'list-offered',
    'columns-changed',
    'brake',
    'connection-ending',
    'connection-ended',
    'could-not-apply',
    'remove-request',
    'stranger',
    'store-notice',
  ]),
  at: timestamp,
  nodeID: id.optional(),
  partner: z.string().optional(),
  sharedModuleID: id.optional().describe('the offered list it is about'),
  moduleID: id.optional().describe('our list it is about'),
  listName: z.string().optional(),
  rows: z.number().int().optional(),
  message: z.string().describe('one or two plain sentences'),
});
export type InboxItem = z.infer<typeof inboxItem>;

/** One pull (or other event) in the history. */
export const activity = z.object({
  activityID: z.string(),
  at: timestamp,
  nodeID: id,
  partner: z.string(),
  kind: z.enum(['pull', 'structure', 'pairing', 'sharing', 'connection', 'served']),
  outcome: z.enum(['ok', 'failed', 'waiting']),
  moduleID: id.optional(),
  listName: z.string().optional(),
  counts: counts.optional(),
  milliseconds: z.number().optional(),
  message: z.string(),
});
export type Activity = z.infer<typeof activity>;

/** GET /app/overview: everything that Home and the tray need. */
export const overview = z.object({
  office: z.string().describe('name of this office; empty before the first run is done'),
  firstRunDone: z.boolean(),
  state,
  reason: z.string(),
  lastSuccessAt: timestamp.optional(),
  partners: z.array(partnerSummary),
  inbox: z.array(inboxItem),
  recent: z
    .array(activity)
    .describe('the latest first, 50 at most, only those that brought or failed something'),
  addresses: z.array(z.string()).describe('federation bases under which partners may reach this computer'),
  reachable: z.boolean().describe('the federation listener is open to the office network'),
  version: z.string(),
});
export type Overview = z.infer<typeof overview>;

/** GET and PATCH /app/settings (PATCH takes any part). */
export const settings = z.object({
  office: z.string().trim().min(1).max(200),
  firstRunDone: z.boolean(),
  network: z.boolean().describe('partners on the network can reach this computer'),
  port: z.number().int().min(0).max(65535),
  plainPartners: z
    .boolean()
    .describe('partners on the network may call without encryption; for servers that cannot pin'),
  publicUrl: z.string().max(2000).describe('address given out in invites; empty: found out'),
  syncIntervalSeconds: z.number().int().min(10).max(86_400),
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', 'en', 'de']),
  startAtLogin: z.boolean(),
  closeToTray: z.boolean(),
  notify: z.object({ arrived: z.boolean(), needsYou: z.boolean(), problems: z.boolean() }),
  checkForUpdates: z.boolean(),
});
export type Settings = z.infer<typeof settings>;

/** What PATCH takes: one kind of notification can be switched without knowing how the others stand. */
export const settingsChange = settings
  .partial()
  .extend({ notify: settings.shape.notify.partial().optional() });
export type SettingsChange = Partial<Omit<Settings, 'notify'>> & {
  readonly notify?: Partial<Settings['notify']>;
};

/** Answer of GET /app/settings: the settings and what goes with them. */
export const settingsAnswer = z.object({
  settings,
  dataDir: z.string(),
  storeBytes: z.number().int(),
  lastBackupAt: timestamp.optional(),
  secretProtection: z.enum(['system', 'file']),
  restartNeeded: z.boolean().describe('port or network were changed and take effect after a restart'),
});
export type SettingsAnswer = z.infer<typeof settingsAnswer>;

/** POST /app/invites {name, contact?} → a new partner with an invite that is shown this one time. */
export const inviteRequest = z.object({
  name: z.string().trim().min(1).max(200),
  contact: z.string().max(320).optional(),
});
export const inviteAnswer = z.object({ nodeID: id, uri: z.string(), expiresAt: timestamp });
export type InviteAnswer = z.infer<typeof inviteAnswer>;

/** POST /app/invites/check {uri}: what an invite says, before anything is done with it. */
export const inviteCheckRequest = z.object({ uri: z.string().max(8192) });
export const inviteCheck = z.object({
  partner: z.string(),
  address: z.string().describe('where the partner is'),
  secure: z.boolean(),
  needsOwnNetworkConsent: z.boolean(),
  alreadyKnown: id.optional(),
});
export type InviteCheck = z.infer<typeof inviteCheck>;

/** POST /app/invites/accept {uri, name?, ownNetwork?} → creates the partner and asks it to pair. */
export const inviteAcceptRequest = z.object({
  uri: z.string().max(8192),
  name: z.string().trim().max(200).optional(),
  ownNetwork: z.boolean().optional(),
});
export const inviteAcceptAnswer = z.object({ nodeID: id });

/** GET /app/partners/{n}/shares */
export const share = z.object({
  exposureID: id,
  moduleID: id.describe('our list'),
  listName: z.string(),
  fields: z.array(fieldDescriptor),
  hidden: z.array(fieldDescriptor).describe('columns of the list that stay here'),
  rows: z.number().int().describe('rows that the partner may see'),
  rowsSent: z.number().int().describe('rows ever served to the partner'),
  lastServedAt: timestamp.optional(),
});
export type Share = z.infer<typeof share>;

/** Rows of other lists that values name, by id; a value that is not here is text. */
export const references = z.record(
  id,
  z.object({ state: z.enum(['there', 'bin', 'gone']), text: z.string().describe('what the row is called') }),
);

/** GET /app/partners/{n}/shares/{list}/preview?fields=a,b: the partner's-eye view, through the real feed. */
export const sharePreview = z.object({
  shown: z.array(z.string()),
  hidden: z.array(z.string()),
  rows: z.array(
    z.object({
      recordID: id,
      seen: z.record(z.string(), z.array(z.string())).describe('what the feed gives'),
      stays: z.record(z.string(), z.array(z.string())).describe('what stays here'),
    }),
  ),
  references: references.describe('of what stays here; what leaves is shown as it leaves'),
  total: z.number().int(),
});
export type SharePreview = z.infer<typeof sharePreview>;

/** GET /app/partners/{n}/offers: offered lists with their matching, where there is one. */
export const offer = z.object({
  sharedModuleID: id,
  name: z.string(),
  handle: z.string(),
  fields: z.array(fieldDescriptor),
  state: z.enum(['new', 'matched', 'dismissed', 'withdrawn']),
  moduleID: id.optional().describe('our list that receives it'),
  listName: z.string().optional(),
  matches: z.array(z.object({ origin: z.string(), destination: z.string(), parked: z.string().optional() })),
  unmatched: z.array(z.string()).describe('offered columns that go nowhere'),
  rows: z.number().int().describe('rows received so far'),
  couldNotApply: z.number().int(),
  inBin: z.number().int(),
  brake: z.object({ removes: z.number().int(), empties: z.number().int(), of: z.number().int() }).optional(),
  lastPulledAt: timestamp.optional(),
  progress: progress.optional(),
});
export type Offer = z.infer<typeof offer>;

/** GET /app/partners/{n}/offers/{s}/suggest?moduleID=: which of our columns fits which of theirs. */
export const conversion = z.enum(['same', 'converts', 'may-refuse', 'impossible']);
const sample = z.object({ before: z.string(), after: z.string().optional(), problem: z.string().optional() });
export const suggestion = z.object({
  origin: fieldDescriptor,
  destination: z.string().optional().describe('name of our column that fits best; absent: none does'),
  candidates: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      kind: fieldKind,
      conversion,
      note: z.string().describe('what happens to the values, in plain words; empty for `same`'),
      samples: z
        .array(sample)
        .optional()
        .describe(
          'real values and what becomes of them in this column, refused ones first; absent for `same`',
        ),
    }),
  ),
  samples: z.array(z.string()).describe('real values as the partner has them'),
});
export const suggestions = z.array(suggestion);
export type Suggestion = z.infer<typeof suggestion>;

/** POST /app/partners/{n}/offers/{s}/list {name?}: makes a list like the offered one and matches all columns. */
export const makeListRequest = z.object({ name: z.string().trim().min(1).max(200).optional() });
export const makeListAnswer = z.object({ moduleID: id, namespaceID: id });

/** GET /app/partners/{n}/failed?sharedModuleID=: rows that could not be applied, with the reason. */
export const failedRow = z.object({
  failedID: z.string(),
  recordID: id,
  moduleID: id,
  reason: z.string(),
  values: z.record(z.string(), z.array(z.string())),
  since: timestamp,
  tries: z.number().int(),
});
export type FailedRow = z.infer<typeof failedRow>;

/** GET /app/partners/{n}/ledger?page=&perPage=: what left, when, to whom. GET …/ledger.csv gives it as a file. */
export const ledgerLine = z.object({
  at: timestamp,
  listName: z.string(),
  fields: z.array(z.string()),
  rows: z.number().int(),
  recordIDs: z.array(id),
  address: z.string(),
  digests: z.boolean().optional().describe('only fingerprints of the values left, for comparing'),
});
export type LedgerLine = z.infer<typeof ledgerLine>;

/** POST /app/partners/{n}/offers/{s}/compare: are we identical? */
export const comparison = z.object({
  identical: z.boolean(),
  theirs: z.number().int(),
  ours: z.number().int(),
  differing: z.array(
    z.object({ recordID: id, difference: z.enum(['missing-here', 'missing-there', 'values']) }),
  ),
  more: z.boolean().optional().describe('there are further differences, too many to name at once'),
  notCompared: z
    .array(z.string())
    .optional()
    .describe('labels of our columns whose values are converted on the way and could not be compared'),
  comparedAt: timestamp,
});
export type Comparison = z.infer<typeof comparison>;

/** POST /app/partners/{n}/disconnect; GET …/disconnect says the effect in numbers. */
export const disconnectRequest = z.object({
  received: z.enum(['keep', 'remove']).describe('what becomes of the rows that came from the partner'),
  askRemoval: z.boolean().optional().describe('ask the partner to remove the rows that we sent'),
});
export const disconnectEffect = z.object({
  receivedRows: z.number().int(),
  receivedLists: z.number().int(),
  sharedLists: z.number().int(),
  rowsSent: z.number().int(),
});
export type DisconnectEffect = z.infer<typeof disconnectEffect>;

/** GET /app/lists */
export const listSummary = z.object({
  moduleID: id,
  namespaceID: id,
  name: z.string(),
  handle: z.string(),
  columns: z.number().int(),
  rows: z.number().int(),
  received: z.array(z.object({ nodeID: id, partner: z.string(), rows: z.number().int() })),
  sharedWith: z.array(z.object({ nodeID: id, partner: z.string() })),
  inBin: z.number().int(),
  updatedAt: timestamp.optional(),
});
export type ListSummary = z.infer<typeof listSummary>;

const values = z.record(z.string(), z.array(z.string()));

/**
 * GET /app/lists/{m}/rows?offset=&limit=&sort=&query=&search=&bin=1: a stretch of the grid, by position. `query` are
 * comparisons, `search` is text. Rows are compared by what is shown: a reference by its row's text.
 */
export const gridRow = z.object({
  recordID: id,
  values,
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.optional(),
  references: references.optional(),
  received: z
    .object({
      nodeID: id,
      partner: z.string(),
      recordID: id.describe('their id'),
      updatedAt: timestamp.describe('when it was changed there'),
      receivedAt: timestamp,
      values: values.describe('as received'),
      previous: values.optional().describe('as received before'),
      edited: z.array(z.string()).describe('columns that were changed here'),
    })
    .optional(),
});
export type GridRow = z.infer<typeof gridRow>;
export const gridPage = z.object({
  offset: z.number().int(),
  total: z.number().int(),
  rows: z.array(gridRow),
});
export type GridPage = z.infer<typeof gridPage>;

const rejections = {
  rejected: z
    .array(z.object({ line: z.number().int(), reason: z.string() }))
    .describe('lines that cannot go in; of very many only the first'),
  rejectedLines: z.number().int().describe('how many there are'),
};

/** POST /app/import/preview (text/csv, ?delimiter=&encoding=): what a file holds, before it goes in. */
export const importPreview = z.object({
  encoding: z.string(),
  delimiter: z.string(),
  columns: z.array(
    z.object({ name: z.string(), label: z.string(), kind: fieldKind, samples: z.array(z.string()) }),
  ),
  lines: z.number().int(),
  ...rejections,
});
export type ImportPreview = z.infer<typeof importPreview>;

/** POST /app/import?list=NAME or ?moduleID=, &key=&delimiter=&encoding=&kinds={…}&match={…}: puts a file into a list. */
export const importAnswer = z.object({
  moduleID: id,
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  ...rejections,
});
export type ImportAnswer = z.infer<typeof importAnswer>;

/**
 * GET /app/events: server-sent events, `event:` being the type and `data:` the JSON of the event. A reader
 * that was away reloads what it shows; `hello` is the first event on every connection.
 */
export const appEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), version: z.string() }),
  z.object({ type: z.literal('overview') }).describe('something in the overview changed'),
  z.object({ type: z.literal('partner'), nodeID: id }).describe('anything about this partner changed'),
  z.object({ type: z.literal('list'), moduleID: id }).describe('rows or columns of this list changed'),
  z.object({ type: z.literal('lists') }).describe('a list came, went or was renamed'),
  z.object({ type: z.literal('settings') }),
  z.object({ type: z.literal('progress'), progress }),
  z.object({ type: z.literal('activity'), activity }),
]);
export type AppEvent = z.infer<typeof appEvent>;
