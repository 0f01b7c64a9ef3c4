import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { token } from '../../../server/commands/token.ts';
import { readUserKey } from '../../../server/federation/partners/user-key.ts';

const DAY = 86_400_000;
const isPast = ({ expiresAt }: { readonly expiresAt: number }): boolean => expiresAt <= Date.now();
let dataDir: string;
let printed: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'footbridge-token-'));
  await mkdir(join(dataDir, 'store'));
  await writeFile(join(dataDir, 'store', 'partitions.json'), '{}');
  printed = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true, force: true });
});

const make = async (role: 'admin' | 'viewer', expires = DAY): Promise<string> => {
  await token({ data: dataDir, role, expires });
  return printed.pop()?.trim() ?? '';
};
const list = async (): Promise<string[]> => {
  await token({ data: dataDir, role: 'admin', expires: DAY, list: true });
  return printed
    .splice(0)
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
};
const idOf = (made: string): string => (jwt.decode(made) as { jti: string }).jti;

describe('tokens of users', () => {
  it('are listed and revoked one by one, also for a node that runs', async () => {
    const key = await readUserKey(dataDir);
    const [first, second] = [await make('viewer'), await make('admin', 90 * DAY)];
    expect(await list()).toEqual([
      expect.stringMatching(new RegExp(`^${idOf(first)}  viewer .*until 20`)) as string,
      expect.stringMatching(new RegExp(`^${idOf(second)}  admin .*until 20`)) as string,
    ]);
    expect(key.verify(first, isPast)).toMatchObject({ role: 'viewer' });
    await token({ data: dataDir, role: 'admin', expires: DAY, revoke: idOf(first) });
    expect(key.verify(first, isPast)).toBeUndefined();
    expect(key.verify(second, isPast)).toMatchObject({ role: 'admin' });
    expect((await readUserKey(dataDir)).verify(first, isPast)).toBeUndefined();
    printed = [];
    expect((await list())[0]).toMatch(/revoked 20/);
    await expect(token({ data: dataDir, role: 'admin', expires: DAY, revoke: 'none' })).rejects.toThrow(
      'no token none',
    );
  });

  it('are refused, with what to do, where they are of before there was a list, and could not be revoked', async () => {
    const key = await readUserKey(dataDir);
    const old = key.issue('admin', 30 * DAY);
    expect(() => key.verify(old, isPast)).toThrow('Make a new one on the command line.');
    expect(key.verify(await make('admin', 30 * DAY), isPast)).toMatchObject({ role: 'admin' });
    // What the program makes for one command of its own.
    expect(key.verify(key.issue('admin', 3_600_000), isPast)).toMatchObject({ role: 'admin' });
  });

  it('are good for a year at the most, whatever was asked for', async () => {
    await expect(token({ data: dataDir, role: 'admin', expires: 36_500 * DAY })).rejects.toThrow(
      'a year at the most',
    );
    const key = await readUserKey(dataDir);
    const secret = Buffer.from(await readFile(join(dataDir, 'user.key'), 'utf8'), 'hex');
    const made = jwt.decode(await make('admin')) as { iat: number };
    const old = jwt.sign({ ...made, exp: made.iat + 36_500 * 86_400 }, secret);
    expect(key.verify(old, isPast)).toBeUndefined();
    expect(key.verify(jwt.sign(made, secret), isPast)).toMatchObject({ role: 'admin' });
  });

  it('are known to be revoked without reading again of all that were ever made', async () => {
    const file = join(dataDir, 'user-tokens.jsonl');
    const made = await make('viewer');
    const ended = {
      role: 'editor',
      issuedAt: '2025-01-02T03:04:05.000Z',
      expiresAt: '2025-01-03T03:04:05.000Z',
    };
    const lines = Array.from({ length: 50_000 }, (_, n) => JSON.stringify({ jti: `e${n}`, ...ended }));
    await appendFile(file, `\n${lines.join('\n')}\n{"revoked":"cut o`);
    const key = await readUserKey(dataDir);
    expect(key.verify(made, isPast)).toMatchObject({ role: 'viewer' });
    const parse = vi.spyOn(JSON, 'parse');
    const other = await make('admin');
    await token({ data: dataDir, role: 'admin', expires: DAY, revoke: idOf(made) });
    parse.mockClear();
    expect(key.verify(other, isPast)).toMatchObject({ role: 'admin' });
    expect(key.verify(made, isPast)).toBeUndefined();
    expect(parse.mock.calls.length).toBeLessThan(50);
    printed = [];
    expect((await list()).map((line) => line.slice(0, 24))).toEqual([idOf(made), idOf(other)]);
    // A list that was emptied makes nothing good again.
    await writeFile(file, '');
    expect(() => key.verify(made, isPast)).toThrow('Make a new one');
  });

  it('lie nowhere themselves, and their list is the owner’s alone', async () => {
    const made = await make('admin');
    const file = join(dataDir, 'user-tokens.jsonl');
    expect(await readFile(file, 'utf8')).not.toContain(made.split('.')[2]);
    expect((await stat(file)).mode & 0o077).toBe(0);
  });
});
