import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { Refusal } from '../../base/refusal.ts';
import { makeOnce, readIfThere } from '../../store/files/own-file.ts';
import { StoreError } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import type { Identity, Role } from './identity.ts';
import { ROLES } from './identity.ts';
import type { TokenLife } from './user-token-lives.ts';
import { createUserTokens, type UserToken, type UserTokens } from './user-tokens.ts';

/** The longest that a token of a user is good for. */
export const LONGEST_LIFE = 366 * 86_400_000;

/** A token that was made, and how it is known. */
export interface MadeToken extends UserToken {
  readonly token: string;
}

/**
 * Issues and checks the tokens of this office's users. The key lies in the data folder, readable by its owner
 * only, so that `footbridge token` needs no running node: who can read the folder may act on it.
 */
export interface UserKey {
  /** @param milliseconds how long the token is good for, from `now` on; {@link LONGEST_LIFE} at the most */
  make(role: Role, milliseconds: number, now?: number): MadeToken;
  /** The token alone. */
  issue(role: Role, milliseconds: number, now?: number): string;
  /**
   * @returns undefined when the token is not one of ours, not for users, ended, revoked, or good for too long
   * @param isOver whether such a one has ended
   * @throws Refusal `unauthenticated` for one of ours that is not listed and so could not be revoked
   */
  verify(token: string, isOver: (life: TokenLife) => boolean): Identity | undefined;
}

/** What the program makes for itself for one command is not listed, and ends as soon. */
const LONGEST_UNLISTED = 3_600_000;

/** As older versions made them, and as there are where an older copy of the data folder is used. */
const unlisted = (): Refusal => new Refusal('unauthenticated', 'auth.unlisted', said('access.unlisted'));

const AUDIENCE = 'user';
const ISSUER = 'footbridge';
/** Users have no records of their own; `createdBy` names the role that acted. */
const USER_IDS: Record<Role, string> = { admin: '1', editor: '2', viewer: '3' };
const claims = z.object({
  sub: z.string(),
  role: z.enum(ROLES),
  jti: z.string(),
  iat: z.number(),
  exp: z.number(),
});

/**
 * The key of this data folder, made when it has none.
 * @param known what is known of tokens; what their file says unless given
 */
export async function readUserKey(
  dataDir: string,
  known: Pick<UserTokens, 'isRevoked' | 'isListed'> = createUserTokens(dataDir),
): Promise<UserKey> {
  const file = join(dataDir, 'user.key');
  const bytes = (await readKey(file)) ?? (await makeKey(file));
  return createUserKey(createSecretKey(bytes), known);
}

export function createUserKey(key: KeyObject, known?: Pick<UserTokens, 'isRevoked' | 'isListed'>): UserKey {
  function make(role: Role, milliseconds: number, now = Date.now()): MadeToken {
    const iat = Math.floor(now / 1000);
    const exp = Math.floor((now + Math.min(milliseconds, LONGEST_LIFE)) / 1000);
    // In digits and a to f: a name that begins with a dash is hard to give to a command.
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
    make,
    issue: (role, milliseconds, now) => make(role, milliseconds, now).token,
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

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  const key = Buffer.from(text.toString('utf8'), 'hex');
  if (key.length < 32)
    throw new StoreError(
      'damaged',
      `The key in ${file} is damaged. Put back a good copy, or delete the file: tokens made with it end.`,
    );
  return key;
}

async function makeKey(file: string): Promise<Buffer> {
  await makeOnce(file, randomBytes(32).toString('hex'));
  const key = await readKey(file);
  if (!key) throw new Error(`The key file ${file} could not be made.`);
  return key;
}
