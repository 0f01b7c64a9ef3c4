import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CALLS } from '../../../server/contract/app/calls.ts';
import { callOf, faultOf } from '../../support/harness/answers.ts';

const ROOMS = ['server/http/window', 'server/http/auth'].map((room) =>
  fileURLToPath(new URL(`../../../${room}`, import.meta.url)),
);

it('every call of the table has its route, and every route its entry', () => {
  const code = ROOMS.flatMap((room) =>
    readdirSync(room).map((file) => readFileSync(join(room, file), 'utf8')),
  );
  const routed = code.flatMap((text) => [
    ...text.matchAll(/'((?:GET|POST|PUT|PATCH|DELETE) \/app\/[^']*)'/g),
  ]);
  const inSession = ['GET /app/session'];
  expect([...routed.map(([, name]) => name), ...inSession].sort()).toEqual(Object.keys(CALLS).sort());
  // Routes that go past the table would be such.
  const past = code.flatMap((text) => [...text.matchAll(/router\.(get|post|put|patch|delete)\(/g)]);
  expect(past).toHaveLength(1);
});

it('tells an answer that is not in the table, lacks something, or says more', () => {
  expect(callOf('POST', '/app/lists/7/rows/delete')).toBe('POST /app/lists/:m/rows/delete');
  expect(callOf('DELETE', '/app/lists/7/rows/8')).toBe('DELETE /app/lists/:m/rows/:r');
  const sound = { response: { csrfToken: 'x' } };
  expect(faultOf('GET', '/app/session', sound)).toBeUndefined();
  expect(faultOf('GET', '/app/nothing', sound)).toContain('not in the table');
  expect(faultOf('GET', '/app/session', { response: {} })).toContain('csrfToken');
  expect(faultOf('GET', '/app/session', { response: { csrfToken: 'x', secret: 'y' } })).toContain(
    'more than',
  );
  expect(faultOf('POST', '/app/resume', { response: 1 })).toContain('promises nothing');
});
