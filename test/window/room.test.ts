import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, type Pair } from '../support/harness/node.ts';

/** Parts of the window that had too little room, on a desk or on a phone. */
describe('a window', { tags: 'nightly-looks' }, () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let moduleID = '';

  beforeAll(async () => {
    desks = await openDesks('Nordlicht Möbel und Küchen GmbH', 'Harbour Office');
    [north, harbour] = desks.all;
    pair = await pairNodes(north, harbour);
    moduleID = await north.csv('Kunden', 'Firma,Ort\nBäckerei Zäh,Köln\nOptik Håkon,Ulm\n');
  });
  afterAll(() => desks.close());

  const bottomOf = async (locator: Locator): Promise<number> => {
    const box = await locator.boundingBox();
    return box ? box.y + box.height : Number.NaN;
  };

  it('shows our own office in full on Home, with one partner and a name of two lines', async () => {
    await north.go('#/');
    const words = north.page.locator('.us').getByText('This computer');
    await words.waitFor();
    expect(await bottomOf(words)).toBeLessThan(await bottomOf(north.page.locator('.map')));
  });

  it('leads from a list to sharing it', async () => {
    await north.go(`#/lists/${moduleID}`);
    await north.page.getByRole('main').getByRole('link', { name: 'Share', exact: true }).click();
    await north.page.getByRole('heading', { name: 'Share Kunden' }).waitFor();
    expect(north.page.url()).toContain(pair.atInviter);
  });

  it('has all places in one line on a phone, in every language', async () => {
    const { page } = north;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const language of ['de', 'fr', 'es', 'en'] as const) {
      await north.app('PATCH', '/app/settings', { language });
      await page.locator(`html[lang=${language}]`).waitFor();
      const tops = await page
        .locator('aside nav')
        .first()
        .locator('a')
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
      expect(new Set(tops).size, language).toBe(1);
      expect(await bottomOf(page.locator('aside').first()), language).toBeLessThan(120);
    }
  });

  it('has every column of its tables in sight on a phone', async () => {
    const { page } = north;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const place of ['#/lists', '#/partners', '#/lists/import']) {
      await north.go(place);
      if (place.endsWith('import')) {
        const buffer = Buffer.from(
          'Kundenbezeichnung,Ansprechpartnerin\nBäckerei Zäh,Frau Annegret Müller\n',
        );
        await page.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
      }
      const table = page.locator('.table-wrap').first();
      await table.waitFor();
      const hidden = await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(hidden, place).toBeLessThanOrEqual(0);
    }
  });

  it('keeps the question at the side beside its word, however long that is, so that nothing jumps', async () => {
    const { page } = north;
    await page.setViewportSize({ width: 1280, height: 860 });
    const side = page.getByRole('complementary').first();
    const word = side.locator('.told .word');
    await word.waitFor();
    await word.evaluate((found) => (found.textContent = 'Comprobando todos los cambios de los socios'));
    const [mark, question] = await Promise.all([
      side.locator('.mark').boundingBox(),
      side.locator('.explained .meaning-mark').boundingBox(),
    ]);
    expect(question?.y).toBeLessThan((mark?.y ?? 0) + (mark?.height ?? 0));
    await page.reload();
  });

  it('lets a list begin where every other page does, on a phone too', async () => {
    const { page } = north;
    const place = async (hash: string, title: string): Promise<unknown> => {
      await north.go(hash);
      const heading = page.getByRole('heading', { level: 1, name: title });
      await heading.waitFor();
      const { x, y } = (await heading.boundingBox()) ?? {};
      return { x, y };
    };
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await place(`#/lists/${moduleID}`, 'Kunden')).toEqual(
        await place('#/partners/add', 'Connect an office'),
      );
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('has an invite in a field that is wide enough to see it, with a button as high as others', async () => {
    const { page } = north;
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 860 });
      await north.go('#/partners');
      await north.go('#/partners/add');
      await north.press('I invite them');
      await page.getByLabel('What do you call this partner?').fill(`Mill ${String(width)}`);
      await page.getByRole('button', { name: 'On this computer only', exact: true }).click();
      const field = await page.getByLabel(`Invite for Mill ${String(width)}`).boundingBox();
      const button = page.getByRole('button', { name: 'Copy', exact: true });
      expect(field?.width).toBeGreaterThan(200);
      expect((await button.boundingBox())?.height).toBeLessThan(40);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('is found by the name of the app among others, whatever it shows', async () => {
    await north.go('#/lists');
    await expect.poll(() => north.page.title()).toBe('Lists – Nordlicht Möbel und Küchen GmbH – Footbridge');
  });

  it('says in the first steps why they are empty, and tries again', async () => {
    const { page } = harbour;
    let asked = 0;
    await page.route('**/app/settings', (route) => {
      asked++;
      return route.abort();
    });
    await harbour.go('#/welcome');
    await page.reload();
    const card = page.getByRole('region', { name: 'Step 1 of 2' });
    await card.getByRole('alert').waitFor();
    // It asks once by itself, as soon as the stream of news is there.
    await expect.poll(() => asked).toBeGreaterThan(1);
    await page.unrouteAll({ behavior: 'wait' });
    await card.getByRole('button', { name: 'Try again' }).click();
    await harbour.sees('What is your office called?');
  });

  it('gives a row’s details the whole width of a phone', async () => {
    const { page } = north;
    await page.setViewportSize({ width: 390, height: 844 });
    await north.go(`#/lists/${moduleID}`);
    await page.getByRole('gridcell', { name: 'Bäckerei Zäh' }).click();
    await page.getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.waitFor();
    expect((await details.boundingBox())?.width).toBeGreaterThan(340);
    expect(await page.getByRole('grid').isVisible()).toBe(false);
  });

  it('shows an empty box as one that can be ticked, also in the dark', async () => {
    const { page } = north;
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await north.go(`#/partners/${pair.atInviter}/share/${moduleID}`);
    const box = page.getByRole('checkbox').first();
    await box.waitFor();
    const grounds = (): Promise<string[]> =>
      box.evaluate(
        (element) =>
          [element, element.closest('.card')].map(
            (each) => each && getComputedStyle(each).backgroundColor,
          ) as string[],
      );
    const [unticked, card] = await grounds();
    expect(unticked).toBe(card);
    await box.check();
    expect((await grounds())[0]).not.toBe(card);
  });
});
