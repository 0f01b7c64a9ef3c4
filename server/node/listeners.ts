import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Router } from 'express';
import { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Certificate } from '../http/listeners/certificate.ts';
import { federationApp, requireTLS } from '../http/interface/federation-app.ts';
import { listenOnFirstFree, createListenerSlots, type Listener } from '../http/listeners/listen.ts';
import type { IsTrustedProxy } from '../http/listeners/trusted-proxies.ts';
import { routeOf } from '../http/listeners/routed-streams.ts';
import type { Health } from '../contract/openapi/node.ts';
import type { Sessions } from '../http/auth/session.ts';
import type { RejectedAccessLog } from '../app/rejected-access.ts';
import type { LoadedHandler } from '../http/listeners/on-first-request.ts';
import { logRejectedAccess } from '../http/auth/auth.ts';
import { windowApp } from '../http/window/window-app.ts';
import type { Clock } from '../base/clock.ts';
import { LOOPBACK } from '../base/loopback.ts';

/** Tried after the requested one. */
const WINDOW_PORTS = 100;

export interface ListenerDeps {
  readonly host: string;
  readonly port: number;
  /** Plain network calls are served only without it, or where `plainPartners` allows. */
  readonly tls: Certificate | undefined;
  readonly plainPartners: () => boolean;
  readonly routeTLS: () => Certificate | undefined;
  /** Serves protocol upgrades; `recordOwner` records a connection's owner. */
  readonly upgrades: (
    recordOwner: (socket: Socket, nodeID: string) => void,
  ) => (request: IncomingMessage, socket: Socket, head: Buffer) => boolean;
  /** Called with each valid credential's owner and route. */
  readonly onKnown: (who: string, route: string | undefined) => void;
  readonly isProxy: IsTrustedProxy;
  readonly windowPort: number;
  readonly windowDir: string | undefined;
  readonly tunnelPort: number | undefined;
  readonly bearer: RequestHandler;
  readonly strangers: Pick<RejectedAccessLog, 'record'>;
  readonly sessions: Sessions;
  /** `/app`, for the window only. */
  readonly api: LoadedHandler;
  /** `/federation`, `/exposed`, `/compose`: for the window's user, and for partners and scripts. */
  readonly windowRoutes: RequestHandler;
  readonly federationRoutes: Router;
  readonly health: () => Health['status'];
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  readonly isOver: (() => boolean) | undefined;
  /** Called before anything is served. */
  readonly opened: (listeners: { federation: Listener; window: Listener }) => void;
}

export interface Listeners {
  readonly federation: Listener;
  readonly window: Listener;
  close(graceMs: number): Promise<void>;
}

/** Opens both listeners (docs/architecture.md: The two listeners), or none. Throws `ListenError`. */
export async function openListeners(deps: ListenerDeps): Promise<Listeners> {
  const windowPlaces = createListenerSlots();
  const partnerPlaces = createListenerSlots(deps.isProxy);
  const forWindow = windowApp({
    sessions: deps.sessions,
    windowDir: deps.windowDir,
    tunnelPort: deps.tunnelPort,
    bearer: deps.bearer,
    places: windowPlaces,
    api: deps.api,
    routes: deps.windowRoutes,
    log: deps.log,
  });
  const forPartners = federationApp({
    bearer: deps.bearer,
    isProxy: deps.isProxy,
    places: {
      /** Protects the connection, and reports whose credential came by which route. */
      markKnown(socket, who) {
        partnerPlaces.markKnown(socket, who);
        deps.onKnown(who, routeOf(socket));
      },
    },
    routes: deps.federationRoutes,
    health: deps.health,
    plain: requireTLS(deps.plainPartners, (address) => deps.strangers.record('plain', address)),
    turnedAway: logRejectedAccess(deps.strangers),
    clock: deps.clock,
    log: deps.log,
  });

  const { host, port, tls } = deps;
  const over = deps.isOver ? { isOver: deps.isOver } : {};
  const federation = await listenOnFirstFree(forPartners, {
    host,
    port,
    slots: partnerPlaces,
    routeTLS: deps.routeTLS,
    onUpgrade: deps.upgrades((socket, nodeID) => partnerPlaces.markKnown(socket, `route ${nodeID}`)),
    ...(tls ? { tls } : {}),
    ...over,
  });
  let window: Listener;
  try {
    window = await listenOnFirstFree(forWindow, {
      host: LOOPBACK,
      slots: windowPlaces,
      ...over,
      port: deps.windowPort,
      nextPorts: deps.windowPort === 0 ? 0 : WINDOW_PORTS,
    });
  } catch (error) {
    await federation.close(0);
    throw error;
  }
  deps.opened({ federation, window });
  return {
    federation,
    window,
    close: async (graceMs) => {
      await Promise.all([federation.close(graceMs), window.close(graceMs)]);
    },
  };
}
