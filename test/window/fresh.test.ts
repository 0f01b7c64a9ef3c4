import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { photograph, shoot } from '../support/harness/browser.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { csvOf, customers } from '../support/data/office-lists.ts';
import { pairNodes, rowsOf, shareAndReceive } from '../support/harness/node.ts';

const COLUMNS = ['CompanyName', 'City', 'Country', 'Phone'];

/** How a row or a cell moves, and the line that it keeps. */
interface Look {
  readonly moves: string;
  readonly line: string;
}

describe('a list that one looks at while rows arrive', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let customersThere = '';
  let mine = '';
  const company = (at: number): string => customers().rows[at]?.CompanyName ?? '';

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
    customersThere = await north.csv('Customers', csvOf(customers()));
    const { atInviter, atInvited } = await pairNodes(north, harbour);
    ({ list: mine } = await shareAndReceive(
      { office: north, partner: atInviter, list: customersThere },
      COLUMNS,
      { office: harbour, partner: atInvited },
    ));
    await harbour.go(`#/lists/${mine}`);
    await row(company(0)).waitFor();
  });
  afterAll(() => desks.close());

  const row = (text: string): Locator => harbour.page.getByRole('row').filter({ hasText: text });
  const cell = (company: string, text: string): Locator =>
    row(company).getByRole('gridcell').filter({ hasText: text });
  const marks = (): Promise<number> => harbour.page.getByText(/just arrived$|just changed/).count();

  async function changeThere(at: number, values: Record<string, string[]>): Promise<void> {
    const rows = await rowsOf(north, customersThere);
    const id = rows.find(({ CompanyName }) => CompanyName === company(at))?.recordID ?? '';
    await north.app('PATCH', `/app/lists/${customersThere}/rows/${id}`, { values });
  }
  const lookOf = (place: Locator, part: '::before' | '::after'): Promise<Look> =>
    place.evaluate((element, pseudo) => {
      const line = getComputedStyle(element, pseudo);
      return {
        moves: getComputedStyle(element).animationName,
        line: pseudo === '::before' ? line.borderInlineStartWidth : line.borderBlockEndWidth,
      };
    }, part);

  it('shows none of it by itself, nor for what one changes or adds here, nor by sorting and scrolling', async () => {
    expect(await marks()).toBe(0);
    await harbour.app('POST', `/app/lists/${mine}/rows`, { values: { CompanyName: ['Of our own'] } });
    const [first] = await rowsOf(harbour, mine);
    await harbour.app('PATCH', `/app/lists/${mine}/rows/${first?.recordID ?? ''}`, {
      values: { City: ['Elsewhere'] },
    });
    await cell(company(0), 'Elsewhere').waitFor();
    await harbour.page.getByRole('grid').focus();
    await harbour.page.keyboard.press('Control+End');
    await row('Of our own').waitFor();
    await harbour.page.keyboard.press('Control+Home');
    await row(company(0)).waitFor();
    for (const order of ['Sort A to Z, low to high', 'Do not sort']) {
      await harbour.page.getByRole('columnheader', { name: 'City' }).getByRole('button').first().click();
      await harbour.page.getByRole('menuitem', { name: order }).click();
      await row(order === 'Sort A to Z, low to high' ? 'Annecy' : company(0))
        .first()
        .waitFor();
      expect(await marks()).toBe(0);
    }
    expect(await marks()).toBe(0);
  });

  it(
    'has a cell that changed glow, settle and keep a line until one goes there',
    { tags: 'nightly-windows' },
    async () => {
      await changeThere(2, { City: ['Zgierz'] });
      const changed = cell(company(2), 'Zgierz');
      await changed.waitFor();
      await shoot(harbour.page, 'list-changed-glows');
      const glow = await lookOf(changed, '::after');
      expect(glow.moves).toContain('settle');
      expect(glow.line).toBe('2px');
      await changed.getByText('just changed by the partner').waitFor({ state: 'attached' });
      await harbour.page.getByRole('status').filter({ hasText: '1 row has just arrived' }).waitFor();
      expect(await marks()).toBe(1);
      await expect.poll(() => lookOf(changed, '::after')).toEqual({ moves: 'none', line: '2px' });
      await cell(company(4), company(4)).click();
      expect(await marks()).toBe(1);
      await changed.click();
      await expect.poll(marks).toBe(0);
    },
  );

  it('has a new row glow as a whole, and only its line where no motion is wanted', async () => {
    const { page } = harbour;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+End');
    await row('Of our own').waitFor();
    await north.app('POST', `/app/lists/${customersThere}/rows`, {
      values: { CompanyName: ['Arrived first'] },
    });
    const head = row('Arrived first').getByRole('rowheader');
    await head.waitFor();
    expect(await lookOf(head, '::before')).toEqual({ moves: 'none', line: '3px' });
    await head.getByText('New: just arrived').waitFor({ state: 'attached' });
    await page.emulateMedia({ reducedMotion: null });
    await north.app('POST', `/app/lists/${customersThere}/rows`, {
      values: { CompanyName: ['Arrived second'] },
    });
    const second = row('Arrived second');
    await second.waitFor();
    // At once: on a busy machine it has settled before the next key is dealt with.
    expect((await lookOf(second, '::before')).moves).toContain('settle');
    await page.keyboard.press('Control+End');
    await shoot(page, 'list-new-glows');
    expect(await seriousFindings(page)).toEqual([]);
    await photograph(page, 'list-arrived');
    await page.emulateMedia({ forcedColors: 'active' });
    expect((await lookOf(second.getByRole('rowheader'), '::before')).line).toBe('3px');
    await page.emulateMedia({ forcedColors: null });
    expect(harbour.errors).toEqual([]);
  });

  it('says how many came that lie out of sight, and leads there', { tags: 'nightly-windows' }, async () => {
    const { page } = harbour;
    const sign = page.locator('.further');
    expect(await sign.innerText()).toBe('');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+Home');
    await row(company(0)).waitFor();
    for (const name of ['Arrived third', 'Arrived fourth'])
      await north.app('POST', `/app/lists/${customersThere}/rows`, { values: { CompanyName: [name] } });
    await sign.getByText('2 new rows further down').waitFor();
    await shoot(page, 'list-further-down');
    expect(await seriousFindings(page)).toEqual([]);
    await sign.getByRole('button', { name: 'Show' }).click();
    await row('Arrived third').waitFor();
    await expect.poll(() => sign.innerText()).toBe('');
    expect(await marks()).toBeGreaterThan(1);

    // Of those that stand where one looks nothing is said, wherever they were sorted to.
    await page.keyboard.press('Control+Home');
    await page.getByRole('columnheader', { name: 'CompanyName' }).getByRole('button').first().click();
    await page.getByRole('menuitem', { name: 'Sort A to Z, low to high' }).click();
    for (const name of ['Aa in sight', 'Zz out of sight'])
      await north.app('POST', `/app/lists/${customersThere}/rows`, { values: { CompanyName: [name] } });
    await row('Aa in sight').waitFor();
    await sign.getByText('1 new row out of sight').waitFor();
    await sign.getByRole('button', { name: 'Show' }).click();
    await row('Zz out of sight').waitFor();
    await expect.poll(() => sign.innerText()).toBe('');

    // Where it takes long one may have enough of it, by the same button.
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+Home');
    await north.app('POST', `/app/lists/${customersThere}/rows`, { values: { CompanyName: ['Zz at last'] } });
    await sign.getByText('1 new row out of sight').waitFor();
    // Not those of the grid, which are of 100 rows.
    const stretches = /\/rows\?.*limit=(?!100\b)\d/;
    await page.route(stretches, () => undefined);
    await sign.getByRole('button', { name: 'Show' }).press('Enter');
    await page.keyboard.press('Enter');
    await sign.getByText('1 new row out of sight').waitFor();
    await page.unroute(stretches);
    // Nor are they forgotten where they could not be read: a grid fetches 100 at a time, and what looks for them more.
    const others = /\/rows\?.*limit=(?!100\b)[1-5]\d\d\b/;
    await page.route(others, (route) => route.abort());
    await sign.getByRole('button', { name: 'Show' }).click();
    await page.getByText('does not answer').filter({ visible: true }).first().waitFor();
    await sign.getByText('1 new row out of sight').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await sign.getByRole('button', { name: 'Show' }).press('Enter');
    await row('Zz at last').waitFor();
    expect(harbour.errors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([]);
  });
});
