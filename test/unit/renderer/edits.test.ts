import { expect, it } from 'vitest';
import { NodeError } from '../../../renderer/api/http.ts';
import type { ListsApi, RowValues } from '../../../renderer/api/lists.ts';
import { Edits } from '../../../renderer/places/lists/grid/edits.svelte.ts';
import type { Rows } from '../../../renderer/places/lists/grid/rows.svelte.ts';
import type { App } from '../../../renderer/state/app.svelte.ts';
import type { CellInput } from '../../../renderer/state/drafts.svelte.ts';
import { WriteQueue } from '../../../renderer/state/write-queue.ts';
import type { GridRow, ListColumn, NextSteps, UndoStep } from '../../../server/contract/app/lists.ts';

const row = (name: string): GridRow => ({ recordID: '1', values: { Name: [name] } }) as unknown as GridRow;

const NAME = { fieldID: '7', name: 'Name', label: 'Name' } as unknown as ListColumn;

/** Edits of one row on a node that keeps the steps; `sent` is what it was asked for, in order. */
function slowNode(): {
  edits: Edits;
  sent: string[];
  /** What the node was told that a cell held before, by change. */
  befores: (RowValues | undefined)[];
  answer: () => void;
  /** Loses changes and their answers from now on, or no more. */
  cut: (isNow: boolean) => void;
  refuse: (isNow: boolean) => void;
  /** Forgets refused input. */
  discard: () => void;
  /** Another window changes the cell. */
  store: (text: string) => void;
  forgetLast: () => void;
  offered: (() => void)[];
  closed: string[];
  said: string[];
} {
  const sent: string[] = [];
  const befores: (RowValues | undefined)[] = [];
  const waiting: (() => void)[] = [];
  const offered: (() => void)[] = [];
  const closed: string[] = [];
  const said: string[] = [];
  let done: UndoStep[] = [];
  let undone: UndoStep[] = [];
  let stored = 'A';
  let isCut = false;
  const next = (): NextSteps => ({ undo: done.at(-1), redo: undone.at(-1), others: {} });
  let unsent: CellInput[] = [];
  let rejected: CellInput[] = [];
  let isRefusing = false;
  const drafts = {
    draftOf: () => ({ unsent, rejected }),
    keepUnsent: (_module: string, input: CellInput) =>
      (unsent = [...unsent.filter((other) => other.row.recordID !== input.row.recordID), input]),
    dismissInput: (input: CellInput) => (unsent = unsent.filter((other) => other !== input)),
    changeOver: (input: CellInput, over: CellInput['over']) => void Object.assign(input, { over }),
    keepRejected(_module: string, input: CellInput, { status }: NodeError) {
      if (status === 422) [unsent, rejected] = [[], [input]];
      return status === 422;
    },
  };
  const app = {
    drafts,
    get writes() {
      return writes;
    },
    explain: () => '',
    route: { place: 'list', moduleID: '1' },
    saveUnsentLater: () => undefined,
    attempt: (task: () => Promise<unknown>) =>
      task().catch((problem: unknown) => void said.push(problem instanceof Error ? problem.message : '')),
    notices: {
      say(text: string, way?: { run: () => void }) {
        said.push(text);
        return way ? offered.push(way.run) : 0;
      },
      closeUndo: (stepID: string) => void closed.push(stepID),
      fail: (text: string) => said.push(text),
    },
    t: (key: string, values: { step?: string; n?: number } = {}) =>
      [key, values.step ?? values.n].join(' ').trim(),
  } as unknown as App;
  const lists = {
    steps: () => Promise.resolve(next()),
    row: () => Promise.resolve(row(stored)),
    changeRow: async (_module: string, _row: string, values: RowValues, before?: RowValues) => {
      sent.push(String(values.Name));
      befores.push(before);
      await new Promise<void>((resolve) => waiting.push(resolve));
      if (isRefusing) throw new NodeError(422, 'data.invalid', 'no number');
      if (isCut) throw new NodeError(0, 'window.not-saved', 'no answer');
      stored = String(values.Name);
      done.push({ stepID: String(values.Name), kind: 'edit', rows: 1, at: '2026-11-28T08:00:00.000Z' });
      undone = [];
      return row(String(values.Name));
    },
    undo: (_module: string, stepID = done.at(-1)?.stepID) => {
      sent.push(`undo ${String(stepID)}`);
      const [step] = done.filter((each) => each.stepID === stepID);
      if (!step) return Promise.reject(new Error('nothing to undo'));
      done = done.filter((each) => each !== step);
      undone.push(step);
      return Promise.resolve({ ...next(), step, done: 1, left: 0, sharedBefore: [] });
    },
    redo: (_module: string, stepID = undone.at(-1)?.stepID) => {
      sent.push(`redo ${String(stepID)}`);
      const [step] = undone.filter((each) => each.stepID === stepID);
      if (!step) return Promise.reject(new Error('nothing to redo'));
      undone = undone.filter((each) => each !== step);
      done.push(step);
      return Promise.resolve({ ...next(), step, done: 1, left: 0, sharedBefore: [] });
    },
  } as unknown as ListsApi;
  const rows = { refresh: () => undefined } as unknown as Rows;
  const writes = new WriteQueue(lists, drafts);
  return {
    edits: new Edits(app, lists, '1', rows, () => [NAME]),
    sent,
    befores,
    answer: () => waiting.shift()?.(),
    cut(isNow) {
      isCut = isNow;
    },
    refuse(isNow) {
      isRefusing = isNow;
    },
    discard() {
      rejected = [];
    },
    store(text) {
      stored = text;
    },
    forgetLast() {
      done = done.slice(0, -1);
      undone = undone.slice(0, -1);
    },
    offered,
    closed,
    said,
  };
}

const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

it('undoes what was done last, also while the node has not confirmed it, and redoes it', async () => {
  const { edits, sent, answer, said } = slowNode();
  const first = edits.changeCell(row('A'), NAME, ['B']);
  answer();
  await first;
  void edits.changeCell(row('B'), NAME, ['C']);
  const undone = edits.undo();
  await aMoment();
  expect(sent, 'nothing is undone before its turn').toEqual(['B', 'C']);
  answer();
  await undone;
  expect(sent).toEqual(['B', 'C', 'undo C']);
  expect(edits.steps).toMatchObject({ undo: { stepID: 'B' }, redo: { stepID: 'C' } });
  await edits.redo();
  expect(sent.at(-1)).toBe('redo C');
  expect(said).toEqual(['undo.did step.edit 1', 'redo.did step.edit 1']);
});

it('saves inputs into a cell in their order, each over the one before and nothing else', async () => {
  const { edits, sent, befores, answer } = slowNode();
  const made = [
    edits.changeCell(row('A'), NAME, ['B'], { seen: ['A'] }),
    ...['C', 'D'].map((name) => edits.changeCell(row('A'), NAME, [name])),
  ];
  for (const names of ['B', 'BC', 'BCD']) {
    await aMoment();
    expect(sent.join('')).toBe(names);
    answer();
  }
  expect(await Promise.all(made)).toEqual([true, true, true]);
  expect(befores).toEqual([{ Name: ['A'] }, { Name: ['B'] }, { Name: ['C'] }]);
});

it('saves what is typed over a pending input over that, also once it is answered, and nothing else', async () => {
  const { edits, sent, befores, answer } = slowNode();
  const former = edits.changeCell(row('A'), NAME, ['B'], { seen: ['A'] });
  const seen = edits.seenIn(row('A'), NAME);
  await aMoment();
  answer();
  await former;
  for (const name of ['C', 'B']) {
    const made = edits.changeCell(row('X'), NAME, [name], { seen });
    await aMoment();
    answer();
    await made;
  }
  expect(sent).toEqual(['B', 'C', 'B']);
  expect(befores.slice(1)).toEqual([{ Name: ['B'] }, { Name: ['B'] }]);
  expect(edits.seenIn(row('X'), NAME)).toEqual(['X']);
});

it('saves what is typed over an unanswered input over what that replaced, or over that, and nothing else', async () => {
  for (const [stored, before] of [
    ['A', 'A'],
    ['B', 'B'],
    ['X', 'A'],
  ] as const) {
    const { edits, befores, answer, cut, store } = slowNode();
    cut(true);
    const former = edits.changeCell(row('A'), NAME, ['B'], { seen: ['A'] });
    await aMoment();
    answer();
    expect(await former).toBe(false);
    cut(false);
    store(stored);
    const made = edits.changeCell(row('A'), NAME, ['C'], { seen: edits.seenIn(row('A'), NAME) });
    await aMoment();
    answer();
    await made;
    expect(befores.at(-1)).toEqual({ Name: [before] });
  }
});

it('undoes nothing while an input waits unsent: that was done last', async () => {
  const { edits, sent, answer, cut, said } = slowNode();
  const first = edits.changeCell(row('A'), NAME, ['B'], { seen: ['A'] });
  answer();
  await first;
  cut(true);
  const second = edits.changeCell(row('B'), NAME, ['C'], { seen: ['B'] });
  await aMoment();
  answer();
  await second;
  said.length = 0;
  await edits.undo();
  expect(sent).toEqual(['B', 'C']);
  expect(said).toEqual(['error.kept']);
});

it('undoes nothing older while a change of a block is under way that writes nothing in the end', async () => {
  const { edits, sent, answer } = slowNode();
  const first = edits.changeCell(row('A'), NAME, ['B']);
  answer();
  await first;
  for (const isWritten of [false, true]) {
    let end: (isWritten: boolean) => void = () => undefined;
    const change = edits.changeBlock(new Promise<boolean>((resolve) => (end = resolve)));
    const undone = edits.undo();
    await aMoment();
    expect(sent, 'nothing is undone before its turn').toEqual(['B']);
    end(isWritten);
    await Promise.all([change, undone]);
    expect(sent).toEqual(isWritten ? ['B', 'undo B'] : ['B']);
  }
});

it('undoes and redoes the step that it shows; once that is forgotten, none', async () => {
  const { edits, sent, answer, forgetLast, said } = slowNode();
  for (const name of ['B', 'C', 'D']) {
    const made = edits.changeCell(row('A'), NAME, [name]);
    answer();
    await made;
  }
  forgetLast();
  await edits.undo();
  expect(sent.at(-1)).toBe('undo D');
  expect(said).toEqual(['nothing to undo']);
  expect(edits.steps.undo).toMatchObject({ stepID: 'C' });
  await edits.undo();
  await edits.undo();
  expect(sent.at(-1)).toBe('undo B');
  forgetLast();
  await edits.redo();
  expect(sent.at(-1)).toBe('redo B');
  expect(said.at(-1)).toBe('nothing to redo');
  expect(edits.steps.redo).toMatchObject({ stepID: 'C' });
});

it('knows the steps of before when the list is opened again', async () => {
  const { edits, answer } = slowNode();
  const changed = edits.changeCell(row('A'), NAME, ['B']);
  answer();
  await changed;
  await edits.refreshSteps();
  expect(edits.steps.undo).toMatchObject({ kind: 'edit', rows: 1 });
});

it('takes back with a message what that message is of, and once, whatever was changed since', async () => {
  const { edits, sent, answer, offered } = slowNode();
  const made = edits.changeCell(row('A'), NAME, ['B'], { done: 'The earlier value is back.' });
  answer();
  await made;
  const other = edits.changeCell({ ...row('X'), recordID: '2' }, NAME, ['Y']);
  await aMoment();
  answer();
  await other;
  for (let times = 0; times < 2; times++) {
    offered[0]?.();
    await aMoment();
  }
  expect(sent).toEqual(['B', 'Y', 'undo B']);
});

it('undoes one step after the other, however quickly it is asked', async () => {
  const { edits, sent, answer } = slowNode();
  for (const [from, to] of ['AB', 'BC']) {
    const changed = edits.changeCell(row(from ?? ''), NAME, [to ?? '']);
    answer();
    await changed;
  }
  void edits.undo();
  await edits.undo();
  expect(sent).toEqual(['B', 'C', 'undo C', 'undo B']);
  await edits.undo();
  expect(sent, 'there is nothing more to undo').toHaveLength(4);
});

it('says of deleted rows at whom they go as well', async () => {
  const said: string[] = [];
  const app = {
    attempt: (task: () => Promise<unknown>) => task(),
    notices: { say: (text: string) => said.push(text) },
    format: { list: (names: readonly string[]) => names.join('+') },
    t: (key: string, values?: { partners?: string }) => [key, values?.partners].join(' ').trim(),
    writes: { run: (_rows: readonly string[], write: () => Promise<unknown>) => write() },
  } as unknown as App;
  const lists = {
    deleteRows: () => Promise.resolve({ deleted: 1 }),
    steps: () => Promise.resolve({}),
  } as unknown as ListsApi;
  const rows = { refresh: () => undefined } as unknown as Rows;
  await new Edits(
    app,
    lists,
    '1',
    rows,
    () => [],
    () => ['Harbour', 'Mill'],
  ).removeRows(['5']);
  await new Edits(app, lists, '1', rows, () => []).removeRows(['5']);
  expect(said).toEqual(['grid.deleted grid.deleted-there Harbour+Mill', 'grid.deleted']);
});

it('offers no more to take back what was taken back otherwise', async () => {
  const { edits, answer, closed } = slowNode();
  const made = edits.changeCell(row('A'), NAME, ['B'], { done: 'The earlier value is back.' });
  answer();
  await made;
  expect(closed).toEqual([]);
  await edits.undo();
  expect(closed).toEqual(['B']);
});

it('asks the node to save what the row held, except as that was seen as typing began', async () => {
  const { edits, sent, answer } = slowNode();
  expect(await edits.changeCell(row('A'), NAME, ['A'], { seen: ['A'] })).toBe(true);
  expect(sent).toEqual([]);
  const made = edits.changeCell(row('A'), NAME, ['A']);
  answer();
  expect(await made).toBe(true);
  expect(sent).toEqual(['A']);
});

it('undoes no older step while the last input is refused, but later ones', async () => {
  const { edits, sent, answer, refuse, discard, said } = slowNode();
  const change = async (text: string): Promise<void> => {
    const changed = edits.changeCell({ ...row('A'), recordID: text }, NAME, [text]);
    await aMoment();
    answer();
    await changed;
  };
  await change('B');
  refuse(true);
  await change('l2');
  await edits.undo();
  expect([sent, said]).toEqual([['B', 'l2'], ['undo.refused-last']]);
  refuse(false);
  await change('C');
  await edits.undo();
  await edits.undo();
  expect(sent.slice(2)).toEqual(['C', 'undo C']);
  discard();
  await edits.undo();
  expect(sent.at(-1)).toBe('undo B');
});
