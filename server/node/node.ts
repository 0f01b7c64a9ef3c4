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
import { syncAll } from '../http/window/home.ts';
import { EventStream } from '../http/listeners/event-stream.ts';
import { ListenError } from '../http/listeners/listen.ts';
import { NodeAddress, type CertificateFiles } from './address.ts';
import {
  LOOPBACK_ONLY,
  ListenAddresses,
  type CliListenOptions,
  type ListenSettings,
} from './listen-addresses.ts';
import { serve, type Serving } from './serving.ts';
import { tryOpenStore } from './trial-open.ts';
import { openConnection } from '../peer/transport/dispatcher.ts';
import { PEER_LIMITS } from '../peer/guard/limits.ts';
import { OfficeRoutes } from './routes/office-routes.ts';
import { openParts, type Parts } from './parts.ts';
import { folderStorage } from './storage/folder-storage.ts';
import type { NodeStorage } from './storage/storage.ts';
import { windowEvents } from './window-events.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import type { Disk } from '../store/files/disk.ts';
import type { SecretBox } from '../store/files/secrets.ts';
import { VERSION } from '../version.ts';
import { createMutex } from '../base/concurrency/mutex.ts';

/** What a node is made of; what is absent has the default of the command line (docs/command-line.md). */
export interface NodeOptions extends CliListenOptions {
  readonly dataDir: string;
  /** Folder of the built window. */
  readonly windowDir?: string;
  readonly publicUrl?: string;
  /** Shown to partners instead of a certificate of the node's own making. */
  readonly certificate?: CertificateFiles;
  /** Partners may call over a network without encryption; else as the user set it. */
  readonly plainPartners?: boolean;
  /** Addresses and networks of load balancers that say from where each request came. */
  readonly trustedProxies?: readonly string[];
  /** Name of this office until the user gives one. */
  readonly label?: string;
  readonly syncIntervalMs?: number;
  readonly allowLoopbackPartners?: boolean;
  /** Returns the proxies that the system names for a URL, as Chromium lists them. The environment's variables come first. */
  readonly resolveProxy?: (url: string) => Promise<string>;
  readonly remoteManagement?: boolean;
  /** False: serve only, ask no partner anything. For commands that work on a data folder. */
  readonly sync?: boolean;
  readonly secrets?: SecretBox;
  readonly log: Logger;
  readonly clock?: Clock;
  /** The disk that the store writes to; tests give one that fails. */
  readonly disk?: Disk;
  /** Where all of it is kept, instead of in the data folder. */
  readonly storage?: NodeStorage;
  /** Whether another process serves, or may: nobody is answered any more then, from that very moment on. */
  readonly isOver?: () => boolean;
}

/** Where a started node is. */
export interface Ready {
  /** Base of the federation listener, without `/federation`. */
  readonly federation: string;
  /** One-time link into the window. */
  readonly window: string;
  readonly dataDir: string;
}

interface Running extends Serving {
  readonly parts: Parts;
  readonly routes: OfficeRoutes;
}

const CLOSE_GRACE_MS = 1_000;

/**
 * Collects garbage once the heap has grown by 40 %, instead of several times: an import, or reading very many
 * rows of a database, leaves much garbage.
 */
const FRUGAL = '--heap-growing-percent=40';

/** One office's node: store, services, listeners and pull engine, under Electron and plain Node alike. */
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
  /** Openings and closings follow one another. */
  readonly #inTurn = createMutex();
  readonly #address: NodeAddress;

  constructor(options: NodeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#storage = options.storage ?? folderStorage({ ...options, clock: this.#clock });
    this.#listen = new ListenAddresses(options, this.#clock);
    this.#address = new NodeAddress({
      storage: this.#storage,
      files: options.certificate,
      clock: this.#clock,
      log: options.log,
    });
  }

  /** @throws StoreError, ListenError with messages for the user; then nothing is left open */
  start(): Promise<Ready> {
    setFlagsFromString(FRUGAL);
    return this.#inTurn(async () => {
      await this.#open();
      const { federation, window } = this.#now().listeners;
      this.#options.log.info({ federation: federation.port, window: window.port }, 'started');
      return {
        federation: this.#address.own('').listener.replace(/\/federation$/, ''),
        window: this.#now().sessions.link(this.#listen.windowBase),
        dataDir: this.#options.dataDir,
      };
    });
  }

  /**
   * Finishes the page in hand and closes everything, within two seconds. Safe at any time.
   * @param atOnce lets no answer in flight end
   */
  stop({ atOnce = false }: { readonly atOnce?: boolean } = {}): Promise<void> {
    return this.#inTurn(async () => {
      await this.#close(atOnce ? 0 : CLOSE_GRACE_MS);
      this.#address.close();
      this.#events.close();
      this.#options.log.info('stopped');
    });
  }

  /** What Home and the tray show. */
  overview(language: Language = 'en'): Promise<Overview> {
    return this.#now().overview.overview(language);
  }

  settings(): Settings {
    return this.#now().parts.settings.current();
  }

  changeSettings(part: Partial<Settings>): Promise<Settings> {
    return this.#now().parts.settings.change(part);
  }

  /** The events of the window's stream. Returns the way to stop listening. */
  onChange(listener: (event: AppEvent) => void): () => void {
    return this.#events.listen(listener);
  }

  async syncAll(): Promise<void> {
    await syncAll(this.#now().parts);
  }

  pauseAll(until?: string): Promise<void> {
    return this.#eachPartner((nodeID) => this.#now().parts.federation.nodes.pause(nodeID, { until }));
  }

  resumeAll(): Promise<void> {
    return this.#eachPartner((nodeID) => this.#now().parts.federation.nodes.resume(nodeID));
  }

  /** The computer goes to sleep and wakes up; neither is an error. */
  suspend(): void {
    this.#running?.parts.sync.suspend();
  }

  resume(): void {
    this.#running?.parts.sync.resume();
    this.#running?.routes.networkChanged();
  }

  /** Returns a fresh one-time link into the window. */
  windowLink(): string {
    return this.#now().sessions.link(this.#listen.windowBase);
  }

  /** A JWT for the interface. */
  userToken(role: Role, milliseconds: number): string {
    return this.#now().parts.federation.tokens.issueUserToken(role, milliseconds);
  }

  #now(): Running {
    if (!this.#running) throw new Error('The node is not running.');
    return this.#running;
  }

  #publicUrl(settings: Settings): string {
    return this.#options.publicUrl ?? settings.publicUrl;
  }

  /** @param listen instead of what the settings say */
  async #open(listen?: ListenSettings | typeof LOOPBACK_ONLY): Promise<void> {
    const parts = await openParts({
      storage: this.#storage,
      clock: this.#clock,
      log: this.#options.log,
      seed: this.#options.label === undefined ? {} : { office: this.#options.label },
      allowLoopbackPartners: this.#options.allowLoopbackPartners ?? false,
      resolveProxy: this.#options.resolveProxy,
      interval: (settings) => this.#options.syncIntervalMs ?? settings.syncIntervalSeconds * 1000,
      ownAddress: (settings) => this.#address.own(this.#publicUrl(settings)),
      ownPorts: () => this.#listen.ports,
      events: windowEvents(
        this.#events,
        (settings) => this.#settingsChanged(settings),
        () => this.#backups?.noteRows(),
      ),
    });
    try {
      this.#running = await this.#serve(parts, listen);
    } catch (error) {
      parts.timers.end();
      await parts.store.close();
      throw error;
    }
    if (listen !== LOOPBACK_ONLY) this.#listen.openedFromSettings(listen ?? parts.settings.current());
    if (this.#options.sync ?? true) {
      await parts.sync.start();
      this.#now().routes.start();
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

  async #serve(parts: Parts, listen?: ListenSettings | typeof LOOPBACK_ONLY): Promise<Running> {
    const settings = parts.settings;
    const routes = this.#officeRoutes(parts);
    await this.#address.openRoutes(() => routes.texts());
    const serving = await serve({
      ...this.#options,
      parts,
      storage: this.#storage,
      clock: this.#clock,
      address: this.#address,
      events: this.#events,
      places: this.#listen.wanted(settings.current(), listen),
      publicUrl: () => this.#publicUrl(settings.current()),
      listening: () => this.#listen.listening,
      opened: (opened) => {
        this.#listen.opened(opened);
        this.#address.opened(opened.federation);
      },
      restore: (file) => this.#restore(file),
      called: (nodeID, route) => routes.called(nodeID, route),
      carried: (carryID) => routes.carriedNode(carryID),
      ownRoutes: () => ({ router: routes.mappingState(), relay: routes.relayState() }),
      notice: () => this.#listen.notice,
    });
    await parts.store.announce({ window: this.#listen.windowBase });
    void this.#address.look(this.#publicUrl(settings.current()));
    return { parts, routes, ...serving };
  }

  #officeRoutes(parts: Parts): OfficeRoutes {
    const { allowLoopbackPartners = false, log } = this.#options;
    const { system, settings, federation, sync } = parts;
    const routes: OfficeRoutes = new OfficeRoutes({
      ...{ clock: this.#clock, log, system, federation, book: parts.routes },
      settings: () => settings.current(),
      announce: (nodeID) => sync.announceRoutes(nodeID),
      connect: ({ certificate, ...node }, signal, use) =>
        openConnection(
          {
            ownNetwork: node.ownNetwork,
            allowLoopback: allowLoopbackPartners,
            ownPorts: () => this.#listen.ports,
            connectTime: PEER_LIMITS.connectTime,
            ...(certificate === undefined ? {} : { certificate }),
            routes: parts.routes.to(node),
          },
          node.baseURL,
          signal,
          use,
        ),
      take: (stream, route) => this.#now().listeners.federation.takeRouted(stream, route),
      directPort: () => this.#address.directPort,
      prepare: () => this.#address.openRoutes(() => routes.texts()),
      note: (nodeID, message) => sync.noteConnection(nodeID, message),
      openedBy: () => settings.openedBy(),
      onNetworkChanged: () => sync.resume(),
      onReached: (nodeID) => sync.poke(nodeID, true),
      onChange: () => this.#events.send({ type: 'overview' }),
    });
    return routes;
  }

  async #close(graceMs = CLOSE_GRACE_MS): Promise<void> {
    if (!this.#running) return;
    const { parts, routes, listeners, nearby, backups } = this.#running;
    this.#running = undefined;
    const routesEnded = routes.stop();
    // At once: what is under way may wait long for a database, and who has lost its place there must answer nobody.
    const closed = listeners.close(graceMs);
    closed.catch(() => undefined);
    // What cannot be written, on a full disk above all, must keep nothing else open.
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

  #settingsChanged(settings: Settings): void {
    void this.#address.look(this.#publicUrl(settings));
    this.#running?.routes.look();
    if (!this.#running || this.#listen.matches(settings)) return;
    this.#events.send({ type: 'reopening' });
    this.#inTurn(() => this.#move()).catch((error: unknown) =>
      this.#options.log.error({ err: error }, 'could not move to another address'),
    );
  }

  /**
   * Closes, and opens as the settings are now. Where that cannot be opened, the node stays where it was, and the settings
   * say so; where another program took that meanwhile, it opens anywhere: with nothing open, the window that could put it
   * right would be gone as well. A network that the user closed stays closed in any case.
   */
  async #move(): Promise<void> {
    const { lastSet } = this.#listen;
    const isClosed = this.#running?.parts.settings.current().network === false;
    const before = lastSet && { ...lastSet, network: lastSet.network && !isClosed };
    await this.#close();
    const problem = await this.#whyNotOpen();
    this.#listen.failedToOpen(problem);
    if (!problem) return;
    if (before && !(await this.#whyNotOpen(before))) {
      await this.#now().parts.settings.change(before);
      return;
    }
    this.#listen.failedToKeep(problem);
    await this.#open(LOOPBACK_ONLY);
  }

  /** Opens, or tells what was in the way. */
  async #whyNotOpen(listen?: ListenSettings): Promise<ListenError | undefined> {
    try {
      await this.#open(listen);
      return undefined;
    } catch (error) {
      if (!(error instanceof ListenError)) throw error;
      this.#options.log.warn({ err: error }, 'could not be opened where partners are to be served');
      return error;
    }
  }

  /**
   * Puts a backup in place of everything. Resolves when that is done or throws when nothing was touched; the
   * listeners follow right after, so that the one who asked still gets the answer.
   */
  async #restore(file: string): Promise<void> {
    const { parts } = this.#now();
    // A file that is refused costs nothing: the store stays open, so that what happens meanwhile can be written down.
    await checkBackupFile(file);
    await parts.strangers.flush();
    await this.#stopKeeping();
    await this.#stopBackups();
    await parts.files.stop();
    await parts.sync.stop();
    await parts.store.close();
    try {
      await this.#storage.restore(file, {
        keeps: isKeptOnRestore,
        tryOut: (there) => tryOpenStore(there, this.#clock),
      });
      this.#isRestored = true;
    } finally {
      this.#inTurn(() => this.#move()).catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'could not open what was restored'),
      );
    }
  }

  async #stopBackups(): Promise<void> {
    await this.#backups?.stop();
    this.#backups = undefined;
  }

  async #eachPartner(work: (nodeID: string) => Promise<unknown>): Promise<void> {
    for (const { nodeID } of await this.#now().parts.federation.nodes.list()) await work(nodeID);
  }
}
