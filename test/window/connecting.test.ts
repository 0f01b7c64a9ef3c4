import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PartnerSummary } from '../../server/contract/app/overview.ts';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { withoutChecksum } from '../support/harness/pairing.ts';

/** The name of the switch is not broken between lines. */
const STARTED_SO = 'Only this computer can reach Footbridge, because it was started with -\u2060-\u2060host.';

/** What the window says where connecting cannot work or did not, and what is left of it. */
describe('connecting that does not work', () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([
      openDesk(browser, 'North Trading', { args: ['--host', '127.0.0.1'] }),
      openDesk(browser, 'Harbour Office'),
    ]);
    harbour.page.setDefaultTimeout(90_000);
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.close();
  });

  const invite = async (name: string): Promise<string> =>
    (await north.app<{ uri: string }>('POST', '/app/invites', { name })).uri;
  const partners = (): Promise<PartnerSummary[]> => harbour.app('GET', '/app/partners');

  /** Closes Harbour's network access and waits for its listeners, which open anew. */
  async function closeNetwork(): Promise<void> {
    await harbour.app('PATCH', '/app/settings', { network: false });
    const isReachable = async (): Promise<boolean> =>
      (await harbour.app<{ reachable: boolean }>('GET', '/app/overview')).reachable;
    await expect.poll(() => isReachable().catch(() => true), { timeout: 30_000 }).toBe(false);
  }

  async function connect(uri: string): Promise<void> {
    await harbour.go('#/partners');
    await harbour.go('#/partners/add?paste');
    const { page } = harbour;
    await page.getByPlaceholder(/^(Paste it here|Hier einfügen)$/).fill(uri);
    // Whose network it is, the button's word is about.
    await harbour.sees(/^(This invite only works inside|Diese Einladung gilt nur innerhalb)/);
    await page.getByRole('button', { name: /^(Yes, connect|Ja, verbinden)$/ }).click();
  }

  it('a node that was started for this computer only says so, and offers no switch that would do nothing', async () => {
    await north.go('#/settings');
    await north.sees(STARTED_SO);
    expect(await north.page.getByLabel('Partners on the network can reach this computer').count()).toBe(0);
    await north.go('#/partners/add');
    await north.press('I invite them');
    await north.sees(STARTED_SO);
    expect(await north.page.getByRole('button', { name: 'Allow and invite' }).count()).toBe(0);
  });

  it('a partner of which there is news all the time is shown, however slow the answers are', async () => {
    const { nodeID } = await north.app<{ nodeID: string }>('POST', '/app/invites', { name: 'Chatterbox' });
    const { page } = north;
    await page.route(`**/app/partners/${nodeID}`, async (route) => {
      await setTimeout(300);
      await route.continue();
    });
    const over = new AbortController();
    const news = (async () => {
      for (let n = 0; !over.signal.aborted; n++)
        await north.app('PATCH', `/app/partners/${nodeID}`, { contact: `${n}` });
    })();
    onTestFinished(async () => {
      over.abort();
      await news;
      await page.unrouteAll({ behavior: 'wait' });
    });
    await north.go(`#/partners/${nodeID}`);
    await page.getByRole('heading', { name: 'Chatterbox' }).first().waitFor({ timeout: 20_000 });
  });

  it('an invite that is used while it is shown makes room for the question whether to approve', async () => {
    const { nodeID } = await north.app<{ nodeID: string }>('POST', '/app/invites', { name: 'Quay' });
    await north.go(`#/partners/${nodeID}`);
    await north.page.getByRole('button', { name: 'Remove' }).waitFor();
    await north.press('Make a new invite');
    const dialog = north.page.getByRole('dialog');
    const uri = await dialog.getByLabel('Invite for Quay').inputValue();
    await harbour.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
    await north.sees('Quay asks to connect');
    await expect.poll(() => dialog.count()).toBe(0);
    await north.app('POST', `/app/partners/${nodeID}/disconnect`, { received: 'keep' });
    for (const { nodeID: one } of await partners())
      await harbour.app('POST', `/app/partners/${one}/disconnect`, { received: 'keep' });
  });

  it('one question is asked at a time, and none of them in words of networks', async () => {
    const main = harbour.page.getByRole('main');
    const asked = (): Promise<number> => main.locator('input:not([type=file]), textarea').count();
    await harbour.go('#/partners/add');
    await harbour.sees('How do you want to connect?');
    expect(await asked()).toBe(0);
    for (const way of ['I invite them', 'They invited me']) {
      await harbour.press(way);
      await expect.poll(asked).toBe(1);
      expect(await main.getByText('How do you want to connect?').count()).toBe(0);
    }
    // The partner was invited before, and never answered: it stays one record, under this name.
    await harbour.app('POST', '/app/invites', { name: 'North Trading' });
    await harbour.page.getByPlaceholder('Paste it here').fill(await invite('The Harbour'));
    await harbour.sees('Are you both on it, for example in the same building?');
    expect(await asked()).toBe(0);
    expect(await main.innerText()).not.toMatch(/\d\.\d|:\d|port|relay|router/i);
    // Their invite is of no use elsewhere: the way on is the other direction.
    await harbour.press('No, elsewhere');
    const other = main.getByRole('button', { name: 'Allow and invite' });
    expect(await other.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await main.getByRole('button', { name: 'Yes, connect' }).count()).toBe(0);
    await harbour.sees('They can’t be reached from here. Send them your invite instead.');
    await other.click();
    const reply = await main.getByLabel('Invite for North Trading').inputValue();
    expect(reply).not.toContain('127.0.0.1');
    expect(await partners()).toHaveLength(1);
    // The invite in reply leads nowhere either: nobody is sent back and forth.
    await north.go('#/partners');
    await north.go('#/partners/add?paste');
    await north.page.getByPlaceholder('Paste it here').fill(reply);
    await north.sees('They couldn’t use your invite and invite you instead.');
    await north.press('No, elsewhere');
    await north.sees('Neither of your networks lets the other office in.');
    expect(await north.page.getByRole('button', { name: 'Invite them instead' }).count()).toBe(0);
    // With a relay, a new invite leads somewhere: the one before lacked it.
    const relay = `footbridge-relay://127.0.0.1:9?pin=${'3f9c'.repeat(16)}&key=${'k'.repeat(32)}`;
    await north.app('PATCH', '/app/settings', { relay });
    // Its routes have a certificate made first.
    const isOnlyNearby = async (): Promise<boolean> =>
      'onlyNearby' in (await north.app<object>('POST', '/app/invites/check', { uri: reply }));
    await expect.poll(isOnlyNearby, { timeout: 30_000 }).toBe(false);
    await north.go('#/partners');
    await north.go('#/partners/add?paste');
    await north.page.getByPlaceholder('Paste it here').fill(reply);
    await north.press('No, elsewhere');
    await north.press('Invite them instead');
    const renewed = await north.page.getByRole('main').getByLabel('Invite for').inputValue();
    const read = await harbour.app('POST', '/app/invites/check', { uri: renewed });
    expect(read).toMatchObject({ isReply: true, reachesElsewhere: true });
    await north.app('PATCH', '/app/settings', { relay: '' });
    for (const { nodeID } of await partners())
      await harbour.app('POST', `/app/partners/${nodeID}/disconnect`, { received: 'keep' });
    await closeNetwork();
  });

  it('an invite that works from other networks too is used there, without asking for another one', async () => {
    const { page } = harbour;
    const relay = `footbridge-relay://relay.example.org?office=${'o'.repeat(43)}`;
    await harbour.go('#/partners');
    await harbour.go('#/partners/add?paste');
    await page
      .getByPlaceholder('Paste it here')
      .fill(`${withoutChecksum(await invite('Harbour'))}&rp=${'3f9c'.repeat(16)}&r=relay:${relay}`);
    await harbour.sees('Are you both on the same office network, for example in the same building?');
    await harbour.press('No, elsewhere');
    await harbour.sees(
      'Where there’s no direct way, you’ll connect through relay.example.org, a computer in between.',
    );
    const connects = page.getByRole('main').getByRole('button', { name: 'Connect', exact: true });
    expect(await connects.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await page.getByRole('button', { name: 'Invite them instead' }).count()).toBe(0);
    await harbour.sees('Keep a connection open');
  });

  it('an invite that was refused is not asked about again', async () => {
    const { nodeID, uri } = await north.app<{ nodeID: string; uri: string }>('POST', '/app/invites', {
      name: 'Harbour',
    });
    await north.app('POST', `/app/partners/${nodeID}/disconnect`, { received: 'keep' });
    await connect(uri);
    await harbour.sees('the partner declined, withdrew or replaced it.');
    const main = harbour.page.getByRole('main');
    expect(await main.getByText('Are you both').count()).toBe(0);
    const buttons = await main.locator('form .button').allInnerTexts();
    expect(buttons).toEqual(['Use another invite']);
    expect(await partners()).toEqual([]);
  });

  it('an invite whose request was declined says so, and is not asked about again', async () => {
    const { nodeID, uri } = await north.app<{ nodeID: string; uri: string }>('POST', '/app/invites', {
      name: 'Harbour',
    });
    const asked = await harbour.app<{ nodeID: string }>('POST', '/app/invites/accept', {
      uri,
      ownNetwork: true,
    });
    await north.app('POST', `/app/partners/${nodeID}/decline`);
    await harbour.app('POST', `/app/partners/${asked.nodeID}/disconnect`, {
      received: 'keep',
      askRemoval: false,
    });
    await connect(uri);
    await harbour.sees('the partner declined, withdrew or replaced it.');
    const form = harbour.page.getByRole('main').locator('form .button');
    expect(await form.allInnerTexts()).toEqual(['Use another invite']);
  });

  it('an invite for the own network asks whether partners elsewhere are to be let in, and says if that fails', async () => {
    const { page } = harbour;
    const wanted: unknown[] = [];
    // No router of this network is asked.
    await page.route('**/app/settings', async (route) => {
      if (!(route.request().postData() ?? '').includes('mapPort')) return route.continue();
      wanted.push(route.request().postDataJSON());
      return route.fulfill({ response: await route.fetch({ postData: '{}' }) });
    });
    const checks = [{ name: 'router', ok: false, message: 'Your router refuses to open a port.' }];
    await page.route('**/app/reachability', (route) =>
      route.fulfill({ json: { response: { open: true, checks } } }),
    );
    await harbour.go('#/partners');
    await harbour.go('#/partners/add');
    await harbour.press('I invite them');
    await page.getByLabel('What do you call this partner?').fill('Lighthouse');
    await harbour.press('Allow and invite');
    await harbour.sees('Is Lighthouse somewhere else?');
    await harbour.press('Yes, let partners in');
    await harbour.sees('Ask Lighthouse to invite you.');
    expect(wanted).toEqual([{ mapPort: true }, { mapPort: false }]);
    await page.unrouteAll({ behavior: 'wait' });
    for (const { nodeID } of await partners())
      await harbour.app('POST', `/app/partners/${nodeID}/disconnect`, { received: 'keep' });
    await closeNetwork();
  });

  it('the room that the data takes is told as it is when one looks', { tags: 'nightly-waits' }, async () => {
    const room = async (): Promise<string> => {
      await north.go('#/');
      await north.page.getByRole('heading', { level: 1, name: /connected|Next: add a list/ }).waitFor();
      await north.go('#/settings');
      return north.page.locator('dt:has-text("How much") + dd').first().innerText();
    };
    const before = await room();
    await north.csv(
      'Rivers',
      `Name,Length\n${Array.from({ length: 4000 }, (_, at) => `River ${(at * 7919).toString(36)},${at * 13}`).join('\n')}\n`,
    );
    await expect.poll(room, { timeout: 30_000 }).not.toBe(before);
    await expect.poll(room).toMatch(/[\d.]+ (kB|MB)/);
  });

  it('an invite just made is good for 24 hours', async () => {
    await north.go('#/partners');
    await north.go('#/partners/add');
    await north.press('I invite them');
    await north.page.getByLabel('What do you call this partner?').fill('Lighthouse');
    await north.press('Make the invite');
    await north.sees('Copy it now: it won’t be shown again. It works once and ends in 24 hours.');
  });

  it(
    'a partner that hears nothing stays as one that is not connected, to be tried again',
    { tags: 'nightly-waits' },
    async () => {
      const goOn = (): void => void north.served.process.kill('SIGCONT');
      onTestFinished(goOn);
      const [first, second] = [await invite('Harbour'), await invite('Harbour, again')];
      north.served.process.kill('SIGSTOP');
      for (const uri of [first, second]) {
        await connect(uri);
        await harbour.page.getByRole('main').getByRole('alert').filter({ hasText: /\w/ }).waitFor();
      }
      const [partner, ...others] = await partners();
      expect(others).toEqual([]);
      expect(partner).toMatchObject({ status: 'pending', state: 'needs-you' });
      await harbour.go(`#/partners/${partner?.nodeID ?? ''}`);
      await harbour.sees('Not connected with North Trading');
      expect(await harbour.page.getByText('They see your request').count()).toBe(0);
      await photograph(harbour.page, 'partner-not-connected');
      goOn();
      await harbour.press('Try again');
      await harbour.sees('Waiting for North Trading to approve');
      await harbour.sees('They see your request in their Footbridge.');
      for (const place of [`#/partners/${partner?.nodeID ?? ''}`, '#/']) {
        await harbour.go(place);
        const said = harbour.page.getByText('Waiting for North Trading to approve');
        await said.first().waitFor();
        expect(await said.count(), place).toBe(1);
      }
      await harbour.go(`#/partners/${partner?.nodeID ?? ''}`);
      await harbour.press('Remove');
      await harbour.sees('No partners');
    },
  );

  it(
    'a partner that is off, or refuses the invite, leaves nothing behind',
    { tags: 'nightly-windows' },
    async () => {
      const wrong = await invite('Harbour, a fourth time');
      const { nodeID, uri } = await north.app<{ nodeID: string; uri: string }>('POST', '/app/invites', {
        name: 'Harbour, once more',
      });
      await north.app('POST', `/app/partners/${nodeID}/disconnect`, { received: 'keep' });
      await harbour.app('PATCH', '/app/settings', { language: 'de' });
      await harbour.page.locator('html[lang=de]').waitFor({ state: 'attached' });
      await connect(uri);
      await harbour.sees('Diese Einladung gilt nicht mehr');
      const another = harbour.page.getByRole('button', { name: 'Andere Einladung nutzen' });
      expect(
        await harbour.page.getByRole('main').locator('.button.primary:visible').allInnerTexts(),
      ).toContain(await another.innerText());
      expect(await another.evaluate((button) => button === document.activeElement)).toBe(true);
      await harbour.page.keyboard.press('Enter');
      await expect
        .poll(() =>
          harbour.page
            .getByPlaceholder('Hier einfügen')
            .evaluate((field) => field === document.activeElement),
        )
        .toBe(true);
      await harbour.app('PATCH', '/app/settings', { language: 'en' });
      await harbour.page.locator('html[lang=en]').waitFor({ state: 'attached' });
      expect(await partners()).toEqual([]);
      await north.served.kill();
      await connect(wrong);
      await harbour.page.getByRole('main').getByRole('alert').filter({ hasText: /\w/ }).waitFor();
      expect(await partners()).toEqual([]);
      await harbour.go('#/partners');
      await harbour.sees('No partners');
    },
  );
});
