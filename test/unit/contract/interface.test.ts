import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorBody } from '../../../server/contract/common.ts';
import { roleCovers, ROLES, type Role } from '../../../server/federation/partners/identity.ts';
import type { HttpAnswer } from '../../support/harness/served-parts.ts';
import { ROWS, type Credential, type InterfaceRow, type Request } from './rows.ts';
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
  const all: [string, string | undefined, number][] = [
    ['nobody', undefined, 401],
    ['a made-up token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', 401],
  ];
  if (request.otherNode !== 'its own') all.push(['another partner', world.tokenC, request.otherNode ?? 403]);
  if (!credential.startsWith('node')) all.push(['the partner itself', ownNode, 403]);
  for (const role of ROLES) if (!may(credential, role)) all.push([role, world.a.userToken(role), 403]);
  return all;
}

/** Everyone who may: each role that covers the least one, the partner, or nobody in particular. */
function allowed({ credential }: InterfaceRow): (Role | 'node' | 'anyone')[] {
  if (credential === 'anyone') return ['anyone'];
  const node = credential.startsWith('node') ? (['node'] as const) : [];
  return [...node, ...ROLES.filter((role) => may(credential, role))];
}

const may = (credential: Credential, role: Role): boolean =>
  credential === 'node-or-viewer' || (isRole(credential) && roleCovers(role, credential));
const isRole = (credential: Credential): credential is Role => ROLES.some((role) => role === credential);

function tokenOf(who: Role | 'node' | 'anyone', { nodeToken }: Request): string | undefined {
  if (who === 'anyone') return undefined;
  return who === 'node' ? (nodeToken ?? world.tokenB) : world.a.userToken(who);
}

function expectDone({ answer: documented }: InterfaceRow, answer: HttpAnswer): void {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  documented.parse(answer.body);
}

describe.each(ROWS)('$row in $shape', (row) => {
  it('is refused to everybody else, and that changes nothing', async () => {
    const request = await row.setup(world);
    const before = await federationState(world.a);
    for (const [who, token, status] of refusals(row, request)) {
      const answer = await send(request, token);
      expect([who, answer.status]).toEqual([who, status]);
      expect(errorBody.strict().safeParse(answer.body).success).toBe(true);
    }
    expect(await federationState(world.a)).toEqual(before);
  });

  it('is done for each of those who may, under every form of its address, with exactly the documented answer', async () => {
    const who = allowed(row);
    let request = await row.setup(world);
    for (let at = 0; at < FORMS; at++) {
      const path = formsOf(request.path)[at] ?? '';
      const caller = who[at % who.length] ?? 'anyone';
      expectDone(row, await send({ ...request, path }, tokenOf(caller, request)));
      if (request.method !== 'GET') request = await row.setup(world);
    }
  });
});

const FORMS = 4;

/** With and without `/api`, with and without a trailing slash. */
function formsOf(path: string): string[] {
  const [address = '', query] = path.split('?');
  const bare = address.replace(/\/$/, '');
  // The one place where the slash counts: …/records is shape 1, …/records/ live.
  const counts = /\/nodes\/\d+\/modules\/\d+\/records$/.test(bare);
  const addresses = counts ? [address, address] : [bare, `${bare}/`];
  return ['', '/api'].flatMap((prefix) =>
    addresses.map((each) => `${prefix}${each}${query === undefined ? '' : `?${query}`}`),
  );
}

describe.each(ROWS.filter(({ credential }) => credential === 'node'))('$row in $shape', (row) => {
  it('shows another partner nothing of what is this one’s', async () => {
    const request = await row.setup(world);
    const answer = await send(request, world.tokenC);
    const list = z.object({ response: z.object({ set: z.array(z.unknown()) }) }).safeParse(answer.body);
    expect(answer.status === 200 ? list.data?.response.set : []).toEqual([]);
  });
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
