import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PartnerDetail } from '../../server/contract/app/overview.ts';
import { seriousFindings } from '../support/reading/axe.ts';
import { photograph } from '../support/harness/browser.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { outOfSight } from '../support/reading/layout.ts';

/** From an invite to words that were compared by telephone, and what happens where they are not the same. */
describe('the verification words', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
  });
  afterAll(() => desks.close());

  const boards = (desk: Desk): Locator =>
    desk.page.getByRole('list', { name: 'Verification words' }).locator('strong');
  const only = async (desk: Desk): Promise<PartnerDetail> => {
    const [partner] = await desk.app<{ nodeID: string }[]>('GET', '/app/partners');
    return desk.app('GET', `/app/partners/${partner?.nodeID ?? ''}`);
  };

  async function pairInTheWindow(): Promise<void> {
    const { uri, nodeID } = await north.app<{ uri: string; nodeID: string }>('POST', '/app/invites', {
      name: 'Harbour Office',
    });
    const asked = await harbour.app<{ nodeID: string }>('POST', '/app/invites/accept', {
      uri,
      ownNetwork: true,
    });
    await harbour.go(`#/partners/${asked.nodeID}`);
    await harbour.sees('Waiting for North Trading to approve');
    await north.go(`#/partners/${nodeID}`);
    await north.press('Approve');
    for (const desk of [north, harbour])
      await desk.page.getByRole('heading', { name: 'Call them now' }).waitFor();
  }

  it('are five boards on both sides, in one order, as soon as both are connected', async () => {
    await pairInTheWindow();
    await expect.poll(() => boards(north).count()).toBe(5);
    expect(await boards(north).allInnerTexts()).toEqual(await boards(harbour).allInnerTexts());
    await north.sees('Call Harbour Office on a number that you already know.');
    for (const width of [1280, 390]) {
      await north.page.setViewportSize({ width, height: 860 });
      expect(await seriousFindings(north.page)).toEqual([]);
      expect(await outOfSight(north.page)).toEqual([]);
      expect(await north.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await north.page.setViewportSize({ width: 1280, height: 860 });
    await photograph(north.page, 'words');
  });

  it('stay whole, each on its board, also the longest of them', { tags: 'nightly-looks' }, async () => {
    const { nodeID } = await only(north);
    const path = `**/app/partners/${nodeID}`;
    const words = ['watermelon', 'microscope', 'strawberry', 'submarine', 'flamingo'];
    const detail = await only(north);
    await north.page.route(path, async (route) =>
      route.fulfill({ json: { response: { ...detail, words } } }),
    );
    for (const width of [1440, 1280, 1024, 900, 390]) {
      await north.page.setViewportSize({ width, height: 860 });
      await north.page.reload();
      await boards(north).filter({ hasText: 'watermelon' }).waitFor();
      const broken = await boards(north).evaluateAll((all) =>
        all.flatMap((word) => {
          const { height, width: wide } = word.getBoundingClientRect();
          const board = word.parentElement?.getBoundingClientRect().width ?? 0;
          return height < 40 && wide <= board ? [] : [`${word.textContent} ${height} ${wide} ${board}`];
        }),
      );
      expect(broken, `at ${width} pixels`).toEqual([]);
    }
    await north.page.unrouteAll({ behavior: 'wait' });
    await north.page.setViewportSize({ width: 1280, height: 860 });
    await north.page.reload();
  });

  it(
    'come with the number of the partner once it is known, and “Call” shows it',
    { tags: 'nightly-windows' },
    async () => {
      const { nodeID } = await only(north);
      await north.go(`#/partners/${nodeID}/connection`);
      expect(await north.page.getByRole('button', { name: 'Call', exact: true }).count()).toBe(0);
      await north.page.getByLabel('Telephone number').fill('+47 55 31 20 44');
      await north.press('Save');
      await north.sees('Saved.');
      await north.press(/^Call$/);
      await north.sees('+47 55 31 20 44');
      await north.page.reload();
      await expect.poll(() => north.page.getByLabel('Telephone number').inputValue()).toBe('+47 55 31 20 44');
      await north.go(`#/partners/${nodeID}/words`);
      await north.sees('Call Harbour Office:');
      await north.page.getByText('+47 55 31 20 44').waitFor();
      await north.go(`#/partners/${nodeID}/connection`);
      await north.page.getByLabel('Telephone number').fill('');
      await north.press('Save');
      await expect.poll(() => north.page.getByRole('button', { name: 'Call', exact: true }).count()).toBe(0);
    },
  );

  it('that are the same are noted with who compared them, with whom and when', async () => {
    const { nodeID } = await only(north);
    await north.go('#/');
    await north.page.getByRole('main').getByRole('link', { name: 'Compare', exact: true }).click();
    await north.page.getByLabel('Your name (optional)').fill('Marta Hale');
    await north.page.getByLabel('Name of the person you called (optional)').fill('Elin Lindqvist');
    await north.press('Yes, the same words');
    await north.sees(/^Verification words compared by Marta Hale with Elin Lindqvist, /);
    await north.go(`#/partners/${nodeID}/connection`);
    await north.page.getByRole('region', { name: 'Verification words' }).getByText('Marta Hale').waitFor();
    expect((await only(harbour)).wordsToCompare).toBe(true);
  });

  it('that differ end the connection at once, and both sides read why', async () => {
    const { nodeID } = await only(harbour);
    await harbour.go(`#/partners/${nodeID}/words`);
    await north.go(`#/partners/${(await only(north)).nodeID}/words`);
    await harbour.press('They differ');
    await harbour.sees('No longer connected with North Trading');
    await harbour.sees('The verification words were not the same on both sides');
    expect((await only(harbour)).status).toBe('unpaired');
    await expect.poll(async () => (await only(north)).status).toBe('unpaired');
    // On the page of the words, where its user still is.
    await north.sees('The partner said that the verification words were not the same on both sides');
    await north.page.getByRole('link', { name: 'Use their invite' }).click();
    await north.page.getByLabel('Invite', { exact: true }).waitFor();
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });

  it('are shown to whoever asked also where the other side agreed before their page was there', async () => {
    const { page } = harbour;
    const { uri, nodeID } = await north.app<{ uri: string; nodeID: string }>('POST', '/app/invites', {
      name: 'Harbour Office',
    });
    let agreed = (): void => undefined;
    const agreeing = new Promise<void>((resolve) => (agreed = resolve));
    await page.route(/\/app\/partners\/\d+$/, async (route) => {
      await agreeing;
      await route.continue();
    });
    await harbour.go('#/partners/add?paste');
    await page.getByLabel('Invite', { exact: true }).fill(uri);
    await harbour.press('Yes, connect');
    await page.waitForURL(/#\/partners\/\d+/);
    await north.app('POST', `/app/partners/${nodeID}/approve`);
    await expect
      .poll(async () =>
        (await harbour.app<{ status: string }[]>('GET', '/app/partners')).map((p) => p.status),
      )
      .toContain('paired');
    agreed();
    await page.getByRole('heading', { name: 'Call them now' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('come next where a connected partner used the invite for another one, whose request says who it is', async () => {
    const { uri } = await north.app<{ uri: string }>('POST', '/app/invites', { name: 'Quay Ltd' });
    const partners = await harbour.app<{ nodeID: string; status: string }[]>('GET', '/app/partners');
    const path = `/federation/nodes/${partners.find(({ status }) => status === 'paired')?.nodeID}`;
    // Over plain http only the interface names the partner to whom an invite belongs.
    await harbour.app('POST', path, { baseURL: uri, name: 'North Trading' });
    await harbour.app('POST', `${path}/pair`);
    await north.go('#/');
    await north.sees(/This is Harbour Office, who is already connected/);
    await north.press('Approve');
    await north.sees('Connected with Harbour Office.');
    await north.page.getByRole('heading', { name: 'Call them now' }).waitFor();
    await north.sees('Call Harbour Office on a number that you already know.');
  });
});
