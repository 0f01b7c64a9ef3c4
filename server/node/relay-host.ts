import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { equalSecrets } from '../base/hashes.ts';
import { ownCertificate } from '../http/listeners/certificate.ts';
import { listenOnFirstFree, type Listener } from '../http/listeners/listen.ts';
import { createConnectionSlots, type SlotLimits } from '../http/listeners/connection-slots.ts';
import { parseTrustedProxies } from '../http/listeners/trusted-proxies.ts';
import { ACCESS_KEY_HEADER } from '../routes/dial.ts';
import { isOfficeID, officeIDOf } from '../routes/relay-address.ts';
import { bearerOf, Relay, type RelayCounts, type RelayLimits } from '../routes/relay.ts';
import { Rendezvous, type RendezvousLimits } from '../routes/rendezvous.ts';
import { readIfExists, replaceFile } from '../store/files/own-file.ts';

export interface RelayHostOptions {
  /** Holds certificate and access key; no traffic. */
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** A local reverse proxy does HTTPS: plain HTTP on loopback, callers by `X-Forwarded-For`. */
  readonly behindProxy: boolean;
  readonly isOpen: boolean;
  readonly clock: Clock;
  readonly limits?: Partial<RelayLimits & RendezvousLimits>;
}

export interface RelayHost {
  readonly port: number;
  /** SHA-256 of the certificate; undefined behind a proxy. */
  readonly pin: string | undefined;
  readonly accessKey: string | undefined;
  counts(): RelayCounts;
  close(): Promise<void>;
}

/** 1,000 offices, 1,000 joined streams of two connections, and strangers. */
const CONNECTION_SLOTS: SlotLimits = {
  total: 4_000,
  perNetwork: 250,
  reservedForKnown: 3_500,
  perCaller: 300,
};
const LOOPBACK = parseTrustedProxies(['127.0.0.0/8', '::1']);

/**
 * Opens a relay's listener (docs/relay.md). Makes and stores the certificate (unless behind a proxy) and access key
 * (unless open to all) if missing or invalid. Throws `ListenError`, and errors of these files.
 */
export async function startRelayHost(options: RelayHostOptions): Promise<RelayHost> {
  const { clock, behindProxy, dataDir } = options;
  await mkdir(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  const tls = behindProxy ? undefined : await ownCertificate(dataDir, clock);
  const accessKey = options.isOpen ? undefined : await ownAccessKey(dataDir);
  const places = createConnectionSlots(CONNECTION_SLOTS, behindProxy ? LOOPBACK : undefined);
  const rendezvous = new Rendezvous({ clock, ...(options.limits ? { limits: options.limits } : {}) });
  /** Returns whether a request has the relay's access key; false without one. */
  const hasKey = (request: IncomingMessage): boolean => {
    const given = request.headers[ACCESS_KEY_HEADER];
    return accessKey !== undefined && typeof given === 'string' && equalSecrets(given, accessKey);
  };
  /** Returns the request's bearer token; undefined unless it has the form of an office's ID or secret. */
  const bearerIn = (request: IncomingMessage): string | undefined => {
    const bearer = bearerOf(request);
    return bearer !== undefined && isOfficeID(bearer) ? bearer : undefined;
  };
  const relay = new Relay({
    rendezvous,
    clock,
    authorizeRegistration: (request) => {
      const secret = bearerIn(request);
      return secret !== undefined && (options.isOpen || hasKey(request)) ? officeIDOf(secret) : undefined;
    },
    authorizeCall: bearerIn,
    addressOf: (request) => (behindProxy ? forwardedFor(request) : request.socket.remoteAddress),
    onAuthenticated: (request, officeID) => places.markKnown(request.socket, officeID),
    ...(options.limits ? { limits: options.limits } : {}),
  });
  const listener = await listenOnFirstFree(
    createHealthHandler(() => relay.counts(), hasKey),
    {
      host: options.host,
      port: options.port,
      slots: places,
      ...(tls ? { tls } : {}),
      onUpgrade: (request, socket, head) => relay.upgrade(request, socket, head),
    },
  );
  return {
    port: listener.port,
    pin: tls?.fingerprint,
    accessKey,
    counts: () => relay.counts(),
    close: () => closeAll(listener, rendezvous),
  };
}

/** Ends all streams and registrations, and closes the listener at once. */
function closeAll(listener: Listener, rendezvous: Rendezvous): Promise<void> {
  rendezvous.close();
  return listener.close(0);
}

/** Creates the handler of plain requests: `/healthz` answers 200, with the key also counts; all else gets 404. */
function createHealthHandler(
  counts: () => RelayCounts,
  hasKey: (request: IncomingMessage) => boolean,
): RequestListener {
  return (request, response) => {
    request.resume();
    const isHealth = /^\/(?:[^?]*\/)?healthz$/.test(request.url ?? '');
    response.writeHead(isHealth ? 200 : 404, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
    const answer = isHealth ? { status: 'ok', ...(hasKey(request) ? counts() : {}) } : { error: 'not found' };
    response.end(JSON.stringify(answer));
  };
}

/**
 * Returns the last entry of `X-Forwarded-For`, which the nearest proxy saw, as others are the caller's claim;
 * undefined without one.
 */
function forwardedFor(request: IncomingMessage): string | undefined {
  const header = request.headers['x-forwarded-for'];
  return (typeof header === 'string' ? header : header?.at(-1))?.split(',').at(-1)?.trim();
}

/** Returns the relay's access key from its file; makes and stores a new one if it is missing or invalid. */
async function ownAccessKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'keys', 'access-key');
  const stored = (await readIfExists(file))?.toString('utf8').trim();
  if (stored !== undefined && /^[\w-]{16,128}$/.test(stored)) return stored;
  const key = randomBytes(24).toString('base64url');
  await replaceFile(file, `${key}\n`);
  return key;
}
