import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseNodeURI } from '../../../server/federation/partners/node-uri.ts';
import type { Installation } from '../../../server/store/files/installation.ts';
import { connect, incoming, noLists, testOffice, type TestOffice } from './two-offices.ts';

const PIN_A = 'a'.repeat(64);
const PIN_B = 'b'.repeat(64);
let a: TestOffice;
let b: TestOffice;
beforeEach(async () => {
  await opened(undefined, undefined);
});
afterEach(() => Promise.all([a.close(), b.close()]));

async function opened(oslo: Installation | undefined, bergen: Installation | undefined): Promise<void> {
  a = await testOffice('Oslo', noLists, undefined, oslo);
  b = await testOffice('Bergen', noLists, undefined, bergen);
  connect(a, b);
  a.address = { listener: 'https://192.168.1.10:7420/federation', certificate: PIN_A };
  b.address = { listener: 'https://192.168.1.20:7420/federation', certificate: PIN_B };
}

async function invite(myDomain?: string): Promise<{ idA: string; uri: string }> {
  const { nodeID } = await a.federation.nodes.create(
    { name: 'Bergen', ...(myDomain === undefined ? {} : { myDomain }) },
    '1',
  );
  return { idA: nodeID, uri: (await a.federation.invites.create(nodeID)).uri };
}

async function pair(idA: string, uri: string): Promise<string> {
  const { nodeID } = await b.federation.invites.accept(uri, {}, '1');
  await b.federation.pairing.pair(nodeID);
  await a.federation.pairing.confirm(idA);
  return nodeID;
}

describe('certificates in a pairing', () => {
  it('each side pins the one that the other named: in the invite, and in the answer to it', async () => {
    const { idA, uri } = await invite();
    const idB = await pair(idA, uri);
    expect((await b.federation.nodes.get(idB)).certificate).toBe(PIN_A);
    expect(await a.federation.nodes.get(idA)).toMatchObject({
      certificate: PIN_B,
      baseURL: 'https://192.168.1.20:7420/federation',
    });
  });

  it('both sides show the same words, and an invite that was exchanged on its way gives others', async () => {
    // Of before there were keys: such offices do not show which one they are, and nothing but the words tells.
    await Promise.all([a.close(), b.close()]);
    await opened({ id: 'drawn-by-oslo' }, { id: 'drawn-by-bergen' });
    const { idA, uri } = await invite();
    const idB = await pair(idA, uri.replace(PIN_A, 'c'.repeat(64)));
    const [ours, theirs] = [await a.federation.nodes.get(idA), await b.federation.nodes.get(idB)];
    expect(ours.words).toMatch(/^\w+( \w+){4}$/);
    expect(theirs.words).toMatch(/^\w+( \w+){4}$/);
    expect(theirs.words).not.toBe(ours.words);

    const again = (await a.federation.invites.create(idA)).uri;
    await pair(idA, again);
    expect((await b.federation.nodes.get(idB)).words).toBe((await a.federation.nodes.get(idA)).words);
  });

  it('an invite that was exchanged on its way is of no use to an office that shows which one it is', async () => {
    const { idA, uri } = await invite();
    const exchanged = uri.replace(PIN_A, 'c'.repeat(64));
    await expect(pair(idA, exchanged)).rejects.toMatchObject({ code: 'partner.refused' });
    await pair(idA, uri);
  });

  it('are not named where callers see another one, or none', async () => {
    a.address = { listener: 'http://127.0.0.1:7420/federation' };
    expect(parseNodeURI((await invite()).uri)).not.toHaveProperty('certificate');
    a.address = {
      listener: 'https://192.168.1.10:7420/federation',
      certificate: PIN_A,
      publicUrl: 'http://oslo.example',
    };
    expect(parseNodeURI((await invite()).uri)).not.toHaveProperty('certificate');
  });

  it('a bare domain of ours is reached by TLS where the listener speaks nothing else', async () => {
    expect(parseNodeURI((await invite('192.168.1.10:7420')).uri)).toMatchObject({
      baseURL: 'https://192.168.1.10:7420/federation',
      certificate: PIN_A,
    });
    expect(parseNodeURI((await invite('http://192.168.1.10:7420')).uri)).toMatchObject({
      baseURL: 'http://192.168.1.10:7420/federation',
    });
    a.address = { listener: 'http://127.0.0.1:7420/federation' };
    expect(parseNodeURI((await invite('192.168.1.10:7420')).uri).baseURL).toMatch(/^http:/);
  });

  it('do not outlive the invite that named them', async () => {
    const { idA, uri } = await invite();
    const idB = await pair(idA, uri);
    a.address = { listener: 'http://127.0.0.1:7420/federation' };
    b.address = { listener: 'http://127.0.0.1:7430/federation' };
    await b.federation.invites.accept((await a.federation.invites.create(idA)).uri, { nodeID: idB }, '1');
    await b.federation.pairing.pair(idB);
    expect((await b.federation.nodes.get(idB)).certificate).toBe(PIN_A);
    expect((await a.federation.nodes.get(idA)).certificate).toBe(PIN_B);
    await a.federation.pairing.confirm(idA);
    const [ours, theirs] = [await b.federation.nodes.get(idB), await a.federation.nodes.get(idA)];
    expect(ours).not.toHaveProperty('certificate');
    expect(theirs).not.toHaveProperty('certificate');
    expect([ours.baseURL, theirs.baseURL]).toEqual([a.address.listener, b.address.listener]);
  });

  it('of a partner are not pinned to an address that our user gave', async () => {
    const { idA, uri } = await invite();
    await a.federation.nodes.update(idA, { baseURL: 'https://bergen.example/federation' }, '1');
    await pair(idA, uri);
    expect(await a.federation.nodes.get(idA)).toMatchObject({ baseURL: 'https://bergen.example/federation' });
    expect(await a.federation.nodes.get(idA)).not.toHaveProperty('certificate');
  });
});

describe('S5: an address on the own network', () => {
  const PRIVATE = 'https://192.168.1.20:7420/federation';
  async function pairFrom(address: string, told: string): Promise<boolean> {
    b.address = { listener: told, certificate: PIN_B };
    const { idA, uri } = await invite();
    const { nodeID } = await b.federation.invites.accept(uri, {}, '1');
    const calls = { ...b.calls };
    b.calls.handshake = async (node, call) => {
      await a.federation.handshakes.handshake({ ...incoming(call), address });
      return { footbridge: true, baseURL: node.baseURL };
    };
    await b.federation.pairing.pair(nodeID);
    expect((await a.federation.nodes.get(idA)).ownNetwork).toBe(false);
    const { ownNetwork } = await a.federation.pairing.confirm(idA);
    Object.assign(b.calls, calls);
    // A later request would renew the connection.
    await a.federation.disconnects.remove(idA, '1');
    await b.federation.disconnects.remove(nodeID, '1');
    return ownNetwork;
  }

  it('is allowed by our user’s yes when it is the very computer that asked', async () => {
    expect(await pairFrom('192.168.1.20', PRIVATE)).toBe(true);
    expect(await pairFrom('::ffff:192.168.1.20', PRIVATE)).toBe(true);
  });

  it('is not when the partner names another computer than the one it asked from', async () => {
    expect(await pairFrom('192.168.1.20', 'https://192.168.1.1/federation')).toBe(false);
    expect(await pairFrom('203.0.113.5', PRIVATE)).toBe(false);
    expect(await pairFrom('192.168.1.20', 'https://router.local/federation')).toBe(false);
  });

  it('is not when the partner asked from a public address: its address updates name none of ours', async () => {
    expect(await pairFrom('81.2.69.142', 'https://81.2.69.142:7420/federation')).toBe(false);
  });
});
