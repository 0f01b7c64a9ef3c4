import { omit } from '../base/omit.ts';
import type { Logger } from 'pino';
import type { Lists } from '../lists/lists.ts';
import type { ListsChange } from '../lists/definitions/model.ts';
import { Refusal } from '../base/refusal.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Store } from '../store/store.ts';
import { changeNode, findNode, type FederationContext } from './context.ts';
import { createAsking, type Asking } from './partners/asking.ts';
import { createChangeFeed, type ChangeFeed } from './sharing/change-feed.ts';
import { TokenOver } from './partners/token-over.ts';
import { claimedInstallation, noteInstallations } from './partners/claimed-installation.ts';
import { giveColours } from './partners/colours.ts';
import { openColumnMarks, type ColumnMarks } from './sharing/column-marks.ts';
import { createCopies, type Copies } from './partners/copies.ts';
import { SLACK } from './partners/contact.ts';
import { createDestinations, type Destinations } from './offers/destinations.ts';
import { createConnecting, type Connecting } from './partners/connecting.ts';
import { createEndings, type Endings } from './partners/endings.ts';
import { createWordsCompared, type WordsCompared } from './partners/words-compared.ts';
import { createReadExposed } from './sharing/exposed-list.ts';
import { createExposures, type Exposures } from './sharing/exposures.ts';
import { createFeed, type Feed } from './sharing/feed.ts';
import { createHandshakes, type Handshakes } from './partners/handshake.ts';
import type { Identity, Role } from './partners/identity.ts';
import { createInvites, type Invites } from './partners/invites.ts';
import { createMayStillRead } from './sharing/may-read.ts';
import { createMappings, type Mappings } from './offers/mappings.ts';
import { createPageReaders } from './offers/page-readers.ts';
import type { Disclosure } from './sharing/ledger.ts';
import type { Node } from './model.ts';
import { createNodeTokens, openSigningKey } from './partners/node-tokens.ts';
import { createNodes, type Nodes } from './partners/nodes.ts';
import { heldTokenOf } from './partners/held-token.ts';
import { createPartings } from './partners/partings.ts';
import { createPairing, type PairingSteps } from './partners/pairing.ts';
import { voidOldPairings } from './partners/old-pairings.ts';
import type { FederationChange, Office, OwnAddress, PartnerCalls, Secrets } from './ports.ts';
import { openFeedPlaces } from './sharing/feed-places.ts';
import { createFeedEpochs } from './sharing/feed-epochs.ts';
import { createPullerMarks } from './sharing/puller-marks.ts';
import { createRetitling } from './sharing/retitling.ts';
import { openRowOrigins } from './sharing/row-origins.ts';
import { createRowTexts } from './sharing/row-texts.ts';
import { createSharedModules, type SharedModules } from './offers/offers.ts';
import { createUnread, type Unread } from './sharing/unread.ts';
import type { UserKey } from './partners/user-key.ts';
import { createToldChanges } from './sharing/told-changes.ts';
import { clockAlone, type KnownTime } from '../base/known-time.ts';
import { createWatch, type Watch } from './sharing/watch.ts';
import { said } from '../words/said.ts';

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
  /** A partner does not read what it asked for, or reads again. */
  readonly onUnread: (nodeID: string) => void;
  /** Told of every page of rows that is about to leave; it leaves after that is noted. */
  readonly onServed: (disclosure: Disclosure) => Promise<void>;
  /** Milliseconds between two looks at a partner; a minute unless given. */
  readonly interval?: () => number;
  /** By which tokens that we gave, invites and pauses have ended; the clock alone unless given. */
  readonly time?: KnownTime;
  /** Whether a partner asks in time, or what it has of what we share, is not as it was. */
  readonly onStanding?: (nodeID: string) => void;
  /** As `createPartings` says; called at the earliest by `nodes.catchUp`. */
  readonly onReleased?: (nodeID: string, moduleID: string) => Promise<void>;
  /** A partner sent a request with its token. */
  readonly onAsked?: (nodeID: string) => void;
}

const USUAL_INTERVAL = 60_000;
/** A partner that says nothing of what it takes in shows it when it asks the time after: a round more is patience. */
const ROUNDS = 3;

/** Tokens as the listeners and the sync engine need them. */
export interface Tokens {
  /** A JWT for someone of this office. */
  issueUserToken(role: Role, milliseconds: number): string;
  /** @throws Refusal `unauthenticated` */
  verify(bearer: string): Promise<Identity>;
  /** A fresh token for a partner; the one before stays good until this one is used. */
  renew(nodeID: string): Promise<{ token: string; expiresAt: string }>;
  /** The token that we call this partner with, or will once the pairing is complete. @throws Refusal `conflict` when there is none */
  held(nodeID: string): Promise<string>;
  /** Which installation this partner is, as {@link claimedInstallation} says. */
  installation(node: Node): Promise<string | undefined>;
  /**
   * Keeps a token that a partner gave for the one that this record has; not where the connection has ended or become
   * another one since. The one that it was got by is kept beside it: a partner whose data goes back knows only that.
   */
  renewed(before: Node, token: string, by: 'current' | 'earlier'): Promise<Node>;
  /** The token that the present one took the place of, of the same pairing. */
  heldBefore(node: Node): Promise<string | undefined>;
}

/** What the federation protocol means on this node (docs/interface.md: Base address and shapes; docs/pairing.md). */
export interface Federation {
  readonly nodes: Nodes & PairingSteps & Connecting & Handshakes & Endings & WordsCompared;
  readonly invites: Invites;
  readonly tokens: Tokens;
  readonly exposures: Exposures;
  readonly shared: SharedModules;
  readonly mappings: Mappings;
  readonly feed: Feed;
  readonly columnMarks: ColumnMarks;
  /** What only Footbridges ask of each other. */
  readonly changeFeed: ChangeFeed;
  readonly watch: Pick<Watch, 'wait' | 'stop'>;
  readonly asking: Asking;
  readonly copies: Copies;
  readonly unread: Unread;
  readonly destinations: Destinations;
  readonly office: Office;
  /** To be told of every change of the lists, so that exposures and mappings stay true to them. */
  listsChanged(change: ListsChange): Promise<void>;
}

export async function createFederation(deps: FederationDeps): Promise<Federation> {
  const {
    store,
    lists,
    clock,
    ids,
    secrets,
    calls,
    office,
    ownAddress,
    log,
    time = clockAlone(deps.clock),
  } = deps;
  const system = await store.partition('system');
  const onStanding = deps.onStanding ?? (() => undefined);
  const retitling = createRetitling({
    system,
    lists,
    clock,
    log,
    onSettled(exposures) {
      for (const { nodeID, composeModuleID } of exposures) {
        watch.listsChanged({ kind: 'rows', moduleID: composeModuleID });
        onStanding(nodeID);
      }
    },
  });
  const changed = (change: FederationChange): void => {
    watch.federationChanged(change);
    if (change.kind === 'exposure') retitling.sharesChanged();
    deps.onChange(change);
  };
  const tokens = createNodeTokens({
    system,
    clock,
    believed: time.believed,
    key: await openSigningKey(system, secrets, log),
    installation: office.installation,
    onPaired: ({ nodeID }) => changed({ kind: 'node', nodeID }),
  });
  const context: FederationContext = {
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
    changed,
  };
  await voidOldPairings(context);
  await noteInstallations(context);
  await giveColours(system);
  const nodes = createNodes(context);
  const partings = createPartings(context, lists, deps.onReleased ?? (() => Promise.resolve()));
  lists.beforeUse((moduleID, rows) =>
    partings
      .leaveEnded(moduleID, rows)
      .catch((err: unknown) => log.warn({ err, moduleID }, 'rows of ended partners stay as they are')),
  );
  const endings = createEndings(context, partings);
  const invites = createInvites(context, nodes);
  const exposures = createExposures(context, lists);
  const shared = createSharedModules(context);
  const mappings = createMappings(context, lists, shared);
  const { onServed } = deps;
  const texts = createRowTexts(clock);
  const toldChanges = createToldChanges(clock);
  const readExposed = createReadExposed({
    lists,
    exposures,
    mayStillRead: createMayStillRead({ find: (nodeID) => findNode(system, nodeID) }),
  });
  const epochs = createFeedEpochs(system);
  const marks = createPullerMarks(system, epochs);
  const readers = createPageReaders({ lists, epochs, clock });
  const columnMarks = await openColumnMarks(system);
  const changeFeed = createChangeFeed({
    system,
    columnMarks,
    readExposed,
    texts,
    toldChanges,
    installation: office.installation,
    origins: await openRowOrigins(system),
    retitling,
    places: await openFeedPlaces(system),
    onServed,
  });
  const interval = deps.interval ?? (() => USUAL_INTERVAL);
  const asking = createAsking(clock, interval, onStanding);
  const destinations = createDestinations({
    lists,
    exposures,
    changeFeed,
    toldChanges,
    marks,
    readers,
    retitling,
    clock,
    bound: () => interval() + SLACK,
    boundOf: (nodeID) => ROUNDS * asking.every(nodeID) + SLACK,
    onChange: onStanding,
  });
  const feed = createFeed({
    store,
    clock,
    lists,
    exposures,
    readExposed,
    texts,
    marks,
    onServed,
    onLeft: (exposure, node, page) => readers.left(exposure, node, page),
    onMarked: onStanding,
  });
  const watch = createWatch({ clock, exposures, retitling });
  const pairing = createPairing(context, invites);
  await exposures.followAll();
  await mappings.followAll();
  retitling.sharesChanged();

  return {
    nodes: {
      ...nodes,
      ...pairing,
      ...createConnecting(context, invites, pairing),
      ...createHandshakes(context, invites),
      ...endings,
      ...createWordsCompared(context, endings),
    },
    invites,
    exposures,
    shared,
    mappings,
    feed,
    columnMarks,
    changeFeed,
    watch,
    asking,
    copies: createCopies(clock, onStanding),
    unread: createUnread({ clock, log, onChange: deps.onUnread }),
    destinations,
    office,
    tokens: {
      issueUserToken: (role, milliseconds) => deps.userKey.issue(role, milliseconds, clock.now()),
      async verify(bearer) {
        const partner = await tokens.verify(bearer);
        if (partner?.kind === 'node') {
          asking.note(partner.node.nodeID);
          destinations.asked(partner.node.nodeID);
          deps.onAsked?.(partner.node.nodeID);
        }
        if (partner) return partner;
        const user = deps.userKey.verify(bearer, clock.now());
        if (user) return user;
        // A partner that could not be called hears of it here; nobody else holds a token that was good once.
        const former = await tokens.formerOwner(bearer);
        if (former?.asksRemovalAt !== undefined)
          throw new Refusal('unauthenticated', 'auth.removal-asked', said('connection.ended-remove'));
        if (former?.wordsDifferedAt !== undefined)
          throw new Refusal('unauthenticated', 'auth.words-differ', said('connection.words-differ'));
        if (former && (former.deletedAt !== undefined || former.status === 'unpaired'))
          throw new Refusal('unauthenticated', 'auth.ended', said('connection.ended-by-them'));
        const late = await tokens.overTime(bearer);
        if (late) throw new TokenOver(late);
        if (tokens.isOfAnother(bearer))
          throw new Refusal('unauthenticated', 'auth.another', said('connection.another-key'));
        throw new Refusal('unauthenticated', 'auth.wrong', said('connection.token-not-valid'));
      },
      renew: (nodeID) => tokens.renew(nodeID),
      installation: (node) => claimedInstallation(system, node),
      async held(nodeID) {
        const node = await findNode(system, nodeID);
        const { pairing } = node;
        const { sealedToken = pairing?.as === 'inviter' ? pairing.sealedToken : undefined } = node;
        if (sealedToken !== undefined) return secrets.open(sealedToken);
        throw new Refusal('conflict', 'node.no-token', said('connection.no-key'));
      },
      async renewed({ nodeID, sealedToken, sealedBefore }, token, by) {
        const held = await heldTokenOf(context, token);
        const usedFor = by === 'current' ? sealedToken : sealedBefore;
        const kept = usedFor === undefined ? {} : { sealedBefore: usedFor };
        return changeNode(context, nodeID, (node) =>
          node.sealedToken === sealedToken ? { ...omit(node, 'tokenExpiresAt'), ...held, ...kept } : node,
        );
      },
      heldBefore: async ({ sealedBefore }) =>
        sealedBefore === undefined ? undefined : secrets.open(sealedBefore),
    },
    async listsChanged(change) {
      if (change.kind !== 'list') {
        watch.listsChanged(change);
        retitling.listsChanged(change);
        return;
      }
      // Partners that come upon this ask for what changed, so that it has to be the definition as well.
      try {
        await exposures.follow(change);
        await mappings.follow(change);
      } finally {
        watch.listsChanged(change);
        retitling.listsChanged(change);
      }
    },
  };
}
