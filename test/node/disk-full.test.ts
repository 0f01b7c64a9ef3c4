import { expect, it } from 'vitest';
import { faultyDisk } from '../support/disk-faults.ts';
import { temporaryFolder } from '../support/disk-folder.ts';
import type { AppError } from '../support/node-office.ts';
import { rowsOf, startNode } from '../support/node-office.ts';

it('R2: a node whose disk is full answers 507, goes on reading, closes whole, and goes on when there is room', async () => {
  const folder = await temporaryFolder();
  const disk = faultyDisk();
  let office = await startNode('Oslo', { dataDir: folder.path, disk });
  const list = await office.list('Customers', ['Name'], [{ Name: 'saved' }]);
  const add = (name: string): Promise<unknown> =>
    office.app('POST', `/app/lists/${list}/rows`, { values: { Name: [name] } });

  disk.full(true);
  await expect(add('too much')).rejects.toMatchObject({ status: 507 } satisfies Partial<AppError>);
  expect((await rowsOf(office, list)).map(({ Name }) => Name)).toEqual(['saved']);
  await office.stop();

  disk.full(false);
  office = await startNode('Oslo', { dataDir: folder.path, disk });
  await add('room again');
  disk.full(true);
  await expect(add('too much')).rejects.toMatchObject({ status: 507 });
  disk.full(false);
  await add('and again');
  expect((await rowsOf(office, list)).map(({ Name }) => Name)).toEqual(['saved', 'room again', 'and again']);
  await office.stop();
  await folder.remove();
});
