import { expect, it } from 'vitest';
import type { RowValues } from '../../../renderer/api/lists.ts';
import { CellEditing } from '../../../renderer/places/lists/grid/cell-editing.svelte.ts';
import type { Edits, NewRowOptions } from '../../../renderer/places/lists/grid/edits.svelte.ts';
import { Rows } from '../../../renderer/places/lists/grid/rows.svelte.ts';
import type { RejectedInput } from '../../../renderer/state/drafts.svelte.ts';
import type { GridRow, ListColumn } from '../../../server/contract/app/lists.ts';

const column = (fieldID: string, name: string): ListColumn =>
  ({ fieldID, name, label: name, kind: 'String', options: {} }) as unknown as ListColumn;
const COLUMNS = [column('1', 'Name'), column('2', 'Town')];

/** Cells of a list with these rows; new ones are refused once `refuse` is called. */
async function cellsOf(...ids: string[]): Promise<{
  writing: CellEditing;
  /** Another window leaves these rows. */
  leave: (...ids: string[]) => Promise<void>;
  refuse: () => Promise<void>;
  changed: string[];
  asked: RowValues[];
}> {
  let listed = ids;
  const rows = new Rows(() =>
    Promise.resolve({
      offset: 0,
      total: listed.length,
      rows: listed.map((recordID) => ({ recordID, values: {} }) as unknown as GridRow),
    }),
  );
  const changed: string[] = [];
  const asked: RowValues[] = [];
  let rejected: RejectedInput[] = [];
  let refused: () => void = () => undefined;
  const edits = {
    seenIn: () => [],
    pendingValues: () => undefined,
    changeCell: ({ recordID }: GridRow, _column: ListColumn, values: readonly string[]) => {
      changed.push(`${recordID} ${values.join()}`);
      return Promise.resolve(true);
    },
    addRow: async (_values: RowValues, { answered, input }: NewRowOptions) => {
      await new Promise<void>((resolve) => (refused = resolve));
      if (input) rejected = [...rejected, { ...input, problem: 'no number', isDeleted: false }];
      answered?.(undefined);
      return undefined;
    },
  } as unknown as Edits;
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
  rows.showRange(0, 10);
  await settle();
  const writing = new CellEditing({
    ...{ rows, edits, columns: () => COLUMNS, fields: () => COLUMNS, readonly: () => false },
    ...{ ondetails: () => undefined, onunfit: () => undefined, rejected: () => rejected },
    onadd: (values) => void asked.push(values),
    ...{ onsent: () => undefined, onanswered: () => undefined },
    ondismiss: (input) => void (rejected = rejected.filter((other) => other !== input)),
  });
  return {
    writing,
    leave(...left) {
      listed = left;
      rows.refresh();
      return settle();
    },
    refuse() {
      refused();
      return settle();
    },
    changed,
    asked,
  };
}

it('edits a cell in the line of its row, wherever that moves, and in none once it is gone', async () => {
  const { writing, leave, changed } = await cellsOf('a', 'b', 'c');
  writing.beginEditing({ row: 1, column: 0 });
  const { editing } = writing;
  const lines: (number | undefined)[] = [];
  for (const left of [
    ['b', 'c'],
    ['x', 'y', 'c', 'b'],
    ['x', 'y'],
  ]) {
    await leave(...left);
    lines.push(writing.line);
  }
  expect(lines).toEqual([0, 3, undefined]);
  expect(writing.editing).toBe(editing);
  expect(writing.commit('B')).toBeUndefined();
  expect(changed).toEqual(['b B']);
});

it('edits a new row in the line below the last, however many there are by now', async () => {
  const { writing, leave } = await cellsOf('a', 'b');
  writing.beginEditing({ row: 2, column: 0 });
  await leave('a', 'b', 'c');
  expect([writing.line, writing.isBlank(2), writing.isBlank(3)]).toEqual([3, false, true]);
});

it('asks for one new row with all of its values when the first of them is refused', async () => {
  const { writing, refuse, asked } = await cellsOf('a');
  for (const isRefusedBefore of [false, true]) {
    writing.beginEditing({ row: 1, column: 0 });
    writing.commit('viele');
    await Promise.resolve();
    if (isRefusedBefore) await refuse();
    writing.beginEditing({ row: 1, column: 1 });
    if (!isRefusedBefore) await refuse();
    expect(writing.line).toBe(1);
    writing.commit('Graz');
    await refuse();
    expect(asked.splice(0)).toEqual([{ Name: ['viele'], Town: ['Graz'] }]);
  }
});

it('asks for one new row with all that was typed before it is refused', async () => {
  const { writing, refuse, asked } = await cellsOf('a');
  for (const [column, text] of ['viele', 'Graz', 'wenige'].entries()) {
    writing.beginEditing({ row: 1, column: column % 2 });
    writing.commit(text);
  }
  await Promise.resolve();
  await refuse();
  expect(asked).toEqual([{ Name: ['wenige'], Town: ['Graz'] }]);
});
