import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pairOffices, type HttpAnswer } from '../../support/harness/served-parts.ts';
import { incoming } from '../../support/harness/lists.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const asAdmin = (method: string, path: string, body?: unknown): Promise<HttpAnswer> =>
  world.a.call(method, path, { token: world.a.userToken('admin'), body });

describe('a removal that is taken back', () => {
  it('brings the record back, but neither the connection nor what was shared', async () => {
    const { moduleID, module } = await world.exposed();
    const node = `/federation/nodes/${world.idB}`;
    const feed = `${node}/modules/${moduleID}/records`;
    expect((await world.a.call('GET', feed, { token: world.tokenB })).status).toBe(200);
    await asAdmin('DELETE', node);
    expect((await asAdmin('GET', node)).status).toBe(404);
    expect((await asAdmin('POST', `${node}/undelete`)).body).toEqual({});
    const read = z.object({ response: z.object({ nodeID: z.string(), status: z.string() }) });
    expect(read.parse((await asAdmin('GET', node)).body).response).toEqual({
      nodeID: world.idB,
      status: 'pending',
    });
    expect((await world.a.call('GET', feed, { token: world.tokenB })).status).toBe(401);
    expect((await asAdmin('GET', `${node}/modules/${moduleID}/exposed`)).status).toBe(410);
    const again = { composeModuleID: module.moduleID, fields: [{ name: 'Phone' }] };
    expect((await asAdmin('PUT', `${node}/modules`, again)).body).toMatchObject({ response: { moduleID } });
  });

  it('is a conflict where there was none, and unknown for whom there never was', async () => {
    const { nodeID } = await world.fresh();
    expect((await asAdmin('POST', `/federation/nodes/${nodeID}/undelete`)).status).toBe(409);
    expect((await asAdmin('POST', '/federation/nodes/77/undelete')).status).toBe(404);
  });
});

describe('a removal while rows of the partner arrive', () => {
  it('leaves none of them behind as the partner’s: those of the page in hand become ours as well', async () => {
    const { a, b } = world;
    const { idA } = await pairOffices(a, b);
    const { moduleID } = await world.list();
    const rows = await a.lists.rows(moduleID);
    const page = { nodeID: idA, rows: [incoming('101', 5, { Phone: '1' })], mappedColumns: ['Phone'] };
    a.pulls.settled = async () => {
      await rows.receive(page);
      expect(await rows.counts()).toMatchObject({ total: 3, received: { [idA]: 1 } });
    };
    expect((await asAdmin('DELETE', `/federation/nodes/${idA}`)).status).toBe(200);
    a.pulls.settled = () => Promise.resolve();
    expect(await rows.counts()).toMatchObject({ total: 3, received: {} });
  });
});

describe('the list of partners', () => {
  const listed = z.object({
    response: z.object({ filter: z.unknown(), set: z.array(z.object({ nodeID: z.string() })) }),
  });
  const list = async (query: string): Promise<z.infer<typeof listed>['response']> =>
    listed.parse((await asAdmin('GET', `/federation/nodes/${query}`)).body).response;

  it('is whole, or cut by page or cursor, and says what was applied and how many there are', async () => {
    const whole = await list('');
    const count = whole.set.length;
    expect(whole.filter).toEqual({ query: '', status: '', count });
    const second = await list('?page=2&perPage=1');
    expect(second).toEqual({
      filter: { query: '', status: '', page: 2, perPage: 1, count },
      set: [whole.set[1]],
    });
    const first = await list('?limit=1');
    expect(first.filter).toEqual({ query: '', status: '', limit: 1, nextPage: 'n1', count });
    expect((await list('?limit=1&pageCursor=n1')).set).toEqual([whole.set[1]]);
  });

  it('finds by name or address and by status', async () => {
    const { nodeID } = await world.fresh();
    expect((await list('?query=PARTNER')).set.some((each) => each.nodeID === nodeID)).toBe(true);
    expect((await list('?query=nobody+here')).set).toEqual([]);
    const paired = (await list('?status=paired')).set.map((each) => each.nodeID);
    expect(paired).toEqual([world.idC]);
    expect((await asAdmin('GET', '/federation/nodes?status=happy')).status).toBe(400);
  });
});
