import type * as Fs from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { existingDataFolder } from '../../../server/commands/data-folder.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';

// The tests may run as a user who can read every folder.
vi.mock('node:fs', async (importOriginal) => ({
  ...(await importOriginal<typeof Fs>()),
  accessSync(path: string) {
    if (path.endsWith('of-somebody-else'))
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  },
}));

it('tells a folder that may not be read from one without data', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const theirs = join(folder.path, 'of-somebody-else');
  expect(() => existingDataFolder(theirs)).toThrow(
    `You may not read ${theirs}. Run the command as the user who owns it.`,
  );
  expect(() => existingDataFolder(join(folder.path, 'mistyped'))).toThrow('There is no Footbridge data in');
});
