import { execFile, spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLI } from '../support/harness/program.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../support/harness/temporary-folder.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
/** Root may write everywhere, so a user without rights runs the command, if that one can read the build. */
const canTry =
  !isRoot ||
  spawnSync(process.execPath, ['-e', `require('fs').accessSync(${JSON.stringify(CLI)})`], user).status === 0;
if (!canTry)
  console.log('The build is out of reach for a user without rights: folders of others are not tried.');

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
  await chmod(folder.path, 0o755);
});
afterEach(() => folder.remove());

function serve(dataDir: string): Promise<{ code: number | null; said: string }> {
  const args = [CLI, 'serve', '--data', dataDir, '--port', '0', '--window-port', '0', '--no-open'];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { ...user, timeout: 20_000 }, (_error, _out, said) =>
      resolve({ code: child.exitCode, said }),
    );
  });
}

describe.skipIf(process.platform !== 'linux' || !canTry)('a data folder that cannot be', () => {
  const cases: Record<string, () => Promise<string>> = {
    'below a file': async () => {
      await writeFile(join(folder.path, 'file'), '');
      return join(folder.path, 'file', 'data');
    },
    'where a file is': async () => {
      await writeFile(join(folder.path, 'file'), '');
      return join(folder.path, 'file');
    },
    'that may not be written': async () => {
      await mkdir(join(folder.path, 'closed'), { mode: 0o500 });
      if (isRoot) await chown(join(folder.path, 'closed'), NOBODY, NOBODY);
      return join(folder.path, 'closed');
    },
    'below one that may not be written': async () => {
      await mkdir(join(folder.path, 'closed'), { mode: 0o500 });
      return join(folder.path, 'closed', 'data');
    },
    'whose logs are somebody else’s': async () => {
      const data = join(folder.path, 'data');
      await mkdir(join(data, 'logs'), { recursive: true });
      await chmod(join(data, 'logs'), 0o500);
      if (isRoot) await chown(data, NOBODY, NOBODY);
      return data;
    },
    'where the system takes no files': () => Promise.resolve('/proc/nowhere/data'),
  };
  it.each(Object.keys(cases))('%s: one plain sentence and exit code 1', async (name) => {
    const { code, said } = await serve(await cases[name]!());
    expect(said).toMatch(/^footbridge: (There can be no data folder at|The data folder cannot be written)/);
    expect(said.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });
});
