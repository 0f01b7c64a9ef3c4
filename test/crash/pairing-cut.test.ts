import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { atNight } from '../support/data/luck.ts';
import type { Spoken } from '../support/harness/calls.ts';
import { pairNodes } from '../support/harness/pairing.ts';
import { appCalls, serveBuilt, userTokenOf, type Served } from '../support/harness/program.ts';

const HOLD = new URL('../support/faults/hold-after-note.mjs', import.meta.url).href;
const ROUNDS = atNight(20, 4);

interface Place {
  served: Served;
  office: Spoken;
  readonly token: string;
}

const serve = (dataDir?: string, port?: string): Promise<Served> =>
  serveBuilt({
    ...(dataDir === undefined ? {} : { dataDir }),
    args: port === undefined ? [] : ['--port', port],
    nodeArgs: ['--import', HOLD],
  });

async function open(): Promise<Place> {
  const served = await serve();
  const token = userTokenOf(served);
  const office = { app: appCalls(served, token) };
  // Until the first run is done, every address leads there.
  await office.app('PATCH', '/app/settings', { firstRunDone: true });
  return { served, token, office };
}

let inviter: Place;
let invited: Place;
beforeAll(async () => {
  [inviter, invited] = [await open(), await open()];
});
afterAll(async () => {
  for (const { served } of [inviter, invited]) {
    await served.remove();
    await rm(`${served.dataDir}.hold`, { recursive: true, force: true });
  }
});

/** Starts it again after a kill, where its partner knows it. */
async function restart(place: Place): Promise<void> {
  const { port } = new URL(place.served.federation);
  place.served = await serve(place.served.dataDir, port);
  place.office = { app: appCalls(place.served, place.token) };
}

const statusOf = async ({ office }: Place, partner: string): Promise<string> =>
  (await office.app<{ status: string }>('GET', `/app/partners/${partner}`)).status;

it(
  'R1: SIGKILL between the note of a connection and the pairing that it is of, at either side: both are connected',
  { timeout: 280_000 },
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const killed = round % 2 === 0 ? inviter : invited;
      const hold = `${killed.served.dataDir}.hold`;
      await mkdir(hold);
      const pairing = pairNodes(inviter.office, invited.office).catch(() => undefined);
      await expect.poll(() => existsSync(join(hold, 'reached')), { timeout: 30_000 }).toBe(true);
      await killed.served.kill();
      await pairing;
      await rm(hold, { recursive: true });
      await restart(killed);
      const ids = await Promise.all(
        [inviter, invited].map(async ({ office }) => {
          const all = await office.app<{ nodeID: string }[]>('GET', '/app/partners');
          expect([round, all.length]).toEqual([round, 1]);
          return all[0]?.nodeID ?? '';
        }),
      );
      for (const [at, place] of [inviter, invited].entries()) {
        const id = ids[at] ?? '';
        await expect.poll(() => statusOf(place, id), { timeout: 30_000 }).toBe('paired');
        // Each one's token opens the other.
        await place.office.app('POST', `/app/partners/${id}/sync`);
        expect([round, await statusOf(place, id)]).toEqual([round, 'paired']);
      }
      for (const [at, { office }] of [inviter, invited].entries())
        await office.app('DELETE', `/federation/nodes/${ids[at] ?? ''}`);
    }
  },
);
