import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';

let browser: Browser;
let desk: Desk;
let customers = '';
beforeAll(async () => {
  browser = await launchBrowser();
  desk = await openDesk(browser, 'North Trading');
  customers = await desk.csv(
    'Customers',
    'No,Name,City\n1,Größmann & Söhne,Ulm\n2,Łukasz,Köln\n3,Æther,Ulm\n4,Ada,Ulm\n5,Bo,Ulm\n',
  );
  await desk.csv('Suppliers', 'Name,Town\nUlmer Mühle,Bonn\n李,Trier\n');
});
afterAll(async () => {
  await browser.close();
  await desk.close();
});

it('finds words in all lists, and leads to the rows that have them', async () => {
  await desk.go('#/lists');
  await desk.page.getByRole('searchbox', { name: 'Search in all lists' }).fill('ulm');
  await desk.sees('5 rows have “ulm”');
  const found = desk.page.getByRole('region', { name: 'Found in' });
  await found.getByText('Größmann & Söhne, Æther and Ada …').waitFor();
  await found.getByText('Ulmer Mühle').waitFor();
  expect(await seriousFindings(desk.page)).toEqual([]);
  await photograph(desk.page, 'search-lists');
  await found.getByRole('link', { name: 'Customers' }).click();
  await desk.page.getByRole('gridcell', { name: 'Bo', exact: true }).waitFor();
  expect(await desk.page.getByRole('gridcell', { name: 'Łukasz' }).count()).toBe(0);
  expect(await desk.page.getByRole('searchbox', { name: 'Search in all columns' }).inputValue()).toBe('ulm');
  await desk.go('#/lists');
  await desk.page.getByRole('searchbox', { name: 'Search in all lists' }).fill('nowhere');
  await desk.sees('No row of any list has “nowhere”.');
});

it('unticks all rows when a search shows others, so that no row out of sight is deleted', async () => {
  await desk.go(`#/lists/${customers}`);
  await desk.page.getByRole('gridcell', { name: 'Bo', exact: true }).waitFor();
  const tickAll = desk.page.getByLabel('Tick all rows');
  await tickAll.click();
  await desk.sees('5 rows ticked');
  await desk.page.getByRole('searchbox', { name: 'Search in all columns' }).fill('köln');
  await desk.sees('1 of 5 rows');
  await desk.page.getByText('rows ticked').waitFor({ state: 'detached' });
  await tickAll.click();
  await desk.sees('1 row ticked');
  await desk.press('Delete');
  await desk.sees('1 row is in the bin.');
  await desk.sees('Bin: 1 row');
});
