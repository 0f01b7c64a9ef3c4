import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shoot } from '../support/harness/browser.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, rowsOf, type Pair } from '../support/harness/node.ts';
import type { NextSteps } from '../../server/contract/app/lists.ts';
import { appCalls } from '../support/harness/program.ts';

const CUSTOMERS =
  'Company,Phone,Town\nGärtnerei Lüdenscheid,02351 4411,Lüdenscheid\nAutohaus Krüger,0221 777,Köln\n';
const STOCK = 'Article,Price\nValve 3/4",8.20\nPipe 15 mm,2.10\n';

/** Mistakes with columns, matchings and shares are taken back after leaving the list, changing the view and a reload. */
describe('Undo after a reload', { tags: 'nightly-windows' }, () => {
  let desks: Desks;
  let mueller: Desk;
  let leeds: Desk;
  let pair: Pair;
  let customers = '';
  let articles = '';
  let stock = '';

  /** Answers that refused something, by call. */
  const refused: string[] = [];

  beforeAll(async () => {
    desks = await openDesks('Müller & Söhne', 'Leeds Trading');
    [mueller, leeds] = desks.all;
    mueller.page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(`${String(answer.status())} ${answer.url()}`);
    });
    customers = await mueller.csv('Kunden 2026', CUSTOMERS);
    articles = await mueller.csv('Artikel', 'Article,Price\nVentil DN 15,12.50\n');
    stock = await leeds.csv('Stock', STOCK);
    pair = await pairNodes(mueller, leeds);
    await leeds.app('PUT', `/app/partners/${pair.atInvited}/shares/${stock}`, {
      fields: ['Article', 'Price'],
    });
    await mueller.app('POST', `/app/partners/${pair.atInviter}/sync`);
  });
  afterAll(() => desks.close());

  const undoButton = (step: string): Locator =>
    mueller.page.getByRole('button', { name: `Undo: ${step}`, exact: true });
  /** Leaves a list, comes back to it, looks at it in another way, and reloads the window. */
  const leaveAndReload = async (list: string): Promise<void> => {
    await mueller.go('#/lists');
    await mueller.page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    await mueller.go(`#/lists/${list}`);
    await mueller.page.getByPlaceholder('Search in all columns').fill('Ventil');
    await mueller.page.reload();
    await mueller.page.getByRole('grid').waitFor();
  };

  it('of a deleted column, by its name, gives its values back', async () => {
    const { page } = mueller;
    const before = await rowsOf(mueller, customers);
    await mueller.go(`#/lists/${customers}`);
    await page.getByRole('gridcell', { name: '0221 777' }).waitFor();
    await mueller.press('More');
    await page.getByRole('menuitem', { name: 'Name and columns' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Column 2: remove' }).click();
    await mueller.sees(/2 values/);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete column' }).click();
    await mueller.sees('“Phone” is in the bin.');
    await expect.poll(() => page.getByRole('gridcell', { name: '0221 777' }).count()).toBe(0);
    await leaveAndReload(customers);
    await undoButton('column Phone deleted').click();
    await page.getByRole('gridcell', { name: '0221 777' }).waitFor();
    await mueller.sees('Undone: column Phone deleted.');
    expect(await rowsOf(mueller, customers)).toEqual(before);
    await page.getByRole('button', { name: 'Redo: column Phone deleted' }).waitFor();
  });

  it('of a deleted column with the button of the list ends the offer in the message', async () => {
    const { page } = mueller;
    const offer = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' });
    await mueller.press('More');
    await page.getByRole('menuitem', { name: 'Name and columns' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Column 2: remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete column' }).click();
    await offer.waitFor();
    await undoButton('column Phone deleted').click();
    await page.getByRole('button', { name: 'Redo: column Phone deleted' }).waitFor();
    expect(await offer.count()).toBe(0);
  });

  it('is not needed for a column of another window that this one did not know of when it saved', async () => {
    const { page } = mueller;
    const list = await mueller.csv('Filialen', 'Town,Fax\nKöln,0221 1\n');
    await page.route('**/app/events*', (route) => route.abort());
    await page.reload();
    await mueller.go(`#/lists/${list}`);
    await mueller.press('More');
    await page.getByRole('menuitem', { name: 'Name and columns' }).click();
    const { fields } = await mueller.app<{ fields: object[] }>('GET', `/app/lists/${list}`);
    const note = { label: 'Note', kind: 'String', isMulti: false };
    await mueller.app('PATCH', `/app/lists/${list}`, { fields: [...fields, note] });
    await page.getByRole('dialog').getByRole('textbox').nth(1).fill('Place');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const after = await mueller.app<{ fields: { label: string }[] }>('GET', `/app/lists/${list}`);
    expect(after.fields.map(({ label }) => label)).toEqual(['Place', 'Fax', 'Note']);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
  });

  it('of a deleted list is offered above the lists until it is done, and gives back rows, view and log', async () => {
    const { page } = mueller;
    const before = await rowsOf(mueller, customers);
    await mueller.go(`#/lists/${customers}`);
    // The node reports the deletion to the window before its answer is there.
    await page.route(`**/app/lists/${customers}`, async (route) => {
      const answer = await route.fetch();
      if (route.request().method() === 'DELETE') await new Promise((done) => setTimeout(done, 1500));
      await route.fulfill({ response: answer });
    });
    await mueller.press('More');
    await page.getByRole('menuitem', { name: 'Delete list …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click();
    await mueller.sees('“Kunden 2026” is in the bin with its 2 rows.');
    await page.waitForTimeout(2000);
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
    await undoButton('list “Kunden 2026” deleted, 2 rows').click();
    await mueller.sees('“Kunden 2026” is restored.');
    await expect.poll(() => undoButton('list “Kunden 2026” deleted, 2 rows').count()).toBe(0);
    expect(await rowsOf(mueller, customers)).toEqual(before);
    await mueller.go(`#/lists/${customers}`);
    await page.getByRole('button', { name: 'Redo: column Phone deleted' }).waitFor();
  });

  it('of a deleted list is no longer offered above the lists once it is closed; the bin has it', async () => {
    const { page } = mueller;
    const notes = await mueller.csv('Notizen', 'Text\nInventur im Mai\n');
    await mueller.app('DELETE', `/app/lists/${notes}`);
    await mueller.go('#/lists');
    const offered = page.getByRole('status').filter({ hasText: '“Notizen” is in the bin with its 1 row.' });
    await offered.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => offered.count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Bin (1 list)' }).waitFor();
    expect(await offered.count()).toBe(0);
  });

  it('of a deleted list says that its rows from a partner go into another list by now, and leads there', async () => {
    const { page } = mueller;
    const offers = `/app/partners/${pair.atInviter}/offers`;
    const [offer] = await mueller.app<{ sharedModuleID: string }[]>('GET', offers);
    const make = async (name: string): Promise<string> =>
      (
        await mueller.app<{ moduleID: string }>('POST', `${offers}/${offer?.sharedModuleID ?? ''}/list`, {
          name,
        })
      ).moduleID;
    const first = await make('Bestand');
    await mueller.app('DELETE', `/app/lists/${first}`);
    await make('Bestand neu');
    await mueller.go('#/lists');
    await mueller.press(/^Bin \(/);
    await page.getByRole('dialog').getByRole('button', { name: 'Restore Bestand' }).click();
    await mueller.sees(
      /“Bestand” is restored\. It no longer receives the rows of .+: they go into “Bestand neu” now\./,
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await shoot(page, `restored-elsewhere-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: null });
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await mueller.press('Choose the list …');
    await mueller.sees('Bestand neu');
    await mueller.app('DELETE', `${offers}/${offer?.sharedModuleID ?? ''}/matching`);
  });

  it('of two imports leaves the rows of each together in the bin, those of the latest undo first', async () => {
    const { page } = mueller;
    const list = await mueller.csv('Kleinteile', 'Article\nMutter M6\nMutter M8\n');
    const first = await mueller.app<NextSteps>('GET', `/app/lists/${list}/steps`);
    await mueller.csv('Kleinteile', 'Article\nScheibe M6\nScheibe M8\n');
    await mueller.app('POST', `/app/lists/${list}/undo`, { stepID: first.undo?.stepID });
    await mueller.app('POST', `/app/lists/${list}/undo`, {});
    await mueller.go(`#/lists/${list}?bin`);
    const shown = page.getByRole('grid').locator('[data-column="0"]');
    await expect
      .poll(async () => (await shown.allInnerTexts()).filter((text) => / M\d$/.test(text)))
      .toEqual(['Scheibe M6', 'Scheibe M8', 'Mutter M6', 'Mutter M8']);
  });

  it('of a matching takes its rows away again', async () => {
    const { page } = mueller;
    const before = await rowsOf(mueller, articles);
    await mueller.go('#/');
    await page.getByRole('link', { name: 'Match with a list of mine' }).click();
    await mueller.choose('Which of your lists should the rows go into?', 'Artikel');
    await mueller.press('Receive 2 columns');
    await mueller.sees('2 rows received');
    await leaveAndReload(articles);
    await page.getByRole('gridcell', { name: 'Pipe 15 mm' }).waitFor();
    await undoButton('matching with “Stock”').click();
    await expect.poll(() => page.getByRole('gridcell', { name: 'Pipe 15 mm' }).count()).toBe(0);
    expect(await rowsOf(mueller, articles)).toEqual(before);
    await page.getByRole('button', { name: 'Redo: matching with “Stock”' }).click();
    await page.getByRole('gridcell', { name: 'Pipe 15 mm' }).waitFor();
  });

  it('of “keep the rows as our own” matches them again, with the partner who shares once more', async () => {
    const { page } = mueller;
    await leeds.app('DELETE', `/app/partners/${pair.atInvited}/shares/${stock}`);
    await mueller.app('POST', `/app/partners/${pair.atInviter}/sync`);
    await mueller.go(`#/partners/${pair.atInviter}/receive`);
    await mueller.press('Keep the rows');
    await expect.poll(() => page.getByText('They no longer share it').count()).toBe(0);
    await leaveAndReload(articles);
    await undoButton('end of matching with “Stock”').click();
    await mueller.sees('Undone: end of matching with “Stock”.');
    await leeds.app('PUT', `/app/partners/${pair.atInvited}/shares/${stock}`, {
      fields: ['Article', 'Price'],
    });
    const [first] = await rowsOf(leeds, stock);
    await leeds.app('PATCH', `/app/lists/${stock}/rows/${first?.recordID ?? ''}`, {
      values: { Price: ['8.90'] },
    });
    await mueller.app('POST', `/app/partners/${pair.atInviter}/sync`);
    await page.getByRole('gridcell', { name: '8.90' }).waitFor();
    expect(await rowsOf(mueller, articles)).toHaveLength(3);
  });

  it('of “move to the bin” puts the rows of a stopped share back and matches them again', async () => {
    const { page } = mueller;
    const before = await rowsOf(mueller, articles);
    await leeds.app('DELETE', `/app/partners/${pair.atInvited}/shares/${stock}`);
    await mueller.app('POST', `/app/partners/${pair.atInviter}/sync`);
    await mueller.go(`#/partners/${pair.atInviter}/receive`);
    await mueller.sees('If they share it again, updates resume');
    await mueller.press('Move 2 rows to the bin');
    await mueller.sees('You no longer receive “Stock”. 2 rows are in the bin.');
    expect((await rowsOf(mueller, articles)).map(({ Article }) => Article)).toEqual(['Ventil DN 15']);
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
    await mueller.sees('Undone: end of matching with “Stock”.');
    await page.getByRole('button', { name: 'Move 2 rows to the bin' }).waitFor();
    expect(await rowsOf(mueller, articles)).toEqual(before);
  });

  it('of stopping a share leads to it with the same columns ticked, also later', async () => {
    const { page } = mueller;
    await mueller.app('PUT', `/app/partners/${pair.atInviter}/shares/${customers}`, {
      fields: ['Company', 'Town'],
    });
    await mueller.go(`#/partners/${pair.atInviter}`);
    await mueller.press('Stop sharing');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click();
    const again = async (): Promise<void> => {
      await mueller.sees(/^Ticked are the columns that .+ saw before\./);
      const isTicked = (name: string): Promise<boolean> => page.getByRole('checkbox', { name }).isChecked();
      expect([await isTicked('Company'), await isTicked('Phone'), await isTicked('Town')]).toEqual([
        true,
        false,
        true,
      ]);
    };
    // Another list that is shared hides no offer.
    await mueller.app('PUT', `/app/partners/${pair.atInviter}/shares/${articles}`, { fields: ['Article'] });
    await page.getByRole('link', { name: 'Share a list' }).waitFor();
    await page.getByRole('link', { name: 'Share “Kunden 2026” again …' }).waitFor();
    await mueller.app('DELETE', `/app/partners/${pair.atInviter}/shares/${articles}`);
    await mueller.press('Share again …');
    await again();
    await mueller.go(`#/partners/${pair.atInviter}/share/${customers}`);
    await page.reload();
    await again();
    await mueller.press('Share 2 columns');
    await mueller.sees(/^You now share 2 columns of “Kunden 2026” with /);
  });

  it('of what a program with a token did is in the menu of the list, and so is doing it again', async () => {
    const { page } = mueller;
    const program = appCalls(mueller.served);
    const before = await rowsOf(mueller, customers);
    await program('POST', `/app/lists/${customers}/rows/delete`, {
      recordIDs: before.map(({ recordID }) => recordID),
    });
    expect(await rowsOf(mueller, customers)).toEqual([]);
    await mueller.go(`#/lists/${customers}`);
    await mueller.press('More');
    await page.getByRole('menuitem', { name: 'Undo a program’s change: 2 rows deleted' }).click();
    await mueller.sees('Undone: 2 rows deleted.');
    expect(await rowsOf(mueller, customers)).toEqual(before);
    await page.getByRole('gridcell', { name: '0221 777' }).waitFor();
    await mueller.press('More');
    await page.getByRole('menuitem', { name: 'Redo a program’s change: 2 rows deleted' }).click();
    await mueller.sees('Redone: 2 rows deleted.');
    expect(await rowsOf(mueller, customers)).toEqual([]);
    await mueller.press('More');
    await page.getByRole('menuitem', { name: 'Undo a program’s change: 2 rows deleted' }).click();
    await expect.poll(() => rowsOf(mueller, customers)).toEqual(before);
  });

  it('of “move to the bin” puts the rows of a partner back that ended the connection', async () => {
    const { page } = mueller;
    const before = await rowsOf(mueller, articles);
    const prices = await leeds.csv('Preise', 'Article,Price\nMuffe,1.00\n');
    await leeds.app('PUT', `/app/partners/${pair.atInvited}/shares/${prices}`, { fields: ['Article'] });
    await leeds.app('PUT', `/app/partners/${pair.atInvited}/shares/${stock}`, {
      fields: ['Article', 'Price'],
    });
    await mueller.app('POST', `/app/partners/${pair.atInviter}/sync`);
    await mueller.go(`#/partners/${pair.atInviter}`);
    await page.getByRole('link', { name: 'Change matching' }).waitFor();
    await page.getByRole('link', { name: 'Match with a list of mine' }).waitFor();
    await leeds.app('POST', `/app/partners/${pair.atInvited}/disconnect`, {
      received: 'keep',
      askRemoval: true,
    });
    await mueller.sees('“Move … to the bin” at each list below does that, and can be undone.');
    await mueller.go(`#/partners/${pair.atInviter}/connection`);
    await page.getByRole('heading', { name: 'Addresses' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Verification words' }).count()).toBe(0);
    await page.getByRole('link', { name: 'See what can be removed' }).click();
    await mueller.sees('The connection has ended. The 2 rows that arrived stay in your list.');
    // Nothing would arrive any more.
    expect(await page.getByRole('link', { name: 'Change matching' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Match with a list of mine' }).count()).toBe(0);
    const { inbox } = await mueller.app<{ inbox: readonly { kind: string }[] }>('GET', '/app/overview');
    expect(inbox.map(({ kind }) => kind)).not.toContain('list-offered');
    await mueller.press('Move 2 rows to the bin');
    await mueller.sees('You no longer receive “Stock”. 2 rows are in the bin.');
    expect((await rowsOf(mueller, articles)).map(({ Article }) => Article)).toEqual(['Ventil DN 15']);
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
    await mueller.sees('Undone: end of matching with “Stock”.');
    await page.getByRole('button', { name: 'Move 2 rows to the bin' }).waitFor();
    expect(await rowsOf(mueller, articles)).toEqual(before);
    await mueller.press('Keep the rows');
    await mueller.sees('You no longer receive “Stock”. Its rows stay in your list.');
    await leaveAndReload(articles);
    await undoButton('end of matching with “Stock”').click();
    await mueller.sees('Undone: end of matching with “Stock”.');
    expect(await rowsOf(mueller, articles)).toEqual(before);
  });

  it('is not needed for what is typed as the window is closed or reloaded: it is saved', async () => {
    const { page } = mueller;
    await mueller.go(`#/lists/${customers}`);
    const shown = (name: string): Locator => page.getByRole('gridcell', { name, exact: true });
    await shown('Köln').dblclick();
    await page.keyboard.type('Bonn');
    await page.reload();
    await shown('Bonn').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('gridcell', { name: 'Bonn', exact: true }).click();
    await other.keyboard.press('Control+Enter');
    const details = other.getByRole('complementary', { name: 'Details' });
    await details.getByLabel('Town', { exact: true }).fill('Bonn-Beuel');
    await other.close({ runBeforeUnload: true });
    await expect
      .poll(async () => (await rowsOf(mueller, customers)).map(({ Town }) => Town))
      .toContain('Bonn-Beuel');
    await shown('Bonn-Beuel').waitFor();
  });

  it('is not needed for what is typed in a dialog: Esc, a click beside it and its cross ask first', async () => {
    const { page } = mueller;
    const dialog = page.getByRole('dialog');
    const question = dialog.getByText('What you entered isn’t saved.');
    const name = dialog.getByRole('textbox', { name: 'Name of the list' });
    await mueller.go('#/lists');
    await mueller.press('New list');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await mueller.press('New list');
    await name.fill('Lieferanten');
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(20, 700),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await leave();
      await question.waitFor();
      await dialog.getByRole('button', { name: 'Keep editing' }).click();
      await expect.poll(() => question.count()).toBe(0);
      expect(await name.inputValue()).toBe('Lieferanten');
    }
    await page.keyboard.press('Escape');
    await question.waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await shoot(page, `dialog-unsaved-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: null });
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Make the list' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
  });

  it('of a deleted column: the question names partners that see it by a share made meanwhile', async () => {
    const { page } = mueller;
    const list = await mueller.csv('Fahrer', 'Name,Telefon\nJana Brandt,0171 55\n');
    await mueller.go(`#/lists/${list}`);
    await page.getByRole('gridcell', { name: '0171 55' }).waitFor();
    const { atInviter } = await pairNodes(mueller, leeds);
    await mueller.app('PUT', `/app/partners/${atInviter}/shares/${list}`, { fields: ['Name', 'Telefon'] });
    // The window hears of the share by an event.
    await page.waitForTimeout(1000);
    await mueller.press('More');
    await page.getByRole('menuitem', { name: 'Name and columns' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Column 2: remove' }).click();
    await mueller.sees(/Telefon is no longer shared with /);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  it('nothing went wrong on either page meanwhile', () => {
    expect([...mueller.errors, ...leeds.errors, ...refused]).toEqual([]);
  });
});
