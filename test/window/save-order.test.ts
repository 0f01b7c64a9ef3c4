import type { Browser, Locator, Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { rowsOf } from '../support/harness/node.ts';

interface Listed {
  readonly rows: readonly { readonly recordID: string }[];
}

describe('Writes into one row are saved in their order:', () => {
  let browser: Browser;
  let desk: Desk;
  let list = '';
  let recordID = '';
  let made = 0;

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
  beforeEach(async () => {
    await desk.page.unrouteAll({ behavior: 'ignoreErrors' });
    const name = `Lager ${++made}`;
    list = (await desk.app<{ moduleID: string }>('POST', '/app/lists', { name, fields })).moduleID;
    for (const article of ['Kugelhahn', 'Muffe'])
      await desk.app('POST', `/app/lists/${list}/rows`, { values: { Artikel: [article], Bestand: ['1'] } });
    const { rows } = await desk.app<Listed>('GET', `/app/lists/${list}/rows?offset=0&limit=50`);
    recordID = rows[0]?.recordID ?? '';
    await desk.go(`#/lists/${list}`);
    await desk.page.getByRole('heading', { name, level: 1 }).waitFor();
    await cell(1, 0).getByText('Muffe').waitFor();
  });

  const cell = (row: number, column: number): Locator =>
    desk.page.getByRole('grid').locator(`[data-index="${row}"] [data-column="${column}"]`);
  const stored = async (): Promise<unknown[]> =>
    (await rowsOf(desk, list)).map(({ Artikel, Bestand }) => [Artikel, Bestand]);
  const type = async (text: string, row = 0, column = 1): Promise<void> => {
    await cell(row, column).click();
    await desk.page.keyboard.type(text);
    await desk.page.keyboard.press('Enter');
  };
  const paste = (text: string): Promise<void> =>
    desk.page.getByRole('grid').evaluate((grid, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  /** Another window changes the number in the first row. */
  const changeElsewhere = (text: string): Promise<unknown> =>
    desk.app('PATCH', `/app/lists/${list}/rows/${recordID}`, { values: { Bestand: [text] } });
  /** Leaves changes of a cell to this value without an answer; the node doesn't get them. */
  const cut = async (text?: string): Promise<void> => {
    await desk.page.route('**/rows/*', (route) =>
      isChangeTo(route.request(), text) ? route.abort() : route.fallback(),
    );
  };
  const isChangeTo = (request: Request, text?: string): boolean =>
    request.method() === 'PATCH' &&
    (text === undefined || request.postData()?.includes(`{"values":{"Bestand":["${text}"]}`) === true);
  /** Holds the answers to these requests, which the node gets, until the returned function is called. */
  const hold = async (
    isHeld: (request: Request) => boolean,
  ): Promise<{ came: () => boolean; release: () => void }> => {
    let came = false;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await desk.page.route('**/rows/*', async (route) => {
      if (!isHeld(route.request())) return route.fallback();
      const response = await route.fetch();
      came = true;
      await released;
      return route.fulfill({ response });
    });
    return { came: () => came, release };
  };
  const waiting = (): Locator =>
    desk.page.getByRole('region', { name: 'Messages' }).getByText('Not saved yet');
  const conflict = (): Locator => desk.page.getByRole('alert').filter({ hasText: 'has changed since' });
  const drafts = (): Promise<string[]> =>
    desk.page.evaluate(
      (mine) => Object.keys(localStorage).filter((key) => key.startsWith(mine)),
      `footbridge.draft.${list}`,
    );

  it('a retry doesn’t overtake what is typed into its cell later', async () => {
    const { page } = desk;
    await cut('6');
    await type('6');
    await waiting().waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    const retried = await hold((request) => request.method() === 'GET');
    await expect.poll(retried.came).toBe(true);
    await type('1');
    await page.waitForTimeout(500);
    retried.release();
    await page.waitForTimeout(1000);
    await expect.poll(drafts).toEqual([]);
    expect(await stored()).toContainEqual(['Kugelhahn', '1']);
    expect(await conflict().count()).toBe(0);
  });

  it('a retry takes the earlier input into its cell for no change from elsewhere', async () => {
    const { page } = desk;
    const first = await hold((request) => isChangeTo(request, '7'));
    await cut('8');
    await type('7');
    await expect.poll(first.came).toBe(true);
    await type('8');
    first.release();
    await waiting().waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await expect.poll(stored).toContainEqual(['Kugelhahn', '8']);
    await expect.poll(drafts).toEqual([]);
    expect(await conflict().count()).toBe(0);
  });

  it('an input whose answer was lost is no conflict for the next', async () => {
    const { page } = desk;
    let isLost = false;
    await page.route(
      '**/rows/*',
      async (route) => {
        await route.fetch();
        await route.abort();
        isLost = true;
      },
      { times: 1 },
    );
    await type('7');
    await expect.poll(() => isLost).toBe(true);
    await type('8');
    await expect.poll(stored).toContainEqual(['Kugelhahn', '8']);
    await expect.poll(drafts).toEqual([]);
    expect(await conflict().count()).toBe(0);
  });

  it('a paste comes after what was typed into its cells before', async () => {
    const { page } = desk;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/rows/*', async (route) => {
      if (route.request().method() === 'PATCH') await released;
      await route.fallback();
    });
    await type('6');
    await cell(0, 1).click();
    await paste('5');
    await page.waitForTimeout(500);
    release();
    await expect.poll(drafts).toEqual([]);
    await expect.poll(stored).toContainEqual(['Kugelhahn', '5']);
    await cell(0, 1).getByText('5', { exact: true }).waitFor();
  });

  it('what is typed while a paste is being written comes after it', async () => {
    const { page } = desk;
    await page.route('**/cells', async (route) => {
      await new Promise((done) => setTimeout(done, 500));
      await route.fallback();
    });
    const written = page.waitForResponse((response) => response.url().endsWith('/cells'));
    await cell(0, 1).click();
    await paste('5');
    await type('7');
    await written;
    await expect.poll(drafts).toEqual([]);
    expect(await stored()).toContainEqual(['Kugelhahn', '7']);
    expect(await conflict().count()).toBe(0);
  });

  it('a fill writes what is seen, also where that is not saved yet', async () => {
    const { page } = desk;
    await cut('6');
    await type('6');
    await waiting().waitFor();
    await cell(0, 1).click();
    await cell(1, 1).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+d');
    await expect.poll(stored).toContainEqual(['Muffe', '6']);
  });

  it('a paste replaces what waits to be saved in its cells', async () => {
    const { page } = desk;
    await cut('6');
    await type('6');
    await waiting().waitFor();
    await cell(0, 1).click();
    await paste('5');
    await expect.poll(stored).toContainEqual(['Kugelhahn', '5']);
    await page.unrouteAll({ behavior: 'wait' });
    await expect.poll(drafts).toEqual([]);
    await page.waitForTimeout(6000);
    expect(await stored()).toContainEqual(['Kugelhahn', '5']);
    expect(await conflict().count()).toBe(0);
    await cell(0, 1).getByText('5', { exact: true }).waitFor();
  });

  it.each(['cell', 'details'])(
    'input into the %s over one that waits replaces no change from elsewhere silently',
    async (where) => {
      const { page } = desk;
      await cut('6');
      await type('6');
      await waiting().waitFor();
      await cell(0, 1).click();
      if (where === 'details') {
        await page.keyboard.press('Control+Enter');
        const field = page
          .getByRole('complementary', { name: 'Details' })
          .getByRole('textbox', { name: 'Bestand' });
        await changeElsewhere('9');
        await field.fill('7');
        await field.press('Tab');
      } else {
        await page.keyboard.type('7');
        await changeElsewhere('9');
        await page.keyboard.press('Enter');
      }
      await conflict().first().waitFor();
      expect(await stored()).toContainEqual(['Kugelhahn', '9']);
    },
  );

  it('two values of a new row whose first gets no answer become one row', async () => {
    const { page } = desk;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/rows', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await released;
      return route.fulfill({ status: 503 });
    });
    await cell(2, 0).click();
    await page.keyboard.type('Flansch');
    await page.keyboard.press('Tab');
    await page.keyboard.type('4');
    await page.keyboard.press('Tab');
    release();
    await page.getByRole('button', { name: 'Go to cell' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await desk.press('Go to cell');
    await page.keyboard.press('Enter');
    await expect.poll(stored).toContainEqual(['Flansch', '4']);
    await page.waitForTimeout(500);
    expect(await stored()).toHaveLength(3);
  });

  it('two new rows of two values each whose first get no answer become two rows', async () => {
    const { page } = desk;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/rows', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await released;
      return route.fulfill({ status: 503 });
    });
    for (const [line, article, stock] of [
      [2, 'Flansch', '3'],
      [3, 'Bogen', '4'],
    ] as const) {
      await cell(line, 0).click();
      await page.keyboard.type(article);
      await page.keyboard.press('Tab');
      await page.keyboard.type(stock);
      await page.keyboard.press('Tab');
    }
    release();
    await page.getByText('1 more value isn’t saved.').waitFor();
    await expect.poll(drafts).toHaveLength(2);
    await page.unrouteAll({ behavior: 'wait' });
    for (const article of ['Flansch', 'Bogen']) {
      await desk.press('Go to cell');
      expect(await page.getByRole('grid').getByRole('textbox').inputValue()).toBe(article);
      await page.keyboard.press('Enter');
    }
    await expect.poll(drafts).toEqual([]);
    expect((await stored()).slice(2)).toEqual([
      ['Flansch', '3'],
      ['Bogen', '4'],
    ]);
  });

  it('a new row that was begun is offered beside one that is typed into the grid', async () => {
    const { page } = desk;
    const form = page.getByRole('dialog', { name: `New row in “Lager ${made}”` });
    const article = form.getByRole('textbox', { name: 'Artikel' });
    await desk.press('Add a row');
    await article.fill('Rohr');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.route('**/rows', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 503 }) : route.fallback(),
    );
    await cell(2, 0).click();
    await page.keyboard.type('Flansch');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Go to cell' }).waitFor();
    await cell(2, 1).click();
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    expect(await form.count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await desk.press('Go to cell');
    await page.keyboard.press('Enter');
    await expect.poll(stored).toContainEqual(['Flansch', '4']);
    await desk.press('Continue new row');
    expect(await article.inputValue()).toBe('Rohr');
  });

  it('the blank line stays under the cursor where another window adds a row', async () => {
    await cell(2, 0).click();
    await desk.app('POST', `/app/lists/${list}/rows`, { values: { Artikel: ['Flansch'], Bestand: ['1'] } });
    await cell(2, 0).getByText('Flansch').waitFor();
    await desk.page.keyboard.press('Shift+ArrowRight');
    await desk.app('POST', `/app/lists/${list}/rows`, { values: { Artikel: ['Bogen'], Bestand: ['2'] } });
    await cell(3, 0).getByText('Bogen').waitFor();
    await desk.page.keyboard.press('Delete');
    await desk.page.keyboard.press('ArrowLeft');
    await desk.page.keyboard.type('Dichtung');
    await desk.page.keyboard.press('Enter');
    await expect.poll(stored).toEqual([
      ['Kugelhahn', '1'],
      ['Muffe', '1'],
      ['Flansch', '1'],
      ['Bogen', '2'],
      ['Dichtung', undefined],
    ]);
  });

  it('rows typed one after another are all kept, also where answers come after their rows', async () => {
    await desk.page.route('**/rows', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const response = await route.fetch();
      await new Promise((resolve) => setTimeout(resolve, 600));
      return route.fulfill({ response });
    });
    await cell(2, 0).click();
    const articles = ['Flansch', 'Dichtung', 'Schelle', 'Bogen'];
    for (const article of articles) {
      await desk.page.keyboard.type(article, { delay: 30 });
      await desk.page.keyboard.press('Enter');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await expect
      .poll(async () => (await rowsOf(desk, list)).map(({ Artikel }) => Artikel), { timeout: 10_000 })
      .toEqual(['Kugelhahn', 'Muffe', ...articles]);
  });
});
