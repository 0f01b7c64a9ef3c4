import mdns from 'multicast-dns';
import { recordOf, SERVICE, type Told } from './told.ts';

/** The way to everybody on the office's network, while it is open. */
export interface Multicast {
  ask(): void;
  /** @param ttl seconds; 0: it is gone */
  tell(office: Told, ttl: number): void;
  close(): void;
}

export interface Heard {
  question(packet: unknown, from: string): void;
  answer(packet: unknown, from: string): void;
  /** It cannot be used on this computer: another program has it to itself, or there is no network. */
  failed(): void;
}

/** Opens it. What is sent goes no further than the network that this computer is on. */
export function openMulticast(heard: Heard): Multicast {
  const socket = mdns({ ttl: 1 });
  socket.on('query', (packet, { address }) => heard.question(packet, address));
  socket.on('response', (packet, { address }) => heard.answer(packet, address));
  socket.on('error', () => heard.failed());
  // A packet that cannot be read, or one of several networks that has no multicast: the others go on.
  socket.on('warning', () => undefined);
  return {
    ask: () => socket.query({ questions: [{ name: SERVICE, type: 'PTR' }] }),
    tell: (office, ttl) => socket.respond({ answers: [recordOf(office, ttl)] }),
    close: () => socket.destroy(),
  };
}
