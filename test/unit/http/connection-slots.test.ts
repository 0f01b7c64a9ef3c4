import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  createConnectionSlots,
  type SlotLimits,
  type ConnectionSlots,
} from '../../../server/http/listeners/connection-slots.ts';

const RULES: SlotLimits = { total: 100, perNetwork: 40, reservedForKnown: 80, perCaller: 8 };
let port = 1024;

/** A connection from this address, as far as places look at it. */
function from(remoteAddress: string, into?: ConnectionSlots): Socket {
  const socket = new Socket();
  const seen = { remoteAddress, remotePort: port++, localAddress: '192.0.2.1', localPort: 7420 };
  for (const [name, value] of Object.entries(seen)) Object.defineProperty(socket, name, { value });
  into?.admitSocket(socket);
  return socket;
}

const many = (count: number, address: (at: number) => string, into: ConnectionSlots): Socket[] =>
  Array.from({ length: count }, (_, at) => from(address(at), into));
const open = (sockets: readonly Socket[]): number => sockets.filter(({ destroyed }) => !destroyed).length;

describe('places at a door', () => {
  it('lets everybody in, and of one network’s strangers the first has to go', () => {
    const places = createConnectionSlots(RULES);
    const sockets = many(45, () => '198.51.100.7', places);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual(sockets.map((_, at) => at < 5));
    expect(open([from('198.51.100.8', places), ...sockets])).toBe(41);
  });

  it('lets two greedy addresses pay for each other, and for nobody else', () => {
    const places = createConnectionSlots({ ...RULES, perNetwork: 60 });
    const quiet = many(20, (at) => `203.0.113.${at}`, places);
    many(300, (at) => `198.51.100.${at % 2}`, places);
    expect(open(quiet)).toBe(20);
  });

  it('never closes a connection over which a right credential came', () => {
    const places = createConnectionSlots(RULES);
    const known = many(8, () => '198.51.100.7', places);
    for (const socket of known) places.markKnown(socket, 'node 1');
    many(3000, (at) => `198.51.100.${at % 250}`, places);
    expect(open(known)).toBe(8);
  });

  it('keeps a share of places for newcomers whatever those do who are known', () => {
    const places = createConnectionSlots(RULES);
    const known = many(100, (at) => `203.0.113.${at}`, places);
    known.forEach((socket, at) => places.markKnown(socket, `node ${at >> 2}`));
    expect(open([...known, from('198.51.100.7', places)])).toBe(100);
    expect(open(known.slice(0, 80))).toBe(80);
  });

  it('counts what one caller holds: what is more stays a stranger’s', () => {
    const places = createConnectionSlots(RULES);
    const own = many(30, () => '203.0.113.5', places);
    for (const socket of own) places.markKnown(socket, 'node 1');
    many(200, () => '203.0.113.5', places);
    expect(own.map(({ destroyed }) => destroyed)).toEqual(own.map((_, at) => at >= 8));
  });

  it('spares networks from which a right credential came, when a crowd of addresses comes', () => {
    const places = createConnectionSlots(RULES);
    places.markKnown(from('203.0.113.5', places), 'node 1');
    const handshakes = many(10, () => '203.0.113.5', places);
    many(3000, (at) => `198.51.${100 + (at >> 8)}.${at & 255}`, places);
    expect(open(handshakes)).toBe(10);
  });

  it('takes the addresses of one IPv6 network, and IPv4 written in IPv6, for one', () => {
    const places = createConnectionSlots(RULES);
    const six = many(200, (at) => `2001:db8:1:2::${at.toString(16)}`, places);
    expect(open(six)).toBe(40);
    const four = many(60, (at) => (at % 2 ? '198.51.100.7' : '::ffff:198.51.100.7'), places);
    expect(open(four)).toBe(40);
  });

  it('gives a place back when a connection ends, and takes none for one that is gone already', async () => {
    const places = createConnectionSlots(RULES);
    const sockets = many(40, () => '198.51.100.7', places);
    const ended = sockets.slice(20);
    const closings = ended.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of ended) socket.destroy();
    await Promise.all(closings);
    many(20, () => '198.51.100.7', places);
    expect(open(sockets)).toBe(20);
    const gone = new Socket();
    places.admitSocket(gone);
    expect(gone.destroyed).toBe(true);
  });
});
