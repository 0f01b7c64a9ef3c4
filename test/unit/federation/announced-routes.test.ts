import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_ROUTES, type AnnouncedRoutes } from '../../../server/base/routes.ts';
import { announcedRoutes } from '../../../server/contract/wire/footbridge.ts';
import {
  narrowRelayConsents,
  type RouteAnnouncement,
} from '../../../server/federation/partners/announced-routes.ts';
import { NODES } from '../../../server/federation/tables.ts';
import { connect, noLists, testClock, testOffice, type TestOffice } from './two-offices.ts';

const clock = testClock();
const PIN = '3f9c'.repeat(16);
let a: TestOffice;
let b: TestOffice;
let idA: string;
let idB: string;
beforeEach(async () => {
  [a, b] = [await testOffice('Oslo', noLists, clock), await testOffice('Bergen', noLists, clock)];
  b.address = { ...b.address, routes: { pin: PIN, texts: ['direct:192.168.1.20:7420'] } };
  connect(a, b);
  const { nodeID } = await a.federation.nodes.create({ name: 'Bergen' }, '1');
  idA = nodeID;
  const { uri } = await a.federation.invites.create(idA);
  idB = (await b.federation.invites.accept(uri, {}, '1')).nodeID;
  await b.federation.pairing.pair(idB);
  await a.federation.pairing.confirm(idA);
});
afterEach(() => Promise.all([a.close(), b.close()]));

/** Bergen moves, and says so. */
async function moved(to: string, pin = PIN): Promise<RouteAnnouncement> {
  b.address = { ...b.address, routes: { pin, texts: [to] } };
  const announcement = await b.federation.announcements.forPartner(await b.federation.nodes.get(idB));
  if (!announcement) throw new Error('no key');
  return announcement;
}
const known = async (): Promise<unknown> => (await a.federation.nodes.get(idA)).routes?.texts;

describe('an address update', () => {
  it('takes the place of the routes before, and leaves the rest of the connection as it is', async () => {
    const before = await a.federation.nodes.get(idA);
    await a.federation.announcements.storeReceived(idA, await moved('direct:10.0.0.7:7420'));
    const { routes, updatedAt, ...after } = await a.federation.nodes.get(idA);
    expect(routes?.texts).toEqual(['direct:10.0.0.7:7420']);
    expect({ ...before, routes, updatedAt }).toEqual({ ...after, routes, updatedAt });
  });

  it('names the main address too, where our own certificate is seen: it is not the one that was paired with', async () => {
    const named = async (address: TestOffice['address']): Promise<readonly string[] | undefined> => {
      b.address = address;
      const { announcements, nodes } = b.federation;
      return (await announcements.forPartner(await nodes.get(idB)))?.routes.texts;
    };
    const listener = 'https://192.168.1.77:7421/federation';
    const seen = { listener, certificate: PIN };
    expect(await named(seen)).toEqual(['direct:192.168.1.77:7421']);
    const routes = { pin: PIN, texts: ['direct:10.0.0.7:7421', 'direct:192.168.1.77:7421'] };
    expect(await named({ ...seen, routes })).toEqual(['direct:192.168.1.77:7421', 'direct:10.0.0.7:7421']);
    const publicUrl = 'https://oslo.example';
    expect(await named({ ...seen, publicUrl })).toEqual(['direct:oslo.example:443']);
    expect(await named({ ...seen, publicUrl: `${publicUrl}/office` })).toEqual([]);
    expect(await named({ listener, publicUrl })).toEqual([]);
    expect(await named({ listener: 'http://192.168.1.77:7421/federation' })).toEqual([]);
    expect(await named({ listener: 'https://[2001:db8::7]:7421/federation', certificate: PIN })).toEqual([
      'direct:[2001:db8::7]:7421',
    ]);
  });

  it('is refused without the signature of the partner’s installation: a stolen token redirects nobody', async () => {
    const announcement = await moved('direct:10.0.0.7:7420');
    const thief = await a.federation.announcements.forPartner({ nodeID: idB, sharedNodeID: idA });
    const forged = [
      { ...announcement, routes: { pin: PIN, texts: ['direct:11.7.0.66:7420'] } },
      { ...announcement, revision: announcement.revision + 1 },
      { ...announcement, proof: thief?.proof ?? announcement.proof },
    ];
    for (const one of forged)
      await expect(a.federation.announcements.storeReceived(idA, one)).rejects.toMatchObject({
        code: 'routes.not-signed',
      });
    expect(await known()).toEqual(['direct:192.168.1.20:7420']);
  });

  it('is refused where it is older than the last one, and changes nothing when it comes twice', async () => {
    const first = await moved('direct:10.0.0.7:7420');
    clock.advance(1000);
    const second = await moved('direct:10.0.0.8:7420');
    await a.federation.announcements.storeReceived(idA, second);
    await a.federation.announcements.storeReceived(idA, second);
    expect(await a.federation.announcements.storeReceived(idA, first)).toBe(second.revision);
    expect(await known()).toEqual(['direct:10.0.0.8:7420']);
  });

  it('is taken with a greater number, for this partner alone, where clock and data of the sender went back', async () => {
    const { announcements, nodes } = b.federation;
    const ahead = await announcements.forPartner(await nodes.get(idB), clock.now() + 63_072_000_000);
    if (!ahead) throw new Error('no key');
    await a.federation.announcements.storeReceived(idA, ahead);
    const moving = await moved('direct:10.0.0.8:7420');
    const answer = await announcements.announce(await nodes.get(idB), async (announcement) => ({
      newer: await a.federation.announcements.storeReceived(idA, announcement),
    }));
    expect(answer).toEqual({ newer: undefined });
    expect(await known()).toEqual(['direct:10.0.0.8:7420']);
    expect((await announcements.forPartner({ nodeID: '7', sharedNodeID: '8' }))?.revision).toBe(
      moving.revision,
    );
  });

  it('is not taken for a repetition where other routes of the same number are known', async () => {
    const { announcements, nodes } = b.federation;
    const ahead = clock.now() + 63_072_000_000;
    await moved('direct:10.0.0.7:7420');
    const first = await announcements.forPartner(await nodes.get(idB), ahead);
    await moved('direct:10.0.0.9:7420');
    const other = await announcements.forPartner(await nodes.get(idB), ahead);
    if (!first || !other) throw new Error('no key');
    expect(await a.federation.announcements.storeReceived(idA, first)).toBeUndefined();
    expect(await a.federation.announcements.storeReceived(idA, first)).toBeUndefined();
    expect(await a.federation.announcements.storeReceived(idA, other)).toBe(other.revision);
  });

  it('is refused for routes that end at another certificate than the one that was paired with', async () => {
    const announcement = await moved('direct:10.0.0.7:7420', 'ab12'.repeat(16));
    await expect(a.federation.announcements.storeReceived(idA, announcement)).rejects.toMatchObject({
      code: 'routes.certificate',
    });
  });

  it('names no certificate without routes: nothing that was compared or signed would cover it', () => {
    const isTaken = (routes: AnnouncedRoutes): boolean => announcedRoutes.safeParse(routes).success;
    expect(isTaken({ pin: PIN, texts: [] })).toBe(false);
    expect(isTaken(NO_ROUTES)).toBe(true);
    expect(isTaken({ pin: PIN, texts: ['direct:10.0.0.7:7420'] })).toBe(true);
  });

  it('has a greater number each time, also where the clock goes back', async () => {
    const { revision } = await moved('direct:10.0.0.7:7420');
    expect((await moved('direct:10.0.0.7:7420')).revision).toBe(revision);
    clock.advance(-3_600_000);
    expect((await moved('direct:10.0.0.8:7420')).revision).toBeGreaterThan(revision);
  });
});

describe('a consent to a relay that an older version stored without a port', () => {
  const consent = { by: '1', at: '2026-05-11T08:00:00.000Z', host: 'relay.example' };
  const relayAt = (host: string): string =>
    `relay:footbridge-relay://${host}?pin=${PIN}&office=${'o'.repeat(43)}`;

  it.each([
    [[relayAt('other.example:7423'), relayAt('relay.example:7422'), relayAt('relay.example:9001')], 7422],
    [[relayAt('relay.example/relay')], 443],
    [['direct:relay.example:7420', relayAt('other.example:7422')], undefined],
  ])('covers the port that the partner names, if any: %#', async (texts, port) => {
    await a.system.transaction(async (tx) => {
      const node = await tx.get(NODES, idA);
      if (node)
        tx.put(
          NODES,
          idA,
          Object.assign({ ...node, routes: { pin: PIN, texts, revision: 1 } }, { relayConsent: consent }),
        );
    });
    await narrowRelayConsents(a.system);
    const narrowed = port === undefined ? undefined : { ...consent, port };
    expect((await a.federation.nodes.get(idA)).relayConsent).toEqual(narrowed);
    await a.federation.announcements.storeReceived(idA, await moved(relayAt('relay.example:9001')));
    await narrowRelayConsents(a.system);
    expect((await a.federation.nodes.get(idA)).relayConsent).toEqual(narrowed);
  });
});
