import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { pairNodes, rowsOf, type Pair } from '../support/harness/node.ts';

const TOWNS = ['Ulm', 'Kiel', 'Bergen', 'Łódź', 'Turku'];
const table = (head: string, rows: number, line: (n: number) => string): string =>
  [head, ...Array.from({ length: rows }, (_, n) => line(n))].join('\n');

describe('a list of a partner whose columns have other names', { tags: 'nightly-windows' }, () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let theirs = '';
  let mine = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([
      openDesk(browser, 'North Trading'),
      openDesk(browser, 'Harbour Office'),
    ]);
    pair = await pairNodes(north, harbour);
    theirs = await north.csv(
      'Customers',
      table(
        'Ref,Contact,Town',
        20,
        (n) => `K-${String(n)},ada${String(n)}@example.org,${TOWNS[n % 5] ?? ''} ${String(n)}`,
      ),
    );
    await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${theirs}`, {
      fields: ['Ref', 'Contact', 'Town'],
    });
    mine = await harbour.csv(
      'Clients',
      table('Number,Mail,Place', 15, (n) => `K-${String(n)},bob${String(n)}@example.org,Quay ${String(n)}`),
    );
    await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.close();
  });

  const line = (column: string): Locator => harbour.page.getByRole('row', { name: new RegExp(`^${column}`) });

  it('is matched by what one takes of what the values propose, and by nothing else', async () => {
    const offers = `/app/partners/${pair.atInvited}/offers`;
    const [offer] = await harbour.app<{ sharedModuleID: string }[]>('GET', offers);
    await harbour.go(`#/partners/${pair.atInvited}/receive/${offer?.sharedModuleID ?? ''}`);
    await line('Ref').getByText('By their values it could be “Number”: 15 of 20 are the same').waitFor();
    await line('Contact').getByText('By their values it could be “Mail”').waitFor();
    for (const column of ['Ref', 'Contact', 'Town']) await line(column).getByText('Don’t receive').waitFor();
    expect(await line('Town').getByText('By their values').count()).toBe(0);
    expect(await seriousFindings(harbour.page)).toEqual([]);
    await photograph(harbour.page, 'match-proposed');
    for (const column of ['Ref', 'Contact'])
      await harbour.page.getByRole('button', { name: `Take it for “${column}”` }).click();
    await harbour.press('Receive 2 columns');
    await harbour.sees('Lists matched.');
    await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
    const came = (await rowsOf(harbour, mine)).filter(({ Mail }) => Mail?.startsWith('ada'));
    expect(came).toHaveLength(20);
    expect(came[3]).toMatchObject({ Number: 'K-3', Mail: 'ada3@example.org' });
  });

  it('has its rows with their whole past beside them', async () => {
    const [, , , there] = await rowsOf(north, theirs);
    for (const mail of ['new@example.org', 'newer@example.org']) {
      await north.app('PATCH', `/app/lists/${theirs}/rows/${there?.recordID ?? ''}`, {
        values: { Contact: [mail] },
      });
      await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
    }
    const here = (await rowsOf(harbour, mine)).find(({ Mail }) => Mail === 'newer@example.org');
    await harbour.app('PATCH', `/app/lists/${mine}/rows/${here?.recordID ?? ''}`, {
      values: { Place: ['Harbour Street'], Mail: ['ours@example.org'] },
    });
    await harbour.go(`#/lists/${mine}?search=Harbour`);
    await harbour.page.getByRole('gridcell', { name: 'ours@example.org' }).click();
    await harbour.press('Details');
    await harbour.page.getByText('newer@example.org').first().waitFor();
    await photograph(harbour.page, 'row-history');
    await harbour.page.setViewportSize({ width: 390, height: 844 });
    await photograph(harbour.page, 'row-history-narrow');
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });
});
