import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListDetail } from '../../server/contract/app/lists.ts';
import type { Offer } from '../../server/contract/app/sharing.ts';
import { pairNodes, rowsOf, startNode, type NodeOffice, type Pair } from '../support/harness/node.ts';

/** A matched column is deleted, then its list is matched in another way, or no longer, and both are undone. */

const ARTICLES = ['Article', 'Price'];
const MATCHES = ARTICLES.map((name) => ({ origin: name, destination: name }));

let mueller: NodeOffice;
let leeds: NodeOffice;
let pair: Pair;
let stock: string;
let valve: string;
let offer: string;

beforeAll(async () => {
  [mueller, leeds] = await Promise.all([startNode('Müller & Söhne'), startNode('Leeds Trading')]);
  pair = await pairNodes(mueller, leeds);
  stock = await leeds.list('Stock', ARTICLES, [{ Article: 'Valve', Price: '8.20' }]);
  valve = (await rowsOf(leeds, stock))[0]?.recordID ?? '';
  await leeds.app('PUT', `/app/partners/${pair.atInvited}/shares/${stock}`, { fields: ARTICLES });
  await sync();
  offer = (await offers())[0]?.sharedModuleID ?? '';
});
afterAll(() => Promise.all([mueller.stop(), leeds.stop()]));

const sync = (): Promise<unknown> => mueller.app('POST', `/app/partners/${pair.atInviter}/sync`);
const offers = (): Promise<Offer[]> => mueller.app('GET', `/app/partners/${pair.atInviter}/offers`);
const matching = (): string => `/app/partners/${pair.atInviter}/offers/${offer}/matching`;
const matchOf =
  (destination?: string) =>
  (moduleID: string): Promise<unknown> =>
    mueller.app('PUT', matching(), {
      moduleID,
      matches: [...MATCHES.slice(0, 1), ...(destination ? [{ origin: 'Price', destination }] : [])],
    });
const end = (rows: string) => (): Promise<unknown> => mueller.app('DELETE', `${matching()}?rows=${rows}`);
const deletionOf =
  (...names: readonly string[]) =>
  async (list: string): Promise<unknown> => {
    const { fields } = await mueller.app<ListDetail>('GET', `/app/lists/${list}`);
    const kept = fields.filter(({ name }) => !names.includes(name));
    return mueller.app('PATCH', `/app/lists/${list}`, { fields: kept });
  };
const undo = (list: string): Promise<unknown> => mueller.app('POST', `/app/lists/${list}/undo`, {});
const redo = (list: string): Promise<unknown> => mueller.app('POST', `/app/lists/${list}/redo`, {});

const WAYS = [
  ['goes elsewhere', deletionOf('Price'), matchOf('Cost')],
  ['goes nowhere', deletionOf('Price'), matchOf()],
  ['ends and its rows stay', deletionOf('Price'), end('keep')],
  ['ends and its rows go to the bin', deletionOf('Price'), end('bin')],
  ['ends after all its columns', deletionOf('Article', 'Price'), end('keep')],
] as const;

describe.each(WAYS)('a match that %s once its column is deleted', (way, deleteColumns, matchOtherwise) => {
  it.each([true, false])('goes on as it was by undo of both; read after each: %s', async (isRead) => {
    const list = await mueller.list(`${way} ${String(isRead)}`, [...ARTICLES, 'Cost']);
    await matchOf('Price')(list);
    await sync();
    let price = 1;
    for (const turns of [
      [deleteColumns, matchOtherwise, undo, undo],
      [redo, redo, undo, undo],
    ]) {
      for (const turn of turns) {
        await turn(list);
        await leeds.app('PATCH', `/app/lists/${stock}/rows/${valve}`, {
          values: { Price: [String(++price)] },
        });
        if (isRead) await sync();
      }
      await sync();
      const rows = await rowsOf(mueller, list);
      expect(rows).toMatchObject([{ Article: 'Valve', Price: String(price) }]);
      expect(rows[0]).not.toHaveProperty('Cost');
      expect(await offers()).toMatchObject([{ moduleID: list, matches: MATCHES }]);
      expect((await offers())[0]?.matches.filter(({ parked }) => parked !== undefined)).toEqual([]);
    }
    await mueller.app('DELETE', `/app/lists/${list}`);
  });
});
