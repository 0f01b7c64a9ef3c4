import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { Refusal } from '../../base/refusal.ts';
import { createIfMissing, readIfExists } from '../../store/files/own-file.ts';
import { StoreError } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import type { Identity, Role } from './identity.ts';
import { ROLES } from './identity.ts';
import type { TokenLife } from './user-token-lives.ts';
import { createUserTokens, type UserToken, type UserTokens } from './user-tokens.ts';

export const LONGEST_LIFE = 366 * 86_400_000;

export interface MadeToken extends UserToken {
  readonly token: string;
}

/** Issues and verifies users' tokens by a key in the data folder: commands need no node. */
export interface UserKey {
  /** Returns a signed token with its record, to be listed; at most 366 days from `now`. */
  make(role: Role, milliseconds: number, now?: number): MadeToken;
  issue(role: Role, milliseconds: number, now?: number): string;
  /**
   * Returns a valid token's user. `isOver`: it has expired.
   * @throws Refusal `auth.unlisted` for an unlisted long-lived one, which couldn't be revoked
   */
  verify(token: string, isOver: (life: TokenLife) => boolean): Identity | undefined;
}

/** A single command's token isn't listed, and ends soon. */
const LONGEST_UNLISTED = 3_600_000;

/** Returns the error for tokens of older versions, or used with an older copy of the data folder. */
const unlisted = (): Refusal => new Refusal('unauthenticated', 'auth.unlisted', said('access.unlisted'));

const AUDIENCE = 'user';
const ISSUER = 'footbridge';
/** Users have no records; `createdBy` names the role. */
const USER_IDS: Record<Role, string> = { admin: '1', editor: '2', viewer: '3' };
const claims = z.object({
  sub: z.string(),
  role: z.enum(ROLES),
  jti: z.string(),
  iat: z.number(),
  exp: z.number(),
});

/**
 * Reads the data folder's key, made if missing. `known` tells which tokens are revoked or listed. Throws `StoreError`.
 */
export async function readUserKey(
  dataDir: string,
  known: Pick<UserTokens, 'isRevoked' | 'isListed'> = createUserTokens(dataDir),
): Promise<UserKey> {
  const file = join(dataDir, 'user.key');
  const bytes = (await readKey(file)) ?? (await makeKey(file));
  return createUserKey(createSecretKey(bytes), known);
}

/** Signs and checks users' tokens. Without `known` nothing counts as revoked or unlisted. */
export function createUserKey(key: KeyObject, known?: Pick<UserTokens, 'isRevoked' | 'isListed'>): UserKey {
  /** Returns a signed token with its times. It expires after so many milliseconds, cut to a year, and isn't listed. */
  function createToken(role: Role, milliseconds: number, now = Date.now()): MadeToken {
    const iat = Math.floor(now / 1000);
    const exp = Math.floor((now + Math.min(milliseconds, LONGEST_LIFE)) / 1000);
    // Hex: a leading dash is hard to pass to a command.
    const jti = randomBytes(12).toString('hex');
    const token = jwt.sign({ role, iat, exp }, key, {
      algorithm: 'HS256',
      audience: AUDIENCE,
      issuer: ISSUER,
      subject: USER_IDS[role],
      jwtid: jti,
    });
    const [issuedAt, expiresAt] = [iat, exp].map((seconds) => new Date(seconds * 1000).toISOString());
    return { token, jti, role, issuedAt: issuedAt ?? '', expiresAt: expiresAt ?? '' };
  }

  return {
    make: createToken,
    issue: (role, milliseconds, now) => createToken(role, milliseconds, now).token,
    /**
     * Returns the user of a token; undefined if it is invalid, revoked or too long-lived. Only `isOver` decides whether
     * it has expired. Throws `auth.unlisted` for one that lives over an hour and isn't listed.
     */
    verify(token, isOver) {
      try {
        const payload = jwt.verify(token, key, {
          algorithms: ['HS256'],
          audience: AUDIENCE,
          issuer: ISSUER,
          ignoreExpiration: true,
        });
        const { sub, role, jti, iat, exp } = claims.parse(payload);
        const life = (exp - iat) * 1000;
        if (life > LONGEST_LIFE || known?.isRevoked(jti) === true) return undefined;
        if (life > LONGEST_UNLISTED && known?.isListed(jti) === false) throw unlisted();
        if (isOver({ jti, issuedAt: iat * 1000, expiresAt: exp * 1000 })) return undefined;
        return { kind: 'user', userID: sub, role };
      } catch (error) {
        if (error instanceof Refusal) throw error;
        return undefined;
      }
    },
  };
}

/** Returns the key in the file; undefined without a file. Throws `StoreError` `damaged` for fewer than 32 bytes. */
async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readIfExists(file);
  if (text === undefined) return undefined;
  const key = Buffer.from(text.toString('utf8'), 'hex');
  if (key.length < 32)
    throw new StoreError(
      'damaged',
      `The key in ${file} is damaged. Put back a good copy, or delete the file: tokens made with it end.`,
    );
  return key;
}

/** Writes a random key unless the file exists; returns the file's key. */
async function makeKey(file: string): Promise<Buffer> {
  await createIfMissing(file, randomBytes(32).toString('hex'));
  const key = await readKey(file);
  if (!key) throw new Error(`The key file ${file} could not be made.`);
  return key;
}
