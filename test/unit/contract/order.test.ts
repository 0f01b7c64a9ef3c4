import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBody } from '../../../server/contract/common.ts';
import type { HttpAnswer } from '../../support/harness/served-parts.ts';
import { federationState, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** A partner of ours in some state, with what it could send us. */
interface Stage {
  readonly nodeID: string;
  /** The last invite that we gave it; one that nobody gave where there was none. */
  readonly uri: string;
  /** Our token for it, where we issued one. */
  readonly token?: string;
}

const madeUp = (nodeID: string): string => `https://${nodeID}:${'a'.repeat(32)}@a.example/federation`;
const admin = (): string => world.a.userToken('admin');

async function inviterPaired(): Promise<Stage> {
  const { node, uri } = await world.invited();
  const { nodeID: there } = await world.b.federation.invites.accept(uri, {}, '1');
  await world.b.federation.pairing.pair(there);
  await world.a.federation.pairing.confirm(node.nodeID);
  return { nodeID: node.nodeID, uri, token: await world.b.federation.tokens.tokenFor(there) };
}

async function inviteePaired(): Promise<Stage> {
  const { node, token } = await world.asking();
  await world.b.federation.pairing.confirm(node.sharedNodeID);
  return { nodeID: node.nodeID, uri: madeUp(node.nodeID), token };
}

const stages: Readonly<Record<string, () => Promise<Stage>>> = {
  'just made': async () => {
    const { nodeID } = await world.fresh();
    return { nodeID, uri: madeUp(nodeID) };
  },
  'A, invited': async () => {
    const { node, uri } = await world.invited();
    return { nodeID: node.nodeID, uri };
  },
  'A, invited anew, with the old invite': async () => {
    const { node, uri } = await world.invited();
    await world.a.federation.invites.create(node.nodeID);
    return { nodeID: node.nodeID, uri };
  },
  'A, asked': async () => {
    const { node } = await world.asked();
    return { nodeID: node.nodeID, uri: madeUp(node.nodeID) };
  },
  'A, paired': inviterPaired,
  'B, holding an invite': async () => {
    const { nodeID } = await world.invitee();
    return { nodeID, uri: madeUp(nodeID) };
  },
  'B, waiting': async () => {
    const { node, token } = await world.asking();
    return { nodeID: node.nodeID, uri: madeUp(node.nodeID), token };
  },
  'B, paired': inviteePaired,
  ended: async () => {
    const stage = await inviterPaired();
    await world.a.federation.disconnects.revoke(stage.nodeID, '1');
    return stage;
  },
  removed: async () => {
    const stage = await inviterPaired();
    await world.a.federation.disconnects.remove(stage.nodeID, '1');
    return stage;
  },
};

const post = (path: string, token: string | undefined, body?: object): Promise<HttpAnswer> =>
  world.a.call('POST', `/federation/nodes/${path}`, { token, body });

const steps: Readonly<Record<string, (stage: Stage) => Promise<HttpAnswer>>> = {
  pair: ({ nodeID }) => post(`${nodeID}/pair`, admin()),
  handshake: ({ nodeID, uri }) =>
    post(`${nodeID}/handshake`, undefined, { nodeURI: uri, token: 'token.of.b', nodeIDB: '5001' }),
  'handshake, live': ({ nodeID, uri }) => {
    const body = { pairToken: new URL(uri).password, authToken: 'token.of.b', sharedNodeID: nodeID };
    return post(`${nodeID}/handshake`, undefined, body);
  },
  confirm: ({ nodeID }) => post(`${nodeID}/handshake-confirm`, admin()),
  complete: ({ nodeID, token }) => post(`${nodeID}/handshake-complete`, token, { token: 'token.of.a' }),
  'complete, live': ({ nodeID, token }) =>
    post(`${nodeID}/handshake-complete`, token, { authToken: 'token.of.a' }),
  feed: ({ token }) => world.a.call('GET', '/federation/exposed/modules', { token }),
  undelete: ({ nodeID }) => post(`${nodeID}/undelete`, admin()),
};

/** What each step is answered in each state, in the order of {@link steps}. */
const table: Readonly<Record<string, readonly number[]>> = {
  //                                      pair hand- live con- comp- live feed un-
  //                                           shake      firm lete            delete
  'just made': /*                      */ [409, 401, 401, 409, 401, 401, 401, 409],
  'A, invited': /*                     */ [409, 200, 200, 409, 401, 401, 401, 409],
  'A, invited anew, with the old invite': [409, 410, 410, 409, 401, 401, 401, 409],
  'A, asked': /*                       */ [409, 401, 401, 200, 401, 401, 401, 409],
  'A, paired': /*                      */ [409, 410, 410, 409, 409, 409, 200, 409],
  'B, holding an invite': /*           */ [200, 401, 401, 409, 401, 401, 401, 409],
  'B, waiting': /*                     */ [409, 401, 401, 409, 200, 200, 403, 409],
  'B, paired': /*                      */ [409, 401, 401, 409, 409, 409, 200, 409],
  ended: /*                            */ [409, 410, 410, 409, 401, 401, 401, 409],
  removed: /*                          */ [404, 410, 410, 404, 401, 401, 401, 200],
};

const cases = Object.entries(table).flatMap(([state, statuses]) =>
  Object.keys(steps).map((step, at) => ({ state, step, status: statuses[at] })),
);

describe('each step of pairing in each state', () => {
  it.each(cases)('$state: $step → $status', async ({ state, step, status }) => {
    const stage = await stages[state]?.();
    if (!stage) throw new Error(state);
    const before = await federationState(world.a);
    const answer = await steps[step]?.(stage);
    expect(answer?.status).toBe(status);
    if (status === 200) return;
    expect(errorBody.strict().safeParse(answer?.body).success).toBe(true);
    expect(await federationState(world.a)).toEqual(before);
  });
});

describe('what is shared and matched, out of order', () => {
  const call = (method: string, path: string, body?: unknown): Promise<HttpAnswer> =>
    world.a.call(method, `/federation/nodes/${world.idB}/modules/${path}`, { token: admin(), body });

  it('a list that is no longer shared is gone for every step but sharing it again', async () => {
    const { module, moduleID } = await world.exposed();
    await call('DELETE', moduleID);
    const before = await federationState(world.a);
    const body = { composeModuleID: module.moduleID, fields: [{ name: 'Phone' }] };
    const asUser = [
      await call('GET', `${moduleID}/exposed`),
      await call('PUT', `${moduleID}/exposed`, body),
      await call('PUT', `${moduleID}/exposed`, [{ name: 'Phone' }]),
      await call('POST', `${moduleID}/exposed`, body),
      await call('DELETE', `${moduleID}/exposed`),
      await call('DELETE', moduleID),
    ];
    const addresses = [
      `/federation/exposed/modules/${moduleID}`,
      `/federation/exposed/modules/${moduleID}/records`,
      `/federation/exposed/records/${moduleID}`,
      `/exposed/modules/${moduleID}/records`,
      `/federation/nodes/${world.idB}/modules/${moduleID}/records`,
      `/federation/nodes/${world.idB}/modules/${moduleID}/records/`,
      `/federation/footbridge/modules/${moduleID}/changes`,
    ];
    const asPartner = await Promise.all(
      addresses.map((address) => world.a.call('GET', address, { token: world.tokenB })),
    );
    expect([...asUser, ...asPartner].map(({ status }) => status)).toEqual(Array(13).fill(410));
    expect(await federationState(world.a)).toEqual(before);
    expect((await call('PUT', '', body)).body).toMatchObject({ response: { moduleID } });
  });

  it('a list that is shared is not shared twice, nor one unlike it under the same name', async () => {
    const { module } = await world.exposed();
    const other = await world.list();
    const before = await federationState(world.a);
    const fields = [{ name: 'Phone' }];
    expect((await call('PUT', '', { composeModuleID: module.moduleID, fields })).status).toBe(409);
    expect((await call('PUT', module.moduleID, fields)).status).toBe(409);
    const { name, handle } = module;
    const twin = { composeModuleID: other.moduleID, name, handle, fields };
    expect((await call('PUT', '', twin)).status).toBe(409);
    expect(await federationState(world.a)).toEqual(before);
  });

  it('a matching that is gone is unknown, and so is one into another list', async () => {
    const { moduleID } = await world.mapped();
    await call('DELETE', `${moduleID}?shared`);
    const before = await federationState(world.a);
    for (const [method, path] of [
      ['GET', `${moduleID}/mapped`],
      ['DELETE', `${moduleID}?shared`],
      ['DELETE', `${moduleID}/mapped`],
      ['DELETE', moduleID],
    ] as const)
      expect((await call(method, path)).status).toBe(404);
    expect(await federationState(world.a)).toEqual(before);
  });
});
