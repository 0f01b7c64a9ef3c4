import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ROLES, type Role } from './identity.ts';

const issuedSchema = z.object({
  jti: z.string(),
  role: z.enum(ROLES),
  issuedAt: z.string(),
  expiresAt: z.string(),
});
const lineSchema = z.union([issuedSchema, z.object({ revoked: z.string(), at: z.string() })]);

/** A token that was made for a script or a person, as it is listed. The token itself is kept nowhere. */
export interface UserToken {
  readonly jti: string;
  readonly role: Role;
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly revokedAt?: string;
}

/**
 * What is known of the tokens of users, in a file beside their key: no restore of a backup touches it, and commands
 * can read and add to it while the node runs.
 */
export interface UserTokens {
  /** Oldest first. */
  list(): readonly UserToken[];
  note(token: UserToken): Promise<void>;
  /** From the next request on. A token need not be listed. */
  revoke(jti: string, at: string): Promise<void>;
  /** As of now, whoever revoked it. */
  isRevoked(jti: string): boolean;
}

export function createUserTokens(dataDir: string): UserTokens {
  const file = join(dataDir, 'user-tokens.jsonl');
  let read: { readonly stamp: string; readonly tokens: Map<string, UserToken>; revoked: Map<string, string> };

  /** Read again only when it has changed. */
  function current(): typeof read {
    const about = statSync(file, { throwIfNoEntry: false });
    const stamp = about ? `${about.size} ${about.mtimeMs}` : '';
    if (read?.stamp === stamp) return read;
    read = { stamp, tokens: new Map(), revoked: new Map() };
    for (const line of about ? readFileSync(file, 'utf8').split('\n') : []) {
      const known = lineSchema.safeParse(parsed(line)).data;
      if (!known) continue;
      if ('revoked' in known) read.revoked.set(known.revoked, known.at);
      else read.tokens.set(known.jti, known);
    }
    return read;
  }

  async function add(line: object): Promise<void> {
    const handle = await open(file, 'a', 0o600);
    try {
      // On a line of its own, also behind one that was cut off.
      await handle.writeFile(`\n${JSON.stringify(line)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  return {
    list() {
      const { tokens, revoked } = current();
      return [...tokens.values()].map((token) => {
        const revokedAt = revoked.get(token.jti);
        return revokedAt === undefined ? token : { ...token, revokedAt };
      });
    },
    note: (token) => add(token),
    revoke: (jti, at) => add({ revoked: jti, at }),
    isRevoked: (jti) => current().revoked.has(jti),
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
