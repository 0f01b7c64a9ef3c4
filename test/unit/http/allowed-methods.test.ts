import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import {
  answerOptions,
  createMethodLookup,
  refuseOtherMethods,
} from '../../../server/http/listeners/allowed-methods.ts';
import { notFound, errorHandler } from '../../../server/http/listeners/errors.ts';
import { rawRequest, serveOnce } from '../../support/harness/http.ts';

const methods = createMethodLookup(() => Promise.resolve(['GET /app/overview', 'POST /app/lists/:m/rows']));

async function ask(method: string, path: string): Promise<[status: number, allow: string | undefined]> {
  const app = express();
  app.use(answerOptions(methods));
  app.get('/federation/nodes/:n/modules', (_req, res) => void res.json({ response: [] }));
  app.use(refuseOtherMethods(methods));
  app.use(notFound, errorHandler({ error: () => undefined }));
  const server = await serveOnce(app);
  onTestFinished(() => server.close());
  const { status, headers } = await rawRequest(server.port, path, { method });
  return [status, headers.allow];
}

it('names all methods of an address, with and without /api', async () => {
  const allow = 'GET, HEAD, OPTIONS, PUT';
  expect(await ask('OPTIONS', '/federation/nodes/5/modules')).toEqual([204, allow]);
  expect(await ask('OPTIONS', '/api/federation/nodes/5/modules/')).toEqual([204, allow]);
});

it('names the methods of a fixed word, not those of the parameter in its place', async () => {
  expect(await ask('OPTIONS', '/federation/nodes/5/modules/exposed')).toEqual([204, 'GET, HEAD, OPTIONS']);
  const undelete = '/compose/namespace/5/module/6/record/undelete';
  expect(await ask('OPTIONS', undelete)).toEqual([204, 'OPTIONS, PATCH']);
});

it('refuses other methods with 405 and Allow, and unknown addresses with 404', async () => {
  expect(await ask('PATCH', '/federation/nodes/5/modules')).toEqual([405, 'GET, HEAD, OPTIONS, PUT']);
  expect(await ask('DELETE', '/app/overview')).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect(await ask('GET', '/app/lists/7/rows')).toEqual([405, 'OPTIONS, POST']);
  expect(await ask('PATCH', '/federation/nowhere')).toEqual([404, undefined]);
  expect(await ask('OPTIONS', '/federation/nowhere')).toEqual([404, undefined]);
});

it('takes the methods that an address has', async () => {
  expect(await ask('GET', '/federation/nodes/5/modules')).toEqual([200, undefined]);
  expect(await ask('HEAD', '/federation/nodes/5/modules')).toEqual([200, undefined]);
});
