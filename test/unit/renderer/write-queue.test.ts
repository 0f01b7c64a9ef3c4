import { expect, it } from 'vitest';
import { contentsAfter, WriteQueue } from '../../../renderer/state/write-queue.ts';
import type { CellInput } from '../../../renderer/state/drafts.svelte.ts';
import type { RowValues } from '../../../renderer/api/lists.ts';
import type { GridRow } from '../../../server/contract/app/lists.ts';

const row = (text: string): GridRow => ({ recordID: '1', values: { Name: [text] } }) as unknown as GridRow;
const inputOf = (text: string, over?: CellInput['over']): CellInput => ({
  ...{ row: row('A'), fieldID: '7', name: 'Name', label: 'Name', values: [text] },
  ...(over && { over }),
});

/** A queue of writes to a node whose row holds this; `saved` has each change with what it may replace. */
function queueOf(stored: string): { writes: WriteQueue; saved: unknown[]; shown: string[] } {
  const saved: unknown[] = [];
  const shown: string[] = [];
  const writes = new WriteQueue(
    {
      row: () => Promise.resolve(row(stored)),
      changeRow: (_module, _row, { Name }: RowValues, before?: RowValues) => {
        saved.push([Name?.join(), before?.Name?.join()]);
        return Promise.resolve(row(`${Name?.join()}!`));
      },
    },
    { changeOver: (input, over) => void (input.over = over) },
  );
  writes.onSaved(({ values }) => shown.push(String(values.Name)));
  return { writes, saved, shown };
}

it('runs writes into one row in their order, also after a failure, and those into others at once', async () => {
  const { writes } = queueOf('A');
  const ran: string[] = [];
  const ends: (() => void)[] = [];
  const write = (name: string, ...rows: string[]): Promise<void> =>
    writes.run(rows, async () => {
      ran.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (name === 'first') throw new Error(name);
    });
  const first = write('first', '1');
  void write('other', '2');
  void write('both', '1', '2');
  void write('last', '1');
  expect(ran).toEqual(['first', 'other']);
  ends[0]?.();
  await expect(first).rejects.toThrow('first');
  expect(ran).toHaveLength(2);
  ends[1]?.();
  await expect.poll(() => ran).toEqual(['first', 'other', 'both']);
  ends[2]?.();
  await expect.poll(() => ran).toEqual(['first', 'other', 'both', 'last']);
});

it('saves an input over what was seen, and the next over what the node made of that', async () => {
  const { writes, saved, shown } = queueOf('A');
  const first = inputOf('B');
  expect(await writes.save('1', row('A'), first, ['A'])).toBe(true);
  await writes.save('1', row('A'), inputOf('C'), first);
  await writes.save('1', row('A'), inputOf('D'), undefined);
  expect(saved).toEqual([
    ['B', 'A'],
    ['C', 'B!'],
    ['D', undefined],
  ]);
  expect(contentsAfter(first)).toEqual([['B!'], ['B']]);
  expect(shown).toEqual(['B!', 'C!', 'D!']);
});

it('saves an unanswered input again only over what it or the user replaced', async () => {
  for (const [stored, before, isSaved] of [
    ['A', 'A', true],
    ['Y', 'Y', true],
    ['X', 'A', true],
    ['B', undefined, false],
  ] as const) {
    const { writes, saved } = queueOf(stored);
    const input = inputOf('B', [['A'], ['Y']]);
    expect(await writes.save('1', row('A'), input, input)).toBe(isSaved);
    expect(saved).toEqual(isSaved ? [['B', before]] : []);
  }
});
