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
 * Serious and critical findings of axe-core on the page as it stands, each with the element it names.
 * @param rules those that are looked at; what axe-core looks at by itself when absent
 */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The page's policy forbids scripts that are not its own; the debugger may still evaluate this one.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(AXE);
  await page.evaluate(SETTLED);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) });
  const found: unknown = await page.evaluate(`axe.run(document, ${options}).then((result) =>
      result.violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) =>
        ({ id, impact, place: (html + ' ' + (failureSummary ?? '')).slice(0, 400) }))))`);
  return findings
    .parse(found)
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, place }) => `${id}: ${place}`);
}
