import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBody } from '../../../server/contract/common.ts';
import { ROLES } from '../../../server/federation/identity.ts';
import type { HttpAnswer } from '../../support/http-office.ts';
import { ROWS, type InterfaceRow, type Request } from './rows.ts';
import { federationState, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const send = (request: Request, token: string | undefined): Promise<HttpAnswer> =>
  world.a.call(request.method, request.path, { token, body: request.body });

/** Tokens that must not do, each with the status that it gets. */
function refusals(row: InterfaceRow, request: Request): [string, string | undefined, number][] {
  const { credential } = row;
  if (credential === 'anyone') return [];
  const ownNode = request.nodeToken ?? world.tokenB;
  const users = ROLES.map((role) => [role, world.a.userToken(role), 403] as const);
  const all: (readonly [string, string | undefined, number])[] = [
    ['nobody', undefined, 401],
    ['a made-up token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', 401],
  ];
  if (credential === 'node' || credential === 'node-or-viewer')
    all.push(['another partner', world.tokenC, request.otherNode ?? 403]);
  if (credential === 'node') all.push(...users);
  else if (credential !== 'node-or-viewer') {
    all.push(['a partner', ownNode, 403]);
    all.push(...users.slice(0, ROLES.indexOf(credential)));
  }
  return all.filter(([, , status]) => status !== 200).map((each) => [...each]);
}

/** The least of what must do; for a feed that users see as well, both. */
function allowed({ credential }: InterfaceRow, request: Request): (string | undefined)[] {
  const ownNode = request.nodeToken ?? world.tokenB;
  if (credential === 'anyone') return [undefined];
  if (credential === 'node') return [ownNode];
  if (credential === 'node-or-viewer') return [ownNode, world.a.userToken('viewer')];
  return [world.a.userToken(credential)];
}

describe.each(ROWS)('$row in $shape', (row) => {
  it('is done for the right credential alone, with exactly the documented answer; others change nothing', async () => {
    const request = await row.setup(world);
    const before = await federationState(world.a);
    for (const [who, token, status] of refusals(row, request)) {
      const answer = await send(request, token);
      expect([who, answer.status]).toEqual([who, status]);
      expect(errorBody.strict().safeParse(answer.body).success).toBe(true);
    }
    expect(await federationState(world.a)).toEqual(before);
    for (const token of allowed(row, request)) {
      const answer = await send(request, token);
      expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      row.answer.parse(answer.body);
    }
  });
});

describe.each(['/api', ''])('under the base %s', (prefix) => {
  it.each(ROWS.filter(({ credential }) => credential !== 'anyone'))(
    '$row in $shape is there with and without a trailing slash',
    async (row) => {
      const { method, path, body } = await row.setup(world);
      const [address = '', query] = path.split('?');
      const bare = address.replace(/\/$/, '');
      // The one place where the slash counts: …/records is shape 1, …/records/ live. Both are there.
      for (const form of [bare, `${bare}/`]) {
        const answer = await world.a.call(
          method,
          `${prefix}${form}${query === undefined ? '' : `?${query}`}`,
          { body },
        );
        expect(answer.status).toBe(401);
      }
    },
  );
});

it('covers every operation in each shape that the document gives it', () => {
  const count = (text: RegExp, shape: string): number =>
    ROWS.filter(({ row, shape: of }) => text.test(row) && (of === shape || of === 'both')).length;
  for (const shape of ['shape 1', 'shape 2']) {
    for (const text of [/creation on A/, /creation on B/, /^pair$/, /^handshake$/, /confirm/, /complete/])
      expect([text, shape, count(text, shape) > 0]).toEqual([text, shape, true]);
    for (const text of [/^add/, /^change sharing/, /about exposed/, /^remove module from/, /about shared/])
      expect([text, shape, count(text, shape) > 0]).toEqual([text, shape, true]);
    for (const text of [
      /^list shared/,
      /^set/,
      /^get/,
      /^remove module mapping/,
      /exposed\/modules$/,
      /structure/,
      /^fetch/,
    ])
      expect([text, shape, count(text, shape) > 0]).toEqual([text, shape, true]);
  }
});
