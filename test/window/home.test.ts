import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { pairNodes, type Pair } from '../support/harness/node.ts';
import { csvOf, customers, payments } from '../support/data/office-lists.ts';

const ROWS = 20_000;

/** Home answers “is it working?” at both ends: at the one that shares, at the one that receives, and meanwhile. */
describe('Home says what goes to and fro', () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let paid = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([
      openDesk(browser, 'North Trading', { args: ['--sync-interval', '2s'] }),
      openDesk(browser, 'Harbour Office', { args: ['--sync-interval', '2s'] }),
    ]);
    north.page.setDefaultTimeout(60_000);
    harbour.page.setDefaultTimeout(60_000);
    paid = await north.csv('Payments', csvOf(payments({ rows: ROWS })));
    const people = await north.csv('Customers', csvOf(customers({ rows: 120 })));
    pair = await pairNodes(north, harbour);
    for (const [list, fields] of [
      [paid, payments({ rows: 1 }).columns],
      [people, ['CompanyName', 'City']],
    ] as const)
      await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, { fields });
    await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.close();
  });

  const card = ({ page }: Desk): Locator =>
    page.getByRole('region', { name: 'To and from your partners' }).getByRole('listitem');
  const sent = ({ page }: Desk): Locator => page.getByRole('region', { name: 'Sent today' });
  const title = ({ page }: Desk, text: string): Promise<void> =>
    page.getByRole('heading', { level: 1, name: text }).waitFor();
  /** Puts what is offered under this name into a list like it. */
  async function receive(name: string): Promise<void> {
    const offers = await harbour.app<{ sharedModuleID: string; name: string }[]>(
      'GET',
      `/app/partners/${pair.atInvited}/offers`,
    );
    const offer = offers.find((each) => each.name === name)?.sharedModuleID ?? '';
    await harbour.app('POST', `/app/partners/${pair.atInvited}/offers/${offer}/list`, {});
  }

  it('the office that shares sees what it shares, before anything has gone', async () => {
    await north.go('#/');
    await title(north, 'Your partner is connected');
    await card(north).getByText('Payments, Customers').waitFor();
    await card(north).getByText('0 rows sent today').waitFor();
    await sent(north).getByText('2 lists · 20,120 rows').waitFor();
    await sent(north)
      .getByText(/^They last checked at \d/)
      .waitFor();
    expect(await sent(north).getByText('They have everything').count()).toBe(0);
  });

  it('rows that come in are counted as they come, for everybody', async () => {
    await harbour.go('#/');
    await receive('Payments');
    const bar = card(harbour).getByRole('progressbar', { name: 'Rows arriving in Payments' });
    await bar.waitFor();
    await card(harbour).getByText('of 20,000 rows').waitFor();
    // Stopped in its middle, so that there is time to look.
    north.served.process.kill('SIGSTOP');
    await photograph(harbour.page, 'home-during-a-pull');
    expect(await card(harbour).innerText()).toMatch(/[\d,]+\s+of 20,000 rows/);
    north.served.process.kill('SIGCONT');
    await bar.waitFor({ state: 'detached' });
    await card(harbour).getByText('20,000 new today').waitFor();
  });

  it('once all is there, both say so, and as of when', async () => {
    await receive('Customers');
    await card(harbour).getByText('20,120 new today').waitFor();
    await card(north).getByText('20,120 rows sent today').waitFor();
    await north.sees('Shared now: 2 lists · 20,120 rows');
    await sent(north)
      .getByText(/^They have everything, as of \d/)
      .waitFor();
    await photograph(north.page, 'home-of-the-office-that-shares');
    await photograph(harbour.page, 'home-of-the-office-that-receives');
  });

  it('what has not got there yet is counted', async () => {
    harbour.served.process.kill('SIGSTOP');
    await north.app('POST', `/app/lists/${paid}/rows`, { values: {} });
    await card(north)
      .getByText(/^1 change (on its way|waits here)$/)
      .waitFor();
    await sent(north)
      .getByText(/^1 change not there yet; they last checked at \d/)
      .waitFor();
    harbour.served.process.kill('SIGCONT');
    await sent(north)
      .getByText(/^They have everything, as of \d/)
      .waitFor();
    await sent(north).getByText('2 lists · 20,121 rows').waitFor();
  });

  it(
    'a list that is no longer shared leaves a card that says so, with a way on',
    { tags: 'nightly-windows' },
    async () => {
      await north.app('DELETE', `/app/partners/${pair.atInviter}/shares/${paid}`);
      await harbour.sees('North Trading no longer shares “Payments”');
      await harbour.go(`#/partners/${pair.atInvited}/receive`);
      const left = harbour.page.getByRole('listitem').filter({ hasText: 'They no longer share it' });
      await left.getByRole('button', { name: 'Keep the rows' }).click();
      await left.waitFor({ state: 'detached' });
      await harbour.go('#/');
      await expect
        .poll(() => harbour.page.getByText('North Trading no longer shares “Payments”').count(), {
          timeout: 30_000,
        })
        .toBe(0);
      await card(harbour).getByText('Customers', { exact: true }).waitFor();
    },
  );

  it('keeps the console quiet', () => {
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });
});
