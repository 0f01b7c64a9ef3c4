import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import customersCsv from '../../samples/customers.csv?raw';
import { launchBrowser, openWindow, photograph } from '../support/browser.ts';
import { pair } from '../support/offices.ts';
import { officeOf, serveBuilt, type Served } from '../support/serve.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const findings = z.array(z.object({ id: z.string(), impact: z.string().nullable(), target: z.string() }));

const LONG = 'Long name '.repeat(20).trim();

describe('every page', () => {
  let browser: Browser;
  let north: Served;
  let harbour: Served;
  let page: Page;
  const errors: string[] = [];
  const places: Record<string, string> = {};

  beforeAll(async () => {
    browser = await launchBrowser();
    north = await serveBuilt({ args: ['--label', LONG] });
    harbour = await serveBuilt({ args: ['--label', 'Harbour Office'] });
    const origin = await officeOf(north, LONG);
    const destination = await officeOf(harbour, 'Harbour Office');
    const list = await origin.importCsv('customers', customersCsv);
    const ids = await pair(origin, destination);
    await origin.expose(ids.there, list, ['CompanyName']);
    await destination.syncNow(ids.here);
    const clients = await destination.createList('<img src=x onerror=alert(1)>', [
      { kind: 'String', name: 'Client', label: '<b>Client</b>', isMulti: false },
    ]);
    await destination.match(ids.here, 'customers', clients, { CompanyName: 'Client' });
    await destination.add(clients, { Client: '<script>alert(1)</script>' });
    await destination.syncNow(ids.here);
    page = await openWindow(browser, harbour.window, errors);
    await page.waitForLoadState();
    Object.assign(places, {
      welcome: '#/welcome',
      home: '#/',
      partners: '#/partners',
      'add-partner': '#/partners/add',
      'we-share': `#/partners/${ids.here}/share`,
      'we-receive': `#/partners/${ids.here}/receive`,
      activity: `#/partners/${ids.here}/activity`,
      connection: `#/partners/${ids.here}/connection`,
      lists: '#/lists',
      list: `#/lists/${clients.moduleID}`,
      import: '#/lists/import',
      settings: '#/settings',
      unknown: '#/nowhere',
    });
  });
  afterAll(async () => {
    await browser.close();
    await north.remove();
    await harbour.remove();
  });

  /** Serious and critical findings of axe-core on the page as it stands. */
  async function seriousFindings(): Promise<string[]> {
    await page.addScriptTag({ content: AXE }).catch(() => page.evaluate(AXE));
    const found: unknown =
      await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then((result) =>
      result.violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target }) => ({ id, impact, target: String(target) }))))`);
    return findings
      .parse(found)
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, target }) => `${id}: ${target}`);
  }

  it.each([
    ['welcome', 'Welcome to Footbridge'],
    ['home', 'Home'],
    ['partners', 'Partners'],
    ['add-partner', 'Add a partner'],
    ['we-share', LONG],
    ['we-receive', LONG],
    ['activity', LONG],
    ['connection', LONG],
    ['lists', 'Lists'],
    ['list', '<img src=x onerror=alert(1)>'],
    ['import', 'Import a file'],
    ['settings', 'Settings'],
    ['unknown', 'Not found'],
  ])('%s is accessible in both themes and fits 900 pixels', async (name, heading) => {
    await page.goto(`${new URL(page.url()).origin}/${places[name] ?? ''}`);
    await page.getByRole('heading', { level: 1, name: heading }).first().waitFor();
    await page.waitForTimeout(300);
    const found: Record<string, string[]> = {};
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(400);
      found[colorScheme] = await seriousFindings();
    }
    await page.setViewportSize({ width: 900, height: 700 });
    const tooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
    await photograph(page, `page-${name}-900`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await photograph(page, `page-${name}`);
    expect(found).toEqual({ light: [], dark: [] });
    expect(tooWide).toBe(false);
  });

  it('H9: shows markup in names and values as text', () => {
    // A name that ran as markup would have opened a dialog or failed to load an image: both are errors here.
    expect(errors.filter((error) => !error.includes('Content Security Policy'))).toEqual([]);
  });
});
