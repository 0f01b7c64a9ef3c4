import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTLS, TLSSocket } from 'node:tls';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../server/base/hashes.ts';
import { ownCertificate, type Certificate } from '../../../server/http/listeners/certificate.ts';
import { handleConnections, type ConnectionRules } from '../../../server/http/listeners/connections.ts';
import {
  listenOnFirstFree,
  createListenerSlots,
  type Listener,
} from '../../../server/http/listeners/listen.ts';
import { createConnectionSlots } from '../../../server/http/listeners/connection-slots.ts';
import { requireTLS } from '../../../server/http/interface/federation-app.ts';
import { systemClock } from '../../../server/base/clock.ts';

let dir: string;
let tls: Certificate;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footbridge-connections-'));
  tls = await ownCertificate(dir, systemClock);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

let listener: Listener | undefined;
let server: Server | undefined;
afterEach(async () => {
  await listener?.close(0);
  listener = undefined;
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** One request over TLS or not, pinned to nothing; the answer with what the server showed. */
function ask(port: number, secure: boolean, body?: string): Promise<{ text: string; fingerprint?: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/',
      method: body ? 'POST' : 'GET',
      agent: false as const,
    };
    const make = secure ? secureRequest : request;
    const req = make({ ...options, rejectUnauthorized: false }, (res) => {
      const shown = res.socket instanceof TLSSocket ? res.socket.getPeerX509Certificate() : undefined;
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => (text += part));
      res.on('end', () => resolve({ text, ...(shown ? { fingerprint: fingerprintOf(shown) } : {}) }));
    });
    req.on('error', reject);
    req.end(body);
  });
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });
const opened = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));

async function serve(rules: Partial<ConnectionRules>): Promise<number> {
  server = createServer((_req, res) => res.end('served'));
  handleConnections(server, { slots: createListenerSlots(), timeoutMs: 15_000, ...rules });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('one port for both', () => {
  it('answers TLS with the node’s certificate, and plain HTTP', async () => {
    listener = await listenOnFirstFree(
      (req, res) =>
        void req
          .setEncoding('utf8')
          .on('data', (part: string) => res.write(part))
          .on('end', () => res.end()),
      { host: '127.0.0.1', port: 0, tls },
    );
    const long = 'x'.repeat(300_000);
    expect(await ask(listener.port, true, long)).toEqual({ text: long, fingerprint: tls.fingerprint });
    expect(await ask(listener.port, false, long)).toEqual({ text: long });
  });

  it('loses no request when many come at once', async () => {
    listener = await listenOnFirstFree((_req, res) => res.end('served'), { host: '127.0.0.1', port: 0, tls });
    const { port } = listener;
    const answers = await Promise.all(Array.from({ length: 120 }, (_, at) => ask(port, at % 2 === 0)));
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['served']));
  });

  it('without a certificate there is no TLS', async () => {
    listener = await listenOnFirstFree((_req, res) => res.end('plain'), { host: '127.0.0.1', port: 0 });
    await expect(ask(listener.port, true)).rejects.toThrow();
    expect((await ask(listener.port, false)).text).toBe('plain');
  });

  it('tells the routes which of the two a request came by', async () => {
    const app = express().get('/', (req, res) => void res.send(req.protocol));
    listener = await listenOnFirstFree(app, { host: '127.0.0.1', port: 0, tls });
    expect((await ask(listener.port, true)).text).toBe('https');
    expect((await ask(listener.port, false)).text).toBe('http');
  });

  it('shows a renewed certificate without a restart', async () => {
    const other = await mkdtemp(join(tmpdir(), 'footbridge-connections-'));
    const next = await ownCertificate(other, systemClock);
    await rm(other, { recursive: true });
    listener = await listenOnFirstFree((_req, res) => res.end(), { host: '127.0.0.1', port: 0, tls });
    listener.renew(next);
    expect((await ask(listener.port, true)).fingerprint).toBe(next.fingerprint);
  });

  it('speaks nothing older than TLS 1.2', async () => {
    const port = await serve({ tls });
    const socket = connectTLS({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
    });
    await expect(
      new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject)),
    ).rejects.toThrow();
  });
});

describe('connections that want to do harm', () => {
  it('S7: one that says nothing, or stops within the handshake, is closed in time', async () => {
    // An honest handshake has the same time: on a busy machine 100 ms are not enough.
    const port = await serve({ tls, timeoutMs: 2000 });
    const silent = connect(port, '127.0.0.1');
    const halfway = connect(port, '127.0.0.1');
    await Promise.all([opened(silent), opened(halfway)]);
    halfway.write(Buffer.from([0x16, 0x03, 0x01]));
    await Promise.all([closed(silent), closed(halfway)]);
    expect((await ask(port, true)).text).toBe('served');
  });

  it('S7: rubbish behind a TLS byte ends that connection and no other', async () => {
    const port = await serve({ tls });
    const socket = connect(port, '127.0.0.1');
    await opened(socket);
    socket.write(Buffer.concat([Buffer.from([0x16]), Buffer.alloc(2000, 0xff)]));
    await closed(socket);
    expect((await ask(port, true)).text).toBe('served');
  });

  it('S7: one address gets its share of connections, and the first has to go for the next', async () => {
    const places = createConnectionSlots({ total: 10, perNetwork: 3, reservedForKnown: 5, perCaller: 5 });
    const port = await serve({ tls, slots: places });
    const held = [1, 2, 3].map(() => connect(port, '127.0.0.1'));
    await Promise.all(held.map(opened));
    const first = closed(held[0] ?? new Socket());
    expect((await ask(port, false)).text).toBe('served');
    await first;
    expect((await ask(port, true)).text).toBe('served');
    held.forEach((socket) => socket.destroy());
  });

  it('do not hold up the end of the listener', async () => {
    const ending = await listenOnFirstFree((_req, res) => res.end(), { host: '127.0.0.1', port: 0, tls });
    const sockets = [connect(ending.port, '127.0.0.1'), connect(ending.port, '127.0.0.1')];
    await Promise.all(sockets.map(opened));
    sockets[1]?.write(Buffer.from([0x16, 0x03]));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = performance.now();
    await Promise.all([...sockets.map(closed), ending.close(100)]);
    expect(performance.now() - before).toBeLessThan(8000);
  });
});

describe('plain HTTP', () => {
  const from = (ip: string, secure: boolean, allowed: boolean, remoteAddress = ip): number => {
    let status = 200;
    const res = {
      status: (code: number) => ((status = code), res),
      set: () => res,
      json: () => res,
    };
    const guard = requireTLS(
      () => allowed,
      () => undefined,
    ) as unknown as (req: object, res: object, next: () => void) => void;
    guard({ secure, ip, socket: { remoteAddress } }, res, () => undefined);
    return status;
  };

  it.each([
    ['this computer', '127.0.0.1', false, false, 200],
    ['the network', '192.168.1.9', false, false, 426],
    ['the network, IPv4 in IPv6', '::ffff:192.168.1.9', false, false, 426],
    ['the network, encrypted', '192.168.1.9', true, false, 200],
    ['the network, after the user’s yes', '192.168.1.9', false, true, 200],
  ])('from %s', (_name, address, secure, allowed, status) => {
    expect(from(address, secure, allowed)).toBe(status);
  });

  it('from a load balancer on another computer is from the network, whoever called that', () => {
    expect(from('127.0.0.1', false, false, '192.168.1.5')).toBe(426);
    expect(from('192.168.1.9', false, false, '127.0.0.1')).toBe(426);
    expect(from('127.0.0.1', false, false, '127.0.0.1')).toBe(200);
  });
});
