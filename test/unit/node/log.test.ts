import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog, openLogFiles } from '../../../server/node/log.ts';
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

describe('a log line that is repeated', () => {
  const lines: string[] = [];
  let now = 0;
  const log = createLog({ write: (line) => lines.push(line) }, 'info', () => now);
  const turnedAway = (address: string): void =>
    log.warn({ what: 'wrong-token', address }, 'somebody was turned away');
  const parsed = (): { repeated?: number }[] =>
    lines.map((line) => JSON.parse(line) as { repeated?: number });

  it('is counted and summarised, by source and over all sources, and told again in the next hour', () => {
    for (let at = 0; at < 20_000; at++) turnedAway(`203.0.113.${at % 250}`);
    expect(lines).toHaveLength(10 + 3);
    expect(parsed().reduce((sum, { repeated = 0 }) => sum + repeated, 0)).toBe(10_000);
    for (let at = 0; at < 20_000; at++) turnedAway(`198.${at % 250}.100.${at % 7}`);
    expect(lines.length).toBeLessThanOrEqual(100 + 3);
    log.info('the daily backup was written');
    expect(lines.at(-1)).toContain('the daily backup was written');
    now += 3_600_000;
    lines.length = 0;
    turnedAway('203.0.113.9');
    expect(parsed()).toMatchObject([{ repeated: expect.any(Number) as number }]);
    turnedAway('203.0.113.9');
    expect(parsed()[1]?.repeated).toBeUndefined();
  });

  it('keeps what it says of an error, without a text and with one', () => {
    const own: string[] = [];
    const other = createLog({ write: (line) => own.push(line) });
    for (let at = 0; at < 200; at++) other.error({ err: new Error('The disk is full.') }, 'not written');
    expect(own).toHaveLength(11);
    expect(own.at(-1)).toContain('The disk is full.');
  });
});

describe.skipIf(process.platform !== 'linux')('R2: a log that finds no room on the disk', () => {
  it('does not end the node', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder.path, 'logs'));
    await symlink('/dev/full', join(folder.path, 'logs', 'footbridge.1.log'));
    const files = await openLogFiles(folder.path);
    const refused: unknown[] = [];
    files.on('error', (error) => refused.push(error));
    createLog(files).info('nobody will read this');
    await expect.poll(() => refused).toMatchObject([{ code: 'ENOSPC' }]);
    expect(files.listenerCount('error')).toBeGreaterThan(1);
    await folder.remove();
  });
});
