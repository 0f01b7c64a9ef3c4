import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview, Progress } from '../../server/contract/app/overview.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, shareAndReceive } from '../support/harness/node.ts';

describe('rows on their way', { tags: 'nightly-windows' }, () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
  });
  afterAll(() => desks.close());

  it('are counted, with the time that is left, on Home, at the partner, in their list and among all lists alike', async () => {
    const pair = await pairNodes(north, harbour);
    const from = {
      office: north,
      partner: pair.atInviter,
      list: await north.csv('Prices', 'Article\nTea\n'),
    };
    const to = { office: harbour, partner: pair.atInvited };
    const { list } = await shareAndReceive(from, ['Article'], to);
    const progress: Progress = {
      nodeID: pair.atInvited,
      moduleID: list,
      listName: 'Prices',
      done: 1204,
      total: 2155,
      rowsPerSecond: 8,
    };
    // A pull that stands still half-way: a real one would be over before it was looked at four times.
    await harbour.page.route('**/app/overview', async (route) => {
      const answer = await route.fetch();
      const { response } = (await answer.json()) as { response: Overview };
      const partners = response.partners.map((partner) => ({ ...partner, state: 'syncing', progress }));
      await route.fulfill({ response: answer, json: { response: { ...response, partners } } });
    });
    await harbour.page.reload();
    for (const place of ['#/', '#/partners', `#/partners/${pair.atInvited}`, '#/lists']) {
      await harbour.go(place);
      const main = harbour.page.getByRole('main');
      await expect.poll(() => main.innerText(), { message: place }).toMatch(/1,204\s+of 2,155 rows/);
      await expect.poll(() => main.innerText(), { message: place }).toContain('about 2 minutes left');
    }
    expect(harbour.errors).toEqual([]);
  });
});
