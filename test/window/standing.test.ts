import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { startLyingPartner } from '../support/partners/lying-partner.ts';
import { pairNodes, rowsOf, shareAndReceive, type Pair } from '../support/harness/node.ts';
import { csvOf, customers } from '../support/data/office-lists.ts';

const INTERVAL = ['--sync-interval', '1s'];
/** An interval, the time for one answer, and what a busy machine takes. */
const NOTICED_MS = 60_000;

/** Whatever happens to the partner, both windows come to say so by themselves, wherever one looks. */
describe('how it stands, on both screens', { tags: 'nightly-waits' }, () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let list = '';
  let offer = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([
      openDesk(browser, 'North Trading', { args: INTERVAL }),
      openDesk(browser, 'Harbour Office', { args: INTERVAL }),
    ]);
    for (const { page } of [north, harbour]) page.setDefaultTimeout(NOTICED_MS);
    list = await north.csv('Customers', csvOf(customers({ rows: 90, seed: 7 })));
    pair = await pairNodes(north, harbour);
    const from = { office: north, partner: pair.atInviter, list };
    const to = { office: harbour, partner: pair.atInvited };
    ({ sharedModuleID: offer } = await shareAndReceive(from, ['CompanyName', 'City', 'Phone'], to));
  });
  afterAll(async () => {
    for (const { served } of [north, harbour]) served.process.kill('SIGCONT');
    await browser.close();
    await north.close();
    await harbour.close();
  });

  const partnerPage = (desk: Desk): string =>
    `#/partners/${desk === north ? pair.atInviter : pair.atInvited}/activity`;
  const sidebar = ({ page }: Desk): Locator => page.getByRole('complementary');
  const main = ({ page }: Desk): Locator => page.getByRole('main');

  /** Home comes to say it without being asked, and so does the partner's page; the sidebar has the state of it. */
  async function comesToSay(desk: Desk, word: string, sentence: RegExp, onHome = sentence): Promise<void> {
    // That all is well Home says by the word alone; what is not well it says once, and the sidebar not again.
    if (word !== 'Up to date') await desk.page.getByText(onHome).filter({ visible: true }).first().waitFor();
    await main(desk).getByText(word, { exact: true }).first().waitFor();
    await sidebar(desk).getByText(word, { exact: true }).first().waitFor();
    await desk.go(partnerPage(desk));
    await main(desk).getByText(sentence).first().waitFor();
    await main(desk).getByText(word, { exact: true }).first().waitFor();
    await desk.go('#/');
  }

  /** Stops an office's program as it stands; answers what lets it go on, which happens after the test anyway. */
  function freeze({ served }: Desk): () => void {
    const goOn = (): void => void served.process.kill('SIGCONT');
    onTestFinished(goOn);
    served.process.kill('SIGSTOP');
    return goOn;
  }

  async function allIsWell(): Promise<void> {
    await comesToSay(north, 'Up to date', /has everything that you share with them\./);
    await comesToSay(harbour, 'Up to date', /^Everything has arrived\./);
    for (const desk of [north, harbour])
      await main(desk)
        .getByText(/^As of \d/)
        .first()
        .waitFor();
  }

  it('all is well, as of a time', async () => {
    for (const desk of [north, harbour]) await desk.go('#/');
    await allIsWell();
  });

  it('the receiving office is frozen: the other says since when, its own window that nobody knows; then all is well again', async () => {
    const goOn = freeze(harbour);
    await Promise.all([
      comesToSay(north, 'Offline', /last checked at \d.* and had everything then/),
      main(harbour)
        .getByText(/^Nothing has been heard since \d/)
        .first()
        .waitFor(),
    ]);
    await photograph(north.page, 'home-offline');
    for (const place of ['#/', partnerPage(north)]) {
      await north.go(place);
      await main(north)
        .getByText(/last checked at \d.* and had everything/)
        .waitFor();
      expect(
        await sidebar(north)
          .getByText(/last checked at/)
          .count(),
      ).toBe(0);
    }
    goOn();
    await allIsWell();
  });

  it('the sharing office is frozen: the other says since when nothing was heard; then all is well again', async () => {
    const goOn = freeze(north);
    await Promise.all([
      comesToSay(harbour, 'Offline', /No answer from North Trading since \d/),
      main(north)
        .getByText(/^Nothing has been heard since \d/)
        .first()
        .waitFor(),
    ]);
    goOn();
    await allIsWell();
  });

  it('a router answers in place of the sharing office: the one says so, silence at the other; then all is well again', async () => {
    const liar = await startLyingPartner((app) =>
      app.use((_request, response) => void response.type('html').send('<html>Welcome to your router</html>')),
    );
    try {
      const { baseURL } = await harbour.app<{ baseURL: string }>('GET', `/app/partners/${pair.atInvited}`);
      await harbour.app('PATCH', `/app/partners/${pair.atInvited}`, { baseURL: liar.base });
      await Promise.all([
        comesToSay(harbour, 'Offline', /Something else answers/),
        comesToSay(north, 'Offline', /answers, but hasn’t asked for your changes since \d/),
      ]);
      await harbour.app('PATCH', `/app/partners/${pair.atInvited}`, { baseURL });
    } finally {
      await liar.close();
    }
    await allIsWell();
  });

  it('rows that wait for a yes, and rows that were kept, are told on both', async () => {
    const rows = await rowsOf(north, list);
    await north.app('POST', `/app/lists/${list}/rows/delete`, {
      recordIDs: rows.slice(0, 60).map(({ recordID }) => recordID),
    });
    await Promise.all([
      // The thing that needs the user says it there.
      comesToSay(harbour, 'Needs you', /removed or emptied 60 rows/, /^Large change in /),
      comesToSay(north, 'Waiting for them', /60 rows that you removed or emptied wait for approval/),
    ]);
    await harbour.app('POST', `/app/partners/${pair.atInvited}/offers/${offer}/brake`, { go: false });
    await Promise.all([
      comesToSay(harbour, 'Needs you', /You kept (60 )?rows/),
      comesToSay(north, 'Waiting for them', /60 rows are out of sync/),
    ]);
    await photograph(harbour.page, 'home-rows-kept');
  });

  it('the sharing office is killed: the other says so', async () => {
    await north.served.kill();
    await main(harbour)
      .getByText(/its program doesn’t answer/)
      .first()
      .waitFor();
    expect(await main(harbour).getByText('Up to date', { exact: true }).count()).toBe(0);
    // A long reason wraps beside its mark, not below it.
    await harbour.page.setViewportSize({ width: 600, height: 860 });
    const reason = main(harbour)
      .locator('.entry > span')
      .filter({ hasText: /its program doesn’t answer/ })
      .first();
    const [mark, text] = await Promise.all(
      [reason.locator('xpath=preceding-sibling::*[1]'), reason].map((each) => each.boundingBox()),
    );
    expect(text?.y).toBeLessThan((mark?.y ?? 0) + (mark?.height ?? 0));
    expect(text?.x).toBeGreaterThan(mark?.x ?? 0);
  });
});
