import type { Express } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Dialect } from '../../server/base/vocabulary.ts';
import { startLyingPartner } from '../support/partners/lying-partner.ts';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { asksForRows, fill, NAME_AND_CITY, shownBy } from '../support/partners/matched.ts';
import { receivingOffice } from '../support/harness/pulling-parts.ts';

/** What a partner that speaks nothing else does not have. */
const LACKS: Readonly<Record<Dialect, RegExp>> = {
  shape1: /^\/exposed\/records|^\/nodes\/7\/modules\/exposed|\/records\/$/,
  shape2: /^\/nodes\//,
  live: /^\/exposed\/|\/records$/,
};

const speaksOnly =
  (dialect: Dialect) =>
  (app: Express): void => {
    app.use((request, response, next) => {
      if (LACKS[dialect].test(request.path)) response.status(404).type('html').send('<!doctype html>');
      else next();
    });
  };

describe('how a partner speaks that nothing has told yet', () => {
  it.each(['shape1', 'shape2', 'live'] as const)(
    '%s: is found out by asking, and remembered',
    async (dialect) => {
      const origin = madeUpOrigin();
      fill(origin, 0, 620);
      const partner = await startLyingPartner((app) => {
        speaksOnly(dialect)(app);
        origin.serve(app);
      });
      onTestFinished(() => partner.close());
      const office = await receivingOffice();
      onTestFinished(() => office.close());
      const { nodeID, ...known } = await office.addPartner({ baseURL: partner.base });
      await office.federation.nodes.update(nodeID, { dialect: 'unknown' }, '1');
      expect(known.dialect).toBe('shape1');
      await office.sync.syncNow(nodeID);
      const { module } = await office.match(nodeID, NAME_AND_CITY);
      expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 620, failed: 0 });
      expect(await office.received(module.moduleID)).toEqual(shownBy(origin));
      expect((await office.federation.nodes.get(nodeID)).dialect).toBe(dialect);

      const before = partner.heard.length;
      await office.sync.syncNow(nodeID);
      const asked = partner.heard.slice(before).map(({ url }) => new URL(url, partner.base));
      expect(
        asked.filter(({ pathname }) => LACKS[dialect].test(pathname.replace('/federation', ''))),
      ).toEqual([]);
    },
  );

  it('is not guessed from a list that was withdrawn', async () => {
    const origin = madeUpOrigin();
    let withdrawn = false;
    const partner = await startLyingPartner((app) => {
      app.use((request, response, next) => {
        if (withdrawn && asksForRows(request)) response.status(404).json({ error: { message: 'not here' } });
        else next();
      });
      origin.serve(app);
    });
    onTestFinished(() => partner.close());
    const office = await receivingOffice();
    onTestFinished(() => office.close());
    const { nodeID } = await office.addPartner({ baseURL: partner.base });
    await office.federation.nodes.update(nodeID, { dialect: 'unknown' }, '1');
    await office.sync.syncNow(nodeID);
    await office.match(nodeID, NAME_AND_CITY);
    withdrawn = true;
    await office.sync.syncNow(nodeID);
    expect((await office.federation.nodes.get(nodeID)).dialect).toBeUndefined();
  });
});
