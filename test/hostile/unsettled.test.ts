import type { Express, Response } from 'express';
import { expect, it } from 'vitest';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { idOf, matched } from '../support/partners/matched.ts';
import { customers } from '../support/data/office-lists.ts';
import { told } from '../support/reading/told.ts';

const ROWS = customers({ rows: 30, seed: 9 }).rows;

it('is not up to date with a Footbridge that says that its rows are about to change, until they have', async () => {
  const origin = madeUpOrigin();
  for (const [at, { CompanyName = '', City = '' }] of ROWS.entries())
    origin.put(idOf(at), { Name: [CompanyName], City: [City] });
  let isUnsettled = false;
  const lies = (app: Express): void => {
    app.use((request, response: Response, next) => {
      const json = response.json.bind(response);
      if (isUnsettled && request.path.endsWith('/changes'))
        response.json = (body: { response: object }) =>
          json({ response: { ...body.response, unsettled: true } });
      next();
    });
  };
  const set = await matched(origin, { dialect: 'shape1', footbridge: true }, { lies });
  const { sync } = set.office;
  const status = async (): Promise<{ state: string; cause: string }> => told(await sync.status(set.nodeID));
  await sync.syncNow(set.nodeID);
  expect(await status()).toMatchObject({ state: 'up-to-date' });

  isUnsettled = true;
  await sync.syncNow(set.nodeID);
  expect(await status(), 'nothing was new, and something will be').toMatchObject({ cause: 'behind' });
  await sync.syncNow(set.nodeID);
  expect(await status(), 'asked once more').toMatchObject({ cause: 'behind' });

  isUnsettled = false;
  await sync.syncNow(set.nodeID);
  expect(await status()).toMatchObject({ state: 'up-to-date' });
});
