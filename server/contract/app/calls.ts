import { z } from 'zod';
import { id } from '../common.ts';
import { pauseRequest } from '../wire/upkeep.ts';
import * as files from './import.ts';
import * as invites from './invites.ts';
import * as listFiles from './list-files.ts';
import * as lists from './lists.ts';
import { nearbyAnswer } from './nearby.ts';
import * as office from './overview.ts';
import * as pages from './pages.ts';
import * as search from './search.ts';
import * as settings from './settings.ts';
import * as sharing from './sharing.ts';
import * as views from './views.ts';

/** A call of the window; answers `{response}`. */
export interface Call {
  readonly may: 'read' | 'write' | 'admin';
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer?: z.ZodType;
}

const madeList = z.object({ moduleID: id, namespaceID: id });
const partnerMade = z.object({ nodeID: id });
const rowsGone = z.object({ rows: z.number().int() });
const stillWaiting = z.object({ waiting: z.number().int() });

/**
 * Calls under `/app`, for the window's client and the node's routes. Our ids: `:n` partner, `:m` list, `:r`
 * row, `:v` view, `:s` offered list. Without an answer: a file or nothing.
 */
export const CALLS = {
  'GET /app/session': { may: 'read', answer: office.sessionAnswer },
  'GET /app/overview': { may: 'read', answer: office.overview },
  'GET /app/events': { may: 'read' },
  'GET /app/activity': { may: 'read', query: pages.activityQuery, answer: pages.activityPage },
  'POST /app/inbox/:itemID/dismiss': { may: 'write' },
  'POST /app/sync': { may: 'write', answer: pages.syncAnswer },
  'POST /app/pause': { may: 'admin', body: pauseRequest },
  'POST /app/resume': { may: 'admin' },
  'GET /app/reachability': { may: 'read', answer: pages.reachability },
  'POST /app/nearby': { may: 'admin', answer: nearbyAnswer },
  'GET /app/ledger.csv': { may: 'read' },
  'GET /app/settings': { may: 'read', answer: settings.settingsAnswer },
  'PATCH /app/settings': { may: 'admin', body: settings.settingsChange, answer: settings.settingsAnswer },
  'GET /app/sessions': { may: 'admin', answer: z.array(settings.listedSession) },
  'POST /app/sessions/link': { may: 'admin', answer: settings.windowLink },
  'POST /app/sessions/end': { may: 'admin', body: settings.endSessions },
  'POST /app/backup': { may: 'admin', answer: settings.preparedBackup },
  'GET /app/backup': { may: 'admin', query: settings.backupQuery },
  'POST /app/restore': { may: 'admin' },
  'GET /app/support-bundle': { may: 'admin' },

  'POST /app/invites': { may: 'admin', body: invites.inviteRequest, answer: invites.inviteAnswer },
  'POST /app/invites/check': { may: 'admin', body: invites.inviteCheckRequest, answer: invites.inviteCheck },
  'POST /app/invites/accept': { may: 'admin', body: invites.inviteAcceptRequest, answer: partnerMade },

  'GET /app/partners': { may: 'read', answer: z.array(office.partnerSummary) },
  'GET /app/former-partners': { may: 'read', answer: z.array(office.formerPartner) },
  'GET /app/partners/:n': { may: 'read', answer: office.partnerDetail },
  'PATCH /app/partners/:n': { may: 'admin', body: pages.partnerChange, answer: office.partnerDetail },
  'POST /app/partners/:n/approve': { may: 'admin', answer: office.partnerDetail },
  'POST /app/partners/:n/decline': { may: 'admin' },
  'POST /app/partners/:n/words': { may: 'admin', body: pages.wordsRequest, answer: office.partnerDetail },
  'POST /app/partners/:n/pair': { may: 'admin', answer: office.partnerDetail },
  'POST /app/partners/:n/reinvite': { may: 'admin', answer: invites.inviteAnswer },
  'POST /app/partners/:n/sync': { may: 'write', answer: pages.syncAnswer },
  'POST /app/partners/:n/pause': { may: 'admin', body: pauseRequest },
  'POST /app/partners/:n/resume': { may: 'admin' },
  'POST /app/partners/:n/shares-seen': { may: 'admin' },
  'PUT /app/partners/:n/fallback': {
    may: 'admin',
    body: pages.fallbackRequest,
    answer: office.partnerDetail,
  },
  'GET /app/partners/:n/disconnect': { may: 'read', answer: sharing.disconnectEffect },
  'POST /app/partners/:n/disconnect': { may: 'admin', body: sharing.disconnectRequest },
  'GET /app/partners/:n/activity': { may: 'read', query: pages.activityQuery, answer: pages.activityPage },
  'GET /app/partners/:n/failed': {
    may: 'read',
    query: pages.failedQuery,
    answer: z.array(sharing.failedRow),
  },
  'POST /app/partners/:n/failed/retry': { may: 'write', answer: stillWaiting },
  'GET /app/partners/:n/chart': { may: 'read', query: pages.chartQuery, answer: pages.chart },
  'GET /app/partners/:n/ledger': { may: 'read', query: pages.pageQuery, answer: pages.ledgerPage },
  'GET /app/partners/:n/ledger.csv': { may: 'read' },

  'GET /app/partners/:n/shares': { may: 'read', answer: z.array(sharing.share) },
  'PUT /app/partners/:n/shares/:m': { may: 'write', body: pages.shareRequest, answer: sharing.share },
  'DELETE /app/partners/:n/shares/:m': { may: 'write' },
  'GET /app/partners/:n/former-shares': { may: 'read', answer: z.array(sharing.formerShare) },
  'GET /app/partners/:n/shares/:m/preview': {
    may: 'read',
    query: sharing.previewQuery,
    answer: sharing.sharePreview,
  },

  'GET /app/partners/:n/offers': { may: 'read', answer: z.array(sharing.offer) },
  'GET /app/partners/:n/offers/:s/suggest': {
    may: 'read',
    query: sharing.suggestQuery,
    answer: z.array(sharing.suggestion),
  },
  'POST /app/partners/:n/offers/:s/twice': {
    may: 'read',
    body: pages.matchingRequest,
    answer: sharing.twice,
  },
  'PUT /app/partners/:n/offers/:s/matching': { may: 'write', body: pages.matchingRequest },
  'DELETE /app/partners/:n/offers/:s/matching': {
    may: 'write',
    query: sharing.unmatchQuery,
    answer: rowsGone,
  },
  'POST /app/partners/:n/offers/:s/list': { may: 'write', body: sharing.makeListRequest, answer: madeList },
  'POST /app/partners/:n/offers/:s/dismiss': { may: 'write' },
  'POST /app/partners/:n/offers/:s/recall': { may: 'write' },
  'POST /app/partners/:n/offers/:s/compare': { may: 'write', answer: sharing.comparison },
  'POST /app/partners/:n/offers/:s/repull': {
    may: 'write',
    body: pages.repullRequest,
    answer: pages.syncAnswer,
  },
  'POST /app/partners/:n/offers/:s/brake': { may: 'write', body: pages.approvalRequest },
  'POST /app/partners/:n/offers/:s/settle': { may: 'write' },
  'GET /app/partners/:n/offers/:s/waiting': {
    may: 'read',
    query: sharing.waitingQuery,
    answer: sharing.waitingRows,
  },
  'GET /app/partners/:n/offers/:s/waiting.csv': { may: 'read' },

  'GET /app/search': { may: 'read', query: search.searchQuery, answer: z.array(search.foundInList) },
  'GET /app/lists': { may: 'read', answer: z.array(lists.listSummary) },
  'POST /app/lists': { may: 'write', body: lists.listRequest, answer: lists.listDetail },
  'GET /app/lists/:m': { may: 'read', answer: lists.listDetail },
  'PATCH /app/lists/:m': { may: 'write', body: lists.listChange, answer: lists.listDetail },
  'DELETE /app/lists/:m': { may: 'write', answer: rowsGone },
  'GET /app/lists/:m/salvage': { may: 'read', answer: lists.salvage },
  'POST /app/lists/:m/salvage': { may: 'write', answer: lists.salvaged },
  'GET /app/bin': { may: 'read', answer: lists.listBin },
  'POST /app/bin/:m/restore': { may: 'write', body: lists.restoreRequest, answer: lists.restoredAnswer },
  'DELETE /app/bin/:m': { may: 'admin', answer: rowsGone },
  'GET /app/lists/:m/bin': { may: 'read', answer: lists.columnBin },
  'POST /app/lists/:m/bin/:f/restore': {
    may: 'write',
    body: lists.restoreRequest,
    answer: lists.restoredAnswer,
  },
  'DELETE /app/lists/:m/bin/:f': { may: 'admin' },
  'POST /app/lists/:m/cells': { may: 'write', body: lists.cellsRequest, answer: lists.cellsAnswer },
  'GET /app/lists/:m/choices': { may: 'read', query: lists.choicesQuery, answer: z.array(lists.rowChoice) },
  'GET /app/lists/:m/values': { may: 'read', query: lists.valuesQuery, answer: z.array(z.string()) },
  'GET /app/lists/:m/export.xlsx': { may: 'read', query: files.workbookQuery },
  'GET /app/lists/:m/export.csv': { may: 'read' },
  'GET /app/lists/:m/files': { may: 'admin', answer: listFiles.listFiles },
  'PUT /app/lists/:m/watched': { may: 'admin', body: listFiles.watchRequest, answer: listFiles.listFiles },
  'POST /app/lists/:m/watched/trial': {
    may: 'admin',
    body: listFiles.watchTrial,
    answer: files.watchTrialAnswer,
  },
  'POST /app/lists/:m/watched/answer': {
    may: 'admin',
    body: listFiles.watchAnswer,
    answer: listFiles.listFiles,
  },
  'DELETE /app/lists/:m/watched': { may: 'admin', answer: listFiles.listFiles },
  'PUT /app/lists/:m/copy': { may: 'admin', body: listFiles.copyRequest, answer: listFiles.listFiles },
  'DELETE /app/lists/:m/copy': { may: 'admin', answer: listFiles.listFiles },
  'GET /app/lists/:m/views': { may: 'read', answer: views.listViews },
  'POST /app/lists/:m/views': { may: 'write', body: views.viewRequest, answer: views.listView },
  'PUT /app/lists/:m/views/:v': { may: 'write', body: views.viewRequest, answer: views.listView },
  'DELETE /app/lists/:m/views/:v': { may: 'write' },
  'POST /app/lists/:m/views/:v/restore': { may: 'write', answer: views.listView },
  'PUT /app/lists/:m/columns': { may: 'write', body: views.columnsShown, answer: views.listViews },
  'GET /app/lists/:m/rows': { may: 'read', query: lists.gridQuery, answer: lists.gridPage },
  'POST /app/lists/:m/rows': { may: 'write', body: lists.newRow, answer: lists.gridRow },
  'POST /app/lists/:m/rows/delete': { may: 'write', body: lists.rowsRequest, answer: lists.rowsAnswer },
  'POST /app/lists/:m/rows/restore': { may: 'write', body: lists.rowsRequest, answer: lists.rowsAnswer },
  'POST /app/lists/:m/rows/join': { may: 'write', body: lists.joinRequest, answer: lists.joinAnswer },
  'GET /app/lists/:m/steps': { may: 'read', answer: lists.nextSteps },
  'POST /app/lists/:m/undo': { may: 'write', body: lists.undoRequest, answer: lists.undone },
  'POST /app/lists/:m/redo': { may: 'write', body: lists.undoRequest, answer: lists.undone },
  'GET /app/lists/:m/arrived': { may: 'read', query: lists.arrivedQuery, answer: lists.arrivedRows },
  'GET /app/lists/:m/rows/:r': { may: 'read', answer: lists.gridRow },
  'GET /app/lists/:m/rows/:r/history': { may: 'read', answer: lists.rowHistory },
  'PATCH /app/lists/:m/rows/:r': { may: 'write', body: lists.rowChange, answer: lists.gridRow },
  'DELETE /app/lists/:m/rows/:r': { may: 'write', answer: lists.gridRow },
  'POST /app/lists/:m/rows/:r/restore': { may: 'write', answer: lists.gridRow },
  'POST /app/lists/:m/rows/:r/revert': { may: 'write', body: lists.revertRequest, answer: lists.gridRow },

  'POST /app/import/preview': { may: 'write', query: files.previewQuery, answer: files.importPreview },
  'POST /app/import/trial': { may: 'write', query: files.trialQuery, answer: files.importAnswer },
  'POST /app/import': { may: 'write', query: files.importQuery, answer: files.importAnswer },
  'POST /app/samples': { may: 'write', body: lists.sampleRequest, answer: files.importAnswer },
} as const satisfies Readonly<Record<`${Method} /app/${string}`, Call>>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type CallName = keyof typeof CALLS;

type Schema<C extends CallName, Part extends 'query' | 'body' | 'answer'> =
  (typeof CALLS)[C] extends Readonly<Record<Part, infer S extends z.ZodType>> ? S : undefined;
type ParamNames<Path> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

export type Params<C extends CallName> = Readonly<Record<ParamNames<C>, string>>;
export type QueryGiven<C extends CallName> =
  Schema<C, 'query'> extends z.ZodType ? Given<keyof z.input<Schema<C, 'query'>>> : undefined;
export type Query<C extends CallName> =
  Schema<C, 'query'> extends z.ZodType ? z.output<Schema<C, 'query'>> : undefined;
export type BodyGiven<C extends CallName> =
  Schema<C, 'body'> extends z.ZodType ? Fixed<z.input<Schema<C, 'body'>>> : undefined;
export type Body<C extends CallName> =
  Schema<C, 'body'> extends z.ZodType ? z.output<Schema<C, 'body'>> : undefined;
export type Answer<C extends CallName> =
  Schema<C, 'answer'> extends z.ZodType ? z.output<Schema<C, 'answer'>> : undefined;

type Given<Names extends PropertyKey> = Readonly<
  Partial<Record<Names, string | number | boolean | readonly string[] | undefined>>
>;

/** Deeply read-only, for cached data. */
export type Fixed<T> = T extends (infer Item)[]
  ? readonly Fixed<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Fixed<T[Key]> }
    : T;
