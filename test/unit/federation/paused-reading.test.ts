import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let token: string;
let moduleID: string;
beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  const pair = await pairOffices(a, b);
  idA = pair.idA;
  token = await b.federation.tokens.tokenFor(pair.idB);
  const towns = ['Narvik', 'Bodø', 'Ålesund'].map((Town) => ({ Town: [Town] }));
  const list = await a.list('Towns', [{ kind: 'String', name: 'Town' }], towns);
  const input = { composeModuleID: list.moduleID, fields: [{ name: 'Town' }], shape: 1 as const };
  ({ moduleID } = await a.federation.exposures.expose(idA, input, '1'));
});
afterAll(() => Promise.all([a.close(), b.close()]));

/** Every address of a feed, in every dialect. */
const FEEDS: readonly { name: string; method: string; path: () => string; body?: object }[] = [
  {
    name: 'shape 1: rows',
    method: 'GET',
    path: () => `/federation/nodes/${idA}/modules/${moduleID}/records`,
  },
  { name: 'shape 2: lists', method: 'GET', path: () => '/federation/exposed/modules' },
  { name: 'shape 2: a definition', method: 'GET', path: () => `/federation/exposed/modules/${moduleID}` },
  { name: 'shape 2: lists with rows', method: 'GET', path: () => '/federation/exposed/records' },
  { name: 'shape 2: rows', method: 'GET', path: () => `/federation/exposed/records/${moduleID}` },
  { name: 'live: definitions', method: 'GET', path: () => `/federation/nodes/${idA}/modules/exposed` },
  {
    name: 'live: lists with rows',
    method: 'GET',
    path: () => `/federation/nodes/${idA}/modules/exposed/records`,
  },
  { name: 'live: rows', method: 'GET', path: () => `/federation/nodes/${idA}/modules/${moduleID}/records/` },
  {
    name: 'Footbridge: changes',
    method: 'GET',
    path: () => `/federation/footbridge/modules/${moduleID}/changes`,
  },
  {
    name: 'Footbridge: rows',
    method: 'POST',
    path: () => `/federation/footbridge/modules/${moduleID}/rows`,
    body: { recordIDs: ['1'] },
  },
  {
    name: 'Footbridge: digest',
    method: 'POST',
    path: () => `/federation/footbridge/modules/${moduleID}/digest`,
    body: { fields: ['Town'], blocks: 1 },
  },
];

describe('a partner whose reading is paused', () => {
  it.each(FEEDS)(
    'gets nothing of $name, hears that it is a pause, and goes on after it',
    async ({ method, path, body }) => {
      const ask = async (): Promise<[number, string]> => {
        const { status, text } = await a.call(method, path(), { token, ...(body ? { body } : {}) });
        return [status, text];
      };
      expect((await ask())[0]).toBe(200);
      await a.federation.nodes.pause(idA, { serve: true });
      const [status, text] = await ask();
      expect(status).toBe(403);
      expect(text).toContain('node.paused');
      expect(text).not.toContain('Narvik');
      await a.federation.nodes.resume(idA);
      expect((await ask())[0]).toBe(200);
    },
  );
});

describe('a request that waits for a change of columns', () => {
  const READS = FEEDS.filter(({ name }) => /rows|changes|digest/.test(name) && !name.includes('lists with'));

  it.each(READS)(
    'by $name is refused when the reading was paused meanwhile',
    async ({ method, path, body }) => {
      const exposure = await a.federation.exposures.get(idA, moduleID);
      const { fields } = await a.lists.module(exposure.composeModuleID);
      let goOn = (): void => undefined;
      const changing = new Promise<void>((done) => (goOn = done));
      const system = await a.store.partition('system');
      const transaction = system.transaction.bind(system);
      let isChanging = false;
      system.transaction = async (write) => {
        if (!isChanging) {
          isChanging = true;
          await changing;
        }
        return transaction(write);
      };
      const other = fields.map((field) => ({ ...field, label: `${field.label}.` }));
      const change = a.lists.updateModule(exposure.composeModuleID, { fields: other });
      await expect.poll(() => isChanging).toBe(true);
      const get = a.federation.exposures.get.bind(a.federation.exposures);
      let hasCome = false;
      a.federation.exposures.get = async (...of) => {
        const found = await get(...of);
        hasCome = true;
        return found;
      };
      const asked = a.call(method, path(), { token, ...(body ? { body } : {}) });
      await expect.poll(() => hasCome).toBe(true);
      a.federation.exposures.get = get;
      await a.federation.nodes.pause(idA, { serve: true });
      goOn();
      await change;
      system.transaction = transaction;
      const { status, text } = await asked;
      await a.federation.nodes.resume(idA);
      expect([status, text]).toEqual([403, expect.stringContaining('node.paused')]);
      expect(text).not.toContain('Narvik');
    },
  );
});
