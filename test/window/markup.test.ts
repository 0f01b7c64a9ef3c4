import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { pairNodes, shareAndReceive, type Pair } from '../support/harness/node.ts';

/** Would run, load or open something if it were ever taken for markup. `what` tells where it stands. */
const evil = (what: string): string =>
  `<img src=x onerror="hacked('${what}')"><script>hacked('${what}')</script><b>${what}</b>`;

/** H9: everything that somebody else can name or write is shown as text, on both sides and on every page. */
describe('markup in names and values', () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let list = '';
  let received = '';
  let sharedModuleID = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([
      openDesk(browser, evil('north')),
      openDesk(browser, evil('harbour')),
    ]);
    ({ moduleID: list } = await north.app<{ moduleID: string }>('POST', '/app/lists', {
      name: evil('list'),
      fields: [
        { label: evil('column'), name: 'Text', kind: 'String', isMulti: false },
        {
          label: evil('choice column'),
          name: 'Choice',
          kind: 'Select',
          isMulti: false,
          options: { options: [evil('choice')] },
        },
        { label: 'Price', name: 'Price', kind: 'String', isMulti: false },
      ],
    }));
    await north.app('POST', `/app/lists/${list}/rows`, {
      values: { Text: [evil('cell')], Choice: [evil('choice')], Price: ['1'] },
    });
    await north.app('POST', `/app/lists/${list}/rows`, {
      values: { Text: [evil('second')], Price: [evil('price')] },
    });
    pair = await pairNodes(north, harbour);
    await north.app('PATCH', `/app/partners/${pair.atInviter}`, { name: evil('partner') });
    ({ list: received, sharedModuleID } = await shareAndReceive(
      { office: north, partner: pair.atInviter, list },
      ['Text', 'Choice', 'Price'],
      { office: harbour, partner: pair.atInvited },
    ));
    // Into a column of numbers: the value ends up in a reason.
    const { moduleID: numbers } = await harbour.app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Numbers',
      fields: [{ label: evil('number'), name: 'Price', kind: 'Number', isMulti: false }],
    });
    await harbour.app('DELETE', `/app/partners/${pair.atInvited}/offers/${sharedModuleID}/matching`);
    await harbour.app('PUT', `/app/partners/${pair.atInvited}/offers/${sharedModuleID}/matching`, {
      moduleID: numbers,
      matches: [{ origin: 'Price', destination: 'Price' }],
    });
    await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.close();
  });

  /** Nothing was made of it: no picture, no script, no bold word, and the browser refused nothing either. */
  async function expectText({ page, errors }: Desk, where: string): Promise<void> {
    const made = await page.evaluate(
      () => document.querySelectorAll('img[src="x"], b, [onerror], body script').length,
    );
    expect(made, where).toBe(0);
    // What the window's own node refuses is told on the page; the browser notes it too.
    const refusedByBrowser = errors.filter((text) => !text.includes('status of 422'));
    expect(refusedByBrowser, where).toEqual([]);
  }

  it('here: home, partners, sharing with the partner’s-eye view, ledger, Activity, Connection, lists, settings', async () => {
    for (const [hash, text] of [
      ['#/', 'north'],
      ['#/partners', 'partner'],
      [`#/partners/${pair.atInviter}/share`, 'list'],
      [`#/partners/${pair.atInviter}/share/${list}`, 'cell'],
      [`#/partners/${pair.atInviter}/activity`, 'partner'],
      [`#/partners/${pair.atInviter}/connection`, 'partner'],
      ['#/lists', 'list'],
      [`#/lists/${list}`, 'cell'],
      ['#/settings', 'north'],
    ] as const) {
      await north.go(hash);
      await north.page.getByText(evil(text)).filter({ visible: true }).first().waitFor();
      await expectText(north, hash);
    }
  });

  it('there: what arrived from somebody else, and what could not', async () => {
    for (const [hash, text] of [
      ['#/', 'north'],
      ['#/partners', 'north'],
      [`#/partners/${pair.atInvited}/receive`, 'list'],
      [`#/partners/${pair.atInvited}/receive/${sharedModuleID}`, 'column'],
      [`#/partners/${pair.atInvited}/activity`, 'north'],
      [`#/lists/${received}`, 'second'],
    ] as const) {
      await harbour.go(hash);
      await harbour.page.getByText(evil(text)).filter({ visible: true }).first().waitFor();
      await expectText(harbour, hash);
    }
    await harbour.go(`#/partners/${pair.atInvited}/receive`);
    await harbour.press('Show them');
    await harbour.page.getByText(evil('price')).filter({ visible: true }).first().waitFor();
    await expectText(harbour, 'rows that could not be applied');
  });

  it('in dialogs, menus, details and messages', { tags: 'nightly-looks' }, async () => {
    const { page } = north;
    await north.go(`#/lists/${list}`);
    await page.getByRole('gridcell', { name: evil('cell') }).click();
    await north.press('Details');
    await page.getByRole('complementary', { name: 'Details' }).getByRole('heading').first().waitFor();
    await expectText(north, 'details');
    await page.keyboard.press('Escape');
    await north.press('Add a row');
    await page.getByRole('dialog').getByRole('combobox').first().click();
    await page.getByRole('option', { name: evil('choice') }).waitFor();
    await expectText(north, 'the editor of a new row');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader').nth(1).getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Filter …' }).click();
    await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill(evil('filter'));
    await north.press('Show these rows');
    await north.sees('No row matches.');
    await expectText(north, 'a filter');
    await north.go(`#/partners/${pair.atInviter}/share`);
    await north.press('Stop sharing');
    await page.getByRole('dialog').getByText('They get nothing more').waitFor();
    await expectText(north, 'a question');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click();
    await north.page.getByRole('status').getByText(evil('list')).waitFor();
    await expectText(north, 'a message');
  });

  it('in a file: its name, its header, its values, and why a line cannot go in', async () => {
    await north.go('#/lists/import');
    await north.page.locator('input[type=file]').setInputFiles({
      name: `${evil('file').replaceAll('/', ' ')}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `"${evil('header').replaceAll('"', '""')}",N\n"${evil('value').replaceAll('"', '""')}",1\nx,y,z\n`,
      ),
    });
    await north.page.getByText(evil('header')).first().waitFor();
    await north.choose(/Kind of “<img/, 'Number');
    await expectText(north, 'the preview');
    await north.page.getByLabel('Name of the list').fill(evil('imported'));
    await north.press('Import 1 row');
    await north.page.getByText('Nothing of the file could go in').first().waitFor();
    await expectText(north, 'why nothing went in');
    await north.choose(/Kind of “<img/, 'Text');
    await north.press('Import 1 row');
    await north.page.getByText('1 line can’t be imported').first().waitFor();
    await expectText(north, 'the result');
  });

  it('in an invite, before anything is done with it', async () => {
    const { uri } = await north.app<{ uri: string }>('POST', '/app/invites', { name: evil('guest') });
    await harbour.go('#/partners/add?paste');
    await harbour.page.getByLabel('Invite', { exact: true }).fill(uri);
    await harbour.sees(`This invite says it’s from ${evil('north')}`);
    await expectText(harbour, 'an invite');
  });
});
