import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, rowsOf, shareAndReceive, type Pair } from '../support/harness/node.ts';
import { csvOf, customers } from '../support/data/office-lists.ts';

const COLUMNS = ['CompanyName', 'City', 'Country'];

describe('a count of what arrived', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  const people = customers({ rows: 120 });
  const companies = people.rows.map(({ CompanyName = '' }) => CompanyName);

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
    const list = await north.csv('Customers', csvOf(people));
    pair = await pairNodes(north, harbour);
    const from = { office: north, partner: pair.atInviter, list };
    await shareAndReceive(from, COLUMNS, { office: harbour, partner: pair.atInvited });
    const rows = await rowsOf(north, list);
    // In one pull, whatever arrives by itself.
    await harbour.app('POST', `/app/partners/${pair.atInvited}/pause`, {});
    for (const [at, City] of ['Zgierz', 'Ålesund', 'Cádiz'].entries())
      await north.app('PATCH', `/app/lists/${list}/rows/${rows[at]?.recordID ?? ''}`, {
        values: { City: [City] },
      });
    await north.app('DELETE', `/app/lists/${list}/rows/${rows[3]?.recordID ?? ''}`);
    await harbour.app('POST', `/app/partners/${pair.atInvited}/resume`);
    await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
  });
  afterAll(() => desks.close());

  const dialog = (name: string): Locator => harbour.page.getByRole('dialog', { name });
  const before = (at: number): string => people.rows[at]?.City ?? '';

  it('opens exactly the rows that it speaks of, each changed cell as old → new', async () => {
    await harbour.go('#/');
    const home = harbour.page.getByRole('main').getByRole('listitem').filter({ hasText: 'Cádiz' });
    await home
      .filter({ hasText: before(2) })
      .last()
      .waitFor();
    await harbour.press('3 changed');
    const changed = dialog('Changed in “Customers” by North Trading');
    await expect.poll(() => changed.getByRole('listitem').count()).toBe(3);
    for (const [at, city] of ['Zgierz', 'Ålesund', 'Cádiz'].entries()) {
      const line = changed.getByRole('listitem').filter({ hasText: companies[at] ?? '' });
      expect((await line.innerText()).split(/\s*\n\s*/)).toEqual([companies[at], 'City', before(at), city]);
    }
    expect(await seriousFindings(harbour.page)).toEqual([]);
    await harbour.page.keyboard.press('Escape');
    await changed.waitFor({ state: 'detached' });
  });

  it('opens the list at the row that a line is about', async () => {
    await harbour.go('#/');
    const company = companies[2] ?? '';
    await harbour.page.getByRole('main').getByRole('link', { name: company, exact: true }).first().click();
    const active = (): Promise<string | undefined> =>
      harbour.page
        .getByRole('grid')
        .evaluate((grid) =>
          document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent.trim(),
        );
    await expect.poll(active).toBe(company);
  });

  it('opens those that are new and those that are gone as well, also from Activity', async () => {
    await harbour.go(`#/partners/${pair.atInvited}/activity`);
    await harbour.press('1 removed');
    const removed = dialog('Removed from “Customers” by North Trading').getByRole('listitem');
    await expect.poll(() => removed.allInnerTexts()).toEqual([expect.stringContaining(companies[3] ?? '')]);
    await harbour.page.keyboard.press('Escape');
    await removed.waitFor({ state: 'detached' });
    await harbour.press(`${companies.length} new`);
    const fresh = dialog('New in “Customers” from North Trading').getByRole('listitem');
    await expect.poll(() => fresh.count()).toBe(companies.length);
    expect(harbour.errors).toEqual([]);
  });
});
