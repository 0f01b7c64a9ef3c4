import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { photograph, savedBytes } from '../support/harness/browser.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, rowsOf, shareAndReceive, type Pair } from '../support/harness/node.ts';

const PEOPLE = `Name,City,Salary
Anna,Riga,4100
Boris,Lyon,3900
Clara,Bern,5200
`;

/** What an office sees and does about what it gives away, and about the connection as such. */
describe('We share and Connection', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let people = '';

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
    people = await north.csv('People', PEOPLE);
    pair = await pairNodes(north, harbour);
    await north.app('PATCH', `/app/partners/${pair.atInviter}`, { name: 'Harbour Office' });
  });
  afterAll(() => desks.close());

  it('the partner’s-eye view shows first what leaves and then, locked, what stays, before anything is shared', async () => {
    const { page } = north;
    await north.go(`#/partners/${pair.atInviter}/share/${people}`);
    const eye = page.getByRole('region', { name: 'Preview for Harbour Office' }).first();
    await eye.getByText('Tick a column to see what they would see.').waitFor();
    await north.sees('Nothing leaves yet.');
    await page.getByLabel('Salary').check();
    await page.getByLabel('City').check();
    await eye.locator('th:not(.stays)', { hasText: 'Salary' }).waitFor();
    await eye.locator('th:not(.stays)', { hasText: 'City' }).waitFor();
    expect(await eye.locator('th').allInnerTexts()).toEqual([
      'City',
      'Salary',
      expect.stringMatching(/stays on this computer:\s*Name/),
    ]);
    const salary = eye.locator('td', { hasText: '4100' });
    expect(await salary.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe('end');
    expect(await eye.locator('td:not(.stays)').allInnerTexts()).toEqual([
      'Riga',
      '4100',
      'Lyon',
      '3900',
      'Bern',
      '5200',
    ]);
    expect(await eye.locator('td.stays').allInnerTexts()).toEqual(['Anna', 'Boris', 'Clara']);
    await page.getByLabel('Salary').uncheck();
    await page.getByLabel('Name').check();
    await eye.locator('th.stays', { hasText: 'Salary' }).waitFor();
    await north.sees('3 rows and 2 columns may leave this computer.');
    expect(await north.app('GET', `/app/partners/${pair.atInviter}/shares`)).toEqual([]);
    await north.press('Share 2 columns');
    await north.sees('You now share 2 columns of “People” with Harbour Office.');
    const seen = page.getByRole('list', { name: 'They see' }).getByRole('listitem');
    await expect.poll(() => seen.allInnerTexts()).toEqual(['Name', 'City']);
    await north.sees('Stays here: Salary');
    await north.sees('nothing sent yet');
  });

  it('the ledger shows what left as soon as it has, and is saved as a file', async () => {
    await north.page.getByRole('link', { name: 'See the sharing log' }).click();
    await north.sees('Nothing sent yet');
    await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
    const [offer] = await harbour.app<{ sharedModuleID: string }[]>(
      'GET',
      `/app/partners/${pair.atInvited}/offers`,
    );
    await harbour.app(
      'POST',
      `/app/partners/${pair.atInvited}/offers/${offer?.sharedModuleID ?? ''}/list`,
      {},
    );
    await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
    const line = north.page.getByRole('row', { name: /People.*Name and City.*3/ });
    await line.waitFor();
    const saving = north.page.waitForEvent('download');
    await north.page.getByRole('link', { name: 'Save as CSV' }).click();
    const text = (await savedBytes(await saving)).toString();
    expect(text).toContain('People');
    expect(text).toContain('Name');
    expect(text).not.toContain('4100');
    await north.page.getByRole('link', { name: 'Lists', exact: true }).last().click();
    await north.sees('3 rows sent');
  });

  it(
    'an eye in the list stands at the columns that a partner sees, and at no other',
    { tags: 'nightly-windows' },
    async () => {
      const { page } = north;
      await north.go(`#/lists/${people}`);
      const head = (name: string): Locator => page.getByRole('columnheader').getByRole('button', { name });
      await expect.poll(() => head('City').getAttribute('title')).toBe('City\nSeen by Harbour Office');
      for (const [column, eyes] of [
        ['Name', 1],
        ['City', 1],
        ['Salary', 0],
      ] as const)
        expect(await head(column).locator('.seen').count(), column).toBe(eyes);
      expect(
        await page.getByRole('button', { name: 'City', description: 'Seen by Harbour Office' }).count(),
      ).toBe(1);
      expect(await seriousFindings(page)).toEqual([]);
      await photograph(page, 'list-seen');
      await north.go(`#/partners/${pair.atInviter}`);
    },
  );

  it('a column more is shared later, and arrives where it was matched', async () => {
    await north.page.getByRole('link', { name: 'Change columns and rows' }).click();
    await north.page.getByLabel('Salary').check();
    await north.press('Share 3 columns');
    await north.sees('3 of 3 columns');
    await harbour.go(`#/partners/${pair.atInvited}/receive`);
    await harbour.sees('1 column not matched: Salary');
  });

  it('stopping says first what was already sent, and can be called off', async () => {
    await north.press('Stop sharing');
    const dialog = north.page.getByRole('dialog', { name: 'Stop sharing “People” with Harbour Office?' });
    await dialog.getByText('They get nothing more of this list, from this moment on.').waitFor();
    await dialog.getByText('3 rows were sent to them. Those that arrived stay there.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await north.sees('3 of 3 columns');
    await north.press('Stop sharing');
    await dialog.getByRole('button', { name: 'Stop sharing' }).click();
    await north.sees('“People” is no longer shared with Harbour Office.');
    await north.sees('You share nothing with Harbour Office');
    // The other side is told what became of its rows.
    await harbour.sees('They no longer share it. The 3 rows that arrived stay in your list.');
  });

  it('both sides show the same verification words', async () => {
    await north.go(`#/partners/${pair.atInviter}/connection`);
    await harbour.go(`#/partners/${pair.atInvited}/connection`);
    const words = (desk: Desk): Promise<string> =>
      desk.page.getByRole('region', { name: 'Verification words' }).locator('[dir=ltr]').innerText();
    const mine = await words(north);
    expect(mine.split(' ').length).toBeGreaterThanOrEqual(3);
    expect(await words(harbour)).toBe(mine);
  });

  it('the connection is said plainly: address, security, how long it lasts', async () => {
    await north.sees('Their address');
    await north.sees(/127\.0\.0\.1:\d+/);
    await north.sees('Footbridge: changes arrive within a second');
    await north.sees('It’s renewed automatically');
    await north.sees(/Encrypted|Not encrypted/);
  });

  it('what runs at the other end is found out, and can be set right', async () => {
    const kind = north.page.getByLabel('What runs at the other end');
    const stored = async (): Promise<string | undefined> =>
      (await north.app<{ dialect?: string }>('GET', `/app/partners/${pair.atInviter}`)).dialect;
    expect(await kind.isVisible()).toBe(false);
    const before = await stored();
    await north.page.getByText('If the partner uses other software').click();
    await north.choose('What runs at the other end', 'Another program of its kind, second form');
    await expect.poll(stored).toBe('shape2');
    await north.sees('Saved.');
    await north.choose(
      'What runs at the other end',
      before === undefined ? 'Detect automatically' : /^Footbridge, or/,
    );
    await expect.poll(stored).toBe(before);
  });

  it(
    'a program that does not hand over rows the usual way is read around, if the user says so',
    { tags: 'nightly-windows' },
    async () => {
      const path = `**/app/partners/${pair.atInviter}`;
      let asked: unknown;
      // No Footbridge has this trouble: the partner's is made up here.
      const detail = async (fallback: string): Promise<object> => ({
        response: { ...(await north.app<object>('GET', `/app/partners/${pair.atInviter}`)), fallback },
      });
      await north.page.route(path, async (route) => route.fulfill({ json: await detail('offered') }));
      await north.page.route(`${path}/fallback`, async (route) => {
        asked = route.request().postDataJSON();
        await route.fulfill({ json: await detail('on') });
      });
      await north.page.reload();
      const answered = north.page.waitForResponse(`${path}/fallback`);
      await north.page.getByLabel('Fetch their rows another way').click();
      await answered;
      expect(asked).toEqual({ on: true });
      await expect.poll(() => north.page.getByLabel('Fetch their rows another way').isChecked()).toBe(true);
      // The page asks whenever something happens; an answer may be on its way.
      await north.page.unrouteAll({ behavior: 'wait' });
      await north.page.reload();
      await north.sees('Verification words');
    },
  );

  it('pairing again keeps lists and rows, and gives new words', { tags: 'nightly-windows' }, async () => {
    const words = north.page.getByRole('region', { name: 'Verification words' }).locator('[dir=ltr]');
    const before = await words.innerText();
    await north.press('Make a new invite');
    const invite = await north.page.getByRole('textbox', { name: 'Invite for Harbour Office' }).inputValue();
    await north.page.keyboard.press('Escape');
    await harbour.go('#/partners/add?paste');
    await harbour.page.getByLabel('Invite', { exact: true }).fill(invite);
    await harbour.sees('You already have this partner. This invite reconnects you.');
    await harbour.press('Yes, connect');
    await north.press('Approve');
    // New words, to be compared anew.
    await north.page.getByRole('heading', { name: 'Call them now' }).waitFor();
    await north.go(`#/partners/${pair.atInviter}/connection`);
    await expect.poll(() => words.innerText(), { timeout: 15_000 }).not.toBe(before);
    await harbour.go(`#/partners/${pair.atInvited}/connection`);
    await harbour.sees(await words.innerText());
    const [partner, ...others] = await harbour.app<{ nodeID: string }[]>('GET', '/app/partners');
    expect([partner?.nodeID, others]).toEqual([pair.atInvited, []]);
  });

  it('disconnecting names lists that cannot be read, and asks what is to become of what came into them', async () => {
    const { page } = harbour;
    await page.route('**/disconnect', async (route) => {
      const { response } = (await (await route.fetch()).json()) as { response: object };
      const without = { ...response, receivedRows: 0, unreadable: ['Stock', 'People'] };
      await route.fulfill({ json: { response: without } });
    });
    await harbour.go(`#/partners/${pair.atInvited}/connection`);
    await harbour.press(/^Disconnect/);
    const dialog = page.getByRole('dialog', { name: 'Disconnect from North Trading?' });
    await dialog.getByText('These lists cannot be read at present: Stock, People.').waitFor();
    await dialog.getByLabel('Remove what came from them').check();
    await dialog.getByLabel('Keep what came from them').check();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('disconnecting asks about no rows where all that came stay as our own', async () => {
    const { page } = harbour;
    await page.route('**/disconnect', async (route) => {
      const { response } = (await (await route.fetch()).json()) as { response: object };
      await route.fulfill({ json: { response: { ...response, receivedRows: 2, partlyOurs: 2 } } });
    });
    await harbour.go(`#/partners/${pair.atInvited}/connection`);
    await harbour.press(/^Disconnect/);
    const dialog = page.getByRole('dialog', { name: 'Disconnect from North Trading?' });
    await dialog.getByLabel('Remove what came from them').waitFor();
    await dialog.getByText('The 2 rows stay as your own').waitFor();
    await dialog.getByText('These lists also lose their undo steps.').waitFor();
    await photograph(page, 'disconnect-all-ours');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('disconnecting says how many rows it is about; keeping leaves them', async () => {
    const orders = await harbour.csv('Stock', 'Item\nBolt\nNut\n');
    await shareAndReceive({ office: harbour, partner: pair.atInvited, list: orders }, ['Item'], {
      office: north,
      partner: pair.atInviter,
    });
    await harbour.go(`#/partners/${pair.atInvited}/connection`);
    await harbour.press(/^Disconnect/);
    const dialog = harbour.page.getByRole('dialog', { name: 'Disconnect from North Trading?' });
    await dialog.getByText('They get nothing more of the 1 list that you share.').waitFor();
    await dialog.getByText('2 rows were sent; those that arrived stay with them.').waitFor();
    await dialog.getByLabel('Ask them to remove the 2 rows that we sent').check();
    await dialog.getByLabel('Keep the 3 rows that came from them').check();
    await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await harbour.sees('Disconnected from North Trading.');
    await harbour.go('#/lists');
    await harbour.page.getByRole('row', { name: /People 3/ }).waitFor();
  });

  it('the other side is told, and removes what came when it says so, but not what it changed', async () => {
    const { moduleID = '' } =
      (await north.app<{ moduleID: string; name: string }[]>('GET', '/app/lists')).find(
        ({ name }) => name === 'Stock',
      ) ?? {};
    const [bolt] = await rowsOf(north, moduleID);
    await north.app('PATCH', `/app/lists/${moduleID}/rows/${bolt?.recordID ?? ''}`, {
      values: { Item: ['Bolt M8'] },
    });
    await north.go('#/');
    await north.sees('Harbour Office ended the connection');
    await north.sees('asks you to remove the 2 rows that came from them');
    const cards = north.page.getByRole('region', { name: 'What needs you' }).getByRole('listitem');
    expect(await cards.filter({ hasText: 'Harbour Office' }).count()).toBe(1);
    await cards.getByRole('link', { name: 'Pair again' }).waitFor();
    await north.page.route('**/app/overview', async (route) => {
      const { response } = (await (await route.fetch()).json()) as { response: { partners: object[] } };
      const partners = response.partners.map((one) => ({ ...one, paused: { fetch: true, serve: true } }));
      await route.fulfill({ json: { response: { ...response, partners } } });
    });
    const read = north.page.waitForResponse('**/app/overview');
    await north.page.reload();
    await read;
    await north.sees('Harbour Office ended the connection');
    // A connection that ended has nothing to resume.
    expect(await north.page.getByRole('main').getByRole('button', { name: 'Resume' }).count()).toBe(0);
    await north.page.unrouteAll({ behavior: 'wait' });
    await north.page.reload();
    await north.page.getByRole('link', { name: 'Have a look' }).first().click();
    await north.page.getByRole('button', { name: /^Move 2 rows to the bin/ }).waitFor();
    await north.page.route('**/offers', async (route) => {
      const { response } = (await (await route.fetch()).json()) as { response: object[] };
      await route.fulfill({ json: { response: response.map((one) => ({ ...one, couldNotApply: 1 })) } });
    });
    await north.page.reload();
    await north.sees('1 row could not be applied');
    // There is nobody to fetch it from.
    expect(await north.page.getByRole('button', { name: 'Try again now' }).count()).toBe(0);
    await north.page.unrouteAll({ behavior: 'wait' });
    await north.go(`#/partners/${pair.atInviter}/connection`);
    await north.press(/^Disconnect/);
    const dialog = north.page.getByRole('dialog', { name: 'Disconnect from Harbour Office?' });
    await dialog.getByLabel('Keep the 2 rows that came from them').waitFor();
    await dialog.getByLabel('Remove the 1 row that came from them').check();
    await dialog.getByText('Removed for good, not into the bin').waitFor();
    await dialog.getByText('1 more row stays as your own').waitFor();
    await photograph(north.page, 'disconnect-partly-ours');
    await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await north.sees('Disconnected from Harbour Office.');
    await north.go('#/lists');
    await north.page.getByRole('row', { name: /Stock 1/ }).waitFor();
  });

  it('nothing went wrong on either page meanwhile', () => {
    // A page about a partner may still ask for it in the moment in which it goes; the browser notes the 404.
    const errors = [...north.errors, ...harbour.errors].filter((error) => !error.includes('status of 404'));
    expect(errors).toEqual([]);
  });
});
