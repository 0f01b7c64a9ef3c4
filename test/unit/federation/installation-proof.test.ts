import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInstallation, isSignedBy, signWith } from '../../../server/base/installation-key.ts';
import type { Installation } from '../../../server/store/files/installation.ts';
import { connect, incoming, noLists, testClock, testOffice, type TestOffice } from './two-offices.ts';

const clock = testClock();
const quito = createInstallation();
const open: TestOffice[] = [];

async function office(name: string, installation?: Installation): Promise<TestOffice> {
  const made = await testOffice(name, noLists, clock, installation);
  open.push(made);
  return made;
}

let a: TestOffice;
beforeEach(async () => {
  a = await office('Oslo');
});
afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

async function invited(by: TestOffice, name: string): Promise<{ nodeID: string; uri: string }> {
  const { nodeID } = await by.federation.nodes.create({ name }, '1');
  return { nodeID, uri: (await by.federation.invites.create(nodeID)).uri };
}

async function ask(by: TestOffice, uri: string): Promise<string> {
  const { nodeID } = await by.federation.invites.accept(uri, {}, '1');
  await by.federation.pairing.pair(nodeID);
  return nodeID;
}

describe('an office whose number was made of a key', () => {
  it('is known by it on both sides, whoever invites', async () => {
    const b = await office('Bergen');
    connect(a, b);
    const { nodeID: idA, uri } = await invited(a, 'Bergen');
    const idB = await ask(b, uri);
    await a.federation.pairing.confirm(idA);
    expect((await a.federation.nodes.get(idA)).installation).toBe(b.installation);
    expect((await b.federation.nodes.get(idB)).installation).toBe(a.installation);
  });

  it('is known by it as well to a side that fetches the answer', async () => {
    const b = await office('Bergen');
    connect(a, b);
    a.calls = { ...a.calls, complete: () => Promise.reject(new Error('A router is in the way.')) };
    const { nodeID: idA, uri } = await invited(a, 'Bergen');
    const idB = await ask(b, uri);
    await a.federation.pairing.confirm(idA);
    const { proof } = await b.federation.handshakes.collectProof(idB);
    const answer = await a.federation.handshakes.collect(idA, proof);
    if (answer.state !== 'ready') throw new Error('no answer');
    await expect(
      b.federation.handshakes.completeCollected(idB, { token: answer.token }),
    ).rejects.toMatchObject({
      code: 'pairing.not-shown',
    });
    const again = (await a.federation.invites.create(idA)).uri;
    await b.federation.invites.accept(again, { nodeID: idB }, '1');
    await b.federation.pairing.pair(idB);
    await a.federation.pairing.confirm(idA);
    const next = await a.federation.handshakes.collect(
      idA,
      (await b.federation.handshakes.collectProof(idB)).proof,
    );
    if (next.state !== 'ready') throw new Error('no answer');
    await b.federation.handshakes.completeCollected(idB, next);
    expect((await b.federation.nodes.get(idB)).installation).toBe(a.installation);
  });

  it('goes on waiting over plain http where what is fetched is not shown to be the inviter’s', async () => {
    const [b, c] = [await office('Bergen'), await office('Cadiz')];
    connect(a, b);
    a.calls = { ...a.calls, complete: () => Promise.reject(new Error('A router is in the way.')) };
    const { nodeID: idA, uri } = await invited(a, 'Bergen');
    const idB = await ask(b, uri);
    await a.federation.pairing.confirm(idA);
    const { proof } = await b.federation.handshakes.collectProof(idB);
    const answer = await a.federation.handshakes.collect(idA, proof);
    if (answer.state !== 'ready') throw new Error('no answer');
    const tokenOf = (installation: string): string => {
      const payload = JSON.stringify({ iss: `footbridge:${installation}` });
      return `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(payload).toString('base64url')}.x`;
    };
    const others = tokenOf(c.installation);
    const made = [
      { token: 'made.up.token' },
      { token: tokenOf('drawn-by-lot') },
      { token: others },
      { token: others, proof: answer.proof },
      { token: answer.token },
    ];
    for (const one of made)
      await expect(b.federation.handshakes.completeCollected(idB, one)).rejects.toMatchObject({
        code: 'pairing.not-shown',
      });
    expect((await b.federation.nodes.get(idB)).status).toBe('pair_requested');
    await b.federation.handshakes.completeCollected(idB, answer);
    expect((await b.federation.nodes.get(idB)).installation).toBe(a.installation);
  });

  it('takes along what our user said of its network, which is not said of the address that another one tells', async () => {
    const [b, c] = [await office('Bergen'), await office('Cadiz')];
    const network = async (): Promise<boolean | undefined> =>
      (await a.federation.nodes.get(nodeID)).pairing?.link.ownNetwork;
    connect(a, b);
    const { nodeID } = await a.federation.nodes.create({ name: 'Bergen', ownNetwork: true }, '1');
    await ask(b, (await a.federation.invites.create(nodeID)).uri);
    expect(await network()).toBe(true);
    await a.federation.pairing.confirm(nodeID);
    const uri = (await a.federation.invites.create(nodeID)).uri;
    connect(a, c);
    await ask(c, uri);
    expect(await network()).toBe(false);
  });

  it('shows it over the routes of both sides, and pairs with a version that knows none', async () => {
    const b = await office('Bergen');
    const pin = '3f9c'.repeat(16);
    a.address = { ...a.address, routes: { pin, texts: ['direct:192.168.1.20:7420'] } };
    b.address = { ...b.address, routes: { pin, texts: ['mapped:11.7.0.12:7420'] } };
    connect(a, b);
    const { nodeID: idA, uri } = await invited(a, 'Bergen');
    const old = uri.replace(/&rp=[^&]*|&r=[^&]*/g, '');
    await expect(ask(b, uri.replace('192.168.1.20%3A', '192.168.1.66%3A'))).rejects.toMatchObject({
      code: 'partner.refused',
    });
    const idB = await ask(b, uri);
    await a.federation.pairing.confirm(idA);
    const [atA, atB] = [await a.federation.nodes.get(idA), await b.federation.nodes.get(idB)];
    expect(atA.routes).toEqual({ ...b.address.routes, revision: 0 });
    expect(atB.routes).toEqual({ ...a.address.routes, revision: 0 });
    expect(atA.words).toBe(atB.words);

    const again = (await a.federation.invites.create(idA)).uri.replace(/&rp=[^&]*|&r=[^&]*/g, '');
    expect(again).not.toBe(old);
    await b.federation.invites.accept(again, { nodeID: idB }, '1');
    await b.federation.pairing.pair(idB);
    await a.federation.pairing.confirm(idA);
    expect((await b.federation.nodes.get(idB)).words).toBe((await a.federation.nodes.get(idA)).words);
    expect(b.handshakes.at(-1)?.own).not.toHaveProperty('routes');
  });

  it('is nobody else’s to claim when asking: the invite stays as good as it was', async () => {
    const thief = await office('Quito', { id: quito.id });
    connect(a, thief);
    const { uri } = await invited(a, 'Quito');
    await expect(ask(thief, uri)).rejects.toMatchObject({ code: 'partner.refused' });
    const real = await office('Quito', quito);
    connect(a, real);
    await ask(real, uri);
  });

  it('is nobody else’s to claim when answering: the other side says so, and keeps nothing of it', async () => {
    const b = await office('Bergen');
    const thief = await office('Quito', { id: quito.id });
    connect(thief, b);
    const { nodeID, uri } = await invited(thief, 'Bergen');
    const idB = await ask(b, uri);
    await expect(thief.federation.pairing.confirm(nodeID)).rejects.toMatchObject({ code: 'partner.refused' });
    const left = await b.federation.nodes.get(idB);
    expect(left).toMatchObject({ status: 'failed', problem: { code: 'pairing.not-shown' } });
    expect(left).not.toHaveProperty('pairing');
    expect(left).not.toHaveProperty('sealedToken');
    expect(left).not.toHaveProperty('installation');
  });

  it('shows it for one pairing alone: passed on to a third office it shows nothing', async () => {
    const real = await office('Quito', quito);
    const thief = await office('Thief');
    connect(thief, real);
    await ask(real, (await invited(thief, 'Quito')).uri);
    const { own } = real.handshakes[0]!;
    const { nodeID, uri } = await invited(a, 'Quito');
    const call = { inviteToken: new URL(uri).password, token: 't'.repeat(40), nodeIDB: '77' };
    const greeting = { ...own, baseURL: 'http://thief.local:7420/federation' };
    for (const footbridge of [own, greeting])
      await expect(
        a.federation.handshakes.handshake({ nodeIDs: [nodeID], ...call, footbridge }),
      ).rejects.toMatchObject({ code: 'pairing.not-shown' });
    const wholly = { ...incoming(real.handshakes[0]!), nodeIDs: [nodeID], inviteToken: call.inviteToken };
    await expect(a.federation.handshakes.handshake(wholly)).rejects.toMatchObject({
      code: 'pairing.not-shown',
    });
  });

  it('pairs with one of before there were keys, either way', async () => {
    const old = await office('Bergen', { id: 'drawn' });
    connect(a, old);
    const { nodeID: idA, uri } = await invited(a, 'Bergen');
    const idOld = await ask(old, uri);
    await a.federation.pairing.confirm(idA);
    expect((await a.federation.nodes.get(idA)).installation).toBe('drawn');
    expect((await old.federation.nodes.get(idOld)).installation).toBe(a.installation);
  });
});

describe('a signature with an installation’s key', () => {
  it('is of this text and this installation only, and nothing that is not one breaks the check', () => {
    const { id, key } = quito;
    const proof = signWith(key, 'text');
    expect(isSignedBy(id, 'text', proof)).toBe(true);
    expect(isSignedBy(id, 'Text', proof)).toBe(false);
    expect(isSignedBy(createInstallation().id, 'text', proof)).toBe(false);
    const other = createInstallation();
    expect(isSignedBy(id, 'text', { ...signWith(other.key, 'text'), publicKey: key.publicKey })).toBe(false);
    for (const publicKey of ['', 'A'.repeat(43), '-'.repeat(43), 'é'])
      expect(isSignedBy(id, 'text', { ...proof, publicKey })).toBe(false);
    expect(isSignedBy(id, 'text', { ...proof, signature: '' })).toBe(false);
  });
});
