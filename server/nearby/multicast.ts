import { createSocket, type RemoteInfo } from 'node:dgram';
import mdns from 'multicast-dns';
import { recordOf, SERVICE, type NearbyOffice } from './announcements.ts';

/** Multicast on the office's network, while open. */
export interface Multicast {
  /** Asks who is there. */
  ask(): void;
  /** Announces this office. `ttl`: seconds for which others may cache it. */
  tell(office: NearbyOffice, ttl: number): void;
  /** Announces that the office is gone, then closes. */
  leave(office: NearbyOffice): void;
  /** Closes without announcement, if nothing can be sent. */
  close(): void;
}

export interface Heard {
  /** Returns whether to read a packet of this size: one of 60,000 bytes takes the time of hundreds. */
  mayRead(bytes: number, from: string): boolean;
  question(packet: unknown): void;
  answer(packet: unknown, from: string): void;
  /** Unavailable on this computer: another program uses it exclusively, or there is no network. */
  failed(): void;
}

/**
 * Opens mDNS on the office's network and calls `heard` for its packets, which don't leave this network. Packets
 * that `mayRead` refuses aren't parsed. `on`: another port or interface; for tests, which stay on this computer.
 */
export function openMulticast(heard: Heard, on: Parameters<typeof mdns>[0] = {}): Multicast {
  const wire = createSocket({ type: 'udp4', reuseAddr: true });
  const socket = mdns({ ...on, ttl: 1, socket: wire });
  const readers = wire.listeners('message');
  wire.removeAllListeners('message');
  wire.on('message', (bytes: Buffer, from: RemoteInfo) => {
    if (heard.mayRead(bytes.length, from.address))
      for (const read of readers) Reflect.apply(read, wire, [bytes, from]);
  });
  socket.on('query', (packet) => heard.question(packet));
  socket.on('response', (packet, { address }) => heard.answer(packet, address));
  socket.on('error', () => heard.failed());
  // An unreadable packet, or one of several networks without multicast: the others go on.
  socket.on('warning', () => undefined);
  return {
    ask: () => socket.query({ questions: [{ name: SERVICE, type: 'PTR' }] }),
    tell: (office, ttl) => socket.respond({ answers: [recordOf(office, ttl)] }),
    leave: (office) => socket.respond({ answers: [recordOf(office, 0)] }, () => socket.destroy()),
    close: () => socket.destroy(),
  };
}
