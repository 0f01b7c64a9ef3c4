import express from 'express';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Refusal } from '../../../server/base/refusal.ts';
import { setCaller, type Caller } from '../../../server/http/auth/caller.ts';
import { EventStream } from '../../../server/http/listeners/event-stream.ts';
import { serveOnce } from '../../support/harness/http.ts';

/** The stream of events, to two readers: one whose token is revoked meanwhile, and one whose is not. */
let events: EventStream;
let server: Awaited<ReturnType<typeof serveOnce>>;
const revoked = new Set<string>();
const VIEWER: Caller = { kind: 'user', userID: '3', role: 'viewer' };
beforeEach(async () => {
  events = new EventStream('1.2.3');
  const app = express();
  app.use((req, _res, next) => {
    const again = (): Promise<Caller> =>
      revoked.has(req.path)
        ? Promise.reject(new Refusal('unauthenticated', 'auth.wrong', 'This token is not valid.'))
        : Promise.resolve(VIEWER);
    setCaller(req, VIEWER, again, req.url);
    next();
  });
  app.get(['/one', '/other'], events.handler);
  server = await serveOnce(app);
});
afterEach(async () => {
  revoked.clear();
  events.close();
  await server.close();
});

/** All that is read of a stream until it ends, or this is in it. */
async function opened(path: string): Promise<(until?: string) => Promise<string>> {
  const { body } = await fetch(`http://127.0.0.1:${server.port}${path}`);
  const pieces = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async (until) => {
    for (;;) {
      if (until !== undefined && text.includes(until)) return text;
      const next = await pieces?.read();
      if (!next || next.done) return text;
      text += next.value;
    }
  };
}

it('tells whose token was revoked nothing more, and ends; others go on, in order', async () => {
  const [one, other] = [await opened('/one'), await opened('/other')];
  events.send({ type: 'list', moduleID: '41' });
  await one('"41"');
  await other('"41"');
  revoked.add('/one');
  events.send({ type: 'list', moduleID: '42' });
  events.send({ type: 'list', moduleID: '43' });
  expect(await one()).not.toContain('"42"');
  expect(await other('"43"')).toMatch(/"41"[^]*"42"[^]*"43"/);
});

it('has places for everybody, however many streams one token opens', async () => {
  const window = await opened('/one?token=window');
  const greedy = [];
  for (let at = 0; at < 60; at++) greedy.push(await opened('/one?token=viewer'));
  const another = await opened('/other?token=admin');
  // What it had opened first gave way.
  for (const ended of greedy.slice(0, -8)) expect(await ended()).toContain('hello');
  events.send({ type: 'list', moduleID: '41' });
  for (const goesOn of [window, another, ...greedy.slice(-8)]) await goesOn('"41"');
});

it('has a place for a token that has none yet, also where many others fill all of them', async () => {
  const window = await opened('/one?token=window');
  const greedy = [];
  for (let at = 0; at < 56; at++) greedy.push(await opened(`/one?token=${String(at % 7)}`));
  const another = await opened('/other?token=admin');
  events.send({ type: 'list', moduleID: '41' });
  await Promise.all([window('"41"'), another('"41"')]);
  revoked.add('/one');
  events.send({ type: 'list', moduleID: '42' });
  const told = await Promise.all(greedy.map((each) => each()));
  expect(told.filter((text) => text.includes('"41"')).length).toBe(48);
  await another('"42"');
});
