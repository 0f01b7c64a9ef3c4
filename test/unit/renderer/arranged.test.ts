import { expect, it } from 'vitest';
import type { ListColumn } from '../../../server/contract/app/lists.ts';
import {
  AS_THE_LIST,
  hiddenOr,
  inOrder,
  moved,
  shownOf,
  widened,
  type Arrangement,
} from '../../../renderer/places/lists/view/arranged.ts';

const columns = ['a', 'b', 'c', 'd'].map((fieldID): ListColumn => ({
  ...{ fieldID, kind: 'String', name: fieldID, label: fieldID },
  ...{ isMulti: false, isRequired: false, options: {} },
}));
const order = (arrangement: Arrangement): string =>
  inOrder(columns, arrangement)
    .map(({ fieldID }) => fieldID)
    .join('');
const shown = (arrangement: Arrangement): string =>
  shownOf(columns, arrangement)
    .map(({ fieldID }) => fieldID)
    .join('');

it('moves a column before another one, or behind all, and leaves the list as it is', () => {
  expect(order(AS_THE_LIST)).toBe('abcd');
  expect(order(moved(columns, AS_THE_LIST, 'c', 'a'))).toBe('cabd');
  expect(order(moved(columns, AS_THE_LIST, 'a', undefined))).toBe('bcda');
  expect(order(moved(columns, AS_THE_LIST, 'b', 'b'))).toBe('abcd');
});

it('puts columns that were made since behind the others, and knows none that are gone', () => {
  expect(order({ ...AS_THE_LIST, order: ['x', 'c', 'a'] })).toBe('cabd');
});

it('keeps the place of a hidden column, and shows all before it shows none', () => {
  const without = hiddenOr(AS_THE_LIST, 'b', true);
  expect(shown(without)).toBe('acd');
  expect(shown(moved(columns, without, 'd', 'a'))).toBe('dac');
  expect(shown(hiddenOr(moved(columns, without, 'd', 'a'), 'b', false))).toBe('dabc');
  expect(shown({ ...AS_THE_LIST, hidden: ['a', 'b', 'c', 'd'] })).toBe('abcd');
});

it('keeps widths that can be, and gives them back', () => {
  expect(widened(AS_THE_LIST, 'a', 1).widths).toEqual({ a: 4 });
  expect(widened(AS_THE_LIST, 'a', 1000).widths).toEqual({ a: 60 });
  expect(widened(widened(AS_THE_LIST, 'a', 9), 'a', undefined).widths).toEqual({});
});
