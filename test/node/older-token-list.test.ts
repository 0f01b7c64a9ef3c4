import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Overview } from '../../server/contract/app/overview.ts';
import { readUserKey } from '../../server/federation/partners/user-key.ts';
import { createUserTokens, type UserTokens } from '../../server/federation/partners/user-tokens.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/harness/temporary-folder.ts';
import { manualClock, type ManualClock } from '../support/harness/manual-clock.ts';
import { startNode, type NodeOffice } from '../support/harness/node.ts';

const DAY = 86_400_000;
const LOOK_MS = 5 * 60_000;

let folder: TemporaryFolder;
let clock: ManualClock;
let oslo: NodeOffice;
let tokens: UserTokens;

const dataDir = (): string => join(folder.path, 'oslo');
const file = (): string => join(dataDir(), 'user-tokens.jsonl');
const older = (): string => join(folder.path, 'older.jsonl');
const start = (): Promise<NodeOffice> => startNode('Oslo', { dataDir: dataDir(), clock });

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = manualClock('2030-05-06T07:00:00Z');
  oslo = await start();
  tokens = createUserTokens(dataDir());
});
afterEach(async () => {
  await oslo.stop();
  await folder.remove();
});

/** As the command makes one. */
async function made(): Promise<{ jti: string; token: string }> {
  const { token, ...about } = (await readUserKey(dataDir())).make('viewer', DAY, clock.now());
  await tokens.add(about);
  return { jti: about.jti, token };
}
const revoke = (jti: string): Promise<void> => tokens.revoke(jti, new Date(clock.now()).toISOString());

async function opens(token: string): Promise<boolean> {
  const answer = await fetch(new URL('/app/lists', oslo.ready.window), {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.ok;
}
const told = async (): Promise<string[]> =>
  (await oslo.app<Overview>('GET', '/app/overview')).inbox.map(({ message }) => message);

describe('a list of tokens that is put back as it was before', () => {
  const HARMS = { older: () => cp(older(), file()), lost: () => rm(file()) };

  it.each(['older', 'lost'] as const)(
    'opens nothing again that was revoked, and the inbox says so (%s)',
    async (harm) => {
      const [one, other] = [await made(), await made()];
      await cp(file(), older());
      await revoke(one.jti);
      expect([await opens(one.token), await opens(other.token)]).toEqual([false, true]);
      expect(await told()).toEqual([]);
      await oslo.stop();
      oslo = await start();
      expect(await told()).toEqual([]);

      await oslo.stop();
      await HARMS[harm]();
      oslo = await start();
      expect([await opens(one.token), await opens(other.token)]).toEqual([false, harm === 'older']);
      expect(await told()).toEqual([
        expect.stringMatching(/^The list of access .* older than it was, or missing/),
      ]);
      // And the commands see it again.
      expect([...tokens.revocations().keys()]).toEqual([one.jti]);
    },
  );

  it('opens nothing either while the node runs that has looked since', async () => {
    const { jti, token } = await made();
    await cp(file(), older());
    await revoke(jti);
    clock.advance(LOOK_MS);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await HARMS.older();
    expect(await opens(token)).toBe(false);
    clock.advance(LOOK_MS);
    await expect.poll(told).toEqual([expect.stringMatching(/^The list of access/)]);
  });
});
