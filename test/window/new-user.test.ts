import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, type Pair } from '../support/harness/node.ts';

const WIDE = Array.from({ length: 60 }, (_, at) => `Merkmal ${at + 1}`).join(';');

/** What a new user with lists of their own stumbled over: told, cut off or out of sight. */
describe('an office with lists of its own', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;

  beforeAll(async () => {
    desks = await openDesks('Nordlicht Möbel GmbH', 'Harbour Office');
    [north, harbour] = desks.all;
    pair = await pairNodes(north, harbour);
  });
  afterAll(() => desks.close());

  const boxOf = async (locator: Locator): Promise<{ y: number; height: number }> =>
    (await locator.first().boundingBox()) ?? { y: Number.NaN, height: Number.NaN };

  it('has the whole invite looked at that takes the place of a clipped one', async () => {
    const { uri } = await north.app<{ uri: string }>('POST', '/app/invites', { name: 'Mill' });
    await harbour.go('#/partners/add?paste');
    const field = harbour.page.getByLabel('Invite', { exact: true });
    await field.fill(uri.slice(0, uri.indexOf('?')));
    await harbour.sees('This is not a whole invite');
    await field.fill(uri);
    await harbour.sees('This invite says it’s from Nordlicht Möbel GmbH');
  });

  it('reads the names of columns as words, also beside long kinds', async () => {
    const kunden = await north.csv('Kunden', 'Firma\nBäckerei Zäh\nOptik Håkon\n');
    const { moduleID } = await north.app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Aufträge',
      fields: [
        { name: 'Kunde', label: 'Kundenname', kind: 'Record', isMulti: false, options: { moduleID: kunden } },
        { name: 'Tag', label: 'Bestellt am', kind: 'DateTime', isMulti: false },
      ],
    });
    await north.app('PATCH', '/app/settings', { language: 'de' });
    for (const width of [1280, 900]) {
      await north.page.setViewportSize({ width, height: 860 });
      await north.go(`#/partners/${pair.atInviter}/share/${moduleID}`);
      await north.sees('Zeile einer anderen Liste');
      for (const name of ['Kundenname', 'Bestellt am'])
        expect((await boxOf(north.page.locator('fieldset .name', { hasText: name }))).height).toBeLessThan(
          30,
        );
    }
    await north.page.setViewportSize({ width: 1280, height: 860 });
  });

  it('sees the state and its sentence on one line', async () => {
    await north.app('PATCH', '/app/settings', { language: 'en' });
    for (const hash of ['#/', `#/partners/${pair.atInviter}`]) {
      await north.go(hash);
      const main = north.page.getByRole('main');
      const sentence = main.locator('.words p').first();
      await sentence.waitFor();
      const [word, words] = [await boxOf(main.locator('.mark')), await boxOf(sentence)];
      expect(Math.abs(word.y + word.height / 2 - (words.y + words.height / 2)), hash).toBeLessThan(4);
    }
  });

  it('reads when the partner was added, which may be long before the connection there is now', async () => {
    await north.go(`#/partners/${pair.atInviter}/connection`);
    await north.sees('Added on');
    expect(await north.page.getByText('Connected since').count()).toBe(0);
  });

  it('is told, without a list of its own, that what the partner shares comes by itself', async () => {
    await harbour.go('#/');
    await harbour.sees('Connected. Now one of you shares a list');
    await harbour.sees(/appears here automatically/);
  });

  it('has the button of an import in sight, whatever the file has of columns', async () => {
    await north.go('#/lists/import');
    await north.page.locator('input[type=file]').setInputFiles({
      name: 'breit.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${WIDE}\n${WIDE.replaceAll('Merkmal', 'Wert')}\n`),
    });
    const button = north.page.getByRole('button', { name: 'Import 1 row' });
    await button.waitFor();
    const { y, height } = await boxOf(button);
    expect(y + height).toBeLessThanOrEqual(860);
  });

  it('reads on Home what it shares, before anything came back', async () => {
    const moduleID = await north.csv('Lager', 'Artikel,Menge\nStuhl Änne,14\nTisch Öresund,3\n');
    await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${moduleID}`, { fields: ['Artikel'] });
    await north.go('#/');
    await north.sees('0 rows sent today');
    await north.page.getByRole('main').getByText('1 list · 2 rows').waitFor();
  });

  it(
    'keeps messages off everything that can be pressed, on a desk and on a phone',
    { tags: 'nightly-looks' },
    async () => {
      const moduleID = await north.csv('Kunden mit Fuß', 'Firma,Ort\nBäckerei Zäh,Köln\n');
      const { page } = north;
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        await north.go(`#/lists/${moduleID}`);
        await page.getByRole('button', { name: 'Add a row' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
        const messages = page.getByRole('region', { name: 'Messages' });
        await messages.getByRole('button', { name: 'Undo' }).waitFor();
        await north.go(`#/partners/${pair.atInviter}/share/${moduleID}`);
        await page.getByRole('checkbox').first().check();
        const top = (await boxOf(messages)).y;
        const save = await boxOf(page.getByRole('button', { name: 'Share 1 column' }));
        expect(save.y + save.height, `at ${width}`).toBeLessThanOrEqual(top);
        await page.getByRole('button', { name: 'Share 1 column' }).click({ timeout: 5_000 });
        const apart = await page.evaluate(() => {
          const bottom = document.querySelector('main')?.getBoundingClientRect().bottom ?? Number.NaN;
          return (document.querySelector('.notices')?.getBoundingClientRect().top ?? Number.NaN) - bottom;
        });
        expect(apart, `at ${width}`).toBeGreaterThanOrEqual(-1);
        await expect.poll(() => page.url()).not.toContain('/share/');
      }
      await page.setViewportSize({ width: 1280, height: 860 });
    },
  );

  it('is told before rows are received into a list of its own that none are joined with those there', async () => {
    const shared = await north.csv('Adressen', 'Nr,Firma\nK-1,Bäckerei Zäh\nK-2,Optik Håkon\n');
    await harbour.csv('Unsere Adressen', 'Nr,Firma\nK-1,Bäckerei Zäh\nK-7,Nur bei uns\n');
    await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${shared}`, { fields: ['Nr', 'Firma'] });
    await harbour.go(`#/partners/${pair.atInvited}`);
    const offer = harbour.page.getByRole('listitem').filter({ hasText: 'Adressen' });
    await offer.getByRole('link', { name: /match/i }).first().click();
    await harbour.choose('Which of your lists should the rows go into?', /Unsere Adressen/);
    await harbour.sees(/added below the 2 you have.*twice/);
    await harbour.sees('Of their first 2 rows, 1 has the same values as one of yours in Nr and Firma.');
  });

  it('is not told of a mistake before anything was chosen where no column fits by itself', async () => {
    await harbour.csv('Zeiten', 'Person,Stunden\nAda,3\n');
    await harbour.choose('Which of your lists should the rows go into?', /Zeiten/);
    await harbour.sees('Match at least one column.');
    const alerts = harbour.page.getByRole('main').getByRole('alert');
    expect((await alerts.allInnerTexts()).join('').trim()).toBe('');
    await harbour.choose('Your column for “Firma”', /Person/);
    await harbour.choose('Your column for “Firma”', 'Don’t receive');
    await expect.poll(async () => (await alerts.allInnerTexts()).join('')).toContain('at least one column');
  });

  it('is warned beside an invite that nobody outside can use, with what to do next', async () => {
    await north.go('#/partners/add');
    await north.press('I invite them');
    await north.page.getByLabel('What do you call this partner?').fill('Mühle West');
    await north.press('On this computer only');
    await north.sees('This invite works only on this computer');
    await north.page.getByRole('button', { name: 'Allow, new invite' }).waitFor();
    const main = north.page.getByRole('main').locator('.button.primary');
    expect(await main.allInnerTexts()).toEqual(['Allow, new invite']);
  });

  it('reads days and amounts as its lists show them, and days as before or after another', async () => {
    const table = {
      name: 'Rechnungen',
      fields: [
        { name: 'Tag', label: 'Tag', kind: 'DateTime', isMulti: false, options: { only: 'date' } },
        { name: 'Summe', label: 'Summe', kind: 'Number', isMulti: false, options: { precision: 2 } },
      ],
    };
    const made = (desk: Desk): Promise<{ moduleID: string }> => desk.app('POST', '/app/lists', table);
    const { moduleID } = await made(north);
    await made(harbour);
    const values = { Tag: ['2026-01-13'], Summe: ['6814.20'] };
    await north.app('POST', `/app/lists/${moduleID}/rows`, { values });
    await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${moduleID}`, {
      fields: ['Tag', 'Summe'],
      condition: { parts: [{ column: 'Tag', test: 'greater', value: '2026-01-01' }] },
    });
    for (const desk of [north, harbour]) await desk.app('PATCH', '/app/settings', { language: 'de' });

    await harbour.go(`#/partners/${pair.atInvited}`);
    const offer = harbour.page.getByRole('listitem').filter({ hasText: 'Rechnungen' });
    await offer.locator('a[href*="/receive/"]').first().click();
    await harbour.choose('In welche Ihrer Listen sollen die Zeilen kommen?', /Rechnungen/);
    for (const shown of ['13.01.2026', '6.814,20'])
      await harbour.page.getByRole('cell').getByText(shown, { exact: true }).waitFor();

    await north.go(`#/partners/${pair.atInviter}`);
    await north.sees('Tag ist nach „01.01.2026“');
    await north.go(`#/partners/${pair.atInviter}/share/${moduleID}`);
    const comparison = north.page.getByRole('group', { name: 'Bedingung 1' });
    await comparison.getByLabel('Vergleich', { exact: true }).getByText('ist nach').waitFor();
    await north.go(`#/lists/${moduleID}`);
    await north.page.getByRole('columnheader', { name: 'Tag' }).getByRole('button').click();
    await north.page.getByRole('menuitem', { name: 'Filtern …' }).click();
    await north.choose('Zeilen zeigen, deren Wert', 'ist vor');
    await north.page.getByRole('dialog').getByLabel('Wert', { exact: true }).fill('1.2.2026');
    await north.press('Diese Zeilen zeigen');
    await north.page.getByRole('button', { name: /^Filter entfernen: Tag ist vor „01.02.2026“/ }).waitFor();
  });
});
