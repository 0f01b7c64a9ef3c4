import { expect, it } from 'vitest';
import type { RowValues } from '../../../renderer/api/lists.ts';
import { CellEditing } from '../../../renderer/places/lists/grid/cell-editing.svelte.ts';
import type { Edits, NewRowOptions } from '../../../renderer/places/lists/grid/edits.svelte.ts';
import { Rows } from '../../../renderer/places/lists/grid/rows.svelte.ts';
import type { RejectedInput } from '../../../renderer/state/drafts.svelte.ts';
import type { GridRow, ListColumn } from '../../../server/contract/app/lists.ts';

const column = (fieldID: string, name: string): ListColumn =>
  ({ fieldID, name, label: name, kind: 'String', options: {} }) as unknown as ListColumn;
const COLUMNS = [
  column('1', 'Name'),
  column('2', 'Town'),
  { ...column('3', 'Tags'), isMulti: true, options: {} },
];

/** Cells of a list with these rows; new ones are added or refused once that function is called. */
async function cellsOf(...ids: string[]): Promise<{
  writing: CellEditing;
  /** Another window leaves these rows. */
  leave: (...ids: string[]) => Promise<void>;
  refuse: () => Promise<void>;
  accept: () => Promise<void>;
  changed: string[];
  added: RowValues[];
  /** What the form was opened with. */
  asked: [RowValues, string | undefined][];
  hide: (fieldID: string) => void;
  reject: (input: RejectedInput) => void;
}> {
  let columns = COLUMNS;
  let rejected: readonly RejectedInput[] = [];
  let listed = ids;
  const rows = new Rows(() =>
    Promise.resolve({
      offset: 0,
      total: listed.length,
      rows: listed.map((recordID) => ({ recordID, values: {} }) as unknown as GridRow),
    }),
  );
  const changed: string[] = [];
  const added: RowValues[] = [];
  const asked: [RowValues, string | undefined][] = [];
  let answer: (isAdded: boolean) => void = () => undefined;
  const edits = {
    seenIn: () => [],
    pendingValues: () => undefined,
    changeCell: ({ recordID }: GridRow, _column: ListColumn, values: readonly string[]) => {
      changed.push(`${recordID} ${values.join()}`);
      return Promise.resolve(true);
    },
    addRow: async (values: RowValues, { answered }: NewRowOptions) => {
      added.push(values);
      const isAdded = await new Promise<boolean>((resolve) => (answer = resolve));
      const row = { recordID: 'new', values } as unknown as GridRow;
      answered?.(isAdded ? row : undefined, 'no number');
      return undefined;
    },
  } as unknown as Edits;
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
  rows.showRange(0, 10);
  await settle();
  const writing = new CellEditing({
    ...{ rows, edits, columns: () => columns, fields: () => COLUMNS, readonly: () => false },
    ...{ ondetails: () => undefined, rejected: () => rejected },
    onadd: (...values) => void asked.push([values[0], values[1]]),
    ...{ onsent: () => undefined, onanswered: () => undefined, ondismiss: () => undefined },
    readYesNo: () => undefined,
  });
  return {
    writing,
    leave(...left) {
      listed = left;
      rows.refresh();
      return settle();
    },
    refuse: () =>
      settle()
        .then(() => answer(false))
        .then(settle),
    accept: () =>
      settle()
        .then(() => answer(true))
        .then(settle),
    changed,
    added,
    asked,
    hide: (fieldID) => (columns = columns.filter((each) => each.fieldID !== fieldID)),
    reject: (input) => (rejected = [input]),
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

it.each([true, false])(
  'keeps a new row with all of its values in its line when the first is refused (%s: before the next), until that is corrected',
  async (isRefusedBefore) => {
    const { writing, refuse, accept, added, changed } = await cellsOf('a');
    writing.beginEditing({ row: 1, column: 0 });
    writing.commit('viele');
    if (isRefusedBefore) await refuse();
    writing.beginEditing({ row: 1, column: 1 });
    if (!isRefusedBefore) await refuse();
    expect(writing.line).toBe(1);
    writing.commit('Graz');
    expect([writing.pendingValues(1), writing.isBlank(2)]).toEqual([
      { Name: ['viele'], Town: ['Graz'] },
      true,
    ]);
    expect(writing.refused).toEqual([{ fieldID: '1', values: ['viele'], problem: 'no number', line: 1 }]);
    writing.beginEditing({ row: 1, column: 0 });
    expect(writing.editing?.refused?.values).toEqual(['viele']);
    writing.commit('7');
    await accept();
    expect(added).toEqual([{ Name: ['viele'] }, { Name: ['7'] }]);
    expect(changed).toEqual(['new Graz']);
    expect(writing.refused).toEqual([]);
  },
);

it('keeps several refused new rows beside each other, with the blank line below', async () => {
  const { writing, refuse, accept, added } = await cellsOf('a');
  for (const [index, text] of ['viele', 'wenige'].entries()) {
    writing.beginEditing({ row: 1 + index, column: 0 });
    writing.commit(text);
    await Promise.resolve();
    await refuse();
  }
  writing.beginEditing({ row: 3, column: 0 });
  writing.commit('8');
  await accept();
  expect(added.at(-1)).toEqual({ Name: ['8'] });
  expect(writing.refused.map(({ line, values }) => [line, ...values])).toEqual([
    [1, 'viele'],
    [2, 'wenige'],
  ]);
});

it('sends what replaced a value before it was refused, and forgets a row whose only value is discarded', async () => {
  const { writing, refuse, added } = await cellsOf('a');
  for (const text of ['viele', 'wenige']) {
    writing.beginEditing({ row: 1, column: 0 });
    writing.commit(text);
    await Promise.resolve();
  }
  await refuse();
  await refuse();
  expect(added).toEqual([{ Name: ['viele'] }, { Name: ['wenige'] }]);
  writing.beginEditing({ row: 1, column: 0 });
  writing.cancel();
  expect([writing.isBlank(1), writing.refused]).toEqual([true, []]);
});

it('moves a refused new row into the form for a column that needs room, once the node has answered', async () => {
  const { writing, refuse, asked } = await cellsOf('a');
  writing.beginEditing({ row: 1, column: 0 });
  writing.commit('viele');
  const key = writing.waitingRowAt(1)?.idempotencyKey;
  writing.beginEditing({ row: 1, column: 2 }, 'x');
  expect([writing.isReady({ row: 1, column: 1 }), writing.isReady({ row: 1, column: 2 })]).toEqual([
    true,
    false,
  ]);
  expect(asked).toEqual([]);
  await refuse();
  expect(writing.isReady({ row: 1, column: 2 })).toBe(true);
  writing.beginEditing({ row: 1, column: 2 }, 'x');
  expect(asked).toEqual([[{ Name: ['viele'] }, key]]);
  expect([writing.refused, writing.isBlank(1)]).toEqual([[], true]);
});

it('corrects a refused value in its cell, that of a column hidden since in the form', async () => {
  const { writing, refuse, asked, hide } = await cellsOf('a');
  writing.beginEditing({ row: 1, column: 0 });
  writing.commit('viele');
  await refuse();
  writing.editRefused(1, '1');
  expect(writing.editing?.refused?.values).toEqual(['viele']);
  writing.stopEditing();
  hide('1');
  writing.editRefused(1, '1');
  expect([writing.editing, asked.map(([values]) => values)]).toEqual([undefined, [{ Name: ['viele'] }]]);
  expect(writing.refused).toEqual([]);
});

it('empties cells of waiting rows; a row without values is gone, one with others is sent with these', async () => {
  const { writing, refuse, added } = await cellsOf('a');
  const lineBelow = { top: 1, bottom: 2, left: 0 };
  for (const [column, text] of ['viele', 'Graz'].entries()) {
    writing.beginEditing({ row: 1, column });
    writing.commit(text);
  }
  await refuse();
  writing.emptyWaiting({ ...lineBelow, left: 1, right: 2 });
  expect(writing.pendingValues(1)).toEqual({ Name: ['viele'], Town: [] });
  writing.beginEditing({ row: 1, column: 1 });
  writing.commit('Linz');
  writing.emptyWaiting({ ...lineBelow, right: 1 });
  await refuse();
  expect(added).toEqual([{ Name: ['viele'] }, { Town: ['Linz'] }]);
  writing.emptyWaiting({ ...lineBelow, right: 3 });
  expect([writing.isBlank(1), writing.refused]).toEqual([true, []]);
});

it.each([
  [[['1']], true],
  [undefined, false],
] as const)('corrects a refused value over %j that was seen before (%s)', async (over, isSeen) => {
  const { writing, reject } = await cellsOf('a');
  const row = { recordID: 'a', values: {} } as unknown as GridRow;
  const refused = {
    row,
    fieldID: '1',
    name: 'Name',
    label: '',
    values: ['l2'],
    problem: '',
    isDeleted: false,
  };
  const input: RejectedInput = over ? { ...refused, over } : refused;
  reject(input);
  writing.beginEditing({ row: 0, column: 0 });
  expect(writing.editing?.seen).toBe(isSeen ? input : undefined);
});
