import { expect, it } from 'vitest';
import type { Field } from '../../../../server/lists/definitions/model.ts';
import { createReadingTasks } from '../../../../server/lists/reading/reading-tasks.ts';
import { countChars, type FileLine } from '../../../../server/lists/reading/table-facts.ts';

const csvOf = (lines: number, note: string): Buffer =>
  Buffer.from(
    `No,Customer,Note\n${Array.from({ length: lines }, (_, at) => `${at},Customer ${at},${note}`).join('\n')}\n`,
  );

const field = (name: string): Field => ({
  fieldID: name,
  name,
  label: name,
  kind: 'String',
  isRequired: false,
  isMulti: false,
  options: {},
});
const targets = ['No', 'Customer', 'Note'].map((name, at) => ({ at, field: field(name) }));

const batchesOf = async (file: Buffer): Promise<(readonly FileLine[])[]> => {
  const tasks = createReadingTasks();
  await tasks.open({ bytes: file, options: {} });
  await tasks.start({ targets });
  const batches: (readonly FileLine[])[] = [];
  for (;;) {
    const batch = await tasks.next();
    if (batch.length === 0) break;
    batches.push(batch);
  }
  await tasks.close();
  return batches;
};

const charsIn = (batch: readonly FileLine[]): number =>
  batch.reduce((sum, line) => sum + ('cells' in line ? countChars(line) : 0), 0);

it('hands on every line once, at most 250 in a message', async () => {
  const batches = await batchesOf(csvOf(1100, 'paid'));
  expect(batches.map((batch) => batch.length)).toEqual([250, 250, 250, 250, 100]);
  expect(batches.flat().map(({ line }) => line)).toEqual(Array.from({ length: 1100 }, (_, at) => at + 2));
});

it('hands on long lines in messages of at most 128 Ki characters and one line more', async () => {
  const note = 'Delivered to the back door. '.repeat(1000);
  const batches = await batchesOf(csvOf(60, note));
  expect(batches.flat()).toHaveLength(60);
  for (const batch of batches) expect(charsIn(batch)).toBeLessThan(128 * 1024 + note.length + 100);
});

it('reads the first lines of a file without the lines behind them', async () => {
  const file = Buffer.concat([csvOf(200_000, 'paid'), Buffer.from('"open\n')]);
  const tasks = createReadingTasks();
  const started = process.cpuUsage();
  const first = await tasks.open({ bytes: file, options: { maxLines: 200 } });
  const { user } = process.cpuUsage(started);
  expect(first.columns.map(({ header, kind }) => [header, kind])).toEqual([
    ['No', 'Number'],
    ['Customer', 'String'],
    ['Note', 'String'],
  ]);
  expect(first.lines).toBeGreaterThanOrEqual(200);
  expect(first.lines).toBeLessThan(10_000);
  expect(first.rejectedLines).toBe(0);
  expect(user / 1000, 'milliseconds of processor time').toBeLessThan(1000);
});
