import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PartnerSummary } from '../../server/contract/app/overview.ts';
import { startLine, type Line } from '../support/faults/line.ts';
import { serveOnce } from '../support/harness/http.ts';
import { pairNodes, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';

let line: Line;
let [oslo, bergen, stranger]: (NodeOffice | undefined)[] = [];
let atTheAddress: number | undefined;

beforeAll(async () => {
  line = await startLine(() => atTheAddress);
  oslo = await startNode('Oslo', { publicUrl: `http://127.0.0.1:${line.port}` });
  atTheAddress = oslo.port;
  bergen = await startNode('Bergen', { syncIntervalMs: 1000 });
  stranger = await startNode('Somebody else');
});
afterAll(async () => {
  for (const office of [oslo, bergen, stranger]) await office?.stop();
  await line.close();
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
  const accept = (office: NodeOffice, uri: string): Promise<PartnerSummary> =>
    office.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
  const status = async (office: NodeOffice, nodeID: string): Promise<string> =>
    (await office.app<PartnerSummary>('GET', `/app/partners/${nodeID}`)).status;

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
