import { describe, expect, it } from 'vitest';
import { toFailedRow } from '../../../server/app/activity.ts';
import type { WaitingRow } from '../../../server/sync/pull/failed-rows.ts';
import { english, said } from '../../../server/words/said.ts';

const row = (values: readonly (readonly [string, readonly string[]])[]): WaitingRow => ({
  nodeID: '1',
  sharedModuleID: '2',
  moduleID: '3',
  recordID: '4',
  reason: said('value.no-date'),
  record: { createdAt: '', updatedAt: '', values },
  since: '',
  tries: 1,
  triedAt: '',
});
const shown = (values: readonly (readonly [string, readonly string[]])[]): Record<string, string[]> =>
  toFailedRow(row(values), english).values;

describe('a row that could not be applied, as the window shows it', () => {
  it('is whole where it is short', () => {
    const values = [
      ['Name', ['Fjellheim Båt']],
      ['Tags', ['new', 'big']],
    ] as const;
    expect(shown(values)).toEqual(Object.fromEntries(values));
  });

  it('is its beginning where a partner sent much: one long text, very many, or very many columns', () => {
    const long = 'Ärger ohne Ende, '.repeat(60_000);
    const size = (values: Record<string, string[]>): number => JSON.stringify(values).length;
    expect(shown([['Name', [long]]]).Name?.[0]).toBe(long.slice(0, 1000));
    expect(size(shown([['Tags', Array.from({ length: 100_000 }, (_, n) => `tag ${n}`)]]))).toBeLessThan(3000);
    expect(size(shown(Array.from({ length: 400 }, (_, n) => [`c${n}`, [long]])))).toBeLessThan(3000);
  });
});
