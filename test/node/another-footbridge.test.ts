import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PartnerSummary } from '../../server/contract/app/overview.ts';
import { omit } from '../../server/base/omit.ts';
import { formatNodeURI, parseNodeURI } from '../../server/federation/partners/node-uri.ts';
import { startLine, type Line } from '../support/faults/line.ts';
import { serveOnce } from '../support/harness/http.ts';
import { askNode } from '../support/partners/scripted-partner.ts';
import { pairNodes, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';

let line: Line;
let strangersLine: Line;
let [oslo, bergen, stranger]: (NodeOffice | undefined)[] = [];
let atTheAddress: number | undefined;

beforeAll(async () => {
  line = await startLine(() => atTheAddress);
  oslo = await startNode('Oslo', { publicUrl: `http://127.0.0.1:${line.port}` });
  atTheAddress = oslo.port;
  bergen = await startNode('Bergen', { syncIntervalMs: 1000 });
  strangersLine = await startLine(() => stranger?.port);
  stranger = await startNode('Somebody else', { publicUrl: `http://127.0.0.1:${strangersLine.port}` });
});
afterAll(async () => {
  for (const office of [oslo, bergen, stranger]) await office?.stop();
  await line.close();
  await strangersLine.close();
});

it('names another Footbridge at the partner’s address, and goes on when the right one is there again', async () => {
  const [inviter, invited, third] = [oslo!, bergen!, stranger!];
  const pair = await pairNodes(inviter, invited);
  const list = await inviter.list('Kunder', ['Navn', 'Sted'], [{ Navn: 'Ærlig & Sønn', Sted: 'Ålesund' }]);
  const from = { office: inviter, partner: pair.atInviter, list };
  await shareAndReceive(from, ['Navn', 'Sted'], { office: invited, partner: pair.atInvited });
  const told = async (): Promise<string> => {
    const path = `/app/partners/${pair.atInvited}`;
    const { state, reason } = await invited.app<PartnerSummary>('GET', path);
    return `${state}: ${reason}`;
  };
  await expect.poll(told, { timeout: 20_000 }).toMatch(/^up-to-date/);
  atTheAddress = third.port;
  const named = /^needs-you: Another Footbridge answers at the partner’s address/;
  await expect.poll(told, { timeout: 20_000 }).toMatch(named);
  await expect(invited.app('POST', `/app/partners/${pair.atInvited}/sync`)).rejects.toThrow(
    /Another Footbridge/,
  );
  atTheAddress = inviter.port;
  await invited.app('POST', `/app/partners/${pair.atInvited}/sync`);
  await expect.poll(told, { timeout: 20_000 }).toMatch(/^up-to-date/);
});

const accept = (office: NodeOffice, uri: string): Promise<PartnerSummary> =>
  office.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
const status = async (office: NodeOffice, nodeID: string): Promise<string> =>
  (await office.app<PartnerSummary>('GET', `/app/partners/${nodeID}`)).status;

describe('a program at the partner’s address that says the same to everything', () => {
  beforeEach(async () => {
    const program = await serveOnce((_question, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{"success":false,"status":"ok"}');
    });
    atTheAddress = program.port;
    return async () => {
      atTheAddress = oslo!.port;
      await program.close();
    };
  });

  it('takes no request, and the invite goes on to be good', async () => {
    const [inviter, invited] = [oslo!, stranger!];
    const invite = await inviter.app<{ uri: string; nodeID: string }>('POST', '/app/invites', {
      name: 'One',
    });
    await expect(accept(invited, invite.uri)).rejects.toThrow(/Another program answers/);
    atTheAddress = inviter.port;
    const { nodeID } = await accept(invited, invite.uri);
    expect(await status(inviter, invite.nodeID)).toBe('pair_requested');
    await inviter.app('POST', `/app/partners/${invite.nodeID}/decline`);
    await invited.app('DELETE', `/federation/nodes/${nodeID}`);
  });

  it('confirms no approval, which the partner fetches', async () => {
    const [inviter, invited] = [stranger!, oslo!];
    const invite = await inviter.app<{ uri: string; nodeID: string }>('POST', '/app/invites', {
      name: 'Two',
    });
    const { nodeID } = await accept(invited, invite.uri);
    await inviter.app('POST', `/app/partners/${invite.nodeID}/approve`);
    expect(await status(inviter, invite.nodeID)).toBe('pair_requested');
    const approved = async (): Promise<string[]> => [
      await status(inviter, invite.nodeID),
      await status(invited, nodeID),
    ];
    await expect.poll(approved, { timeout: 20_000 }).toEqual(['paired', 'paired']);
  });
});

/**
 * Puts a program at Oslo's address: `says` gives the status and body of an answer. Collects greetings and steps of a
 * pairing, not what Bergen, which is connected, asks for.
 */
async function programAtTheAddress(says: (path: string) => readonly [number, string]): Promise<Set<string>> {
  const asked = new Set<string>();
  const program = await serveOnce((question, answer) => {
    const [path = ''] = (question.url ?? '').split('?');
    const credential = question.headers.authorization === undefined ? '' : ' with token';
    if (/hello|handshake|goodbye/.test(path)) asked.add(`${question.method} ${path}${credential}`);
    const [code, text] = says(path);
    answer.writeHead(code, { 'content-type': 'application/json' }).end(text);
  });
  atTheAddress = program.port;
  onTestFinished(async () => {
    atTheAddress = oslo!.port;
    await program.close();
  });
  return asked;
}

const HELLO = '{"response":{"footbridge":1}}';

describe('our approval of an office whose certificate nobody knows', () => {
  it.each([
    [
      'another Footbridge',
      HELLO.replace('1}', `1,"proof":"${'f'.repeat(64)}"}`),
      /^Another Footbridge answers at the partner’s address/,
    ],
    ['an older Footbridge, which may be another’s', HELLO, /^Approved. Their Footbridge fetches the answer/],
    ['a program that answers as if it agreed', '{}', /^Another program answers at the partner’s address/],
    ['a program that wants a login', '{"error":{"code":"auth.wrong","message":"No."}}', /^Another program/],
  ])(
    'is not sent to %s at its address, and stays until the partner fetches it',
    async (what, hello, reason) => {
      const [inviter, invited] = [stranger!, oslo!];
      const invite = await inviter.app<{ uri: string; nodeID: string }>('POST', '/app/invites', {
        name: what,
      });
      const { nodeID } = await accept(invited, invite.uri);
      strangersLine.set('cut');
      onTestFinished(() => strangersLine.set('clear'));
      const code = hello.includes('error') ? 401 : 200;
      const asked = await programAtTheAddress((path) =>
        path.endsWith('/hello') ? [code, hello] : [200, '{}'],
      );
      await inviter.app('POST', `/app/partners/${invite.nodeID}/approve`);
      expect(await inviter.app('GET', `/app/partners/${invite.nodeID}`)).toMatchObject({
        status: 'pair_requested',
        approved: true,
        reason: expect.stringMatching(reason) as string,
      });
      expect([...asked]).toEqual(['GET /federation/footbridge/hello']);
      strangersLine.set('clear');
      await expect.poll(() => status(inviter, invite.nodeID), { timeout: 40_000 }).toBe('paired');
      expect(await status(invited, nodeID)).toBe('paired');
    },
  );

  it('is not sent to a Footbridge that answers where other software asked from', async () => {
    const inviter = stranger!;
    const asked = await programAtTheAddress((path) => (path.endsWith('/hello') ? [200, HELLO] : [200, '{}']));
    const baseURL = `http://127.0.0.1:${line.port}/federation`;
    const { nodeID } = await inviter.app<{ nodeID: string }>('POST', '/federation/nodes', {
      baseURL,
      name: 'x',
    });
    const uri = await inviter.app<string>('POST', `/federation/nodes/${nodeID}/uri`);
    const path = `/federation/nodes/${nodeID}/handshake`;
    const body = { nodeURI: uri, token: 'a.b.c', nodeIDB: '7' };
    expect((await askNode(inviter.port, 'POST', path, { body })).status).toBe(200);
    await expect(inviter.app('POST', `/app/partners/${nodeID}/approve`)).rejects.toThrow(/prove/);
    expect([...asked]).toEqual(['GET /federation/footbridge/hello']);
  });
});

it.each([
  ['another Footbridge', HELLO.replace('1}', `1,"proof":"${'f'.repeat(64)}"}`)],
  ['an older Footbridge, which may be another’s', HELLO],
])(
  'does not tell %s at its address that a request is declined, which the partner fetches',
  async (what, hello) => {
    const [inviter, invited] = [stranger!, oslo!];
    const invite = await inviter.app<{ uri: string; nodeID: string }>('POST', '/app/invites', { name: what });
    const { nodeID } = await accept(invited, invite.uri);
    strangersLine.set('cut');
    onTestFinished(() => strangersLine.set('clear'));
    const asked = await programAtTheAddress(() => [200, hello]);
    await inviter.app('POST', `/app/partners/${invite.nodeID}/decline`);
    await expect.poll(() => [...asked]).toEqual(['GET /federation/footbridge/hello']);
    strangersLine.set('clear');
    await expect.poll(() => status(invited, nodeID), { timeout: 40_000 }).toBe('failed');
    expect([...asked]).toEqual(['GET /federation/footbridge/hello']);
  },
);

/** As a version writes it that signs none. */
const asOlder = (uri: string): string => formatNodeURI(omit(parseNodeURI(uri), 'signature'));

it('takes a confirmation to which a proxy added a line break', async () => {
  const [inviter, invited] = [oslo!, stranger!];
  const invite = await inviter.app<{ uri: string }>('POST', '/app/invites', { name: 'Six' });
  await programAtTheAddress((path) => [200, path.endsWith('/hello') ? HELLO : '{}\n']);
  const { nodeID } = await accept(invited, asOlder(invite.uri));
  expect(await status(invited, nodeID)).toBe('pair_requested');
  await invited.app('DELETE', `/federation/nodes/${nodeID}`);
});

describe('another Footbridge at the address in an invite', () => {
  it.each([
    ['another one', HELLO.replace('1}', `1,"proof":"${'f'.repeat(64)}"}`)],
    ['one that proves nothing, as an older version', HELLO],
  ])('gets no request by an invite that it did not sign: %s', async (what, hello) => {
    const [inviter, invited] = [oslo!, stranger!];
    const invite = await inviter.app<{ uri: string; nodeID: string }>('POST', '/app/invites', { name: what });
    const asked = await programAtTheAddress((path) => (path.endsWith('/hello') ? [200, hello] : [200, '{}']));
    await expect(accept(invited, invite.uri)).rejects.toThrow(/Another Footbridge answers/);
    expect([...asked]).toEqual(['GET /federation/footbridge/hello']);
    atTheAddress = inviter.port;
    const { nodeID } = await accept(invited, invite.uri);
    expect(await status(inviter, invite.nodeID)).toBe('pair_requested');
    await inviter.app('POST', `/app/partners/${invite.nodeID}/decline`);
    await invited.app('DELETE', `/federation/nodes/${nodeID}`);
  });

  it('does not end a request by an older version’s invite that it refuses', async () => {
    const [inviter, invited, another] = [oslo!, stranger!, bergen!];
    const invite = await inviter.app<{ uri: string; nodeID: string }>('POST', '/app/invites', {
      name: 'Five',
    });
    const unsigned = asOlder(invite.uri);
    atTheAddress = another.port;
    onTestFinished(() => void (atTheAddress = inviter.port));
    await expect(accept(invited, unsigned)).rejects.toThrow(/doesn’t know this invite/);
    const waiting = (await invited.app<readonly PartnerSummary[]>('GET', '/app/partners')).find(
      ({ reason }) => reason.includes('doesn’t know this invite'),
    );
    expect(waiting).toMatchObject({ status: 'pending' });
    atTheAddress = inviter.port;
    const { nodeID } = await accept(invited, unsigned);
    expect(nodeID).toBe(waiting?.nodeID);
    expect(await status(inviter, invite.nodeID)).toBe('pair_requested');
  });
});

it('asks at no other path of the host by a Footbridge’s invite, while the partner itself is down', async () => {
  const [inviter, invited] = [oslo!, stranger!];
  const invite = await inviter.app<{ uri: string }>('POST', '/app/invites', { name: 'Four' });
  const asked = await programAtTheAddress((path) =>
    path.startsWith('/federation/') ? [502, ''] : [200, HELLO],
  );
  await expect(accept(invited, invite.uri)).rejects.toThrow(/502/);
  expect([...asked]).toEqual(['GET /federation/footbridge/hello']);
});
