import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PartnerSummary } from '../../server/contract/app/overview.ts';
import { startLine, type Line } from '../support/faults/line.ts';
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
