import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import jwt, { type SignOptions } from 'jsonwebtoken';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../../server/base/hashes.ts';
import type { IssuedToken, Node } from '../../../server/federation/model.ts';
import { NodeTokens } from '../../../server/federation/partners/node-tokens.ts';
import { ISSUED_TOKENS, NODES } from '../../../server/federation/tables.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { systemClockOnly } from '../../../server/base/trusted-clock.ts';
import type { DiskStore } from '../../../server/store/engine/open-store.ts';
import type { Partition } from '../../../server/store/store.ts';
import { openOwnStore, type OwnStore } from '../../support/harness/parts.ts';
import { pairedNode } from '../../support/data/paired-node.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const SECONDS = NOW / 1000;
const earlier = new Date(NOW - 1).toISOString();
const later = new Date(NOW + 86_400_000).toISOString();

let own: OwnStore;
/** Milliseconds since the node began. */
let passed = 0;
/** So far is our clock ahead. */
let ahead = 0;
let store: DiskStore;
let system: Partition;
let key: KeyObject;
let tokens: NodeTokens;
beforeEach(async () => {
  ahead = 0;
  passed = 0;
  own = await openOwnStore();
  ({ store } = own);
  system = await store.partition('system');
  key = createSecretKey(randomBytes(32));
  const clock = { ...systemClock, now: () => NOW + ahead, monotonic: () => passed };
  tokens = new NodeTokens({
    system,
    clock,
    known: systemClockOnly(clock),
    key,
    installation: 'oslo',
    onPaired: () => undefined,
  });
  for (const nodeID of ['7', '8']) await system.transaction((tx) => tx.put(NODES, nodeID, partner(nodeID)));
});
afterEach(async () => {
  await own.close();
});

const partner = (nodeID: string): Node => pairedNode({ nodeID, createdAt: new Date(NOW).toISOString() });

/**
 * A token signed with our own key and known to the store as one that we gave out, wrong in nothing but what the
 * test changes: only the one guard that it is made for can refuse it.
 */
async function issued(
  change: {
    sign?: SignOptions;
    claims?: object;
    signedWith?: KeyObject;
    record?: Partial<IssuedToken>;
    kept?: (token: string) => string;
  } = {},
): Promise<string> {
  const token = jwt.sign({ iat: SECONDS, exp: SECONDS + 3600, ...change.claims }, change.signedWith ?? key, {
    algorithm: 'HS256',
    audience: 'federation',
    issuer: 'footbridge:oslo',
    subject: '7',
    jwtid: 'known',
    ...change.sign,
  });
  const record: IssuedToken = {
    jti: 'known',
    nodeID: '7',
    hash: sha256((change.kept ?? ((same) => same))(token)),
    issuedAt: new Date(NOW).toISOString(),
    expiresAt: later,
    ...change.record,
  };
  await system.transaction((tx) => tx.put(ISSUED_TOKENS, record.jti, record));
  return token;
}

describe('A5: a token that is right in all but one thing', () => {
  it('opens as the partner that it was given to when nothing is wrong', async () => {
    expect(await tokens.verify(await issued())).toMatchObject({ kind: 'node', node: { nodeID: '7' } });
  });

  it.each<[string, Parameters<typeof issued>[0]]>([
    ['another algorithm of the same family', { sign: { algorithm: 'HS512' } }],
    ['another audience', { sign: { audience: 'user' } }],
    ['another issuer', { sign: { issuer: 'footbridge:bergen' } }],
    ['the subject of another partner', { sign: { subject: '8' } }],
    ['an end that has passed', { claims: { exp: SECONDS - 1 } }],
    ['a beginning that is still to come', { claims: { nbf: SECONDS + 600 } }],
    ['a foreign key', { signedWith: createSecretKey(randomBytes(32)) }],
    ['an id that was never given out', { sign: { jwtid: 'unknown' } }],
    ['the id of another token', { kept: (token) => `${token}x` }],
    ['a record that has ended', { record: { expiresAt: earlier } }],
    ['a record that was revoked before its first use', { record: { revokedAt: earlier } }],
    ['a record that was revoked after it was used', { record: { firstUsedAt: earlier, revokedAt: earlier } }],
  ])('%s: opens nothing', async (_what, change) => {
    expect(await tokens.verify(await issued(change))).toBeUndefined();
  });

  it('of a partner that was removed: opens nothing', async () => {
    const token = await issued();
    await system.transaction((tx) => tx.put(NODES, '7', { ...partner('7'), deletedAt: later }));
    expect(await tokens.verify(token)).toBeUndefined();
  });
});

describe('A5: the end of a token', () => {
  const DAY = 86_400_000;
  const good = { kind: 'node', node: { nodeID: '7' } };

  it('comes after 90 days that were seen to pass', async () => {
    const { token } = await tokens.renew('7');
    [ahead, passed] = [90 * DAY - 1, 90 * DAY - 1];
    expect(await tokens.verify(token)).toMatchObject(good);
    [ahead, passed] = [90 * DAY, 90 * DAY];
    expect(await tokens.verify(token)).toBeUndefined();
    expect(await tokens.findExpiredOwner(token)).toMatchObject({ nodeID: '7' });
  });

  it('does not come by a clock alone that was behind when it was given: 60 days must be seen to pass as well', async () => {
    ahead = -300 * DAY;
    const { token } = await tokens.renew('7');
    [ahead, passed] = [60 * DAY - 1, 60 * DAY - 1];
    expect(await tokens.verify(token)).toMatchObject(good);
    [ahead, passed] = [60 * DAY, 60 * DAY];
    expect(await tokens.verify(token)).toBeUndefined();
  });

  it('comes a year later at the latest, however little was seen to pass', async () => {
    const { token } = await tokens.renew('7');
    ahead = (90 + 365) * DAY - 1;
    expect(await tokens.verify(token)).toMatchObject(good);
    ahead++;
    expect(await tokens.verify(token)).toBeUndefined();
  });
});

describe('A8: a renewed token', () => {
  it.each([
    ['ended', { status: 'unpaired' }],
    ['was removed', { deletedAt: later }],
    ['is not complete yet', { status: 'pair_requested' }],
  ] as const)('is not given over a connection that %s while it was asked for', async (_what, change) => {
    expect(await tokens.verify((await tokens.renew('7')).token)).toMatchObject({ kind: 'node' });
    const before = (await system.page(ISSUED_TOKENS, { limit: 10 })).length;
    await system.transaction((tx) => tx.put(NODES, '7', { ...partner('7'), ...change }));
    await expect(tokens.renew('7')).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await system.page(ISSUED_TOKENS, { limit: 10 })).toHaveLength(before);
  });

  it('is not the end of those before while our clock stands years ahead: they are good once it is right', async () => {
    const { token } = await tokens.renew('7');
    expect(await tokens.verify(token)).toMatchObject({ kind: 'node' });
    const { token: unused } = await tokens.renew('7');
    ahead = 3 * 365 * 86_400_000;
    expect(await tokens.verify(token)).toBeUndefined();
    await tokens.renew('7');
    ahead = 0;
    expect(await tokens.verify(token)).toMatchObject({ kind: 'node', node: { nodeID: '7' } });
    expect(await tokens.verify(unused)).toMatchObject({ kind: 'node', node: { nodeID: '7' } });
  });

  it('ends one that was used before it, though that was given while our clock stood years ahead', async () => {
    ahead = 3 * 365 * 86_400_000;
    const { token: fromAhead } = await tokens.renew('7');
    expect(await tokens.verify(fromAhead)).toMatchObject({ kind: 'node' });
    ahead = 0;
    const { token } = await tokens.renew('7');
    expect(await tokens.verify(fromAhead)).toMatchObject({ kind: 'node' });
    expect(await tokens.verify(token)).toMatchObject({ kind: 'node' });
    expect(await tokens.verify(fromAhead)).toBeUndefined();
    expect(await tokens.verify(token)).toMatchObject({ kind: 'node' });
  });

  it('is not given more than 12 times in an hour, and then goes on', async () => {
    for (let n = 0; n < 12; n++) await tokens.renew('7');
    await expect(tokens.renew('7')).rejects.toMatchObject({ kind: 'too-many', code: 'token.too-many' });
    passed += 3_600_000;
    expect(await tokens.verify((await tokens.renew('7')).token)).toMatchObject({ kind: 'node' });
  });

  it('takes no place of one that a pairing under way waits for, however many are asked for', async () => {
    const token = await issued({ record: { pairing: 'answer', issuedAt: earlier } });
    const before = await tokens.verify(token);
    expect(before).toMatchObject({ kind: 'asked' });
    for (let n = 0; n < 20; n++) {
      await tokens.renew('7');
      passed += 10 * 60_000;
    }
    expect(await tokens.verify(token)).toEqual(before);
    expect((await system.page(ISSUED_TOKENS, { limit: 100 })).length).toBeLessThan(12);
  });
});
