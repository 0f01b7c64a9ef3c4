import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandFailure } from './failure.ts';

/** `footbridge bench`: runs `npm run bench`. Throws `CommandFailure` outside a source checkout, and if it fails. */
export async function bench(options: { json: boolean }): Promise<void> {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  if (!existsSync(join(root, 'test/bench'))) {
    throw new CommandFailure('The benchmarks run from a source checkout: npm run bench.');
  }
  const args = ['run', '--silent', 'bench', ...(options.json ? ['--', '--json'] : [])];
  const child = spawn('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (status) => resolve(status ?? 1));
  });
  if (code !== 0) throw new CommandFailure('The benchmarks did not finish.');
}
