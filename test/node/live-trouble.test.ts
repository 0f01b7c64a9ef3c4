import type { RequestHandler } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLiveServer, type LiveServer } from '../support/partners/live-server.ts';
import { says } from '../support/partners/lying-partner.ts';
import { rowsOf, startNode, type NodeOffice } from '../support/harness/node.ts';

const STREETS = ['Hafenstraße', 'Åsgata', 'Rua da Praia', 'Ulica Długa', 'Çarşı Caddesi', 'Кеј'];

interface Setting {
  readonly live: LiveServer;
  readonly office: NodeOffice;
  readonly partner: string;
  readonly list: string;
}

/** A live server with 1,250 customers, which come in three pages, and an office that receives them. */
async function setting(): Promise<Setting> {
  const live = await startLiveServer();
  onTestFinished(() => live.close());
  const office = await startNode('Berlin', { remoteManagement: true });
  onTestFinished(() => office.stop());
  const { nodeID: there } = live.createNode(`${office.ready.federation}/federation`);
  const uri = live.invite(there);
  const { nodeID: partner } = await office.app<{ nodeID: string }>('POST', '/app/invites/accept', { uri });
  await live.confirm(there);
  live.expose('Customers', [
    { kind: 'String', name: 'name', label: 'Name', isMulti: false },
    { kind: 'Number', name: 'owed', label: 'Owed', isMulti: false },
  ]);
  await office.app('POST', `/federation/nodes/${partner}/sync`);
  const offers = `/app/partners/${partner}/offers`;
  const [offer] = await office.app<{ sharedModuleID: string }[]>('GET', offers);
  const made = `${offers}/${offer?.sharedModuleID}/list`;
  const { moduleID: list } = await office.app<{ moduleID: string }>('POST', made, {});
  await office.app('POST', `/federation/nodes/${partner}/sync`);
  for (let number = 0; number < 1250; number++)
    live.put(undefined, {
      name: `${STREETS[number % STREETS.length]} ${(number * 37) % 211}, ${number}`,
      owed: `${(number * 7919) % 9973}.${10 + (number % 90)}`,
    });
  return { live, office, partner, list };
}

const HTML = { 'content-type': 'text/html' };

describe('what happens on the way from a live server', () => {
  it.each<[string, RequestHandler, string, RegExp]>([
    ['an empty 200', says(200, ''), 'error', /sent something invalid/],
    [
      'one 401 of its own',
      says(401, '{"error":{"message":"unauthorized"}}'),
      'error',
      /doesn’t accept us at the moment/,
    ],
    [
      'the 401 of a proxy',
      says(401, '<h1>401 Authorization Required</h1>', HTML),
      'offline',
      /Something else answers/,
    ],
    ['the 502 of a proxy', says(502, '<h1>502 Bad Gateway</h1>', HTML), 'offline', /answers with status 502/],
    ['the 404 of a proxy', says(404, '<h1>404 Not Found</h1>', HTML), 'offline', /Something else answers/],
    [
      'the 404 page of the server itself, with federation switched off',
      says(404, '<!doctype html><title>Page not found | Corteza</title><h1>404</h1>', HTML),
      'offline',
      /program answers, but federation is switched off or moved/,
    ],
    ['a 500 without a word', says(500, ''), 'offline', /answers with status 500/],
  ])(
    '%s in the middle of a pull: is told as what it is, and no row is missing afterwards',
    async (_, answer, state, reason) => {
      const { live, office, partner, list } = await setting();
      let pages = 0;
      live.trouble = (request, response, next) => {
        if (request.path.includes('/records/') && ++pages === 2) void answer(request, response, next);
        else next();
      };
      await expect(office.app('POST', `/federation/nodes/${partner}/sync`)).rejects.toThrow('502');
      const told = await office.app<{ state: string; reason: string; status: string }>(
        'GET',
        `/app/partners/${partner}`,
      );
      expect(told).toMatchObject({
        state,
        status: 'paired',
        reason: expect.stringMatching(reason) as string,
      });
      live.trouble = undefined;
      await office.app('POST', `/federation/nodes/${partner}/sync`);
      const rows = `/app/lists/${list}/rows?offset=0&limit=1`;
      expect((await office.app<{ total: number }>('GET', rows)).total).toBe(1250);
    },
  );

  it.each([
    ['an empty 200', says(200, '')],
    ['an empty object', says(200, '{}')],
    ['a success without a list', says(200, '{"success":{"message":"OK"}}')],
  ])('%s in place of the list of lists withdraws none of them', async (_, answer) => {
    const { live, office, partner, list } = await setting();
    live.trouble = (request, response, next) => {
      if (request.path.endsWith('/modules/exposed/')) void answer(request, response, next);
      else next();
    };
    await expect(office.app('POST', `/federation/nodes/${partner}/sync`)).rejects.toThrow('502');
    const offers = await office.app<{ state: string }[]>('GET', `/app/partners/${partner}/offers`);
    expect(offers.map(({ state }) => state)).toEqual(['matched']);
    live.trouble = undefined;
    await office.app('POST', `/federation/nodes/${partner}/sync`);
    expect((await rowsOf(office, list)).length).toBeGreaterThan(0);
  });
});
