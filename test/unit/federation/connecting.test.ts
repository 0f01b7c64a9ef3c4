import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PartnerUnreachableError, AddressRefusedError } from '../../../server/peer/guard/errors.ts';
import { connect, noLists, refusedWith, testClock, testOffice, type TestOffice } from './two-offices.ts';

const DAY_MS = 24 * 3_600_000;
let a: TestOffice;
let b: TestOffice;
beforeEach(async () => {
  a = await testOffice('Tromsø', noLists);
  b = await testOffice('Göteborg', noLists);
  connect(a, b);
});
afterEach(() => Promise.all([a.close(), b.close()]));

async function invite(name = 'Göteborg'): Promise<string> {
  const { nodeID } = await a.federation.nodes.create({ name }, '1');
  return (await a.federation.invites.create(nodeID)).uri;
}

const unreachable = (why: PartnerUnreachableError['why']): Error =>
  new PartnerUnreachableError(why, `The partner cannot be reached: ${why}.`);
const use = (uri: string): Promise<unknown> => b.federation.connecting.connect(uri, {}, '1');
const partners = async (): Promise<unknown[]> => b.federation.nodes.list({ deleted: true });

/** Connecting fails like this, as often as it is tried. */
function failing(error: Error): void {
  b.calls = { ...b.calls, handshake: () => Promise.reject(error) };
}

describe('connecting by an invite that fails', () => {
  it.each([
    ['an invite that was used', refusedWith(401, 'No.', 'invite.wrong')],
    ['an invite for an address that nobody knows', refusedWith(404, 'No.', 'request.unknown-address')],
    ['an invite that has ended', refusedWith(410, 'No.', 'invite.expired')],
    ['an address at which nobody listens', unreachable('refused')],
    ['a name that nobody knows', unreachable('name')],
    ['a certificate that is another’s', unreachable('certificate')],
    ['an address that is not called', new AddressRefusedError('private', 'This address is private.')],
  ])('leaves no partner after %s, however often it is tried', async (_, error) => {
    failing(error);
    for (const uri of [await invite(), await invite('Göteborg, once more')])
      await expect(use(uri)).rejects.toMatchObject({ kind: 'partner-failed' });
    expect(await partners()).toEqual([]);
  });

  it.each([
    ['the answer did not come', unreachable('timeout')],
    ['another server refused', refusedWith(404)],
    ['a Corteza server in its place refused', refusedWith(404, 'node does not exist', 'live.entry-gone')],
  ])(
    'keeps one partner where it may have been heard and %s, whatever invites it is tried with',
    async (_, error) => {
      failing(error);
      const uri = await invite();
      for (const each of [uri, uri, await invite('Göteborg, once more')])
        await expect(use(each)).rejects.toMatchObject({ kind: 'partner-failed' });
      expect(await partners()).toMatchObject([{ status: 'pending', role: 'invitee', name: 'Tromsø' }]);
      connect(a, b);
      await use(await invite('and again'));
      expect(await partners()).toMatchObject([{ status: 'pair_requested' }]);
    },
  );

  it('uses an invite once, however often it is taken in: the request goes on, before and after it was heard', async () => {
    const { nodeID: idA } = await a.federation.nodes.create({ name: 'Göteborg' }, '1');
    const { uri } = await a.federation.invites.create(idA);
    const { calls } = b;
    // Heard, and the answer is lost.
    b.calls = {
      ...b.calls,
      handshake: async (...call) => {
        await calls.handshake(...call);
        throw unreachable('timeout');
      },
    };
    await expect(use(uri)).rejects.toMatchObject({ kind: 'partner-failed' });
    b.calls = calls;
    await use(` “${uri}” `);
    await use(uri);
    await b.federation.invites.accept(uri, {}, '1');
    expect(await partners()).toMatchObject([{ status: 'pair_requested' }]);
    await a.federation.pairing.confirm(idA);
    expect(await partners()).toMatchObject([{ status: 'paired' }]);
  });

  it('leaves a partner alone that was there before', async () => {
    const uri = await invite();
    const { nodeID } = await b.federation.invites.accept(uri, {}, '1');
    failing(unreachable('refused'));
    await expect(use(uri)).rejects.toMatchObject({ kind: 'partner-failed' });
    expect(await partners()).toMatchObject([{ nodeID, status: 'pending' }]);
  });
});

it('takes an invite for that of no other office that has only named its certificate, and never answered a call', async () => {
  const certificate = 'b07d'.repeat(16);
  b.address = { listener: 'https://192.168.1.20:7420/federation', certificate };
  const thief = await testOffice('Bodø', noLists);
  thief.address = b.address;
  connect(a, thief);
  const { nodeID: idA } = await a.federation.nodes.create({ name: 'Bodø' }, '1');
  const { uri } = await a.federation.invites.create(idA);
  const { nodeID } = await thief.federation.connecting.connect(uri, {}, '1');
  a.calls = { ...a.calls, complete: () => Promise.reject(new Error('No way through.')) };
  await a.federation.pairing.confirm(idA);
  const { proof } = await thief.federation.handshakes.collectProof(nodeID);
  const answer = await a.federation.handshakes.collect(idA, proof);
  if (answer.state !== 'ready') throw new Error('not ready');
  await a.federation.tokens.verify(answer.token);
  expect(await a.federation.nodes.get(idA)).toMatchObject({ status: 'paired', certificate });
  const known = async (): Promise<string | undefined> => {
    const { nodeID: idB } = await b.federation.nodes.create({ name: 'Tromsø' }, '1');
    return (await a.federation.invites.inspect((await b.federation.invites.create(idB)).uri)).alreadyKnown;
  };
  expect(await known()).toBeUndefined();
  // A pull is a call that it answered.
  await a.federation.nodes.recordReached(idA);
  expect(await known()).toBe(idA);
  await thief.close();
});

describe('an invite in reply to one that leads nowhere', () => {
  const repliedTo = async (uri: string): Promise<string> => {
    const { uri: theirs, alreadyKnown } = await b.federation.invites.inspect(uri);
    const nodeID = alreadyKnown ?? (await b.federation.nodes.create({ name: 'Tromsø' }, '1')).nodeID;
    await b.federation.invites.create(nodeID, theirs);
    // Renewed, as when the office was made reachable meanwhile.
    return (await b.federation.invites.create(nodeID)).uri;
  };

  it.each(['refused', 'timeout'] as const)(
    'connects the record that each side has: the call ended as %s',
    async (why) => {
      const { calls } = b;
      failing(unreachable(why));
      const uri = await invite();
      await expect(use(uri)).rejects.toMatchObject({ kind: 'partner-failed' });
      const reply = await repliedTo(uri);
      // The window shows it as invited, with the invite.
      expect(await partners()).toMatchObject([{ status: 'pending', role: 'inviter' }]);
      expect(await partners()).not.toHaveProperty('[0].problem');
      const { nodeID } = await a.federation.connecting.connect(reply, {}, '1');
      b.calls = calls;
      const [atB] = await b.federation.nodes.list();
      await b.federation.pairing.confirm(atB?.nodeID ?? '');
      expect(await a.federation.nodes.list()).toMatchObject([{ nodeID, name: 'Göteborg', status: 'paired' }]);
      expect(await partners()).toMatchObject([{ name: 'Tromsø', status: 'paired' }]);
    },
  );

  it.each([
    ['certificate', 'https://192.168.1.10:7420/federation', '3f9c'.repeat(16)],
    ['address', 'https://office.example/federation', undefined],
  ])(
    'goes with its record once a later invite of the same %s connects the two',
    async (_, listener, certificate) => {
      a.address = { listener, ...(certificate === undefined ? {} : { certificate }) };
      const { nodeID: idA } = await a.federation.nodes.create({ name: 'Göteborg' }, '1');
      await repliedTo((await a.federation.invites.create(idA)).uri);
      const theirs = {
        secret: 'x',
        baseURL: 'https://10.0.0.9:7420/federation',
        certificate: 'b07d'.repeat(16),
      };
      const { nodeID: bodo } = await b.federation.nodes.create({ name: 'Bodø' }, '1');
      await b.federation.invites.create(bodo, theirs);
      const { uri } = await a.federation.invites.create(idA);
      await use(uri);
      expect(await b.federation.nodes.list()).toHaveLength(3);
      await a.federation.pairing.confirm(idA);
      const left = await b.federation.nodes.list();
      expect(left).toMatchObject([{ name: 'Bodø' }, { name: 'Tromsø', status: 'paired' }]);
      const gone = (await b.federation.nodes.list({ deleted: true })).find(({ deletedAt }) => deletedAt);
      expect(gone).toMatchObject({ name: 'Tromsø', replacedBy: left[1]?.nodeID });
    },
  );

  it('that nobody used goes with its record a week after it expired, but no other record does', async () => {
    const clock = testClock();
    const c = await testOffice('Göteborg', noLists, clock);
    const { uri: theirs } = await c.federation.invites.inspect(await invite());
    const made = async (contact = ''): Promise<string> =>
      (await c.federation.nodes.create({ name: 'Tromsø', contact }, '1')).nodeID;
    const [unused, renewed, known, ordinary] = [
      await made(),
      await made(),
      await made('admin@tromso.example'),
      await made(),
    ];
    for (const nodeID of [unused, renewed, known]) await c.federation.invites.create(nodeID, theirs);
    await c.federation.invites.create(ordinary);
    clock.advance(7 * DAY_MS);
    await c.federation.invites.create(renewed);
    clock.advance(DAY_MS - 1);
    expect(await c.federation.invites.removeUnusedInvites()).toBe(0);
    clock.advance(1);
    expect(await c.federation.invites.removeUnusedInvites()).toBe(1);
    expect((await c.federation.nodes.list()).map(({ nodeID }) => nodeID)).toEqual([renewed, known, ordinary]);
    await c.close();
  });

  it('goes like any unused invite for a partner of the same name that is connected', async () => {
    const clock = testClock();
    const c = await testOffice('Göteborg', noLists, clock);
    connect(a, c);
    const [same, other] = ['tromsø ', 'Bodø'].map((name) => c.federation.nodes.create({ name }, '1'));
    for (const each of [same, other]) await c.federation.invites.create((await each)?.nodeID ?? '');
    await c.federation.connecting.connect(await invite(), {}, '1');
    clock.advance(8 * DAY_MS);
    expect(await c.federation.invites.removeUnusedInvites()).toBe(0);
    const [atA] = await a.federation.nodes.list();
    await a.federation.pairing.confirm(atA?.nodeID ?? '');
    expect(await c.federation.invites.removeUnusedInvites()).toBe(1);
    expect((await c.federation.nodes.list()).map(({ name }) => name)).toEqual(['Bodø', 'Tromsø']);
    await c.close();
  });

  it('does not touch a partner that is connected, whoever saw the invite of it', async () => {
    const uri = await invite();
    await use(uri);
    const [atA] = await a.federation.nodes.list();
    await a.federation.pairing.confirm(atA?.nodeID ?? '');
    const thief = await testOffice('Bodø', noLists);
    const { nodeID } = await thief.federation.nodes.create({ name: 'Tromsø' }, '1');
    const { uri: answered } = await thief.federation.invites.inspect(uri);
    const { uri: forged } = await thief.federation.invites.create(nodeID, answered);
    expect((await a.federation.invites.inspect(forged)).alreadyKnown).toBeUndefined();
    await thief.close();
  });
});

describe('an invite', () => {
  it.each([
    ['an address of the office network', 'https://192.168.1.10:7420/federation', [], true],
    ['a public address', 'https://81.2.69.9:7420/federation', [], undefined],
    // Most routers let no calls of IPv6 in.
    [
      'an IPv6 address beside it',
      'https://192.168.1.10:7420/federation',
      ['direct:[2a0a:200::7]:7420'],
      true,
    ],
    [
      'a forwarded port beside it',
      'https://192.168.1.10:7420/federation',
      ['mapped:81.2.69.9:7420'],
      undefined,
    ],
  ])('with %s says whether offices elsewhere can use it', async (_, listener, texts, expected) => {
    const certificate = '3f9c'.repeat(16);
    a.address = { listener, certificate, routes: { pin: certificate, texts } };
    const { nodeID } = await a.federation.nodes.create({ name: 'Göteborg' }, '1');
    expect((await a.federation.invites.create(nodeID)).onlyNearby).toBe(expected);
  });
});
