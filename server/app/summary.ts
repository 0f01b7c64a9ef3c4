import { undecidedOffers } from '../federation/offers/offers.ts';
import type { PartnerDetail, PartnerSummary } from '../contract/app/overview.ts';
import type { Federation } from '../federation/federation.ts';
import type { Node, Exposure } from '../federation/model.ts';
import { isUnencrypted } from '../federation/partners/addresses.ts';
import { stopsFetching } from '../federation/partners/pausing.ts';
import { enteredFor, identityOf, isChosenFor, wasConnected } from '../federation/partners/pairing-state.ts';
import { tokenEnd } from '../federation/partners/token-life.ts';
import type { Lists } from '../lists/lists.ts';
import type { StateAndReason } from '../sync/status/state.ts';
import type { Sync } from '../sync/sync.ts';
import type { PartnerStatus } from '../sync/status/partner-status.ts';
import { joined, said, type Say, type Words } from '../words/said.ts';
import { readPartner, type PartnerReading } from './partner-reading.ts';
import { isPrivateAddress } from '../peer/transport/address.ts';
import { MAIN_ROUTE, REVERSE_ROUTE } from '../peer/transport/partner-routes.ts';
import { parseRoute } from '../base/routes.ts';
import { parseRelayAddress } from '../routes/relay-address.ts';
import type { ArrivedCounts, ArrivedToday } from './arrived-today.ts';

export interface SummaryDeps {
  readonly federation: Federation;
  readonly lists: Lists;
  readonly sync: Sync;
  readonly today: ArrivedToday;
  readonly routes?: {
    /** Returns the id of the last call's route. */
    inUse(nodeID: string): string | undefined;
    /** Returns whether we keep a reverse connection to the partner. */
    isRegisteredAt(nodeID: string): boolean;
    /** Returns the relay of an invite's routes that is callable with consent. */
    findCallableRelay(texts: readonly string[]): { readonly host: string; readonly port: number } | undefined;
  };
}

const MAX_NAMES = 3;

/**
 * Returns a partner's state, counts of lists and rows, first names of lists, last and next sync.
 * @param arrivedToday of all partners
 */
export async function summarizePartner(
  deps: SummaryDeps,
  { node, status, exposures, offers, mappings }: PartnerReading,
  say: Say,
  arrivedToday: ArrivedCounts,
): Promise<PartnerSummary> {
  const { nodeID } = node;
  const shared = exposures.filter(({ deletedAt }) => deletedAt === undefined);
  const matched = new Set(mappings.map((mapping) => mapping.federationModuleID));
  return {
    nodeID,
    name: node.name,
    colour: node.colour,
    ...describeState(status, say),
    line: status.line,
    ...(status.partly ? { partly: true } : {}),
    status: node.status,
    ...(node.role === undefined ? {} : { role: node.role }),
    ...(node.pairing?.as === 'inviter' && node.pairing.yes ? { approved: true as const } : {}),
    ...(node.paused ? { paused: { fetch: stopsFetching(node), serve: node.paused.serve === true } } : {}),
    ...(node.unsure === undefined ? {} : { unsure: true }),
    ...(node.paused?.until === undefined ? {} : { pausedUntil: node.paused.until }),
    ...(status.lastSuccessAt === undefined ? {} : { lastSuccessAt: status.lastSuccessAt }),
    ...(status.nextSyncAt === undefined ? {} : { nextSyncAt: status.nextSyncAt }),
    sharedLists: shared.length,
    receivedLists: matched.size,
    offeredLists: undecidedOffers(node, offers, mappings).length,
    receivedRows: await countReceivedRows(
      deps,
      nodeID,
      new Set(mappings.map(({ composeModuleID }) => composeModuleID)),
    ),
    couldNotApply: status.lists.reduce((sum, list) => sum + list.couldNotApply, 0),
    shares: shared.slice(0, MAX_NAMES).map(({ name }) => name),
    receives: offers
      .filter(({ moduleID }) => matched.has(moduleID))
      .slice(0, MAX_NAMES)
      .map(({ name }) => name),
    today: await deps.today.forPartner(nodeID, arrivedToday),
    ...(await summarizeSharing(deps, node, shared, status)),
    ...(status.progress === undefined ? {} : { progress: status.progress }),
    phone: node.phone ?? '',
    wordsToCompare: node.status === 'paired' && node.words !== undefined && !node.wordsCompared,
  };
}

/** Returns a partner's state, with reasons in the user's language. */
export function describeState(
  {
    state,
    reason,
    also,
    awaited,
    idle,
    asOf,
    freshUntil,
  }: StateAndReason & Pick<PartnerStatus, 'asOf' | 'freshUntil'>,
  say: Say,
): Pick<PartnerSummary, 'state' | 'reason' | 'also' | 'awaited' | 'idle' | 'asOf' | 'freshUntil'> {
  return {
    state,
    reason: say(reason),
    also: also.map(say),
    awaited,
    ...(idle ? { idle } : {}),
    ...(asOf === undefined ? {} : { asOf }),
    ...(freshUntil === undefined ? {} : { freshUntil }),
  };
}

/** Counts rows that come from a partner, in all lists or `only` these. */
async function countReceivedRows(
  { lists }: Pick<SummaryDeps, 'lists'>,
  nodeID: string,
  only?: ReadonlySet<string>,
): Promise<number> {
  const modules = (await lists.modules()).filter(({ moduleID }) => only?.has(moduleID) ?? true);
  const counts = await Promise.all(modules.map(async ({ moduleID }) => lists.counts(moduleID)));
  return counts.reduce((sum, { received }) => sum + (received[nodeID] ?? 0), 0);
}

/**
 * Returns since when the partner asks us to delete its rows, and how many are left; undefined without a request or
 * rows.
 */
export async function findRemoveRequest(
  deps: SummaryDeps,
  node: Node,
): Promise<{ at: string; rows: number } | undefined> {
  if (node.removeRequestedAt === undefined) return undefined;
  const rows = await countReceivedRows(deps, node.nodeID);
  return rows === 0 ? undefined : { at: node.removeRequestedAt, rows };
}

const CAUSES_WHILE_REACHED: readonly PartnerStatus['cause'][] = ['absent', 'unread', 'untaken'];

/** Returns the last call's route while the connection works, `none` for an unreachable Footbridge, else nothing. */
function describeRoute(
  { routes }: Pick<SummaryDeps, 'routes'>,
  node: Node,
  { line, cause }: PartnerStatus,
): Pick<PartnerDetail, 'route'> {
  if (line === 'silent' && !CAUSES_WHILE_REACHED.includes(cause))
    return node.footbridge && cause === 'unreachable' ? { route: { kind: 'none' } } : {};
  const id = routes?.inUse(node.nodeID);
  // The user may have emptied the address since.
  if (id === undefined || (id === MAIN_ROUTE && node.baseURL === '')) return {};
  if (id === REVERSE_ROUTE) return { route: { kind: 'reverse' } };
  const route = parseRoute(id);
  if (route?.kind === 'mapped') return { route: { kind: 'mapped' } };
  if (route?.kind === 'relay')
    return { route: { kind: 'relay', relay: parseRelayAddress(route.address)?.host ?? '' } };
  const host = id === MAIN_ROUTE ? new URL(node.baseURL).hostname : (route?.host ?? '');
  return { route: { kind: isPrivateAddress(host.replace(/^\[|\]$/g, '')) ? 'lan' : 'direct' } };
}

/**
 * Returns all that the window shows about a partner: its summary, address, protection, words, reachability, invite,
 * requests and problem.
 */
export async function describePartner(deps: SummaryDeps, node: Node, say: Say): Promise<PartnerDetail> {
  const reading = await readPartner(deps, node);
  const summary = await summarizePartner(deps, reading, say, await deps.today.countArrived());
  const { fallback } = reading.status;
  const removeRequest = await findRemoveRequest(deps, node);
  const end = tokenEnd(node);
  // The request's address may be what the user has to enter.
  const { baseURL, dialect } = (enteredFor(node) === 'request' ? node.pairing?.link : undefined) ?? node;
  const formerTokenAt = deps.federation.tokens.supersededUse(node.nodeID);
  return {
    ...summary,
    baseURL,
    contact: node.contact,
    ownNetwork: node.ownNetwork,
    ...(dialect === undefined ? {} : { dialect }),
    footbridge: node.footbridge,
    transport: transportOf(deps, node),
    ...(node.certificate === undefined ? {} : { certificate: node.certificate }),
    words: wordsOf(node)?.split(' ') ?? [],
    ...(node.wordsCompared ? { wordsCompared: node.wordsCompared } : {}),
    ...describeRoute(deps, node, reading.status),
    reachable: reachabilityOf(node, deps.routes?.isRegisteredAt(node.nodeID)),
    ...(end === undefined ? {} : { expiresAt: new Date(end).toISOString() }),
    renews: node.footbridge,
    mayGoOn: deps.federation.disconnects.canReconnect(node),
    ...(node.invite === undefined
      ? {}
      : {
          invite: {
            expiresAt: node.invite.expiresAt,
            ...(node.invite.usedAt === undefined ? {} : { usedAt: node.invite.usedAt }),
          },
        }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(await describePairingRequest(deps, node, reading.exposures, say)),
    ...(formerTokenAt === undefined ? {} : { formerTokenAt }),
    ...(removeRequest ? { removeRequest } : {}),
    ...(node.problem === undefined ? {} : { problem: say(node.problem) }),
    createdAt: node.createdAt,
  };
}

/**
 * Returns, for a partner that asks to pair, whether calls to it could be read, the address if it is connected, and
 * who asks; or that we asked it to renew a connection. {} otherwise.
 */
async function describePairingRequest(
  deps: Pick<SummaryDeps, 'federation'>,
  node: Node,
  exposures: readonly Exposure[],
  say: Say,
): Promise<Pick<PartnerDetail, 'asksAgain' | 'asksUnencrypted' | 'asker' | 'waitsAgain'>> {
  const { status, pairing } = node;
  if (pairing?.as === 'invitee')
    return pairing.askedAt !== undefined && wasConnected(pairing) ? { waitsAgain: true } : {};
  if (!pairing || pairing.yes) return {};
  const { baseURL } = pairing.link;
  const asker = await describeAsker(deps, node, exposures);
  return {
    ...(asker ? { asker: { ...asker, text: say(asker.text) } } : {}),
    ...(status === 'paired' ? { asksAgain: { address: baseURL } } : {}),
    ...(isUnencrypted(baseURL) ? { asksUnencrypted: true as const } : {}),
  };
}

/** Who sent a request, as in {@link PartnerDetail}. */
export type Asking = Omit<NonNullable<PartnerDetail['asker']>, 'text'> & { readonly text: Words };

/**
 * Returns who sent this request, if that is a connected partner, or another installation than its record's; else
 * undefined. `exposures`: those of the record.
 */
export async function describeAsker(
  { federation }: Pick<SummaryDeps, 'federation'>,
  node: Node,
  exposures: readonly Exposure[],
): Promise<Asking | undefined> {
  const asker = await federation.nodes.findAsker(node);
  if (!node.pairing) return undefined;
  if (!asker) {
    const { name: partner, pairing } = node;
    const isSame = identityOf(node) === identityOf(pairing.link);
    if (isSame || pairing.as === 'invitee' || !wasConnected(pairing)) return undefined;
    return { partner, isOther: false, renews: true, text: said('inbox.asked-another', { partner }) };
  }
  const { renews, partner } = asker;
  const isElsewhere = partner.nodeID !== node.nodeID;
  const isOther = isElsewhere && wasConnected(node.pairing);
  const chosen = exposures.filter((each) => each.deletedAt === undefined && isChosenFor(each, partner));
  const gets = isElsewhere && !isOther && chosen.length > 0;
  const names = { partner: partner.name, other: node.name };
  const known = isOther ? said('inbox.asked-by-other', names) : said('inbox.asked-again', names);
  const text = renews ? known : said('inbox.used-by-other', names);
  return {
    partner: partner.name,
    isOther,
    renews,
    text: gets ? joined([text, said('inbox.asked-gets')], ' ') : text,
  };
}

/**
 * Returns the verification words of the connection, or of an approval that isn't fetched yet; undefined without them.
 */
function wordsOf({ status, words, pairing }: Node): string | undefined {
  return status !== 'paired' && pairing?.as === 'inviter' ? pairing.yes?.words : words;
}

/**
 * Returns how calls to the partner are protected: by a `pinned` certificate, `https`, or not (`http`); `they-call`
 * without an address, or if only it calls us.
 */
function transportOf({ routes }: Pick<SummaryDeps, 'routes'>, node: Node): PartnerDetail['transport'] {
  if (node.certificate !== undefined) return 'pinned';
  if (node.baseURL === '' || reachabilityOf(node) === 'they-call-us') return 'they-call';
  if (node.baseURL.startsWith('https:')) return 'https';
  // All routes but the main address show the announced certificate; nobody can call a loopback address.
  const inUse = routes?.inUse(node.nodeID);
  const isMain = inUse === undefined ? isUnencrypted(node.baseURL) : inUse === MAIN_ROUTE;
  return isMain || !node.routes?.pin ? 'http' : 'pinned';
}

/** Returns who reaches whom, as far as pairing, pulls and our reverse connection have shown. */
function reachabilityOf(node: Node, isReverseKept = false): PartnerDetail['reachable'] {
  if (node.status !== 'paired' || node.role === undefined) return 'unknown';
  if (isReverseKept && node.reach === 'we-call-them') return 'both';
  return node.reach ?? (node.baseURL === '' ? 'they-call-us' : 'both');
}

/**
 * Counts rows that the partner lacks (`waiting`) or hasn't decided about; whether it has all and, if known, how many it
 * may see and when it last asked. Empty if nothing is shared. `exposures` must be open.
 */
async function summarizeSharing(
  { federation, lists }: { readonly federation: Federation; readonly lists: Lists },
  node: Node,
  exposures: readonly Exposure[],
  { sharing }: Pick<PartnerStatus, 'sharing'>,
): Promise<Pick<PartnerSummary, 'sharing'>> {
  if (!sharing) return {};
  const { waiting, undecided, held, lost, apart, parked = 0, unsent = 0 } = sharing;
  const rows = await Promise.all(exposures.map((exposure) => countVisibleRows(lists, node, exposure)));
  const askedAt = federation.incomingRequests.lastRequest(node.nodeID)?.at;
  return {
    sharing: {
      waiting,
      undecided,
      complete: waiting + undecided + held + lost + apart + parked + unsent === 0,
      ...(rows.includes(undefined) ? {} : { rows: rows.reduce((sum: number, each) => sum + (each ?? 0), 0) }),
      ...(askedAt === undefined ? {} : { askedAt }),
    },
  };
}

/**
 * Counts rows that the partner may see; undefined with a condition or rows of other partners, as each row would have to
 * be checked.
 */
async function countVisibleRows(
  lists: Lists,
  { nodeID }: Node,
  exposure: Exposure,
): Promise<number | undefined> {
  if (exposure.condition) return undefined;
  const { total, received, kept = 0 } = await lists.counts(exposure.composeModuleID);
  const { [nodeID]: own = 0, ...others } = received;
  return Object.keys(others).length + kept > 0 ? undefined : total - own;
}
