import { expect, it } from 'vitest';
import type { ImportPreview } from '../../../server/contract/app/import.ts';
import type { ListColumn } from '../../../server/contract/app/lists.ts';
import { matchColumns } from '../../../renderer/places/lists/import/import-match.ts';

const columns = (...headers: string[]): ImportPreview['columns'] =>
  headers.map((name) => ({ name, label: name }) as ImportPreview['columns'][number]);
const field = (name: string, label = name): ListColumn => ({ name, label }) as ListColumn;

it('matches the column that has the heading as its label, not one that was renamed', () => {
  const fields = [field('Price', 'Old price'), field('Price_2', 'Price')];
  expect(matchColumns(columns('Price'), fields)).toEqual({ Price: 'Price_2' });
  expect(matchColumns(columns('Price', 'Old price'), fields)).toEqual({
    Price: 'Price_2',
    'Old price': 'Price',
  });
  expect(matchColumns(columns('Price_2', 'old-price'), fields)).toEqual({
    Price_2: 'Price_2',
    'old-price': 'Price',
  });
});

it('matches equal headings before those that differ by signs alone', () => {
  const fields = [field('Nr'), field('Nr_2', 'Nr.'), field('C_1', 'C#'), field('C_2', 'C++')];
  expect(matchColumns(columns('Nr.', 'Nr', 'C++', 'C#'), fields)).toEqual({
    'Nr.': 'Nr_2',
    Nr: 'Nr',
    'C++': 'C_2',
    'C#': 'C_1',
  });
  expect(matchColumns(columns('NR', 'c#'), fields)).toEqual({ NR: 'Nr', 'c#': 'C_1' });
});
