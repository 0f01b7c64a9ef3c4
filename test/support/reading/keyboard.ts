import type { Locator, Page } from 'playwright-core';

/** Someone who has no mouse. Every stop of the focus on the way has to be visible. */
export interface Keyboard {
  /** Tabs on until the focus is there. */
  reach(target: Locator): Promise<void>;
  /** Reaches a button or link by its name and presses Enter. */
  press(name: string | RegExp, role?: 'button' | 'link'): Promise<void>;
  /** Reaches a field and writes into it, over what stands there. */
  write(label: string | RegExp, text: string): Promise<void>;
  /** Reaches a box and ticks or unticks it. */
  tick(label: string | RegExp): Promise<void>;
  /** Opens a drop-down field, finds the option by its first letters, and takes it. */
  choose(label: string | RegExp, option: string): Promise<void>;
}

/** More stops than any page of the window has. */
const MAX_STOPS = 120;

/** What has the focus, in words, and whether one sees that it has. */
function stopAt(): { name: string; seen: boolean } {
  const at = document.activeElement ?? document.body;
  // A browser draws the focus of its own parts (a list's scroll bar) itself.
  if (at === document.body) return { name: 'the page', seen: true };
  const name = `${at.tagName.toLowerCase()} “${(at.getAttribute('aria-label') ?? at.textContent).trim().slice(0, 40)}”`;
  // A file field is out of sight; its label shows the focus for it.
  const marked = [at, at.closest('label')].some((element) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
  });
  const { width, height } = at.getBoundingClientRect();
  return { name, seen: marked && width * height > 0 };
}

export function keyboardOf(page: Page): Keyboard {
  const hasFocus = (target: Locator): Promise<boolean> =>
    target.evaluate((element) => element === document.activeElement);

  async function reach(target: Locator): Promise<void> {
    const one = target.filter({ visible: true }).first();
    await one.waitFor();
    const passed: string[] = [];
    while (!(await hasFocus(one))) {
      if (passed.length > MAX_STOPS) throw new Error(`Tab never gets there; it passes ${passed.join(', ')}`);
      await page.keyboard.press('Tab');
      const { name, seen } = await page.evaluate(stopAt);
      if (!seen) throw new Error(`The focus on ${name} cannot be seen.`);
      passed.push(name);
    }
  }

  return {
    reach,
    async press(name, role = 'button') {
      await reach(page.getByRole(role, { name }));
      await page.keyboard.press('Enter');
    },
    async write(label, text) {
      await reach(page.getByLabel(label, { exact: typeof label === 'string' }));
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
    async tick(label) {
      await reach(page.getByRole('checkbox', { name: label }));
      await page.keyboard.press('Space');
    },
    async choose(label, option) {
      await reach(page.getByLabel(label, { exact: typeof label === 'string' }));
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: option }).first().waitFor();
      await page.keyboard.type(option);
      await page.keyboard.press('Enter');
    },
  };
}
