import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTLS, type TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import { guardedLookup, type Lookup } from '../base/guarded-lookup.ts';
import { fingerprintOf } from '../base/hashes.ts';
import { connectThroughProxy, type Target } from './proxy.ts';
import type { RendezvousEndpoint } from './relay-address.ts';
import { problemOfStatus, RouteError } from './route-error.ts';
import { MAX_MESSAGE_BYTES, MAX_PIECES, WebSocketStream } from './websocket-stream.ts';

/** Both sides name it, to distinguish later versions. */
export const SUBPROTOCOL = 'footbridge.1';
export const PATHS = {
  register: '/footbridge/register',
  answer: '/footbridge/answer',
  call: '/footbridge/call',
} as const;
/** Has a relay's access key; other credentials are bearer tokens. */
export const ACCESS_KEY_HEADER = 'footbridge-relay-key';

const DIAL_MS = 10_000;
/** For names that a proxy can resolve too. */
const LOOKUP_MS = 2_000;

export interface DialOptions {
  /** Throws for an address that the rules for partners forbid. */
  readonly checkAddress: (address: string) => void;
  readonly lookup?: Lookup;
  readonly proxyFor?: (target: Target) => URL | undefined | Promise<URL | undefined>;
  /** From our user: the proxy may resolve its name, unchecked. */
  readonly isOwn?: boolean;
  /** Opens an encrypted, checked connection instead of one to the endpoint's address. */
  readonly openSecure?: (signal: AbortSignal) => Promise<Socket>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Opens a stream to an office registered at a relay or another host. It isn't private: first run TLS with the office's
 * pinned certificate on it. Throws {@link RouteError}.
 */
export async function dialThroughRelay(
  endpoint: RendezvousEndpoint,
  officeID: string,
  options: DialOptions,
): Promise<Duplex> {
  const headers = { authorization: `Bearer ${officeID}` };
  return new WebSocketStream(await connectWebSocket(endpoint, PATHS.call, headers, options));
}

/**
 * Opens a WebSocket inside checked TLS, paused so that no message is lost, within the time limit and the options'
 * signal. Throws {@link RouteError}.
 */
export async function connectWebSocket(
  endpoint: RendezvousEndpoint,
  path: string,
  headers: Readonly<Record<string, string>>,
  options: DialOptions,
): Promise<WebSocket> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? DIAL_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    const { openSecure } = options;
    const secure = await (openSecure
      ? openSecure(signal).catch((cause: unknown) => {
          // The routes' failures say nothing of the endpoint.
          throw new RouteError('network', `no route leads to ${endpoint.host}`, cause);
        })
      : openTLS(endpoint, options, signal));
    return await upgradeSocket(secure, endpoint, path, headers, signal);
  } catch (error) {
    if (options.signal?.aborted) throw new RouteError('aborted', 'aborted', error);
    if (deadline.aborted) throw new RouteError('timeout', `${endpoint.host} did not answer in time`, error);
    throw error instanceof RouteError ? error : toRouteError(endpoint, error);
  }
}

/**
 * Opens a TLS connection, perhaps through a proxy, and checks the certificate: the pinned one, else by authorities.
 * Throws {@link RouteError} for a forbidden address or another certificate, and Node's error.
 */
async function openTLS(
  endpoint: RendezvousEndpoint,
  options: DialOptions,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const { host, port, pin } = endpoint;
  /** Throws RouteError `address` unless the options allow the address. */
  const checkAddress = (address: string): void => {
    try {
      options.checkAddress(address);
    } catch (cause) {
      throw new RouteError('address', `${address} must not be connected to`, cause);
    }
  };
  if (isIP(host) !== 0) checkAddress(host);
  const tunnel = await rejectOnAbort(openTunnel(endpoint, options, checkAddress, signal), signal);
  const socket = connectTLS({
    ...(tunnel ? { socket: tunnel } : { host, port, lookup: guardedLookup(checkAddress, options.lookup) }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: pin === undefined,
  });
  try {
    await once(socket, 'secureConnect', { signal });
    const certificate = socket.getPeerX509Certificate();
    if (pin !== undefined && (!certificate || fingerprintOf(certificate) !== pin))
      throw new RouteError('certificate', `${host} has another certificate than the pinned one`);
    return socket.setNoDelay(true);
  } catch (error) {
    socket.on('error', () => undefined);
    socket.destroy();
    tunnel?.destroy();
    throw error;
  }
}

/** Opens a tunnel through the proxy; undefined without one. Throws {@link RouteError}. */
async function openTunnel(
  endpoint: RendezvousEndpoint,
  options: DialOptions,
  checkAddress: (address: string) => void,
  signal: AbortSignal,
): Promise<Socket | undefined> {
  const proxy = await options.proxyFor?.({ host: endpoint.host, port: endpoint.port });
  if (!proxy) return undefined;
  return connectThroughProxy(proxy, await resolveProxyTarget(endpoint, options, checkAddress), signal);
}

/** Returns the promise's result; rejects with RouteError `timeout` on abort, as some look-ups can't be cancelled. */
function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new RouteError('timeout', 'gave up'));
    const settled = (): void => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    promise.finally(settled).then(resolve, reject);
    if (signal.aborted) abort();
  });
}

/**
 * Returns the target to ask a proxy for: the host's checked address, or its name if our user gave it or only the proxy
 * can resolve it. Rejects with RouteError `address` for a refused address or a name of the local network.
 */
function resolveProxyTarget(
  { host, port }: RendezvousEndpoint,
  { isOwn = false, lookup }: DialOptions,
  checkAddress: (address: string) => void,
): Promise<Target> {
  if (isOwn || isIP(host) !== 0) return Promise.resolve({ host, port });
  return new Promise((resolve, reject) => {
    /**
     * Resolves with the name's address, or with the name, for the proxy, if it is unknown or took too long. Rejects
     * for a refused address and a name of an inner network.
     */
    const settleLookup = (error: Error | null, address?: unknown): void => {
      if (!error && typeof address === 'string') resolve({ host: address, port });
      else if (error instanceof RouteError) reject(error);
      else if (INNER_NAME.test(host))
        reject(new RouteError('address', `${host} is a name of an inner network`));
      else resolve({ host, port });
    };
    // Name servers of the internet may be out of reach.
    const timer = setTimeout(settleLookup, LOOKUP_MS, new Error('no answer'));
    guardedLookup(checkAddress, lookup)(host, {}, (error, address) => {
      clearTimeout(timer);
      settleLookup(error, address);
    });
  });
}

const INNER_NAME = /^[^.]+\.?$|\.(?:local|lan|home|internal|intranet|corp|localhost|home\.arpa)\.?$/i;

/**
 * Upgrades the socket (TLS already); returns the WebSocket paused. Rejects with {@link RouteError} if refused or
 * aborted, else with `ws`'s error.
 */
function upgradeSocket(
  socket: Socket,
  { host, port, path: base }: RendezvousEndpoint,
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const webSocket = new WebSocket(`ws://${authority}${base}${path}`, SUBPROTOCOL, {
      createConnection: () => socket,
      headers: { ...headers, host: port === 443 ? authority.replace(/:443$/, '') : authority },
      perMessageDeflate: false,
      // The owner answers, within bounds: pings could flood the send buffer.
      autoPong: false,
      maxPayload: MAX_MESSAGE_BYTES,
      ...MAX_PIECES,
      // Masks protect proxies from browser scripts (RFC 6455, 10.3); zeros save touching each byte.
      generateMask: (mask) => void mask.fill(0),
    });
    /** Rejects with `timeout`, and cuts the connection. */
    const abort = (): void => {
      reject(new RouteError('timeout', 'gave up'));
      webSocket.terminate();
    };
    const settled = (): void => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    webSocket.once('open', () => {
      settled();
      webSocket.pause();
      resolve(webSocket);
    });
    webSocket.once('unexpected-response', (request, response) => {
      settled();
      request.destroy();
      const status = response.statusCode ?? 0;
      reject(new RouteError(problemOfStatus(status), `${host} answered ${status}`));
    });
    webSocket.on('error', (error) => {
      settled();
      reject(error);
    });
    if (signal.aborted) abort();
  });
}

const NAME_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME', 'EAI_NODATA']);

/**
 * Returns an error of Node or `ws` as RouteError, by its code. An unknown one counts as `network`, one without code as
 * `protocol`.
 */
function toRouteError({ host }: RendezvousEndpoint, error: unknown): RouteError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (NAME_CODES.has(code)) return new RouteError('name', `${host} is not known`, error);
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code))
    return new RouteError('certificate', `${host} has no valid certificate: ${code}`, error);
  if (code === '' || code.startsWith('ERR_SSL') || code.startsWith('HPE_') || code.startsWith('WS_'))
    return new RouteError('protocol', `${host} does not speak this protocol: ${String(error)}`, error);
  return new RouteError('network', `${host} cannot be reached: ${code}`, error);
}
