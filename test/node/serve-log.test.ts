import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serveBuilt } from '../support/harness/program.ts';

it('the log of `footbridge serve` is written, into its file and, with --json, on standard error', async () => {
  const served = await serveBuilt();
  onTestFinished(() => served.remove());
  let said = '';
  served.process.stderr?.on('data', (piece: Buffer) => (said += piece.toString()));
  await served.stop();
  await expect.poll(() => said).toContain('"msg":"stopped"');
  const file = await readFile(join(served.dataDir, 'logs', 'footbridge.1.log'), 'utf8');
  expect(file).toContain('"msg":"started"');
  expect(file).toContain('"msg":"stopped"');
});
