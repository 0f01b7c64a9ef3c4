import { createHmac } from 'node:crypto';
import { english } from '../../../server/words/said.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withoutChecksum } from '../../support/harness/pairing.ts';
import { describeAsker } from '../../../server/app/summary.ts';
import { sha256 } from '../../../server/base/hashes.ts';
import { omit } from '../../../server/base/omit.ts';
import { formatNodeURI } from '../../../server/federation/partners/node-uri.ts';
import { mustBeConnected } from '../../../server/federation/sharing/may-read.ts';
import { msUntilNextWake } from '../../../server/sync/schedule/sync-scheduler.ts';
import { logRejectedAccess } from '../../../server/http/auth/auth.ts';
import type { Exposure, Node, SharedModule } from '../../../server/federation/model.ts';
import {
  EXPOSURES,
  INVITES,
  ISSUED_TOKENS,
  NODES,
  SHARED_MODULES,
} from '../../../server/federation/tables.ts';
import {
  connect,
  incoming,
  noLists,
  refusedWith,
  testClock,
  testOffice,
  type TestClock,
  type TestOffice,
} from './two-offices.ts';

// The true ones cost tens of milliseconds each, on purpose; test/unit/federation/words.test.ts looks at them.
vi.mock(import('../../../server/federation/partners/words.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  verificationWords: (facts) =>
    Promise.resolve((sha256(JSON.stringify(facts)).match(/.{8}/g) ?? []).slice(0, 5).join(' ')),
}));

const PIN_A = '3f9c'.repeat(16);
const PIN_B = 'b07d'.repeat(16);
const PIN_THIEF = '91e4'.repeat(16);
let clock: TestClock;
let a: TestOffice;
let b: TestOffice;
let idA: string;
let idB: string;
beforeEach(async () => {
  clock = testClock();
  a = await testOffice('Oslo', noLists, clock);
  b = await testOffice('Bergen', noLists, clock);
  a.address = { listener: 'https://192.168.1.10:7420/federation', certificate: PIN_A };
  b.address = { listener: 'https://192.168.1.20:7420/federation', certificate: PIN_B };
  connect(a, b);
  const { nodeID } = await a.federation.nodes.create({ name: 'Bergen' }, '1');
  idA = nodeID;
  idB = (await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1')).nodeID;
  await b.federation.pairing.pair(idB);
  await a.federation.pairing.confirm(idA);
  clock.advance(60_000);
});
afterEach(() => Promise.all([a.close(), b.close()]));

/** The connection as it is called by, and the token; not what is being agreed on beside it. */
async function connection(of: TestOffice, nodeID: string): Promise<unknown> {
  const node = await of.federation.nodes.get(nodeID);
  return {
    ...omit(node, 'pairing', 'updatedAt', 'invite'),
    held: await of.federation.tokens.tokenFor(nodeID),
  };
}

/** An invite as a thief would write it: the known pair at the known address, with a certificate of its own. */
async function forged(): Promise<string> {
  const uri = new URL((await a.federation.invites.create(idA)).uri);
  uri.searchParams.set('fp', PIN_THIEF);
  uri.password = 'Zq7'.padEnd(32, 'x1Y');
  return uri.toString();
}

const refused = (kind: string): object => expect.objectContaining({ name: 'Refusal', kind }) as object;

describe('an invite for a partner that is connected', () => {
  it('is looked at, taken in, used in vain and given up without a change to address, certificate or token', async () => {
    const before = await connection(b, idB);
    const uri = await forged();
    expect((await b.federation.invites.inspect(uri)).alreadyKnown).toBe(idB);
    expect((await b.federation.invites.accept(uri, {}, '1')).nodeID).toBe(idB);
    expect(await connection(b, idB)).toEqual(before);
    b.calls = { ...b.calls, handshake: () => Promise.reject(new Error('The line was cut.')) };
    await expect(b.federation.pairing.pair(idB)).rejects.toEqual(refused('partner-failed'));
    expect(await connection(b, idB)).toEqual(before);
    b.calls = { ...b.calls, handshake: () => Promise.reject(refusedWith(410, 'No.', 'invite.used')) };
    await expect(b.federation.pairing.pair(idB)).rejects.toEqual(refused('partner-failed'));
    expect(await connection(b, idB)).toEqual(before);
    expect((await b.federation.nodes.get(idB)).pairing).toBeUndefined();
  });

  it('leaves the role of a connection that ended by our clock: it may go on', async () => {
    await b.federation.disconnects.markEndedByTime(idB);
    await b.federation.invites.create(idB);
    expect(await b.federation.disconnects.reconnect(idB)).toMatchObject({
      status: 'paired',
      role: 'invitee',
    });
  });

  it('changes which relay a living connection may use only once it completes', async () => {
    const shown = { by: '1', at: expect.any(String) as string };
    const first = { host: 'relay.example', port: 7422 };
    const second = { host: 'other.example', port: 443 };
    const consent = async (): Promise<unknown> => (await b.federation.nodes.get(idB)).relayConsent;
    const invite = async (): Promise<string> => (await a.federation.invites.create(idA)).uri;
    const pairAgain = async (uri: string, relay?: typeof first): Promise<void> => {
      await b.federation.invites.accept(uri, { nodeID: idB, ...(relay && { relay }) }, '1');
      await b.federation.pairing.pair(idB);
    };
    await pairAgain(await invite(), first);
    await a.federation.pairing.confirm(idA);
    expect(await consent()).toEqual({ ...shown, ...first });

    const asked: Node[] = [];
    const { calls } = b;
    b.calls = { ...calls, handshake: (node, call) => (asked.push(node), calls.handshake(node, call)) };
    const uri = await invite();
    await b.federation.invites.accept(uri, { nodeID: idB }, '1');
    // The same invite, pasted again with the consent.
    await pairAgain(uri, second);
    expect(asked[0]?.relayConsent, 'the pairing itself may use its relay').toEqual({ ...shown, ...second });
    expect(await consent()).toEqual({ ...shown, ...first });
    await a.federation.disconnects.declinePairing(idA, '1');
    expect(await consent()).toEqual({ ...shown, ...first });

    await pairAgain(await invite(), second);
    await a.federation.pairing.confirm(idA);
    expect(await consent()).toEqual({ ...shown, ...second });
    await pairAgain(await invite());
    await a.federation.pairing.confirm(idA);
    expect(await consent(), 'an invite without a relay withdraws no consent').toEqual({
      ...shown,
      ...second,
    });
  });

  it('leaves no consent of an invite that was given up: to the connection that ended, or to the next one', async () => {
    const allowed = async (nodeID: string): Promise<unknown> => {
      const { relayConsent, ownNetwork } = await b.federation.nodes.get(nodeID);
      return { relay: relayConsent?.host, ownNetwork };
    };
    const pairAgain = async (nodeID: string, by: string): Promise<void> => {
      await b.federation.pairing.pair(nodeID);
      await a.federation.pairing.confirm(by);
    };
    const evil = { relay: { host: 'evil.example', port: 443 }, ownNetwork: true };
    const good = { relay: { host: 'relay.example', port: 443 }, ownNetwork: false };
    const invite = async (): Promise<string> => (await a.federation.invites.create(idA)).uri;
    await b.federation.nodes.update(idB, { ownNetwork: false }, '1');
    await b.federation.invites.accept(await invite(), { nodeID: idB, ...good }, '1');
    await pairAgain(idB, idA);
    await b.federation.disconnects.recordEndedByPartner(idB);
    await b.federation.invites.accept(await invite(), { nodeID: idB, ...evil }, '1');
    await b.federation.disconnects.declinePairing(idB, '1');
    expect(await allowed(idB)).toEqual({ relay: 'relay.example', ownNetwork: false });
    await b.federation.invites.accept(await invite(), { nodeID: idB, ownNetwork: false }, '1');
    await pairAgain(idB, idA);
    expect(await allowed(idB)).toEqual({ relay: 'relay.example', ownNetwork: false });

    const { nodeID: fresh } = await a.federation.nodes.create({ name: 'Bergen again' }, '1');
    const inviteFresh = async (): Promise<string> => (await a.federation.invites.create(fresh)).uri;
    const { nodeID } = await b.federation.nodes.create({ name: 'Oslo again' }, '1');
    await b.federation.invites.accept(await inviteFresh(), { nodeID, ...evil }, '1');
    await b.federation.invites.accept(await inviteFresh(), { nodeID, ownNetwork: false }, '1');
    await pairAgain(nodeID, fresh);
    expect(await allowed(nodeID)).toEqual({ relay: undefined, ownNetwork: false });
  });

  it('from elsewhere is used there, and leaves the office network to the same partner, but to no other', async () => {
    const asked: boolean[] = [];
    const { calls } = b;
    b.calls = {
      ...calls,
      handshake: (node, call) => (asked.push(node.ownNetwork), calls.handshake(node, call)),
    };
    const pairElsewhere = async (from: TestOffice, by: string): Promise<void> => {
      const { uri } = await from.federation.invites.create(by);
      await b.federation.invites.accept(uri, { nodeID: idB, ownNetwork: false }, '1');
      await b.federation.pairing.pair(idB);
      await from.federation.pairing.confirm(by);
    };
    const ownNetwork = async (): Promise<boolean> => (await b.federation.nodes.get(idB)).ownNetwork;
    expect(await ownNetwork()).toBe(true);
    await pairElsewhere(a, idA);
    expect([await ownNetwork(), asked]).toEqual([true, [false]]);
    const another = await testOffice('Hamar', noLists, clock);
    another.address = { listener: 'https://192.168.1.66:7420/federation', certificate: PIN_THIEF };
    connect(another, b);
    await pairElsewhere(another, (await another.federation.nodes.create({ name: 'Bergen' }, '1')).nodeID);
    expect(await ownNetwork()).toBe(false);
    await another.close();
  });

  it('asks at the new address, and still nothing changes until the partner says yes; then all of it at once', async () => {
    const [atA, atB] = [await connection(a, idA), await connection(b, idB)];
    a.address = { listener: 'https://192.168.1.77:7420/federation', certificate: PIN_THIEF };
    const asked: Node[] = [];
    const { calls } = b;
    b.calls = {
      ...calls,
      handshake: (node, call) => {
        asked.push(node);
        return calls.handshake(node, call);
      },
    };
    const { uri } = await a.federation.invites.create(idA);
    await b.federation.invites.accept(uri, { nodeID: idB }, '1');
    await b.federation.pairing.pair(idB);
    expect(asked[0]).toMatchObject({ baseURL: a.address.listener, certificate: PIN_THIEF });
    expect([await connection(a, idA), await connection(b, idB)]).toEqual([atA, atB]);
    await a.federation.pairing.confirm(idA);
    expect(await b.federation.nodes.get(idB)).toMatchObject({
      status: 'paired',
      baseURL: a.address.listener,
      certificate: PIN_THIEF,
    });
    expect(await connection(b, idB)).not.toHaveProperty('held', (atB as { held: string }).held);
  });

  it('used by somebody else changes nothing for us and opens nothing, until our user says yes', async () => {
    const before = await connection(a, idA);
    const old = await b.federation.tokens.tokenFor(idB);
    const { uri } = await a.federation.invites.create(idA);
    await a.federation.handshakes.handshake({
      nodeIDs: [idA],
      inviteToken: new URL(uri).password,
      token: 'a-token-of-somebody-else-altogether',
      nodeIDB: '4711',
    });
    expect(await connection(a, idA)).toEqual(before);
    expect(await a.federation.tokens.verify(old)).toMatchObject({ kind: 'node' });
    await a.federation.disconnects.declinePairing(idA, '1');
    expect(await connection(a, idA)).toEqual(before);
    expect((await a.federation.nodes.get(idA)).pairing).toBeUndefined();
  });

  it('gives away a token that opens the answer to us and nothing else, whoever gets it', async () => {
    const uri = await forged();
    await b.federation.invites.accept(uri, {}, '1');
    let stolen = '';
    b.calls = {
      ...b.calls,
      handshake: (node, { token }) => {
        stolen = token;
        return Promise.resolve({ footbridge: true, baseURL: node.baseURL });
      },
    };
    await b.federation.pairing.pair(idB);
    const held = await a.federation.tokens.tokenFor(idA);
    expect(await b.federation.tokens.verify(stolen)).toMatchObject({ kind: 'asked' });
    // The partner's own token goes on, however often the other one was shown.
    expect(await b.federation.tokens.verify(held)).toMatchObject({ kind: 'node' });
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
    await expect(b.federation.tokens.verify(stolen)).rejects.toEqual(refused('unauthenticated'));
  });

  it('turned down by the partner leaves the connection as it was', async () => {
    const before = await connection(b, idB);
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
    await b.federation.pairing.pair(idB);
    await b.federation.handshakes.recordDeclined(idB, 'No.');
    expect(await connection(b, idB)).toEqual(before);
  });

  it('is answered by nobody but the one who was asked: not by the partner that is connected', async () => {
    const token = await b.federation.tokens.tokenFor(idB);
    await b.federation.invites.accept(await forged(), {}, '1');
    b.calls = {
      ...b.calls,
      handshake: (node) => Promise.resolve({ footbridge: true, baseURL: node.baseURL }),
    };
    await b.federation.pairing.pair(idB);
    const before = await b.federation.nodes.get(idB);
    // Told a second time, what is known already changes nothing; anything else is refused.
    await b.federation.handshakes.complete(before, { token });
    await expect(b.federation.handshakes.complete(before, { token: 'n'.repeat(40) })).rejects.toEqual(
      refused('conflict'),
    );
    expect(await b.federation.nodes.get(idB)).toEqual(before);
  });

  it('keeps its place while our own older invite is used: the step is out of order, and the invite is still good', async () => {
    const ours = new URL((await b.federation.invites.create(idB)).uri);
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
    await b.federation.pairing.pair(idB);
    const before = await b.federation.nodes.get(idB);
    const call = { nodeIDs: [idB], inviteToken: ours.password, token: 't'.repeat(40), nodeIDB: '4711' };
    await expect(b.federation.handshakes.handshake(call)).rejects.toEqual(refused('conflict'));
    expect(await b.federation.nodes.get(idB)).toEqual(before);
    await b.federation.disconnects.declinePairing(idB, '1');
    expect((await b.federation.handshakes.handshake(call)).pairing).toMatchObject({ as: 'inviter' });
  });

  it('survives the renewal of a token meanwhile', async () => {
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
    await b.federation.pairing.pair(idB);
    for (const [of, id] of [
      [a, idA],
      [b, idB],
    ] as const)
      await of.federation.tokens.verify((await of.federation.tokens.renew(id)).token);
    await a.federation.pairing.confirm(idA);
    expect(await b.federation.tokens.verify(await a.federation.tokens.tokenFor(idA))).toMatchObject({
      kind: 'node',
    });
    expect(await a.federation.tokens.verify(await b.federation.tokens.tokenFor(idB))).toMatchObject({
      kind: 'node',
    });
  });
});

describe('an invite that was made for another record, and is used by a partner that is connected since', () => {
  /** B's record and invite that nobody used until now. */
  async function unusedInvite(of = b): Promise<{ nodeID: string; uri: string }> {
    const { nodeID } = await of.federation.nodes.create(
      { name: 'Quay Ltd', contact: '+47 22 12 34 56' },
      '1',
    );
    return { nodeID, uri: (await of.federation.invites.create(nodeID)).uri };
  }
  const all = async (of: TestOffice): Promise<string[]> =>
    (await of.federation.nodes.list()).map(({ nodeID, status }) => `${nodeID} ${status}`);
  /** Another office that is connected with B. */
  async function otherPartner(): Promise<{ other: TestOffice; nodeID: string }> {
    const other = await testOffice('Hamar', noLists, clock);
    other.address = { listener: 'https://192.168.1.30:7420/federation', certificate: PIN_THIEF };
    connect(other, b);
    const { nodeID, uri } = await unusedInvite();
    await other.federation.connecting.connect(uri, {}, '1');
    await b.federation.pairing.confirm(nodeID);
    connect(a, b);
    clock.advance(60_000);
    return { other, nodeID };
  }
  async function mustWorkBothWays(): Promise<void> {
    for (const [from, id, to, there] of [
      [a, idA, b, idB],
      [b, idB, a, idA],
    ] as const) {
      const caller = await to.federation.tokens.verify(await from.federation.tokens.tokenFor(id));
      expect(caller).toMatchObject({ kind: 'node', node: { nodeID: there } });
      const announced = await from.federation.announcements.forPartner(await from.federation.nodes.get(id));
      if (!announced) throw new Error('no installation key');
      expect(await to.federation.announcements.storeReceived(there, announced)).toBeUndefined();
    }
  }

  it('renews that connection: one record on both sides, with its shares, and new words', async () => {
    const before = (await b.federation.nodes.get(idB)).words;
    const { nodeID, uri } = await unusedInvite();
    const share = { composeModuleID: '7', handle: 'fish', name: 'Fish', fields: [], fieldIDs: [] };
    const chosen = { ...share, composeNamespaceID: '1', shape: 1, createdAt: '', createdBy: '1' } as const;
    await b.system.transaction((tx) => {
      tx.put(EXPOSURES, '70', { ...chosen, moduleID: '70', nodeID: idB, chosenFor: a.installation });
      tx.put(EXPOSURES, '71', { ...chosen, moduleID: '71', nodeID, composeModuleID: '8' });
      tx.put(EXPOSURES, '72', { ...chosen, moduleID: '72', nodeID });
      return Promise.resolve();
    });
    expect((await a.federation.connecting.connect(uri, {}, '1')).nodeID).toBe(idA);
    expect(await all(b)).toEqual([`${idB} paired`, `${nodeID} pair_requested`]);
    const approved = await b.federation.pairing.confirm(nodeID);
    expect(approved).toMatchObject({ nodeID: idB, name: 'Oslo', contact: '+47 22 12 34 56' });
    expect(await all(b)).toEqual([`${idB} paired`]);
    expect(await all(a)).toEqual([`${idA} paired`]);
    expect((await b.federation.nodes.getCurrent(nodeID)).nodeID).toBe(idB);
    expect(approved.words).toBe((await a.federation.nodes.get(idA)).words);
    expect(approved.words).not.toBe(before);
    expect(b.news).toContainEqual(expect.objectContaining({ kind: 'node', nodeID }));
    const open = async (id: string): Promise<string[]> =>
      (await b.system.find(EXPOSURES, 'node', id)).flatMap(({ key, value }) =>
        value.deletedAt === undefined ? [key] : [],
      );
    expect([await open(idB), await open(nodeID)]).toEqual([['70', '71'], []]);
    await mustWorkBothWays();
    // The other way too, where the ids of the pair differ since.
    clock.advance(60_000);
    const other = await unusedInvite(a);
    expect((await b.federation.connecting.connect(other.uri, {}, '1')).nodeID).toBe(idB);
    expect((await a.federation.pairing.confirm(other.nodeID)).nodeID).toBe(idA);
    expect([await all(a), await all(b)]).toEqual([[`${idA} paired`], [`${idB} paired`]]);
    await mustWorkBothWays();
    const third = await unusedInvite();
    await a.federation.connecting.connect(third.uri, {}, '1');
    await b.federation.pairing.confirm(third.nodeID);
    expect([await all(a), await all(b)]).toEqual([[`${idA} paired`], [`${idB} paired`]]);
    await mustWorkBothWays();
    // An invite of the connection itself.
    clock.advance(60_000);
    await a.federation.connecting.connect((await b.federation.invites.create(idB)).uri, {}, '1');
    expect((await b.federation.pairing.confirm(idB)).nodeID).toBe(idB);
    await mustWorkBothWays();
  });

  /** What our user is told of a call with a token that is not good any more. */
  async function toldOf(of: TestOffice, token: string): Promise<string[]> {
    const what: string[] = [];
    const log = logRejectedAccess({ record: (attempt) => void what.push(attempt) });
    const error = await of.federation.tokens.verify(token).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'unauthenticated', code: 'auth.wrong' });
    log(error, { headers: {}, socket: {} } as never, {} as never, () => undefined);
    return what;
  }

  it('calls nobody a stranger whose calls were under way with the token before', async () => {
    const before = await a.federation.tokens.tokenFor(idA);
    const { nodeID, uri } = await unusedInvite();
    await a.federation.connecting.connect(uri, {}, '1');
    await b.federation.pairing.confirm(nodeID);
    expect(await toldOf(b, before)).toEqual([]);
    clock.advance(60_000);
    expect(await toldOf(b, before)).toEqual(['wrong-token']);
  });

  it('calls nobody a stranger who approves while the invite is given up for another one', async () => {
    const [first, second] = [await unusedInvite(), await unusedInvite()];
    await a.federation.connecting.connect(first.uri, {}, '1');
    const token = a.handshakes.at(-1)?.token ?? '';
    await a.federation.connecting.connect(second.uri, {}, '1');
    expect(await toldOf(a, token)).toEqual([]);
    clock.advance(60_000);
    expect(await toldOf(a, token)).toEqual(['wrong-token']);
  });

  it('takes a list along whose share ended there, and the request before it that the partner gave up', async () => {
    const [older, newer] = [await unusedInvite(), await unusedInvite()];
    const share = { composeModuleID: '7', handle: 'fish', name: 'Fish', fields: [], fieldIDs: [] };
    const chosen = { ...share, composeNamespaceID: '1', shape: 1, createdAt: '', createdBy: '1' } as const;
    await b.system.transaction((tx) => {
      tx.put(EXPOSURES, '70', {
        ...chosen,
        moduleID: '70',
        nodeID: idB,
        deletedAt: '2026-11-20T12:00:30.000Z',
      });
      tx.put(EXPOSURES, '71', { ...chosen, moduleID: '71', nodeID: newer.nodeID });
      return Promise.resolve();
    });
    await a.federation.connecting.connect(older.uri, {}, '1');
    clock.advance(60_000);
    await a.federation.connecting.connect(newer.uri, {}, '1');
    await b.federation.pairing.confirm(newer.nodeID);
    expect(await all(b)).toEqual([`${idB} paired`]);
    expect((await b.federation.nodes.getCurrent(older.nodeID)).nodeID).toBe(idB);
    const moved = await b.system.get(EXPOSURES, '71');
    // Their list goes on by the share that came first.
    expect(moved).toMatchObject({ nodeID: idB, firstModuleID: '70' });
    expect(moved?.deletedAt).toBeUndefined();
    expect(await b.system.get(EXPOSURES, '70')).toMatchObject({ ofAnother: true });
    await mustWorkBothWays();
  });

  it('is answered where the partner fetches the approval, and asks once more as the answer was lost', async () => {
    const { nodeID, uri } = await unusedInvite();
    await a.federation.connecting.connect(uri, {}, '1');
    b.calls = { ...b.calls, complete: () => Promise.reject(new Error('The line was cut.')) };
    await b.federation.pairing.confirm(nodeID);
    const [request] = a.handshakes.slice(-1);
    if (!request) throw new Error('no request');
    expect((await b.federation.handshakes.handshake(incoming(request))).nodeID).toBe(idB);
    const { sharedNodeID, proof } = await a.federation.handshakes.collectProof(idA);
    expect(sharedNodeID).toBe(nodeID);
    const answer = await b.federation.handshakes.collect(sharedNodeID, proof);
    if (answer.state !== 'ready') throw new Error(answer.state);
    await a.federation.handshakes.completeCollected(idA, answer);
    await mustWorkBothWays();
    expect([await all(a), await all(b)]).toEqual([[`${idA} paired`], [`${idB} paired`]]);
    await mustWorkBothWays();
  });

  it('renews it too between offices whose addresses an authority vouches for, and makes two over plain http', async () => {
    for (const [scheme, most] of [
      ['https', 1],
      ['http', 2],
    ] as const) {
      const [c, d] = [await testOffice('Cadiz', noLists, clock), await testOffice('Dover', noLists, clock)];
      c.address = { listener: `${scheme}://cadiz.example.org/federation` };
      d.address = { listener: `${scheme}://dover.example.org/federation` };
      connect(c, d);
      const older = await unusedInvite(c);
      const { nodeID, uri } = await unusedInvite(d);
      await c.federation.connecting.connect(uri, {}, '1');
      await d.federation.pairing.confirm(nodeID);
      await d.federation.connecting.connect(older.uri, {}, '1');
      await c.federation.pairing.confirm(older.nodeID);
      expect([(await all(c)).length, (await all(d)).length], scheme).toEqual([most, most]);
      await Promise.all([c.close(), d.close()]);
    }
  });

  it('is followed by one of the connection itself that still finds it, over plain http and beside another one', async () => {
    const [c, d] = [await testOffice('Cadiz', noLists, clock), await testOffice('Dover', noLists, clock)];
    c.address = { listener: 'http://192.168.1.31:7420/federation' };
    d.address = { listener: 'http://192.168.1.32:7420/federation' };
    connect(c, d);
    const first = await unusedInvite(d);
    const { nodeID: atC } = await c.federation.connecting.connect(first.uri, {}, '1');
    await d.federation.pairing.confirm(first.nodeID);
    const second = await unusedInvite(d);
    await c.federation.connecting.connect(second.uri, { nodeID: atC }, '1');
    await d.federation.pairing.confirm(second.nodeID);
    const { uri } = await d.federation.invites.create(first.nodeID);
    expect((await c.federation.connecting.connect(uri, {}, '1')).nodeID).toBe(atC);
    // Cadiz fetches the answer by the id in the invite.
    const { sharedNodeID, proof } = await c.federation.handshakes.collectProof(atC);
    expect(await d.federation.handshakes.collect(sharedNodeID, proof)).toEqual({ state: 'waiting' });
    await d.federation.pairing.confirm(first.nodeID);
    expect([await all(c), await all(d)]).toEqual([[`${atC} paired`], [`${first.nodeID} paired`]]);
    expect((await c.federation.nodes.get(atC)).words).toBe(
      (await d.federation.nodes.get(first.nodeID)).words,
    );
    await Promise.all([c.close(), d.close()]);

    const beside = await unusedInvite();
    const { nodeID: other } = await a.federation.nodes.create({ name: 'Bergen, the other one' }, '1');
    await a.federation.connecting.connect(beside.uri, { nodeID: other }, '1');
    await b.federation.pairing.confirm(beside.nodeID);
    await a.federation.connecting.connect((await unusedInvite()).uri, { nodeID: idA }, '1');
    const asked = (await b.federation.nodes.list()).find(({ status }) => status === 'pair_requested');
    expect((await b.federation.pairing.confirm(asked?.nodeID ?? '')).nodeID).toBe(idB);
    const again = await b.federation.invites.create(idB);
    expect((await a.federation.invites.inspect(again.uri)).alreadyKnown).toBe(idA);
    await mustWorkBothWays();
  });

  it('sends nothing to an address that the other record has', async () => {
    const called: string[] = [];
    const honest = b.calls;
    b.calls = {
      ...honest,
      complete: (node, call) => (called.push(node.baseURL), honest.complete(node, call)),
      goodbye: (node, call) => (called.push(node.baseURL), honest.goodbye(node, call)),
    };
    const other = 'https://records.example.org/federation';
    const [typed, connected] = [await unusedInvite(), await unusedInvite()];
    for (const { nodeID } of [typed, connected])
      await b.federation.nodes.update(nodeID, { baseURL: other }, '1');
    // Other software, which names no installation.
    await b.system.transaction(async (tx) => {
      const node = await tx.get(NODES, connected.nodeID);
      if (node) tx.put(NODES, connected.nodeID, { ...node, status: 'paired', sealedToken: 'sealed:eA==' });
    });
    for (const { nodeID, uri } of [typed, connected]) {
      await a.federation.connecting.connect(uri, {}, '1');
      expect((await b.federation.pairing.confirm(nodeID)).nodeID).toBe(idB);
      clock.advance(60_000);
    }
    expect(called).toEqual([a.address.listener, a.address.listener]);
    expect(await b.federation.nodes.get(idB)).toMatchObject({
      baseURL: a.address.listener,
      certificate: PIN_A,
    });
    expect((await b.federation.nodes.get(connected.nodeID)).baseURL).toBe(other);
    await mustWorkBothWays();
    // A no neither.
    const again = await b.federation.invites.create(connected.nodeID);
    await a.federation.connecting.connect(again.uri, {}, '1');
    await b.federation.disconnects.declinePairing(connected.nodeID, '1');
    await vi.waitFor(() => expect(called).toHaveLength(3));
    expect(called[2]).toBe(a.address.listener);
    await mustWorkBothWays();
  });

  it.each(['another record', 'the record of a connection that ended'])(
    'sends nothing to the address of the invite’s record either, where a partner asks from %s',
    async (from) => {
      const called: string[] = [];
      const honest = b.calls;
      b.calls = {
        ...honest,
        complete: (node, call) => (called.push(node.baseURL), honest.complete(node, call)),
      };
      const { nodeID, uri } = await unusedInvite();
      await b.federation.nodes.update(nodeID, { baseURL: 'https://quay.example.org/federation' }, '1');
      if (from === 'another record') {
        const { nodeID: beside } = await a.federation.nodes.create({ name: 'Bergen, the other one' }, '1');
        await a.federation.connecting.connect(uri, { nodeID: beside }, '1');
      } else {
        await b.federation.disconnects.revoke(idB, '1');
        await a.federation.connecting.connect(uri, {}, '1');
      }
      expect(await b.federation.pairing.confirm(nodeID)).toMatchObject({
        status: 'paired',
        baseURL: a.address.listener,
        certificate: PIN_A,
      });
      expect(called).toEqual([a.address.listener]);
    },
  );

  it('sends nothing to the office that we asked in vain from that record, over plain http', async () => {
    const other = await testOffice('Hamar', noLists, clock);
    for (const [of, host] of [
      [a, '31'],
      [b, '32'],
      [other, '33'],
    ] as const)
      of.address = { listener: `http://192.168.1.${host}:7420/federation` };
    const { nodeID } = await b.federation.nodes.create({ name: 'Quay Ltd' }, '1');
    b.calls = { ...b.calls, handshake: () => Promise.reject(refusedWith(410, 'No.', 'invite.used')) };
    const uri = (await unusedInvite(other)).uri;
    await b.federation.connecting.connect(uri, { nodeID }, '1').catch(() => undefined);
    expect(await b.federation.nodes.get(nodeID)).toMatchObject({
      status: 'failed',
      baseURL: other.address.listener,
    });
    await a.federation.connecting.connect((await b.federation.invites.create(nodeID)).uri, {}, '1');
    expect((await b.federation.nodes.get(nodeID)).pairing?.link.baseURL).toBe(a.address.listener);
    await other.close();
  });

  it.each(['a Footbridge', 'other software'])(
    'sends nothing to that office either, where %s uses an invite for that record that we know from nowhere',
    async (who) => {
      const hamar = await testOffice('Hamar', noLists, clock);
      const voss = await testOffice('Voss', noLists, clock);
      b.address = { listener: 'http://192.168.1.32:7420/federation' };
      hamar.address = { listener: 'http://192.168.1.33:7420/federation' };
      voss.address = { listener: 'http://192.168.1.34:7420/federation' };
      const { nodeID } = await b.federation.nodes.create({ name: 'Quay Ltd' }, '1');
      const invite = await b.federation.invites.create(nodeID);
      b.calls = { ...b.calls, handshake: () => Promise.reject(refusedWith(410, 'No.', 'invite.used')) };
      const { uri } = await unusedInvite(hamar);
      await b.federation.connecting.connect(uri, { nodeID }, '1').catch(() => undefined);
      connect(voss, b, who === 'a Footbridge');
      await voss.federation.connecting.connect(invite.uri, {}, '1');
      const called: string[] = [];
      const honest = b.calls;
      b.calls = {
        ...honest,
        complete: (node, call) => (called.push(node.baseURL), honest.complete(node, call)),
      };
      await b.federation.pairing.confirm(nodeID).catch(() => undefined);
      expect(called.filter((address) => address === hamar.address.listener)).toEqual([]);
      if (who === 'a Footbridge') expect(called).toEqual([voss.address.listener]);
      await Promise.all([hamar.close(), voss.close()]);
    },
  );

  it('sends nothing to other software that we asked in vain from that record, where other software uses its invite', async () => {
    const { nodeID } = await b.federation.nodes.create({ name: 'Quay Ltd' }, '1');
    const invite = await b.federation.invites.create(nodeID);
    const asked = { nodeID: '77', baseURL: 'http://192.168.1.33/federation', name: 'Hamar' };
    const uri = formatNodeURI({ ...asked, secret: 'Zq7'.padEnd(32, 'x1Y'), footbridge: false });
    b.calls = { ...b.calls, handshake: () => Promise.reject(refusedWith(410)) };
    await b.federation.connecting.connect(uri, { nodeID }, '1').catch(() => undefined);
    expect((await b.federation.nodes.get(nodeID)).baseURL).toBe(asked.baseURL);
    const voss = await testOffice('Voss', noLists, clock);
    connect(voss, b, false);
    await voss.federation.connecting.connect(invite.uri, {}, '1');
    await expect(b.federation.pairing.confirm(nodeID)).rejects.toMatchObject({ code: 'pairing.no-address' });
    const baseURL = 'http://192.168.1.34/federation';
    await b.federation.nodes.update(nodeID, { baseURL }, '1');
    // A repeated request of its own record keeps what our user entered.
    const again = await b.federation.invites.create(nodeID);
    const { nodeID: atVoss } = (await voss.federation.nodes.list())[0] ?? { nodeID: '' };
    await voss.federation.connecting.connect(again.uri, { nodeID: atVoss }, '1');
    expect((await b.federation.nodes.get(nodeID)).pairing?.link.baseURL).toBe(baseURL);
    await voss.close();
  });

  it.each(['paired', 'unpaired'] as const)(
    'sends nothing to other software of a record that is %s, where other software uses its invite',
    async (status) => {
      const { nodeID } = await b.federation.nodes.create({ name: 'Quay Ltd' }, '1');
      await b.federation.nodes.update(nodeID, { baseURL: 'http://192.168.1.33/federation' }, '1');
      await b.system.transaction(async (tx) => {
        const node = await tx.get(NODES, nodeID);
        const other = { sharedNodeID: '77', sealedToken: 'sealed:eA==' };
        if (node) tx.put(NODES, nodeID, { ...node, ...other, status });
      });
      const voss = await testOffice('Voss', noLists, clock);
      connect(voss, b, false);
      const called: string[] = [];
      const complete = (node: { readonly baseURL: string }): Promise<never> => {
        called.push(node.baseURL);
        return Promise.reject(refusedWith(410));
      };
      b.calls = { ...b.calls, complete };
      await voss.federation.connecting.connect((await b.federation.invites.create(nodeID)).uri, {}, '1');
      await expect(b.federation.pairing.confirm(nodeID)).rejects.toMatchObject({
        code: 'pairing.no-address',
      });
      expect(called).toEqual([]);
      await voss.close();
    },
  );

  it.each(['as we ask it', 'as it asks us'])(
    'knows nothing of the dialect of other software in whose place a Footbridge comes (%s)',
    async (how) => {
      const { nodeID } = await b.federation.nodes.create({ name: 'Quay Ltd' }, '1');
      const hamar = await testOffice('Hamar', noLists, clock);
      hamar.address = { listener: 'http://192.168.1.33:7420/federation' };
      connect(hamar, b);
      await b.federation.nodes.update(nodeID, { dialect: 'live' }, '1');
      const called: (string | undefined)[] = [];
      const honest = b.calls;
      b.calls = {
        ...honest,
        handshake: (node, call) => (called.push(node.dialect), honest.handshake(node, call)),
        complete: (node, call) => (called.push(node.dialect), honest.complete(node, call)),
      };
      if (how === 'as we ask it') {
        const invite = await unusedInvite(hamar);
        await b.federation.connecting.connect(invite.uri, { nodeID }, '1');
        await hamar.federation.pairing.confirm(invite.nodeID);
      } else {
        await hamar.federation.connecting.connect((await b.federation.invites.create(nodeID)).uri, {}, '1');
        await b.federation.pairing.confirm(nodeID);
      }
      expect(called).toEqual([undefined]);
      expect(await b.federation.nodes.get(nodeID)).toMatchObject({ status: 'paired', footbridge: true });
      expect(await b.federation.nodes.get(nodeID)).not.toHaveProperty('dialect');
      await hamar.close();
    },
  );

  it('keeps the dialect of the connection where our user enters that of other software that asks in its place', async () => {
    const voss = await testOffice('Voss', noLists, clock);
    const known = { baseURL: 'http://192.168.1.33:7420/federation', dialect: 'live' } as const;
    const { nodeID } = await b.federation.nodes.create({ name: 'Quay Ltd' }, '1');
    await b.federation.nodes.update(nodeID, known, '1');
    await b.system.transaction(async (tx) => {
      const node = await tx.get(NODES, nodeID);
      if (node) tx.put(NODES, nodeID, { ...node, status: 'paired', sealedToken: 'sealed:eA==' });
    });
    connect(voss, b, false);
    await voss.federation.connecting.connect((await b.federation.invites.create(nodeID)).uri, {}, '1');
    for (const dialect of ['unknown', 'shape2'] as const) {
      await b.federation.nodes.update(nodeID, { dialect }, '1');
      expect(await b.federation.nodes.get(nodeID)).toMatchObject(known);
    }
    expect((await b.federation.nodes.get(nodeID)).pairing?.link.dialect).toBe('shape2');
    await voss.close();
  });

  const REPLACED = [
    ['a Footbridge', 'other software', 'is connected'],
    ['a Footbridge', 'other software', 'has ended'],
    ['other software', 'a Footbridge', 'is connected'],
    ['other software', 'a Footbridge', 'has ended'],
  ] as const;
  it.each(REPLACED)(
    'sends nothing to the address of a partner whose invite %s uses in place of %s, which %s',
    async (who, before, state) => {
      const [hamar, voss] = [
        await testOffice('Hamar', noLists, clock),
        await testOffice('Voss', noLists, clock),
      ];
      hamar.address = { listener: 'http://192.168.1.33:7420/federation' };
      voss.address = { listener: 'http://192.168.1.34:7420/federation' };
      const known = before === 'other software' ? { baseURL: hamar.address.listener } : {};
      const { nodeID } = await b.federation.nodes.create({ name: 'Quay Ltd', ...known }, '1');
      connect(hamar, b, before === 'a Footbridge');
      await hamar.federation.connecting.connect((await b.federation.invites.create(nodeID)).uri, {}, '1');
      await b.federation.pairing.confirm(nodeID);
      clock.advance(60_000);
      if (state === 'has ended') await b.federation.disconnects.markEndedByTime(nodeID);
      const { uri } = await b.federation.invites.create(nodeID);
      connect(voss, b, who === 'a Footbridge');
      await voss.federation.connecting.connect(uri, {}, '1');
      const called: string[] = [];
      const honest = b.calls;
      b.calls = {
        ...honest,
        complete: (node, call) => (called.push(node.baseURL), honest.complete(node, call)),
      };
      const asker = await describeAsker(b, await b.federation.nodes.get(nodeID), []);
      expect(english(asker?.text ?? '')).toMatch(/^So far Quay Ltd had another Footbridge or other software/);
      if (who === 'other software') {
        await expect(b.federation.pairing.confirm(nodeID)).rejects.toMatchObject({
          code: 'pairing.no-address',
        });
        for (const typed of ['http://192.168.1.35:7420', voss.address.listener])
          await b.federation.nodes.update(nodeID, { baseURL: typed }, '1');
        expect((await b.federation.nodes.get(nodeID)).baseURL).toBe(hamar.address.listener);
      }
      await b.federation.pairing.confirm(nodeID);
      expect(called).toEqual([voss.address.listener]);
      expect(await b.federation.nodes.get(nodeID)).toMatchObject({
        status: 'paired',
        baseURL: voss.address.listener,
      });
      await Promise.all([hamar.close(), voss.close()]);
    },
  );

  it('moves no connection with other software to the address of other software that asks in its place', async () => {
    const [hamar, voss] = [
      await testOffice('Hamar', noLists, clock),
      await testOffice('Voss', noLists, clock),
    ];
    const known = { baseURL: 'http://192.168.1.33:7420/federation' };
    const { nodeID } = await b.federation.nodes.create({ name: 'Quay Ltd', ...known }, '1');
    connect(hamar, b, false);
    await hamar.federation.connecting.connect((await b.federation.invites.create(nodeID)).uri, {}, '1');
    await b.federation.pairing.confirm(nodeID);
    clock.advance(60_000);
    connect(voss, b, false);
    await voss.federation.connecting.connect((await b.federation.invites.create(nodeID)).uri, {}, '1');
    const baseURL = 'http://192.168.1.34:7420/federation';
    await b.federation.nodes.update(nodeID, { baseURL }, '1');
    expect(await b.federation.nodes.get(nodeID)).toMatchObject({ ...known, pairing: { link: { baseURL } } });
    await b.federation.disconnects.declinePairing(nodeID, '1');
    expect(await b.federation.nodes.get(nodeID)).toMatchObject({ ...known, status: 'paired' });
    await Promise.all([hamar.close(), voss.close()]);
  });

  it.each(['uses our invite for the partner', 'is asked from the record of the partner'])(
    'sends nothing to the address that our user corrects for a partner, where another office %s',
    async (how) => {
      const [hamar, voss] = [
        await testOffice('Hamar', noLists, clock),
        await testOffice('Voss', noLists, clock),
      ];
      hamar.address = { listener: 'http://192.168.1.33:7420/federation' };
      voss.address = { listener: 'http://192.168.1.34:7420/federation' };
      const { nodeID } = await b.federation.nodes.create({ name: 'Quay Ltd' }, '1');
      connect(hamar, b);
      await hamar.federation.connecting.connect((await b.federation.invites.create(nodeID)).uri, {}, '1');
      await b.federation.pairing.confirm(nodeID);
      clock.advance(60_000);
      connect(voss, b);
      const isOurs = how === 'uses our invite for the partner';
      if (isOurs)
        await voss.federation.connecting.connect((await b.federation.invites.create(nodeID)).uri, {}, '1');
      else await b.federation.invites.accept((await unusedInvite(voss)).uri, { nodeID }, '1');
      const moved = 'http://192.168.1.35:7420/federation';
      await b.federation.nodes.update(nodeID, { baseURL: moved }, '1');
      expect((await b.federation.nodes.get(nodeID)).baseURL).toBe(moved);
      const called: string[] = [];
      const honest = b.calls;
      b.calls = {
        ...honest,
        handshake: (node, call) => (called.push(node.baseURL), honest.handshake(node, call)),
        complete: (node, call) => (called.push(node.baseURL), honest.complete(node, call)),
      };
      if (isOurs) await b.federation.pairing.confirm(nodeID);
      else await b.federation.pairing.pair(nodeID);
      expect(called).toEqual([voss.address.listener]);
      await Promise.all([hamar.close(), voss.close()]);
    },
  );

  it('takes no list along that was chosen for another office’s address, though the approval comes to nothing', async () => {
    const { nodeID, uri } = await unusedInvite();
    const share = { composeModuleID: '7', handle: 'fish', name: 'Fish', fields: [], fieldIDs: [] };
    const forAddress = { createdAt: '', createdBy: '1', chosenFor: 'https://quay.example.org/federation' };
    await b.system.transaction((tx) => {
      tx.put(EXPOSURES, '70', {
        ...{ ...share, ...forAddress, composeNamespaceID: '1', shape: 1 as const },
        ...{ moduleID: '70', nodeID },
      });
      return Promise.resolve();
    });
    await a.federation.connecting.connect(uri, {}, '1');
    const chosen = (await b.system.find(EXPOSURES, 'node', nodeID)).map(({ value }) => value);
    const asker = await describeAsker(b, await b.federation.nodes.get(nodeID), chosen);
    expect(english(asker?.text ?? '')).not.toContain('lists that you chose');
    b.calls = { ...b.calls, complete: () => Promise.reject(new Error('The line was cut.')) };
    expect((await b.federation.pairing.confirm(nodeID)).nodeID).toBe(idB);
    await b.federation.disconnects.declinePairing(idB, '1');
    expect(await b.system.find(EXPOSURES, 'node', idB)).toEqual([]);
    expect((await b.system.get(EXPOSURES, '70'))?.deletedAt).toBeDefined();
  });

  it('is seen as crossing ours where we ask from an ended record, at the partner’s new address', async () => {
    await b.federation.disconnects.revoke(idB, '1');
    a.address = { listener: 'https://192.168.1.11:7420/federation', certificate: PIN_THIEF };
    await b.federation.connecting.connect((await unusedInvite(a)).uri, { nodeID: idB }, '1');
    const { nodeID, uri } = await unusedInvite();
    await a.federation.connecting.connect(uri, {}, '1');
    b.calls = { ...b.calls, complete: () => Promise.reject(new Error('The line was cut.')) };
    expect((await b.federation.pairing.confirm(nodeID)).crosses).toBe(idB);
  });

  it('goes by the id in the invite, where a connection renewed before has another one than its record', async () => {
    const { other, nodeID } = await otherPartner();
    connect(other, b);
    const renewed = await unusedInvite();
    await other.federation.connecting.connect(renewed.uri, {}, '1');
    expect((await b.federation.pairing.confirm(renewed.nodeID)).nodeID).toBe(nodeID);
    connect(a, b);
    clock.advance(60_000);
    const forOther = await b.federation.invites.create(nodeID);
    await a.federation.connecting.connect(forOther.uri, {}, '1');
    b.calls = { ...b.calls, complete: () => Promise.reject(new Error('The line was cut.')) };
    expect((await b.federation.pairing.confirm(nodeID)).nodeID).toBe(idB);
    const { sharedNodeID, proof } = await a.federation.handshakes.collectProof(idA);
    const answer = await b.federation.handshakes.collect(sharedNodeID, proof);
    if (answer.state !== 'ready') throw new Error(answer.state);
    await a.federation.handshakes.completeCollected(idA, answer);
    await mustWorkBothWays();
    await other.close();
  });

  it.each(['the older first', 'both at the same moment'])(
    'keeps the later one of two requests, approved %s: the partner has given the other one up',
    async (when) => {
      const older = await unusedInvite();
      await a.federation.connecting.connect(older.uri, {}, '1');
      clock.advance(60_000);
      await a.federation.connecting.connect((await b.federation.invites.create(idB)).uri, {}, '1');
      const approve = (id: string): Promise<unknown> =>
        b.federation.pairing.confirm(id).catch(() => undefined);
      if (when === 'the older first') await approve(older.nodeID);
      await Promise.all([approve(older.nodeID), approve(idB)]);
      await mustWorkBothWays();
      const [atA, atB] = [await a.federation.nodes.get(idA), await b.federation.nodes.get(idB)];
      expect([atA.words, atA.pairing, atB.pairing]).toEqual([atB.words, undefined, undefined]);
    },
  );

  it('renews it by a request that came before that of another office at the connection', async () => {
    const older = await unusedInvite();
    await a.federation.connecting.connect(older.uri, {}, '1');
    clock.advance(60_000);
    const thief = await testOffice('Hamar', noLists, clock);
    thief.address = { listener: 'https://192.168.1.66:7420/federation', certificate: PIN_THIEF };
    connect(thief, b);
    await thief.federation.connecting.connect((await b.federation.invites.create(idB)).uri, {}, '1');
    connect(a, b);
    expect(await b.federation.pairing.confirm(older.nodeID)).toMatchObject({
      nodeID: idB,
      certificate: PIN_A,
    });
    await mustWorkBothWays();
    await thief.close();
  });

  it('ends both requests where each renews the connection by an invite of the other, and both approve', async () => {
    const [ofA, ofB] = [await unusedInvite(a), await unusedInvite(b)];
    await a.federation.connecting.connect(ofB.uri, {}, '1');
    await b.federation.connecting.connect(ofA.uri, {}, '1');
    const approvals = [a.federation.pairing.confirm(ofA.nodeID), b.federation.pairing.confirm(ofB.nodeID)];
    await Promise.allSettled(approvals);
    for (const [at, id] of [
      [a, idA],
      [b, idB],
    ] as const) {
      await at.federation.pairing.confirm(id).catch(() => undefined);
      expect(await all(at)).toEqual([`${id} paired`]);
      expect((await at.federation.nodes.get(id)).pairing).toBeUndefined();
    }
    await mustWorkBothWays();
  });

  it('renews it by an invite for another connected partner too, which stays connected as it was', async () => {
    const other = await testOffice('Hamar', noLists, clock);
    other.address = { listener: 'https://192.168.1.30:7420/federation', certificate: PIN_THIEF };
    connect(other, b);
    const { nodeID, uri } = await unusedInvite();
    const { nodeID: atOther } = await other.federation.connecting.connect(uri, {}, '1');
    await b.federation.pairing.confirm(nodeID);
    const before = [await connection(b, nodeID), await connection(other, atOther)];
    const share = { composeModuleID: '7', handle: 'fish', name: 'Fish', fields: [], fieldIDs: [] };
    const chosen = { ...share, composeNamespaceID: '1', shape: 1, createdAt: '', createdBy: '1' } as const;
    await b.system.transaction((tx) => {
      tx.put(EXPOSURES, '70', { ...chosen, moduleID: '70', nodeID, chosenFor: other.installation });
      return Promise.resolve();
    });
    connect(a, b);
    clock.advance(60_000);
    const forOther = await b.federation.invites.create(nodeID);
    expect((await a.federation.connecting.connect(forOther.uri, {}, '1')).nodeID).toBe(idA);
    expect(await b.federation.nodes.findAsker(await b.federation.nodes.get(nodeID))).toMatchObject({
      partner: { nodeID: idB },
      renews: true,
    });
    const approved = await b.federation.pairing.confirm(nodeID);
    expect(approved).toMatchObject({ nodeID: idB, contact: '' });
    expect(await all(b)).toEqual([`${idB} paired`, `${nodeID} paired`]);
    expect([await connection(b, nodeID), await connection(other, atOther)]).toEqual(before);
    expect(await b.federation.nodes.get(nodeID)).not.toHaveProperty('pairing');
    expect(await b.system.get(EXPOSURES, '70')).toMatchObject({ nodeID });
    expect((await b.system.get(EXPOSURES, '70'))?.deletedAt).toBeUndefined();
    await mustWorkBothWays();
    const caller = await b.federation.tokens.verify(await other.federation.tokens.tokenFor(atOther));
    expect(caller).toMatchObject({ kind: 'node', node: { nodeID } });
    await other.close();
  });

  it.each(['paired', 'unpaired'])(
    'refuses, by an invite for another partner (%s), what a new record of the partner asks for: it would take its place',
    async (was) => {
      const other = await testOffice('Hamar', noLists, clock);
      other.address = { listener: 'https://192.168.1.30:7420/federation', certificate: PIN_THIEF };
      connect(other, b);
      const { nodeID, uri } = await unusedInvite();
      await other.federation.connecting.connect(uri, {}, '1');
      await b.federation.pairing.confirm(nodeID);
      const before = await connection(b, nodeID);
      if (was === 'unpaired') await b.federation.disconnects.revoke(nodeID, '1');
      connect(a, b);
      clock.advance(60_000);
      const { nodeID: beside } = await a.federation.nodes.create({ name: 'Bergen, the other one' }, '1');
      const forOther = await b.federation.invites.create(nodeID);
      await a.federation.connecting.connect(forOther.uri, { nodeID: beside }, '1');
      const asked = await b.federation.nodes.findAsker(await b.federation.nodes.get(nodeID));
      expect(asked).toMatchObject({ partner: { nodeID: idB }, renews: false });
      await expect(b.federation.pairing.confirm(nodeID)).rejects.toEqual(refused('conflict'));
      await b.federation.disconnects.declinePairing(nodeID, '1');
      expect(await all(b)).toEqual([`${idB} paired`, `${nodeID} ${was}`]);
      if (was === 'paired') expect(await connection(b, nodeID)).toEqual(before);
      await mustWorkBothWays();
      await other.close();
    },
  );

  it.each([
    ['our user ended', 'our clock ended'],
    ['our clock ended', 'our user ended'],
  ])(
    'refuses it, by an invite for another partner, where %s the connection of the one who asks, and again where %s it',
    async (...ends) => {
      const { other, nodeID } = await otherPartner();
      const before = await connection(b, nodeID);
      await a.federation.connecting.connect((await b.federation.invites.create(nodeID)).uri, {}, '1');
      for (const how of ends) {
        if (how === 'our clock ended') await b.federation.disconnects.markEndedByTime(idB);
        else await b.federation.disconnects.revoke(idB, '1');
        const asked = await b.federation.nodes.findAsker(await b.federation.nodes.get(nodeID));
        expect(asked).toMatchObject({ partner: { nodeID: idB }, renews: false });
        await expect(b.federation.pairing.confirm(nodeID)).rejects.toMatchObject({
          code: 'pairing.used-by-other',
        });
      }
      await b.federation.disconnects.declinePairing(nodeID, '1');
      expect(await connection(b, nodeID)).toEqual(before);
      await other.close();
    },
  );

  it('renews it by an invite for a partner whose connection ended too, which stays ended and where it was', async () => {
    const { other, nodeID } = await otherPartner();
    await b.federation.disconnects.revoke(nodeID, '1');
    const { baseURL, certificate, sharedNodeID } = await b.federation.nodes.get(nodeID);
    const forOther = await b.federation.invites.create(nodeID);
    await a.federation.connecting.connect(forOther.uri, {}, '1');
    // At this address nobody has that token.
    await expect(b.federation.tokens.tokenFor(nodeID)).rejects.toMatchObject({ code: 'node.no-token' });
    expect((await b.federation.pairing.confirm(nodeID)).nodeID).toBe(idB);
    expect(await all(b)).toEqual([`${idB} paired`, `${nodeID} unpaired`]);
    const { installation } = other;
    const same = { installation, baseURL, certificate, sharedNodeID };
    expect(await b.federation.nodes.get(nodeID)).toMatchObject(same);
    // An invite of a partner that ended, taken in twice at its new address, is on its record.
    other.address = { listener: 'https://192.168.1.31:7420/federation', certificate: PIN_A };
    const { nodeID: atOther } = await other.federation.nodes.create({ name: 'Bergen' }, '1');
    const { uri } = await other.federation.invites.create(atOther);
    await b.federation.invites.accept(uri, { nodeID }, '1');
    expect((await b.federation.invites.inspect(uri)).alreadyKnown).toBe(nodeID);
    await b.federation.disconnects.declinePairing(nodeID, '1');
    expect(await b.federation.nodes.get(nodeID)).toMatchObject(same);
    await mustWorkBothWays();
    await other.close();
  });

  it('keeps the request where not the partner refuses the approval, but something on the way', async () => {
    const { nodeID, uri } = await unusedInvite();
    await a.federation.connecting.connect(uri, {}, '1');
    const honest = b.calls;
    b.calls = { ...honest, complete: () => Promise.reject(refusedWith(401)) };
    await b.federation.pairing.confirm(nodeID);
    expect((await b.federation.nodes.get(idB)).pairing).toMatchObject({ as: 'inviter' });
    b.calls = honest;
    expect((await b.federation.pairing.confirm(idB)).pairing).toBeUndefined();
    await mustWorkBothWays();
  });

  it('leaves the connection alone where another office uses it, or the request is declined', async () => {
    const before = await connection(b, idB);
    const [taken, declined] = [await unusedInvite(), await unusedInvite()];
    const thief = await testOffice('Hamar', noLists, clock);
    thief.address = { listener: 'https://192.168.1.66:7420/federation', certificate: PIN_THIEF };
    thief.calls = a.calls;
    await thief.federation.connecting.connect(taken.uri, {}, '1');
    await b.federation.pairing.confirm(taken.nodeID).catch(() => undefined);
    await a.federation.connecting.connect(declined.uri, {}, '1');
    await b.federation.disconnects.declinePairing(declined.nodeID, '1');
    expect(await connection(b, idB)).toEqual(before);
    expect(await all(b)).toEqual([`${idB} paired`, `${taken.nodeID} pair_requested`]);
    await thief.close();
  });
});

describe('a request that our user declines', () => {
  it('ends no connection that its approval made meanwhile', async () => {
    await b.federation.connecting.connect((await a.federation.invites.create(idA)).uri, {}, '1');
    a.calls = { ...a.calls, complete: () => Promise.reject(new Error('The line was cut.')) };
    await a.federation.pairing.confirm(idA);
    const { sharedNodeID, proof } = await b.federation.handshakes.collectProof(idB);
    const answer = await a.federation.handshakes.collect(sharedNodeID, proof);
    if (answer.state !== 'ready') throw new Error('not approved');
    const store = a.system.transaction.bind(a.system);
    vi.spyOn(a.system, 'transaction').mockImplementationOnce(async (body) => {
      await b.federation.handshakes.completeCollected(idB, answer);
      await a.federation.tokens.verify(answer.token);
      return store(body);
    });
    await a.federation.disconnects.declinePairing(idA, '1');
    expect((await a.federation.nodes.get(idA)).status).toBe('paired');
    await new Promise((done) => setTimeout(done, 20));
    expect(a.goodbyes).toEqual([]);
  });
});

describe('a connection that ends without our user while it is renewed', () => {
  const ENDS = {
    'by our clock': (of: TestOffice, id: string) => of.federation.disconnects.markEndedByTime(id),
    'as its token is refused': (of: TestOffice, id: string) =>
      of.federation.disconnects.markEnded(id, 'refused'),
    'as the partner had ended it': (of: TestOffice, id: string) =>
      of.federation.disconnects.recordEndedByPartner(id),
  };

  it.each(Object.keys(ENDS) as (keyof typeof ENDS)[])(
    'leaves both sides the request (%s): our user can approve it, or decline it and sees why it ended',
    async (how) => {
      for (const decided of ['declined', 'approved']) {
        await b.federation.connecting.connect((await a.federation.invites.create(idA)).uri, {}, '1');
        for (const [of, id] of [
          [a, idA],
          [b, idB],
        ] as const) {
          await ENDS[how](of, id);
          expect(await of.federation.nodes.get(id)).toMatchObject({
            status: 'pair_requested',
            role: of === a ? 'inviter' : 'invitee',
            pairing: { was: 'unpaired' },
          });
        }
        if (decided === 'declined') {
          await a.federation.disconnects.declinePairing(idA, '1');
          await b.federation.disconnects.declinePairing(idB, '1');
          const ended = await a.federation.nodes.get(idA);
          expect(ended.status).toBe('unpaired');
          expect(english(ended.problem ?? '')).not.toBe('');
          continue;
        }
        expect((await a.federation.pairing.confirm(idA)).status).toBe('paired');
        for (const [from, id, to] of [
          [a, idA, b],
          [b, idB, a],
        ] as const) {
          const held = await from.federation.tokens.tokenFor(id);
          expect(await to.federation.tokens.verify(held)).toMatchObject({ kind: 'node' });
        }
      }
    },
  );

  it.each(['uses our invite for the partner', 'is asked from the record of the partner'])(
    'keeps the request where another office %s, and the partner ends the connection then',
    async (how) => {
      const other = await testOffice('Hamar', noLists, clock);
      other.address = { listener: 'https://192.168.1.33:7420/federation', certificate: PIN_THIEF };
      const { nodeID } = await other.federation.nodes.create({ name: 'Oslo' }, '1');
      const { uri: ours } = await a.federation.invites.create(idA);
      connect(other, a);
      const isOurs = how === 'uses our invite for the partner';
      if (isOurs) await other.federation.connecting.connect(ours, { nodeID }, '1');
      else
        await a.federation.connecting.connect(
          (await other.federation.invites.create(nodeID)).uri,
          { nodeID: idA },
          '1',
        );
      await a.federation.disconnects.recordEndedByPartner(idA, {}, true);
      expect((await a.federation.nodes.get(idA)).status).toBe('pair_requested');
      if (isOurs) await a.federation.pairing.confirm(idA);
      else await other.federation.pairing.confirm(nodeID);
      for (const [from, id, to] of [
        [a, idA, other],
        [other, nodeID, a],
      ] as const) {
        const held = await from.federation.tokens.tokenFor(id);
        expect(await to.federation.tokens.verify(held)).toMatchObject({ kind: 'node' });
      }
      await other.close();
    },
  );

  it.each(['before the request is sent', 'while it is sent', 'while the approval is sent'])(
    'has ended once the request is given up, where it ended %s',
    async (when) => {
      const { uri } = await a.federation.invites.create(idA);
      const [of, id] = when === 'while the approval is sent' ? [a, idA] : [b, idB];
      const end = (): Promise<Node> => of.federation.disconnects.recordEndedByPartner(id);
      await b.federation.invites.accept(uri, { nodeID: idB }, '1');
      if (when === 'before the request is sent') {
        const transaction = b.system.transaction.bind(b.system);
        vi.spyOn(b.system, 'transaction').mockImplementationOnce(async (body) => {
          await end();
          return transaction(body);
        });
        b.calls = { ...b.calls, handshake: () => Promise.reject(new Error('The line was cut.')) };
      }
      const honest = b.calls;
      if (when === 'while it is sent')
        b.calls = {
          ...honest,
          handshake: async (node, call) => {
            const answer = await honest.handshake(node, call);
            await end();
            return answer;
          },
        };
      await b.federation.pairing.pair(idB).catch(() => undefined);
      if (of === a) {
        a.calls = {
          ...a.calls,
          complete: async () => {
            await end();
            throw new Error('The line was cut.');
          },
        };
        await a.federation.pairing.confirm(idA);
      }
      expect(await of.federation.nodes.get(id)).toMatchObject({
        status: when === 'before the request is sent' ? 'pending' : 'pair_requested',
      });
      await of.federation.disconnects.declinePairing(id, '1');
      expect((await of.federation.nodes.get(id)).status).toBe('unpaired');
    },
  );

  it('stays as an ended record where our user declines a request that the partner just gave up', async () => {
    await b.federation.connecting.connect((await a.federation.invites.create(idA)).uri, {}, '1');
    await a.federation.disconnects.recordEndedByPartner(idA, {}, true);
    await a.federation.disconnects.declinePairing(idA, '1');
    expect(await a.federation.nodes.get(idA)).toMatchObject({ status: 'unpaired' });
  });

  it('goes on by itself with the request beside it, where only our clock was wrong', async () => {
    const held = await a.federation.tokens.tokenFor(idA);
    await b.federation.connecting.connect((await a.federation.invites.create(idA)).uri, {}, '1');
    const ended = await a.federation.disconnects.markEndedByTime(idA);
    expect(a.federation.disconnects.canReconnect(ended)).toBe(true);
    expect(msUntilNextWake(ended, clock.now(), { interval: 60_000, usualPause: () => 1 })).toBe(60_000);
    expect(await a.federation.disconnects.reconnect(idA)).toMatchObject({
      status: 'paired',
      pairing: { as: 'inviter', was: 'paired' },
    });
    expect(await a.federation.tokens.tokenFor(idA)).toBe(held);
    await a.federation.disconnects.declinePairing(idA, '1');
    expect(await a.federation.nodes.get(idA)).toMatchObject({ status: 'paired' });
  });

  it('does not go on by itself where its token was refused', async () => {
    await b.federation.connecting.connect((await a.federation.invites.create(idA)).uri, {}, '1');
    const ended = await a.federation.disconnects.markEnded(idA, 'refused');
    expect(a.federation.disconnects.canReconnect(ended)).toBe(false);
    expect(await a.federation.disconnects.reconnect(idA)).toMatchObject({ status: 'pair_requested' });
  });

  it('says that it has ended to a partner that reads', async () => {
    await b.federation.connecting.connect((await a.federation.invites.create(idA)).uri, {}, '1');
    const ended = await a.federation.disconnects.markEndedByTime(idA);
    expect(() => mustBeConnected(ended)).toThrow(expect.objectContaining({ code: 'node.closed' }));
  });

  it('ends every token of the connection, where the partner ended it', async () => {
    const held = await b.federation.tokens.tokenFor(idB);
    await b.federation.connecting.connect((await a.federation.invites.create(idA)).uri, {}, '1');
    await a.federation.disconnects.recordEndedByPartner(idA);
    await expect(a.federation.tokens.verify(held)).rejects.toEqual(refused('unauthenticated'));
    await expect(a.federation.tokens.tokenFor(idA)).rejects.toMatchObject({ code: 'node.no-token' });
  });
});

describe('a token that was renewed', () => {
  it('takes the place of the one that it was given for, and of no other', async () => {
    const before = await b.federation.nodes.get(idB);
    const { token } = await a.federation.tokens.renew(idA);
    const renewed = await b.federation.tokens.storeRenewed(before, token, 'current');
    expect(await b.federation.tokens.tokenFor(idB)).toBe(token);

    // On its way while both pair again: it would be the old connection's token on the way to the new one.
    const late = (await a.federation.tokens.renew(idA)).token;
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
    await b.federation.pairing.pair(idB);
    await a.federation.pairing.confirm(idA);
    const paired = await b.federation.tokens.tokenFor(idB);
    await b.federation.tokens.storeRenewed(renewed, late, 'current');
    expect(await b.federation.tokens.tokenFor(idB)).toBe(paired);
    expect(await a.federation.tokens.verify(paired)).toMatchObject({ kind: 'node' });
  });

  it('does not come back to a connection that our user ended meanwhile', async () => {
    const before = await b.federation.nodes.get(idB);
    const { token } = await a.federation.tokens.renew(idA);
    await b.federation.disconnects.revoke(idB, '1');
    const ended = await b.federation.tokens.storeRenewed(before, token, 'current');
    expect(ended).not.toHaveProperty('sealedToken');
    expect(b.federation.disconnects.canReconnect(ended)).toBe(false);
  });
});

describe('the words of a connection', () => {
  const words = async (): Promise<string> => (await b.federation.nodes.get(idB)).words ?? '';

  it('are noted as compared, by whom and when, until a new pairing brings others', async () => {
    const ours = await words();
    const noted = await b.federation.disconnects.applyWordsComparison(idB, ours, true, '1');
    const at = new Date(clock.now()).toISOString();
    expect(noted.wordsCompared).toEqual({ by: '1', at });
    const who = { name: 'Marta Hale', spokeTo: 'Elin Lindqvist' };
    const again = await b.federation.disconnects.applyWordsComparison(idB, ours, true, '1', who);
    expect(again.wordsCompared).toEqual({ by: '1', at, ...who });
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
    await b.federation.pairing.pair(idB);
    expect(await b.federation.nodes.get(idB)).toHaveProperty('wordsCompared');
    await a.federation.pairing.confirm(idA);
    expect(await words()).not.toBe(ours);
    expect(await b.federation.nodes.get(idB)).not.toHaveProperty('wordsCompared');
    await expect(b.federation.disconnects.applyWordsComparison(idB, ours, true, '1')).rejects.toEqual(
      refused('conflict'),
    );
  });

  it('that differ end the connection at once, and both sides say why', async () => {
    const token = await b.federation.tokens.tokenFor(idB);
    const theirs = (await a.federation.nodes.get(idA)).words ?? '';
    let told: unknown;
    a.calls.goodbye = async (_node, farewell) => {
      told = farewell.wordsDiffer;
      await b.federation.disconnects.recordEndedByPartner(idB, farewell);
    };
    await a.federation.disconnects.applyWordsComparison(idA, theirs, false, '1');
    const ended = await a.federation.nodes.get(idA);
    expect(ended.status).toBe('unpaired');
    expect(english(ended.problem ?? '')).toContain('were not the same on both sides');
    await expect.poll(async () => (await b.federation.nodes.get(idB)).status).toBe('unpaired');
    expect(told).toBe(true);
    const there = await b.federation.nodes.get(idB);
    expect(english(there.problem ?? '')).toContain(
      'The partner said that the verification words were not the same',
    );
    // Who could not be told hears of it with the next call.
    await expect(a.federation.tokens.verify(token)).rejects.toMatchObject({ code: 'auth.words-differ' });
  });
});

/** Every text of 16 characters and more that the office's store, and so its backup, has. */
async function stored(of: TestOffice): Promise<string[]> {
  const found: string[] = [];
  for (const table of [NODES, INVITES, ISSUED_TOKENS]) {
    const entries = await of.system.page<unknown>(table as never, { limit: 1000 });
    const values = entries.map(({ value }) => value);
    JSON.stringify(values, (_key, value: unknown) => {
      if (typeof value === 'string' && value.length >= 16 && !value.startsWith('sealed:')) found.push(value);
      return value;
    });
  }
  return [...new Set(found)];
}

describe('the answer to a pairing that waits to be collected', () => {
  beforeEach(async () => {
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
    await b.federation.pairing.pair(idB);
    a.calls = { ...a.calls, complete: () => Promise.reject(new Error('No way through.')) };
    await a.federation.pairing.confirm(idA);
  });

  it('is opened by nothing that lies in a store or backup of either side', async () => {
    const known = [...(await stored(a)), ...(await stored(b))];
    expect(known.length).toBeGreaterThan(20);
    for (const text of known) {
      const made = createHmac('sha256', text).update(`pairing ${idA}`).digest('hex');
      for (const proof of [text, made])
        await expect(a.federation.handshakes.collect(idA, proof)).rejects.toEqual(refused('unauthenticated'));
    }
  });

  it('is the same token as often as it is asked for and as the yes is said, and closed once it was used', async () => {
    const { proof } = await b.federation.handshakes.collectProof(idB);
    const first = await a.federation.handshakes.collect(idA, proof);
    clock.advance(5_000);
    await a.federation.pairing.confirm(idA);
    const second = await a.federation.handshakes.collect(idA, proof);
    expect(second).toEqual(first);
    expect(second.state).toBe('ready');
    if (second.state !== 'ready') return;
    await b.federation.handshakes.completeCollected(idB, second);
    await a.federation.tokens.verify(second.token);
    const [atA, atB] = [await a.federation.nodes.get(idA), await b.federation.nodes.get(idB)];
    expect(atA.words).toMatch(/^\w+( \w+){4}$/);
    expect(atA.words).toBe(atB.words);
    expect(await a.federation.handshakes.collect(idA, proof)).toEqual({ state: 'ended' });
  });

  it('is not for whoever used an earlier invite, who could prove that one', async () => {
    const { proof } = await b.federation.handshakes.collectProof(idB);
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
    await b.federation.pairing.pair(idB);
    await a.federation.pairing.confirm(idA);
    expect(await a.federation.handshakes.collect(idA, proof)).toEqual({ state: 'ended' });
    const { proof: newer } = await b.federation.handshakes.collectProof(idB);
    expect(await a.federation.handshakes.collect(idA, newer)).toMatchObject({ state: 'ready' });
  });

  it('is taken only by the token that was made for it, and for the pairing that is under way', async () => {
    const earlier = await b.federation.nodes.get(idB);
    const { pairing: first } = earlier;
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
    await b.federation.pairing.pair(idB);
    const now = await b.federation.nodes.get(idB);
    const [old, own] = [first, now.pairing].map((each) =>
      each?.as === 'invitee' ? each.ownToken : undefined,
    );
    expect(old).not.toBe(own);
    await expect(b.federation.handshakes.complete(now, { token: 'n'.repeat(40) }, old)).rejects.toEqual(
      refused('conflict'),
    );
    // Read before the newer invite was taken in: its link and words would be those of another pairing.
    await expect(b.federation.handshakes.complete(earlier, { token: 'n'.repeat(40) }, own)).rejects.toEqual(
      refused('conflict'),
    );
    expect(await b.federation.nodes.get(idB)).toEqual(now);
  });

  it('is over for the one who asks when our user takes the yes back', async () => {
    const { proof } = await b.federation.handshakes.collectProof(idB);
    const ready = await a.federation.handshakes.collect(idA, proof);
    await a.federation.disconnects.declinePairing(idA, '1');
    expect(await a.federation.handshakes.collect(idA, proof)).toEqual({ state: 'ended' });
    if (ready.state === 'ready')
      await expect(a.federation.tokens.verify(ready.token)).rejects.toEqual(refused('unauthenticated'));
  });
});

describe('the ids in a handshake', () => {
  it('must all name the partner whose invite it carries, by its own id or the shared one', async () => {
    const other = await a.federation.nodes.create({ name: 'Drammen' }, '1');
    const { uri } = await a.federation.invites.create(idA);
    const call = { inviteToken: new URL(uri).password, token: 't'.repeat(40), nodeIDB: idB };
    const before = await a.federation.nodes.get(idA);
    for (const nodeIDs of [
      [other.nodeID],
      [other.nodeID, idA],
      [idA, other.nodeID],
      ['999', idA],
      [idA, '0'],
    ])
      await expect(a.federation.handshakes.handshake({ ...call, nodeIDs })).rejects.toEqual(
        refused('unauthenticated'),
      );
    expect(await a.federation.nodes.get(idA)).toEqual(before);
    // The very same handshake again is answered as before, and changes nothing.
    await a.federation.handshakes.handshake({ ...call, nodeIDs: [idB, idA] });
    const asked = await a.federation.nodes.get(idA);
    await a.federation.handshakes.handshake({ ...call, nodeIDs: [idA] });
    expect(await a.federation.nodes.get(idA)).toEqual(asked);
    await expect(a.federation.handshakes.handshake({ ...call, nodeIDs: [other.nodeID] })).rejects.toEqual(
      refused('unauthenticated'),
    );
  });

  it('a lost answer is asked for again after the yes too, so that nobody is stuck', async () => {
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
    const { calls } = b;
    b.calls = {
      ...calls,
      handshake: async (node, call) => {
        await calls.handshake(node, call);
        throw new Error('The line was cut.');
      },
    };
    await expect(b.federation.pairing.pair(idB)).rejects.toEqual(refused('partner-failed'));
    a.calls = { ...a.calls, complete: () => Promise.reject(new Error('No way through.')) };
    await a.federation.pairing.confirm(idA);
    b.calls = calls;
    await b.federation.pairing.pair(idB);
    const { proof } = await b.federation.handshakes.collectProof(idB);
    expect(await a.federation.handshakes.collect(idA, proof)).toMatchObject({ state: 'ready' });
    const [first, second] = b.handshakes.slice(-2);
    expect(first?.token).toBe(second?.token);
  });
});

it('names a partner that still asks with its former token for ten minutes', async () => {
  const former = await b.federation.tokens.tokenFor(idB);
  await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, {}, '1');
  await b.federation.pairing.pair(idB);
  await a.federation.pairing.confirm(idA);
  expect(await b.federation.tokens.tokenFor(idB)).not.toBe(former);
  // Only other servers than Footbridge keep records of their own.
  const node = await a.federation.nodes.get(idA);
  await a.system.transaction((tx) => tx.put(NODES, idA, { ...node, footbridge: false }));
  expect(a.federation.tokens.supersededUse(idA)).toBeUndefined();
  await expect(a.federation.tokens.verify(former)).rejects.toMatchObject({ code: 'auth.superseded' });
  clock.advance(9 * 60_000);
  expect(a.federation.tokens.supersededUse(idA)).toBeDefined();
  clock.advance(61_000);
  expect(a.federation.tokens.supersededUse(idA)).toBeUndefined();
});

describe.each(['one after the other', 'at the same moment'])(
  'two offices that invited each other and ask %s',
  (when) => {
    let c: TestOffice;
    let d: TestOffice;
    interface Records {
      /** The partner that we invited. */
      readonly invited: string;
      /** The one whose invite we used. */
      readonly asked: string;
    }
    let atC: Records;
    let atD: Records;
    beforeEach(async () => {
      c = await testOffice('Cadiz', noLists, clock);
      d = await testOffice('Dover', noLists, clock);
      c.address = { listener: 'https://192.168.1.30:7420/federation', certificate: PIN_A };
      d.address = { listener: 'https://192.168.1.40:7420/federation', certificate: PIN_B };
      connect(c, d);
      const invite = async (from: TestOffice, name: string): Promise<{ nodeID: string; uri: string }> => {
        const { nodeID } = await from.federation.nodes.create({ name, contact: `${name}@example.org` }, '1');
        return { nodeID, ...(await from.federation.invites.create(nodeID)) };
      };
      const [ofC, ofD] = [await invite(c, 'Dover'), await invite(d, 'Cadiz')];
      const accept = async (by: TestOffice, { uri }: { uri: string }): Promise<string> =>
        (await by.federation.invites.accept(uri, {}, '1')).nodeID;
      atC = { invited: ofC.nodeID, asked: await accept(c, ofD) };
      if (when === 'one after the other') await c.federation.pairing.pair(atC.asked);
      atD = { invited: ofD.nodeID, asked: await accept(d, ofC) };
      if (when === 'at the same moment') await c.federation.pairing.pair(atC.asked);
      await d.federation.pairing.pair(atD.asked);
    });
    afterEach(() => Promise.all([c.close(), d.close()]));

    const statuses = async ({ federation }: TestOffice): Promise<string[]> =>
      (await federation.nodes.list()).map(({ nodeID, status }) => `${nodeID} ${status}`);

    it('are one partner to each other once one of them says yes, with the same words', async () => {
      expect([await statuses(c), await statuses(d)]).toEqual([
        [`${atC.invited} pair_requested`, `${atC.asked} pair_requested`],
        [`${atD.invited} pair_requested`, `${atD.asked} pair_requested`],
      ]);
      await d.federation.pairing.confirm(atD.invited);
      expect([await statuses(c), await statuses(d)]).toEqual([
        [`${atC.asked} paired`],
        [`${atD.invited} paired`],
      ]);
      const [one, other] = [
        await c.federation.nodes.get(atC.asked),
        await d.federation.nodes.get(atD.invited),
      ];
      expect(await c.federation.pairing.confirm(atC.invited)).toEqual(one);
      expect(one.words).toBe(other.words);
      expect(one.contact).toBe('Dover@example.org');
      expect(c.news).toContainEqual(expect.objectContaining({ kind: 'node', nodeID: atC.invited }));
      const held = await c.federation.tokens.tokenFor(atC.asked);
      expect(await d.federation.tokens.verify(held)).toMatchObject({ kind: 'node' });
    });

    it('are one partner to each other where the token is used before the answer to the yes comes', async () => {
      const honest = d.calls;
      d.calls = {
        ...honest,
        async complete(...call) {
          const answer = await honest.complete(...call);
          await d.federation.tokens.verify(await c.federation.tokens.tokenFor(atC.asked));
          return answer;
        },
      };
      await d.federation.pairing.confirm(atD.invited);
      expect([await statuses(c), await statuses(d)]).toEqual([
        [`${atC.asked} paired`],
        [`${atD.invited} paired`],
      ]);
    });

    it('keep our own request while the certificate was only claimed, and nobody answered with it', async () => {
      const honest = d.calls;
      d.calls = {
        ...honest,
        async complete(...call) {
          await honest.complete(...call);
          await d.federation.tokens.verify(await c.federation.tokens.tokenFor(atC.asked));
          throw new Error('cut off');
        },
      };
      await d.federation.pairing.confirm(atD.invited).catch(() => undefined);
      expect(await statuses(d)).toEqual([`${atD.invited} paired`, `${atD.asked} pair_requested`]);
    });

    it('keep our request where a third office names the certificate of the one that we asked as its own', async () => {
      const listener = 'https://192.168.1.40:7420/federation';
      const routes = { pin: PIN_THIEF, texts: ['mapped:203.0.113.66:443'] };
      a.address = { listener, certificate: PIN_B };
      const theirs = new URL(withoutChecksum((await a.federation.invites.create(idA)).uri));
      theirs.searchParams.set('r', 'mapped:203.0.113.66:443');
      theirs.searchParams.set('rp', PIN_THIEF);
      await expect(c.federation.invites.inspect(theirs.toString())).rejects.toMatchObject({
        code: 'invite.malformed',
      });
      a.address = { listener, certificate: PIN_B, routes };
      connect(a, c);
      const { nodeID } = await c.federation.nodes.create({ name: 'Oslo' }, '1');
      const { uri } = await c.federation.invites.create(nodeID);
      await expect(a.federation.connecting.connect(uri, {}, '1')).rejects.toMatchObject({
        cause: { status: 400, code: 'pairing.certificates' },
      });
      expect((await c.federation.nodes.get(nodeID)).status).toBe('pending');
    });

    it('keep what our user allowed for the request that goes', async () => {
      const relayConsent = { by: '1', at: '2026-01-01T00:00:00.000Z', host: 'relay.example', port: 443 };
      const asked = await c.federation.nodes.get(atC.asked);
      const { pairing } = asked;
      if (pairing?.as !== 'invitee') throw new Error('nothing was asked');
      await c.system.transaction((tx) => {
        const link = { ...pairing.link, relayConsent };
        tx.put(NODES, atC.asked, { ...asked, pairing: { ...pairing, link } });
        return Promise.resolve();
      });
      await c.federation.pairing.confirm(atC.invited);
      expect(await statuses(c)).toEqual([`${atC.invited} paired`]);
      expect((await c.federation.nodes.get(atC.invited)).relayConsent).toEqual(relayConsent);
    });

    /** Both users approve, and each approval arrives before the other one is answered. */
    const approveAtOnce = async (): Promise<void> => {
      const barrier = (): (() => Promise<void>) => {
        let arrived = 0;
        let release = (): void => undefined;
        const both = new Promise<void>((resolve) => (release = resolve));
        return () => {
          arrived += 1;
          if (arrived === 2) release();
          return both;
        };
      };
      const [sent, delivered] = [barrier(), barrier()];
      for (const [office, other] of [
        [c, d],
        [d, c],
      ] as const) {
        const honest = office.calls;
        office.calls = {
          ...honest,
          async complete(...call) {
            await sent();
            const answer = await honest.complete(...call);
            await delivered();
            return answer;
          },
          async goodbye(node, call) {
            await honest.goodbye(node, call);
            const caller = await other.federation.tokens.verify(call.heldToken);
            if (caller.kind === 'node')
              await other.federation.disconnects.recordEndedByPartner(caller.node.nodeID);
          },
        };
      }
      await Promise.all([
        c.federation.pairing.confirm(atC.invited),
        d.federation.pairing.confirm(atD.invited),
      ]);
    };

    /** Returns which of two connections stays: that by the invite of the smaller installation id. */
    const kept = (): { c: string; d: string } =>
      c.installation < d.installation ? { c: atC.invited, d: atD.asked } : { c: atC.asked, d: atD.invited };

    it('have one connection where both say yes at the same moment, once both records answered', async () => {
      await approveAtOnce();
      expect(
        [await statuses(c), await statuses(d)].flat().filter((each) => each.endsWith(' paired')),
      ).toHaveLength(4);
      const gone = kept().c === atC.asked ? atC.invited : atC.asked;
      for (const silent of [atC.asked, atC.invited])
        await c.federation.disconnects.endSecondConnection(silent, () => Promise.resolve(false));
      expect(await statuses(c)).toHaveLength(2);
      await c.federation.disconnects.endSecondConnection(gone, () => Promise.resolve(true));
      expect(await statuses(c)).toEqual([`${kept().c} paired`]);
      await vi.waitFor(async () => expect(await statuses(d)).toEqual([`${kept().d} paired`]));
      const [one, other] = [await c.federation.nodes.get(kept().c), await d.federation.nodes.get(kept().d)];
      expect(one.words).toBe(other.words);
      expect([one.contact, other.contact]).toEqual(['Dover@example.org', 'Cadiz@example.org']);
      // A page of the record that went shows the one that stays.
      expect((await c.federation.nodes.getCurrent(gone)).nodeID).toBe(kept().c);
      const held = await c.federation.tokens.tokenFor(kept().c);
      expect(await d.federation.tokens.verify(held)).toMatchObject({ kind: 'node' });
      // Nothing to do for the office that comes second.
      await d.federation.disconnects.endSecondConnection(kept().d, () => Promise.resolve(true));
      expect(await statuses(d)).toEqual([`${kept().d} paired`]);
    });

    it('keep both connections where the other one answers no more, or ends or is paused while it is asked', async () => {
      await approveAtOnce();
      const second = kept().c === atC.asked ? atC.invited : atC.asked;
      const { federation } = c;
      for (const each of [second, kept().c])
        await federation.disconnects.endSecondConnection(each, (other) => {
          expect(other).not.toBe(each);
          return Promise.resolve(false);
        });
      await federation.nodes.pause(kept().c, {});
      await federation.disconnects.endSecondConnection(second, () => Promise.resolve(true));
      await federation.nodes.resume(kept().c);
      expect(await statuses(c)).toHaveLength(2);
      const ends = federation.disconnects.endSecondConnection(second, async () => {
        await federation.disconnects.markEnded(kept().c, 'No.');
        return true;
      });
      await expect(ends).rejects.toEqual(refused('conflict'));
      expect(await statuses(c)).toContain(`${second} paired`);
    });

    it('keep both connections where the other one is asked for long, and begins to share over the second one', async () => {
      await approveAtOnce();
      const second = kept().c === atC.asked ? atC.invited : atC.asked;
      for (const each of [second, kept().c]) {
        await c.federation.disconnects.endSecondConnection(each, async (asked) => {
          if (asked === second)
            await c.system.transaction((tx) => {
              tx.put(SHARED_MODULES, 's', { nodeID: second } as SharedModule);
              return Promise.resolve();
            });
          return true;
        });
        expect(await statuses(c)).toHaveLength(2);
        await c.system.transaction((tx) => {
          tx.delete(SHARED_MODULES, 's');
          return Promise.resolve();
        });
      }
    });

    it('are shown as ended where the other office ends both connections at the same moment', async () => {
      await approveAtOnce();
      await Promise.all(
        [atC.asked, atC.invited].map((each) => c.federation.disconnects.recordEndedByPartner(each)),
      );
      expect((await statuses(c)).map((each) => each.split(' ')[1])).toEqual(['unpaired']);
    });

    it('keep the request of another office at the second one, where the partner ends that', async () => {
      await approveAtOnce();
      const second = kept().c === atC.asked ? atC.invited : atC.asked;
      a.address = { listener: 'https://192.168.1.41:7420/federation', certificate: PIN_A };
      connect(a, c);
      await a.federation.connecting.connect((await c.federation.invites.create(second)).uri, {}, '1');
      await c.federation.disconnects.recordEndedByPartner(second, {}, true);
      expect(await statuses(c)).toContain(`${second} pair_requested`);
      expect(await c.federation.pairing.confirm(second)).toMatchObject({
        status: 'paired',
        installation: a.installation,
      });
    });

    it('keep what our user allowed for the connection that goes', async () => {
      await approveAtOnce();
      const second = kept().c === atC.asked ? atC.invited : atC.asked;
      const relayConsent = { by: '1', at: '2026-01-01T00:00:00.000Z', host: 'relay.example', port: 443 };
      const node = await c.federation.nodes.get(second);
      await c.system.transaction((tx) => {
        tx.put(NODES, second, { ...node, relayConsent, ownNetwork: true });
        return Promise.resolve();
      });
      await c.federation.disconnects.endSecondConnection(second, () => Promise.resolve(true));
      expect(await c.federation.nodes.get(kept().c)).toMatchObject({ relayConsent, ownNetwork: true });
    });

    it('take no approval on the page of a record that went for a later request on the one that stays', async () => {
      await d.federation.pairing.confirm(atD.invited);
      expect((await c.federation.nodes.getCurrent(atC.invited)).nodeID).toBe(atC.asked);
      const again = await c.federation.invites.create(atC.asked);
      const copy = await d.federation.nodes.create({ name: 'copied' }, '1');
      await d.federation.invites.accept(again.uri, { nodeID: copy.nodeID }, '1');
      await d.federation.pairing.pair(copy.nodeID);
      await expect(c.federation.pairing.confirm(atC.invited)).rejects.toEqual(refused('not-found'));
      const { pairing } = await c.federation.nodes.get(atC.asked);
      expect(pairing).not.toHaveProperty('yes');
    });

    it('return the partner where its approval removes the request that our user is just approving', async () => {
      const { system } = c;
      const store = system.transaction.bind(system);
      vi.spyOn(system, 'transaction').mockImplementationOnce(async (body) => {
        await d.federation.pairing.confirm(atD.invited);
        return store(body);
      });
      expect(await c.federation.pairing.confirm(atC.invited)).toMatchObject({
        nodeID: atC.asked,
        status: 'paired',
      });
    });

    it('leave the connection as it was where the partner gave the request up that would renew it', async () => {
      await d.federation.pairing.confirm(atD.invited);
      const { nodeID } = await c.federation.nodes.create({ name: 'Dover again' }, '1');
      const { uri } = await c.federation.invites.create(nodeID);
      await d.federation.connecting.connect(uri, {}, '1');
      await c.system.transaction((tx) => {
        tx.put(EXPOSURES, 'e', { nodeID, composeModuleID: '1' } as Exposure);
        return Promise.resolve();
      });
      c.calls = { ...c.calls, complete: () => Promise.reject(refusedWith(401, 'No.', 'auth.wrong')) };
      expect(await c.federation.pairing.confirm(nodeID)).toMatchObject({
        nodeID: atC.asked,
        status: 'paired',
      });
      expect(await statuses(c)).toEqual([`${atC.asked} paired`]);
      expect((await c.federation.nodes.get(atC.asked)).pairing).toBeUndefined();
    });

    it('keep both connections where something is shared over the second one, and say when it ends', async () => {
      await approveAtOnce();
      const second = kept().c === atC.asked ? atC.invited : atC.asked;
      await c.system.transaction((tx) => {
        const shared = { nodeID: second, composeModuleID: '1' } as Exposure;
        tx.put(EXPOSURES, 'e', shared);
        return Promise.resolve();
      });
      await c.federation.disconnects.endSecondConnection(second, () => Promise.resolve(true));
      expect(await statuses(c)).toHaveLength(2);
      await c.federation.disconnects.recordEndedByPartner(second);
      expect(await statuses(c)).toContain(`${second} unpaired`);
    });

    it('return the partner for an approval that comes after its own one, and end the request', async () => {
      const honest = d.calls;
      // D's user approved, and C's approval connects the two before that arrives.
      d.calls = {
        ...honest,
        async complete(...call) {
          await c.federation.pairing.confirm(atC.invited);
          return honest.complete(...call);
        },
      };
      expect(await d.federation.pairing.confirm(atD.invited)).toMatchObject({
        nodeID: atD.asked,
        status: 'paired',
      });
      expect([await statuses(c), await statuses(d)]).toEqual([
        [`${atC.invited} paired`],
        [`${atD.asked} paired`],
      ]);
    });

    it('keep both requests of one office that used the invites of two, for our user to see', async () => {
      const { nodeID } = await c.federation.nodes.create({ name: 'Hamar' }, '1');
      const { uri } = await c.federation.invites.create(nodeID);
      const copy = await d.federation.nodes.create({ name: 'copied' }, '1');
      await d.federation.invites.accept(uri, { nodeID: copy.nodeID }, '1');
      await d.federation.pairing.pair(copy.nodeID);
      await c.federation.pairing.confirm(atC.invited);
      expect(await statuses(c)).toEqual([`${atC.invited} paired`, `${nodeID} pair_requested`]);
    });

    it('stay two records where the keys do not show that they are the same', async () => {
      const requested = await c.federation.nodes.get(atC.invited);
      const { pairing } = requested;
      if (!pairing) throw new Error('no request');
      const link = { ...pairing.link, installation: a.installation };
      await c.system.transaction((tx) => {
        tx.put(NODES, atC.invited, { ...requested, pairing: { ...pairing, link } });
        return Promise.resolve();
      });
      await d.federation.pairing.confirm(atD.invited);
      expect(await statuses(c)).toEqual([`${atC.invited} pair_requested`, `${atC.asked} paired`]);
    });

    it('keep a request that comes later, also where a new invite of the connected one turns out to be used', async () => {
      await d.federation.pairing.confirm(atD.invited);
      const { uri } = await d.federation.invites.create(atD.invited);
      const { nodeID } = await c.federation.nodes.create({ name: 'Dover again' }, '1');
      const again = await c.federation.invites.create(nodeID);
      await d.federation.connecting.connect(again.uri, {}, '1');
      await c.federation.invites.accept(uri, { nodeID: atC.asked }, '1');
      c.calls = { ...c.calls, handshake: () => Promise.reject(refusedWith(410, 'No.', 'invite.used')) };
      await expect(c.federation.pairing.pair(atC.asked)).rejects.toEqual(refused('partner-failed'));
      expect(await statuses(c)).toEqual([`${atC.asked} paired`, `${nodeID} pair_requested`]);
    });

    it('keep a request that comes later, as the other one may have lost its data', async () => {
      await d.federation.pairing.confirm(atD.invited);
      await d.federation.disconnects.remove(atD.invited, '1');
      const { nodeID } = await c.federation.nodes.create({ name: 'Dover again' }, '1');
      const { uri } = await c.federation.invites.create(nodeID);
      await d.federation.connecting.connect(uri, {}, '1');
      expect(await statuses(c)).toEqual([`${atC.asked} paired`, `${nodeID} pair_requested`]);
    });
  },
);
