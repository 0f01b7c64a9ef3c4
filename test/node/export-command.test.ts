import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { CLI, runBuilt } from '../support/harness/program.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';

it('ends without a word when whoever reads what is exported has enough of it', async () => {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  const file = join(path, 'customers.csv');
  // More than the pipe between two programs holds.
  const lines = Array.from({ length: 6000 }, (_, n) => `K-${String(n)},Bäckerei no. ${String(n)} am Markt`);
  await writeFile(file, ['No,Name', ...lines].join('\n'));
  const data = join(path, 'data');
  await runBuilt(['import', '--data', data, '--list', 'Customers', file]);
  const command = '"$0" "$1" export --data "$2" --list Customers | head -n 1';
  // As users start it: what prints errors does not in tests.
  const env = { ...process.env, NODE_ENV: undefined };
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command, process.execPath, CLI, data], {
    env,
  });
  expect(stdout.trim()).toBe('No,Name');
  expect(stderr).toBe('');
});
