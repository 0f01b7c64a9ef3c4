import { expect, it } from 'vitest';
import { shownFileName } from '../../../server/base/file-names.ts';
import { childEnvironment } from '../../../server/base/child-environment.ts';
import { hubSecret } from '../../../server/commands/hub-secret.ts';

it('gives a browser neither the secret of an office in a database nor the password of the database', () => {
  const env = {
    ...{ HOME: '/home/ada', DISPLAY: ':0', FOOTBRIDGE_SECRET: 'x'.repeat(44), PGPASSWORD: 'correct horse' },
    ...{ PGSSLKEY: '/etc/office.key', footbridge_secret: 'as Windows may spell it' },
    FOOTBRIDGE_STORE: 'postgres://office:correct%20horse@db/office',
  };
  expect(childEnvironment(env)).toEqual({ HOME: '/home/ada', DISPLAY: ':0' });
});

it('takes the secret out of the environment once it is read, and knows it still', async () => {
  process.env.FOOTBRIDGE_SECRET = 'a'.repeat(44);
  expect(await hubSecret()).toBe('a'.repeat(44));
  expect(process.env.FOOTBRIDGE_SECRET).toBeUndefined();
  expect(await hubSecret()).toBe('a'.repeat(44));
});

it('shows file names without what a terminal obeys or what turns the writing around', () => {
  expect(shownFileName('/office/\u202Evsc.exe\u202C')).toBe('vsc.exe');
  expect(shownFileName('/office/stock\u200B\u001B[2J.csv')).toBe('stock[2J.csv');
});
