import { connect as connectTLS, createServer as createTLSServer, type TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Server as NetServer } from 'node:net';
import { systemClock, type Clock } from '../../../server/base/clock.ts';
import { fingerprintOf } from '../../../server/base/hashes.ts';
import {
  certificateIn,
  newCertificate,
  type Certificate,
} from '../../../server/http/listeners/certificate.ts';
import { startRelayHost, type RelayHost, type RelayHostOptions } from '../../../server/node/relay-host.ts';
import { connectWebSocket, PATHS, type DialOptions } from '../../../server/routes/dial.ts';
import {
  newRegistrationSecret,
  officeIDOf,
  type RelayAddress,
} from '../../../server/routes/relay-address.ts';
import {
  maintainRegistration,
  type RegistrationHandle,
  type RegistrationState,
} from '../../../server/routes/rendezvous-client.ts';
import { customers } from '../data/office-lists.ts';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { temporaryFolder } from './temporary-folder.ts';

/** Loopback is what tests run on. */
export const ANY_ADDRESS: Pick<DialOptions, 'checkAddress'> = { checkAddress: () => undefined };

export interface TestRelay extends RelayHost {
  readonly address: RelayAddress;
}

/** A relay on loopback that ends with the test. */
export async function startRelay(options: Partial<RelayHostOptions> = {}): Promise<TestRelay> {
  const folder = await temporaryFolder();
  const host = await startRelayHost({
    dataDir: folder.path,
    host: '127.0.0.1',
    port: 0,
    behindProxy: false,
    isOpen: false,
    clock: systemClock,
    ...options,
  });
  onTestFinished(async () => {
    await host.close();
    await folder.remove();
  });
  const { port, pin, accessKey } = host;
  return {
    ...host,
    address: {
      host: '127.0.0.1',
      port,
      path: '',
      ...(pin === undefined ? {} : { pin }),
      ...(accessKey === undefined ? {} : { accessKey }),
    },
  };
}

export interface TestOffice extends RegistrationHandle {
  readonly officeID: string;
  readonly secret: string;
  readonly states: RegistrationState[];
  readonly streams: Duplex[];
  stop(): void;
}

export interface TestOfficeOptions {
  readonly secret?: string;
  readonly clock?: Clock;
  readonly onStream?: (stream: Duplex) => void;
  readonly maxStreams?: number;
  readonly dial?: Partial<DialOptions>;
}

/** An office that keeps itself registered at `relay`. */
export function registerAt(relay: RelayAddress, options: TestOfficeOptions = {}): TestOffice {
  const secret = options.secret ?? newRegistrationSecret();
  const ended = new AbortController();
  const states: RegistrationState[] = [];
  const streams: Duplex[] = [];
  const kept = maintainRegistration({
    endpoint: relay,
    headers: () => ({
      authorization: `Bearer ${secret}`,
      ...(relay.accessKey === undefined ? {} : { 'footbridge-relay-key': relay.accessKey }),
    }),
    onStream: (stream) => {
      streams.push(stream);
      options.onStream?.(stream);
    },
    onState: (state) => states.push(state),
    signal: ended.signal,
    clock: options.clock ?? systemClock,
    dial: { ...ANY_ADDRESS, ...options.dial },
    random: () => 1,
    ...(options.maxStreams === undefined ? {} : { maxStreams: options.maxStreams }),
  });
  onTestFinished(() => ended.abort());
  return { ...kept, officeID: officeIDOf(secret), secret, states, streams, stop: () => ended.abort() };
}

/** Answers each stream with TLS of this certificate, and sends back what comes. */
export function echoInTLS(certificate: Certificate): (stream: Duplex) => void {
  const server = createTLSServer({ cert: certificate.cert, key: certificate.key }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return (stream) => server.emit('connection', stream);
}

/** Opens TLS with a pinned certificate inside a stream, as a partner does. */
export async function pinnedTLS(stream: Duplex, pin: string): Promise<TLSSocket> {
  const socket = connectTLS({ socket: stream, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  if (!certificate || fingerprintOf(certificate) !== pin) {
    socket.destroy();
    throw new Error('another certificate');
  }
  return socket;
}

/** The certificate of an office. */
export const officeCertificate = (): Certificate => certificateIn(newCertificate(systemClock));

/** An office list as CSV, some 90 bytes a row. */
export function listAsCSV(rows: number): Buffer {
  return Buffer.from(
    customers({ rows })
      .rows.map((row) => Object.values(row).join(';'))
      .join('\n'),
  );
}

/** A control connection that does nothing by itself. */
export async function registerByHand(relay: TestRelay, secret: string): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${secret}`, 'footbridge-relay-key': relay.accessKey ?? '' };
  const socket = await connectWebSocket(relay.address, PATHS.register, headers, ANY_ADDRESS);
  onTestFinished(() => socket.terminate());
  socket.resume();
  return socket;
}

export interface FalseRelayOptions {
  readonly answersPings?: boolean;
  readonly onControl?: (socket: WebSocket) => void;
  readonly onAnswer?: (socket: WebSocket) => void;
}

export interface FalseRelay {
  readonly address: RelayAddress;
  readonly controls: WebSocket[];
}

/** A relay that takes every registration and call, and does with it what the test wants. */
export async function startFalseRelay(options: FalseRelayOptions): Promise<FalseRelay> {
  const certificate = officeCertificate();
  const server = createServer({ cert: certificate.cert, key: certificate.key });
  const sockets = new WebSocketServer({
    server,
    perMessageDeflate: false,
    autoPong: options.answersPings ?? true,
  });
  const controls: WebSocket[] = [];
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => undefined);
    if (request.url === PATHS.answer) {
      options.onAnswer?.(socket);
    } else {
      controls.push(socket);
      options.onControl?.(socket);
    }
  });
  const port = await portOf(server);
  onTestFinished(() => {
    sockets.clients.forEach((socket) => socket.terminate());
    server.closeAllConnections();
    server.close();
  });
  return { address: { host: '127.0.0.1', port, path: '', pin: certificate.fingerprint }, controls };
}

/** Opens a server on a free port of loopback. */
export async function portOf(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
