import { expect, it } from 'vitest';
import { toNumberText } from '../../../../server/lists/sheets/cell-text.ts';
import { parseFormat } from '../../../../server/lists/sheets/number-format.ts';

it('a value that looks like a number for a million letters is the text that it is, at once', () => {
  for (const end of ['x', '', '.', 'e'])
    expect(toNumberText('1'.repeat(1_000_000) + end)).toHaveLength(1_000_000 + end.length);
  expect(['1.', '.5', '1.50', '-2e3', '00012'].map(toNumberText)).toEqual(['1', '0.5', '1.5', '-2000', '12']);
  // With zeros behind the digits that are known.
  expect(toNumberText('1.234567890123457e+17')).toBe('123456789012345700');
});

it('a format that is longer than any is none, at once', () => {
  expect(parseFormat('['.repeat(2_000_000))).toBeUndefined();
  expect(parseFormat('[$-409]yyyy-mm-dd')).toMatchObject({ hasDay: true });
});
