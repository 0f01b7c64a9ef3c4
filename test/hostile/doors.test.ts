import { sampleOf } from '../support/data/luck.ts';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startNode, type NodeOffice } from '../support/harness/node.ts';

/** More than one listener holds, so that all who idle cannot stay. */
const IDLE = 600;
const TRIES = 40;

let office: NodeOffice;
let windowPort: number;
let cookie: string;
let token: string;
let idle: Socket[] = [];

beforeAll(async () => {
  office = await startNode('Ålesund', { host: '0.0.0.0' });
  const link = new URL(office.node.windowLink());
  windowPort = Number(link.port);
  const answer = await fetch(link, { redirect: 'manual' });
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  token = office.node.userToken('viewer', 600_000);
});
afterAll(() => office.stop());
afterEach(() => {
  for (const socket of idle) socket.destroy();
  idle = [];
});

/** A connection from this one of the computer's addresses, which says this much and no more. */
function idler(port: number, localAddress: string, first: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    idle.push(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
    socket.once('connect', () => {
      if (first) socket.write(first);
      resolve();
    });
  });
}

/** Fills the door, and keeps filling it until the answer is there. */
async function besieged(port: number, addresses: readonly string[], first: string): Promise<() => void> {
  const one = (at: number): Promise<void> => idler(port, addresses[at % addresses.length] ?? '', first);
  for (let at = 0; at < IDLE; at += 50)
    await Promise.all(Array.from({ length: 50 }, (_, next) => one(at + next)));
  let goesOn = true;
  const press = async (): Promise<void> => {
    for (let at = 0; goesOn; at++) {
      await one(at);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  void press();
  return () => (goesOn = false);
}

/** One request over a connection of its own; the status, or why there is none. */
function ask(
  port: number,
  path: string,
  headers: Record<string, string>,
  from: { localAddress: string; secure?: boolean },
): Promise<number | string> {
  return new Promise((resolve) => {
    const make = from.secure ? secureRequest : request;
    const at = { host: '127.0.0.1', port, path, localAddress: from.localAddress, agent: false as const };
    const req = make({ ...at, headers, rejectUnauthorized: false }, (res) => {
      res.resume().on('end', () => resolve(res.statusCode ?? 0));
      res.on('error', (error) => resolve(error.message));
    });
    req.on('error', (error) => resolve(error.message));
    req.end();
  });
}

async function statuses(one: () => Promise<number | string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let at = 0; at < TRIES; at++) {
    const status = await one();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const OPENINGS: readonly [string, string][] = [
  ['say nothing', ''],
  ['send half a head', 'GET /healthz HTTP/1.1\r\nHost: office\r\nX-Slow: '],
  ['send half of a handshake of TLS', '\x16\x03\x01'],
  [
    'send half a body',
    'POST /federation/nodes/1/handshake HTTP/1.1\r\nHost: office\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{',
  ],
];

describe.each(sampleOf(OPENINGS, 2))('where 600 connections and more %s', (_what, first) => {
  it('the owner gets into the window, 40 times of 40', async () => {
    const stop = await besieged(windowPort, ['127.0.0.1'], first);
    const host = `127.0.0.1:${windowPort}`;
    const owner = await statuses(() =>
      ask(windowPort, '/app/overview', { host, cookie }, { localAddress: '127.0.0.1' }),
    );
    stop();
    expect(owner).toEqual({ 200: TRIES });
  });

  it.each([
    ['another address than theirs', '127.0.0.9'],
    ['an address that is theirs as well', '127.0.0.2'],
  ])('whoever has a token is answered at %s, 40 times of 40', async (_where, localAddress) => {
    const stop = await besieged(office.port, ['127.0.0.2', '127.0.0.3'], first);
    const authorization = `Bearer ${token}`;
    const known = await statuses(() =>
      ask(office.port, '/federation/nodes', { authorization }, { localAddress, secure: true }),
    );
    stop();
    expect(known).toEqual({ 200: TRIES });
  });
});

describe('a connection over which a right credential came', () => {
  it('stays, while 600 others come after it', async () => {
    const kept = connect({ port: office.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    idle.push(kept);
    const head = `GET /federation/nodes HTTP/1.1\r\nHost: office\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const answered = (): Promise<string> =>
      new Promise((resolve) => {
        kept.once('data', (data) => resolve(data.toString('latin1').slice(0, 12)));
        kept.once('close', () => resolve('closed'));
        kept.write(head);
      });
    expect(await answered()).toBe('HTTP/1.1 200');
    const stop = await besieged(office.port, ['127.0.0.2', '127.0.0.3'], '');
    expect(await answered()).toBe('HTTP/1.1 200');
    stop();
  });
});

describe('greeting', () => {
  it('is limited as well: more than 600 times a minute nobody without a credential is told that we are there', async () => {
    const asked = (path: string): Promise<number | string> =>
      ask(office.port, path, {}, { localAddress: '127.0.0.7' });
    const told = new Set<number | string>();
    for (let at = 0; at < 620; at++) told.add(await asked('/federation/footbridge/hello'));
    expect([...told]).toEqual([200, 429]);
    // A load balancer that passes strangers on would take the office for gone.
    expect(await asked('/healthz')).toBe(200);
  });
});
