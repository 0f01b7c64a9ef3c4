import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inspectDataFolder } from '../../server/node/inspect-data-folder.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { rowsOf, startNode } from '../support/harness/node.ts';

interface Listed {
  readonly moduleID: string;
  readonly name: string;
}
interface Told {
  readonly inbox: readonly { readonly message: string }[];
}

it('R3: lists whose definitions lay behind a damaged place come back around their rows', async () => {
  const home = await temporaryFolder();
  onTestFinished(() => home.remove());
  let oslo = await startNode('Oslo', { dataDir: home.path });
  onTestFinished(() => oslo.stop());
  await oslo.list('Paper', ['Kind'], [{ Kind: 'A4' }]);
  const customers = await oslo.list(
    'Customers',
    ['Name', 'City'],
    [
      { Name: 'Fjellheim & Sønn', City: 'Voss' },
      { Name: 'Ødegård Bygg', City: 'Ålesund' },
    ],
  );
  await oslo.stop();
  const system = join(home.path, 'store', 'system');
  const [name = ''] = (await readdir(system)).filter((each) => each.startsWith('journal-'));
  const bytes = await readFile(join(system, name));
  const at = bytes.indexOf('"Customers"');
  bytes[at + 3] = (bytes[at + 3] ?? 0) ^ 1;
  await writeFile(join(system, name), bytes);
  await rm(join(home.path, 'backups'), { recursive: true, force: true });
  oslo = await startNode('Oslo', { dataDir: home.path });

  const lists = await oslo.app<Listed[]>('GET', '/app/lists');
  expect(lists.map((each) => each.name).sort()).toEqual(['Paper', 'Recovered list']);
  expect(lists.find((each) => each.name === 'Recovered list')?.moduleID).toBe(customers);
  expect(await rowsOf(oslo, customers)).toMatchObject([
    { Name: 'Fjellheim & Sønn', City: 'Voss' },
    { Name: 'Ødegård Bygg', City: 'Ålesund' },
  ]);
  const told = async (): Promise<string> =>
    (await oslo.app<Told>('GET', '/app/overview')).inbox.map(({ message }) => message).join('\n');
  expect(await told()).toMatch(/“Recovered list”: .*its 2 rows were there/);

  // It is a list like any other from now on, and is told until that was read.
  await oslo.app('POST', `/app/lists/${customers}/rows`, { values: { Name: ['Brekke & Co'] } });
  await oslo.stop();
  expect((await inspectDataFolder(home.path)).advice.join('\n')).not.toMatch(/set up is lost/);
  oslo = await startNode('Oslo', { dataDir: home.path });
  expect(await rowsOf(oslo, customers)).toHaveLength(3);
  expect(await told()).toMatch(/“Recovered list”: .*its 2 rows were there/);
});

it('R3: the doctor says that the next start makes such lists again', async () => {
  const home = await temporaryFolder();
  onTestFinished(() => home.remove());
  let oslo = await startNode('Oslo', { dataDir: home.path });
  onTestFinished(() => oslo.stop());
  const before = join(home.path, 'before');
  await oslo.stop();
  await cp(join(home.path, 'store', 'system'), before, { recursive: true });
  oslo = await startNode('Oslo', { dataDir: home.path });
  const paper = await oslo.list('Paper', ['Kind'], [{ Kind: 'A4' }]);
  await oslo.stop();
  const system = join(home.path, 'store', 'system');
  await rm(system, { recursive: true });
  await cp(before, system, { recursive: true });
  const { advice } = await inspectDataFolder(home.path);
  expect(advice.join('\n')).toContain(`set up is lost, though their rows are there: list-${paper}`);
  oslo = await startNode('Oslo', { dataDir: home.path });
  expect(await rowsOf(oslo, paper)).toMatchObject([{ Kind: 'A4' }]);
});
