import { request, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export const ENCODINGS = ['identity', 'gzip', 'deflate', 'br'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface Reading {
  readonly encoding?: Encoding;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string;
  /** What happens behind so many bytes as they come over the line, every time that there are as many again. */
  readonly every?: {
    readonly bytes: number;
    readonly then: (answer: IncomingMessage) => Promise<void> | void;
  };
}

/** An answer as somebody gets it who reads it at a pace of their own. */
export interface ReadAnswer {
  readonly status: number;
  readonly encoding: string;
  /** Unpacked. */
  readonly body: Buffer;
}

/** Answers are compressed for callers elsewhere only: a proxy on this computer names one. */
export const BEHIND_A_PROXY = { 'x-forwarded-for': '203.0.113.7' };

/** Reads one answer to its end. @throws when the connection ends before that */
export async function readAnswer(
  port: number,
  path: string,
  { encoding = 'identity', headers = {}, method = 'GET', body, every }: Reading = {},
): Promise<ReadAnswer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const all = { 'accept-encoding': encoding, ...BEHIND_A_PROXY, ...headers };
    const asked = request({ host: '127.0.0.1', port, path, method, headers: all, agent: false }, resolve);
    asked.on('error', reject);
    asked.end(body);
  });
  const parts: Buffer[] = [];
  let size = 0;
  let next = every?.bytes ?? Infinity;
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size < next) continue;
    next = size + (every?.bytes ?? Infinity);
    await every?.then(answer);
  }
  const packed = answer.headers['content-encoding'] ?? 'identity';
  return {
    status: answer.statusCode ?? 0,
    encoding: packed,
    body: await unpacked(Buffer.concat(parts), packed),
  };
}

/** Lets some milliseconds pass between the parts that it reads. */
export const slowly = (bytes: number, ms: number): NonNullable<Reading['every']> => ({
  bytes,
  then: () => wait(ms),
});

async function unpacked(body: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === 'identity') return body;
  const make = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }[encoding];
  if (!make) throw new Error(`The answer is encoded in ${encoding}, which nobody asked for.`);
  const unpack: NodeJS.ReadWriteStream = make();
  unpack.end(body);
  const parts: Buffer[] = [];
  for await (const part of unpack as unknown as Readable) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
