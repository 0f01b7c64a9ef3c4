import type { Router } from 'express';
import type { Logger } from 'pino';
import { describeSettings } from '../app/settings-page.ts';
import { OverviewSource } from '../app/overview.ts';
import type { Clock } from '../base/clock.ts';
import { isLoopbackHost, LOOPBACK } from '../base/loopback.ts';
import type { Health } from '../contract/openapi/node.ts';
import type { OwnAddress } from '../federation/ports.ts';
import { createFailedLoginLimiter } from '../http/auth/failed-login-limiter.ts';
import { bearerAuth } from '../http/auth/auth.ts';
import { Sessions } from '../http/auth/session.ts';
import { interfaceRoutes } from '../http/interface/interface-routes.ts';
import type { EventStream } from '../http/listeners/event-stream.ts';
import type { HomeDeps } from '../http/window/home.ts';
import { onFirstRequest } from '../http/listeners/on-first-request.ts';
import type { AppDeps } from '../http/window/router.ts';
import { PreparedBackups } from '../http/window/prepared-backups.ts';
import type { Nearby } from '../nearby/nearby.ts';
import type { Unwritable } from '../store/store.ts';
import { VERSION } from '../version.ts';
import type { NodeAddress } from './address.ts';
import type { ListenAddresses, OpenListeners } from './listen-addresses.ts';
import { parseTrustedProxies } from '../http/listeners/trusted-proxies.ts';
import { openListeners, type Listeners } from './listeners.ts';
import type { Parts, PartsOptions } from './parts.ts';
import { createRendezvousHost } from './routes/route-book.ts';
import type { NodeStorage } from './storage/storage.ts';
import { activityEntry } from '../app/activity.ts';
import type { Settings } from '../contract/app/settings.ts';
import { english } from '../words/said.ts';

export interface Serving {
  readonly listeners: Listeners;
  readonly sessions: Sessions;
  readonly overview: OverviewSource;
  readonly nearby: Pick<Nearby, 'close'>;
  readonly backups: Pick<PreparedBackups, 'close'>;
}

interface ServingDeps {
  readonly parts: Parts;
  readonly storage: NodeStorage;
  readonly windowDir?: string;
  readonly tunnelPort?: number;
  /** If set, the window can't change the address. */
  readonly host?: string;
  readonly plainPartners?: boolean;
  readonly trustedProxies?: readonly string[];
  readonly remoteManagement?: boolean;
  readonly isOver?: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
  readonly address: NodeAddress;
  readonly events: EventStream;
  readonly places: ReturnType<ListenAddresses['addressesToOpen']>;
  readonly publicUrl: () => string;
  /** Returns the present listeners, or the last while closed. */
  readonly listening: () => OpenListeners | undefined;
  readonly opened: (opened: OpenListeners) => void;
  readonly restore: (file: string) => Promise<void>;
  /** Returns the partner that others call under this ID. */
  readonly carried: (carryID: string) => string | undefined;
  /** States of the port mapping and our relay registration. */
  readonly ownRoutes: HomeDeps['ownRoutes'];
  /** A partner called us, by a route or directly. */
  readonly called: (nodeID: string, route: string | undefined) => void;
  /** Returns the notice about the listeners' addresses. */
  readonly notice: () => NodeAddress['notice'];
}

/** Creates sessions, overview and routers, and opens both listeners. Throws `ListenError` or `CertificateError`. */
export async function serve(deps: ServingDeps): Promise<Serving> {
  const { parts, address, clock, storage, events, log, places, publicUrl } = deps;
  const { system, settings, federation } = parts;
  const sessions = new Sessions({
    system,
    clock,
    time: parts.time,
    // With a database, windows stay signed in at any process and port.
    name: () => (storage.isShared ? parts.installation : String(deps.listening()?.window.port ?? 0)),
  });
  const attempts = createFailedLoginLimiter(clock);
  const overview = new OverviewSource({
    ...parts,
    clock,
    version: VERSION,
    addresses: () => ownAddresses(address.ownAddress(publicUrl())),
    reachable: () => !isLoopbackHost(deps.listening()?.federation.host ?? LOOPBACK),
    notice: () => deps.notice() ?? address.notice,
  });
  const backups = new PreparedBackups(parts.store);
  const apiDeps: Omit<AppDeps, 'nearby'> = {
    ...parts,
    backups,
    clock,
    ownRoutes: deps.ownRoutes,
    now: () => clock.now(),
    overview,
    events,
    sessions,
    about: () => describeSettings({ ...parts, clock, storage, addressGiven: deps.host !== undefined }),
    restore: deps.restore,
    supportBundle: async () =>
      (await import('../app/support-bundle.ts')).createNodeBundle({
        ...parts,
        version: VERSION,
        dataDir: storage.dataDir,
      }),
  };
  let nearby: Nearby | undefined;
  const api = onFirstRequest(async () => {
    const { Nearby } = await import('../nearby/nearby.ts');
    const { appRouter } = await import('../http/window/router.ts');
    nearby = new Nearby({
      clock,
      ...{ isOn: () => settings.current().nearby, office: () => settings.current().office },
    });
    return appRouter({ ...apiDeps, nearby });
  });
  /** With `remoteManagement` other computers may manage the office. */
  const routes = (remoteManagement: boolean): Router =>
    interfaceRoutes({ ...parts, attempts, called: deps.called, log, remoteManagement, version: VERSION });
  const isProxy = parseTrustedProxies(deps.trustedProxies ?? []);
  const listeners = await openListeners({
    ...places,
    tls: await address.loadCertificate(places.host),
    isProxy,
    plainPartners: () => deps.plainPartners ?? settings.current().plainPartners,
    windowDir: deps.windowDir,
    tunnelPort: deps.tunnelPort,
    bearer: bearerAuth({ verify: (token) => federation.tokens.verify(token), attempts }),
    strangers: parts.strangers,
    sessions,
    api,
    windowRoutes: onFirstRequest(() => Promise.resolve(routes(true))),
    federationRoutes: routes(deps.remoteManagement ?? false),
    health: () => healthOf(parts.store.unwritable()),
    ...{ clock, log, isOver: deps.isOver, opened: deps.opened },
    routeTLS: () => address.routeCertificate,
    /** Records a partner's call by this route; users' calls don't count. */
    onKnown(who, route) {
      if (who.startsWith('node ')) deps.called(who.slice('node '.length), route);
    },
    upgrades: (recordOwner) =>
      createRendezvousHost({
        rendezvous: parts.routes.rendezvous,
        clock,
        attempts,
        isProxy,
        verify: (token) => federation.tokens.verify(token),
        carried: deps.carried,
        recordOwner,
      }),
  });
  return { listeners, sessions, overview, nearby: { close: () => nearby?.close() }, backups };
}

const healthOf = (unwritable: Unwritable | undefined): Health['status'] =>
  unwritable ? (unwritable.code === 'full' ? 'disk-full' : 'cannot-save') : 'ok';

/** Returns the address at which partners reach this office: the public URL with `/federation`, else the listener's. */
function ownAddresses({ publicUrl, listener }: OwnAddress): string[] {
  return [publicUrl === undefined ? listener : `${publicUrl.replace(/\/(federation\/?)?$/, '')}/federation`];
}

/**
 * Returns all services' event handlers: they tell the windows, and pass changed settings, changed rows and new lists to
 * the callbacks.
 */
export const createWindowEvents = (
  stream: Pick<EventStream, 'send'>,
  settingsChanged: (settings: Settings) => void,
  { rowsChanged, listCreated }: { readonly rowsChanged: () => void; readonly listCreated: () => void },
): PartsOptions['events'] => ({
  federation: ({ nodeID }) => stream.send({ type: 'partner', nodeID }),
  lists: (change) => {
    if (change.kind !== 'rows') stream.send({ type: 'lists' });
    else rowsChanged();
    if (change.kind === 'list' && change.change === 'created') listCreated();
    if (change.kind === 'rows') stream.send({ type: 'list', moduleID: change.moduleID });
    else if (change.kind === 'list') stream.send({ type: 'list', moduleID: change.module.moduleID });
  },
  listFile: (moduleID) => {
    stream.send({ type: 'list', moduleID });
    stream.send({ type: 'overview' });
  },
  views: (moduleID) => stream.send({ type: 'views', moduleID }),
  settings: (settings) => {
    stream.send({ type: 'settings' });
    settingsChanged(settings);
  },
  stranger: () => stream.send({ type: 'overview' }),
  served: (nodeID) => stream.send({ type: 'partner', nodeID }),
  onStatus: (nodeID) => stream.send({ type: 'partner', nodeID }),
  onProgress: (progress) => stream.send({ type: 'progress', progress: { ...progress } }),
  onActivity: (activity) => stream.send({ type: 'activity', activity: activityEntry(activity, english) }),
});
