import { createSocket, type RemoteInfo } from 'node:dgram';
import mdns from 'multicast-dns';
import { announcementRecord, SERVICE, type NearbyOffice } from './announcements.ts';

export interface Multicast {
  /** Asks for offices. */
  query(): void;
  /** Announces this office. `ttl`: seconds in others' caches. */
  announce(office: NearbyOffice, ttl: number): void;
  /** Withdraws the announcement, and closes the socket. */
  withdraw(office: NearbyOffice): void;
  /** Closes at once, if nothing can be sent. */
  close(): void;
}

export interface PacketHandlers {
  /** Returns whether to parse a packet: one of 60,000 bytes takes as long as hundreds. */
  acceptPacket(bytes: number, from: string): boolean;
  question(packet: unknown): void;
  answer(packet: unknown, from: string): void;
  /** Multicast is unavailable: another program uses the port exclusively, or there is no network. */
  failed(): void;
}

/**
 * Opens mDNS on the office's network and calls `handlers` for its packets, which don't leave this network; `withdraw`
 * closes it too. `on` is another port or interface, for tests.
 */
export function openMulticast(handlers: PacketHandlers, on: Parameters<typeof mdns>[0] = {}): Multicast {
  const wire = createSocket({ type: 'udp4', reuseAddr: true });
  const socket = mdns({ ...on, ttl: 1, socket: wire });
  const readers = wire.listeners('message');
  wire.removeAllListeners('message');
  wire.on('message', (bytes: Buffer, from: RemoteInfo) => {
    if (handlers.acceptPacket(bytes.length, from.address))
      for (const read of readers) Reflect.apply(read, wire, [bytes, from]);
  });
  socket.on('query', (packet) => handlers.question(packet));
  socket.on('response', (packet, { address }) => handlers.answer(packet, address));
  socket.on('error', () => handlers.failed());
  // An unreadable packet, or one network without multicast: the others go on.
  socket.on('warning', () => undefined);
  return {
    query: () => socket.query({ questions: [{ name: SERVICE, type: 'PTR' }] }),
    announce: (office, ttl) => socket.respond({ answers: [announcementRecord(office, ttl)] }),
    withdraw: (office) =>
      socket.respond({ answers: [announcementRecord(office, 0)] }, () => socket.destroy()),
    close: () => socket.destroy(),
  };
}
