import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { dataOrWorkingFolder, storeOption } from '../../../server/commands/store-option.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  'postgres://office:very%20secret@db.example:99999/office',
  'postgres://office:very%20secret@[::1/office',
  'mysql://office:very%20secret@db.example/office',
])('the address of a database that is none is refused without telling its password: %s', async (address) => {
  const said: string[] = [];
  const run = async (args: readonly string[]): Promise<void> => {
    const program = new Command('footbridge').exitOverride().addOption(storeOption());
    program.configureOutput({ writeErr: (text) => said.push(text), writeOut: (text) => said.push(text) });
    await program
      .action(() => undefined)
      .parseAsync(args, { from: 'user' })
      .catch((error: unknown) => said.push(String(error)));
  };
  await run(['--store', address]);
  vi.stubEnv('FOOTBRIDGE_STORE', address);
  await run([]);
  expect(said.filter((text) => text.includes('This is no address of a database'))).toHaveLength(2);
  expect(said.join()).not.toContain('secret');
});

it('an office in a database needs no data folder; otherwise one must be given', () => {
  const store = 'postgres://office@db.example/office';
  expect(dataOrWorkingFolder({ store })).toBe('.');
  expect(dataOrWorkingFolder({ store, data: '/srv/office' })).toBe('/srv/office');
  expect(() => dataOrWorkingFolder({})).toThrow('Give the data folder with --data <dir>');
});
