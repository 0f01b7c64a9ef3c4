import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { z } from 'zod';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const findings = z.array(z.object({ id: z.string(), impact: z.string().nullable(), place: z.string() }));

/** A colour on its way to another one is neither: what ends by itself has ended, what goes round for ever is left. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime ?? 0))
  .map((animation) => animation.finished)).then(() => undefined)`;

/** All that axe-core finds by the colours of a page. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the serious and critical findings of axe-core on the page as it is, each with the element it names.
 * @param rules the rules to check; axe-core's own choice when absent
 * @param within a selector of the part to check; the whole page when absent
 */
export async function seriousFindings(
  page: Page,
  rules?: readonly string[],
  within?: string,
): Promise<string[]> {
  // The page's policy forbids scripts that are not its own; the debugger may still evaluate this one.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(AXE);
  await page.evaluate(SETTLED);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) });
  const found: unknown =
    await page.evaluate(`axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, ${options}).then((result) =>
      result.violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) =>
        ({ id, impact, place: (html + ' ' + (failureSummary ?? '')).slice(0, 400) }))))`);
  return findings
    .parse(found)
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, place }) => `${id}: ${place}`);
}

/** Returns what is drawn in a colour of ours where the system chooses all colours. A QR code keeps its own. */
export function inOurColours(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    const system = [
      'Canvas',
      'CanvasText',
      'GrayText',
      'Highlight',
      'HighlightText',
      'LinkText',
      'ButtonText',
    ];
    const theirs = system.map((name) => {
      probe.style.color = name;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    const shapes = 'svg :is(path, rect, circle, polygon, line, ellipse)';
    const found = [...document.querySelectorAll(shapes)].flatMap((shape) => {
      const { fill, stroke, forcedColorAdjust } = getComputedStyle(shape);
      if (!shape.checkVisibility() || forcedColorAdjust === 'none') return [];
      return [fill, stroke]
        .filter((colour) => colour !== 'none' && !colour.startsWith('url') && !theirs.includes(colour))
        .map((colour) => `${shape.getAttribute('class') ?? shape.tagName}: ${colour}`);
    });
    return [...new Set(found)];
  });
}
