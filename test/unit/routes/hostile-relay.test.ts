import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTLS, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../../server/base/clock.ts';
import { connectWebSocket, dialThroughRelay, PATHS, SUBPROTOCOL } from '../../../server/routes/dial.ts';
import { newRegistrationSecret, officeIDOf } from '../../../server/routes/relay-address.ts';
import {
  ANY_ADDRESS,
  listAsCSV,
  officeCertificate,
  portOf,
  registerAt,
  registerByHand,
  startFalseRelay,
  startRelay,
  type TestOffice,
  type TestOfficeOptions,
  type TestRelay,
} from '../../support/harness/relay.ts';
import { soon } from '../../support/harness/soon.ts';

const problemOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'opened',
    (error: unknown) => (error as { problem?: unknown }).problem ?? error,
  );

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const newID = (): string => officeIDOf(newRegistrationSecret());

async function registered(relay: TestRelay, options?: TestOfficeOptions): Promise<TestOffice> {
  const office = registerAt(relay.address, options);
  await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));
  return office;
}

describe('strangers at a relay', () => {
  it('cannot guess a ticket, and after some tries are not even told so', async () => {
    const relay = await startRelay();
    const told: unknown[] = [];
    for (let at = 0; at < 25; at++)
      told.push(await problemOf(connectWebSocket(relay.address, PATHS.answer, bearer(newID()), ANY_ADDRESS)));
    expect(told.slice(0, 20)).toEqual(Array<string>(20).fill('absent'));
    expect(told.slice(-3)).toEqual(['busy', 'busy', 'busy']);
  });

  it('cannot use a ticket a second time', async () => {
    const relay = await startRelay();
    const secret = newRegistrationSecret();
    const control = await registerByHand(relay, secret);
    const calling = dialThroughRelay(relay.address, officeIDOf(secret), ANY_ADDRESS);
    const [message] = (await once(control, 'message')) as [Buffer];
    const ticket = message.toString().replace('open ', '');
    const first = await connectWebSocket(relay.address, PATHS.answer, bearer(ticket), ANY_ADDRESS);
    const stream = await calling;
    expect(await problemOf(connectWebSocket(relay.address, PATHS.answer, bearer(ticket), ANY_ADDRESS))).toBe(
      'absent',
    );
    first.terminate();
    stream.destroy();
  });

  it('cannot keep an office from answering by being many callers at once', async () => {
    const relay = await startRelay({ limits: { answerMs: 500, maxStreamsPerOffice: 4 } });
    const secret = newRegistrationSecret();
    await registerByHand(relay, secret);
    const calls = Array.from({ length: 8 }, () =>
      problemOf(dialThroughRelay(relay.address, officeIDOf(secret), ANY_ADDRESS)),
    );
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'no-answer')).toHaveLength(4);
    expect(relay.counts()).toMatchObject({ waiting: 0, joined: 0 });
  });

  it.each([
    ['one address', (): string => '198.51.100.7'],
    ['each address of a /24', (at: number): string => `198.51.100.${at + 1}`],
    ['each /64 of a /48', (at: number): string => `2001:db8:7:${at + 1}::7`],
  ])('cannot take an office from its other partners, even if they know its ID: %s', async (_what, from) => {
    const relay = await startRelay({ behindProxy: true });
    const open = (path: string, token: string, caller: string): WebSocket =>
      openFrom(relay, path, token, caller);
    const secret = newRegistrationSecret();
    const control = open(PATHS.register, secret, '192.0.2.1');
    control.on('message', (message: Buffer) =>
      open(PATHS.answer, message.toString().replace('open ', ''), '192.0.2.1'),
    );
    await soon(() => expect(relay.counts().offices).toBe(1));
    for (let at = 0; at < 120; at++) open(PATHS.call, officeIDOf(secret), from(at));
    await soon(() => expect(relay.counts()).toMatchObject({ joined: 20, refused: 100 }));
    await once(open(PATHS.call, officeIDOf(secret), '203.0.113.9'), 'open');
  });

  it('leave room for an office with a hundred partners, each in a network of its own', async () => {
    const relay = await startRelay({ behindProxy: true });
    const secret = newRegistrationSecret();
    const control = openFrom(relay, PATHS.register, secret, '192.0.2.1');
    control.on('message', (message: Buffer) =>
      openFrom(relay, PATHS.answer, message.toString().replace('open ', ''), '192.0.2.1'),
    );
    await soon(() => expect(relay.counts().offices).toBe(1));
    // Calls for one office are answered at five a second, after the first hundred.
    const calls = Array.from({ length: 100 }, (_, at) =>
      once(openFrom(relay, PATHS.call, officeIDOf(secret), `203.${at}.113.9`), 'open'),
    );
    await Promise.all(calls);
    expect(relay.counts()).toMatchObject({ joined: 100, refused: 0 });
  });

  it('cannot take all places for offices from one network, even if they have the access key', async () => {
    const relay = await startRelay({ behindProxy: true, limits: { maxOfficesPerNetwork: 3 } });
    const register = (from: string): WebSocket =>
      openFrom(relay, PATHS.register, newRegistrationSecret(), from);
    const taken = Array.from({ length: 5 }, () => register('198.51.100.7'));
    await soon(() => expect(relay.counts()).toMatchObject({ offices: 3, refused: 2 }));
    await once(register('203.0.113.9'), 'open');
    taken.find(({ readyState }) => readyState === WebSocket.OPEN)?.terminate();
    await soon(() => expect(relay.counts().offices).toBe(3));
    await once(register('198.51.100.7'), 'open');
  });

  it('cannot take all places for offices from the many networks of one owner either', async () => {
    const relay = await startRelay({ behindProxy: true, limits: { maxOffices: 9, maxOfficesPerNetwork: 3 } });
    const register = (from: string): WebSocket =>
      openFrom(relay, PATHS.register, newRegistrationSecret(), from);
    for (let subnet = 1; subnet <= 9; subnet++) register(`2a01:4f8:1:${subnet}::7`);
    await soon(() => expect(relay.counts()).toMatchObject({ offices: 3, refused: 6 }));
    await once(register('2a01:4f8:2:1::7'), 'open');
  });

  it('in a handful of networks never take all of its streams', async () => {
    const limits = { maxStreams: 40, maxStreamsPerOffice: 40 };
    const relay = await startRelay({ behindProxy: true, limits });
    const secret = newRegistrationSecret();
    const office = openFrom(relay, '/footbridge/register', secret, '203.0.113.1');
    office.on('message', (message: Buffer) => {
      const [, ticket = ''] = /^open (.+)$/.exec(message.toString()) ?? [];
      openFrom(relay, '/footbridge/answer', ticket, '203.0.113.1');
    });
    await once(office, 'open');
    const call = (from: string): Promise<boolean> => {
      const socket = openFrom(relay, '/footbridge/call', officeIDOf(secret), from);
      return new Promise((resolve) => {
        socket.once('open', () => resolve(true));
        socket.once('close', () => resolve(false));
      });
    };
    for (let network = 1; network <= 5; network++)
      for (let host = 1; host <= 12; host++) await call(`11.7.${network}.${host}`);
    expect(await call('11.7.99.1')).toBe(true);
  });

  it('are not served with another protocol, a browser’s WebSocket, or a path of their own', async () => {
    const relay = await startRelay();
    for (const [path, protocol, status] of [
      ['/footbridge/call', 'chat', 426],
      ['/footbridge/else', 'footbridge.1', 404],
    ] as const) {
      expect(await statusOf(relay, path, protocol)).toBe(status);
    }
  });

  it(
    'that send nothing, or a line of a request now and then, keep no place',
    { tags: 'nightly-waits', timeout: 30_000 },
    async () => {
      const relay = await startRelay();
      const slow = connectTLS({ port: relay.port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(slow, 'secureConnect');
      slow.write('GET /footbridge/call HTTP/1.1\r\n');
      const trickle = setInterval(() => slow.write('x: y\r\n'), 1_000);
      const silent = connect(relay.port, '127.0.0.1');
      slow.on('error', () => undefined);
      slow.resume();
      silent.resume();
      await Promise.all([once(slow, 'close'), once(silent, 'close')]);
      clearInterval(trickle);
    },
  );
});

/** A WebSocket to a relay behind a reverse proxy, which says that the caller is at `from`. */
function openFrom(relay: TestRelay, path: string, token: string, from: string): WebSocket {
  const key = { 'footbridge-relay-key': relay.accessKey ?? '' };
  const socket = new WebSocket(`ws://127.0.0.1:${relay.port}${path}`, SUBPROTOCOL, {
    headers: { ...bearer(token), ...key, 'x-forwarded-for': from },
  });
  socket.on('error', () => undefined);
  onTestFinished(() => socket.terminate());
  return socket;
}

async function statusOf(relay: TestRelay, path: string, protocol: string): Promise<number> {
  const socket = connectTLS({ port: relay.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ${protocol}\r\nAuthorization: Bearer ${newID()}\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(answer.toString('latin1').split(' ')[1]);
}

describe('an office at a relay that breaks the rules', () => {
  it.each([
    ['floods it with messages', (socket: WebSocket) => socket.send('busy nothing')],
    ['floods it with pings', (socket: WebSocket) => socket.ping()],
  ])('is cut off when it %s', async (_what, flood) => {
    const relay = await startRelay();
    const socket = await registerByHand(relay, newRegistrationSecret());
    await soon(() => expect(relay.counts().offices).toBe(1));
    for (let at = 0; at < 200; at++) flood(socket);
    await once(socket, 'close');
    await soon(() => expect(relay.counts().offices).toBe(0));
  });

  it.each([
    ['on its control connection', 5_000],
    ['far too large', 200_000],
  ])('is cut off for a message that is too large: %s', async (_what, bytes) => {
    const relay = await startRelay();
    const socket = await registerByHand(relay, newRegistrationSecret());
    socket.send(Buffer.alloc(bytes));
    await once(socket, 'close');
    await soon(() => expect(relay.counts().offices).toBe(0));
  });

  it('loses the stream, and not the registration, for text on it', async () => {
    const relay = await startRelay();
    const secret = newRegistrationSecret();
    const control = await registerByHand(relay, secret);
    const calling = dialThroughRelay(relay.address, officeIDOf(secret), ANY_ADDRESS);
    const [message] = (await once(control, 'message')) as [Buffer];
    const answer = await connectWebSocket(
      relay.address,
      PATHS.answer,
      bearer(message.toString().slice(5)),
      ANY_ADDRESS,
    );
    const stream = await calling;
    stream.resume();
    answer.resume();
    answer.send('text');
    await once(stream, 'close');
    await soon(() => expect(relay.counts()).toMatchObject({ joined: 0, offices: 1 }));
  });

  it('cannot make it hold what the other side does not read', async () => {
    const relay = await startRelay();
    const office = await registered(relay);
    const stream = await dialThroughRelay(relay.address, office.officeID, ANY_ADDRESS);
    await soon(() => expect(office.streams).toHaveLength(1));
    const piece = listAsCSV(500);
    let sent = 0;
    const fill = (): void => {
      do sent += piece.length;
      while (stream.write(piece) && sent < 200_000_000);
    };
    stream.on('drain', fill);
    fill();
    // Nobody reads: what was taken is in the buffers of the system and of the streams, which have bounds.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    stream.off('drain', fill);
    expect(relay.counts().bytes).toBeLessThan(16_000_000);
    const [other] = office.streams;
    other?.resume();
    await soon(() => expect(relay.counts().bytes).toBeGreaterThanOrEqual(sent));
    stream.destroy();
  }, 30_000);

  it('loses the stream for a message in thousands of fragments, each of which takes memory', async () => {
    const relay = await startRelay();
    const office = await registered(relay);
    const caller = await connectWebSocket(relay.address, PATHS.call, bearer(office.officeID), ANY_ADDRESS);
    caller.resume();
    for (let at = 0; at < 2_000; at++) caller.send('x', { binary: true, fin: false });
    await once(caller, 'close');
    await soon(() => expect(relay.counts()).toMatchObject({ joined: 0, offices: 1 }));
  });

  it.each<[string, (socket: WebSocket) => void]>([
    ['pings', (socket) => socket.ping()],
    ['empty messages', (socket) => socket.send(Buffer.alloc(0))],
    ['messages of one byte', (socket) => socket.send(Buffer.alloc(1))],
  ])('loses the stream for a flood of %s, each of which takes time', async (_what, flood) => {
    const relay = await startRelay();
    const office = await registered(relay, { onStream: (stream) => stream.resume() });
    const caller = await connectWebSocket(relay.address, PATHS.call, bearer(office.officeID), ANY_ADDRESS);
    caller.resume();
    for (let at = 0; at < 10_000; at++) flood(caller);
    await once(caller, 'close');
    await soon(() => expect(relay.counts()).toMatchObject({ joined: 0, offices: 1 }));
    expect(relay.counts().bytes).toBeLessThan(5_000);
  });

  it('with a copy of its data elsewhere does not throw the copy out again and again', async () => {
    const relay = await startRelay();
    const first = await registered(relay);
    const second = await registered(relay, { secret: first.secret });
    await soon(() => expect(first.states.at(-1)).toEqual({ kind: 'refused', problem: 'replaced' }));
    expect(second.states.at(-1)).toMatchObject({ kind: 'registered' });
    expect(relay.counts().offices).toBe(1);
  });
});

describe('a relay that breaks the rules', () => {
  it('cannot make an office open more streams than its limit', async () => {
    let answers = 0;
    const busy: string[] = [];
    const relay = await startFalseRelay({
      onControl: (socket) => {
        socket.on('message', (data: Buffer) => busy.push(data.toString()));
        for (let at = 0; at < 60; at++) socket.send(`open ${newID()}`);
      },
      onAnswer: () => (answers += 1),
    });
    const office = registerAt(relay.address, { maxStreams: 5 });
    await soon(() => expect(office.streams).toHaveLength(5));
    await soon(() => expect(busy).toHaveLength(55));
    expect(answers).toBe(5);
  });

  it.each([
    ['text', (socket: WebSocket) => socket.send('nonsense')],
    ['pings', (socket: WebSocket) => socket.ping()],
    ['pongs', (socket: WebSocket) => socket.pong()],
  ])('that floods an office with %s is left, and asked again after minutes only', async (_what, flood) => {
    const relay = await startFalseRelay({
      onControl: (socket) => {
        for (let at = 0; at < 1_000; at++) flood(socket);
      },
    });
    const office = registerAt(relay.address);
    await soon(() => expect(office.states.at(-1)).toEqual({ kind: 'refused', problem: 'protocol' }));
    expect(relay.controls).toHaveLength(1);
  });

  it('that sends an office too large a message is left', async () => {
    const relay = await startFalseRelay({ onControl: (socket) => socket.send(Buffer.alloc(1_000_000)) });
    const office = registerAt(relay.address);
    await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'unreachable' }));
  });

  it('that sends a message on a stream in thousands of fragments loses that stream', async () => {
    const relay = await startFalseRelay({
      onControl: (socket) => socket.send(`open ${newID()}`),
      onAnswer: (socket) => {
        for (let at = 0; at < 2_000; at++) socket.send('x', { binary: true, fin: false });
      },
    });
    const office = registerAt(relay.address, { onStream: (stream) => stream.resume() });
    await soon(() => expect(office.streams).toHaveLength(1));
    await soon(() => expect(office.streams[0]?.destroyed).toBe(true));
  });

  it('that answers a call with a stream of garbage gives no TLS', async () => {
    const relay = await startFalseRelay({
      onControl: (socket) => {
        socket.send(listAsCSV(100));
      },
    });
    const stream = await dialThroughRelay(relay.address, newID(), ANY_ADDRESS);
    const secure: TLSSocket = connectTLS({ socket: stream, rejectUnauthorized: false });
    await expect(once(secure, 'secureConnect')).rejects.toThrow();
  });

  it('that takes a call and never answers it costs a bounded time', async () => {
    const certificate = officeCertificate();
    const server = createServer({ cert: certificate.cert, key: certificate.key });
    const held: Duplex[] = [];
    server.on('upgrade', (_request, socket: Duplex) => held.push(socket));
    const port = await portOf(server);
    onTestFinished(() => {
      held.forEach((socket) => socket.destroy());
      server.close();
    });
    const relay = { host: '127.0.0.1', port, path: '', pin: certificate.fingerprint };
    const options = { ...ANY_ADDRESS, timeoutMs: 1_000 };
    expect(await problemOf(dialThroughRelay(relay, newID(), options))).toBe('timeout');
    const ended = new AbortController();
    const calling = problemOf(dialThroughRelay(relay, newID(), { ...ANY_ADDRESS, signal: ended.signal }));
    systemClock.after(50, () => ended.abort());
    expect(await calling).toBe('aborted');
  });
});
