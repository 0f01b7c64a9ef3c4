import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, shoot } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { pairNodes } from '../support/harness/node.ts';

const FIRMS = ['Aas', 'Bø', 'Dal', 'Eide', 'Fosse', 'Gran'];
const csv = (firms: readonly string[], note = ''): string =>
  ['Firm,City,Note', ...firms.map((firm, at) => `${firm},City ${String(at)},${note}`)].join('\n');

interface Listed {
  readonly recordID: string;
  readonly values: Record<string, string[]>;
  readonly received?: unknown;
}

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

  it('are joined to those that they resemble, and no value is lost', async () => {
    await harbour.go('#/');
    await card().getByText('3 rows that North Trading sends').waitFor();
    await card().getByRole('link', { name: 'Have a look' }).click();
    await harbour.sees('the same values in Firm and City');
    await harbour.sees('Only your row fills: Note (3)');
    await expect.poll(seen).toEqual(['Aas', 'Aas', 'Bø', 'Bø', 'Dal', 'Dal']);
    await harbour.sees('6 of 10 rows');
    expect(await seriousFindings(harbour.page)).toEqual([]);
    await shoot(harbour.page, 'list-twice-light');

    // Of two different values none may go.
    const rows = (path: string): Promise<Listed[]> =>
      harbour.app<{ rows: Listed[] }>('GET', `/app/lists/${list}/rows${path}`).then((page) => page.rows);
    const came = (await rows('')).find(({ values, received }) => received && values.Firm?.[0] === 'Dal');
    await harbour.app('PATCH', `/app/lists/${list}/rows/${came?.recordID ?? ''}`, {
      values: { Note: ['closed'] },
    });
    await harbour.sees('1 pair holds different values in another column and stays.');
    await harbour.press('Join rows');
    await harbour.sees('2 pairs joined.');
    // Four rows changed for that, which would be a second number.
    await harbour.page.getByRole('button', { name: 'Undo: duplicates joined' }).waitFor();
    await expect.poll(seen).toEqual(['Dal', 'Dal']);
    expect((await rows('?bin=1')).map(({ values }) => values.Firm)).toEqual([['Aas'], ['Bø']]);
    const kept = (await rows('')).filter(({ values }) => ['Aas', 'Bø'].includes(values.Firm?.[0] ?? ''));
    expect(kept.map(({ received, values }) => [received !== undefined, values.Note])).toEqual([
      [true, ['asks for Mondays']],
      [true, ['asks for Mondays']],
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
