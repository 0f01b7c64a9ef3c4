import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
