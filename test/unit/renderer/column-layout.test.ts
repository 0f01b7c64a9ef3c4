import { expect, it } from 'vitest';
import type { ListColumn } from '../../../server/contract/app/lists.ts';
import {
  LIST_LAYOUT,
  withColumnHidden,
  sortColumns,
  withColumnMoved,
  shownColumns,
  withColumnWidth,
  type ColumnLayout,
} from '../../../renderer/places/lists/view/column-layout.ts';

const columns = ['a', 'b', 'c', 'd'].map((fieldID): ListColumn => ({
  ...{ fieldID, kind: 'String', name: fieldID, label: fieldID },
  ...{ isMulti: false, isRequired: false, options: {} },
}));
const order = (arrangement: ColumnLayout): string =>
  sortColumns(columns, arrangement)
    .map(({ fieldID }) => fieldID)
    .join('');
const shown = (arrangement: ColumnLayout): string =>
  shownColumns(columns, arrangement)
    .map(({ fieldID }) => fieldID)
    .join('');

it('moves a column before another one, or behind all, and leaves the list as it is', () => {
  expect(order(LIST_LAYOUT)).toBe('abcd');
  expect(order(withColumnMoved(columns, LIST_LAYOUT, 'c', 'a'))).toBe('cabd');
  expect(order(withColumnMoved(columns, LIST_LAYOUT, 'a', undefined))).toBe('bcda');
  expect(order(withColumnMoved(columns, LIST_LAYOUT, 'b', 'b'))).toBe('abcd');
});

it('puts columns that were made since behind the others, and knows none that are gone', () => {
  expect(order({ ...LIST_LAYOUT, order: ['x', 'c', 'a'] })).toBe('cabd');
});

it('keeps the place of a hidden column, and shows all before it shows none', () => {
  const without = withColumnHidden(LIST_LAYOUT, 'b', true);
  expect(shown(without)).toBe('acd');
  expect(shown(withColumnMoved(columns, without, 'd', 'a'))).toBe('dac');
  expect(shown(withColumnHidden(withColumnMoved(columns, without, 'd', 'a'), 'b', false))).toBe('dabc');
  expect(shown({ ...LIST_LAYOUT, hidden: ['a', 'b', 'c', 'd'] })).toBe('abcd');
});

it('keeps widths that can be, and gives them back', () => {
  expect(withColumnWidth(LIST_LAYOUT, 'a', 1).widths).toEqual({ a: 4 });
  expect(withColumnWidth(LIST_LAYOUT, 'a', 1000).widths).toEqual({ a: 60 });
  expect(withColumnWidth(withColumnWidth(LIST_LAYOUT, 'a', 9), 'a', undefined).widths).toEqual({});
});
