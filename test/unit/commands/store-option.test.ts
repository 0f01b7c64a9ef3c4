import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { databaseAddress, dataOrWorkingFolder, storeOption } from '../../../server/commands/store-option.ts';

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

it.each([
  'postgres://office@pg1.example,pg2.example/office?target_session_attrs=read-write',
  'postgres://office:a%40b@pg1.example:5432,pg2.example:5433/office',
  'postgres://pg1.example,pg2.example',
])('an address of several hosts is refused, with what to give instead: %s', (address) => {
  expect(() => databaseAddress(address)).toThrow(
    /names several hosts\. Give one that always leads to the primary/,
  );
});

it('a comma elsewhere in an address is no second host', () => {
  for (const address of [
    'postgres://office:a,b@pg1.example/office',
    'postgres://office@pg1.example/office?options=-c%20search_path%3Da,b',
  ])
    expect(databaseAddress(address)).toBe(address);
});

it('an office in a database needs no data folder; otherwise one must be given', () => {
  const store = 'postgres://office@db.example/office';
  expect(dataOrWorkingFolder({ store })).toBe('.');
  expect(dataOrWorkingFolder({ store, data: '/srv/office' })).toBe('/srv/office');
  expect(() => dataOrWorkingFolder({})).toThrow('Give the data folder with --data <dir>');
});
