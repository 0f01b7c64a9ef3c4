import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clearOffices, startOffice, type TestOffice } from '../support/offices.ts';

let a: TestOffice;
let b: TestOffice;
beforeAll(async () => {
  [a, b] = await Promise.all([startOffice('Oslo'), startOffice('Bergen')]);
});
afterAll(() => clearOffices(a, b));

/** The commands of the page, but for those that start the nodes. */
function commands(): string[] {
  const page = readFileSync(new URL('../../docs/curl.md', import.meta.url), 'utf8');
  const [start, ...rest] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  if (!start?.includes('serve --data')) throw new Error('The page begins by starting two nodes.');
  return rest;
}

it('the commands of docs/curl.md pair two nodes and move rows, in both shapes', async () => {
  const script = ['set -eo pipefail', ...commands().flatMap((block) => [block, 'echo; echo ===='])].join(
    '\n',
  );
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    env: {
      ...process.env,
      A: a.office.federation,
      B: b.office.federation,
      TOKEN_A: a.node.userToken('admin', 600_000),
      TOKEN_B: b.node.userToken('admin', 600_000),
    },
  });
  const outputs = stdout.split('====');
  const arrived = outputs.filter((output) => output.includes('"created":1') && output.includes('Fjord Fish'));
  expect(arrived).toHaveLength(2);
  expect(outputs[3]).toContain('"value":"Fjord Fish"');
}, 60_000);
