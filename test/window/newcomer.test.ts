import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { createNewcomer, type Newcomer, type Pace } from '../support/reading/newcomer.ts';

type Done = ReturnType<Newcomer['done']>;
interface Milestone extends Pace, Done {
  readonly byScript: number;
}

const OFFICES = ['North Trading', 'Harbour Office'] as const;
const OUTPUT = fileURLToPath(new URL('../../test-output', import.meta.url));

/** From first start to a change that arrives by what is on the screen alone: eight presses to be connected, four minutes. */
describe('somebody who has read nothing', { tags: 'nightly-windows' }, () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let anna: Newcomer;
  let boris: Newcomer;

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([openDesk(browser), openDesk(browser)]);
    await north.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // One person, who goes from one window to the other.
    const known = new Set<string>();
    anna = createNewcomer(north.page, OFFICES, known);
    boris = createNewcomer(harbour.page, OFFICES, known);
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.close();
  });

  it('is connected after eight presses, and has seen a change arrive within four minutes', async () => {
    const began = performance.now();
    /** Both persons so far, one after the other. */
    const soFar = (): Milestone => {
      const [a, b] = [anna, boris].map((person) => ({ ...person.byHand(), ...person.done() }));
      const sum = (part: (one: Pace & Done) => number): number =>
        Math.round([a, b].reduce((total, one) => total + (one ? part(one) : 0), 0));
      return {
        presses: sum(({ presses }) => presses),
        fields: sum(({ fields }) => fields),
        acting: sum(({ acting }) => acting),
        reading: sum(({ reading }) => reading),
        byScript: Math.round((performance.now() - began) / 100) / 10,
      };
    };

    await anna.write('What is your office called?', OFFICES[0]);
    await anna.press('Continue');
    await anna.press('I invite them');
    await anna.write('What do you call this partner?', OFFICES[1]);
    await anna.press('On this computer only');
    await anna.press('Copy');
    const invite = await north.page.evaluate(() => navigator.clipboard.readText());

    await boris.write('What is your office called?', OFFICES[1]);
    await boris.press('Continue');
    await boris.press('They invited me');
    await boris.paste('Paste it here', invite);
    await boris.press('Yes, connect');
    await anna.press('Approve');
    await anna.reads('Call them now');
    const connected = soFar();

    for (const person of [anna, boris]) await person.press('Yes, the same words');
    const compared = soFar();
    await anna.press('Share a list');
    await anna.press('Customers');
    for (const column of ['CompanyName', 'City', 'Country']) await anna.press(column);
    await anna.press('Share 3 columns');
    await boris.press('Make a list like this');
    await boris.press('Open');
    await boris.reads('Herbaciarnia Zieliński');
    const rows = soFar();

    await anna.press('customers');
    await anna.overwrite('Łódź', 'Zgierz');
    await boris.reads('Zgierz');
    const changed = soFar();

    const report = { connected, compared, rows, changed };
    mkdirSync(OUTPUT, { recursive: true });
    writeFileSync(
      join(OUTPUT, 'newcomer.json'),
      `${JSON.stringify({ ...report, anna: anna.read, boris: boris.read }, null, 2)}\n`,
    );
    for (const [what, { presses, fields, acting, reading, byScript }] of Object.entries(report))
      console.log(
        `${what}: ${presses} presses and ${fields} fields in two windows, ${byScript} s by script; estimated for one ` +
          `person who does both sides ${acting} s of acting and ${reading} s of reading every word`,
      );
    expect(connected.presses).toBeLessThanOrEqual(8);
    expect(changed.acting + changed.reading).toBeLessThan(240);
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });
});
