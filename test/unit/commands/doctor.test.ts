import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { doctor } from '../../../server/commands/doctor.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { startNode } from '../../support/harness/node.ts';

async function said(data: string): Promise<string> {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  await doctor({ data }).catch(() => undefined);
  write.mockRestore();
  return lines.join('');
}

it('says for how long things are kept, of a folder in use, of one that is not, and of a damaged one', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const office = await startNode('Växjö', { dataDir: folder.path });
  onTestFinished(() => office.stop());
  expect(await said(folder.path)).toContain(
    'What left is kept for 730 days, what happened for 730 days, and deleted rows for 90 days.',
  );
  await office.node.changeSettings({ keepLedgerDays: 3650, keepBinDays: 14 });
  const changed =
    'What left is kept for 3650 days, what happened for 730 days, and deleted rows for 14 days.';
  expect(await said(folder.path)).toContain(changed);
  await office.stop();
  expect(await said(folder.path)).toContain(changed);

  await rm(join(folder.path, 'store', 'system'), { recursive: true });
  expect(await said(folder.path)).toContain('For how long things are kept cannot be read.');
});

it('says that the data is older than what was withdrawn, as the next start does', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const [dataDir, before] = [join(folder.path, 'data'), join(folder.path, 'before')];
  let office = await startNode('Växjö', { dataDir });
  onTestFinished(() => office.stop());
  const { nodeID } = await office.app<{ nodeID: string }>('POST', '/app/invites', { name: 'Ærø' });
  await office.stop();
  await cp(join(dataDir, 'store'), before, { recursive: true });
  expect(await said(dataDir)).not.toContain('withdrawn.jsonl');
  office = await startNode('Växjö', { dataDir });
  await office.app('POST', `/app/partners/${nodeID}/decline`, {}).catch(() => undefined);
  await office.app('DELETE', `/federation/nodes/${nodeID}`).catch(() => undefined);
  expect(await said(dataDir), 'in use').not.toContain('withdrawn.jsonl');
  await office.stop();
  expect(await said(dataDir)).not.toContain('withdrawn.jsonl');
  await rm(join(dataDir, 'store'), { recursive: true });
  await cp(before, join(dataDir, 'store'), { recursive: true });
  expect(await said(dataDir)).toContain('The data is older than the list of what you have withdrawn');
});

it('calls lists by their names, and sizes as people read them', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const office = await startNode('Växjö', { dataDir: folder.path });
  onTestFinished(() => office.stop());
  const { moduleID } = await office.app<{ moduleID: string }>('POST', '/app/samples', { name: 'customers' });
  await office.stop();
  const text = await said(folder.path);
  expect(text).toContain(`list “customers” (list-${moduleID}): `);
  expect(text).toMatch(/^Free space: [\d.]+ [MG]B$/m);
  expect(text).toContain('0 backups, 0 earlier stores kept aside.');
  const journal = join(folder.path, 'store', `list-${moduleID}`, 'journal-000001.jsonl');
  await writeFile(journal, (await readFile(journal, 'utf8')).replace('"', "'"));
  expect(await said(folder.path)).toContain('The list “customers”: ');
});

it('calls a new folder well that has no backup yet, and not one that lost its backups', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const clock = manualClock(Date.now());
  const office = await startNode('Växjö', { dataDir: folder.path, clock });
  onTestFinished(() => office.stop());
  expect(await said(folder.path)).toMatch(/^There is no backup yet\. .*\nAll is well\.$/m);
  await expect(doctor({ data: folder.path })).resolves.toBeUndefined();
  clock.advance(2 * 3_600_000);
  await office.stop();
  await rm(join(folder.path, 'backups'), { recursive: true, force: true });
  expect(await said(folder.path)).toContain('There is no good backup.');
});
