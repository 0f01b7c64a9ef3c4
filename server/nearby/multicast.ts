import { createSocket, type RemoteInfo } from 'node:dgram';
import mdns from 'multicast-dns';
import { recordOf, SERVICE, type NearbyOffice } from './told.ts';

/** The way to everybody on the office's network, while it is open. */
export interface Multicast {
  ask(): void;
  /** @param ttl seconds for which others may take our word */
  tell(office: NearbyOffice, ttl: number): void;
  /** Tells that the office is gone, and closes once that is sent. */
  leave(office: NearbyOffice): void;
  /** Closes without a word, where nothing can be sent. */
  close(): void;
}

export interface Heard {
  /** Whether a packet of so many bytes is looked at: one of 60,000 takes the time of hundreds to read. */
  mayRead(bytes: number, from: string): boolean;
  question(packet: unknown): void;
  answer(packet: unknown, from: string): void;
  /** It cannot be used on this computer: another program has it to itself, or there is no network. */
  failed(): void;
}

/**
 * Opens it. What is sent goes no further than the network that this computer is on.
 * @param on another port or interface than everybody's; for tests, which stay on this computer
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
  // A packet that cannot be read, or one of several networks that has no multicast: the others go on.
  socket.on('warning', () => undefined);
  return {
    ask: () => socket.query({ questions: [{ name: SERVICE, type: 'PTR' }] }),
    tell: (office, ttl) => socket.respond({ answers: [recordOf(office, ttl)] }),
    leave: (office) => socket.respond({ answers: [recordOf(office, 0)] }, () => socket.destroy()),
    close: () => socket.destroy(),
  };
}
