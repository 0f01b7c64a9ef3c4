import { expect, it } from 'vitest';
import { keptSince } from '../../../renderer/places/lists/undo-notices.ts';
import { translators } from '../../support/reading/translators.ts';

it('an undo says that the list keeps its name, beside columns that stay', () => {
  const step = { stepID: '1', kind: 'columns', rows: 0, at: '2026-11-02T08:00:00.000Z' } as const;
  const undone = { step: { ...step, columns: ['Price'] }, done: 0, others: {}, sharedBefore: [] };
  const said = 'The list was renamed since and keeps its name.';
  const app = { t: translators.en };
  expect(keptSince({ ...undone, left: 0, keepsName: true }, app)).toBe(said);
  expect(keptSince({ ...undone, left: 1, keepsName: true }, app)).toBe(
    `1 column was changed since and stays. ${said}`,
  );
  expect(keptSince({ ...undone, left: 0 }, app)).toBe('');
});
