import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareLists } from '../../server/commands/demo-compare.ts';
import type { DemoList, Office } from '../../server/commands/demo-office.ts';
import { pair } from '../support/offices.ts';
import { officeOf, serveBuilt, type Served } from '../support/serve.ts';

/** Kills of each side; FOOTBRIDGE_KILLS asks for more. */
const KILLS = Number(process.env.FOOTBRIDGE_KILLS ?? 4);
const ROWS = 6000;
const COLUMNS = { Name: 'Client', City: 'Town' };

describe('R1: SIGKILL of either node in the middle of a pull', () => {
  let served: { origin: Served; destination: Served };
  let offices: { origin: Office; destination: Office };
  let list: DemoList;
  let local: DemoList;

  beforeAll(async () => {
    served = {
      origin: await serveBuilt(),
      destination: await serveBuilt({ args: ['--sync-interval', '1s'] }),
    };
    offices = {
      origin: await officeOf(served.origin, 'North Trading'),
      destination: await officeOf(served.destination, 'Harbour Office'),
    };
    const ids = await pair(offices.origin, offices.destination);
    const lines = Array.from({ length: ROWS }, (_, i) => `Company ${i},City ${i % 97},secret ${i}`);
    list = await offices.origin.importCsv('customers', `Name,City,Note\n${lines.join('\n')}\n`);
    await offices.origin.expose(ids.there, list, Object.keys(COLUMNS));
    await offices.destination.syncNow(ids.here);
    const fields = list.fields
      .slice(0, 2)
      .map((field) => ({ ...field, name: field.name === 'Name' ? 'Client' : 'Town' }));
    local = await offices.destination.createList('Clients', fields);
    await offices.destination.match(ids.here, list.name, local, COLUMNS);
  });
  afterAll(async () => {
    await served.origin.remove();
    await served.destination.remove();
  });

  /** A power cut for one side after some milliseconds, and the same folder and port again. */
  async function cut(side: 'origin' | 'destination', after: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, after));
    const { dataDir, federation } = served[side];
    await served[side].kill();
    const args = ['--port', new URL(federation).port, '--sync-interval', '1s'];
    served[side] = await serveBuilt({ dataDir, args });
    offices[side] = await officeOf(served[side], side);
  }

  it(`${KILLS} times each leaves the data whole, and the sync goes on to the end`, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await cut('destination', Math.random() * 400);
      await cut('origin', Math.random() * 400);
    }
    const [first] = await offices.origin.firstRows(list, 1);
    await offices.origin.remove(list, first!.recordID);
    await offices.origin.add(list, { Name: 'After all the kills', City: 'Still here' });
    await expect
      .poll(() => compareLists(offices.origin, list, offices.destination, local, COLUMNS), {
        timeout: 120_000,
        interval: 1000,
      })
      .toBeUndefined();
    expect(await offices.destination.allRows(local)).toHaveLength(ROWS);
  });
});
