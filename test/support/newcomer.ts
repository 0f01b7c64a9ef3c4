import type { Locator, Page } from 'playwright-core';

/** Somebody who knows only what is on the screen: finds things by the words that can be read there. */
export interface Newcomer {
  press(words: string): Promise<void>;
  write(words: string, text: string): Promise<void>;
  paste(words: string, text: string): Promise<void>;
  reads(words: string): Promise<void>;
  /** Presses and fields so far. */
  steps(): number;
  /** Seconds that a person would have needed so far, for reading and for acting; an estimate, see below. */
  byHand(): Pace;
}

export interface Pace {
  readonly reading: number;
  readonly acting: number;
}

/**
 * The pace of a person, from the keystroke-level model (Card, Moran, Newell 1980): deciding 1.35 s, pointing
 * 1.1 s, pressing 0.2 s, a letter 0.28 s for somebody who types seldom. All words that were not there before are
 * read at four a second, but for the rows of tables.
 */
const PRESS = 1.35 + 1.1 + 0.2;
const LETTER = 0.28;
const WORD = 0.25;

/** The lines of text that are seen, but for tables. */
function linesSeen(): string[] {
  const lines: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!parent?.checkVisibility() || parent.closest('table, [role=grid], .visually-hidden')) continue;
    lines.push((walker.currentNode.textContent ?? '').trim());
  }
  return lines;
}

export function createNewcomer(page: Page): Newcomer {
  const known = new Set<string>();
  let done = 0;
  let reading = 0;
  let acting = 0;

  /** Looks at the screen: what is new is read. */
  async function look(): Promise<void> {
    for (const line of await page.evaluate(linesSeen)) {
      if (line === '' || known.has(line)) continue;
      known.add(line);
      reading += line.split(/\s+/).length * WORD;
    }
  }

  async function find(target: Locator): Promise<Locator> {
    const one = target.filter({ visible: true }).first();
    await one.waitFor();
    await look();
    done++;
    acting += PRESS;
    return one;
  }

  const control = (words: string): Locator =>
    page
      .locator('button, a, label, [role=option], [role=combobox]')
      .filter({ hasText: new RegExp(`^\\s*${words.replace(/[.?*+()|[\]\\]/g, '\\$&')}`) });

  return {
    async press(words) {
      await (await find(control(words))).click();
    },
    async write(words, text) {
      await (await find(page.getByLabel(words))).fill(text);
      acting += text.length * LETTER;
    },
    async paste(words, text) {
      await (await find(page.getByPlaceholder(words))).fill(text);
      acting += PRESS;
    },
    async reads(words) {
      await page.getByText(words).filter({ visible: true }).first().waitFor();
      await look();
    },
    steps: () => done,
    byHand: () => ({ reading, acting }),
  };
}
