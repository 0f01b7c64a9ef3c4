import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shoot } from '../support/harness/browser.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { inOurColours } from '../support/reading/axe.ts';
import { pairNodes, shareAndReceive, type Pair } from '../support/harness/node.ts';

/** Two offices, and twelve pages in both themes. */
const MINUTES = 300_000;

/** The system chooses all colours, as its contrast themes do: nothing may be told by one of ours. */
describe('in the colours of the system', { tags: 'nightly-looks' }, () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let list = '';

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
    pair = await pairNodes(north, harbour);
    const from = {
      office: north,
      partner: pair.atInviter,
      list: await north.csv('Prices', 'Article\nTea\n'),
    };
    ({ list } = await shareAndReceive(from, ['Article'], { office: harbour, partner: pair.atInvited }));
    await harbour.app('POST', '/app/invites', { name: 'Mill' });
  }, MINUTES);
  afterAll(() => desks.close());

  /** The edges of what is current and of what is not, where the edge alone tells. */
  const edges = (of: string): Promise<{ current: string[]; others: string[] }> =>
    harbour.page.evaluate((selector) => {
      const edge = (element: Element): string => getComputedStyle(element).borderBlockEndColor;
      const [current, others] = [`${selector}[aria-current]`, `${selector}:not([aria-current])`].map(
        (each) => [...new Set([...document.querySelectorAll(each)].map(edge))],
      );
      return { current: current ?? [], others: others ?? [] };
    }, of);

  it(
    'is drawn in no colour of ours, on any page',
    async () => {
      const { page } = harbour;
      const origin = new URL(page.url()).origin;
      const partner = `#/partners/${pair.atInvited}`;
      const places = {
        home: '#/',
        partners: '#/partners',
        add: '#/partners/add',
        partner,
        activity: `${partner}/activity`,
        connection: `${partner}/connection`,
        words: `${partner}/words`,
        'share-columns': `${partner}/share/${list}`,
        lists: '#/lists',
        list: `#/lists/${list}`,
        settings: '#/settings',
        welcome: '#/welcome',
      };
      const found: Record<string, string[]> = {};
      for (const [place, address] of Object.entries(places)) {
        await page.goto('about:blank');
        await page.goto(`${origin}/${address}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: MINUTES });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' });
          const colours = await inOurColours(page);
          if (colours.length > 0) found[`${place}, ${colorScheme}`] = colours;
          await shoot(page, `forced-${place}-${colorScheme}`);
        }
      }
      expect(found).toEqual({});
    },
    MINUTES,
  );

  it('shows where one is, what is ticked and what has the focus', async () => {
    const { page } = harbour;
    await harbour.go(`#/partners/${pair.atInvited}/share/${list}`);
    const box = page.getByRole('checkbox').first();
    await box.check();
    expect(await box.evaluate((element) => getComputedStyle(element).appearance)).toBe('auto');
    await harbour.go(`#/partners/${pair.atInvited}/connection`);
    await page.getByRole('radio', { name: 'Plum' }).waitFor();
    for (const of of ['aside nav a', '.tabs a']) {
      const { current, others } = await edges(of);
      expect(current, of).toHaveLength(1);
      expect(others, of).not.toContain(current[0]);
    }
    await page.getByRole('link', { name: 'Activity' }).focus();
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(() => {
      const { outlineStyle, outlineColor } = getComputedStyle(document.activeElement ?? document.body);
      return { outlineStyle, isSeen: outlineColor !== getComputedStyle(document.body).backgroundColor };
    });
    expect(focus).toEqual({ outlineStyle: 'solid', isSeen: true });
    expect(harbour.errors).toEqual([]);
  });
});
