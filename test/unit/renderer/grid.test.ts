import { describe, expect, it } from 'vitest';
import { cellAfterKey } from '../../../renderer/places/lists/grid/editing.ts';
import {
  orderBySlot,
  edgePositions,
  frozenWithin,
  visibleColumns,
  scrollToShow,
  TALLEST,
  visibleRows,
  columnWidths,
} from '../../../renderer/places/lists/grid/layout.ts';
import { buildQuery } from '../../../renderer/places/lists/grid/query.ts';
import type { ListColumn } from '../../../server/contract/app/lists.ts';
import { parseQuery } from '../../../server/lists/query/query.ts';

const column = (name: string, kind: ListColumn['kind']): ListColumn => ({
  fieldID: `of ${name}`,
  kind,
  name,
  label: name,
  isMulti: false,
  isRequired: false,
  options: {},
});

describe('the grid', () => {
  it('draws only the rows in view, wherever one is in 100,000', () => {
    const view = visibleRows(100_000, 34, 50_000 * 34, 680, 8);
    expect(view.first).toBe(49_992);
    expect(view.end).toBe(50_029);
    expect(view.top(50_000)).toBe(50_000 * 34);
  });

  it('gives the room that is left to columns of texts, and never to a width that the user chose', () => {
    const columns = [column('Name', 'String'), column('Amount', 'Number'), column('City', 'String')].map(
      (each, index) => ({ ...each, fieldID: String(index) }),
    );
    const [name = 0, amount = 0, city = 0] = columnWidths(columns, () => undefined, 16, 0);
    const wide = columnWidths(columns, () => undefined, 16, name + amount + city + 200);
    expect(wide).toEqual([name + 100, amount, city + 100]);
    const chosen = columnWidths(columns, (fieldID) => (fieldID === '0' ? 5 : undefined), 16, 1000);
    expect(chosen).toEqual([80, amount, 1000 - 80 - amount]);
  });

  it('reaches the last row of a list that is too long for any browser to draw', () => {
    const rows = 2_000_000;
    const view = visibleRows(rows, 34, TALLEST - 680, 680, 0);
    expect(view.height).toBe(TALLEST);
    expect(view.end).toBe(rows);
    expect(view.top(rows - 1) + 34).toBeCloseTo(TALLEST, 3);
    expect(scrollToShow(rows - 1, rows, 34, 0, 680)).toBeCloseTo(TALLEST - 680, 3);
  });

  it('uses what was drawn for rows that leave for those that come, and draws no fewer anywhere', () => {
    const at = (row: number): readonly number[] => orderBySlot(visibleRows(100_000, 34, row * 34, 680, 8));
    const before = at(50_000);
    const after = at(50_003);
    expect(new Set(before).size).toBe(37);
    expect(after.filter((index, slot) => index !== before[slot])).toHaveLength(3);
    for (const row of [0, 3, 77_777.5, 99_980]) expect(at(row)).toHaveLength(37);
    // A list that is shorter than the window stands in its order.
    expect(orderBySlot(visibleRows(5, 34, 0, 680, 8))).toEqual([0, 1, 2, 3, 4]);
  });

  it('draws only the columns in view', () => {
    const columnEdges = edgePositions(Array.from({ length: 500 }, () => 100));
    expect(visibleColumns(columnEdges, 10_000, 800)).toEqual({ first: 98, end: 110 });
  });

  it('keeps no more columns in sight than leave room for another one', () => {
    const columnEdges = edgePositions([100, 150, 200]);
    expect([0, 1, 2, 3, 9].map((wanted) => frozenWithin(columnEdges, wanted, 300))).toEqual([0, 1, 2, 2, 2]);
    expect(frozenWithin(columnEdges, 2, 90)).toBe(0);
  });

  it('stops at its borders when keys move the active cell', () => {
    const at = { row: 0, column: 0 };
    expect(cellAfterKey('ArrowUp', false, at, 10, 3, 5)).toEqual(at);
    expect(cellAfterKey('End', true, at, 10, 3, 5)).toEqual({ row: 9, column: 2 });
    expect(cellAfterKey('PageDown', false, { row: 8, column: 1 }, 10, 3, 5)).toEqual({ row: 9, column: 1 });
    expect(cellAfterKey('a', false, at, 10, 3, 5)).toBeUndefined();
  });

  it('asks for exactly the rows that a filter names, whatever signs its value holds', () => {
    const columns = [column('Name', 'String'), column('Amount', 'Number')];
    const times = { recordID: '1', createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
    const fits = (value: string, of: string): boolean => {
      const query = buildQuery([{ fieldID: 'of Name', operator: 'contains', value }], columns) ?? '';
      const named = columns.map(({ name, kind }) => ({ name, kind }));
      return parseQuery(query, named)({ Name: [of] }, times);
    };
    for (const value of ["O'Brien", '100%', 'a_b', 'back\\slash', "' OR Name != '"]) {
      expect(fits(value, `<${value}>`), value).toBe(true);
      expect(fits(value, 'ab'), value).toBe(false);
    }
    expect(fits('100%', '1000')).toBe(false);
    const more = { fieldID: 'of Amount', operator: 'more', value: '2.5' } as const;
    expect(buildQuery([more], columns)).toBe('Amount > 2.5');
    // Gone, or of another kind by now.
    expect(buildQuery([{ ...more, fieldID: 'of Credit' }], columns)).toBeUndefined();
    expect(buildQuery([{ ...more, fieldID: 'of Name' }], columns)).toBeUndefined();
  });
});
