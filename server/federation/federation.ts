import type { Logger } from 'pino';
import type { Lists } from '../lists/lists.ts';
import type { ListsChange } from '../lists/definitions/model.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Partition, Store } from '../store/store.ts';
import { findNode, type FederationContext } from './context.ts';
import { narrowRelayConsents, RouteAnnouncements } from './partners/announced-routes.ts';
import { createIncomingRequests, type IncomingRequests } from './partners/incoming-requests.ts';
import { createFeedDigests, type FeedDigests } from './sharing/feed-digests.ts';
import { createServeWithLedger } from './sharing/serve-with-ledger.ts';
import { ChangeFeed } from './sharing/change-feed.ts';
import { recordInstallations } from './partners/claimed-installation.ts';
import { assignColours } from './partners/colours.ts';
import { openColumnMarks, type ColumnMarks } from './sharing/column-marks.ts';
import { createCloneDetector, type CloneDetector } from './partners/clone-detector.ts';
import { GRACE_MS } from './partners/last-seen.ts';
import { Destinations } from './offers/destinations.ts';
import { createConnecting, type Connecting } from './partners/connecting.ts';
import { Disconnects } from './partners/disconnects.ts';
import { createReadExposed } from './sharing/exposed-list.ts';
import { createExposures, type Exposures } from './sharing/exposures.ts';
import { Feed } from './sharing/feed.ts';
import { Handshakes } from './partners/handshake.ts';
import { Invites } from './partners/invites.ts';
import { createMayStillRead } from './sharing/may-read.ts';
import { Mappings } from './offers/mappings.ts';
import { PageReaders } from './offers/page-readers.ts';
import type { Disclosure } from './sharing/ledger.ts';
import { NodeTokens, openSigningKey } from './partners/node-tokens.ts';
import { Nodes } from './partners/nodes.ts';
import { RowHandover } from './partners/row-handover.ts';
import { PairingSteps } from './partners/pairing.ts';
import { voidOldPairings } from './partners/old-pairings.ts';
import type { FederationChange, Office, OwnAddress, PartnerCalls, Secrets } from './ports.ts';
import { openFeedCursors } from './sharing/feed-cursors.ts';
import { createFeedEpochs } from './sharing/feed-epochs.ts';
import { LIVE_DEFINITIONS, openLiveDefinitions, type LiveDefinitions } from './sharing/live-definitions.ts';
import { createPullerMarks, type PullerMarks } from './sharing/puller-marks.ts';
import { conditionDisclosure, Conditions } from './sharing/conditions.ts';
import { ReferenceTitles } from './sharing/reference-titles.ts';
import { openRowOrigins } from './sharing/row-origins.ts';
import { RowTexts } from './sharing/row-texts.ts';
import { createSharedModules, type SharedModules } from './offers/offers.ts';
import { createSlowReaders, type SlowReaders } from './sharing/slow-readers.ts';
import { Tokens } from './partners/tokens.ts';
import type { UserKey } from './partners/user-key.ts';
import { openTokenLives } from './partners/user-token-lives.ts';
import { createVisibleChanges } from './sharing/visible-changes.ts';
import { systemClockOnly, type TrustedClock } from '../base/trusted-clock.ts';
import { Watch } from './sharing/watch.ts';

export interface FederationDeps {
  readonly store: Store;
  readonly lists: Lists;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly userKey: UserKey;
  readonly calls: PartnerCalls;
  readonly office: Office;
  readonly ownAddress: () => OwnAddress;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly onChange: (change: FederationChange) => void;
  /** A partner stops or resumes reading its answers. */
  readonly onUnread: (nodeID: string) => void;
  /** Receives every page of rows before it leaves; sending waits for it. */
  readonly onServed: (disclosure: Disclosure) => Promise<void>;
  /** Milliseconds between syncs; default: a minute. */
  readonly interval?: () => number;
  /** Decides when tokens, invites and pauses end; default: the system clock. */
  readonly time?: TrustedClock;
  /** A partner's progress changed, or whether it is overdue. */
  readonly onStanding?: (nodeID: string) => void;
  /** A partner's rows left a list or became ours. */
  readonly onReleased?: (nodeID: string, moduleID: string) => Promise<void>;
  /** A partner sent a request with its token. */
  readonly onAsked?: (nodeID: string) => void;
}

const USUAL_INTERVAL = 60_000;
/** After so many intervals, requests show what a partner has. */
const ROUNDS = 3;

/** The federation protocol (docs/interface.md: Base address and shapes; docs/pairing.md). */
export interface Federation {
  readonly nodes: Nodes;
  readonly pairing: PairingSteps;
  readonly connecting: Connecting;
  readonly handshakes: Handshakes;
  readonly disconnects: Disconnects;
  readonly rowHandover: RowHandover;
  readonly invites: Invites;
  readonly announcements: RouteAnnouncements;
  readonly tokens: Tokens;
  readonly exposures: Exposures;
  readonly shared: SharedModules;
  readonly mappings: Mappings;
  readonly feed: Feed;
  readonly liveDefinitions: LiveDefinitions;
  /** Progress of live servers that fetch from us. */
  readonly marks: Pick<PullerMarks, 'recordDefinitionsRequest'>;
  readonly columnMarks: ColumnMarks;
  /** For Footbridges only. */
  readonly changeFeed: ChangeFeed;
  readonly digests: FeedDigests;
  readonly watch: Pick<Watch, 'wait' | 'stop'>;
  readonly incomingRequests: IncomingRequests;
  readonly cloneDetector: CloneDetector;
  readonly unread: SlowReaders;
  readonly destinations: Destinations;
  readonly office: Office;
  /** Updates exposures and mappings; then notifies long polls, filters and titles, even if that fails. */
  listsChanged(change: ListsChange): Promise<void>;
}

/**
 * Builds the services. Migrates records, updates shares and mappings to the present lists, and sets the shares' row
 * filters. Opens no connection.
 */
export async function createFederation(deps: FederationDeps): Promise<Federation> {
  const { store, lists, clock, log, onStanding = () => undefined } = deps;
  const system = await store.partition('system');
  const referenceTitles = new ReferenceTitles({
    system,
    lists,
    clock,
    log,
    /**
     * Wakes long polls of the partners of these shares, and reports these partners' changed status: the titles are
     * final.
     */
    onSettled(exposures) {
      for (const { nodeID, moduleID, composeModuleID } of exposures) {
        const filterIDs = new Set([moduleID]);
        watch.listsChanged({ kind: 'rows', moduleID: composeModuleID, rows: true, filterIDs });
        onStanding(nodeID);
      }
    },
  });
  const context = await openContext(deps, system, (change) => {
    watch.federationChanged(change);
    if (change.kind === 'exposure') referenceTitles.sharesChanged();
    deps.onChange(change);
  });
  const partners = openPartners(context, deps);
  const conditions = new Conditions({ system, lists, clock, log });
  const { onServed } = deps;
  const exposures = createExposures(context, lists, conditions, (exposure) =>
    onServed(conditionDisclosure(exposure)),
  );
  const shared = createSharedModules(context);
  const mappings = new Mappings(context, lists, shared);
  const sharing = await openSharing(
    { ...deps, onStanding },
    { system, exposures, referenceTitles, conditions },
  );
  const { incomingRequests, destinations } = sharing;
  const watch = new Watch({ clock, exposures, referenceTitles });
  await conditions.setAllFilters();
  await exposures.applyMissedChanges();
  await mappings.applyMissedChanges();
  referenceTitles.sharesChanged();
  return {
    ...partners,
    ...sharing,
    exposures,
    shared,
    mappings,
    watch,
    cloneDetector: createCloneDetector(clock, onStanding),
    unread: createSlowReaders({ clock, log, onChange: deps.onUnread }),
    office: deps.office,
    tokens: new Tokens(context, { key: deps.userKey, isOver: await openTokenLives(context) }, (nodeID) => {
      incomingRequests.record(nodeID);
      destinations.recordRequest(nodeID);
      deps.onAsked?.(nodeID);
    }),
    /**
     * Adapts shares and mappings to a list's change; a restored list also gets pending handovers of rows. Only then
     * wakes polls and checks conditions and titles, even if that failed.
     */
    async listsChanged(change) {
      // Woken partners ask at once: the definition must be there.
      try {
        if (change.kind === 'list') {
          await exposures.applyListChange(change);
          await mappings.applyListChange(change);
          if (change.change === 'restored') await partners.rowHandover.runPending();
        }
      } finally {
        watch.listsChanged(change);
        conditions.listsChanged(change);
        referenceTitles.listsChanged(change);
      }
    },
  };
}

/** Returns the shared dependencies. Migrates older records, and makes the token-signing key if missing. */
async function openContext(
  deps: FederationDeps,
  system: Partition,
  changed: (change: FederationChange) => void,
): Promise<FederationContext> {
  const { clock, ids, secrets, calls, office, ownAddress, log, time = systemClockOnly(clock) } = deps;
  const tokens = new NodeTokens({
    system,
    clock,
    known: time,
    key: await openSigningKey(system, secrets, log),
    installation: office.installation,
    onPaired: ({ nodeID }) => changed({ kind: 'node', nodeID }),
  });
  const shared = {
    system,
    clock,
    known: time,
    ids,
    secrets,
    tokens,
    calls,
    office,
    ownAddress,
    log,
    notifyChanged: changed,
  };
  await voidOldPairings(shared);
  await recordInstallations(shared);
  await assignColours(system);
  await narrowRelayConsents(system);
  return shared;
}

/** Creates the services for partners. Before a list's first use, ended ones are removed as sources of its rows. */
function openPartners(
  context: FederationContext,
  { lists, log, onReleased = () => Promise.resolve() }: FederationDeps,
): Pick<
  Federation,
  | 'nodes'
  | 'announcements'
  | 'invites'
  | 'pairing'
  | 'connecting'
  | 'handshakes'
  | 'disconnects'
  | 'rowHandover'
> {
  const nodes = new Nodes(context);
  const handover = new RowHandover(context, lists, onReleased);
  lists.beforeUse((moduleID, rows) =>
    handover
      .reapplyEnded(moduleID, rows)
      .catch((err: unknown) => log.warn({ err, moduleID }, 'rows of ended partners stay as they are')),
  );
  const invites = new Invites(context, nodes);
  const pairing = new PairingSteps(context, invites);
  return {
    nodes,
    invites,
    announcements: new RouteAnnouncements(context, invites),
    pairing,
    connecting: createConnecting(context, invites, pairing),
    handshakes: new Handshakes(context, invites),
    disconnects: new Disconnects(context, handover),
    rowHandover: handover,
  };
}

/** Opens the members of Federation that send rows to partners (feeds, digests) and track how far each has read. */
async function openSharing(
  deps: FederationDeps & Required<Pick<FederationDeps, 'onStanding'>>,
  { system, exposures, referenceTitles, conditions }: Pick<FederationContext, 'system'> & SharingParts,
): Promise<
  Pick<
    Federation,
    | 'feed'
    | 'columnMarks'
    | 'changeFeed'
    | 'digests'
    | 'incomingRequests'
    | 'destinations'
    | 'liveDefinitions'
    | 'marks'
  >
> {
  const { lists, clock, office, onServed, onStanding, interval = () => USUAL_INTERVAL } = deps;
  const texts = new RowTexts(clock);
  const visibleChanges = createVisibleChanges(clock);
  const mayStillRead = createMayStillRead({ find: (nodeID) => findNode(system, nodeID) });
  const readExposed = createReadExposed({ lists, exposures, mayStillRead, conditions });
  const epochs = createFeedEpochs(system);
  const liveDefinitions = await openLiveDefinitions(system, () => deps.store.partition(LIVE_DEFINITIONS));
  const marks = createPullerMarks(system, epochs, liveDefinitions);
  const readers = new PageReaders({ lists, epochs, clock });
  const columnMarks = await openColumnMarks(system);
  const noted = createServeWithLedger({ readExposed, onServed });
  const changeFeed = new ChangeFeed({
    ...{ system, columnMarks, noted, readExposed, texts, visibleChanges, referenceTitles },
    installation: office.installation,
    origins: await openRowOrigins(system),
    places: await openFeedCursors(system),
  });
  const asking = createIncomingRequests(clock, interval, onStanding);
  const destinations = new Destinations({
    ...{ lists, exposures, changeFeed, visibleChanges, marks },
    ...{ liveDefinitions, readers, referenceTitles, clock },
    maxDelayMs: () => interval() + GRACE_MS,
    maxDelayMsOf: (nodeID) => ROUNDS * asking.intervalMs(nodeID) + GRACE_MS,
    onChange: onStanding,
  });
  const feed = new Feed({
    ...{ clock, lists, exposures, readExposed, texts, visibleChanges, marks, liveDefinitions, onServed },
    onPageSent: (exposure, node, page) => readers.recordServed(exposure, node, page),
    onMarked: onStanding,
  });
  const digests = createFeedDigests(noted);
  return {
    feed,
    columnMarks,
    changeFeed,
    digests,
    incomingRequests: asking,
    destinations,
    liveDefinitions,
    marks,
  };
}

interface SharingParts {
  readonly exposures: Exposures;
  readonly referenceTitles: ReferenceTitles;
  readonly conditions: Conditions;
}
