import { randomBytes } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTLS } from 'node:tls';
import express, { type Express } from 'express';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import { newCertificate, certificateIn } from '../../../../server/http/listeners/certificate.ts';
import { listen, type Listener } from '../../../../server/http/listeners/listen.ts';
import { helloLine, sharedKeyRules } from '../../../../server/node/hub/hello.ts';
import type { InletPlace } from '../../../../server/node/hub/inlet-place.ts';
import { Inlet, type Serving } from '../../../../server/node/hub/inlet.ts';
import { Relay, type Answering } from '../../../../server/node/hub/relay.ts';

const log = pino({ level: 'silent' });
const HERE = '127.0.0.1';

/** Of whom a large answer is over, read or not. */
const left: string[] = [];

/** What is asked of the one that serves, which tells how it saw the caller. */
function app(name: string): Express {
  const served = express();
  served.get('/who', ({ socket, secure, headers }, res) => {
    const { remoteAddress, remotePort, localPort } = socket;
    res.json({ name, remoteAddress, remotePort, localPort, secure, host: headers.host });
  });
  served.get('/late', (_req, res) => {
    setTimeout(() => res.end('late'), 300);
  });
  served.get('/large', (_req, res) => {
    res.on('close', () => left.push(name));
    res.end(Buffer.alloc(50_000_000));
  });
  served.get('/events', (_req, res) => {
    res.write('begun\n');
  });
  served.post('/size', express.raw({ limit: '64mb', type: () => true }), (req: { body: Buffer }, res) => {
    res.json({ bytes: req.body.length });
  });
  return served;
}

interface Office {
  readonly serving: Serving;
  readonly listeners: Readonly<Record<'federation' | 'window', Listener>>;
  readonly place: InletPlace;
  end(): Promise<void>;
}

describe('a process that stands by', () => {
  const key = randomBytes(32);
  let place: InletPlace | undefined;
  let relay: Relay;
  let answering: Answering | undefined;
  const offices: Office[] = [];

  beforeEach(() => {
    place = undefined;
    answering = undefined;
    relay = new Relay({
      places: { host: HERE, port: 0, windowPort: 0 },
      ...{ key, log, clock: systemClock },
      inlet: () => Promise.resolve(place),
      onAnswering: (where) => (answering = where),
      stalledMs: 500,
    });
  });
  afterEach(async () => {
    relay.close();
    await Promise.all(offices.splice(0).map((office) => office.end()));
  });

  async function office(name: string, withKey = key): Promise<Office> {
    const tls = certificateIn(newCertificate(systemClock));
    const listeners: Record<'federation' | 'window', Listener> = {
      federation: await listen(app(name), { host: HERE, port: 0, tls }),
      window: await listen(app(name), { host: HERE, port: 0 }),
    };
    const serving: Serving = {
      take: (to, socket, from) => listeners[to].take(socket, from),
      link: (base) => `${base}/?key=made-by-${name}`,
    };
    const inlet = await Inlet.open({ host: HERE, port: 0 }, { key: withKey, serving, log });
    const made: Office = {
      ...{ serving, listeners },
      place: {
        ...{ host: HERE, port: inlet.port, process: name, isEncrypted: true },
        ...{ federation: { host: HERE, port: listeners.federation.port }, window: listeners.window.port },
      },
      async end() {
        inlet.close();
        await Promise.all([listeners.federation.close(0), listeners.window.close(0)]);
      },
    };
    offices.push(made);
    return made;
  }

  const callersOf = (port: number, count: number, localAddress: string): Promise<Socket[]> =>
    Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<Socket>((resolve, reject) => {
            const socket = connect({ port, host: HERE, localAddress }, () => resolve(socket));
            socket.once('error', reject);
            socket.on('error', () => undefined);
          }),
      ),
    );

  async function answers(): Promise<{ federation: number; window: number }> {
    await vi.waitFor(() => expect(answering).toBeDefined(), 5_000);
    const { federation = '', window = '' } = answering ?? {};
    return { federation: Number(new URL(federation).port), window: Number(new URL(window).port) };
  }

  it('answers as the one that serves would, which sees the caller as it came, encrypted or not', async () => {
    ({ place } = await office('first'));
    relay.open();
    const ports = await answers();
    const plain = await ask(ports.window);
    expect(plain).toMatchObject({
      name: 'first',
      remoteAddress: HERE,
      localPort: ports.window,
      secure: false,
    });
    expect(plain.remotePort).toBe(plain.ownPort);
    const secure = await ask(ports.federation, { secure: true });
    expect(secure).toMatchObject({
      name: 'first',
      remoteAddress: HERE,
      localPort: ports.federation,
      secure: true,
    });
    expect(secure.remotePort).toBe(secure.ownPort);
    // What is not encrypted there is not taken for it, though it came here by an encrypted way.
    expect(await ask(ports.federation)).toMatchObject({ secure: false, localPort: ports.federation });
  });

  it('shows a window of its own, with a link that the one that serves has made', async () => {
    ({ place } = await office('first'));
    relay.open();
    const { window } = await answers();
    expect(answering?.window).toBe(`http://${HERE}:${window}/?key=made-by-first`);
  });

  it('brings a large file whole, and an answer that never ends as it comes', async () => {
    ({ place } = await office('first'));
    relay.open();
    const { federation } = await answers();
    const sent = randomBytes(20_000_000);
    expect(await ask(federation, { secure: true, path: '/size', body: sent })).toMatchObject({
      bytes: sent.length,
    });
    const stream = plainRequest({ host: HERE, port: federation, path: '/events' });
    const first = new Promise((resolve) =>
      stream.on('response', (res) => res.once('data', (piece: Buffer) => resolve(piece.toString()))),
    );
    stream.on('error', () => undefined).end();
    expect(await first).toBe('begun\n');
    stream.destroy();
  });

  it('lets callers wait while nobody serves, until another process does', async () => {
    const first = await office('first');
    ({ place } = first);
    relay.open();
    const { window } = await answers();
    await first.end();
    const asked = ask(window);
    await new Promise((resolve) => setTimeout(resolve, 300));
    ({ place } = await office('second'));
    expect(await asked).toMatchObject({ name: 'second', localPort: window });
  });

  it('lets callers wait until it serves itself, at the same ports', async () => {
    const first = await office('first');
    ({ place } = first);
    relay.open();
    const ports = await answers();
    await first.end();
    const asked = [ask(ports.window), ask(ports.federation, { secure: true })];
    await new Promise((resolve) => setTimeout(resolve, 300));
    relay.stopListening();
    expect(relay.places).toMatchObject({ port: ports.federation, windowPort: ports.window });
    const tls = certificateIn(newCertificate(systemClock));
    const federation = await listen(app('itself'), { host: HERE, port: ports.federation, tls });
    const window = await listen(app('itself'), { host: HERE, port: ports.window });
    relay.handTo({ take: (to, socket) => ({ federation, window })[to].take(socket) });
    for (const answer of await Promise.all(asked)) expect(answer).toMatchObject({ name: 'itself' });
    await Promise.all([federation.close(0), window.close(0)]);
  });

  it('cuts what it brought to one that serves no more, be it that this one does not know', async () => {
    ({ place } = await office('first'));
    relay.open();
    const { window } = await answers();
    const stream = connect(window, HERE, () => stream.write('GET /events HTTP/1.1\r\nhost: x\r\n\r\n'));
    await new Promise((resolve) => stream.once('data', resolve));
    const cut = closed(stream);
    ({ place } = await office('second'));
    await cut;
    expect(await ask(window)).toMatchObject({ name: 'second' });
  });

  it('has those answered whom it brought when the one that serves was told to end, and cut who takes longer', async () => {
    const { place: at, listeners } = await office('first');
    place = at;
    relay.open();
    const { window } = await answers();
    const answered = (path: string): Promise<string> =>
      fetch(`http://${HERE}:${window}${path}`)
        .then((res) => res.text())
        .catch(() => 'cut');
    const asked = [answered('/late'), answered('/events')];
    await new Promise((resolve) => setTimeout(resolve, 100));
    await listeners.window.close(1_000);
    expect(await Promise.all(asked)).toEqual(['late', 'cut']);
  });

  it('keeps nobody out who waits with others that come in great numbers', async () => {
    const first = await office('first');
    ({ place } = first);
    relay.open();
    const { window } = await answers();
    await first.end();
    const strangers = await callersOf(window, 520, HERE);
    const asked = ask(window, { localAddress: '127.0.0.2' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    strangers.push(...(await callersOf(window, 100, HERE)));
    ({ place } = await office('second'));
    expect(await asked).toMatchObject({ name: 'second', remoteAddress: '127.0.0.2' });
    for (const socket of strangers) socket.destroy();
  });

  it('lets those be answered whom it brought when it is told to end, and takes no more', async () => {
    ({ place } = await office('first'));
    relay.open();
    const { window } = await answers();
    const late = fetch(`http://${HERE}:${window}/late`).then((res) => res.text());
    await new Promise((resolve) => setTimeout(resolve, 100));
    const ended = relay.end(5_000);
    await expect(ask(window)).rejects.toThrow('ECONNREFUSED');
    expect(await late).toBe('late');
    await ended;
  });

  it('goes with the one that serves where that closes its network, or moves', async () => {
    const { place: at } = await office('first');
    const elsewhere = (host: string): InletPlace => ({
      ...at,
      federation: { host, port: at.federation.port },
    });
    const told: Answering[] = [];
    const following = new Relay({
      places: { windowPort: 0 },
      ...{ key, log, clock: systemClock },
      inlet: () => Promise.resolve(place),
      onAnswering: (where) => told.push(where),
    });
    place = elsewhere('127.0.0.2');
    following.open();
    await vi.waitFor(() => expect(told).toHaveLength(1), 5_000);
    const window = new URL(told[0]?.window ?? '').port;
    const reached = (host: string): Promise<unknown> =>
      ask(at.federation.port, { host }).then(
        ({ name }) => name,
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
      );
    expect(await reached('127.0.0.2')).toBe('first');
    place = elsewhere('127.0.0.3');
    await vi.waitFor(() => expect(told).toHaveLength(2), 5_000);
    expect(await reached('127.0.0.2')).toBe('ECONNREFUSED');
    expect(await reached('127.0.0.3')).toBe('first');
    expect(new URL(told[1]?.window ?? '').port).toBe(window);
    // Who serves next goes by the settings for what was not asked for.
    following.stopListening();
    expect(following.places).toEqual({ windowPort: Number(window) });
    following.close();
  });

  it('says that the one that serves cannot be reached, and when it can', async () => {
    const first = await office('first');
    const port = await freePort();
    place = { ...first.place, port };
    const told: Answering[] = [];
    const telling = new Relay({
      places: { host: HERE, port: 0, windowPort: 0 },
      ...{ key, log, clock: systemClock },
      inlet: () => Promise.resolve(place),
      onAnswering: (where) => told.push(where),
    });
    telling.open();
    await vi.waitFor(() => expect(told).toHaveLength(1), 5_000);
    expect(told[0]?.problem).toContain(`cannot be reached at ${HERE}:${port} (connect ECONNREFUSED`);
    place = first.place;
    await vi.waitFor(() => expect(told).toHaveLength(2), 5_000);
    expect(told[1]).not.toHaveProperty('problem');
    expect(told[1]?.window).toContain('made-by-first');
    telling.close();
  });

  it('is not kept from the one that serves by strangers who hold connections to that', async () => {
    ({ place } = await office('first'));
    relay.open();
    const { window } = await answers();
    const strangers = await callersOf(place.port, 2_100, HERE);
    const asked = Date.now();
    expect(await ask(window)).toMatchObject({ name: 'first' });
    // Not only once the first of them has been silent for too long.
    expect(Date.now() - asked).toBeLessThan(3_000);
    for (const socket of strangers) socket.destroy();
  });

  it('holds nothing for a caller who does not read it, and lets those be who wait in silence', async () => {
    ({ place } = await office('first'));
    relay.open();
    const { window } = await answers();
    const asking = (path: string): Socket => {
      const caller = connect(window, HERE, () => caller.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`));
      return caller.on('error', () => undefined);
    };
    const reader = asking('/events');
    await new Promise((resolve) => reader.once('data', resolve));
    const sleeper = asking('/large').pause();
    await vi.waitFor(() => expect(left).toEqual(['first']), 10_000);
    expect(reader.readyState).toBe('open');
    for (const socket of [reader, sleeper]) socket.destroy();
  });

  it('counts two apart that came from the same place to the same place, each on its own computer', async () => {
    const { serving, listeners } = await office('first');
    const from = { remoteAddress: HERE, remotePort: 5_000, localAddress: HERE, localPort: 7_421 };
    const callers = await Promise.all([1, 2].map(() => connectedPair()));
    for (const [, there] of callers) serving.take('window', there, from);
    await listeners.window.close(0);
    await Promise.all(callers.map(([here]) => closed(here)));
    expect(callers.every(([, there]) => there.destroyed)).toBe(true);
  });

  it('brings nothing to one that has another secret', async () => {
    ({ place } = await office('stranger', randomBytes(32)));
    relay.open();
    const { window } = await answers();
    const caller = connect(window, HERE, () => caller.write('GET /who HTTP/1.1\r\nhost: x\r\n\r\n'));
    let heard = 0;
    caller.on('data', ({ length }) => (heard += length));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(heard).toBe(0);
    caller.destroy();
  });

  it.each([
    ['has another secret', randomBytes(32), helloLine({ linkAt: `http://${HERE}:1` })],
    ['says something else', key, 'GET / HTTP/1.1\r\n'],
    ['wants a link to another host', key, `{"linkAt":"http://elsewhere.example:80"}\n`],
    ['says very much', key, 'x'.repeat(100_000)],
  ])('who serves tells nothing to a process that %s', async (_what, withKey, line) => {
    const { place: at } = await office('first');
    const socket = connectTLS({ host: HERE, port: at.port, ...sharedKeyRules(withKey).client }, () =>
      socket.write(line),
    );
    let heard = 0;
    socket.on('data', ({ length }: Buffer) => (heard += length));
    await closed(socket);
    expect(heard).toBe(0);
  });
});

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });

/** A port at which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, HERE);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function connectedPair(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, HERE);
  const there = new Promise<Socket>((resolve) => server.once('connection', resolve));
  await new Promise((resolve) => server.once('listening', resolve));
  const here = connect((server.address() as AddressInfo).port, HERE);
  const pair: [Socket, Socket] = [here, await there];
  server.close();
  return pair;
}

function ask(
  port: number,
  {
    secure = false,
    path = '/who',
    host = HERE,
    ...sent
  }: { secure?: boolean; path?: string; body?: Buffer; host?: string; localAddress?: string } = {},
): Promise<Record<string, unknown> & { ownPort: number | undefined }> {
  return new Promise((resolve, reject) => {
    const req = (secure ? secureRequest : plainRequest)(
      {
        ...{ host, port, path, method: sent.body ? 'POST' : 'GET', agent: false },
        ...(sent.localAddress === undefined ? {} : { localAddress: sent.localAddress }),
        rejectUnauthorized: false,
      },
      (res) => {
        const ownPort = res.socket.localPort;
        let text = '';
        res.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        res.on('end', () => resolve({ ...(JSON.parse(text) as Record<string, unknown>), ownPort }));
      },
    );
    req.on('error', reject);
    req.end(sent.body);
  });
}
