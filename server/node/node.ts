import type { Router } from 'express';
import type { Logger } from 'pino';
import type { AppEvent, Overview } from '../contract/app/overview.ts';
import type { Settings } from '../contract/app/settings.ts';
import type { OwnAddress } from '../federation/ports.ts';
import { keepDailyBackups } from './daily-backup.ts';
import { keepWithinTime } from './keeping.ts';
import { isOfLedger } from '../federation/sharing/ledger-parts.ts';
import type { Role } from '../federation/partners/identity.ts';
import { activityEntry } from '../app/activity.ts';
import type { Language } from '../base/vocabulary.ts';
import { english } from '../words/said.ts';
import { appRouter } from '../http/window/router.ts';
import { createOverview, type OverviewSource } from '../app/overview.ts';
import { createAttempts } from '../http/auth/attempts.ts';
import { syncAll } from '../http/window/home.ts';
import { aboutSettings } from '../app/about.ts';
import { nodeBundle } from '../app/node-bundle.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { bearerAuth } from '../http/auth/auth.ts';
import { createEventStream } from '../http/listeners/event-stream.ts';
import { interfaceRoutes } from '../http/interface/interface-routes.ts';
import { createSessions, type Sessions } from '../http/auth/session.ts';
import type { Listener } from '../http/listeners/listen.ts';
import { createNodeAddress, type CertificateFiles } from './address.ts';
import { openListeners, type Listeners } from './listeners.ts';
import { openParts, type Parts } from './parts.ts';
import { createNearby, type Nearby } from '../nearby/nearby.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import type { Disk } from '../store/files/disk.ts';
import { restoreBackup } from '../store/recovery/restore-backup.ts';
import type { SecretBox } from '../store/files/secrets.ts';
import { VERSION } from '../version.ts';
import { createMutex } from '../base/concurrency/mutex.ts';

/** What a node is made of; what is absent has the default of the command line (README.md: Command line). */
export interface NodeOptions {
  readonly dataDir: string;
  /** Address on which partners are served; else as the user set it: this computer only, or the network. */
  readonly host?: string;
  readonly port?: number;
  readonly windowPort?: number;
  /** Folder of the built window. */
  readonly windowDir?: string;
  readonly publicUrl?: string;
  /** Shown to partners instead of a certificate of the node's own making. */
  readonly certificate?: CertificateFiles;
  /** Partners may call over a network without encryption; else as the user set it. */
  readonly plainPartners?: boolean;
  /** Name of this office until the user gives one. */
  readonly label?: string;
  readonly syncIntervalMs?: number;
  readonly allowLoopbackPartners?: boolean;
  readonly remoteManagement?: boolean;
  /** False: serve only, ask no partner anything. For commands that work on a data folder. */
  readonly sync?: boolean;
  readonly secrets?: SecretBox;
  readonly log: Logger;
  readonly clock?: Clock;
  /** The disk that the store writes to; tests give one that fails. */
  readonly disk?: Disk;
}

/** Where a started node is. */
export interface Ready {
  /** Base of the federation listener, without `/federation`. */
  readonly federation: string;
  /** One-time link into the window. */
  readonly window: string;
  readonly dataDir: string;
}

/** One office's node: store, services, listeners and pull engine, under Electron and plain Node alike. */
export interface FootbridgeNode {
  /** @throws StoreError, ListenError with messages for the user; then nothing is left open */
  start(): Promise<Ready>;
  /** Finishes the page in hand and closes everything, within two seconds. Safe at any time. */
  stop(): Promise<void>;
  /** What Home and the tray show. */
  overview(language?: Language): Promise<Overview>;
  settings(): Settings;
  changeSettings(part: Partial<Settings>): Promise<Settings>;
  /** The events of the window's stream. Returns the way to stop listening. */
  onChange(listener: (event: AppEvent) => void): () => void;
  syncAll(): Promise<void>;
  pauseAll(until?: string): Promise<void>;
  resumeAll(): Promise<void>;
  /** The computer goes to sleep and wakes up; neither is an error. */
  suspend(): void;
  resume(): void;
  /** A fresh one-time link into the window. */
  windowLink(): string;
  /** A JWT for the interface. */
  userToken(role: Role, milliseconds: number): string;
}

interface Running {
  readonly parts: Parts;
  readonly listeners: Listeners;
  readonly sessions: Sessions;
  readonly overview: OverviewSource;
  readonly nearby: Pick<Nearby, 'close'>;
}

const DEFAULT_WINDOW_PORT = 7421;
const LOOPBACK = '127.0.0.1';
const EVERY_ADDRESS = '0.0.0.0';
const CLOSE_GRACE_MS = 1_000;

export function createNode(options: NodeOptions): FootbridgeNode {
  const { dataDir, log } = options;
  const clock = options.clock ?? systemClock;
  const events = createEventStream(VERSION);
  let running: Running | undefined;
  let stopBackups: () => Promise<void> = () => Promise.resolve();
  let stopKeeping: () => Promise<void> = () => Promise.resolve();
  /** Where we listen, or listened last. */
  let listening: { federation: Listener; window: Listener } | undefined;
  /** Openings and closings follow one another. */
  const inTurn = createMutex();

  const now = (): Running => {
    if (!running) throw new Error('The node is not running.');
    return running;
  };

  const address = createNodeAddress({ dataDir, files: options.certificate, clock, log });
  const publicUrl = (settings: Settings): string => options.publicUrl ?? settings.publicUrl;

  async function open(): Promise<void> {
    const parts = await openParts({
      dataDir,
      clock,
      log,
      disk: options.disk,
      secrets: options.secrets,
      seed: options.label === undefined ? {} : { office: options.label },
      allowLoopbackPartners: options.allowLoopbackPartners ?? false,
      interval: (settings) => options.syncIntervalMs ?? settings.syncIntervalSeconds * 1000,
      ownAddress: (settings) => address.own(publicUrl(settings)),
      ownPorts: () => (listening ? [listening.federation.port, listening.window.port] : []),
      events: {
        federation: ({ nodeID }) => events.send({ type: 'partner', nodeID }),
        lists(change) {
          if (change.kind !== 'rows') events.send({ type: 'lists' });
          if (change.kind === 'rows') events.send({ type: 'list', moduleID: change.moduleID });
          else if (change.kind === 'list') events.send({ type: 'list', moduleID: change.module.moduleID });
        },
        settings: settingsChanged,
        stranger: () => events.send({ type: 'overview' }),
        served: (nodeID) => events.send({ type: 'partner', nodeID }),
        onStatus: (nodeID) => events.send({ type: 'partner', nodeID }),
        onProgress: (progress) => events.send({ type: 'progress', progress: { ...progress } }),
        onActivity: (activity) =>
          events.send({ type: 'activity', activity: activityEntry(activity, english) }),
      },
    });
    try {
      running = await serve(parts);
    } catch (error) {
      await parts.store.close();
      throw error;
    }
    if (options.sync ?? true) {
      await parts.sync.start();
      stopKeeping = keepWithinTime({ ...parts, history: parts.sync.history, clock, log });
      stopBackups = keepDailyBackups({ store: parts.store, clock, log });
    }
  }

  async function serve(parts: Parts): Promise<Running> {
    const { system, settings, federation } = parts;
    const sessions = createSessions({
      system,
      clock,
      time: parts.time,
      port: () => listening?.window.port ?? 0,
    });
    const attempts = createAttempts(clock);
    const bearer = bearerAuth({ verify: (token) => federation.tokens.verify(token), attempts });
    const overview = createOverview({
      ...parts,
      clock,
      version: VERSION,
      addresses: () => addressesGiven(address.own(publicUrl(settings.current()))),
      reachable: () => !isLoopbackHost(listening?.federation.host ?? LOOPBACK),
      notice: () => address.notice,
    });
    const nearby = createNearby({
      clock,
      isOn: () => settings.current().nearby,
      office: () => settings.current().office,
    });
    const api = appRouter({
      ...parts,
      clock,
      nearby,
      now: () => clock.now(),
      overview,
      events,
      sessions,
      about: () => aboutSettings({ ...parts, clock, dataDir, addressGiven: options.host !== undefined }),
      restore,
      supportBundle: () => nodeBundle({ ...parts, version: VERSION, dataDir }),
    });
    const routes = (remoteManagement: boolean): Router =>
      interfaceRoutes({ ...parts, attempts, log, remoteManagement, version: VERSION });
    const places = wantedPlaces(settings.current());
    const listeners = await openListeners({
      ...places,
      tls: await address.certificateFor(places.host),
      plainPartners: () => options.plainPartners ?? settings.current().plainPartners,
      windowDir: options.windowDir,
      bearer,
      strangers: parts.strangers,
      sessions,
      api,
      windowRoutes: routes(true),
      federationRoutes: routes(options.remoteManagement ?? false),
      clock,
      log,
      opened(opened) {
        listening = opened;
        address.opened(opened.federation);
      },
    });
    await parts.store.announce({ window: windowBase() });
    void address.look(publicUrl(settings.current()));
    return { parts, listeners, sessions, overview, nearby };
  }

  /** What was given on the command line holds; then what the user set; a free port, once found, is kept. */
  function wantedPlaces(settings: Settings): { host: string; port: number; windowPort: number } {
    const kept = (asked: number | undefined, last: number | undefined): number | undefined =>
      asked === 0 ? (last ?? 0) : asked;
    return {
      host: options.host ?? (settings.network ? EVERY_ADDRESS : LOOPBACK),
      port: kept(options.port, listening?.federation.port) ?? settings.port,
      windowPort: listening?.window.port ?? options.windowPort ?? DEFAULT_WINDOW_PORT,
    };
  }

  async function close(): Promise<void> {
    if (!running) return;
    const { parts, listeners, nearby } = running;
    running = undefined;
    // What cannot be written, on a full disk above all, must keep nothing else open.
    for (const end of [
      stopKeeping,
      stopBackups,
      () => Promise.resolve().then(() => nearby.close()),
      () => parts.sync.stop(),
      () => Promise.resolve().then(() => parts.federation.watch.stop()),
      () => listeners.close(CLOSE_GRACE_MS),
      () => parts.strangers.flush(),
      () => Promise.resolve().then(() => parts.timers.end()),
      () => parts.store.close(),
    ]) {
      await end().catch((error: unknown) => log.error({ err: error }, 'something could not be closed'));
    }
  }

  function settingsChanged(settings: Settings): void {
    events.send({ type: 'settings' });
    void address.look(publicUrl(settings));
    const wanted = wantedPlaces(settings);
    const { federation } = listening ?? {};
    if (!running || (wanted.host === federation?.host && wanted.port === federation.port)) return;
    inTurn(async () => {
      await close();
      await open();
    }).catch((error: unknown) => log.error({ err: error }, 'could not move to another address'));
  }

  /**
   * Puts a backup in place of everything. Resolves when that is done or throws when nothing was touched; the
   * listeners follow right after, so that the one who asked still gets the answer.
   */
  async function restore(file: string): Promise<void> {
    const { parts } = now();
    await stopKeeping();
    await stopBackups();
    await parts.sync.stop();
    await parts.store.close();
    try {
      await restoreBackup(file, dataDir, { clock, keeps: isOfLedger });
    } finally {
      inTurn(async () => {
        await close();
        await open();
      }).catch((error: unknown) => log.error({ err: error }, 'could not open what was restored'));
    }
  }

  async function eachPartner(work: (nodeID: string) => Promise<unknown>): Promise<void> {
    for (const { nodeID } of await now().parts.federation.nodes.list()) await work(nodeID);
  }

  const windowBase = (): string => `http://${LOOPBACK}:${listening?.window.port ?? 0}`;

  return {
    start: () =>
      inTurn(async () => {
        await open();
        const { federation, window } = now().listeners;
        log.info({ federation: federation.port, window: window.port }, 'started');
        return {
          federation: address.own('').listener.replace(/\/federation$/, ''),
          window: now().sessions.link(windowBase()),
          dataDir,
        };
      }),
    stop: () =>
      inTurn(async () => {
        await close();
        address.close();
        events.close();
        log.info('stopped');
      }),
    overview: (language = 'en') => now().overview.overview(language),
    settings: () => now().parts.settings.current(),
    changeSettings: (part) => now().parts.settings.change(part),
    onChange: (listener) => events.listen(listener),
    async syncAll() {
      await syncAll(now().parts);
    },
    pauseAll: (until) => eachPartner((nodeID) => now().parts.federation.nodes.pause(nodeID, { until })),
    resumeAll: () => eachPartner((nodeID) => now().parts.federation.nodes.resume(nodeID)),
    suspend: () => running?.parts.sync.suspend(),
    resume: () => running?.parts.sync.resume(),
    windowLink: () => now().sessions.link(windowBase()),
    userToken: (role, milliseconds) => now().parts.federation.tokens.issueUserToken(role, milliseconds),
  };
}

/** Federation bases as partners are told them. */
function addressesGiven({ publicUrl, listener }: OwnAddress): string[] {
  return [publicUrl === undefined ? listener : `${publicUrl.replace(/\/(federation\/?)?$/, '')}/federation`];
}
