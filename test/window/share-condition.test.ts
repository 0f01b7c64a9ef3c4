import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import { launchBrowser, photograph } from '../support/browser.ts';
import { openDesk, type Desk } from '../support/desk.ts';
import { pairNodes, type Pair } from '../support/node-office.ts';

const COUNTRIES = ['Germany', 'Norway', 'Côte d’Ivoire', 'Österreich', 'Germany', ''];
const CUSTOMERS = Array.from({ length: 60 }, (_, at) => ({
  company: `${['Bäckerei', 'Fjord', 'Großhandel', 'Côté'][at % 4] ?? ''} ${String(at * 7919).slice(-4)}`,
  country: COUNTRIES[at % COUNTRIES.length] ?? '',
  limit: (at * 137) % 9000,
}));
const GERMAN = CUSTOMERS.filter(({ country }) => country === 'Germany');

describe('rows that are chosen for a partner', () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let customers = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([
      openDesk(browser, 'North Trading'),
      openDesk(browser, 'Harbour Office'),
    ]);
    pair = await pairNodes(north, harbour);
    await north.app('PATCH', `/app/partners/${pair.atInviter}`, { name: 'Harbour Office' });
    const lines = CUSTOMERS.map(({ company, country, limit }) => `${company},${country},${limit}`);
    customers = await north.csv('Customers', `Company,Country,Limit\n${lines.join('\n')}\n`);
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.close();
  });

  const seen = (): Promise<string[]> => north.page.locator('td:not(.stays)').allInnerTexts();
  const { length: german } = GERMAN;

  it('are those that meet what is put together by clicking, by a column that stays here', async () => {
    await north.go(`#/partners/${pair.atInviter}/share/${customers}`);
    await north.page.getByLabel('Company').check();
    await north.page.getByLabel('Only rows where…').check();
    await north.choose(/^Column$/, /^Country$/);
    await north.choose(/^Comparison$/, /^is$/);
    await north.page.getByLabel(/^Value$/).fill('Germany');
    await expect.poll(seen, { timeout: 15_000 }).toEqual(GERMAN.map(({ company }) => company));
    await north.sees(`${german} of ${CUSTOMERS.length} rows`);
    expect(await seriousFindings(north.page)).toEqual([]);
    await photograph(north.page, 'share-condition');
    await north.page.setViewportSize({ width: 390, height: 800 });
    expect(await north.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await photograph(north.page, 'share-condition-narrow');
    await north.page.setViewportSize({ width: 1280, height: 860 });
    await north.press('Share 1 column');
    await north.sees('Only rows where Country is “Germany”');
    await photograph(north.page, 'share-condition-card');
  });

  it('arrive, leave as soon as they do not meet it any more, and come where they begin to', async () => {
    interface Offer {
      readonly sharedModuleID: string;
    }
    const offered = (): Promise<Offer[]> => harbour.app('GET', `/app/partners/${pair.atInvited}/offers`);
    const sync = (): Promise<unknown> => harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
    await expect
      .poll(async () => (await sync().catch(() => undefined), (await offered()).length), { timeout: 20_000 })
      .toBe(1);
    const [offer] = await offered();
    const { moduleID } = await harbour.app<{ moduleID: string }>(
      'POST',
      `/app/partners/${pair.atInvited}/offers/${offer?.sharedModuleID ?? ''}/list`,
      { name: 'Their customers' },
    );
    interface Rows {
      readonly rows: readonly { recordID: string; values: Record<string, string[]> }[];
    }
    const companies = async (): Promise<readonly string[]> => {
      await sync();
      const { rows } = await harbour.app<Rows>('GET', `/app/lists/${moduleID}/rows?limit=100`);
      return rows.map(({ values }) => values.Company?.[0] ?? '').sort();
    };
    const wanted = GERMAN.map(({ company }) => company).sort();
    await expect.poll(companies, { timeout: 20_000 }).toEqual(wanted);

    const { rows } = await north.app<Rows>('GET', `/app/lists/${customers}/rows?limit=100`);
    const moves = async (company: string, country: string): Promise<void> => {
      const row = rows.find(({ values }) => values.Company?.[0] === company);
      const values = { ...row?.values, Country: [country] };
      await north.app('PATCH', `/app/lists/${customers}/rows/${row?.recordID ?? ''}`, { values });
    };
    const [leaves] = wanted;
    const comes = CUSTOMERS.find(({ country }) => country === 'Norway')?.company ?? '';
    await moves(leaves ?? '', 'Norway');
    await moves(comes, 'Germany');
    await expect.poll(companies, { timeout: 20_000 }).toEqual([...wanted.slice(1), comes].sort());
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });
});
