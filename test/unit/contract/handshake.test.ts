import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { envelope } from '../../../server/contract/common.ts';
import * as live from '../../../server/contract/wire/live.ts';
import * as shape1 from '../../../server/contract/wire/shape1.ts';
import * as shape2 from '../../../server/contract/wire/shape2.ts';
import { startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

let a: HttpOffice;
let b: HttpOffice;
beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
});
afterAll(() => Promise.all([a.close(), b.close()]));

const node1 = envelope(shape1.node).strict();
const node2 = envelope(shape2.node).strict();
const nodeLive = envelope(live.node).strict();

describe.each([
  ['', ''],
  ['/api', '/'],
])('the handshake under %s/federation, paths ending with "%s"', (prefix, slash) => {
  const post = async (office: HttpOffice, path: string, body?: unknown): Promise<unknown> => {
    const answer = await office.call('POST', `${prefix}/federation/nodes${path}${slash}`, {
      token: office.userToken('admin'),
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.text && answer.status).toBe(200);
    return answer.body;
  };
  const status = async (office: HttpOffice, nodeID: string): Promise<string> =>
    (await office.federation.nodes.get(nodeID)).status;

  it('goes its six steps in shape 1', async () => {
    const { nodeID: idA } = node1.parse(await post(a, '', { baseURL: b.origin, name: 'Server B' })).response;
    const { response: uri } = z.object({ response: z.string() }).parse(await post(a, `/${idA}/uri`));
    const made = node1.parse(await post(b, '', { baseURL: uri, name: 'Server A' })).response;
    expect(made).toMatchObject({
      status: 'pending',
      sharedNodeID: idA,
      name: 'Server A',
      baseURL: `${a.origin}/federation`,
    });
    expect(await post(b, `/${made.nodeID}/pair`)).toEqual({});
    expect([await status(a, idA), await status(b, made.nodeID)]).toEqual([
      'pair_requested',
      'pair_requested',
    ]);
    expect(await post(a, `/${idA}/handshake-confirm`)).toEqual({});
    expect([await status(a, idA), await status(b, made.nodeID)]).toEqual(['paired', 'paired']);
  });

  it('goes its six steps in shape 2', async () => {
    const onA = node2.parse(
      await post(a, '', { myDomain: new URL(a.origin).host, domain: new URL(b.origin).host, name: 'B' }),
    );
    const { nodeID: idA, nodeURI } = onA.response;
    expect(onA.response).toMatchObject({ status: 'pending', domain: new URL(b.origin).host });
    const onB = node2.parse(await post(b, '', { myDomain: new URL(b.origin).host, nodeURI })).response;
    expect(onB).toMatchObject({ status: 'pending', sharedNodeID: idA, domain: new URL(a.origin).host });
    expect(await post(b, `/${onB.nodeID}/pair`)).toEqual({});
    expect(await post(a, `/${idA}/handshake-confirm`)).toEqual({});
    expect([await status(a, idA), await status(b, onB.nodeID)]).toEqual(['paired', 'paired']);
    const later = await a.call('GET', `${prefix}/federation/nodes/${idA}`, { token: a.userToken('viewer') });
    const shown = node2.parse(later.body).response;
    expect(shown.sharedNodeID).toBe(onB.nodeID);
    expect(new URL(shown.nodeURI)).toMatchObject({ username: idA, password: '' });
  });

  it('goes its steps with the bodies that live servers send', async () => {
    const made = nodeLive.parse(
      await post(a, '', { baseURL: `${b.origin}/federation`, name: 'B', contact: 'b@b.example' }),
    );
    const idA = made.response.nodeID;
    const { response: uri } = z.object({ response: z.string() }).parse(await post(a, `/${idA}/uri`));
    const path = `${prefix}/federation/nodes/${idA}/handshake${slash}`;
    const body = { pairToken: new URL(uri).password, authToken: 'live.token', sharedNodeID: idA };
    const taken = await a.call('POST', path, { body });
    expect([taken.status, taken.body]).toEqual([200, { success: { message: 'OK' } }]);
    expect(await a.federation.nodes.get(idA)).toMatchObject({
      sharedNodeID: idA,
      dialect: 'live',
      status: 'pair_requested',
    });

    const onB = await post(b, '', { pairingURI: (await a.federation.invites.create(idA)).uri });
    const { nodeID: idB } = nodeLive.parse(onB).response;
    expect(await post(b, `/${idB}/pair`)).toEqual({ success: { message: 'OK' } });
    const token = await a.federation.tokens.tokenFor(idA);
    const complete = `${prefix}/federation/nodes/${idA}/handshake-complete${slash}`;
    const completed = await b.call('POST', complete, { token, body: { authToken: 'live.token.of.a' } });
    expect([completed.status, completed.body]).toEqual([200, { success: { message: 'OK' } }]);
    expect(await status(b, idB)).toBe('paired');
  });
});
