import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTLS } from 'node:tls';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { certificateIn, newCertificate } from '../../../server/http/listeners/certificate.ts';
import { listenOnFirstFree, type Listener } from '../../../server/http/listeners/listen.ts';

const tls = certificateIn(newCertificate(systemClock));

/** Says what it was asked; takes upgrades to `footbridge` alone. */
async function listening(): Promise<Listener> {
  const listener = await listenOnFirstFree(
    (request, response) => {
      void text(request).then((body) => response.end(`${request.method ?? ''} ${request.url ?? ''} ${body}`));
    },
    {
      host: '127.0.0.1',
      port: 0,
      tls,
      onUpgrade: (request, socket) => {
        if (request.headers.upgrade !== 'footbridge') return false;
        socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nours');
        return true;
      },
    },
  );
  onTestFinished(() => listener.close(0));
  return listener;
}

async function openTo({ port }: Listener, isSecure: boolean): Promise<Socket> {
  const socket = isSecure
    ? connectTLS({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect(port, '127.0.0.1');
  await once(socket, isSecure ? 'secureConnect' : 'connect');
  return socket;
}

const post = (upgrade: string, close: boolean): string =>
  `POST /federation/nodes HTTP/1.1\r\nHost: x\r\nUpgrade: ${upgrade}\r\nConnection: Upgrade, HTTP2-Settings\r\n` +
  `HTTP2-Settings: AAMAAABk\r\n${close ? 'Connection: close\r\n' : ''}Content-Length: 18\r\n\r\n{"name":"Köln"}\r\n`;

describe.each([true, false])('a listener that takes WebSockets (TLS: %s)', (isSecure) => {
  it('serves a script in Java, which asks for HTTP/2 with each request, as before', async () => {
    const socket = await openTo(await listening(), isSecure);
    socket.write(post('h2c', false));
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toContain('HTTP/1.1 200 OK');
    socket.write(post('h2c', true));
    const rest = await text(socket);
    expect(`${first.toString()}${rest}`.match(/POST \/federation\/nodes {"name":"Köln"}/g)).toHaveLength(2);
  });

  it('ends a connection that asks so before it has its answer, instead of leaving it without one', async () => {
    const socket = await openTo(await listening(), isSecure);
    socket.write(post('h2c', false) + post('h2c', false));
    expect((await text(socket)).match(/POST \/federation\/nodes/g)).toHaveLength(1);
  }, 10_000);

  it('S7: takes no head of which it would overlook lines, as that of a load balancer on the caller', async () => {
    const socket = await openTo(await listening(), isSecure);
    const lines = ['Connection: Upgrade', ...Array<string>(60).fill('Upgrade: h2c')];
    const others = Array.from({ length: 70 }, (_, at) => `X-${at}: ${at}`);
    socket.write(['GET /x HTTP/1.1', 'Host: x', ...lines, ...others, '', ''].join('\r\n'));
    // Newer versions of Node.js say why they end it.
    expect(await text(socket)).toMatch(/^$|^HTTP\/1\.1 431 /);
  });

  it('takes those that it knows', async () => {
    const socket = await openTo(await listening(), isSecure);
    socket.write('GET /x HTTP/1.1\r\nHost: x\r\nUpgrade: footbridge\r\nConnection: Upgrade\r\n\r\n');
    expect(await text(socket)).toContain('ours');
  });
});
