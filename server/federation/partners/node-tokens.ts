import { omit } from '../../base/omit.ts';
import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Logger } from 'pino';
import { z } from 'zod';
import { Refusal } from '../../base/refusal.ts';
import type { Clock } from '../../base/clock.ts';
import type { TrustedClock } from '../../base/trusted-clock.ts';
import type { Partition, Tx } from '../../store/store.ts';
import { equalSecrets, sha256, tokenProof } from '../../base/hashes.ts';
import type { Identity } from './identity.ts';
import type { IssuedToken, Node } from '../model.ts';
import { mustBeConnected } from '../sharing/may-read.ts';
import { completePairing, approvedOutcome } from './pairing-state.ts';
import type { Secrets } from '../ports.ts';
import { ISSUED_TOKENS, NODES, SIGNING_KEYS } from '../tables.ts';
import { said } from '../../words/said.ts';

export interface NodeTokensDeps {
  readonly system: Partition;
  readonly clock: Clock;
  /** Decides when tokens begin and end: no wrong clock ends one. */
  readonly known: TrustedClock;
  readonly key: KeyObject;
  readonly installation: string;
  /** A token's first use completed a confirmed pairing. */
  readonly onPaired: (node: Node) => void;
}

const AUDIENCE = 'federation';
const DAY_MS = 86_400_000;
export const TOKEN_LIFE_MS = 90 * DAY_MS;
/** Must have elapsed too, as the clock may have been behind; time off counts in part. */
const MIN_SEEN_MS = 60 * DAY_MS;
/** Tokens end at the latest so long after expiry. */
export const LATEST_MS = 365 * DAY_MS;
const MAX_PER_NODE = 8;
/** Partners need one every few weeks. */
const MAX_RENEWALS = 12;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const claims = z.object({ sub: z.string(), jti: z.string(), exp: z.number() });
const ISSUER = 'footbridge:';
const issued = z.object({ iss: z.string().startsWith(ISSUER).max(200) });

/** Partners' tokens (docs/pairing.md: What is kept, and what it opens): JWT, 90 days. */
export class NodeTokens {
  readonly #deps: NodeTokensDeps;
  readonly #issuer: string;
  readonly #renewals = new Map<string, { readonly since: number; readonly count: number }>();

  constructor(deps: NodeTokensDeps) {
    this.#deps = deps;
    this.#issuer = `${ISSUER}${deps.installation}`;
  }

  /** Returns a new token, which lasts 90 days and is valid only once {@link grant} has stored its record. */
  create(nodeID: string): { readonly token: string; readonly record: IssuedToken } {
    const jti = randomBytes(18).toString('base64url');
    const { clock, known } = this.#deps;
    // A slow clock's token would expire once the clock is corrected.
    const now = Math.max(clock.now(), known.highWater());
    const about = {
      jti,
      nodeID,
      issuedAt: this.#timestamp(now),
      expiresAt: this.#timestamp(now + TOKEN_LIFE_MS),
      seen: known.elapsed(),
    };
    const token = this.#signToken(about);
    return { token, record: { ...about, hash: sha256(token) } };
  }

  /** Returns the same token; undefined if its id is unknown, or it was used, revoked or expired. */
  async recreate(jti: string): Promise<string | undefined> {
    const record = await this.#deps.system.get(ISSUED_TOKENS, jti);
    if (!record || record.firstUsedAt !== undefined || record.revokedAt !== undefined) return undefined;
    const token = this.#signToken(record);
    return (await this.#findRecord(token))?.isOver === false ? token : undefined;
  }

  /** Returns whether the token is unused, unrevoked and expired by our clock, which may be wrong. */
  async isOverdue(jti: string): Promise<boolean> {
    const record = await this.#deps.system.get(ISSUED_TOKENS, jti);
    const isUnused = record?.firstUsedAt === undefined && record?.revokedAt === undefined;
    return record !== undefined && isUnused && this.#hasExpired(record);
  }

  /** Makes a pairing's token `jti` the connection's, and revokes the partner's others. */
  async completePairingToken(tx: Tx, nodeID: string, jti: string): Promise<void> {
    for (const { value } of await tx.find(ISSUED_TOKENS, 'node', nodeID)) {
      if (value.jti === jti) tx.put(ISSUED_TOKENS, jti, omit(value, 'pairing'));
      else if (value.revokedAt === undefined)
        tx.put(ISSUED_TOKENS, value.jti, { ...value, revokedAt: this.#timestamp() });
    }
  }

  /**
   * Stores a token's record, which makes it valid. Deletes the partner's tokens revoked more than a minute ago, and its
   * unused ones, except a pairing's, beyond the latest eight.
   */
  async grant(tx: Tx, record: IssuedToken): Promise<void> {
    const earlier = (await tx.find(ISSUED_TOKENS, 'node', record.nodeID)).map(({ value }) => value);
    // Expired ones stay, as our clock may be wrong.
    for (const value of earlier)
      if (value.revokedAt !== undefined && !this.#isJustRevoked(value)) tx.delete(ISSUED_TOKENS, value.jti);
    const good = earlier.filter(
      ({ revokedAt, firstUsedAt, pairing }) => !revokedAt && !firstUsedAt && !pairing,
    );
    const surplus = good.sort((a, b) => a.issuedAt.localeCompare(b.issuedAt)).slice(0, -MAX_PER_NODE);
    for (const value of surplus) tx.delete(ISSUED_TOKENS, value.jti);
    tx.put(ISSUED_TOKENS, record.jti, record);
  }

  /** Revokes the token `jti`, or all of the partner's, from the next request on. */
  async revoke(tx: Tx, nodeID: string, jti?: string): Promise<void> {
    for (const { value } of await tx.find(ISSUED_TOKENS, 'node', nodeID)) {
      if (value.revokedAt === undefined && (jti === undefined || value.jti === jti))
        tx.put(ISSUED_TOKENS, value.jti, { ...value, revokedAt: this.#timestamp() });
    }
  }

  /** Revokes all of the partner's tokens but those of a pairing in progress. */
  async revokeConnection(tx: Tx, nodeID: string): Promise<void> {
    for (const { value } of await tx.find(ISSUED_TOKENS, 'node', nodeID))
      if (value.pairing === undefined) await this.revoke(tx, nodeID, value.jti);
  }

  /**
   * Issues a connected partner's new token; the old one stays valid until the new one is first used. Throws `forbidden`
   * for other partners, `token.too-many` above twelve in an hour.
   */
  async renew(nodeID: string): Promise<{ token: string; expiresAt: string }> {
    const { token, record } = this.create(nodeID);
    await this.#deps.system.transaction(async (tx) => {
      const node = await tx.get(NODES, nodeID);
      mustBeConnected(node?.deletedAt === undefined && node ? node : { status: 'unpaired' });
      this.#countRenewal(nodeID);
      await this.grant(tx, record);
    });
    return { token, expiresAt: record.expiresAt };
  }

  /** Returns our signature of an unsigned token, or of what has that form. */
  sign(unsigned: string): string {
    return createHmac('sha256', this.#deps.key).update(unsigned).digest('base64url');
  }

  /**
   * Returns a proof that we issued a token, given without its signature, for whoever holds it whole. Needs no record: a
   * partner must know us by tokens that we forgot, too.
   */
  proveIssued(unsigned: string, challenge: string): string {
    return tokenProof(`${unsigned}.${this.sign(unsigned)}`, 'answers a greeting', challenge);
  }

  /**
   * Returns a valid token's partner, undefined for other tokens or a deleted partner; `asked` for a token with which
   * the inviter answers our request. A first use revokes older tokens and may complete a pairing.
   */
  async verify(token: string): Promise<Exclude<Identity, { kind: 'user' }> | undefined> {
    const record = await this.#findValidRecord(token);
    if (!record) return undefined;
    const isFirst = record.firstUsedAt === undefined && record.pairing !== 'answer';
    const node = isFirst
      ? await this.#recordFirstUse(record.jti)
      : await this.#deps.system.get(NODES, record.nodeID);
    if (!node || node.deletedAt !== undefined) return undefined;
    return record.pairing === 'answer' ? { kind: 'asked', node, token: record.jti } : { kind: 'node', node };
  }

  /**
   * Returns the partner, even removed, that had this token until it was revoked; undefined for tokens that weren't, or
   * have expired. Without a record, it counts as revoked if older than the present connection.
   */
  async findFormerOwner(token: string): Promise<Node | undefined> {
    const claim = this.#readSigned(token);
    if (!claim) return undefined;
    const isKnown = (await this.#deps.system.get(ISSUED_TOKENS, claim.jti)) !== undefined;
    const { record, isOver } = (await this.#findRecord(token)) ?? {};
    if (isKnown && (record?.revokedAt === undefined || isOver)) return undefined;
    const node = await this.#deps.system.get(NODES, claim.sub);
    // One of the present pairing may be unknown after a restore.
    const issuedAt = claim.exp * 1000 - TOKEN_LIFE_MS;
    return !isKnown && issuedAt > Date.parse(node?.tokenSince ?? '') ? undefined : node;
  }

  /** Returns whether this token was revoked within the last minute. */
  async wasJustRevoked(token: string): Promise<boolean> {
    const found = await this.#findRecord(token);
    return found !== undefined && this.#isJustRevoked(found.record);
  }

  /** Returns whether a token was revoked within the last minute, by the system clock; false for an unrevoked one. */
  #isJustRevoked({ revokedAt = '' }: IssuedToken): boolean {
    return Math.abs(this.#deps.clock.now() - Date.parse(revokedAt)) < MINUTE_MS;
  }

  /**
   * Returns the connected partner (or one ended by time) whose unrevoked token our clock ended; undefined for other
   * tokens.
   */
  async findExpiredOwner(token: string): Promise<Node | undefined> {
    const { record, isOver } = (await this.#findRecord(token)) ?? {};
    if (!record || record.revokedAt !== undefined || !isOver) return undefined;
    const node = await this.#deps.system.get(NODES, record.nodeID);
    // Both tokens usually expire together: our clock ended the connection.
    const isConnected = node?.status === 'paired' || node?.endedByTime === true;
    return isConnected && node.deletedAt === undefined ? node : undefined;
  }

  /** Returns whether the token claims to be another Footbridge's; unverified, for error messages only. */
  isOfOtherFootbridge(token: string): boolean {
    const claim = issued.safeParse(jwt.decode(token));
    return claim.success && claim.data.iss !== this.#issuer;
  }

  #timestamp(ms: number = this.#deps.clock.now()): string {
    return new Date(ms).toISOString();
  }

  /** Counts a renewal. Throws `token.too-many` beyond twelve in an hour. */
  #countRenewal(nodeID: string): void {
    const now = this.#deps.clock.monotonic();
    const before = this.#renewals.get(nodeID);
    const isSameHour = before !== undefined && now - before.since < HOUR_MS;
    const { since, count } = isSameHour ? before : { since: now, count: 0 };
    if (count >= MAX_RENEWALS)
      throw new Refusal('too-many', 'token.too-many', said('connection.renewed-too-often'));
    this.#renewals.set(nodeID, { since, count: count + 1 });
  }

  /** Returns the claims of a token that we signed, even an expired one; undefined for other tokens. */
  #readSigned(token: string): z.infer<typeof claims> | undefined {
    try {
      const times = {
        clockTimestamp: Math.floor(this.#deps.known.now() / 1000),
        ignoreExpiration: true,
      };
      const options = { algorithms: ['HS256' as const], audience: AUDIENCE, issuer: this.#issuer, ...times };
      return claims.parse(jwt.verify(token, this.#deps.key, options));
    } catch {
      return undefined;
    }
  }

  /** Returns a token's record, and whether it expired; undefined if not ours, deleted or another's. */
  async #findRecord(
    token: string,
  ): Promise<{ readonly record: IssuedToken; readonly isOver: boolean } | undefined> {
    const claim = this.#readSigned(token);
    if (!claim) return undefined;
    const record = await this.#deps.system.get(ISSUED_TOKENS, claim.jti);
    if (record?.nodeID !== claim.sub || !equalSecrets(record.hash, sha256(token))) return undefined;
    return { record, isOver: this.#hasExpired(record, claim.exp * 1000) };
  }

  /**
   * Returns whether a token expired: 60 days passed and the trusted clock passed its end, or that was a year ago.
   * `named`: the token's own expiry.
   */
  #hasExpired({ expiresAt, seen }: IssuedToken, named = Infinity): boolean {
    const { known } = this.#deps;
    const past = known.now() - Math.min(Date.parse(expiresAt), named);
    return past >= LATEST_MS || (past >= 0 && known.elapsed() - (seen ?? -Infinity) >= MIN_SEEN_MS);
  }

  /** Returns the record of a token; undefined if it is unknown, revoked or expired. */
  async #findValidRecord(token: string): Promise<IssuedToken | undefined> {
    const { record, isOver } = (await this.#findRecord(token)) ?? {};
    return record?.revokedAt === undefined && !isOver ? record : undefined;
  }

  /**
   * Records a token's first use and returns its partner: revokes older ones, or completes the pairing for which it was
   * made and calls `onPaired`. Returns undefined if either ended meanwhile.
   */
  async #recordFirstUse(jti: string): Promise<Node | undefined> {
    const { node, paired } = await this.#deps.system.transaction(async (tx) => {
      const nobody = { node: undefined, paired: false };
      const used = await tx.get(ISSUED_TOKENS, jti);
      if (!used || used.revokedAt !== undefined) return nobody;
      const owner = await tx.get(NODES, used.nodeID);
      const isPairing = used.pairing === 'first-use';
      const pairing = owner?.pairing?.as === 'inviter' ? owner.pairing : undefined;
      if (isPairing && (!owner || pairing?.yes?.token !== jti)) return nobody;
      tx.put(ISSUED_TOKENS, jti, { ...used, firstUsedAt: this.#timestamp() });
      if (!isPairing || !owner || !pairing) {
        await this.#revokeOlder(tx, used);
        return { node: owner, paired: false };
      }
      await this.completePairingToken(tx, used.nodeID, jti);
      const updatedAt = this.#timestamp();
      const now: Node = {
        ...(await completePairing(tx, owner, approvedOutcome(pairing), updatedAt)),
        updatedAt,
      };
      tx.put(NODES, now.nodeID, now);
      return { node: now, paired: true };
    });
    if (node && paired) this.#deps.onPaired(node);
    return node;
  }

  /**
   * In this transaction, revokes the partner's other tokens that are older than this one or used, except those of a
   * pairing.
   */
  async #revokeOlder(tx: Tx, used: IssuedToken): Promise<void> {
    for (const { value } of await tx.find(ISSUED_TOKENS, 'node', used.nodeID)) {
      const isOlder =
        value.jti !== used.jti && (value.issuedAt <= used.issuedAt || value.firstUsedAt !== undefined);
      if (isOlder && value.revokedAt === undefined && value.pairing === undefined)
        tx.put(ISSUED_TOKENS, value.jti, { ...value, revokedAt: this.#timestamp() });
    }
  }

  /** Returns a record's signed JWT, always the same. */
  #signToken({ jti, nodeID, issuedAt, expiresAt }: Omit<IssuedToken, 'hash' | 'seen'>): string {
    const seconds = (text: string): number => Math.floor(Date.parse(text) / 1000);
    return jwt.sign({ iat: seconds(issuedAt), exp: seconds(expiresAt) }, this.#deps.key, {
      algorithm: 'HS256',
      audience: AUDIENCE,
      issuer: this.#issuer,
      subject: nodeID,
      jwtid: jti,
    });
  }
}

/**
 * Returns the key that signs partners' tokens; if missing or unreadable makes and stores a new one, which ends all
 * tokens.
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

/** Returns a JWT's `exp`, unverified, as ISO 8601; undefined for other tokens. */
export function tokenExpiry(token: string): string | undefined {
  const payload = z.object({ exp: z.number().positive().max(8.64e12) }).safeParse(jwt.decode(token));
  return payload.success ? new Date(payload.data.exp * 1000).toISOString() : undefined;
}

/** Returns the installation that issued a Footbridge's token, unverified; undefined for other tokens. */
export function tokenInstallation(token: string): string | undefined {
  const payload = issued.safeParse(jwt.decode(token));
  return payload.success ? payload.data.iss.slice(ISSUER.length) : undefined;
}
