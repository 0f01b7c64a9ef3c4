import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog, logFiles } from '../../../server/node/log.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';

describe('A6: the log', () => {
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const secret = 'Canary'.padEnd(32, '7');

  it('leaves secrets out, by name and inside of texts', () => {
    log.info(
      { token: secret, node: { authToken: secret }, headers: { authorization: `Bearer ${secret}` } },
      'x',
    );
    log.warn(`could not reach https://123456789:${secret}@office.example/federation?name=A`);
    log.error({ err: new Error(`refused eyJhbGciOiJIUzI1NiJ9.${secret}.${secret}`) }, 'failed');
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain(secret);
    expect(lines[1]).toContain('office.example');
  });
});

describe.skipIf(process.platform !== 'linux')('R2: a log that finds no room on the disk', () => {
  it('does not end the node', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder.path, 'logs'));
    await symlink('/dev/full', join(folder.path, 'logs', 'footbridge.1.log'));
    const files = await logFiles(folder.path);
    const refused: unknown[] = [];
    files.on('error', (error) => refused.push(error));
    createLog(files).info('nobody will read this');
    await expect.poll(() => refused).toMatchObject([{ code: 'ENOSPC' }]);
    expect(files.listenerCount('error')).toBeGreaterThan(1);
    await folder.remove();
  });
});
