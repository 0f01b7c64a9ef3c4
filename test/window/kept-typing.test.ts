import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, shoot } from '../support/harness/browser.ts';
import { seriousFindings } from '../support/reading/axe.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { rowsOf } from '../support/harness/node.ts';

interface Listed {
  readonly rows: readonly { readonly recordID: string; readonly values: Record<string, string[]> }[];
}

describe('What is typed into a row', () => {
  let browser: Browser;
  let desk: Desk;
  let list = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'Müller & Söhne');
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  const fields = [
    { label: 'Artikel', name: 'Artikel', kind: 'String', isMulti: false },
    { label: 'Bestand', name: 'Bestand', kind: 'Number', isMulti: false },
  ];
  let made = 0;
  beforeEach(async () => {
    const name = `Lager ${++made}`;
    list = (await desk.app<{ moduleID: string }>('POST', '/app/lists', { name, fields })).moduleID;
    for (const article of ['Kugelhahn', 'Muffe', 'Ventil']) await add(article);
    await enter();
  });

  const add = (article: string): Promise<unknown> =>
    desk.app('POST', `/app/lists/${list}/rows`, { values: { Artikel: [article], Bestand: ['1'] } });
  const enter = async (): Promise<void> => {
    await desk.go(`#/lists/${list}`);
    await desk.page.getByRole('heading', { name: `Lager ${made}`, level: 1 }).waitFor();
    await cell(2, 0).getByText('Ventil').waitFor();
  };
  /** Another window deletes a row; this one shows it. */
  const remove = async (article: string): Promise<void> => {
    const { rows } = await desk.app<Listed>('GET', `/app/lists/${list}/rows?offset=0&limit=50`);
    const recordIDs = rows.filter(({ values }) => values.Artikel?.[0] === article).map((row) => row.recordID);
    await desk.app('POST', `/app/lists/${list}/rows/delete`, { recordIDs });
    await expect.poll(() => cell(2, 0).getByText('Ventil').count()).toBe(0);
  };
  const cell = (row: number, column: number): Locator =>
    desk.page.getByRole('grid').locator(`[data-index="${row}"] [data-column="${column}"]`);
  const details = (name: string): Locator =>
    desk.page.getByRole('complementary', { name: 'Details' }).getByRole('textbox', { name });
  const stored = async (): Promise<unknown[]> =>
    (await rowsOf(desk, list)).map(({ Artikel, Bestand }) => [Artikel, Bestand]);

  it('goes into no other row when its own is deleted meanwhile', async () => {
    await cell(0, 0).click();
    await desk.page.keyboard.press('Control+Enter');
    await details('Artikel').fill('Kugelhahn DN 15');
    await remove('Kugelhahn');
    await expect.poll(() => details('Artikel').inputValue()).toBe('Muffe');
    expect(await stored()).toEqual([
      ['Muffe', '1'],
      ['Ventil', '1'],
    ]);
    const offer = desk.page.getByRole('alert').filter({ hasText: '“Kugelhahn” was deleted' });
    await offer.getByText('Kugelhahn DN 15').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await desk.page.emulateMedia({ colorScheme });
      await shoot(desk.page, `row-deleted-meanwhile-${colorScheme}`);
    }
    await desk.page.emulateMedia({ colorScheme: null });
    expect(await seriousFindings(desk.page)).toEqual([]);
    await offer.getByRole('button', { name: 'Restore row' }).click();
    await expect.poll(stored).toContainEqual(['Kugelhahn DN 15', '1']);
    await expect.poll(() => offer.count()).toBe(0);
  });

  it('stays in its row when a row above it is deleted meanwhile', async () => {
    await cell(1, 0).click();
    await desk.page.keyboard.press('Control+Enter');
    await details('Artikel').fill('Muffe 1/2');
    await remove('Kugelhahn');
    expect(await details('Artikel').inputValue()).toBe('Muffe 1/2');
    expect(await details('Artikel').evaluate((field) => field === document.activeElement)).toBe(true);
    await desk.page.keyboard.press('Tab');
    await expect.poll(stored).toEqual([
      ['Muffe 1/2', '1'],
      ['Ventil', '1'],
    ]);
  });

  it('into a cell stays in its row when a row above it is deleted meanwhile', async () => {
    await cell(1, 1).dblclick();
    await desk.page.keyboard.press('Control+A');
    await desk.page.keyboard.type('1');
    await remove('Kugelhahn');
    const editor = cell(0, 1).getByRole('textbox');
    expect(await editor.evaluate((field) => field === document.activeElement)).toBe(true);
    await desk.page.keyboard.type('7');
    expect(await editor.inputValue()).toBe('17');
    await desk.page.keyboard.press('Enter');
    await expect.poll(stored).toEqual([
      ['Muffe', '17'],
      ['Ventil', '1'],
    ]);
  });

  it('far below that was refused is said after a reload, with a way there', async () => {
    const { page } = desk;
    const lines = Array.from({ length: 1500 }, (_, n) => `Rohr ${String(n)},1`);
    const long = await desk.csv(`Rohre ${made}`, ['Artikel,Bestand', ...lines].join('\n'));
    const listed = `/app/lists/${long}/rows?offset=1400&limit=1`;
    const [row] = (await desk.app<Listed>('GET', listed)).rows;
    const input = { row, fieldID: '', name: 'Bestand', label: 'Bestand', values: ['viele'] };
    const all = await desk.app<{ fields: { fieldID: string }[] }>('GET', `/app/lists/${long}`);
    const rejected = { ...input, fieldID: all.fields[1]?.fieldID, problem: 'No number', isDeleted: false };
    await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
      `footbridge.draft.${long}.1`,
      JSON.stringify(rejected),
    ] as const);
    await page.reload();
    await desk.go(`#/lists/${long}`);
    const said = page.getByRole('region', { name: 'Messages' }).filter({ hasText: 'No number' });
    await said.getByRole('button', { name: 'Open' }).click();
    await cell(1400, 1).getByText('viele', { exact: true }).click();
    const editor = cell(1400, 1).getByRole('textbox');
    await editor.fill('8');
    await editor.press('Enter');
    await expect
      .poll(async () => (await desk.app<Listed>('GET', listed)).rows[0]?.values.Bestand)
      .toEqual(['8']);
  });

  it('over one of several values is gone, and another is removed if that is pressed next', async () => {
    const { page } = desk;
    await desk.app('PATCH', `/app/lists/${list}`, {
      fields: [...fields, { label: 'Orte', name: 'Orte', kind: 'String', isMulti: true }],
    });
    const { rows } = await desk.app<Listed>('GET', `/app/lists/${list}/rows?offset=0&limit=50`);
    const places = async (): Promise<string[] | undefined> =>
      (await desk.app<Listed>('GET', `/app/lists/${list}/rows?offset=0&limit=50`)).rows[0]?.values.Orte;
    const panel = page.getByRole('complementary', { name: 'Details' });
    await cell(0, 0).click();
    await page.keyboard.press('Control+Enter');
    for (const [typed, pressed, left] of [
      ['', 2, ['Ulm']],
      ['Graz', 2, ['Graz', 'Ulm']],
      ['', 1, ['Bonn', 'Ulm']],
    ] as const) {
      const values = { Orte: ['Wien', 'Bonn', 'Ulm'] };
      await desk.app('PATCH', `/app/lists/${list}/rows/${rows[0]?.recordID}`, { values });
      const field = panel.getByRole('group', { name: 'Orte' }).getByRole('textbox').first();
      await expect.poll(() => field.inputValue()).toBe('Wien');
      await panel.getByRole('button', { name: 'Remove value' }).nth(2).waitFor();
      await field.fill(typed);
      await panel
        .getByRole('button', { name: 'Remove value' })
        .nth(pressed - 1)
        .click();
      await expect.poll(places).toEqual(left);
    }
  });

  it('into the form of a list cannot be lost while that is being saved', async () => {
    const { page } = desk;
    let held: (() => void) | undefined;
    await page.route(`**/app/lists/${list}`, async (route) => {
      if (route.request().method() === 'PATCH') await new Promise<void>((go) => (held = go));
      await route.continue();
    });
    await desk.press('More');
    await page.getByRole('menuitem', { name: 'Name and columns' }).click();
    const form = page.getByRole('dialog');
    const name = form.getByLabel('Name of the list');
    await name.fill(`Lager ${made} neu`);
    await name.press('Enter');
    await expect.poll(() => held).toBeDefined();
    await page.keyboard.type(' und alt');
    expect(await name.inputValue()).toBe(`Lager ${made} neu`);
    held?.();
    await expect.poll(() => form.count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('into the form for a new row is offered again on another page, after a reload, and until it is discarded', async () => {
    const { page } = desk;
    const form = page.getByRole('dialog', { name: `New row in “Lager ${made}”` });
    const field = (name: string): Locator => form.getByRole('textbox', { name });
    await desk.press('Add a row');
    await field('Artikel').fill('Flansch');
    await desk.go('#/');
    await expect.poll(() => form.count()).toBe(0);
    await enter();
    await desk.press('Continue new row');
    expect(await field('Artikel').inputValue()).toBe('Flansch');
    await field('Bestand').fill('4');
    await page.reload();
    await desk.press('Continue new row');
    expect(await field('Artikel').inputValue()).toBe('Flansch');
    expect(await field('Bestand').inputValue()).toBe('4');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(stored).toContainEqual(['Flansch', '4']);

    await desk.press('Add a row');
    expect(await field('Artikel').inputValue()).toBe('');
    await field('Artikel').fill('Bogen');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await desk.press('Continue new row');
    await form.getByRole('button', { name: 'Discard' }).click();
    await desk.press('Add a row');
    expect(await field('Artikel').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await expect.poll(() => form.count()).toBe(0);
  });

  it('into a cell of a row deleted meanwhile is offered as a new row, also after a reload', async () => {
    const { page } = desk;
    await cell(1, 1).dblclick();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('17');
    await remove('Muffe');
    await page.keyboard.press('Enter');
    const offer = page.getByRole('alert').filter({ hasText: '“Muffe” was deleted' });
    await offer.getByText('Bestand: 17').waitFor();
    await page.reload();
    await offer.getByRole('button', { name: 'Add as new' }).click();
    await expect.poll(stored).toEqual([
      ['Kugelhahn', '1'],
      ['Ventil', '1'],
      ['Muffe', '17'],
    ]);
    await expect.poll(() => offer.count()).toBe(0);
  });

  it('that does not fit is kept with its reason when the list is left, in cells and in the details', async () => {
    const { page } = desk;
    const editor = page.getByRole('grid').getByRole('textbox');
    const messages = page.getByRole('region', { name: 'Messages' });
    await cell(0, 1).click();
    await page.keyboard.type('viele');
    await desk.go('#/');
    await messages.getByText('“viele” is no number').waitFor();
    await messages.getByRole('button', { name: 'Open' }).click();
    await cell(0, 1).getByText('viele', { exact: true }).waitFor();
    await desk.go('#/lists');
    await expect.poll(() => cell(0, 1).count()).toBe(0);
    await enter();
    await desk.press('Go to cell');
    await expect.poll(() => editor.inputValue()).toBe('viele');
    await expect.poll(() => editor.evaluate((field) => field === document.activeElement)).toBe(true);
    await editor.fill('8');
    await editor.press('Enter');
    await expect.poll(stored).toContainEqual(['Kugelhahn', '8']);

    await cell(1, 0).click();
    await page.keyboard.press('Control+Enter');
    await details('Bestand').fill('x1');
    await page.keyboard.press('Tab');
    const reason = page.getByRole('complementary').getByRole('alert').filter({ hasText: 'x1' });
    await reason.waitFor();
    expect(await details('Bestand').inputValue()).toBe('x1');
    await shoot(page, 'details-unfit');
    await details('Bestand').fill('3');
    await page.keyboard.press('Tab');
    await expect.poll(stored).toContainEqual(['Muffe', '3']);
    await expect.poll(() => reason.count()).toBe(0);
    await expect.poll(() => editor.count()).toBe(0);
    expect(desk.errors.filter((error) => !/4(22|09)/.test(error))).toEqual([]);
  });

  it('into the details that does not fit is there with its reason after a reload, and can be tried again or discarded', async () => {
    const { page } = desk;
    const panel = page.getByRole('complementary', { name: 'Details' });
    await cell(0, 0).click();
    await page.keyboard.press('Control+Enter');
    await details('Bestand').fill('x2');
    await page.reload();
    await cell(0, 1).getByText('x2', { exact: true }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'x2' }).first().waitFor();
    await cell(0, 0).click();
    await page.keyboard.press('Control+Enter');
    expect(await details('Bestand').inputValue()).toBe('x2');
    await panel.getByRole('button', { name: 'Try again' }).click();
    await panel.getByRole('alert').filter({ hasText: 'x2' }).waitFor();
    await panel.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => details('Bestand').inputValue()).toBe('1');
    await cell(0, 1).getByText('1', { exact: true }).waitFor();
  });

  it('is saved a little later where a single request failed', async () => {
    const { page } = desk;
    await page.route('**/rows/*', (route) => route.abort(), { times: 1 });
    await cell(0, 1).dblclick();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('6');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Messages' }).getByText('Not saved yet').waitFor();
    await desk.sees('1 change that was waiting for Footbridge is saved.');
    expect(await stored()).toContainEqual(['Kugelhahn', '6']);
  });

  it('is said once for all that was waiting, however slowly it is saved', async () => {
    const { page } = desk;
    let held: (() => void) | undefined;
    await page.route('**/rows/*', (route) => route.abort());
    for (const row of [0, 1]) {
      await cell(row, 1).dblclick();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('6');
      await page.keyboard.press('Enter');
    }
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText('Not saved yet').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.route('**/rows/*', async (route) => {
      if (route.request().method() === 'PATCH' && !held) await new Promise<void>((go) => (held = go));
      await route.continue();
    });
    await expect.poll(() => held, { timeout: 15_000 }).toBeDefined();
    await desk.app('POST', `/app/lists/${list}/rows`, { values: { Artikel: ['Flansch'], Bestand: ['1'] } });
    await cell(3, 0).getByText('Flansch').waitFor();
    held?.();
    await messages.getByText('2 changes that were waiting for Footbridge are saved.').waitFor();
    await expect.poll(() => messages.getByText('Not saved yet').count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('while the node is away is offered and not saved where the cell was changed elsewhere meanwhile', async () => {
    const { page } = desk;
    const { rows } = await desk.app<Listed>('GET', `/app/lists/${list}/rows?offset=0&limit=50`);
    await page.route('**/rows/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await cell(0, 1).dblclick();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Messages' }).getByText('Not saved yet').waitFor();
    await cell(0, 1).getByText('5', { exact: true }).waitFor();
    await page.goto('about:blank');
    await page.unrouteAll({ behavior: 'wait' });
    await desk.app('PATCH', `/app/lists/${list}/rows/${rows[0]?.recordID}`, { values: { Bestand: ['9'] } });
    await page.goBack();
    const editor = page.getByRole('grid').getByRole('textbox');
    await desk.press('Go to cell');
    await expect.poll(() => editor.inputValue()).toBe('5');
    await page.getByRole('alert').filter({ hasText: 'has changed since' }).waitFor();
    expect(await stored()).toContainEqual(['Kugelhahn', '9']);
    await editor.press('Enter');
    await expect.poll(stored).toContainEqual(['Kugelhahn', '5']);
  });

  it('into a cell that another window changed meanwhile does not replace that silently', async () => {
    const { page } = desk;
    const { rows } = await desk.app<Listed>('GET', `/app/lists/${list}/rows?offset=0&limit=50`);
    const change = (text: string): Promise<unknown> =>
      desk.app('PATCH', `/app/lists/${list}/rows/${rows[0]?.recordID}`, { values: { Bestand: [text] } });
    await cell(0, 1).dblclick();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('61');
    await change('62');
    await page.keyboard.press('Enter');
    const changed = page.getByRole('alert').filter({ hasText: 'has changed since' });
    await changed.waitFor();
    expect(await stored()).toContainEqual(['Kugelhahn', '62']);
    await desk.press('Go to cell');
    await page.getByRole('grid').getByRole('textbox').press('Enter');
    await expect.poll(stored).toContainEqual(['Kugelhahn', '61']);
    await expect.poll(() => changed.count()).toBe(0);
  });

  it('into the details stays there while another window changes the cell, and does not replace that silently', async () => {
    const { page } = desk;
    const { rows } = await desk.app<Listed>('GET', `/app/lists/${list}/rows?offset=0&limit=50`);
    await cell(0, 0).click();
    await desk.press('Details');
    const panel = page.getByRole('complementary', { name: 'Details' });
    const field = panel.getByRole('textbox', { name: 'Bestand' });
    await field.fill('71');
    // So some browsers tell that the whole window lost the focus: without a change of the field.
    await field.evaluate((element) => {
      for (const type of ['blur', 'focusout'])
        element.dispatchEvent(new FocusEvent(type, { bubbles: type === 'focusout' }));
    });
    await desk.app('PATCH', `/app/lists/${list}/rows/${rows[0]?.recordID}`, { values: { Bestand: ['72'] } });
    await cell(0, 1).getByText('72').waitFor();
    expect(await field.inputValue()).toBe('71');
    await field.press('Tab');
    await panel.getByText('has changed since').waitFor();
    expect(await stored()).toContainEqual(['Kugelhahn', '72']);
    await panel.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => field.inputValue()).toBe('72');
    await desk.press('Details');
  });

  it('while the former input is being saved is saved too, also if it is what was there before', async () => {
    const { page } = desk;
    let held: (() => void) | undefined;
    const holdAnswer = async (): Promise<void> => {
      held = undefined;
      await page.route('**/rows/*', async (route) => {
        const response = await route.fetch();
        if (route.request().method() === 'PATCH') await new Promise<void>((go) => (held = go));
        await route.fulfill({ response });
      });
    };
    const isConfirmed = async (): Promise<void> => {
      await expect.poll(() => held).toBeDefined();
      held?.();
      await page.unrouteAll({ behavior: 'wait' });
      await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).not.toContain('draft');
    };
    await holdAnswer();
    await cell(0, 0).click();
    await desk.press('Details');
    const panel = page.getByRole('complementary', { name: 'Details' });
    await panel.getByRole('textbox', { name: 'Bestand' }).fill('8');
    await page.keyboard.press('Enter');
    await page.keyboard.type('1');
    await isConfirmed();
    await page.keyboard.press('Tab');
    await expect.poll(stored).toContainEqual(['Kugelhahn', '81']);
    expect(await panel.getByText('has changed since').count()).toBe(0);
    await desk.press('Details');

    await holdAnswer();
    await cell(1, 1).click();
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('1');
    await isConfirmed();
    await page.keyboard.press('Enter');
    await expect.poll(stored).toContainEqual(['Muffe', '1']);
  });

  it('goes on while the rows cannot be read again, which is said below them', async () => {
    const { page } = desk;
    const { rows } = await desk.app<Listed>('GET', `/app/lists/${list}/rows?offset=0&limit=50`);
    await page.route('**/rows?*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await cell(0, 0).dblclick();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Kugelhahn ');
    await desk.app('PATCH', `/app/lists/${list}/rows/${rows[2]?.recordID}`, { values: { Bestand: ['3'] } });
    await desk.sees('Try again');
    await page.keyboard.type('DN 15');
    await page.keyboard.press('Enter');
    await expect.poll(stored).toContainEqual(['Kugelhahn DN 15', '1']);
    await shoot(page, 'rows-outdated-light');
    // Rows of another search are not to be had: those of before would pass for them.
    await page.getByPlaceholder('Search in all columns').fill('Muffe');
    await expect.poll(() => page.getByRole('grid').count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await desk.press('Try again');
    await cell(0, 0).getByText('Muffe').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('three times into a cell ends with the last, also if the node is slow, and replaces no change from elsewhere', async () => {
    const { page } = desk;
    const { rows } = await desk.app<Listed>('GET', `/app/lists/${list}/rows?offset=0&limit=50`);
    const held: (() => void)[] = [];
    await page.route('**/rows/*', async (route) => {
      if (route.request().method() === 'PATCH' && held.length < 2)
        await new Promise<void>((go) => held.push(go));
      await route.continue();
    });
    const type = async (text: string): Promise<void> => {
      await cell(0, 1).click();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    for (const text of ['7', '8', '9']) await type(text);
    await expect.poll(() => held.length).toBe(1);
    await desk.app('PATCH', `/app/lists/${list}/rows/${rows[0]?.recordID}`, { values: { Bestand: ['99'] } });
    held[0]?.();
    await expect.poll(() => held.length).toBe(2);
    held[1]?.();
    await page.getByRole('alert').filter({ hasText: 'has changed since' }).waitFor();
    expect(await stored()).toContainEqual(['Kugelhahn', '99']);
    await page.unrouteAll({ behavior: 'wait' });
    await desk.press('Go to cell');
    await page.getByRole('grid').getByRole('textbox').press('Enter');
    await expect.poll(stored).toContainEqual(['Kugelhahn', '9']);
  });

  it('into the form for a new row can be changed no more while it is being added', async () => {
    const { page } = desk;
    let held: (() => void) | undefined;
    await page.route('**/rows', async (route) => {
      if (route.request().method() === 'POST') await new Promise<void>((go) => (held = go));
      await route.continue();
    });
    await desk.press('Add a row');
    const form = page.getByRole('dialog', { name: `New row in “Lager ${made}”` });
    await form.getByRole('textbox', { name: 'Artikel' }).fill('Flansch');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(() => held).toBeDefined();
    const discard = form.getByRole('button', { name: 'Discard' });
    expect(await discard.isDisabled()).toBe(true);
    await page.keyboard.type('4');
    held?.();
    await expect.poll(stored).toContainEqual(['Flansch', undefined]);
    await expect.poll(() => form.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Continue new row' }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('into a new row whose answer does not come is offered after a reload, and added once', async () => {
    const { page } = desk;
    for (const isAdded of [true, false]) {
      const article = isAdded ? 'Flansch' : 'Bogen';
      let sent = false;
      await page.route('**/rows', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        if (isAdded) await route.fetch();
        sent = true;
        return undefined;
      });
      const end = 3 + (isAdded ? 0 : 1);
      await cell(end, 0).click();
      await page.keyboard.type(article);
      await page.keyboard.press('Tab');
      await page.keyboard.type('4');
      await page.keyboard.press('Enter');
      await cell(end, 1).getByText('4').waitFor();
      await expect.poll(() => sent).toBe(true);
      await page.reload();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await desk.press('Continue new row');
      const form = page.getByRole('dialog', { name: `New row in “Lager ${made}”` });
      expect(await form.getByRole('textbox', { name: 'Artikel' }).inputValue()).toBe(article);
      expect(await form.getByRole('textbox', { name: 'Bestand' }).inputValue()).toBe('4');
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await expect.poll(() => form.count()).toBe(0);
      await cell(end, 1).getByText('4').waitFor();
      expect((await stored()).slice(end)).toEqual([[article, '4']]);
      expect(await page.getByRole('button', { name: 'Continue new row' }).count()).toBe(0);
    }
  });

  it('into a new row is added once, also if the answer is lost and it is sent again', async () => {
    const { page } = desk;
    await page.route('**/rows', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await cell(3, 0).click();
    await page.keyboard.type('Flansch');
    await page.keyboard.press('Enter');
    const editor = page.getByRole('grid').getByRole('textbox');
    await page.getByRole('button', { name: 'Go to cell' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await desk.press('Go to cell');
    await expect.poll(() => editor.getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Enter');
    await expect.poll(() => editor.count()).toBe(0);
    await expect.poll(() => page.getByRole('gridcell', { name: 'Flansch' }).count()).toBe(1);
    expect((await stored()).slice(3)).toEqual([['Flansch', undefined]]);
  });

  /** Holds new rows back; returns a function that lets them through, or leaves them without an answer. */
  const holdNewRows = async (): Promise<(isAnswered: boolean) => void> => {
    let release: (isAnswered: boolean) => void = () => undefined;
    const released = new Promise<boolean>((resolve) => (release = resolve));
    await desk.page.route('**/rows', async (route) => {
      const isAnswered = route.request().method() !== 'POST' || (await released);
      return isAnswered ? route.continue() : route.abort();
    });
    return release;
  };
  const form = (page: Page): Locator => page.getByRole('dialog', { name: `New row in “Lager ${made}”` });
  const typeRow = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys)
      await (key === 'Tab' || key === 'Enter' ? desk.page.keyboard.press(key) : desk.page.keyboard.type(key));
  };

  it('into the form goes into no row that still waits for an answer', async () => {
    const { page } = desk;
    for (const isAnswered of [true, false]) {
      const release = await holdNewRows();
      const end = isAnswered ? 3 : 5;
      await cell(end, 1).click();
      await typeRow('4', 'Enter');
      await cell(end, 1).click();
      await typeRow('5', 'Enter');
      await desk.press('Add a row');
      expect(await form(page).getByRole('textbox', { name: 'Bestand' }).inputValue()).toBe('');
      await form(page).getByRole('textbox', { name: 'Artikel' }).fill('Bogen');
      await page.keyboard.press('Tab');
      release(isAnswered);
      if (isAnswered) await expect.poll(stored).toContainEqual([undefined, '5']);
      else await expect.poll(() => page.getByText('Footbridge does not answer').count()).toBeGreaterThan(0);
      await page.unrouteAll({ behavior: 'wait' });
      await form(page).getByRole('button', { name: 'Add', exact: true }).click();
      await expect.poll(async () => (await stored()).slice(end)).toContainEqual(['Bogen', undefined]);
    }
    await desk.press('Go to cell');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stored()).at(-1)).toEqual([undefined, '5']);
  });

  it('into a new row is taken back by its own undo only', async () => {
    const { page } = desk;
    // Without messages of before.
    await page.reload();
    await cell(2, 0).getByText('Ventil').waitFor();
    await page.route('**/steps', async (route) => {
      // Another window adds a row first.
      if ((await stored()).length === 4) await add('Bogen');
      await route.continue();
    });
    await cell(3, 0).click();
    await page.keyboard.type('Flansch');
    await page.keyboard.press('Enter');
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText('Row added.').waitFor();
    expect(await messages.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('into a row begun in another window becomes another row', async () => {
    const { page } = desk;
    await desk.press('Add a row');
    await form(page).getByRole('textbox', { name: 'Artikel' }).fill('Alpha');
    await page.keyboard.press('Tab');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Continue new row' }).click();
    await form(other).getByRole('textbox', { name: 'Artikel' }).fill('Beta');
    await form(other).getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(stored).toContainEqual(['Beta', undefined]);
    await form(page).getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(stored).toContainEqual(['Alpha', undefined]);
    expect(await stored()).toContainEqual(['Beta', undefined]);
    await other.close();
  });

  it('into an added row is shown and replaces earlier input while the undo log is read', async () => {
    const { page } = desk;
    const release = await holdNewRows();
    await cell(3, 0).click();
    await typeRow('Flansch', 'Tab', '4', 'Enter');
    let read = (): void => undefined;
    const isRead = new Promise<void>((resolve) => (read = resolve));
    await page.route('**/steps', async (route) => {
      await isRead;
      return route.continue();
    });
    release(true);
    await expect.poll(stored).toContainEqual(['Flansch', undefined]);
    await cell(3, 1).getByText('4').waitFor();
    await cell(3, 1).click();
    await typeRow('5', 'Enter');
    read();
    await expect.poll(stored).toContainEqual(['Flansch', '5']);
    await page.getByText('Row added.').waitFor();
    await expect.poll(() => cell(3, 1).getByText('being saved').count()).toBe(0);
    expect(await stored()).toContainEqual(['Flansch', '5']);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('goes on in another cell while a new row gets no answer, which waits in its line', async () => {
    const { page } = desk;
    const release = await holdNewRows();
    await cell(3, 0).click();
    await typeRow('Flansch', 'Tab', '4', 'Enter');
    await cell(0, 0).dblclick();
    await page.keyboard.press('Control+A');
    await typeRow('Kugel');
    release(false);
    await page.getByRole('button', { name: 'Go to cell' }).waitFor();
    await typeRow('ventil', 'Enter');
    await expect.poll(stored).toContainEqual(['Kugelventil', '1']);
    await page.unrouteAll({ behavior: 'wait' });
    await desk.press('Go to cell');
    await page.keyboard.press('Enter');
    await expect.poll(stored).toContainEqual(['Flansch', '4']);
  });

  it('into a row that waits stays in it when another window adds one', async () => {
    const { page } = desk;
    const release = await holdNewRows();
    await cell(3, 0).click();
    await typeRow('Flansch', 'Tab');
    await add('Bogen');
    await cell(3, 0).getByText('Bogen').waitFor();
    await typeRow('9', 'Enter');
    release(true);
    await expect.poll(stored).toContainEqual(['Flansch', '9']);
    expect(await stored()).toContainEqual(['Bogen', '1']);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('after the first value of a row that needs the form goes into its next column', async () => {
    const { page } = desk;
    const name = `Lager ${made}`;
    const { fields } = await desk.app<{ fields: object[] }>('GET', `/app/lists/${list}`);
    const required = fields.map((field) => ({ ...field, isRequired: true }));
    await desk.app('PATCH', `/app/lists/${list}`, { name, fields: required });
    await page.reload();
    await cell(3, 0).click();
    await typeRow('Flansch', 'Tab');
    await form(page).waitFor();
    await typeRow('42', 'Enter');
    await expect.poll(stored).toContainEqual(['Flansch', '42']);
  });

  it('goes on in the next cell if the one before is refused in between', async () => {
    const { page } = desk;
    let refuse: (() => void) | undefined;
    await page.route('**/rows/*', async (route) => {
      if (route.request().method() === 'PATCH' && !refuse)
        await new Promise<void>((resolve) => (refuse = resolve));
      await route.continue();
    });
    await cell(0, 1).click();
    await page.keyboard.type('viele');
    await page.keyboard.press('Enter');
    await expect.poll(() => refuse).toBeDefined();
    refuse?.();
    await page.getByRole('button', { name: 'Go to cell' }).waitFor();
    await page.keyboard.type('55');
    await page.keyboard.press('Enter');
    await expect.poll(stored).toContainEqual(['Muffe', '55']);
    await cell(0, 1).getByText('viele', { exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('as one of several values that does not fit is said once its details are left, and after a reload', async () => {
    const { page } = desk;
    await desk.app('PATCH', `/app/lists/${list}`, {
      fields: [...fields, { label: 'Preise', name: 'Preise', kind: 'Number', isMulti: true }],
    });
    await cell(0, 0).click();
    await page.keyboard.press('Control+Enter');
    const panel = page.getByRole('complementary', { name: 'Details' });
    await panel.getByRole('group', { name: 'Preise' }).getByRole('textbox').fill('zwölf');
    await cell(2, 0).click();
    const said = page.getByRole('region', { name: 'Messages' }).filter({ hasText: '“zwölf” is no number' });
    await said.waitFor();
    await page.reload();
    await said.getByRole('button', { name: 'Open' }).click();
    await expect.poll(() => details('Artikel').inputValue()).toBe('Kugelhahn');
    await panel.getByRole('alert').filter({ hasText: 'zwölf' }).waitFor();
    await panel.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => panel.getByRole('alert').filter({ hasText: 'zwölf' }).count()).toBe(0);
  });

  it('that was refused as the cell was changed is replaced by what the cell held before', async () => {
    const { page } = desk;
    const { rows } = await desk.app<Listed>('GET', `/app/lists/${list}/rows?offset=0&limit=50`);
    await cell(0, 1).click();
    await page.keyboard.type('61');
    await desk.app('PATCH', `/app/lists/${list}/rows/${rows[0]?.recordID}`, { values: { Bestand: ['62'] } });
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'has changed since' }).waitFor();
    await desk.press('Go to cell');
    const editor = page.getByRole('grid').getByRole('textbox');
    await editor.fill('1');
    await editor.press('Enter');
    await expect.poll(stored).toContainEqual(['Kugelhahn', '1']);
    await cell(0, 1).getByText('1', { exact: true }).waitFor();
  });

  it('in one window is not lost by what is typed in another', async () => {
    const { page } = desk;
    const other = await page.context().newPage();
    await other.goto(page.url());
    const begin = async (window: Page, article: string): Promise<Locator> => {
      await window
        .getByRole('button', { name: /^(Add a row|Continue new row)$/ })
        .first()
        .click();
      const field = window.getByRole('dialog').getByRole('textbox', { name: 'Artikel' });
      await field.fill(article);
      await field.press('Tab');
      return field;
    };
    const first = await begin(page, 'Flansch');
    const second = await begin(other, 'Bogen');
    expect(await first.inputValue()).toBe('Flansch');
    expect(await second.inputValue()).toBe('Bogen');
    await other.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(stored).toContainEqual(['Bogen', undefined]);
    await page.reload();
    await desk.press('Continue new row');
    expect(await first.inputValue()).toBe('Flansch');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();

    const type = async (window: Page, row: number, text: string): Promise<void> => {
      const at = window.getByRole('grid').locator(`[data-index="${row}"] [data-column="1"]`);
      await at.dblclick();
      await window.keyboard.press('Control+A');
      await window.keyboard.type(text);
      await window.keyboard.press('Enter');
      const kept = (): Promise<string> => window.evaluate(() => Object.values(localStorage).join());
      await expect.poll(kept).toContain(`“${text}” is no number`);
    };
    await type(page, 0, 'acht');
    await type(other, 2, 'neun');
    await page.reload();
    const editor = page.getByRole('grid').getByRole('textbox');
    // In any order: leaving the page may have sent the first one once more.
    const offered = new Set<string>();
    for (let left = 2; left > 0; left--) {
      await desk.press('Go to cell');
      offered.add(await editor.inputValue());
      await page.keyboard.press('Escape');
    }
    expect([...offered].sort()).toEqual(['acht', 'neun']);
    await expect.poll(() => page.getByRole('button', { name: 'Go to cell' }).count()).toBe(0);
    await other.close();
  });

  it('into a column that is deleted meanwhile stays in sight, and is saved once the column is back', async () => {
    const { page } = desk;
    const { fields } = await desk.app<{ fields: { fieldID: string; name: string }[] }>(
      'GET',
      `/app/lists/${list}`,
    );
    const [article, stock] = fields;
    await cell(0, 1).dblclick();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('77');
    await desk.app('PATCH', `/app/lists/${list}`, { name: `Lager ${made}`, fields: [article] });
    const offer = page.getByRole('alert').filter({ hasText: 'The column “Bestand” was deleted' });
    await offer.getByText('Kugelhahn: 77').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await shoot(page, `column-deleted-meanwhile-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: null });
    await page.reload();
    await offer.getByText('Kugelhahn: 77').waitFor();
    await desk.app('POST', `/app/lists/${list}/bin/${stock?.fieldID}/restore`, {});
    await expect.poll(stored).toContainEqual(['Kugelhahn', '77']);
    await expect.poll(() => offer.count()).toBe(0);
    await cell(0, 1).getByText('77').waitFor();
  });

  it('into the form for a new row is named there if its column was deleted meanwhile', async () => {
    const { page } = desk;
    const path = `/app/lists/${list}`;
    const { fields } = await desk.app<{ fields: { fieldID: string }[] }>('GET', path);
    const [article, stock] = fields;
    await desk.press('Add a row');
    const form = page.getByRole('dialog', { name: `New row in “Lager ${made}”` });
    await form.getByRole('textbox', { name: 'Artikel' }).fill('Flansch');
    await form.getByRole('textbox', { name: 'Bestand' }).fill('77');
    await desk.app('PATCH', path, { name: `Lager ${made}`, fields: [article] });
    await form.getByText('There is no column “Bestand” any more, so this isn’t added: 77.').waitFor();
    await desk.app('POST', `${path}/bin/${stock?.fieldID}/restore`, {});
    await expect.poll(() => form.getByRole('textbox', { name: 'Bestand' }).inputValue()).toBe('77');
    await form.getByRole('button', { name: 'Discard' }).click();
  });

  it('into the line for a new row is a new row, also where the row added there before was undone', async () => {
    const { page } = desk;
    for (let more = 3; more < 100; more++) await add(`Rohr ${more}`);
    await page.reload();
    await cell(0, 0).waitFor();
    const type = async (article: string): Promise<void> => {
      await page.getByRole('grid').evaluate((grid) => (grid.scrollTop = grid.scrollHeight));
      await cell(100, 0).dblclick();
      await page.keyboard.type(article);
      await page.keyboard.press('Enter');
    };
    await type('Bogen');
    await expect.poll(stored).toContainEqual(['Bogen', undefined]);
    await cell(100, 0).getByText('Bogen').waitFor();
    await page.getByRole('button', { name: 'Undo: 1 row added' }).click();
    await expect.poll(() => page.getByRole('gridcell', { name: 'Bogen' }).count()).toBe(0);
    await type('Flansch');
    await expect.poll(stored).toContainEqual(['Flansch', undefined]);
    expect(await page.getByRole('alert').filter({ hasText: 'was deleted' }).count()).toBe(0);
  });

  it('and was kept unreadably by an earlier version is left out, and the list opens', async () => {
    const { page } = desk;
    const kept = JSON.stringify({ newRow: null, rejected: [7] });
    await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
      `footbridge.draft.${list}`,
      kept,
    ] as const);
    await page.reload();
    await cell(2, 0).getByText('Ventil').waitFor();
    await page.getByRole('button', { name: 'Add a row' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Add as new' }).count()).toBe(0);
  });
});
