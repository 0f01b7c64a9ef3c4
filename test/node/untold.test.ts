import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { PartnerSummary } from '../../server/contract/app/overview.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { startLine, type Line } from '../support/faults/line.ts';
import { startLiveServer } from '../support/partners/live-server.ts';
import { pairNodes, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';

/** After a start it is not known any more what partners have; nothing is made up until they are heard. */

const NOTICED = { timeout: 40_000, interval: 100 };
const TOWNS = ['Łódź', 'Århus', 'Győr', 'Évora', 'Çanakkale', 'São Tomé'];
const PEOPLE = Array.from({ length: 12 }, (_, at) => ({
  Name: `Customer ${(at * 7919).toString(36)}`,
  Town: `${TOWNS[at % TOWNS.length]} ${at}`,
}));

/** An office on a folder that outlives its runs. */
async function office(name: string): Promise<{ run: NodeOffice; again(): Promise<void> }> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const options = { dataDir: folder.path, syncIntervalMs: 1000 };
  const held = {
    run: await startNode(name, options),
    async again() {
      const { port } = held.run;
      await held.run.stop();
      held.run = await startNode(name, { ...options, port });
    },
  };
  onTestFinished(() => held.run.stop());
  return held;
}

async function told(office: NodeOffice, nodeID: string): Promise<string> {
  const { state, reason, also } = await office.app<PartnerSummary>('GET', `/app/partners/${nodeID}`);
  return [state, reason, ...also].join(' | ');
}

it(
  'of another Footbridge that is off it is not said that all rows are on their way',
  { tags: 'nightly-waits' },
  async () => {
    const oslo = await office('Oslo');
    const bergen = await office('Bergen');
    const list = await oslo.run.list('Customers', ['Name', 'Town'], PEOPLE);
    const { atInviter, atInvited } = await pairNodes(oslo.run, bergen.run);
    await shareAndReceive({ office: oslo.run, partner: atInviter, list }, ['Name', 'Town'], {
      office: bergen.run,
      partner: atInvited,
    });
    await expect.poll(() => told(oslo.run, atInviter), NOTICED).toMatch(/^up-to-date/);
    await bergen.run.stop();
    await oslo.again();
    await expect
      .poll(() => told(oslo.run, atInviter), NOTICED)
      .toMatch(/^offline .*(?:hasn’t asked|has not asked) .* since/);
    const words = await told(oslo.run, atInviter);
    expect(words).toMatch(/Checking how much .* has of what you share\./);
    expect(words).not.toMatch(/on (its|their) way|not chosen/);
    await bergen.again();
    await expect.poll(() => told(oslo.run, atInviter), NOTICED).toMatch(/^up-to-date/);
  },
);

it(
  'of a live server that fetches a list it is not said that it has yet to choose',
  { tags: 'nightly-orders' },
  async () => {
    const live = await startLiveServer();
    onTestFinished(() => live.close());
    const oslo = await office('Oslo');
    const node = live.createNode(oslo.run.ready.federation + '/federation');
    const { nodeID } = await oslo.run.app<{ nodeID: string }>('POST', '/app/invites/accept', {
      uri: live.invite(node.nodeID),
      ownNetwork: true,
    });
    await live.confirm(node.nodeID);
    const list = await oslo.run.list('Customers', ['Name', 'Town'], PEOPLE);
    await oslo.run.app('PUT', `/app/partners/${nodeID}/shares/${list}`, { fields: ['Name', 'Town'] });
    const tick = async (): Promise<string> => {
      await live.puller.tick(node.nodeID);
      return told(oslo.run, nodeID);
    };
    expect(await tick()).toMatch(/doesn’t import 1 list.*share it again/);
    for (const moduleID of live.puller.shared.keys()) live.puller.map(moduleID);
    await expect.poll(tick, NOTICED).toMatch(/^up-to-date/);
    await oslo.again();
    await expect
      .poll(() => told(oslo.run, nodeID), NOTICED)
      .toMatch(/^offline .*(?:hasn’t asked|has not asked) .* since/);
    expect(await told(oslo.run, nodeID)).not.toMatch(/on (its|their) way|not chosen/);
    await expect.poll(tick, NOTICED).toMatch(/^up-to-date/);
  },
);

/** Bergen receives from Oslo over a line that the test can disturb. */
async function receivingOverLine(): Promise<{
  readonly oslo: NodeOffice;
  readonly bergen: Awaited<ReturnType<typeof office>>;
  readonly line: Line;
  readonly list: string;
  readonly atInviter: string;
}> {
  const oslo: { run?: NodeOffice } = {};
  const line = await startLine(() => oslo.run?.port);
  onTestFinished(() => line.close());
  oslo.run = await startNode('Oslo', { publicUrl: `http://127.0.0.1:${line.port}`, syncIntervalMs: 1000 });
  onTestFinished(() => oslo.run?.stop());
  const bergen = await office('Bergen');
  const list = await oslo.run.list('Customers', ['Name', 'Town'], PEOPLE);
  const { atInviter, atInvited } = await pairNodes(oslo.run, bergen.run);
  await shareAndReceive({ office: oslo.run, partner: atInviter, list }, ['Name', 'Town'], {
    office: bergen.run,
    partner: atInvited,
  });
  return { oslo: oslo.run, bergen, line, list, atInviter };
}

it('what another Footbridge could not tell once, it tells again when it next asks', async () => {
  const { oslo, line, list, atInviter } = await receivingOverLine();
  const atOslo = (): Promise<string> => told(oslo, atInviter);
  await expect.poll(atOslo, NOTICED).toMatch(/^up-to-date/);
  line.set('cut', /\/footbridge\/standing$/);
  await oslo.app('POST', `/app/lists/${list}/rows`, { values: { Name: ['Ødegård'], Town: ['Ålesund'] } });
  await expect.poll(() => line.met, NOTICED).toBeGreaterThan(0);
  expect(await atOslo()).toMatch(/1 change is on its way/);
  line.set('clear');
  await expect.poll(atOslo, NOTICED).toMatch(/^up-to-date/);
});

it(
  'whoever shares hears that a partner went back to older data, also while nothing can be fetched',
  { tags: 'nightly-orders' },
  async () => {
    const { oslo, bergen, line, list, atInviter } = await receivingOverLine();
    const atOslo = (): Promise<string> => told(oslo, atInviter);
    const { dataDir, port } = bergen.run;
    const [now, older] = [join(dataDir, 'store'), join(dataDir, 'older')];
    await bergen.run.stop();
    await cp(now, older, { recursive: true });
    bergen.run = await startNode('Bergen', { dataDir, port, syncIntervalMs: 1000 });
    await oslo.app('POST', `/app/lists/${list}/rows`, { values: { Name: ['Ødegård'], Town: ['Ålesund'] } });
    await expect.poll(atOslo, NOTICED).toMatch(/^up-to-date/);

    await bergen.run.stop();
    await rm(now, { recursive: true });
    await cp(older, now, { recursive: true });
    line.set('cut', /\/changes$/);
    bergen.run = await startNode('Bergen', { dataDir, port, syncIntervalMs: 1000 });
    await expect.poll(() => line.met, NOTICED).toBeGreaterThan(1);
    await expect.poll(atOslo, NOTICED).toMatch(/1 change is on its way/);
    line.set('clear');
    await expect.poll(atOslo, NOTICED).toMatch(/^up-to-date/);
  },
);
