import { describe, expect, it } from 'vitest';
import { sectionInSight } from '../../../renderer/places/settings/section-in-sight.ts';

const tops = (...all: number[]): { name: string; top: number }[] =>
  all.map((top, at) => ({ name: `section ${String(at)}`, top }));

describe('which section of a page one is at', () => {
  it('is the last whose heading came up', () => {
    expect(sectionInSight(tops(30, 400, 900), false, '')).toBe('section 0');
    expect(sectionInSight(tops(-300, 20, 500), false, '')).toBe('section 1');
  });

  it('is the first before any came up', () => {
    expect(sectionInSight(tops(200, 400), false, '')).toBe('section 0');
  });

  it('is the last at the end of the page, or the one that was asked for and cannot come up', () => {
    expect(sectionInSight(tops(-900, -20, 300, 500), true, '')).toBe('section 3');
    expect(sectionInSight(tops(-900, -20, 300, 500), true, 'section 2')).toBe('section 2');
    expect(sectionInSight(tops(-900, -20, 300, 500), true, 'section 0')).toBe('section 3');
  });
});
