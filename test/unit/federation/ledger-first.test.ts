import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../../server/store/store.ts';
import {
  pairOffices,
  startHttpOffice,
  type HttpAnswer,
  type HttpOffice,
} from '../../support/harness/served-parts.ts';

/** Whatever is asked for, its line is in the ledger before a byte of it leaves. */

let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let token: string;
let moduleID: string;
let ids: string[];

const TOWNS = ['Zagreb', 'Aarhus', 'Łódź'];

beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  const pair = await pairOffices(a, b);
  idA = pair.idA;
  token = await b.federation.tokens.tokenFor(pair.idB);
  const rows = TOWNS.map((town) => ({ Town: [town] }));
  const list = await a.list('Towns', [{ kind: 'String', name: 'Town' }], rows);
  const input = { composeModuleID: list.moduleID, fields: [{ name: 'Town' }], shape: 1 as const };
  ({ moduleID } = await a.federation.exposures.expose(idA, input, '1'));
  ids = (await (await a.lists.rows(list.moduleID)).list({ limit: 9 })).rows.map(({ recordID }) => recordID);
});
afterAll(() => Promise.all([a.close(), b.close()]));
beforeEach(() => {
  a.ledger.write = () => Promise.resolve();
});

interface Question {
  readonly name: string;
  readonly path: () => string;
  readonly body?: () => object;
}
const between = (path: string): string => `/federation/footbridge/modules/${moduleID}/${path}`;
const digest = { fields: ['Town'], blocks: 1 };
const QUESTIONS: readonly Question[] = [
  { name: 'shape 1', path: () => `/federation/nodes/${idA}/modules/${moduleID}/records?lastSync=0` },
  { name: 'shape 2', path: () => `/federation/exposed/records/${moduleID}` },
  { name: 'the live dialect', path: () => `/federation/nodes/${idA}/modules/${moduleID}/records/` },
  { name: 'changes between Footbridges', path: () => between('changes?after=0&limit=9') },
  { name: 'named rows', path: () => between('rows'), body: () => ({ recordIDs: ids }) },
  { name: 'sums', path: () => between('digest'), body: () => digest },
  { name: 'fingerprints', path: () => between('digest'), body: () => ({ ...digest, block: 0 }) },
];

const ask = ({ path, body }: Question): Promise<HttpAnswer> =>
  a.call(body ? 'POST' : 'GET', path(), { token, ...(body ? { body: body() } : {}) });

describe.each(QUESTIONS)('what a partner asks for: $name', (question) => {
  it('is not served where its line cannot be written', async () => {
    a.ledger.write = () => Promise.reject(new StoreError('full', 'There is no room on the disk.'));
    const { status, text } = await ask(question);
    expect(status).toBe(507);
    for (const hidden of [...TOWNS, '"set"', '"blocks"']) expect(text).not.toContain(hidden);
    a.ledger.write = () => Promise.resolve();
    expect((await ask(question)).status).toBe(200);
  });

  it('leaves once its line is written, and not before', async () => {
    const order: string[] = [];
    a.ledger.write = async () => {
      order.push('begun');
      await new Promise((done) => setTimeout(done, 30));
      order.push('written');
    };
    expect((await ask(question)).status).toBe(200);
    order.push('served');
    expect(order).toEqual(['begun', 'written', 'served']);
  });
});
