import { z } from 'zod';
import { COLOURS, DIALECTS, LINES, STATES } from '../../base/vocabulary.ts';
import { id, timestamp } from '../common.ts';

/** State of a partner, or of all together (docs/architecture.md: States of a partner). */
export const state = z.enum(STATES);
export type State = z.infer<typeof state>;

export const line = z
  .enum(LINES)
  .describe(
    'the way between us, whatever else is the case: not paired, an error, nothing gets through or nobody is heard, paused, open',
  );

export const counts = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  deleted: z.number().int(),
  unchanged: z.number().int(),
  failed: z.number().int(),
});
export type Counts = z.infer<typeof counts>;

export const partly = z
  .literal(true)
  .optional()
  .describe('the line has a problem, but the partner still answers us or asks us');

/** Sent as `x-csrf-token` with every write. */
export const sessionAnswer = z.object({ csrfToken: z.string() });
export type SessionAnswer = z.infer<typeof sessionAnswer>;

export const progress = z.object({
  nodeID: id,
  moduleID: id.describe('our id of the list that receives'),
  listName: z.string(),
  done: z.number().int().describe('rows so far'),
  total: z.number().int().optional().describe('rows expected, where the partner says'),
  rowsPerSecond: z.number(),
});
export type Progress = z.infer<typeof progress>;

/** Assigned in this order. */
export const partnerColour = z.enum(COLOURS);
export type PartnerColour = z.infer<typeof partnerColour>;

/** Accompanies the state of one partner, or of all. */
const standing = {
  reason: z.string().describe('the state in words, with what to do where something is to be done'),
  also: z.array(z.string()).describe('what else is the case, the worst first'),
  awaited: z.boolean().describe('nothing is wrong: it is the other office’s turn, or there is none yet'),
  idle: z.literal(true).optional().describe('up to date, as no list goes either way'),
  asOf: timestamp.optional().describe('as of when the state is known'),
  freshUntil: timestamp
    .optional()
    .describe('after this nobody knows any more, unless the node says otherwise'),
};

export const formerPartner = z.object({
  nodeID: id,
  name: z.string(),
  colour: partnerColour,
  until: timestamp,
  left: z.boolean().describe('whether anything ever left to it'),
});
export type FormerPartner = z.infer<typeof formerPartner>;

export const partnerSummary = z.object({
  nodeID: id,
  name: z.string(),
  colour: partnerColour.describe('it keeps the one that it was given, unless the user chooses another'),
  state,
  ...standing,
  line,
  partly,
  status: z.enum(['pending', 'pair_requested', 'paired', 'failed', 'unpaired']),
  role: z.enum(['inviter', 'invitee']).optional(),
  approved: z
    .literal(true)
    .optional()
    .describe('our user approved its request, and it has yet to fetch the answer'),
  paused: z
    .object({ fetch: z.boolean(), serve: z.boolean() })
    .optional()
    .describe('what our user stopped: fetching from them, their reading'),
  unsure: z
    .literal(true)
    .optional()
    .describe('older data came back: they read nothing until our user has looked at what is shared'),
  pausedUntil: timestamp.optional(),
  lastSuccessAt: timestamp.optional(),
  nextSyncAt: timestamp.optional(),
  sharedLists: z.number().int().describe('lists that we share with them'),
  receivedLists: z.number().int().describe('lists that we receive and have matched'),
  offeredLists: z.number().int().describe('offered lists that wait for a decision'),
  receivedRows: z.number().int().describe('rows of theirs in these lists'),
  couldNotApply: z.number().int(),
  shares: z.array(z.string()).describe('names of lists that we share with them, some of many'),
  receives: z.array(z.string()).describe('names of theirs that we receive, some of many'),
  today: z
    .object({
      arrived: z
        .object({ created: z.number().int(), updated: z.number().int(), deleted: z.number().int() })
        .describe(
          'how many times a row came new, changed or removed: one that is new and then changes is both',
        ),
      sent: z
        .array(z.object({ list: z.string(), rows: z.number().int(), at: timestamp }))
        .describe('different rows that left, by list, the latest first'),
    })
    .describe('since midnight of this computer'),
  sharing: z
    .object({
      rows: z
        .number()
        .int()
        .optional()
        .describe('rows that they may see; absent where counting does not tell'),
      waiting: z.number().int().describe('changes that they are not known to have'),
      undecided: z.number().int().describe('lists that they have not decided about'),
      complete: z.boolean().describe('when they last asked, they had everything as it is here'),
      askedAt: timestamp.optional().describe('when they last asked; absent: not since this node runs'),
    })
    .optional()
    .describe('how far that has got which we share; absent where nothing is'),
  progress: progress.optional(),
  phone: z.string().describe('their telephone number; empty where none is known'),
  wordsToCompare: z
    .boolean()
    .describe('both sides have verification words that nobody here has compared yet'),
});
export type PartnerSummary = z.infer<typeof partnerSummary>;

export const partnerDetail = partnerSummary.extend({
  baseURL: z.string(),
  contact: z.string(),
  ownNetwork: z.boolean(),
  dialect: z.enum(DIALECTS).optional(),
  footbridge: z.boolean(),
  transport: z
    .enum(['pinned', 'https', 'http', 'they-call'])
    .describe('own certificate pinned, public authority, open, or only they call us, as they can'),
  certificate: z.string().optional().describe('SHA-256 fingerprint that is pinned, hex'),
  words: z.array(z.string()).describe('verification words; empty until both sides have tokens'),
  wordsCompared: z
    .object({ by: z.string(), at: timestamp, name: z.string().optional(), spokeTo: z.string().optional() })
    .optional()
    .describe('who of this office found them to be the same at the partner’s, and when'),
  route: z
    .object({
      kind: z
        .enum(['lan', 'direct', 'mapped', 'reverse', 'relay', 'none'])
        .describe('none: no route to this Footbridge works'),
      relay: z.string().optional().describe('host of the relay'),
    })
    .optional()
    .describe(
      'the route of our latest connection to the partner; absent before the first, and while it is not known to work',
    ),
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
  asksAgain: z
    .object({ address: z.string() })
    .optional()
    .describe(
      'the partner, or somebody with our new invite, asks to pair again; the connection goes on meanwhile',
    ),
  asker: z
    .object({ partner: z.string(), isOther: z.boolean(), renews: z.boolean(), text: z.string() })
    .optional()
    .describe(
      'the connected partner that asks, as its key proves, or another installation than this partner; `text` says what ' +
        'an approval does. `isOther`: it used the invite of this one. `renews`: false where an approval is refused',
    ),
  waitsAgain: z
    .literal(true)
    .optional()
    .describe('we asked it to renew a connection that there was, and wait for its answer'),
  asksUnencrypted: z
    .literal(true)
    .optional()
    .describe('it asks to pair, and calls to the address that it names could be read on the way'),
  formerTokenAt: timestamp
    .optional()
    .describe('when it last asked with the token of an earlier pairing; absent: not in the last ten minutes'),
  removeRequest: z
    .object({ at: timestamp, rows: z.number().int() })
    .optional()
    .describe('they ended the connection and ask us to remove what is left here of their rows'),
  mayGoOn: z.boolean().describe('it has ended, and can be tried again with the token it had'),
  problem: z.string().optional(),
  createdAt: timestamp,
});
export type PartnerDetail = z.infer<typeof partnerDetail>;

/** Shown until handled or dismissed. */
const inboxItem = z.object({
  itemID: z.string(),
  kind: z.enum([
    'pair-request',
    'list-offered',
    'columns-changed',
    'columns-unshared',
    'condition-broken',
    'list-withdrawn',
    'brake',
    'went-back',
    'not-there',
    'doubles',
    'connection-ending',
    'connection-ended',
    'could-not-apply',
    'kept',
    'remove-request',
    'same-office',
    'stranger',
    'clock',
    'store-notice',
    'file-waits',
    'file-problem',
    'kept-withdrawn',
    'shares-unsure',
  ]),
  at: timestamp,
  nodeID: id.optional(),
  partner: z.string().optional(),
  sharedModuleID: id.optional().describe('the offered list it is about'),
  moduleID: id.optional().describe('our list it is about'),
  listName: z.string().optional(),
  formerList: z
    .string()
    .optional()
    .describe('our list that received the offered one before both paired again'),
  rows: z.number().int().optional(),
  isRefused: z.literal(true).optional().describe('a request to connect that can only be declined'),
  message: z.string().describe('one or two plain sentences'),
});
export type InboxItem = z.infer<typeof inboxItem>;

/** A pull, or another event. */
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

export const overview = z.object({
  office: z.string().describe('name of this office; empty before the first run is done'),
  firstRunDone: z.boolean(),
  state,
  ...standing,
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

/** Server-sent events, `hello` first: a reader that was away reloads. */
export const appEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), version: z.string() }),
  z.object({ type: z.literal('overview') }).describe('something in the overview changed'),
  z.object({ type: z.literal('partner'), nodeID: id }).describe('anything about this partner changed'),
  z.object({ type: z.literal('list'), moduleID: id }).describe('rows or columns of this list changed'),
  z.object({ type: z.literal('views'), moduleID: id }).describe('how this list is looked at changed'),
  z.object({ type: z.literal('lists') }).describe('a list came, went or was renamed'),
  z.object({ type: z.literal('settings') }),
  z.object({ type: z.literal('reopening') }).describe('the listeners close, and open where the settings say'),
  z.object({ type: z.literal('progress'), progress }),
  z.object({ type: z.literal('activity'), activity }),
]);
export type AppEvent = z.infer<typeof appEvent>;
