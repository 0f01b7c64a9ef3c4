import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { importFile } from '../../../server/commands/import-export.ts';
import { temporaryFolderInMemory } from '../../support/disk-folder.ts';

it('fails where no line could go in, and says what to do; with the right line of names all do', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'umsatz.csv');
  await writeFile(file, 'Kunde,,Umsatz\nNr,Name,2025,2026\n1,Fjellheim,5,6\n2,Tromsø AS,7,8\n');
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const data = join(folder.path, 'data');
  await expect(importFile(file, { data, list: 'Umsatz' })).rejects.toThrow(/--header-line/);
  await importFile(file, { data, list: 'Umsatz 2', headerLine: '2' });
  expect(said.join('')).toContain('Umsatz 2: 2 rows new');
});

it('writes what stands in a file as text, and no command of it to the terminal', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'list.csv');
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const data = join(folder.path, 'data');
  await writeFile(file, 'Name,Nr\nAda,1\n');
  await importFile(file, { data, list: 'Parts', key: ['Name'] });
  await writeFile(file, 'Name,Nr\nBo,2\nCy,\u001b]0;OWNED\u0007\u001b[31mred\u009b2J\n');
  await importFile(file, { data, list: 'Parts', key: ['Name'] });
  expect(said.join('')).toContain('OWNED');
  const failed = importFile(file, { data, list: 'Parts', key: ['\u001b[31mred'] });
  await expect(failed).rejects.toThrow(/^[^\p{Cc}]*red[^\p{Cc}]*$/u);
  expect(said.join('').replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});
