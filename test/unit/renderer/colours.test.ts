import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COLOURS } from '../../../server/base/vocabulary.ts';

type Theme = 'light' | 'dark';

const styles = (name: string): string =>
  readFileSync(new URL(`../../../renderer/styles/${name}.css`, import.meta.url), 'utf8');

/** The colours of a theme by the names of their tokens. */
function colours(css: string, theme: Theme): ReadonlyMap<string, string> {
  const pairs = css.matchAll(/--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;/g);
  return new Map([...pairs].map(([, name = '', light = '', dark = light]) => [name, { light, dark }[theme]]));
}

/** Relative luminance, as WCAG has it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ['ground', 'side', 'surface', 'sunken', 'hover'];
/** Words stand on the water between the banks as well. */
const WITH_WATER = [...GROUNDS, 'water'];
/** What is read on what; the least that WCAG AA asks of text is 4.5, of the outline of a control 3. */
const READ: readonly [ink: string, grounds: readonly string[], least: number][] = [
  ['ink', [...WITH_WATER, 'accent-soft', 'need-soft', 'bad-soft'], 7],
  ['ink-soft', WITH_WATER, 4.5],
  ['ink-locked', ['sunken', 'surface'], 4.5],
  ['accent', [...WITH_WATER, 'accent-soft'], 4.5],
  ['accent-strong', [...GROUNDS, 'accent-soft'], 4.5],
  ['accent-ink', ['accent', 'accent-strong'], 4.5],
  ['good', [...GROUNDS, 'good-soft'], 4.5],
  ['need', [...GROUNDS, 'need-soft'], 4.5],
  ['bad', [...GROUNDS, 'bad-soft'], 4.5],
  ['quiet', GROUNDS, 4.5],
  ['border-strong', GROUNDS, 3],
];

describe.each(['light', 'dark'] as const)('the colours of the %s theme', (theme) => {
  const all = colours(styles('tokens'), theme);

  it.each(READ)('%s can be read on all that it stands on', (ink, grounds, least) => {
    const ratios = grounds.map((ground) => [ground, contrast(all.get(ink) ?? '', all.get(ground) ?? '')]);
    for (const [ground, ratio] of ratios) expect(ratio, `${ink} on ${ground}`).toBeGreaterThanOrEqual(least);
  });

  it.each(COLOURS)('%s can be read as a line, and its initials on its tile', (partner) => {
    const [, css = ''] = new RegExp(`\\.of-${partner} \\{([^}]+)\\}`).exec(styles('partners')) ?? [];
    const own = colours(css, theme);
    const at = (token: string): string => own.get(token) ?? all.get(token) ?? '';
    expect(contrast(at('whose-ink'), at('whose-tile'))).toBeGreaterThanOrEqual(4.5);
    for (const ground of ['ground', 'surface', 'water', 'whose-soft'])
      expect(contrast(at('whose'), at(ground)), ground).toBeGreaterThanOrEqual(4.5);
    expect(contrast(at('ink'), at('whose-soft'))).toBeGreaterThanOrEqual(7);
  });
});
