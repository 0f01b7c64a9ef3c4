import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { omit } from '../../../server/base/omit.ts';
import type { RefusalKind } from '../../../server/base/refusal.ts';
import type { Node } from '../../../server/federation/model.ts';
import { formatNodeURI, parseNodeURI } from '../../../server/federation/partners/node-uri.ts';
import { ISSUED_TOKENS } from '../../../server/federation/tables.ts';
import { said } from '../../../server/words/said.ts';
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

let clock: TestClock;
let a: TestOffice;
let b: TestOffice;
beforeEach(async () => {
  clock = testClock();
  a = await testOffice('Oslo', noLists, clock);
  b = await testOffice('Bergen', noLists, clock);
  connect(a, b);
});
afterEach(() => Promise.all([a.close(), b.close()]));

const refused = (kind: RefusalKind): object => expect.objectContaining({ name: 'Refusal', kind }) as object;

async function invited(): Promise<{ idA: string; uri: string }> {
  const { nodeID } = await a.federation.nodes.create({ name: 'Bergen' }, '1');
  const { uri } = await a.federation.invites.create(nodeID);
  return { idA: nodeID, uri };
}

async function asked(): Promise<{ idA: string; idB: string; uri: string }> {
  const { idA, uri } = await invited();
  const { nodeID: idB } = await b.federation.invites.accept(uri, {}, '1');
  await b.federation.pairing.pair(idB);
  return { idA, idB, uri };
}

async function paired(): Promise<{ idA: string; idB: string; uri: string }> {
  const ids = await asked();
  await a.federation.pairing.confirm(ids.idA);
  return ids;
}

describe('pairing', () => {
  it('takes both sides from pending over pair_requested to paired, each with a token for the other', async () => {
    const { idA, uri } = await invited();
    const { nodeID: idB } = await b.federation.invites.accept(uri, {}, '1');
    expect((await b.federation.nodes.get(idB)).status).toBe('pending');
    await b.federation.pairing.pair(idB);
    expect(await a.federation.nodes.get(idA)).toMatchObject({ status: 'pair_requested', sharedNodeID: idB });
    expect(await b.federation.nodes.get(idB)).toMatchObject({ status: 'pair_requested', sharedNodeID: idA });
    await a.federation.pairing.confirm(idA);
    const [nodeA, nodeB] = [await a.federation.nodes.get(idA), await b.federation.nodes.get(idB)];
    expect([nodeA.status, nodeB.status]).toEqual(['paired', 'paired']);
    expect(await b.federation.tokens.verify(await a.federation.tokens.tokenFor(idA))).toMatchObject({
      kind: 'node',
    });
    expect(await a.federation.tokens.verify(await b.federation.tokens.tokenFor(idB))).toMatchObject({
      kind: 'node',
    });
    expect(nodeA.words).toMatch(/^\w+( \w+){3,}$/);
    expect(nodeA.words).toBe(nodeB.words);
    expect(nodeB.pairing).toBeUndefined();
  });

  it('learns from a Footbridge where it is and what it is called', async () => {
    const { idA } = await asked();
    expect(await a.federation.nodes.get(idA)).toMatchObject({
      baseURL: 'http://bergen.local:7420/federation',
      footbridge: true,
      installation: b.installation,
    });
  });

  it('knows each side as the installation that it says it is, from the moment both are connected', async () => {
    const { idA, idB } = await asked();
    await a.federation.pairing.confirm(idA);
    expect((await a.federation.nodes.get(idA)).installation).toBe(b.installation);
    expect((await b.federation.nodes.get(idB)).installation).toBe(a.installation);
  });

  it('A2: refuses steps out of order and changes nothing', async () => {
    const { idA, uri } = await invited();
    const before = await a.federation.nodes.get(idA);
    await expect(a.federation.pairing.confirm(idA)).rejects.toEqual(refused('conflict'));
    await expect(a.federation.pairing.pair(idA)).rejects.toEqual(refused('conflict'));
    await expect(a.federation.handshakes.complete(before, { token: 'x'.repeat(40) })).rejects.toEqual(
      refused('conflict'),
    );
    expect(await a.federation.nodes.get(idA)).toEqual(before);

    const { nodeID: idB } = await b.federation.invites.accept(uri, {}, '1');
    await b.federation.pairing.pair(idB);
    const requested = await b.federation.nodes.get(idB);
    await expect(b.federation.pairing.confirm(idB)).rejects.toEqual(refused('conflict'));
    await expect(b.federation.pairing.pair(idB)).rejects.toEqual(refused('conflict'));
    expect(await b.federation.nodes.get(idB)).toEqual(requested);

    await a.federation.pairing.confirm(idA);
    const [doneA, doneB] = [await a.federation.nodes.get(idA), await b.federation.nodes.get(idB)];
    await expect(a.federation.pairing.confirm(idA)).rejects.toEqual(refused('conflict'));
    await expect(b.federation.handshakes.complete(doneB, { token: 'y'.repeat(40) })).rejects.toEqual(
      refused('conflict'),
    );
    expect(await a.federation.nodes.get(idA)).toEqual(doneA);
    expect(await b.federation.nodes.get(idB)).toEqual(doneB);
  });

  it('A2: refuses whoever uses an invite while our user has taken in one of that partner, and changes nothing', async () => {
    const { idA, idB } = await paired();
    const { uri: ours } = await a.federation.invites.create(idA);
    const { uri: theirs } = await b.federation.invites.create(idB);
    await a.federation.invites.accept(theirs, {}, '1');
    const before = await a.federation.nodes.get(idA);
    expect(before).toMatchObject({ status: 'paired', pairing: { as: 'invitee' } });
    const shake = (): Promise<unknown> =>
      a.federation.handshakes.handshake({
        nodeIDs: [idA],
        inviteToken: new URL(ours).password,
        token: 't'.repeat(40),
        nodeIDB: '5',
      });
    await expect(shake()).rejects.toEqual(refused('conflict'));
    expect(await a.federation.nodes.get(idA)).toEqual(before);
    // Nor is the invite used by it.
    await a.federation.disconnects.declinePairing(idA, '1');
    await shake();
    expect((await a.federation.nodes.get(idA)).pairing?.as).toBe('inviter');
  });

  it('A1: an invite is won by exactly one of two racers', async () => {
    const { idA, uri } = await invited();
    const secret = new URL(uri).password;
    const racers = ['r'.repeat(40), 's'.repeat(40)].map((token) =>
      a.federation.handshakes.handshake({ nodeIDs: [idA], inviteToken: secret, token, nodeIDB: '5' }),
    );
    const results = await Promise.allSettled(racers);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refused('gone') });
  });

  it('A1: used, expired and withdrawn invites are gone; unknown ones and wrong partners look alike', async () => {
    const { idA, uri } = await asked();
    const { password: used } = new URL(uri);
    const attempt = (inviteToken: string, nodeID = idA): Promise<unknown> =>
      a.federation.handshakes.handshake({
        nodeIDs: [nodeID],
        inviteToken,
        token: 't'.repeat(40),
        nodeIDB: '5',
      });
    await expect(attempt(used)).rejects.toEqual(refused('gone'));

    const old = new URL((await a.federation.invites.create(idA)).uri).password;
    const fresh = new URL((await a.federation.invites.create(idA)).uri).password;
    await expect(attempt(old)).rejects.toEqual(refused('gone'));
    const wrongs = [attempt('A'.repeat(32)), attempt(fresh, '77'), attempt('')];
    const messages = (await Promise.allSettled(wrongs)).map((each) =>
      'reason' in each ? String(each.reason) : '',
    );
    expect(new Set(messages).size).toBe(1);
    await expect(attempt('A'.repeat(32))).rejects.toEqual(refused('unauthenticated'));

    clock.advance(24 * 3_600_000);
    await expect(attempt(fresh)).rejects.toEqual(refused('gone'));
    const last = new URL((await a.federation.invites.create(idA)).uri).password;
    await a.federation.disconnects.remove(idA, '1');
    await expect(attempt(last)).rejects.toEqual(refused('gone'));
  });

  it('asks again with the same token when the answer got lost, and is answered as before', async () => {
    const { uri } = await invited();
    const { nodeID: idB } = await b.federation.invites.accept(uri, {}, '1');
    const { calls } = b;
    b.calls = {
      ...calls,
      handshake: async (node, call) => {
        await calls.handshake(node, call);
        throw new Error('The line was cut.');
      },
    };
    await expect(b.federation.pairing.pair(idB)).rejects.toEqual(refused('partner-failed'));
    expect(await b.federation.nodes.get(idB)).toMatchObject({
      status: 'pending',
      problem: 'The line was cut.',
    });
    b.calls = calls;
    await b.federation.pairing.pair(idB);
    expect((await b.federation.nodes.get(idB)).status).toBe('pair_requested');
    expect(new Set(b.handshakes.map(({ token }) => token)).size).toBe(1);
  });

  it('asks again with the same token where an older version stored the invite without its signature', async () => {
    const { idA, uri } = await invited();
    const unsigned = formatNodeURI(omit(parseNodeURI(uri), 'signature'));
    const { nodeID: idB } = await b.federation.invites.accept(unsigned, {}, '1');
    const { calls } = b;
    b.calls = {
      ...calls,
      handshake: (node, call) => calls.handshake(node, call).then(() => Promise.reject(new Error('Cut.'))),
    };
    await expect(b.federation.pairing.pair(idB)).rejects.toEqual(refused('partner-failed'));
    b.calls = calls;
    expect((await b.federation.handshakes.collectProof(idB)).invite).toBeUndefined();
    for (const pasted of [uri, unsigned]) {
      expect((await b.federation.invites.accept(pasted, {}, '1')).nodeID).toBe(idB);
      // The answer is fetched from who signed it.
      expect((await b.federation.handshakes.collectProof(idB)).invite).toMatch(/^invite\./);
    }
    await b.federation.pairing.pair(idB);
    await a.federation.pairing.confirm(idA);
    expect((await b.federation.nodes.get(idB)).status).toBe('paired');
  });

  it('drops an invite that the partner calls used, and says so', async () => {
    const { uri } = await invited();
    const { nodeID: idB } = await b.federation.invites.accept(uri, {}, '1');
    b.calls = {
      ...b.calls,
      handshake: () => Promise.reject(refusedWith(410, 'The invite was used already.', 'invite.used')),
    };
    await expect(b.federation.pairing.pair(idB)).rejects.toEqual(refused('partner-failed'));
    const node = await b.federation.nodes.get(idB);
    expect(node).toMatchObject({ status: 'failed', problem: 'The invite was used already.' });
    expect(node.pairing).toBeUndefined();
    await expect(b.federation.pairing.pair(idB)).rejects.toEqual(refused('conflict'));
  });

  it('says that an invite is over only where that ended the request, as nobody may have signed the refusal', async () => {
    const { uri } = await invited();
    const unsigned = formatNodeURI(omit(parseNodeURI(uri), 'signature'));
    const { calls } = b;
    b.calls = {
      ...calls,
      handshake: () => Promise.reject(refusedWith(401, 'Unknown.', 'invite.wrong')),
    };
    const { nodeID: idB } = await b.federation.invites.accept(unsigned, {}, '1');
    await expect(b.federation.pairing.pair(idB)).rejects.toMatchObject({ code: 'partner.refused' });
    expect(await b.federation.nodes.get(idB)).toMatchObject({ status: 'pending', problem: 'Unknown.' });
    await b.federation.invites.accept(uri, {}, '1');
    await expect(b.federation.pairing.pair(idB)).rejects.toMatchObject({ code: 'partner.invite-over' });
    expect(await b.federation.nodes.get(idB)).toMatchObject({ status: 'failed', problem: 'Unknown.' });
  });

  it('keeps an invite that a proxy in front of the partner refuses, by a code of its own', async () => {
    const { uri } = await invited();
    const { nodeID: idB } = await b.federation.invites.accept(uri, {}, '1');
    const { calls } = b;
    b.calls = { ...calls, handshake: () => Promise.reject(refusedWith(403, 'No.', 'gateway.no-route')) };
    await expect(b.federation.pairing.pair(idB)).rejects.toEqual(refused('partner-failed'));
    b.calls = calls;
    await b.federation.pairing.pair(idB);
    expect((await b.federation.nodes.get(idB)).status).toBe('pair_requested');
  });

  it('stays asked for when the partner refuses the token at confirmation, whose token is void then', async () => {
    const { idA } = await asked();
    let given = '';
    a.calls = {
      ...a.calls,
      complete: (_node, { token }) => {
        given = token;
        return Promise.reject(refusedWith(409, 'No.', 'pairing.not-shown'));
      },
    };
    await expect(a.federation.pairing.confirm(idA)).rejects.toEqual(refused('partner-failed'));
    expect((await a.federation.nodes.get(idA)).status).toBe('pair_requested');
    await expect(a.federation.tokens.verify(given)).rejects.toEqual(refused('unauthenticated'));
  });

  it.each([undefined, 'NotFound', 'live.entry-gone', 'gateway.no-route'])(
    'keeps a token that the partner fetches while another server at its address refuses the call (%s)',
    async (code) => {
      const { idA, idB } = await asked();
      a.calls = {
        ...a.calls,
        complete: async () => {
          const { sharedNodeID, proof } = await b.federation.handshakes.collectProof(idB);
          const answer = await a.federation.handshakes.collect(sharedNodeID, proof);
          if (answer.state === 'ready') await b.federation.handshakes.completeCollected(idB, answer);
          throw refusedWith(404, 'No.', code);
        },
      };
      await a.federation.pairing.confirm(idA);
      const token = await b.federation.tokens.tokenFor(idB);
      await expect(a.federation.tokens.verify(token)).resolves.toMatchObject({ kind: 'node' });
    },
  );

  it.each([408, 429, 500, 503])(
    'keeps the yes of our user where the partner answers with an error, such as %i',
    async (status) => {
      const { idA, idB } = await asked();
      const { calls } = a;
      a.calls = {
        ...calls,
        complete: async (node, call) => {
          await calls.complete(node, call);
          throw refusedWith(status);
        },
      };
      await a.federation.pairing.confirm(idA);
      expect((await b.federation.nodes.get(idB)).status).toBe('paired');
      await a.federation.tokens.verify(await b.federation.tokens.tokenFor(idB));
      expect((await a.federation.nodes.get(idA)).status).toBe('paired');
    },
  );

  it('counts as paired when the partner uses a token whose delivery seemed to fail', async () => {
    const { idA, idB } = await asked();
    const { calls } = a;
    a.calls = {
      ...calls,
      complete: async (node, call) => {
        await calls.complete(node, call);
        throw new Error('The line was cut.');
      },
    };
    await a.federation.pairing.confirm(idA).catch(() => undefined);
    expect((await a.federation.nodes.get(idA)).status).toBe('pair_requested');
    await a.federation.tokens.verify(await b.federation.tokens.tokenFor(idB));
    expect((await a.federation.nodes.get(idA)).status).toBe('paired');
  });

  it('knows who made a fresh invite by the address of the one partner there that has ended, and never guesses', async () => {
    const first = await paired();
    const known = async (): Promise<string | undefined> =>
      (await b.federation.invites.inspect((await invited()).uri)).alreadyKnown;
    // A second pair between the same two is a pair of its own while the first is good.
    expect(await known()).toBeUndefined();
    await b.federation.disconnects.markEnded(first.idB, 'It ended.');
    expect(await known()).toBe(first.idB);
    const second = (await b.federation.invites.accept((await invited()).uri, { name: 'Oslo again' }, '1'))
      .nodeID;
    expect(second).toBe(first.idB);
    const other = await b.federation.nodes.create(
      { name: 'x', baseURL: (await b.federation.nodes.get(first.idB)).baseURL },
      '1',
    );
    await b.federation.disconnects.markEnded(first.idB, 'It ended.');
    await b.federation.disconnects.markEnded(other.nodeID, 'It ended.');
    expect(await known()).toBeUndefined();
  });

  it('ends our request where another signing key makes no proof any more, not where the clock ends its token', async () => {
    const { idB } = await asked();
    const fetching = async (): Promise<Node> => {
      await expect(b.federation.handshakes.collectProof(idB)).rejects.toEqual(refused('conflict'));
      return b.federation.nodes.get(idB);
    };
    clock.advance(100 * 86_400_000);
    expect((await fetching()).status).toBe('pair_requested');
    clock.advance(-100 * 86_400_000);
    await b.federation.handshakes.collectProof(idB);
    const [{ value: own } = expect.fail()] = await b.system.find(ISSUED_TOKENS, 'node', idB);
    await b.system.transaction((tx) =>
      tx.put(ISSUED_TOKENS, own.jti, { ...own, hash: 'another signature’s' }),
    );
    expect(await fetching()).toMatchObject({ status: 'failed', problem: said('pairing.renewed-meanwhile') });
  });

  it('lets a partner behind a router fetch the answer with a proof of the token it gave', async () => {
    const { idA, idB } = await asked();
    const { sharedNodeID, proof } = await b.federation.handshakes.collectProof(idB);
    expect(sharedNodeID).toBe(idA);
    expect(await a.federation.handshakes.collect(idA, proof)).toEqual({ state: 'waiting' });
    await expect(a.federation.handshakes.collect(idA, 'f'.repeat(64))).rejects.toEqual(
      refused('unauthenticated'),
    );
    a.calls = { ...a.calls, complete: () => Promise.reject(new Error('No way through.')) };
    await a.federation.pairing.confirm(idA);
    const lost = await a.federation.handshakes.collect(idA, proof);
    const collected = await a.federation.handshakes.collect(idA, proof);
    if (collected.state !== 'ready') throw new Error('not ready');
    expect(collected).toEqual(lost);
    await b.federation.handshakes.completeCollected(idB, collected);
    await a.federation.tokens.verify(collected.token);
    const [nodeA, nodeB] = [await a.federation.nodes.get(idA), await b.federation.nodes.get(idB)];
    expect([nodeA.status, nodeB.status]).toEqual(['paired', 'paired']);
    expect(nodeA.words).toBe(nodeB.words);
    expect(await a.federation.handshakes.collect(idA, proof)).toEqual({ state: 'ended' });
  });

  it('takes the answer that it has just fetched as well when it is told it', async () => {
    const { idA, idB } = await asked();
    a.calls = {
      ...a.calls,
      async complete({ baseURL }, { token, proof: shown }) {
        const answer = { token, ...(shown === undefined ? {} : { proof: shown }) };
        const atTheDoor = await b.federation.nodes.get(idB);
        const by = atTheDoor.pairing?.as === 'invitee' ? atTheDoor.pairing.ownToken : undefined;
        const { proof } = await b.federation.handshakes.collectProof(idB);
        const collected = await a.federation.handshakes.collect(idA, proof);
        if (collected.state !== 'ready') throw new Error('not ready');
        await b.federation.handshakes.completeCollected(idB, collected);
        await b.federation.handshakes.complete(atTheDoor, answer, by);
        // Another answer is none that it has.
        const other = { token: 'n'.repeat(40) };
        await expect(b.federation.handshakes.complete(atTheDoor, other, by)).rejects.toEqual(
          refused('conflict'),
        );
        return baseURL;
      },
    };
    await a.federation.pairing.confirm(idA);
    const both = [await a.federation.nodes.get(idA), await b.federation.nodes.get(idB)];
    expect(both.map(({ status }) => status)).toEqual(['paired', 'paired']);
  });

  it('takes the answer once where it is told and fetched at the same moment, and is asked for once where that comes twice', async () => {
    const { idA, uri } = await invited();
    const { nodeID: idB } = await b.federation.invites.accept(uri, {}, '1');
    const { calls } = b;
    b.calls = {
      ...calls,
      async handshake(node, call) {
        // The first is given up by a proxy that sends it again, and neither has heard of the other.
        const [first] = await Promise.all([calls.handshake(node, call), calls.handshake(node, call)]);
        return first;
      },
    };
    await b.federation.pairing.pair(idB);
    const { calls: callsOfA } = a;
    a.calls = {
      ...a.calls,
      async complete(node, call) {
        const { proof } = await b.federation.handshakes.collectProof(idB);
        const answer = await a.federation.handshakes.collect(idA, proof);
        if (answer.state !== 'ready') throw new Error('not ready');
        const fetched = (): Promise<unknown> => b.federation.handshakes.completeCollected(idB, answer);
        const told = (): Promise<string> => callsOfA.complete(node, call);
        const [, base] = await Promise.all([fetched(), told(), told(), fetched()]);
        return base;
      },
    };
    await a.federation.pairing.confirm(idA);
    const [nodeA, nodeB] = [await a.federation.nodes.get(idA), await b.federation.nodes.get(idB)];
    expect([nodeA.status, nodeB.status]).toEqual(['paired', 'paired']);
    expect(nodeA.words).toBe(nodeB.words);
    const used = await a.federation.tokens.verify(await b.federation.tokens.tokenFor(idB));
    expect(used.kind).toBe('node');
  });

  it('keeps the yes of our user where the partner only says that the step came out of order, as it has fetched the answer', async () => {
    const { idA, idB } = await asked();
    a.calls = {
      ...a.calls,
      async complete() {
        const { proof } = await b.federation.handshakes.collectProof(idB);
        const answer = await a.federation.handshakes.collect(idA, proof);
        if (answer.state === 'ready') await b.federation.handshakes.completeCollected(idB, answer);
        throw refusedWith(409, 'This step does not fit now.', 'pairing.out-of-order');
      },
    };
    const agreed = await a.federation.pairing.confirm(idA);
    expect(agreed.status).toBe('pair_requested');
    expect(agreed.reach).toBeUndefined();
    await a.federation.tokens.verify(await b.federation.tokens.tokenFor(idB));
    const both = [await a.federation.nodes.get(idA), await b.federation.nodes.get(idB)];
    expect(both.map(({ status }) => status)).toEqual(['paired', 'paired']);
    expect(both[0]?.words).toBe(both[1]?.words);
  });

  it('is told of the yes while it asks once more, whose refusal as used is no news then', async () => {
    const { idA, uri } = await invited();
    const { nodeID: idB } = await b.federation.invites.accept(uri, {}, '1');
    const { calls } = b;
    b.calls = {
      ...calls,
      async handshake(node, call) {
        await calls.handshake(node, call);
        await a.federation.pairing.confirm(idA);
        return calls.handshake(node, call);
      },
    };
    expect((await b.federation.pairing.pair(idB)).status).toBe('paired');
    // An invite for the same pair that is refused is told as ever.
    const again = (await a.federation.invites.create(idA)).uri;
    await b.federation.invites.accept(again, { nodeID: idB }, '1');
    b.calls = { ...calls, handshake: () => Promise.reject(refusedWith(410, 'No.', 'invite.used')) };
    await expect(b.federation.pairing.pair(idB)).rejects.toEqual(refused('partner-failed'));
  });

  it('pairs again with a new invite, which retires the old tokens', async () => {
    const { idA, idB } = await paired();
    const old = await b.federation.tokens.tokenFor(idB);
    const oldOfB = await a.federation.tokens.tokenFor(idA);
    clock.advance(1000);
    const { uri } = await a.federation.invites.create(idA);
    expect((await b.federation.invites.accept(uri, {}, '1')).nodeID).toBe(idB);
    await b.federation.pairing.pair(idB);
    await a.federation.pairing.confirm(idA);
    const fresh = await b.federation.tokens.tokenFor(idB);
    expect(fresh).not.toBe(old);
    await a.federation.tokens.verify(fresh);
    await expect(a.federation.tokens.verify(old)).rejects.toEqual(refused('unauthenticated'));
    await expect(b.federation.tokens.verify(oldOfB)).rejects.toEqual(refused('unauthenticated'));
  });

  it('A7: revoking takes effect on the very next request, and the partner is told', async () => {
    const { idA, idB } = await paired();
    const token = await b.federation.tokens.tokenFor(idB);
    await a.federation.disconnects.revoke(idA, '1');
    await expect(a.federation.tokens.verify(token)).rejects.toEqual(refused('unauthenticated'));
    expect(await a.federation.nodes.get(idA)).toMatchObject({ status: 'unpaired' });
    await expect.poll(() => a.goodbyes).toHaveLength(1);
  });

  it('A6: keeps neither invite nor token in clear', async () => {
    const { idA, idB, uri } = await asked();
    const secret = new URL(uri).password;
    expect(JSON.stringify(await a.federation.nodes.get(idA))).not.toContain(secret);
    expect(JSON.stringify(await b.federation.nodes.get(idB))).not.toContain(b.handshakes[0]?.token);
  });

  it('S7: has at most 200 partners, and refuses the next one as such', async () => {
    const nodes: string[] = [];
    for (let at = 0; at < 200; at++)
      nodes.push((await a.federation.nodes.create({ name: `Partner ${at}` }, '1')).nodeID);
    const create = (): Promise<unknown> => a.federation.nodes.create({ name: 'One more' }, '1');
    await expect(create()).rejects.toMatchObject({ kind: 'conflict', code: 'node.too-many' });
    await a.federation.disconnects.remove(nodes[0] ?? '', '1');
    await create();
  });

  it('refuses an invite of its own', async () => {
    const { uri } = await invited();
    await expect(a.federation.invites.accept(uri, {}, '1')).rejects.toEqual(refused('impossible'));
  });

  it('handles a live partner, for whom both sides use the inviter’s id', async () => {
    const { idA, uri } = await invited();
    const call = { nodeIDs: [idA], inviteToken: new URL(uri).password, token: 't'.repeat(40) };
    await a.federation.handshakes.handshake({ ...call, dialect: 'live' });
    expect(await a.federation.nodes.get(idA)).toMatchObject({
      sharedNodeID: idA,
      dialect: 'live',
      footbridge: false,
    });
  });

  it('A4: a partner that takes another one’s id for the pair is not mistaken for it', async () => {
    const ask = async (nodeIDB: string): Promise<string> => {
      const { idA, uri } = await invited();
      const inviteToken = new URL(uri).password;
      await a.federation.handshakes.handshake({
        nodeIDs: [idA],
        inviteToken,
        token: 't'.repeat(40),
        nodeIDB,
      });
      return idA;
    };
    const honest = await ask('4711');
    expect((await a.federation.nodes.get('4711')).nodeID).toBe(honest);
    const thief = await ask('4711');
    await expect(a.federation.nodes.get('4711')).rejects.toEqual(refused('conflict'));
    expect((await a.federation.nodes.get(honest)).nodeID).toBe(honest);
    await ask(honest);
    expect((await a.federation.nodes.get(honest)).nodeID).toBe(honest);
    await a.federation.disconnects.remove(thief, '1');
    expect((await a.federation.nodes.get('4711')).nodeID).toBe(honest);
    await a.federation.disconnects.remove(honest, '1');
    await expect(a.federation.nodes.get(honest)).rejects.toEqual(refused('not-found'));
  });

  it('A8: a renewed token leaves the old one good until it is used itself', async () => {
    const { idA, idB } = await paired();
    const old = await b.federation.tokens.tokenFor(idB);
    await a.federation.tokens.verify(old);
    clock.advance(1000);
    const lost = await a.federation.tokens.renew(idA);
    const fresh = await a.federation.tokens.renew(idA);
    await a.federation.tokens.verify(old);
    await a.federation.tokens.verify(fresh.token);
    await expect(a.federation.tokens.verify(old)).rejects.toEqual(refused('unauthenticated'));
    await expect(a.federation.tokens.verify(lost.token)).rejects.toEqual(refused('unauthenticated'));
  });

  it('tokens end after 90 days', async () => {
    const { idB } = await paired();
    const token = await b.federation.tokens.tokenFor(idB);
    clock.advance(90 * 86_400_000 - 60_000);
    await a.federation.tokens.verify(token);
    clock.advance(61_000);
    await expect(a.federation.tokens.verify(token)).rejects.toEqual(refused('unauthenticated'));
  });

  it('does not take the same handshake as a repeat once it is confirmed', async () => {
    await paired();
    const [call] = b.handshakes;
    if (!call) throw new Error('no handshake');
    await expect(a.federation.handshakes.handshake(incoming(call))).rejects.toEqual(refused('gone'));
  });
});
