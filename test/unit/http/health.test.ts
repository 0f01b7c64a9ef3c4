import { Router } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { health, type Health } from '../../../server/contract/openapi/node.ts';
import { federationApp } from '../../../server/http/interface/federation-app.ts';
import { NO_PROXIES } from '../../../server/http/listeners/trusted-proxies.ts';
import { serveOnce } from '../../support/harness/http.ts';

it.each<[Health['status'], number]>([
  ['ok', 200],
  ['disk-full', 503],
  ['cannot-save', 503],
])('the health check of a node that is “%s” answers %d, under both addresses', async (status, code) => {
  const app = federationApp({
    isProxy: NO_PROXIES,
    bearer: (_req, _res, next) => next(),
    places: { markKnown: () => undefined },
    plain: (_req, _res, next) => next(),
    routes: Router(),
    health: () => status,
    turnedAway: (error, _req, _res, next) => next(error),
    clock: Date,
    log: { error: () => undefined },
  });
  const { port, close } = await serveOnce(app);
  onTestFinished(close);
  for (const path of ['/healthz', '/api/healthz']) {
    const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`);
    expect([answer.status, health.parse(await answer.json())]).toEqual([code, { status }]);
    // Hosts below that of the node are not ours to bind.
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/);
  }
  const unreadable = await fetch(`http://127.0.0.1:${String(port)}/federation/nodes?query=5%`);
  expect([unreadable.status, await unreadable.json()]).toMatchObject([
    400,
    { error: { code: 'query.encoding' } },
  ]);
});
