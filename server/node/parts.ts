import type { Logger } from 'pino';
import { createFederation, type Federation, type FederationDeps } from '../federation/federation.ts';
import { recordSurvivingRevocations, revocableItems } from '../federation/sharing/revocation-items.ts';
import type { FederationChange, OwnAddress } from '../federation/ports.ts';
import type { SharedModule } from '../federation/model.ts';
import { createSharePreview, type SharePreview } from '../federation/sharing/share-preview.ts';
import { createMatchingUndo } from '../app/match-lists.ts';
import { createDismissals, type Dismissals } from '../app/dismissals.ts';
import { OF_LOSSES, recoveredNotices, persistNotices } from '../app/loss-notices.ts';
import { Ledger } from '../federation/sharing/ledger.ts';
import { REVOCABLE_TABLES } from '../federation/sharing/revocable-tables.ts';
import { startRevocationCleanup } from '../federation/partners/revocation-cleanup.ts';
import type { Reapplied } from '../store/recovery/withdrawals/revocation-log.ts';
import { isKeptOnRestore } from '../federation/sharing/live-definitions.ts';
import { revocableSessions } from '../http/auth/session.ts';
import { openSettings, revocableSettings, type SettingsStore } from '../app/settings.ts';
import { RejectedAccessLog } from '../app/rejected-access.ts';
import { createArrivedToday, type ArrivedToday } from '../app/arrived-today.ts';
import { openLists, type Lists } from '../lists/lists.ts';
import { revocableCopies } from '../lists/watched/exported-copies.ts';
import { revocableFiles } from '../lists/watched/watched-files.ts';
import { createListFiles, type ListFiles } from '../lists/watched/list-files.ts';
import { ListViews } from '../lists/views/list-views.ts';
import { isOfList } from '../lists/rows/row-table.ts';
import type { IncomingRow, ListsChange } from '../lists/definitions/model.ts';
import type { TrustedClock } from '../base/trusted-clock.ts';
import { openSlewedClock, type SlewedClock } from '../store/engine/slewed-clock.ts';
import { endingClock, type Clock, type EndingClock } from '../base/clock.ts';
import { throttle } from '../base/concurrency/coalescing-queue.ts';
import { createIds } from '../base/ids.ts';
import { loadOrCreateInstallation, type Installation } from '../store/files/installation.ts';
import type { SecretBox } from '../store/files/secrets.ts';
import type { NodeStorage, NodeStore } from './storage/storage.ts';
import { RevocationLog, recordRevocations } from '../store/recovery/withdrawals/revocation-log.ts';
import type { Settings } from '../contract/app/settings.ts';
import { createPeerOpener } from '../sync/schedule/open-peer.ts';
import { createPartnerCalls } from '../peer/dialects/partner-calls.ts';
import { sampleRows } from '../sync/compare/suggest-by-values.ts';
import { createSync, type Sync, type SyncDeps } from '../sync/sync.ts';
import { RouteBook } from './routes/route-book.ts';
import type { Partition, StoreNotice } from '../store/store.ts';

export interface PartsOptions {
  readonly storage: NodeStorage;
  readonly clock: Clock;
  readonly log: Logger;
  /** Until the user sets them. */
  readonly seed: Partial<Settings>;
  readonly allowLoopbackPartners: boolean;
  readonly resolveProxy?: ((url: string) => Promise<string>) | undefined;
  /** Returns the milliseconds between checks. */
  readonly interval: (settings: Settings) => number;
  /** Returns the address for partners. */
  readonly ownAddress: (settings: Settings) => OwnAddress;
  readonly ownPorts: () => readonly number[];
  readonly events: Required<Pick<SyncDeps, 'onStatus' | 'onProgress' | 'onActivity'>> & {
    federation(change: FederationChange): void;
    lists(change: ListsChange): void;
    /** A followed file's or exported copy's state changed. */
    listFile(moduleID: string): void;
    views(moduleID: string): void;
    settings(settings: Settings): void;
    /** A caller was rejected at the federation listener. */
    stranger(): void;
    /** A partner got rows within the last half second. */
    served(nodeID: string): void;
  };
}

export interface Parts {
  readonly store: NodeStore;
  readonly system: Partition;
  readonly installation: string;
  readonly settings: SettingsStore;
  readonly secrets: SecretBox;
  readonly lists: Lists;
  readonly files: ListFiles;
  readonly views: ListViews;
  readonly federation: Federation;
  readonly ledger: Ledger;
  readonly sync: Sync;
  readonly routes: RouteBook;
  readonly slewedClock: SlewedClock;
  readonly time: TrustedClock;
  readonly today: ArrivedToday;
  readonly eye: SharePreview;
  readonly dismissals: Dismissals;
  readonly strangers: RejectedAccessLog;
  /** Ends all timers, so nothing starts after the store is closed. */
  readonly timers: Pick<EndingClock, 'end'>;
  readonly samples: (offered: SharedModule, most?: number) => Promise<readonly IncomingRow[]>;
}

const SYSTEM = 'system';

/** Delay until disclosures show. */
const SERVED_MS = 500;

/**
 * Opens the store and creates the services. Throws `StoreError`; then nothing stays open. Revocations are applied
 * first.
 */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const { storage, log } = options;
  const opened: { parts?: Parts } = {};
  const store = await storage.openStore({
    log,
    goesOnWithout: (part) => isOfList(part) || isKeptOnRestore(part),
    onWritability: () => {
      if (opened.parts) reportAllPartners(opened.parts, options);
    },
  });
  try {
    opened.parts = await createParts(await applyRevocations(store, options), options);
    return opened.parts;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Reports all partners' states to the window in the background, as they show whether this computer can save. */
function reportAllPartners({ federation }: Parts, { events, log }: PartsOptions): void {
  federation.nodes.list().then(
    (nodes) => nodes.forEach(({ nodeID }) => events.onStatus(nodeID)),
    (error: unknown) => log.error({ err: error }, 'the window could not be told of the disk'),
  );
}

/** Returns whether the notice says that `system` is older than it was; not for mixed ages, which the store handles. */
const isAboutOlderSettings = ({ code, partition = SYSTEM }: StoreNotice): boolean =>
  partition === SYSTEM && OF_LOSSES.includes(code) && code !== 'mixed-ages';

/** Returns whether all data is older than its revocation log, unnoticed by the store; not after a crash or restore. */
const isAllDataOlder = (store: NodeStore, { kept, isNotedOlder }: Reapplied): boolean =>
  kept.length > 0 &&
  !isNotedOlder &&
  !store.notices().some(({ code }) => code === 'stale-lock' || OF_LOSSES.includes(code));

/**
 * Returns the store that writes the revocation log. If the data is older than the log, revokes again what the log
 * says; if both went back, closes whatever may have been revoked. Stores what the user must review.
 */
async function applyRevocations(store: NodeStore, { storage, clock }: PartsOptions): Promise<NodeStore> {
  const rules = [
    ...REVOCABLE_TABLES,
    revocableSessions,
    revocableSettings,
    revocableFiles,
    revocableCopies,
    revocableItems,
  ];
  const wentBack = (): boolean => store.notices().some(isAboutOlderSettings);
  const withdrawals = new RevocationLog({ notes: storage.openNotes, clock, rules, noted: store, wentBack });
  const guarded = recordRevocations(store, withdrawals);
  await withdrawals.reapply(await guarded.partition('system'), (tx, found) =>
    recordSurvivingRevocations(tx, found, {
      at: new Date(clock.now()).toISOString(),
      areListsOlder: isAllDataOlder(store, found),
    }),
  );
  return guarded;
}

/** Get events of services created before them. */
interface LateServices {
  files?: ListFiles;
  federation?: Federation;
  sync?: Sync;
}

/**
 * Creates the services on the open store, without starting syncs; stores notices of loss, and continues unfinished work
 * on ended partners' rows.
 */
async function createParts(store: NodeStore, options: PartsOptions): Promise<Parts> {
  const { log, storage, events } = options;
  const clock = endingClock(options.clock);
  const ids = createIds(clock);
  const system = await store.partition('system');
  const dismissals = createDismissals(system);
  await persistNotices(system, store.notices(), await dismissals.all());
  const settings = await openSettings(system, options.seed, (changed) => events.settings(changed));
  const secrets = await storage.secrets();
  const installation = await loadOrCreateInstallation(system);
  const later: LateServices = {};
  const routes = createRouteBook(later, clock, settings, options);
  const rules = {
    allowLoopback: options.allowLoopbackPartners,
    ownPorts: options.ownPorts,
    routesTo: (node: Parameters<RouteBook['routesFor']>[0]) => routes.routesFor(node),
    routesApart: (node: Parameters<RouteBook['createPairingRoutes']>[0]) => routes.createPairingRoutes(node),
  };
  const openPartner = createPeerOpener(rules);
  const onChange = (change: ListsChange): Promise<void> | void => publishListsChange(change, later, options);
  const lists = await openLists({ store, clock, ids, onChange });
  const files = createListFiles({
    ...{ lists, store, system, clock, log },
    onState: (moduleID) => events.listFile(moduleID),
  });
  later.files = files;
  await persistNotices(system, recoveredNotices(lists.recovered, options.clock), await dismissals.all());
  const slewedClock = await openSlewedClock(system, clock);
  const time = asTrustedClock(slewedClock);
  const ledger = new Ledger({ store, clock, slewedNow: () => slewedClock.now() });
  const known = await startRevocationCleanup({ system, tokens: await storage.userTokens(), clock, log });
  const federation = await createFederation({
    ...{ store, lists, clock, ids, secrets, log, time },
    ...createFederationEvents({ later, ledger, clock, routes }, options),
    ...describeOffice(installation, settings, options),
    userKey: await storage.userKey(known),
    calls: createPartnerCalls(rules),
  });
  later.federation = federation;
  const { onStatus, onProgress, onActivity } = events;
  const sync = await createSync({
    ...{ store, clock, ids, log, lists, federation, openPartner, onStatus, onProgress, onActivity },
    installation: installation.id,
    interval: () => options.interval(settings.current()),
    isWatched: (nodeID) => routes.isWatched(nodeID),
  });
  later.sync = sync;
  lists.onUndoMatching(createMatchingUndo({ federation, lists, sync }));
  await federation.rowHandover.runPending();
  return {
    ...{ store, system, settings, secrets, lists, files, federation, ledger, sync, routes },
    ...{ slewedClock, time, dismissals, installation: installation.id },
    views: new ListViews({ lists, store, ids, clock, onChange: (moduleID) => events.views(moduleID) }),
    today: createArrivedToday({ history: sync.history, ledger, clock }),
    eye: createSharePreview(lists),
    strangers: new RejectedAccessLog({ system, clock, log, onSeen: () => events.stranger() }),
    timers: clock,
    samples: (offered, most) => sampleRows({ federation, openPartner }, offered, most),
  };
}

/**
 * Creates the book of routes. Logs reverse connections and reports the status; a partner that opens one is synced at
 * once.
 */
function createRouteBook(
  later: LateServices,
  clock: Clock,
  settings: Pick<SettingsStore, 'current'>,
  { allowLoopbackPartners, resolveProxy, events, log }: PartsOptions,
): RouteBook {
  return new RouteBook({
    clock,
    allowLoopback: allowLoopbackPartners,
    ...(resolveProxy === undefined ? {} : { resolveProxy }),
    settings: () => settings.current(),
    /**
     * Logs a reverse connection's beginning or end and reports the partner's status; at the beginning also starts a
     * sync.
     */
    onReverse(nodeID, isOpen) {
      log.info({ nodeID }, isOpen ? 'reverse connection opened' : 'reverse connection ended');
      events.onStatus(nodeID);
      if (isOpen) later.sync?.poke(nodeID, true);
    },
  });
}

/** Returns the slewed clock as a trusted one. */
const asTrustedClock = (slewedClock: SlewedClock): TrustedClock => ({
  now: () => slewedClock.now(),
  highWater: () => slewedClock.highWater(),
  elapsed: () => slewedClock.elapsed(),
});

/** Returns what the federation tells of this office. */
const describeOffice = (
  { id, key }: Installation,
  settings: Pick<SettingsStore, 'current'>,
  options: Pick<PartsOptions, 'ownAddress' | 'interval'>,
): Pick<FederationDeps, 'office' | 'ownAddress' | 'interval'> => ({
  office: {
    installation: id,
    ...(key ? { key } : {}),
    name: () => settings.current().office || 'Footbridge',
  },
  ownAddress: () => options.ownAddress(settings.current()),
  interval: () => options.interval(settings.current()),
});

/**
 * Tells windows, files, shares and mappings. Failures are logged; for a changed list definition they also reject the
 * promise returned.
 */
function publishListsChange(
  change: ListsChange,
  later: LateServices,
  { events, log }: PartsOptions,
): Promise<void> | undefined {
  events.lists(change);
  later.files?.changed(change);
  return later.federation?.listsChanged(change).catch((error: unknown) => {
    log.error({ err: error }, 'shares and matches could not follow a change of a list');
    if (change.kind === 'list') throw error;
  });
}

/**
 * Returns the handlers of the federation's events: they tell windows and sync, update a changed partner's routes, and
 * write the sharing log before rows leave.
 */
function createFederationEvents(
  {
    later,
    ledger,
    clock,
    routes,
  }: {
    readonly later: LateServices;
    readonly ledger: Ledger;
    readonly clock: Clock;
    readonly routes: Pick<RouteBook, 'routesFor'>;
  },
  { events }: PartsOptions,
): Pick<FederationDeps, 'onStanding' | 'onAsked' | 'onChange' | 'onReleased' | 'onUnread' | 'onServed'> {
  const served = throttle(clock, SERVED_MS, (nodeID: string) => events.served(nodeID));
  return {
    onStanding: events.onStatus,
    onAsked: (nodeID) => later.sync?.onIncomingRequest(nodeID),
    /** Tells the windows and the sync of a changed partner, share or mapping, and updates the partner's routes. */
    onChange(change) {
      events.federation(change);
      later.sync?.partnerChanged(change.nodeID);
      if (change.kind === 'node')
        later.federation?.nodes.get(change.nodeID).then(
          (node) => routes.routesFor(node),
          () => undefined,
        );
    },
    onReleased: async (nodeID, moduleID) => later.sync?.forgetList(nodeID, moduleID),
    onUnread: events.onStatus,
    /** Writes the sharing log before the rows leave; then tells the windows, throttled, that rows were sent. */
    async onServed(disclosure) {
      await ledger.record(disclosure);
      if (disclosure.recordIDs.length > 0) served(disclosure.nodeID);
    },
  };
}
