import { afterEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import type { Response } from 'express';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { fill, matched } from '../support/partners/matched.ts';
import { told } from '../support/reading/told.ts';

let stalled: Response | undefined;
afterEach(() => stalled?.destroy());

describe('a partner that stops in the middle of an answer', () => {
  it('is shown to stand still within seconds, is given up in time, and costs nothing of what came', async () => {
    const origin = madeUpOrigin();
    fill(origin, 0, 1100);
    let pages = 0;
    const { office, nodeID, moduleID } = await matched(
      origin,
      { dialect: 'live' },
      {
        requestTime: 600_000,
        gapTime: 9000,
        lies: (app) =>
          app.get('/nodes/7/modules/:m/records/', (_request, response, next) => {
            if (++pages !== 2) {
              next();
              return;
            }
            stalled = response;
            response.type('json').write('{"response":{"filter":{},"set":[{"recordID":"17","values":[');
          }),
      },
    );
    const givenUp = expect(office.sync.syncNow(nodeID)).rejects.toThrow(/took too long/);
    const status = async (): Promise<string> => {
      const now = await office.sync.status(nodeID);
      return `${now.state}: ${told(now).reason}`;
    };
    await expect
      .poll(status, { timeout: 30_000, interval: 200 })
      .toMatch(/offline: Nothing has come from Berlin for \d+ seconds/);
    expect((await office.received(moduleID)).size).toBe(500);
    if (stalled && !stalled.closed) await once(stalled, 'close');
    await givenUp;
    expect(await status()).not.toMatch(/Nothing has come/);

    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 600, failed: 0 });
    expect((await office.received(moduleID)).size).toBe(1100);
  });
});
