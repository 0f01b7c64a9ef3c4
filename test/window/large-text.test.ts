import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shoot } from '../support/harness/browser.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes } from '../support/harness/node.ts';

let desks: Desks;
let north: Desk;
let harbour: Desk;

beforeAll(async () => {
  desks = await openDesks('North Trading', 'Harbour Office');
  [north, harbour] = desks.all;
});
afterAll(() => desks.close());

/** Buttons and links that reach out of the page, as they are called; what one scrolls sideways is left out. */
const cut = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('aside a, aside button, main a, main button')].flatMap((each) => {
      const { left, right } = each.getBoundingClientRect();
      const isInside = left >= 0 && right <= document.documentElement.clientWidth;
      return isInside || each.closest('[role=grid], table, pre') ? [] : [each.textContent.trim()];
    }),
  );

it('has every button whole in text of 200 %, 390 pixels wide', { tags: 'nightly-looks' }, async () => {
  const { atInviter } = await pairNodes(north, harbour);
  await north.app('PATCH', `/app/partners/${atInviter}`, { name: 'Harbour Office & Sons, Reykjavík' });
  const list = await north.csv('Customers', 'Name,Town\nBo,Oslo\nÅse,Bergen\n');
  await north.page.setViewportSize({ width: 390, height: 800 });
  await north.page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  const places = {
    home: '#/',
    partners: '#/partners',
    partner: `#/partners/${atInviter}`,
    share: `#/partners/${atInviter}/share/${list}`,
    lists: '#/lists',
    settings: '#/settings',
  };
  for (const [name, hash] of Object.entries(places)) {
    await north.go(hash);
    await north.page.getByRole('heading', { level: 1 }).first().waitFor();
    await expect.poll(() => cut(north.page), { message: name, timeout: 5000 }).toEqual([]);
    await shoot(north.page, `large-text-${name}`);
  }
});
