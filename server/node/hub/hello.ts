import type { Socket } from 'node:net';
import type { ConnectionOptions, TlsOptions } from 'node:tls';
import { z } from 'zod';

/** What processes of one office say to each other, in the first line of a connection. */

/** To which listener of a node a connection came. */
export type Entry = 'federation' | 'window';

const portSchema = z.int().min(0).max(65_535);
const addressSchema = z.string().max(64);
const connectionSchema = z.object({
  to: z.enum(['federation', 'window']),
  from: z.object({
    remoteAddress: addressSchema,
    remotePort: portSchema,
    localAddress: addressSchema,
    localPort: portSchema,
  }),
});
const linkSchema = z.object({
  /** Base address of a window for which a link is wanted. */
  linkAt: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/),
});

export const helloSchema = z.union([connectionSchema, linkSchema]);
export type Hello = z.infer<typeof helloSchema>;

export const connectionHello = (hello: Hello): hello is z.infer<typeof connectionSchema> => 'to' in hello;

export const helloLine = (hello: Hello): string => `${JSON.stringify(hello)}\n`;

const linkAnswerSchema = z.object({ link: z.string().max(512) });
export const linkAnswer = (link: string): string => `${JSON.stringify({ link })}\n`;
export const linkIn = (line: string): string => linkAnswerSchema.parse(JSON.parse(line)).link;

const MOST_BYTES = 1_024;
const LINE_END = 0x0a;

/** Reads one line and leaves the connection paused behind it. @throws where none comes in time, or too long a one */
export function firstLine(socket: Socket, patienceMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0);
    const over = (problem: string): void => {
      forget();
      reject(new Error(problem));
    };
    const closed = (): void => over('The connection was closed.');
    const timer = setTimeout(() => over('Nothing was said.'), patienceMs);
    const forget = (): void => {
      clearTimeout(timer);
      socket.off('data', came);
      socket.off('close', closed);
      socket.off('end', closed);
    };
    const came = (piece: Buffer): void => {
      read = Buffer.concat([read, piece]);
      const end = read.indexOf(LINE_END);
      if (end < 0 && read.length <= MOST_BYTES) return;
      if (end < 0 || end > MOST_BYTES) {
        over('The line is too long.');
        return;
      }
      forget();
      socket.pause();
      if (read.length > end + 1) socket.unshift(read.subarray(end + 1));
      resolve(read.toString('utf8', 0, end));
    };
    socket.on('data', came);
    socket.once('close', closed);
    socket.once('end', closed);
  });
}

const IDENTITY = 'footbridge';
/** Both ends prove that they know the key, and what was said stays secret though the key should come out. */
const SUITE = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;

/** TLS between two who share a key, without certificates. */
export const sharedKeyRules = (
  key: Buffer,
): { readonly server: TlsOptions; readonly client: ConnectionOptions } => ({
  server: { ...SUITE, pskCallback: (_socket, identity) => (identity === IDENTITY ? key : null) },
  client: {
    ...SUITE,
    pskCallback: () => ({ psk: key, identity: IDENTITY }),
    // There is no name to check: who has the key is the right one.
    checkServerIdentity: () => undefined,
  },
});
