import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { importFile } from '../../../server/commands/import-export.ts';
import { copyList, watchFile } from '../../../server/commands/list-files.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';

it('keeps a list as in a file and a file as the list, says how it stands, and ends both', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const [file, copy] = [join(folder.path, 'Kunden.csv'), join(folder.path, 'Kopie.csv')];
  await writeFile(file, 'Nr;Name\n1;Fjellheim\n2;Tromsø AS\n');
  let said = '';
  let warned = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => (warned += String(text)) !== '');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => (said = String(text)) !== '');
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const about = { data: join(folder.path, 'data'), list: 'Kunden' };
  await importFile(file, { ...about, key: ['Nr'] });

  await watchFile(undefined, { ...about, end: false });
  expect(said).toBe('Kunden: kept as in no file\n');
  await expect(watchFile(file, { ...about, end: false })).rejects.toThrow(/--key/);
  await expect(watchFile(file, { ...about, key: ['Nothing'], end: false })).rejects.toThrow(/“Nothing”/);
  await watchFile(file, { ...about, key: ['Nr'], end: false });
  await watchFile(undefined, { ...about, end: false });
  expect(said).toBe(`Kunden: kept as in ${file}, by Nr\n`);
  await watchFile(file, { ...about, key: ['Nr', 'Name'], end: false });
  expect(said).toBe(`Kunden: kept as in ${file}, by Nr and Name\n`);
  expect(warned).toBe('');
  const lines = join(folder.path, 'Posten.csv');
  await writeFile(lines, 'Nr;Name\n1;Fjellheim\n1;Tromsø AS\n');
  await watchFile(lines, { ...about, key: ['Nr'], end: false });
  expect(warned).toBe('line 3: Nr “1” came in an earlier line already.\n');
  await watchFile(file, { ...about, key: ['Nr'], dates: 'mdy', end: false });

  await expect(copyList(file, { ...about, replace: true, end: false })).rejects.toThrow(/kept as in/);
  await writeFile(copy, 'mine');
  await expect(copyList(copy, { ...about, replace: false, end: false })).rejects.toThrow(/already/);
  await copyList(copy, { ...about, replace: true, end: false });
  expect(said).toBe(`Kunden: written into ${copy}\n`);
  expect(await readFile(copy, 'utf8')).toContain('2,Tromsø AS');

  await watchFile(undefined, { ...about, end: true });
  await copyList(undefined, { ...about, replace: false, end: true });
  expect(said).toBe('Kunden: no copy is written\n');
});
