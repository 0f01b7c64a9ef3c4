import { notedSchema, type Noted } from '../recovery/withdrawals/log-position.ts';
import { textIn, type Ask } from './database.ts';

/** Small values of the office that belong to no list, each under a name. No restore touches them. */

/** Returns the office's value under this name, if any. */
export async function readOwn(ask: Ask, name: string): Promise<string | undefined> {
  const [row] = await ask('SELECT value FROM footbridge_own WHERE name = $1', [name]);
  return row && textIn(row, 'value');
}

/** Stores a value under this name, in place of any other. */
export async function writeOwn(ask: Ask, name: string, value: string): Promise<void> {
  await ask(
    'INSERT INTO footbridge_own (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, value],
  );
}

export const ownNames = async (ask: Ask): Promise<string[]> =>
  (await ask('SELECT name FROM footbridge_own')).map((row) => textIn(row, 'name'));

export async function removeOwn(ask: Ask, name: string): Promise<void> {
  await ask('DELETE FROM footbridge_own WHERE name = $1', [name]);
}

/** Stores a value unless the name has one; returns the stored one. */
export async function createOwnIfMissing(ask: Ask, name: string, value: string): Promise<string> {
  await ask('INSERT INTO footbridge_own (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    ...[name, value],
  ]);
  return (await readOwn(ask, name)) ?? value;
}

const REVOCATION_POSITION = 'withdrawn-reach';

/** Returns the revocation log's noted position, if any. */
export async function readNotedReach(ask: Ask): Promise<Noted | undefined> {
  const text = await readOwn(ask, REVOCATION_POSITION);
  return text === undefined ? undefined : notedSchema.parse(JSON.parse(text));
}

export const writeNotedReach = (ask: Ask, reach: Noted | undefined): Promise<void> =>
  reach ? writeOwn(ask, REVOCATION_POSITION, JSON.stringify(reach)) : removeOwn(ask, REVOCATION_POSITION);
