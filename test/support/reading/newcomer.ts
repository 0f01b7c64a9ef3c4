import type { Locator, Page } from 'playwright-core';

/** Somebody who knows only what is on the screen: finds things by the words that can be read there. */
export interface Newcomer {
  press(words: string): Promise<void>;
  /** Writes into the cell that holds these words. */
  overwrite(words: string, text: string): Promise<void>;
  write(words: string, text: string): Promise<void>;
  paste(words: string, text: string): Promise<void>;
  reads(words: string): Promise<void>;
  /** Presses so far, and fields that were filled in. */
  done(): { readonly presses: number; readonly fields: number };
  /** Seconds that a person would have needed so far, for reading and for acting; an estimate, see below. */
  byHand(): Pace;
  /** What was new at each step, to be shortened. */
  readonly read: readonly string[];
}

export interface Pace {
  readonly reading: number;
  readonly acting: number;
}

/**
 * The pace of a person, from the keystroke-level model (Card, Moran, Newell 1980): deciding 1.35 s, pointing
 * 1.1 s, pressing 0.2 s, a letter 0.28 s for somebody who types seldom. All words that were not there before are
 * read at four a second, but for the rows of tables and the names of columns to choose from, which are looked
 * through.
 */
const PRESS = 1.35 + 1.1 + 0.2;
const LETTER = 0.28;
const WORD = 0.25;

/** The lines of text that are read. */
function linesSeen(): string[] {
  const lines: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (
      !parent?.checkVisibility() ||
      parent.closest('table, [role=grid], fieldset ul, .visually-hidden, .skip')
    )
      continue;
    lines.push((walker.currentNode.textContent ?? '').trim());
  }
  return lines;
}

/**
 * @param offices as they are called
 * @param known what was read already, at another window perhaps
 */
export function createNewcomer(page: Page, offices: readonly string[], known = new Set<string>()): Newcomer {
  const read: string[] = [];
  let presses = 0;
  let fields = 0;
  let reading = 0;
  let acting = 0;

  /** Of a sentence that was read before, another number or another office's name is seen at once. */
  const sentenceOf = (line: string): string =>
    offices.reduce((text, office) => text.replaceAll(office, '…'), line.replace(/\d+/g, '#'));

  /** Looks at the screen: what is new is read. */
  async function look(): Promise<void> {
    const fresh: string[] = [];
    for (const line of await page.evaluate(linesSeen)) {
      const sentence = sentenceOf(line);
      if (line === '' || known.has(sentence)) continue;
      known.add(sentence);
      fresh.push(line);
      reading += line.split(/\s+/).length * WORD;
    }
    read.push(fresh.join(' | '));
  }

  async function find(target: Locator): Promise<Locator> {
    const one = target.filter({ visible: true }).first();
    await one.waitFor();
    await look();
    acting += PRESS;
    return one;
  }

  const control = (words: string): Locator =>
    page
      .locator('button, a, label, [role=option], [role=combobox]')
      .filter({ hasText: new RegExp(`^\\s*${words.replace(/[.?*+()|[\]\\]/g, '\\$&')}`) });

  return {
    read,
    async press(words) {
      await (await find(control(words))).click();
      presses++;
    },
    async overwrite(words, text) {
      await (await find(page.getByRole('gridcell', { name: words }))).click();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      presses += 2;
      fields++;
      acting += (text.length + 1) * LETTER;
    },
    async write(words, text) {
      await (await find(page.getByLabel(words))).fill(text);
      fields++;
      acting += text.length * LETTER;
    },
    async paste(words, text) {
      await (await find(page.getByPlaceholder(words))).fill(text);
      fields++;
      acting += PRESS;
    },
    async reads(words) {
      await page.getByText(words).filter({ visible: true }).first().waitFor();
      await look();
    },
    done: () => ({ presses, fields }),
    byHand: () => ({ reading, acting }),
  };
}
