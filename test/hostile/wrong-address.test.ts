import type { RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../support/data/luck.ts';
import * as lies from '../support/partners/lying-partner.ts';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { fill, matched, WAYS } from '../support/partners/matched.ts';
import { told } from '../support/reading/told.ts';

const html = (status: number, body: string): RequestHandler =>
  lies.says(status, body, { 'content-type': 'text/html; charset=utf-8' });
/** Braces, colons and names without end, as in the script of such a page. */
const SCRIPT = `<html><script>${Array.from({ length: 3000 }, (_, at) => `var o${at}={"k${at}":[{`).join('')}`;
const PAGE = /^Something else answers in the partner’s place: .* Footbridge will try again\.$/;
const PROGRAM = /^Another program answers at the partner’s address\. .* Footbridge will try again\.$/;

/** What stands at an address that leads somewhere else. */
const OTHERS: readonly (readonly [string, RequestHandler, RegExp])[] = [
  ['a router’s page', html(200, '<!DOCTYPE html><title>Welcome to your router</title>'), PAGE],
  ['a page with a long script', html(200, SCRIPT), PAGE],
  ['a hotel’s way to its login', lies.says(302, '', { location: 'http://login.hotel.example/' }), PAGE],
  ['a network that wants a login', html(511, '<h1>Network Authentication Required</h1>'), PAGE],
  ['a proxy’s no', html(403, '<h1>Blocked by company policy</h1>'), PAGE],
  ['a server that has not this path', lies.says(404, '{"error":{"message":"Not Found"}}'), PROGRAM],
];
/** Only a partner that says who it is can be told from these. */
const MORE: typeof OTHERS = [
  ['a server with a credential of its own', lies.says(401, '{"error":"unauthorized"}'), PROGRAM],
  ['a server that says yes to all', lies.says(200, '{"status":"ok","version":"2.4.1"}'), PROGRAM],
];

describe.each(WAYS)('at the address of a partner that speaks %s', (_, way) => {
  it.each(sampleOf(way.footbridge === true ? [...OTHERS, ...MORE] : OTHERS, 2))(
    'something else is named as such, and the partner is not blamed: %s',
    async (_name, handler, reason) => {
      const origin = madeUpOrigin();
      fill(origin, 0, 3);
      let other: RequestHandler | undefined;
      const { office, nodeID } = await matched(origin, way, {
        lies: (app) =>
          app.use((request, response, next) => (other ? void other(request, response, next) : next())),
      });
      await office.sync.syncNow(nodeID);
      other = handler;
      await office.sync.syncNow(nodeID).catch(() => undefined);
      expect(told(await office.sync.status(nodeID))).toMatchObject({
        state: 'offline',
        reason: expect.stringMatching(reason) as string,
      });
      other = undefined;
      await office.sync.syncNow(nodeID);
      expect((await office.sync.status(nodeID)).cause).not.toBe('unreachable');
      expect((await office.federation.nodes.get(nodeID)).status).toBe('paired');
    },
  );
});
