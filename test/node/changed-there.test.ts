import { expect, it, onTestFinished } from 'vitest';
import type { PartnerSummary } from '../../server/contract/app/overview.ts';
import type { Spoken } from '../support/harness/calls.ts';
import { pairNodes, shareAndReceive, startNode } from '../support/harness/node.ts';

/** Rows that differ by the will of whoever received them are named at both offices, and make no trouble. */

const NOTICED = { timeout: 60_000, interval: 200 };

interface Page {
  readonly rows: readonly { readonly recordID: string }[];
}

const told = async (office: Spoken, nodeID: string): Promise<string> => {
  const { state, reason, also } = await office.app<PartnerSummary>('GET', `/app/partners/${nodeID}`);
  return [state, reason, ...also].join(' | ');
};

it('both offices say how many rows the receiving user changed, removed or restored, until they are as received again', async () => {
  const turku = await startNode('Turku', { syncIntervalMs: 1000 });
  onTestFinished(() => turku.stop());
  const gdynia = await startNode('Gdynia', { syncIntervalMs: 1000 });
  onTestFinished(() => gdynia.stop());
  const names = ['Äijälä', 'Söderström', 'Żeromski', 'Wiśniewska'];
  const list = await turku.list(
    'Members',
    ['Name'],
    names.map((Name) => ({ Name })),
  );
  const { atInviter, atInvited } = await pairNodes(turku, gdynia);
  const to = { office: gdynia, partner: atInvited };
  const { list: received } = await shareAndReceive({ office: turku, partner: atInviter, list }, ['Name'], to);
  const here = (): Promise<string> => told(gdynia, atInvited);
  const there = (): Promise<string> => told(turku, atInviter);
  await expect.poll(here, NOTICED).toMatch(/^up-to-date(?!.*by you)/);
  await expect.poll(there, NOTICED).toMatch(/^up-to-date(?!.*left (?:it|them) there)/);

  const rows = `/app/lists/${received}/rows`;
  const { rows: found } = await gdynia.app<Page>('GET', `${rows}?limit=10`);
  const [changed = '', removed = ''] = found.map(({ recordID }) => recordID);
  await gdynia.app('PATCH', `${rows}/${changed}`, { values: { Name: ['Nowak'] } });
  expect(await here()).toMatch(/^up-to-date .*\| You changed 1 row from .*: your values stay\./);
  await gdynia.app('DELETE', `${rows}/${removed}`);
  expect(await here()).toMatch(/^up-to-date .*\| You changed 2 rows from .*: your values stay\./);
  await expect.poll(there, NOTICED).toMatch(/^up-to-date .*\| .* keeps its own version of 2 rows\./);

  await gdynia.app('POST', `${rows}/${changed}/revert`, {});
  await gdynia.app('POST', `${rows}/${removed}/restore`, {});
  expect(await here()).not.toMatch(/by you/);
  await expect.poll(there, NOTICED).toMatch(/^up-to-date(?!.*left (?:it|them) there)/);

  // One that was removed there is in the bin here, until our user has it again.
  const { rows: theirs } = await turku.app<Page>('GET', `/app/lists/${list}/rows?limit=10`);
  await turku.app('DELETE', `/app/lists/${list}/rows/${theirs[0]?.recordID ?? ''}`);
  const inBin = async (): Promise<string[]> =>
    (await gdynia.app<Page>('GET', `${rows}?limit=10&bin=1`)).rows.map(({ recordID }) => recordID);
  await expect.poll(inBin, NOTICED).toHaveLength(1);
  await gdynia.app('POST', `${rows}/${(await inBin())[0] ?? ''}/restore`, {});
  expect(await here()).toMatch(/^up-to-date .*\| You changed 1 row from .*: your values stay\./);
  await expect.poll(there, NOTICED).toMatch(/^up-to-date .*\| .* keeps its own version of 1 row\./);
});
