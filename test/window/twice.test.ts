import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, shoot } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { pairNodes } from '../support/harness/node.ts';

const FIRMS = ['Aas', 'Bø', 'Dal', 'Eide', 'Fosse', 'Gran'];
const csv = (firms: readonly string[], note = ''): string =>
  ['Firm,City,Note', ...firms.map((firm, at) => `${firm},City ${String(at)},${note}`)].join('\n');

describe('rows of a partner that were in the list before', () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let list = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([
      openDesk(browser, 'North Trading'),
      openDesk(browser, 'Harbour Office'),
    ]);
    const { atInviter, atInvited } = await pairNodes(north, harbour);
    const theirs = await north.csv('Firms', csv(FIRMS));
    await north.app('PUT', `/app/partners/${atInviter}/shares/${theirs}`, { fields: ['Firm', 'City'] });
    list = await harbour.csv('Customers', csv([...FIRMS.slice(0, 3), 'Ours'], 'asks for Mondays'));
    await harbour.app('POST', `/app/partners/${atInvited}/sync`);
    const offers = `/app/partners/${atInvited}/offers`;
    const [offer] = await harbour.app<{ sharedModuleID: string }[]>('GET', offers);
    const matches = ['Firm', 'City'].map((name) => ({ origin: name, destination: name }));
    await harbour.app('PUT', `${offers}/${offer?.sharedModuleID ?? ''}/matching`, {
      moduleID: list,
      matches,
    });
    await harbour.app('POST', `/app/partners/${atInvited}/sync`);
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.close();
  });

  const card = (): Locator =>
    harbour.page
      .getByRole('region', { name: 'What needs you' })
      .getByRole('listitem')
      .filter({ hasText: 'were in “Customers” already' });
  const seen = (): Promise<string[]> =>
    harbour.page
      .getByRole('grid', { name: 'Customers' })
      .locator('[data-index] [data-column="0"]')
      .allTextContents()
      .then((all) => all.map((text) => text.trim()).filter((text) => text !== ''));

  it('are shown with those that they resemble, and one of each goes to the bin', async () => {
    await harbour.go('#/');
    await card().getByText('3 rows that North Trading sends').waitFor();
    await card().getByRole('link', { name: 'Have a look' }).click();
    await harbour.sees('These rows are here twice');
    await expect.poll(seen).toEqual(['Aas', 'Aas', 'Bø', 'Bø', 'Dal', 'Dal']);
    await harbour.sees('6 of 10 rows');
    expect(await seriousFindings(harbour.page)).toEqual([]);
    await shoot(harbour.page, 'list-twice-light');

    await harbour.press('Tick those of before');
    await harbour.sees('3 rows ticked');
    await harbour.page.getByRole('row', { name: 'Dal' }).first().getByRole('checkbox').uncheck();
    await harbour.press('Delete');
    await expect.poll(seen).toEqual(['Dal', 'Dal']);
    const { rows } = await harbour.app<{ rows: { values: Record<string, string[]> }[] }>(
      'GET',
      `/app/lists/${list}/rows?bin=1`,
    );
    expect(rows.map(({ values }) => [values.Firm, values.Note])).toEqual([
      [['Aas'], ['asks for Mondays']],
      [['Bø'], ['asks for Mondays']],
    ]);
  });

  it('both stay where one says so, and it is asked no more', async () => {
    await harbour.go('#/');
    await card().getByText('1 row that North Trading sends').waitFor();
    await card().getByRole('link', { name: 'Have a look' }).click();
    await harbour.press('Keep both');
    await harbour.sees('Both rows of each pair stay.');
    await expect.poll(() => seen().then(({ length }) => length)).toBe(8);
    await harbour.go('#/');
    await harbour.sees('North Trading');
    await expect.poll(() => card().count()).toBe(0);
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });
});
