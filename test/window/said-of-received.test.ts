import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { openDesk, type Desk } from '../support/desk.ts';
import { pairNodes, rowsOf, shareAndReceive, type Pair } from '../support/node-office.ts';

/** What the window says of received rows is what is so, also where its user changed or removed some of them. */
describe('what is said of received rows', () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let people = '';
  let received = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([
      openDesk(browser, 'North Trading'),
      openDesk(browser, 'Harbour Office'),
    ]);
    people = await north.csv('People', 'Name,Town\nAnna,Riga\nBoris,Lyon\nCarla,Porto\nDavid,Graz\n');
    pair = await pairNodes(north, harbour);
    ({ list: received } = await shareAndReceive(
      { office: north, partner: pair.atInviter, list: people },
      ['Name', 'Town'],
      { office: harbour, partner: pair.atInvited },
    ));
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.close();
  });

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
});
