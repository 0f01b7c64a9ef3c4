import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { omit } from '../../server/base/omit.ts';
import { sampleOf } from '../support/data/luck.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { csvOf, customers, languages, payments, signatures } from '../support/data/office-lists.ts';
import { pairNodes, rowsOf, shareAndReceive, type Pair } from '../support/harness/node.ts';

const LONG = 50_000;

/** All that a row says, whatever its number. */
function textOf(row: Record<string, string>): string {
  return JSON.stringify(Object.entries(omit(row, 'recordID')).sort());
}

/** Rows that came from a partner, and how they come. */
describe('received rows', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let people = '';
  let received = '';

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
    people = await north.csv('People', 'Name,Town\nAnna,Riga\nBoris,Lyon\n');
    pair = await pairNodes(north, harbour);
    ({ list: received } = await shareAndReceive(
      { office: north, partner: pair.atInviter, list: people },
      ['Name', 'Town'],
      { office: harbour, partner: pair.atInvited },
    ));
    await harbour.app('POST', `/app/lists/${received}/rows`, { values: { Name: ['Our own'] } });
    await harbour.go(`#/lists/${received}`);
  });
  afterAll(() => desks.close());

  const line = (name: string): Locator => harbour.page.getByRole('row', { name: new RegExp(name) });
  const details = (): Locator => harbour.page.getByRole('complementary', { name: 'Details' });

  it('carry their partner’s mark; our own do not', async () => {
    await line('Anna').getByText('North Trading').waitFor();
    await line('Our own').waitFor();
    expect(await line('Our own').getByText('North Trading').count()).toBe(0);
  });

  it('tell where they come from: partner, their number, when', async () => {
    const [anna] = await rowsOf(north, people);
    await line('Anna').getByRole('gridcell', { name: 'Anna' }).click();
    await harbour.press('Details');
    await details().getByRole('link', { name: 'From North Trading' }).waitFor();
    await details().getByText('Changed there').waitFor();
    await details().getByText('Arrived here').waitFor();
    await details()
      .getByText(anna?.recordID ?? 'none', { exact: true })
      .waitFor();
  });

  it('show the value before once the partner changed it', async () => {
    const [anna] = await rowsOf(north, people);
    await north.app('PATCH', `/app/lists/${people}/rows/${anna?.recordID ?? ''}`, {
      values: { Town: ['Oslo'] },
    });
    await line('Oslo').waitFor();
    await details().getByRole('heading', { name: 'History of this row' }).waitFor();
    const past = details().getByRole('listitem');
    const change = past.filter({ hasText: 'Town' });
    await change.locator('s', { hasText: 'Riga' }).waitFor();
    expect(await change.innerText()).toMatch(/From North Trading[^]*Riga[^]*Oslo/);
    expect(await past.last().innerText()).toMatch(/From North Trading[^]*Row added/);
  });

  it('take back one change of many, and undo that', async () => {
    const past = details().getByRole('listitem');
    await details().getByRole('button', { name: 'Take back: Town as “Riga”' }).click();
    await line('Anna').getByText('Riga').waitFor();
    await past
      .filter({ hasText: 'This office' })
      .filter({ hasText: /Oslo\s*Riga/ })
      .waitFor();
    await harbour.page.getByRole('button', { name: 'Undo' }).first().click();
    await line('Anna').getByText('Oslo').waitFor();
    await details()
      .getByText(/^Changed here\. Received/)
      .waitFor({ state: 'detached' });
  });

  it('show what was changed here, keep it, and give back what was received', async () => {
    const { page } = harbour;
    await details().getByLabel('Town', { exact: true }).fill('Bergen');
    await page.keyboard.press('Tab');
    await details().getByText('Your own value: partners don’t get it. They have: Oslo').waitFor();
    await line('Bergen').getByText('changed here').waitFor({ state: 'attached' });
    // A change there does not overwrite it.
    const [anna] = await rowsOf(north, people);
    await north.app('PATCH', `/app/lists/${people}/rows/${anna?.recordID ?? ''}`, {
      values: { Name: ['Anna B.'], Town: ['Turku'] },
    });
    await details().getByText('Your own value: partners don’t get it. They have: Turku').waitFor();
    await line('Anna B.').getByText('Bergen').waitFor();
    await details().getByRole('button', { name: 'Take back', exact: true }).click();
    await line('Anna B.').getByText('Turku').waitFor();
    await details()
      .getByText(/^Changed here\. Received/)
      .waitFor({ state: 'detached' });
  });

  it.each(sampleOf([customers(), signatures(), languages()], 3))(
    'come as the office across has them: $name',
    async ({ name, columns, rows }) => {
      const list = await north.csv(name, csvOf({ name, columns, rows }));
      await harbour.go(`#/partners/${pair.atInvited}/receive`);
      await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, { fields: columns });
      await harbour.press('Make a list like this one');
      await harbour.sees(`${rows.length.toLocaleString('en')} rows received`);
      const lists = await harbour.app<{ moduleID: string; name: string }[]>('GET', '/app/lists');
      const arrived = await rowsOf(harbour, lists.find((each) => each.name === name)?.moduleID ?? '');
      expect(arrived.map(textOf).sort()).toEqual((await rowsOf(north, list)).map(textOf).sort());
    },
  );

  it('come with live counts and pace, pause when told, and go on', async () => {
    const list = payments({ rows: LONG });
    const long = await north.csv('Long', csvOf(list));
    await harbour.go(`#/partners/${pair.atInvited}/receive`);
    await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${long}`, { fields: list.columns });
    await harbour.press('Make a list like this one');
    await harbour.sees(/\d of 50,000 rows/);
    await harbour.sees(/[1-9]\d* rows a second|minutes? left/);
    await harbour.page.getByRole('main').getByRole('button', { name: 'Pause' }).click();
    await harbour.page.getByRole('menuitem', { name: 'Until I resume' }).click();
    await harbour.page.getByRole('main').getByText('Paused').first().waitFor();
    const [, stopped] = await harbour.app<{ rows: number }[]>('GET', '/app/lists');
    expect(stopped?.rows).toBeLessThan(LONG);
    await harbour.page.getByRole('main').getByRole('button', { name: 'Resume' }).click();
    await harbour.page.getByText('50,000 rows received').waitFor({ timeout: 150_000 });
  });

  it('nothing went wrong on either page meanwhile', () => {
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });
});
