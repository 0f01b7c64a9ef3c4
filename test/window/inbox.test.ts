import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shoot } from '../support/harness/browser.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, type Pair } from '../support/harness/node.ts';

/**
 * Each kind of thing that waits in Home, with its actions. Approving, making a list, matching, the brake, looking at
 * changed columns and a request to remove rows are part of the flows in the other files.
 */
describe('the inbox', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
  });
  afterAll(() => desks.close());

  const card = (desk: Desk, title: string): Locator =>
    desk.page
      .getByRole('region', { name: 'What needs you' })
      .getByRole('listitem')
      .filter({ hasText: title });
  const act = (desk: Desk, title: string, action: string): Promise<void> =>
    card(desk, title)
      .locator('a, button')
      .filter({ hasText: new RegExp(`^${action}$`) })
      .click();
  const gone = (desk: Desk, title: string): Promise<void> => card(desk, title).waitFor({ state: 'detached' });

  it('somebody asks to pair: declining ends it, and the other side is told', async () => {
    const { uri } = await north.app<{ uri: string }>('POST', '/app/invites', { name: 'Harbour Office' });
    const asked = await harbour.app<{ nodeID: string }>('POST', '/app/invites/accept', {
      uri,
      ownNetwork: true,
    });
    await act(north, 'Harbour Office asks to connect', 'Decline');
    await gone(north, 'Harbour Office asks to connect');
    const { uri: again } = await north.app<{ uri: string }>('POST', '/app/invites', {
      name: 'Harbour Office',
    });
    await harbour.app('POST', '/app/invites/accept', { uri: again, ownNetwork: true });
    await north.page.getByRole('link', { name: 'Harbour Office' }).first().click();
    await north.press('Decline');
    await north.sees('The request of Harbour Office is declined.');
    await north.page.getByRole('heading', { level: 1, name: 'Partners' }).waitFor();
    await shoot(north.page, 'request-declined');
    await north.go('#/');
    await harbour.go(`#/partners/${asked.nodeID}`);
    await harbour.sees('Connecting with North Trading did not work');
    await harbour.sees('The partner did not approve the request.');
    await harbour.app('POST', `/app/partners/${asked.nodeID}/disconnect`, { received: 'keep' });
    await harbour.go('#/');
  });

  it('the words that nobody compared yet stand beside the partner, on both sides', async () => {
    pair = await pairNodes(north, harbour);
    for (const desk of [north, harbour]) {
      await desk.go('#/');
      await desk.sees('Verification words not compared yet');
    }
    const { words } = await north.app<{ words: string[] }>('GET', `/app/partners/${pair.atInviter}`);
    await north.app('POST', `/app/partners/${pair.atInviter}/words`, { words: words.join(' '), same: true });
    await expect.poll(() => north.page.getByText('not compared yet').count()).toBe(0);
    await harbour.page.getByRole('link', { name: 'Compare', exact: true }).click();
    await harbour.page.getByRole('heading', { name: 'Call them now' }).waitFor();
    for (const word of words) await harbour.sees(word);
    await harbour.go('#/');
  });

  it('a list is offered: not now puts it aside, where it can be found', async () => {
    const stock = await north.csv('Stock', 'Item,Price\nBolt,soon\nNut,2\n');
    await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${stock}`, { fields: ['Item', 'Price'] });
    const title = 'North Trading offers you the list “Stock”';
    await act(harbour, title, 'Not now');
    await gone(harbour, title);
    await harbour.go(`#/partners/${pair.atInvited}/receive`);
    await harbour.sees('Put aside');
    expect(await harbour.page.getByText('offers you nothing yet').count()).toBe(0);
    await harbour.press('Offer it again');
    await harbour.go('#/');
    await card(harbour, title).waitFor();
  });

  it('rows could not be applied: they are shown, and tried again', async () => {
    const { moduleID } = await harbour.app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Prices',
      fields: [{ label: 'Price', name: 'Price', kind: 'Number', isMulti: false }],
    });
    const offers = `/app/partners/${pair.atInvited}/offers`;
    const [offer] = await harbour.app<{ sharedModuleID: string }[]>('GET', offers);
    await harbour.app('PUT', `${offers}/${offer?.sharedModuleID ?? ''}/matching`, {
      moduleID,
      matches: [{ origin: 'Price', destination: 'Price' }],
    });
    const title = 'Some rows of “Prices” from North Trading could not be applied';
    await card(harbour, title).getByText('kept with the reason and tried again.').waitFor();
    await act(harbour, title, 'Try again now');
    await card(harbour, title).and(harbour.page.locator('[aria-busy=false]')).waitFor();
    await act(harbour, title, 'Show them');
    await harbour.sees('1 row could not be applied');
    await harbour.go('#/');
  });

  it('columns changed: it can be put aside once understood', async () => {
    const [list] = await north.app<{ moduleID: string }[]>('GET', '/app/lists');
    await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${list?.moduleID ?? ''}`, {
      fields: ['Item'],
    });
    const title = 'Columns of “Prices” changed at North Trading';
    await act(harbour, title, 'Understood');
    await gone(harbour, title);
  });

  it('a stranger was turned away: it is told, and put aside', async () => {
    const { federation } = north.served;
    const answer = await fetch(`${federation}/federation/nodes`, {
      headers: { authorization: 'Bearer wrong' },
    });
    expect(answer.status).toBe(401);
    const title = 'Somebody you are not connected with was turned away';
    await card(north, title)
      .getByText('A program on this computer sent a key that isn’t valid here')
      .waitFor();
    await act(north, title, 'Understood');
    await gone(north, title);
  });

  it('a connection ends soon: a look at it, or understood', async () => {
    // Only a partner that cannot renew its connection brings this about, after 83 days: its card is made up here.
    await north.page.route('**/app/overview', async (route) => {
      const answer = await route.fetch();
      const { response } = (await answer.json()) as { response: { inbox: unknown[] } };
      response.inbox.push({
        itemID: 'connection-ending-1',
        kind: 'connection-ending',
        at: new Date().toISOString(),
        nodeID: pair.atInviter,
        partner: 'Harbour Office',
        message: 'It ends soon and cannot renew itself. Ask them for a new invite.',
      });
      await route.fulfill({ json: { response } });
    });
    await north.page.reload();
    const title = 'The connection to Harbour Office ends soon';
    await card(north, title).getByText('Ask them for a new invite.').waitFor();
    await card(north, title).getByRole('button', { name: 'Understood' }).waitFor();
    await act(north, title, 'Have a look');
    await north.page.getByRole('heading', { name: 'Verification words' }).waitFor();
    await north.page.unrouteAll({ behavior: 'wait' });
    await north.go('#/');
  });

  it('a connection has ended: it leads to pairing again', async () => {
    await harbour.app('POST', `/app/partners/${pair.atInvited}/disconnect`, { received: 'keep' });
    const title = 'The connection to the other office has ended';
    await act(north, title, 'Pair again');
    await north.press('Make a new invite');
    await north.page.getByRole('dialog').getByRole('button', { name: 'Copy' }).waitFor();
  });
});
