import { describe, expect, it } from 'vitest';
import type { DifferingRow } from '../../../server/sync/compare/compare-findings.ts';
import { countUnexplained } from '../../../server/sync/compare/comparisons.ts';

const rows = (n: number): DifferingRow[] =>
  Array.from({ length: n }, (_, at) => ({
    recordID: String(at),
    difference: 'values',
    title: '',
    columns: [],
  }));

describe('the differences that a comparison leaves', () => {
  it('are none where all differing rows were kept by the user', () => {
    expect(countUnexplained({ differing: rows(3), more: false }, 3)).toBe(0);
    expect(countUnexplained({ differing: rows(3), more: false }, 2)).toBe(1);
  });

  it('are at least one where not all could be examined, however many were kept', () => {
    expect(countUnexplained({ differing: rows(3), more: true }, 10)).toBe(1);
    expect(countUnexplained({ differing: [], more: true }, 0)).toBe(1);
  });
});
