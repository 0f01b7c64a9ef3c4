import { omit } from '../../base/omit.ts';
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Logger } from 'pino';
import { z } from 'zod';
import { Refusal } from '../../base/refusal.ts';
import type { Clock } from '../../base/clock.ts';
import type { Partition, Tx } from '../../store/store.ts';
import { equalSecrets, sha256 } from '../../base/hashes.ts';
import type { Identity } from './identity.ts';
import type { IssuedToken, Node } from '../model.ts';
import { mustBeConnected } from '../sharing/may-read.ts';
import { completed, outcomeOf } from './pairing-state.ts';
import type { Secrets } from '../ports.ts';
import { ISSUED_TOKENS, NODES, SIGNING_KEYS } from '../tables.ts';
import { said } from '../../words/said.ts';

/**
 * Tokens with which partners call us (docs/pairing.md: What is kept, and what it opens): JWT, HS256, 90 days, known
 * to the store, revocable.
 */
export interface NodeTokens {
  /** Makes a token; it is good once `record` is put by the same transaction that grants it. */
  make(nodeID: string): { readonly token: string; readonly record: IssuedToken };
  /** Puts a made token, and ends the oldest when a partner holds more than it can need. */
  grant(tx: Tx, record: IssuedToken): Promise<void>;
  /** Ends tokens of a partner from the next request on; all of them when none is named. */
  revoke(tx: Tx, nodeID: string, jti?: string): Promise<void>;
  /**
   * The very token that was made under this id, for as long as nobody has used it; undefined afterwards, and when it
   * was revoked or has ended. It is made again from what is in it: a token that waits to be told lies nowhere.
   */
  again(jti: string): Promise<string | undefined>;
  /** Whether nothing but our clock is in the way of {@link again}: it may be wrong, and put right. */
  isOverdue(jti: string): Promise<boolean>;
  /** The pairing that this token belongs to is complete: it is an ordinary one now, and all others end. */
  settle(tx: Tx, nodeID: string, jti: string): Promise<void>;
  /**
   * Gives the partner a fresh token; the old one stays good until the new one is used.
   * @throws Refusal `forbidden` once the connection has ended, `too-many` to who asks again and again: what is kept of
   * each token outlasts it
   */
  renew(nodeID: string): Promise<{ token: string; expiresAt: string }>;
  /** @returns whom the token stands for, or undefined when it is not one that is good now */
  verify(token: string): Promise<Exclude<Identity, { kind: 'user' }> | undefined>;
  /** The partner, also a removed one, whose token this was until it was revoked. */
  formerOwner(token: string): Promise<Node | undefined>;
  /** The partner whose token this is, and would be good if its time were not over by our clock. */
  overTime(token: string): Promise<Node | undefined>;
  /** Whether the token says that another Footbridge gave it. Nobody vouches for that: it only serves to tell the caller. */
  isOfAnother(token: string): boolean;
}

export interface NodeTokensDeps {
  readonly system: Partition;
  readonly clock: Clock;
  /**
   * The time by which a token has ended: a clock that was wrong when it was given, or is wrong now, ends none. The clock's
   * own unless given.
   */
  readonly believed?: (() => number) | undefined;
  readonly key: KeyObject;
  readonly installation: string;
  /** Told when a token's first use showed that a confirmed pairing is complete. */
  readonly onPaired: (node: Node) => void;
}

const AUDIENCE = 'federation';
/** How long a token of a Footbridge is good. */
export const TOKEN_LIFE_MS = 90 * 86_400_000;
const MOST_PER_NODE = 8;
/** Fresh tokens for one partner in an hour: one is wanted every few weeks, and again where its answer was lost. */
const MOST_RENEWALS = 12;
const HOUR_MS = 3_600_000;
const claims = z.object({ sub: z.string(), jti: z.string() });
const ISSUER = 'footbridge:';
const issued = z.object({ iss: z.string().startsWith(ISSUER).max(200) });

export function createNodeTokens({
  system,
  clock,
  believed = () => clock.now(),
  key,
  installation,
  onPaired,
}: NodeTokensDeps): NodeTokens {
  const issuer = `${ISSUER}${installation}`;
  const timestamp = (ms = clock.now()): string => new Date(ms).toISOString();
  /** By partner, of this run. */
  const renewals = new Map<string, { readonly since: number; readonly count: number }>();

  function countRenewal(nodeID: string): void {
    const now = clock.monotonic();
    const before = renewals.get(nodeID);
    const isSameHour = before !== undefined && now - before.since < HOUR_MS;
    const { since, count } = isSameHour ? before : { since: now, count: 0 };
    if (count >= MOST_RENEWALS)
      throw new Refusal('too-many', 'token.too-many', said('connection.renewed-too-often'));
    renewals.set(nodeID, { since, count: count + 1 });
  }

  /** @param ignoreExpiration whether its time may be over */
  function read(token: string, ignoreExpiration: boolean): z.infer<typeof claims> | undefined {
    try {
      const clockTimestamp = Math.floor(believed() / 1000);
      const times = { clockTimestamp, ignoreExpiration };
      const options = { algorithms: ['HS256' as const], audience: AUDIENCE, issuer, ...times };
      return claims.parse(jwt.verify(token, key, options));
    } catch {
      return undefined;
    }
  }

  /** What is kept of a token that we made; it may be revoked. */
  async function anyRecordOf(token: string, ignoreExpiration: boolean): Promise<IssuedToken | undefined> {
    const claim = read(token, ignoreExpiration);
    if (!claim) return undefined;
    const record = await system.get(ISSUED_TOKENS, claim.jti);
    if (record?.nodeID !== claim.sub) return undefined;
    return equalSecrets(record.hash, sha256(token)) ? record : undefined;
  }

  const isOver = ({ expiresAt }: IssuedToken): boolean => Date.parse(expiresAt) <= believed();

  /** As {@link anyRecordOf}, of one that has not ended. */
  async function recordOf(token: string): Promise<IssuedToken | undefined> {
    const record = await anyRecordOf(token, false);
    return record && !isOver(record) ? record : undefined;
  }

  async function goodRecord(token: string): Promise<IssuedToken | undefined> {
    const record = await recordOf(token);
    return record?.revokedAt === undefined ? record : undefined;
  }

  /** The new token works at the partner, so older ones have done their duty, and a pairing that gave it is complete. */
  async function noteFirstUse(jti: string): Promise<Node | undefined> {
    const { node, paired } = await system.transaction(async (tx) => {
      const nobody = { node: undefined, paired: false };
      const used = await tx.get(ISSUED_TOKENS, jti);
      if (!used || used.revokedAt !== undefined) return nobody;
      const owner = await tx.get(NODES, used.nodeID);
      const isPairing = used.pairing === 'first-use';
      const pairing = owner?.pairing?.as === 'inviter' ? owner.pairing : undefined;
      if (isPairing && (!owner || pairing?.yes?.token !== jti)) return nobody;
      tx.put(ISSUED_TOKENS, jti, { ...used, firstUsedAt: timestamp() });
      if (!isPairing || !owner || !pairing) {
        await revokeOlder(tx, used);
        return { node: owner, paired: false };
      }
      await tokens.settle(tx, used.nodeID, jti);
      const updatedAt = timestamp();
      const now: Node = { ...(await completed(tx, owner, outcomeOf(pairing), updatedAt)), updatedAt };
      tx.put(NODES, now.nodeID, now);
      return { node: now, paired: true };
    });
    if (node && paired) onPaired(node);
    return node;
  }

  /**
   * Those of a pairing under way are for it to end. One that was used before was given before, whatever our clock said
   * when it was given.
   */
  async function revokeOlder(tx: Tx, used: IssuedToken): Promise<void> {
    for (const { value } of await tx.find(ISSUED_TOKENS, 'node', used.nodeID)) {
      const isOlder =
        value.jti !== used.jti && (value.issuedAt <= used.issuedAt || value.firstUsedAt !== undefined);
      if (isOlder && value.revokedAt === undefined && value.pairing === undefined)
        tx.put(ISSUED_TOKENS, value.jti, { ...value, revokedAt: timestamp() });
    }
  }

  function sign({ jti, nodeID, issuedAt, expiresAt }: Omit<IssuedToken, 'hash'>): string {
    const seconds = (text: string): number => Math.floor(Date.parse(text) / 1000);
    return jwt.sign({ iat: seconds(issuedAt), exp: seconds(expiresAt) }, key, {
      algorithm: 'HS256',
      audience: AUDIENCE,
      issuer,
      subject: nodeID,
      jwtid: jti,
    });
  }

  const tokens: NodeTokens = {
    make(nodeID) {
      const jti = randomBytes(18).toString('base64url');
      const now = clock.now();
      const about = { jti, nodeID, issuedAt: timestamp(now), expiresAt: timestamp(now + TOKEN_LIFE_MS) };
      const token = sign(about);
      return { token, record: { ...about, hash: sha256(token) } };
    },

    async again(jti) {
      const record = await system.get(ISSUED_TOKENS, jti);
      if (!record || record.firstUsedAt !== undefined || record.revokedAt !== undefined) return undefined;
      const token = sign(record);
      return (await recordOf(token)) === undefined ? undefined : token;
    },

    async isOverdue(jti) {
      const record = await system.get(ISSUED_TOKENS, jti);
      const isUnused = record?.firstUsedAt === undefined && record?.revokedAt === undefined;
      return record !== undefined && isUnused && Date.parse(record.expiresAt) <= believed();
    },

    async settle(tx, nodeID, jti) {
      for (const { value } of await tx.find(ISSUED_TOKENS, 'node', nodeID)) {
        if (value.jti === jti) tx.put(ISSUED_TOKENS, jti, omit(value, 'pairing'));
        else if (value.revokedAt === undefined)
          tx.put(ISSUED_TOKENS, value.jti, { ...value, revokedAt: timestamp() });
      }
    },

    async grant(tx, record) {
      const earlier = (await tx.find(ISSUED_TOKENS, 'node', record.nodeID)).map(({ value }) => value);
      // Not those whose time is over: that is told by our clock alone, which may be wrong and put right.
      for (const value of earlier) if (value.revokedAt !== undefined) tx.delete(ISSUED_TOKENS, value.jti);
      const good = earlier.filter(
        ({ revokedAt, firstUsedAt, pairing }) => !revokedAt && !firstUsedAt && !pairing,
      );
      const surplus = good.sort((a, b) => a.issuedAt.localeCompare(b.issuedAt)).slice(0, -MOST_PER_NODE);
      for (const value of surplus) tx.delete(ISSUED_TOKENS, value.jti);
      tx.put(ISSUED_TOKENS, record.jti, record);
    },

    async revoke(tx, nodeID, jti) {
      for (const { value } of await tx.find(ISSUED_TOKENS, 'node', nodeID)) {
        if (value.revokedAt === undefined && (jti === undefined || value.jti === jti))
          tx.put(ISSUED_TOKENS, value.jti, { ...value, revokedAt: timestamp() });
      }
    },

    async renew(nodeID) {
      const { token, record } = tokens.make(nodeID);
      await system.transaction(async (tx) => {
        const node = await tx.get(NODES, nodeID);
        mustBeConnected(node?.deletedAt === undefined && node ? node : { status: 'unpaired' });
        countRenewal(nodeID);
        await tokens.grant(tx, record);
      });
      return { token, expiresAt: record.expiresAt };
    },

    async verify(token) {
      const record = await goodRecord(token);
      if (!record) return undefined;
      const isFirst = record.firstUsedAt === undefined && record.pairing !== 'answer';
      const node = isFirst ? await noteFirstUse(record.jti) : await system.get(NODES, record.nodeID);
      if (!node || node.deletedAt !== undefined) return undefined;
      return record.pairing === 'answer'
        ? { kind: 'asked', node, token: record.jti }
        : { kind: 'node', node };
    },

    async formerOwner(token) {
      const record = await recordOf(token);
      return record?.revokedAt === undefined ? undefined : system.get(NODES, record.nodeID);
    },

    async overTime(token) {
      const record = await anyRecordOf(token, true);
      if (!record || record.revokedAt !== undefined || !isOver(record)) return undefined;
      const node = await system.get(NODES, record.nodeID);
      // Both keys end at the same time, as a rule, and then the connection has ended here by ours.
      const isConnected = node?.status === 'paired' || node?.endedByTime === true;
      return isConnected && node.deletedAt === undefined ? node : undefined;
    },

    isOfAnother(token) {
      const claim = issued.safeParse(jwt.decode(token));
      return claim.success && claim.data.iss !== issuer;
    },
  };
  return tokens;
}

/**
 * The key that signs partners' tokens, from the store; made when there is none. One that cannot be opened
 * (a store restored on another computer) is replaced, which ends all tokens: partners must pair again.
 */
export async function openSigningKey(
  system: Partition,
  secrets: Secrets,
  log: Pick<Logger, 'warn'>,
): Promise<KeyObject> {
  const kept = await system.get(SIGNING_KEYS, 'node-tokens');
  if (kept) {
    try {
      return createSecretKey(Buffer.from(await secrets.open(kept.sealed), 'hex'));
    } catch (error) {
      log.warn({ err: error }, 'the signing key cannot be opened on this computer: partners must pair again');
    }
  }
  const bytes = randomBytes(32);
  const sealed = await secrets.seal(bytes.toString('hex'));
  await system.transaction((tx) => tx.put(SIGNING_KEYS, 'node-tokens', { sealed }));
  return createSecretKey(bytes);
}

/** When a token that a partner gave us ends, if it says so (`exp` of a JWT); it stays opaque otherwise. */
export function tokenExpiry(token: string): string | undefined {
  const payload = z.object({ exp: z.number().positive().max(8.64e12) }).safeParse(jwt.decode(token));
  return payload.success ? new Date(payload.data.exp * 1000).toISOString() : undefined;
}

/** Which installation a Footbridge's token says that it was made by; undefined where it is no such token. */
export function tokenInstallation(token: string): string | undefined {
  const payload = issued.safeParse(jwt.decode(token));
  return payload.success ? payload.data.iss.slice(ISSUER.length) : undefined;
}
