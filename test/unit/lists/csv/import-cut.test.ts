import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { importTable, type ImportOptions } from '../../../../server/lists/csv/import.ts';
import type { ImportResult } from '../../../../server/lists/csv/result.ts';
import { StoreError } from '../../../../server/store/store.ts';
import { said } from '../../../../server/words/said.ts';
import { customers } from '../../../support/data/office-lists.ts';
import { testLists, type TestLists } from '../../../support/harness/lists.ts';

const { rows: ROWS } = customers({ rows: 1200 });
/** Fresh bytes for each import: large ones are moved to the reader. */
const fileBytes = (): Buffer => Buffer.from(Papa.unparse([...ROWS]));
/** The line of the file at which its first page ends: some remarks take several. */
const LINE = Papa.unparse([...ROWS.slice(0, 500)]).split('\n').length;

/** Puts the file in, and is stopped behind its first page by what `stop` does. */
async function cutShort(
  { lists }: TestLists,
  options: Partial<ImportOptions>,
  stop: () => void,
): Promise<unknown> {
  const to = { name: 'Customers' };
  const cut = { to, by: '7', file: 'customers.csv', ...options, onProgress: () => stop() };
  return importTable(lists, fileBytes(), cut).then(
    () => undefined,
    (error: unknown) => error,
  );
}
const powerCut = (): never => {
  throw new Error('the power went');
};

it('an import that was cut off is told after a restart, with the last line that is in the list', async () => {
  const before = await testLists();
  await cutShort(before, {}, powerCut);
  const { lists } = await before.reopen();

  const [cut, ...others] = await lists.imports.listInterrupted();
  expect(others).toEqual([]);
  expect(cut).toMatchObject({ file: 'customers.csv', line: LINE, isKeyed: false });
  expect(await (await lists.rows(cut!.moduleID)).count()).toBe(500);

  await lists.imports.deleteInterrupted([cut!.importID]);
  expect(await lists.imports.listInterrupted()).toEqual([]);
});

it('is no more once the same file went in to its end, and no row is there twice where lines are told apart', async () => {
  const before = await testLists();
  await cutShort(before, { key: ['CustomerID'] }, powerCut);
  const { lists } = await before.reopen();
  const [cut] = await lists.imports.listInterrupted();
  expect(cut).toMatchObject({ isKeyed: true });

  const { moduleID } = cut!;
  await importTable(lists, fileBytes(), { to: { moduleID }, by: '7', file: 'customers.csv' });
  expect(await lists.imports.listInterrupted()).toEqual([]);
  expect(await (await lists.rows(moduleID)).count()).toBe(1200);
});

it('what fails in the middle of a file says how much of it is in the list', async () => {
  const before = await testLists();
  const error = await cutShort(before, {}, () => void before.store.close());
  expect(error).toBeInstanceOf(StoreError);
  const { lists } = await before.reopen();
  expect((await lists.imports.listInterrupted())[0]?.line).toBe(LINE);
});

it('nothing is told of a file that is going in, of one that is in, nor of a list that is gone', async () => {
  const setup = await testLists();
  const meanwhile: Promise<unknown>[] = [];
  await cutShort(setup, {}, () => void meanwhile.push(setup.lists.imports.listInterrupted()));
  expect((await Promise.all(meanwhile)).flat()).toEqual([]);
  expect(await setup.lists.imports.listInterrupted()).toEqual([]);

  await cutShort(setup, {}, powerCut);
  const { lists } = await setup.reopen();
  const [cut] = await lists.imports.listInterrupted();
  await lists.removeModule(cut!.moduleID);
  expect(await lists.imports.listInterrupted()).toEqual([]);
});

it('is told of by a name in one line, as it is seen', async () => {
  const before = await testLists();
  await cutShort(before, { file: 'prices\u202Efdp\n\u0007.csv' }, powerCut);
  const { lists } = await before.reopen();
  expect(await lists.imports.listInterrupted()).toMatchObject([{ file: 'pricesfdp .csv' }]);
});

it('lets a complete import end where the store no longer answers', async () => {
  const before = await testLists();
  const entry = await before.lists.imports.writeEntry({ moduleID: '7', isKeyed: false });
  await before.store.close();
  await entry.finish();
  const { lists } = await before.reopen();
  expect(await lists.imports.listInterrupted()).toEqual([]);
});

it('writes few large lines in several pages, and reports an import cut off between them', async () => {
  const large = Buffer.from(
    `Nr,Text\n${[1, 2, 3, 4, 5].map((nr) => `${nr},${'x'.repeat(900_000)}\n`).join('')}`,
  );
  const before = await testLists();
  const pages: number[] = [];
  const options = { to: { name: 'Large' }, by: '7', file: 'large.csv' };
  const onProgress = ({ done }: { readonly done: number }): void => {
    pages.push(done);
    if (done > 2) powerCut();
  };

  await expect(importTable(before.lists, large, { ...options, onProgress })).rejects.toThrow(
    'the power went',
  );
  expect(pages).toEqual([3]);
  const [cut] = await (await before.reopen()).lists.imports.listInterrupted();
  expect(cut).toMatchObject({ file: 'large.csv', line: 4 });
});

it('goes in once with an idempotency key, though it is sent again: at once, later, after a restart, into a new list', async () => {
  const before = await testLists();
  const options = {
    to: { name: 'Customers', isNew: true },
    by: '7',
    file: 'customers.csv',
    idempotencyKey: 'k',
  };
  const send = ({ lists }: Pick<TestLists, 'lists'>, by = '7'): Promise<ImportResult> =>
    importTable(lists, fileBytes(), { ...options, by });

  const [{ moduleID }, again] = await Promise.all([
    send(before),
    send(before).catch((error: unknown) => error),
  ]);
  expect(again).toMatchObject({
    code: 'import.repeated',
    words: said('import.is-in', { list: 'Customers', n: 1200 }),
  });
  const after = await before.reopen();
  await expect(send(after)).rejects.toMatchObject({ code: 'import.repeated' });
  await expect(send(after, '8')).rejects.toMatchObject({ code: 'list.taken' });
  const rows = await after.lists.rows(moduleID);
  expect(await rows.count()).toBe(1200);

  await rows.undo('7');
  await importTable(after.lists, fileBytes(), { ...options, to: { moduleID } });
  expect(await rows.count()).toBe(1200);
});

it('continues in its step where it was cut off, sent again with its idempotency key', async () => {
  const before = await testLists();
  await cutShort(before, { idempotencyKey: 'k' }, powerCut);
  const { lists } = await before.reopen();
  const { moduleID } = (await lists.imports.listInterrupted())[0]!;
  const rows = await lists.rows(moduleID);

  const options = { to: { moduleID }, by: '7', file: 'customers.csv', idempotencyKey: 'k' };
  expect(await importTable(lists, fileBytes(), options)).toMatchObject({ created: 700, unchanged: 500 });
  expect(await rows.count()).toBe(1200);
  expect(await lists.imports.listInterrupted()).toEqual([]);
  expect(await rows.undo('7')).toMatchObject({ done: 1200, left: 0 });
});
