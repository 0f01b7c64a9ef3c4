import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../store/files/own-file.ts';
import { ROLES, type Role } from './identity.ts';

const issuedSchema = z.object({
  jti: z.string(),
  role: z.enum(ROLES),
  issuedAt: z.string(),
  expiresAt: z.string(),
});
/** Made or revoked. */
export const lineSchema = z.union([issuedSchema, z.object({ revoked: z.string(), at: z.string() })]);
export type TokenLine = z.infer<typeof lineSchema>;

/** Record of a script's or person's token, which itself is stored nowhere. */
export interface UserToken {
  readonly jti: string;
  readonly role: Role;
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly revokedAt?: string;
}

/** Users' listed tokens, in a file that commands use while the node runs. */
export interface UserTokens {
  /** Returns the tokens, oldest first. */
  list(): readonly UserToken[];
  /** Lists a token; durable when it resolves. */
  add(token: UserToken): Promise<void>;
  /** Revokes a token, listed or not; durable when resolved, effective from the next request. */
  revoke(jti: string, at: string): Promise<void>;
  /** Returns current revocations: times by id. */
  revocations(): ReadonlyMap<string, string>;
  /** Returns whether any process revoked the token. */
  isRevoked(jti: string): boolean;
  /** Returns whether any process added the token. */
  isListed(jti: string): boolean;
}

const fileOf = (dataDir: string): string => join(dataDir, 'user-tokens.jsonl');

/** Returns the token file's lines, without invalid ones. [] without a file. Synchronous. */
export function tokenLinesIn(dataDir: string): readonly TokenLine[] {
  const file = fileOf(dataDir);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text
    .split('\n')
    .map((line) => lineSchema.safeParse(parseJSON(line)).data)
    .filter((line) => line !== undefined);
}

export const putTokenLines = (dataDir: string, lines: readonly TokenLine[]): Promise<void> =>
  replaceFile(fileOf(dataDir), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

/**
 * Opens the token file, which is only appended to, durably. Checks first read, synchronously, what other processes
 * added.
 */
export function createUserTokens(dataDir: string): UserTokens {
  const file = fileOf(dataDir);
  /** Content of the file's first `bytes`. */
  let read = { bytes: 0, listed: new Set<string>(), revoked: new Map<string, string>() };

  /**
   * Reads what was added, or all if the file became shorter; returns all known so far, the same object unless shorter.
   * Synchronous; a missing file is empty.
   */
  function readAdded(): typeof read {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size < read.bytes) read = { bytes: 0, listed: new Set(), revoked: new Map() };
    if (size === read.bytes) return read;
    const added = readRange(file, read.bytes, size);
    const whole = added.subarray(0, added.lastIndexOf(NEWLINE) + 1);
    read.bytes += whole.length;
    for (const line of whole.toString('utf8').split('\n')) {
      const known = lineSchema.safeParse(parseJSON(line)).data;
      if (known && 'revoked' in known) read.revoked.set(known.revoked, known.at);
      else if (known) read.listed.add(known.jti);
    }
    return read;
  }

  /** Appends a line to the token file, durably; not to a truncated last line. */
  async function appendLine(line: object): Promise<void> {
    const handle = await open(file, 'a', 0o600);
    try {
      // The last line may be cut.
      await handle.writeFile(`\n${JSON.stringify(line)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  return {
    list: () => tokensIn(tokenLinesIn(dataDir)),
    add: (token) => appendLine(token),
    revoke: (jti, at) => appendLine({ revoked: jti, at }),
    revocations: () => readAdded().revoked,
    isRevoked: (jti) => readAdded().revoked.has(jti),
    isListed: (jti) => readAdded().listed.has(jti),
  };
}

/** Returns the tokens made in these lines, in order, also revoked ones, with the time of revocation. */
export function tokensIn(lines: readonly TokenLine[]): readonly UserToken[] {
  const tokens = new Map<string, UserToken>();
  const ends = new Map<string, string>();
  for (const line of lines) {
    if ('revoked' in line) ends.set(line.revoked, line.at);
    else tokens.set(line.jti, line);
  }
  return [...tokens.values()].map((token) => {
    const revokedAt = ends.get(token.jti);
    return revokedAt === undefined ? token : { ...token, revokedAt };
  });
}

const NEWLINE = 0x0a;

/** Returns the file's bytes from `start` to `end`, fewer if it is shorter. Synchronous. */
function readRange(file: string, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start);
  const descriptor = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the parsed line; undefined if it isn't JSON. */
function parseJSON(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
