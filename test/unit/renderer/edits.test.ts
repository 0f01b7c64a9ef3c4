import { expect, it } from 'vitest';
import type { ListsApi, RowValues } from '../../../renderer/api/lists.ts';
import { Edits } from '../../../renderer/places/lists/grid/edits.svelte.ts';
import type { Rows } from '../../../renderer/places/lists/grid/rows.svelte.ts';
import type { App } from '../../../renderer/state/app.svelte.ts';
import type { GridRow } from '../../../server/contract/app/lists.ts';

const row = (name: string): GridRow => ({ recordID: '1', values: { Name: [name] } }) as unknown as GridRow;

/** Edits of one row on a node that answers when told to; `sent` is what it was asked for, in order. */
function slowNode(): {
  edits: Edits;
  sent: string[];
  answer: () => void;
  offered: (() => void)[];
  closed: number[];
} {
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  const offered: (() => void)[] = [];
  const closed: number[] = [];
  const app = {
    attempt: (task: () => Promise<unknown>) => task(),
    notices: {
      say(_text: string, way?: { run: () => void }) {
        return way ? offered.push(way.run) : 0;
      },
      close: (id: number) => void closed.push(id),
    },
    t: (key: string) => key,
  } as unknown as App;
  const lists = {
    changeRow: async (_module: string, _row: string, values: RowValues) => {
      sent.push(String(values.Name));
      await new Promise<void>((resolve) => waiting.push(resolve));
      return row(String(values.Name));
    },
  } as unknown as ListsApi;
  const rows = { replace: () => undefined, refresh: () => undefined } as unknown as Rows;
  return {
    edits: new Edits(app, lists, '1', rows),
    sent,
    answer: () => waiting.shift()?.(),
    offered,
    closed,
  };
}

const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

it('undoes what was done last, also while the node has not answered that yet', async () => {
  const { edits, sent, answer } = slowNode();
  const first = edits.change(row('A'), { Name: ['B'] });
  answer();
  await first;
  void edits.change(row('B'), { Name: ['C'] });
  const undone = edits.undo();
  await aMoment();
  expect(sent, 'nothing is undone before its turn').toEqual(['B', 'C']);
  answer();
  await aMoment();
  answer();
  await undone;
  expect(sent).toEqual(['B', 'C', 'B']);
});

it('takes back with a message what that message is of, and once, whatever was changed since', async () => {
  const { edits, sent, answer, offered } = slowNode();
  const made = edits.change(row('A'), { Name: ['B'] }, 'The value of before is back.');
  answer();
  await made;
  const other = edits.change({ ...row('X'), recordID: '2' }, { Name: ['Y'] });
  await aMoment();
  answer();
  await other;
  for (let times = 0; times < 2; times++) {
    offered[0]?.();
    await aMoment();
    answer();
    await aMoment();
  }
  expect(sent).toEqual(['B', 'Y', 'A']);
});

it('undoes one step after the other, however quickly it is asked', async () => {
  const { edits, sent, answer } = slowNode();
  for (const [from, to] of ['AB', 'BC']) {
    const changed = edits.change(row(from ?? ''), { Name: [to ?? ''] });
    answer();
    await changed;
  }
  void edits.undo();
  const undone = edits.undo();
  await aMoment();
  expect(sent).toEqual(['B', 'C', 'B']);
  answer();
  await aMoment();
  answer();
  await undone;
  expect(sent).toEqual(['B', 'C', 'B', 'A']);
});

it('says of deleted rows at whom they go as well', async () => {
  const said: string[] = [];
  const app = {
    attempt: (task: () => Promise<unknown>) => task(),
    notices: { say: (text: string) => said.push(text) },
    format: { list: (names: readonly string[]) => names.join('+') },
    t: (key: string, values?: { partners?: string }) => [key, values?.partners].join(' ').trim(),
  } as unknown as App;
  const lists = { deleteRows: () => Promise.resolve({ deleted: 1 }) } as unknown as ListsApi;
  const rows = { refresh: () => undefined } as unknown as Rows;
  await new Edits(app, lists, '1', rows, () => ['Harbour', 'Mill']).remove(['5']);
  await new Edits(app, lists, '1', rows).remove(['5']);
  expect(said).toEqual(['grid.deleted grid.deleted-there Harbour+Mill', 'grid.deleted']);
});

it('offers no more to take back what was taken back otherwise', async () => {
  const { edits, answer, closed } = slowNode();
  const made = edits.change(row('A'), { Name: ['B'] }, 'The value of before is back.');
  answer();
  await made;
  expect(closed).toEqual([]);
  const undone = edits.undo();
  await aMoment();
  answer();
  await undone;
  expect(closed).toEqual([1]);
});
