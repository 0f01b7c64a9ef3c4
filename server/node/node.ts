import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import type { AppEvent, Overview } from '../contract/app/overview.ts';
import type { Settings } from '../contract/app/settings.ts';
import { startDailyBackups, type DailyBackups } from './daily-backup.ts';
import { startRetention } from './retention.ts';
import { checkBackupFile } from '../store/recovery/restore-backup.ts';
import { isKeptOnRestore } from '../federation/sharing/live-definitions.ts';
import type { Role } from '../federation/partners/identity.ts';
import type { Language } from '../base/vocabulary.ts';
import { syncAll } from '../app/sync-all.ts';
import { EventStream } from '../http/listeners/event-stream.ts';
import { ListenError } from '../http/listeners/listen.ts';
import { NodeAddress, type CertificateFiles } from './address.ts';
import {
  LOOPBACK_ONLY,
  ListenAddresses,
  type CliListenOptions,
  type ListenSettings,
} from './listen-addresses.ts';
import { serve, type Serving, createWindowEvents } from './serving.ts';
import { tryOpenStore } from './trial-open.ts';
import { openConnection } from '../peer/transport/dispatcher.ts';
import { PEER_LIMITS } from '../peer/guard/limits.ts';
import { OfficeRoutes } from './routes/office-routes.ts';
import { openParts, type Parts } from './parts.ts';
import { createFolderStorage } from './storage/folder-storage.ts';
import type { NodeStorage } from './storage/storage.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import type { Disk } from '../store/files/disk.ts';
import type { SecretBox } from '../store/files/secrets.ts';
import { VERSION } from '../version.ts';
import { createMutex } from '../base/concurrency/mutex.ts';

/** By default as on the command line (docs/command-line.md). */
export interface NodeOptions extends CliListenOptions {
  readonly dataDir: string;
  readonly windowDir?: string;
  /** An SSH tunnel's port at another computer (docs/service.md). */
  readonly tunnelPort?: number;
  readonly publicUrl?: string;
  /** Replaces the self-signed one. */
  readonly certificate?: CertificateFiles;
  /** Allows unencrypted network calls; default: the user's setting. */
  readonly plainPartners?: boolean;
  /** Trusted load balancers' addresses and networks. */
  readonly trustedProxies?: readonly string[];
  /** The office's until the user names it. */
  readonly label?: string;
  readonly syncIntervalMs?: number;
  readonly allowLoopbackPartners?: boolean;
  /** Returns the system's proxies in Chromium's format; environment variables take precedence. */
  readonly resolveProxy?: (url: string) => Promise<string>;
  readonly remoteManagement?: boolean;
  /** False: only serves, and asks no partner anything. */
  readonly sync?: boolean;
  readonly secrets?: SecretBox;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly disk?: Disk;
  /** Keeps all data, instead of the data folder. */
  readonly storage?: NodeStorage;
  /** Returns whether another process serves, or may: requests get no answer. */
  readonly isOver?: () => boolean;
}

export interface Ready {
  /** Base address, without `/federation`. */
  readonly federation: string;
  readonly window: string;
  readonly dataDir: string;
}

interface Running extends Serving {
  readonly parts: Parts;
  readonly routes: OfficeRoutes;
}

const CLOSE_GRACE_MS = 1_000;

/** Collects garbage at 40 % growth, as imports leave much. */
const FRUGAL = '--heap-growing-percent=40';

/** One office's node: store, services, listeners and pull engine. Data methods throw if it isn't running. */
export class FootbridgeNode {
  readonly #options: NodeOptions;
  readonly #clock: Clock;
  readonly #storage: NodeStorage;
  readonly #events = new EventStream(VERSION);
  #running: Running | undefined;
  #backups: DailyBackups | undefined;
  #isRestored = false;
  #stopKeeping: () => Promise<void> = () => Promise.resolve();
  readonly #listen: ListenAddresses;
  /** Serialises openings and closings. */
  readonly #inTurn = createMutex();
  readonly #address: NodeAddress;

  constructor(options: NodeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#storage = options.storage ?? createFolderStorage({ ...options, clock: this.#clock });
    this.#listen = new ListenAddresses(options, this.#clock);
    this.#address = new NodeAddress({
      storage: this.#storage,
      files: options.certificate,
      clock: this.#clock,
      log: options.log,
    });
  }

  /**
   * Opens store, services and listeners, and starts to sync; sets V8's memory flags for the whole process. Returns the
   * addresses with a sign-in link. Throws `StoreError`, `ListenError`, `CertificateError`.
   */
  start(): Promise<Ready> {
    setFlagsFromString(FRUGAL);
    return this.#inTurn(async () => {
      await this.#openAll();
      const { federation, window } = this.#requireRunning().listeners;
      this.#options.log.info({ federation: federation.port, window: window.port }, 'started');
      return {
        federation: this.#address.ownAddress('').listener.replace(/\/federation$/, ''),
        window: this.#requireRunning().sessions.createLink(this.#listen.windowBase),
        dataDir: this.#options.dataDir,
      };
    });
  }

  /** Closes everything after the current page, if running; `atOnce` cuts answers off. */
  stop({ atOnce = false }: { readonly atOnce?: boolean } = {}): Promise<void> {
    return this.#inTurn(async () => {
      await this.#closeAll(atOnce ? 0 : CLOSE_GRACE_MS);
      this.#address.close();
      this.#events.close();
      this.#options.log.info('stopped');
    });
  }

  /** Returns the data of Home and the tray. */
  overview(language: Language = 'en'): Promise<Overview> {
    return this.#requireRunning().overview.overview(language);
  }

  /** Returns the present settings. Throws Error unless running. */
  settings(): Settings {
    return this.#requireRunning().parts.settings.current();
  }

  /** Changes settings and returns all; a changed address reopens the listeners in the background. */
  changeSettings(part: Partial<Settings>): Promise<Settings> {
    return this.#requireRunning().parts.settings.change(part);
  }

  /** Calls `listener` for each event of the window's stream. Returns a function to stop. */
  onChange(listener: (event: AppEvent) => void): () => void {
    return this.#events.listen(listener);
  }

  /** Pulls from all connected partners and waits for the end; ignores failed pulls. Throws unless running. */
  async syncAll(): Promise<void> {
    await syncAll(this.#requireRunning().parts);
  }

  /** Pauses all partners, until this time if given. */
  pauseAll(until?: string): Promise<void> {
    return this.#forEachPartner((nodeID) =>
      this.#requireRunning().parts.federation.nodes.pause(nodeID, { until }),
    );
  }

  /** Ends all partners' pauses. {@link resume} is for the computer's sleep. */
  resumeAll(): Promise<void> {
    return this.#forEachPartner((nodeID) => this.#requireRunning().parts.federation.nodes.resume(nodeID));
  }

  /** Pauses syncing while the computer sleeps, until {@link resume}; a no-op unless running. */
  suspend(): void {
    this.#running?.parts.sync.suspend();
  }

  /** Continues syncing after sleep, over new routes; a no-op unless running. */
  resume(): void {
    this.#running?.parts.sync.resume();
    this.#running?.routes.networkChanged();
  }

  /** Returns a one-time link into the window. Throws Error unless running. */
  windowLink(): string {
    return this.#requireRunning().sessions.createLink(this.#listen.windowBase);
  }

  /** Issues a user token (JWT) for the interface, valid for so many milliseconds. */
  userToken(role: Role, milliseconds: number): string {
    return this.#requireRunning().parts.federation.tokens.issueUserToken(role, milliseconds);
  }

  /** Returns the open parts. Throws Error unless running. */
  #requireRunning(): Running {
    if (!this.#running) throw new Error('The node is not running.');
    return this.#running;
  }

  /** Returns the public URL of the command line, else of the settings. */
  #publicUrl(settings: Settings): string {
    return this.#options.publicUrl ?? settings.publicUrl;
  }

  /**
   * Opens store, services and listeners, at `listen` instead of the settings' addresses, then starts pulls, routes to
   * partners, followed files, retention and backups, unless the option `sync` is off.
   */
  async #openAll(listen?: ListenSettings | typeof LOOPBACK_ONLY): Promise<void> {
    const parts = await openParts({
      storage: this.#storage,
      clock: this.#clock,
      log: this.#options.log,
      seed: this.#options.label === undefined ? {} : { office: this.#options.label },
      allowLoopbackPartners: this.#options.allowLoopbackPartners ?? false,
      resolveProxy: this.#options.resolveProxy,
      interval: (settings) => this.#options.syncIntervalMs ?? settings.syncIntervalSeconds * 1000,
      ownAddress: (settings) => this.#address.ownAddress(this.#publicUrl(settings)),
      ownPorts: () => this.#listen.ports,
      events: createWindowEvents(this.#events, (settings) => this.#applySettings(settings), {
        rowsChanged: () => this.#backups?.scheduleFirstRows(),
        listCreated: () => this.#backups?.scheduleNewLists(),
      }),
    });
    try {
      this.#running = await this.#openListeners(parts, listen);
    } catch (error) {
      parts.timers.end();
      await parts.store.close();
      throw error;
    }
    if (listen !== LOOPBACK_ONLY) this.#listen.recordOpened(listen ?? parts.settings.current());
    if (this.#options.sync ?? true) {
      await parts.sync.start();
      this.#requireRunning().routes.start();
      parts.files.start();
      this.#stopKeeping = startRetention({
        ...parts,
        history: parts.sync.history,
        clock: this.#clock,
        log: this.#options.log,
      });
      if (this.#storage.backsUpDaily)
        this.#backups = startDailyBackups({
          store: parts.store,
          clock: this.#clock,
          time: parts.time,
          isRestored: this.#isRestored,
          log: this.#options.log,
        });
      this.#isRestored = false;
    }
  }

  /**
   * Opens the listeners and returns what runs; announces the window's address to other commands. Throws `ListenError`
   * or `CertificateError`.
   */
  async #openListeners(parts: Parts, listen?: ListenSettings | typeof LOOPBACK_ONLY): Promise<Running> {
    const settings = parts.settings;
    const routes = this.#createOfficeRoutes(parts);
    await this.#address.openRoutes(() => routes.routeTexts());
    const serving = await serve({
      ...this.#options,
      parts,
      storage: this.#storage,
      clock: this.#clock,
      address: this.#address,
      events: this.#events,
      places: this.#listen.addressesToOpen(settings.current(), listen),
      publicUrl: () => this.#publicUrl(settings.current()),
      listening: () => this.#listen.listening,
      opened: (opened) => {
        this.#listen.setListeners(opened);
        this.#address.setListener(opened.federation);
      },
      restore: (file) => this.#restoreBackup(file),
      called: (nodeID, route) => routes.recordDirectCall(nodeID, route),
      carried: (carryID) => routes.carriedNode(carryID),
      ownRoutes: () => ({ router: routes.mappingState(), relay: routes.relayState() }),
      notice: () => this.#listen.notice,
    });
    await parts.store.announce({ window: this.#listen.windowBase });
    void this.#address.refreshPresentedCertificate(this.#publicUrl(settings.current()));
    return { parts, routes, ...serving };
  }

  /** Creates the service of routes, which starts nothing yet. */
  #createOfficeRoutes(parts: Parts): OfficeRoutes {
    const { allowLoopbackPartners = false, log } = this.#options;
    const { system, settings, federation, sync } = parts;
    const routes: OfficeRoutes = new OfficeRoutes({
      ...{ clock: this.#clock, log, system, federation, book: parts.routes },
      settings: () => settings.current(),
      announce: (nodeID) => sync.announceRoutes(nodeID),
      connect: (node, signal, use) =>
        openConnection(
          {
            ownNetwork: node.ownNetwork,
            allowLoopback: allowLoopbackPartners,
            ownPorts: () => this.#listen.ports,
            connectTime: PEER_LIMITS.connectTime,
            ...(node.certificate === undefined ? {} : { certificate: node.certificate }),
            routes: parts.routes.routesFor(node),
          },
          node.baseURL,
          signal,
          use,
        ),
      take: (stream, route) => this.#requireRunning().listeners.federation.takeRouted(stream, route),
      directPort: () => this.#address.directPort,
      prepare: () => this.#address.openRoutes(() => routes.routeTexts()),
      note: (nodeID, message) => sync.recordConnection(nodeID, message),
      openedBy: () => settings.openedBy(),
      onNetworkChanged: () => sync.resume(),
      onReached: (nodeID) => sync.poke(nodeID, true),
      onChange: () => this.#events.send({ type: 'overview' }),
    });
    return routes;
  }

  /**
   * Closes everything, if running, each despite the others' errors; answers being sent have `graceMs`. Logs what can't
   * be closed.
   */
  async #closeAll(graceMs = CLOSE_GRACE_MS): Promise<void> {
    if (!this.#running) return;
    const { parts, routes, listeners, nearby, backups } = this.#running;
    this.#running = undefined;
    const routesEnded = routes.stop();
    // First: the rest may take long, and after a lost lease nothing may be answered.
    const closed = listeners.close(graceMs);
    closed.catch(() => undefined);
    for (const end of [
      this.#stopKeeping,
      () => this.#stopBackups(),
      () => Promise.resolve().then(() => nearby.close()),
      () => backups.close(),
      () => parts.files.stop(),
      () => parts.sync.stop(),
      () => Promise.resolve().then(() => parts.federation.watch.stop()),
      () => closed,
      () => routesEnded,
      () => parts.strangers.flush(),
      () => Promise.resolve().then(() => parts.timers.end()),
      () => parts.store.close(),
    ]) {
      await end().catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'something could not be closed'),
      );
    }
  }

  /** Applies changed settings: moves the listeners in the background, if needed, the rest at once. */
  #applySettings(settings: Settings): void {
    void this.#address.refreshPresentedCertificate(this.#publicUrl(settings));
    this.#running?.routes.update();
    if (!this.#running || this.#listen.matches(settings)) return;
    this.#events.send({ type: 'reopening' });
    this.#inTurn(() => this.#reopen()).catch((error: unknown) =>
      this.#options.log.error({ err: error }, 'could not move to another address'),
    );
  }

  /**
   * Opens all again at the settings' addresses; if these fail, at the previous ones, which become the settings, else on
   * this computer only. A network that the user turned off stays off.
   */
  async #reopen(): Promise<void> {
    const { lastOpened } = this.#listen;
    const isClosed = this.#running?.parts.settings.current().network === false;
    const before = lastOpened && { ...lastOpened, network: lastOpened.network && !isClosed };
    await this.#closeAll();
    const problem = await this.#tryOpen();
    this.#listen.failedToOpen(problem);
    if (!problem) return;
    if (before && !(await this.#tryOpen(before))) {
      await this.#requireRunning().parts.settings.change(before);
      return;
    }
    this.#listen.failedToKeep(problem);
    await this.#openAll(LOOPBACK_ONLY);
  }

  /**
   * Opens everything at `listen`, else the settings' addresses. Returns and logs a `ListenError`, undefined if it
   * worked; throws other errors.
   */
  async #tryOpen(listen?: ListenSettings): Promise<ListenError | undefined> {
    try {
      await this.#openAll(listen);
      return undefined;
    } catch (error) {
      if (!(error instanceof ListenError)) throw error;
      this.#options.log.warn({ err: error }, 'could not be opened where partners are to be served');
      return error;
    }
  }

  /**
   * Throws for a bad file before it stops anything. Then closes the store and replaces it by the backup, except what is
   * kept on a restore. Reopens everything in the background, also if one of these fails.
   */
  async #restoreBackup(file: string): Promise<void> {
    const { parts } = this.#requireRunning();
    // If refused, the store stays open.
    await checkBackupFile(file);
    await parts.strangers.flush();
    try {
      await this.#stopKeeping();
      await this.#stopBackups();
      await parts.files.stop();
      await parts.sync.stop();
      await parts.store.close();
      await this.#storage.restore(file, {
        keeps: isKeptOnRestore,
        tryOut: (there) => tryOpenStore(there, this.#clock),
      });
      this.#isRestored = true;
    } finally {
      this.#inTurn(() => this.#reopen()).catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'could not open what was restored'),
      );
    }
  }

  /** Stops daily backups, after a running one. */
  async #stopBackups(): Promise<void> {
    await this.#backups?.stop();
    this.#backups = undefined;
  }

  /** Runs `work` for each partner that isn't removed, one after the other; ends at the first error. */
  async #forEachPartner(work: (nodeID: string) => Promise<unknown>): Promise<void> {
    for (const { nodeID } of await this.#requireRunning().parts.federation.nodes.list()) await work(nodeID);
  }
}
