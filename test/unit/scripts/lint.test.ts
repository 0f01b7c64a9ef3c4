import { spawn, spawnSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

const answers = z.array(
  z.object({ filePath: z.string(), messages: z.array(z.object({ ruleId: z.string().nullable() })) }),
);

/** A small house of planted files. */
const HOUSE = resolve('test/fixtures/house');
const ESLINT = resolve('node_modules/eslint/bin/eslint.js');
const CYCLES = resolve('scripts/import-cycles.mjs');

/** By file, what the project's own rules say of that house as if it were the project: its folder is where they begin. */
async function saidOfHouse(): Promise<Map<string, string[]>> {
  const options = ['--config', resolve('eslint.config.js'), '--format', 'json', '.'];
  const child = spawn(process.execPath, [ESLINT, ...options], {
    cwd: HOUSE,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const files = answers.parse(JSON.parse(await text(child.stdout)));
  return new Map(
    files.map(({ filePath, messages }) => [
      relative(HOUSE, filePath).replaceAll('\\', '/'),
      messages.map(({ ruleId }) => ruleId ?? 'unreadable'),
    ]),
  );
}

describe('the lint rules for who imports whom, what unit tests replace, how long a function is and how it is called', () => {
  let said: Map<string, string[]>;
  beforeAll(async () => {
    said = await saidOfHouse();
  }, 120_000);

  test.each([
    ['server/store/reaches-up.ts', 'import-x/no-restricted-paths'],
    ['server/app/asks-transport.ts', 'import-x/no-restricted-paths'],
    ['main/passes-the-node.ts', 'import-x/no-restricted-paths'],
    ['server/app/speaks-express.ts', 'no-restricted-imports'],
    ['server/node/speaks-express.ts', 'no-restricted-imports'],
    ['main/speaks-express.ts', 'no-restricted-imports'],
    ['test/unit/mocks.ts', 'no-restricted-properties'],
    ['server/lists/goes-on.ts', 'house/own-lines'],
    ['server/lists/told.ts', 'house/retired-words'],
    ['server/lists/exports-retired.ts', 'house/retired-words'],
    ['server/lists/exports-by-name.ts', 'house/retired-words'],
    ['server/lists/takes-retired.ts', 'house/retired-words'],
  ])('refuse %s by %s', (file, rule) => {
    expect(said.get(file)).toEqual([rule]);
  });

  test.each([
    'server/http/router.ts',
    'server/node/serving.ts',
    'server/sync/pull.ts',
    'server/lists/rows.ts',
    'server/lists/holds-others.ts',
  ])('let %s be', (file) => {
    expect(said.get(file)).toEqual([]);
  });

  test('refuse imports in a cycle, those of types too', () => {
    const { status, stderr } = spawnSync(process.execPath, [CYCLES], { cwd: HOUSE, encoding: 'utf8' });
    expect({ status, cycles: stderr.trim().replaceAll('\\', '/').split('\n') }).toEqual({
      status: 1,
      cycles: [
        'Cycle of imports: server/sync/egg.ts → server/sync/hen.ts → server/sync/egg.ts',
        'Cycle of imports: server/sync/nest.ts → server/sync/straw.ts → server/sync/nest.ts',
      ],
    });
  });
});
