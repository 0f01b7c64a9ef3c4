import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { overview } from '../../server/contract/app/overview.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, rowsOf, shareAndReceive, type Pair } from '../support/harness/node.ts';

/** What the window says of received rows is what is so, also where its user changed or removed some of them. */
describe('what is said of received rows', { tags: 'nightly-windows' }, () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let people = '';
  let received = '';

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
    people = await north.csv('People', 'Name,Town\nAnna,Riga\nBoris,Lyon\nCarla,Porto\nDavid,Graz\n');
    pair = await pairNodes(north, harbour);
    ({ list: received } = await shareAndReceive(
      { office: north, partner: pair.atInviter, list: people },
      ['Name', 'Town'],
      { office: harbour, partner: pair.atInvited },
    ));
  });
  afterAll(() => desks.close());

  const idAt = async (desk: Desk, list: string, name: string): Promise<string> =>
    (await rowsOf(desk, list)).find(({ Name }) => Name === name)?.recordID ?? 'none';
  const change = async (desk: Desk, list: string, name: string, town: string): Promise<void> => {
    const recordID = await idAt(desk, list, name);
    await desk.app('PATCH', `/app/lists/${list}/rows/${recordID}`, { values: { Town: [town] } });
  };

  it('a comparison says how many of them show something else here, as the user changed or removed them', async () => {
    await change(harbour, received, 'Anna', 'Bergen');
    await harbour.app('POST', `/app/lists/${received}/rows/delete`, {
      recordIDs: [await idAt(harbour, received, 'Boris'), await idAt(harbour, received, 'Carla')],
    });
    await harbour.go(`#/partners/${pair.atInvited}/lists`);
    await harbour.press('Compare “People”');
    await harbour.sees('4 rows arrived just as they have them. Your list shows something else:');
    await harbour.sees('You changed 1 of these rows here.');
    await harbour.sees('You removed 2 of these rows here.');
    expect(await harbour.page.getByText(/^Identical:/).count()).toBe(0);
  });

  it('a value that arrives and does not take the place of one’s own is told as such', async () => {
    await change(north, people, 'Anna', 'Oslo');
    await harbour.go('#/');
    await harbour.sees('your own value stays');
    expect(await harbour.page.getByText('Oslo').count()).toBe(1);
  });

  it('an entry of what arrived shows no rows that came at another time', async () => {
    const { page } = harbour;
    await change(north, people, 'David', 'Linz');
    await harbour.sees('Linz');
    await page.route('**/app/overview', async (route) => {
      const answer = await route.fetch();
      const { response } = z.object({ response: overview }).parse(await answer.json());
      const earlier = (at: string): string => new Date(Date.parse(at) - 300_000).toISOString();
      const recent = response.recent.map((entry) => ({ ...entry, at: earlier(entry.at) }));
      await route.fulfill({ response: answer, json: { response: { ...response, recent } } });
    });
    const read = page.waitForResponse(new RegExp(`/app/lists/${received}/arrived`));
    await page.reload();
    await harbour.sees('5 minutes ago');
    await read;
    // Room is kept for rows until they are read.
    await expect.poll(() => page.locator('.entries ul').count()).toBe(0);
    expect(await page.getByText('Linz').count()).toBe(0);
    // A question that is under way is answered before its route goes: it must not be answered twice.
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
    await harbour.sees('Linz');
  });

  it('a list says when was looked, and the connection that nothing gets through while the partner is gone', async () => {
    await harbour.go(`#/partners/${pair.atInvited}/lists`);
    await harbour.sees(/^last checked: /);
    await harbour.go(`#/partners/${pair.atInvited}/connection`);
    await harbour.sees('Both sides reach each other.');
    expect(await harbour.page.getByText('At the moment nothing gets through').count()).toBe(0);
    north.served.process.kill('SIGSTOP');
    const now = harbour.page.getByText(
      'Not everything gets through right now; the top of this page says why. When it last worked, it was: Both sides reach each other.',
    );
    await now.waitFor({ timeout: 120_000 });
    north.served.process.kill('SIGCONT');
    // A connection of before it stood still may end with the first question.
    const answers = (): Promise<boolean> =>
      north.app('GET', '/app/settings').then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(true);
    await north.app('POST', `/app/partners/${pair.atInviter}/disconnect`, { received: 'keep' });
    await harbour.sees('The connection has ended: nothing is exchanged.');
  });
});
