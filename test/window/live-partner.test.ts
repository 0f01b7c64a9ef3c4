import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { InviteAnswer } from '../../server/contract/app/invites.ts';
import type { ListDetail } from '../../server/contract/app/lists.ts';
import type { Share } from '../../server/contract/app/sharing.ts';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { startLiveServer, type LiveServer } from '../support/partners/live-server.ts';
import { pairNodes } from '../support/harness/node.ts';

/** A partner of another kind has its own ways, and the window asks nothing of its user that it cannot do. */
describe('a live server as partner', () => {
  let browser: Browser;
  let live: LiveServer;
  let desk: Desk;
  let other: Desk;
  let partner: string;
  /** The server's id of us. */
  let there: string;

  beforeAll(async () => {
    browser = await launchBrowser();
    live = await startLiveServer();
    [desk, other] = await Promise.all([
      openDesk(browser, 'North Trading'),
      openDesk(browser, 'Harbour Office'),
    ]);
    const { nodeID } = live.createNode(`${desk.served.federation}/federation`);
    const invited = await desk.app<{ nodeID: string }>('POST', '/app/invites/accept', {
      uri: live.invite(nodeID),
    });
    partner = invited.nodeID;
    there = nodeID;
    await live.confirm(nodeID);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([desk.close(), other.close(), live.close()]);
  });

  it('has no verification words, and is asked for none; a Footbridge has', async () => {
    await desk.go(`#/partners/${partner}/connection`);
    await desk.sees('Added on');
    expect(await desk.page.getByRole('heading', { name: 'Verification words' }).count()).toBe(0);
    const { atInvited } = await pairNodes(other, desk);
    await desk.go(`#/partners/${atInvited}/connection`);
    await desk.sees('Verification words');
  });

  it('names columns that Corteza has otherwise, and shares the list again at a press', async () => {
    const list = await desk.csv('Orders', 'Number,Customer,Remark\n2026-101,Kunze & Sohn,paid\n');
    const share = `/app/partners/${partner}/shares`;
    await desk.app('PUT', `${share}/${list}`, { fields: ['Number', 'Customer'] });
    await live.puller.tick(there);
    const [before] = live.puller.shared.keys();
    const { fields } = await desk.app<ListDetail>('GET', `/app/lists/${list}`);
    await desk.app('PATCH', `/app/lists/${list}`, {
      fields: fields.map((field) => (field.name === 'Customer' ? { ...field, label: 'Client' } : field)),
    });
    await desk.go(`#/partners/${partner}/share/${list}`);
    const customer = desk.page.getByRole('checkbox', { name: /Client/ });
    await customer.uncheck();
    await desk.sees('Saving empties these columns at Server A: Client.');
    await customer.check();
    await desk.page.getByRole('checkbox', { name: /Remark/ }).check();
    await desk.sees(/^Not sent to .+ yet: Remark\.$/);
    await desk.sees(/ still sees these headings: Customer\.$/);
    await desk.press('Share again');
    await expect.poll(async () => (await desk.app<Share[]>('GET', share))[0]?.fields.length).toBe(3);
    await live.puller.tick(there);
    const [, after] = live.puller.shared.keys();
    expect(after).not.toBe(before);
    // It takes no second list of that name.
    await desk.go(`#/partners/${partner}/share/${list}`);
    await desk.sees('Server A has this list under the name “Orders (2)”.');
    // Its administrator may take the earlier list for this one, which is still mapped.
    await desk.go(`#/partners/${partner}`);
    await desk.sees('Server A has this list under the name “Orders (2)”.');
    expect(live.puller.shared.get(after ?? '')?.fields.map(({ name }) => name)).toEqual([
      'Number',
      'Customer',
      'Remark',
    ]);
  });

  it('says which chosen columns arrive there as text', async () => {
    const list = await desk.csv('Offers', 'Number,Clerk\n2026-201,Ida\n');
    const { fields } = await desk.app<ListDetail>('GET', `/app/lists/${list}`);
    await desk.app('PATCH', `/app/lists/${list}`, {
      fields: fields.map((field) => (field.name === 'Clerk' ? { ...field, kind: 'User' } : field)),
    });
    await desk.go(`#/partners/${partner}/share/${list}`);
    await desk.page.getByRole('checkbox', { name: /Clerk/ }).check();
    await desk.sees(/^Arrives as text: Clerk\. Ask their administrator to use text fields\./);
  });

  it('tells its administrator what address both need, how long connections last, and what fields there have to be', async () => {
    await desk.go(`#/partners/${partner}/connection`);
    for (const text of [
      'AUTH_OAUTH2_ACCESS_TOKEN_LIFETIME=8760h',
      'FEDERATION_ENABLED=true',
      /^Two hours, unless they set this in Corteza and pair again/,
      /you each need a public address or a port/,
      /^Fields of type User, Record,? and File$/,
      /they need text fields there: a field of these types rejects the whole row/i,
      /^From there, User and File arrive empty\. Record shows the row’s name/,
    ])
      await desk.sees(text);
    await desk.page.getByRole('textbox', { name: 'Their address' }).waitFor();
  });

  it('says before pairing again that its administrator shares and maps each list again', async () => {
    await desk.go(`#/partners/${partner}/connection`);
    await desk.sees(/their administrator shares and maps each list again\. Until then, no rows arrive/);
  });

  it(
    'asks for the address of a server that used our invite, as that does not say it',
    { tags: 'nightly-windows' },
    async () => {
      const bergen = await startLiveServer();
      onTestFinished(() => bergen.close());
      const { nodeID, uri } = await desk.app<InviteAnswer>('POST', '/app/invites', {
        name: 'Bergen Freight',
      });
      const { node } = await bergen.acceptAndPair(uri);
      await desk.go(`#/partners/${nodeID}/connection`);
      await desk.press('Approve');
      await desk.sees(
        /didn’t say its address\. Enter it as “Their address” on the Connection tab, then approve\./,
      );
      await desk.page.getByRole('textbox', { name: 'Their address' }).fill(bergen.base);
      await desk.page.getByRole('checkbox', { name: /on our own office network/ }).check();
      await desk.press('Save');
      await desk.press('Approve');
      await expect.poll(() => node.status).toBe('paired');
    },
  );

  it('says that it still asks with the key of an earlier pairing', async () => {
    const base = `${desk.served.federation}/federation`;
    const formerKey = live.nodes.find(({ nodeID }) => nodeID === there)?.authToken ?? '';
    const { nodeID } = live.createNode(base);
    await desk.app('POST', '/app/invites/accept', { uri: live.invite(nodeID) });
    expect(await live.confirm(nodeID)).toBeUndefined();
    const headers = { authorization: `Bearer ${formerKey}` };
    expect((await fetch(`${base}/nodes/${there}/modules/exposed/`, { headers })).status).toBe(401);
    await desk.go(`#/partners/${partner}/connection`);
    await desk.sees(/ still asks with its former key, too\./);
  });
});
