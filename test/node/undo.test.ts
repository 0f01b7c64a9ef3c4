import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CellsAnswer,
  ColumnBin,
  GridPage,
  ListDetail,
  NextSteps,
  Undone,
} from '../../server/contract/app/lists.ts';
import type { FormerShare, Offer, Share, WaitingRows } from '../../server/contract/app/sharing.ts';
import { AppError } from '../support/harness/calls.ts';
import { runsOf, seedOf } from '../support/data/luck.ts';
import {
  pairNodes,
  receiveInto,
  rowsOf,
  shareAndReceive,
  startNode,
  type NodeOffice,
  type Pair,
} from '../support/harness/node.ts';

/** What a user did is undone: at their office, and at the partner that received it (docs/undo.md). */

const COLUMNS = ['Company', 'Phone', 'Town', 'Code'];
const CUSTOMERS = [
  { Company: 'Gärtnerei Lüdenscheid', Phone: '02351 4411', Town: 'Lüdenscheid', Code: '007' },
  { Company: 'Autohaus Krüger', Phone: '0221 777', Town: 'Köln', Code: '12' },
  { Company: 'Bäckerei Öztürk', Phone: '0201 33', Town: 'Essen', Code: '0450' },
];
const ARTICLES = ['Article', 'Price'];
const OURS = [{ Article: 'Ventil DN 15', Price: '12,50' }];
const THEIRS = [
  { Article: 'Valve 3/4"', Price: '8.20' },
  { Article: 'Pipe 15 mm', Price: '2.10' },
];

let mueller: NodeOffice;
let leeds: NodeOffice;
let pair: Pair;
/** Of Müller & Söhne: customers that Leeds receives, and articles that theirs are matched with. */
let customers: string;
let customersThere: string;
let articles: string;
let stockThere: string;
let offer: string;

beforeAll(async () => {
  [mueller, leeds] = await Promise.all([startNode('Müller & Söhne'), startNode('Leeds Trading')]);
  pair = await pairNodes(mueller, leeds);
  customers = await mueller.list('Kunden 2026', COLUMNS, CUSTOMERS);
  articles = await mueller.list('Artikel', [...ARTICLES, 'Cost'], OURS);
  const from = { office: mueller, partner: pair.atInviter, list: customers };
  customersThere = (await shareAndReceive(from, COLUMNS, { office: leeds, partner: pair.atInvited })).list;
  stockThere = await leeds.list('Stock', ARTICLES, THEIRS);
  await leeds.app('PUT', `/app/partners/${pair.atInvited}/shares/${stockThere}`, { fields: ARTICLES });
  await syncHere();
  const [offered] = await mueller.app<Offer[]>('GET', `/app/partners/${pair.atInviter}/offers`);
  offer = offered?.sharedModuleID ?? '';
});
afterAll(() => Promise.all([mueller.stop(), leeds.stop()]));

const undo = (list: string): Promise<Undone> => mueller.app('POST', `/app/lists/${list}/undo`, {});
const redo = (list: string): Promise<Undone> => mueller.app('POST', `/app/lists/${list}/redo`);
const steps = (list: string): Promise<NextSteps> => mueller.app('GET', `/app/lists/${list}/steps`);
const detail = (list: string): Promise<ListDetail> => mueller.app('GET', `/app/lists/${list}`);
const syncHere = (): Promise<unknown> => mueller.app('POST', `/app/partners/${pair.atInviter}/sync`);
const syncThere = (): Promise<unknown> => leeds.app('POST', `/app/partners/${pair.atInvited}/sync`);
const matching = (): string => `/app/partners/${pair.atInviter}/offers/${offer}/matching`;
const matches = ARTICLES.map((name) => ({ origin: name, destination: name }));

describe('undo of matching', () => {
  it('takes the rows away that it brought, and brings them back when it is done again', async () => {
    const before = await rowsOf(mueller, articles);
    const into = { office: mueller, partner: pair.atInviter, list: articles };
    await receiveInto(into, ARTICLES);
    await syncHere();
    const after = await rowsOf(mueller, articles);
    expect(after).toHaveLength(3);
    expect((await steps(articles)).undo).toMatchObject({ kind: 'match', offer: 'Stock' });

    expect(await undo(articles)).toMatchObject({ step: { kind: 'match' }, left: 0 });
    await syncHere();
    expect(await rowsOf(mueller, articles)).toEqual(before);
    const offers = await mueller.app<Offer[]>('GET', `/app/partners/${pair.atInviter}/offers`);
    expect(offers.map(({ state }) => state)).toEqual(['new']);

    await redo(articles);
    await syncHere();
    expect(await rowsOf(mueller, articles)).toEqual(after);
    // Matched again by hand, the rows return as well.
    await undo(articles);
    await mueller.app('PUT', matching(), { moduleID: articles, matches });
    await syncHere();
    expect(await rowsOf(mueller, articles)).toEqual(after);
  });

  it('matches again what was no longer received, unless it goes into another list since', async () => {
    const before = await rowsOf(mueller, articles);
    await mueller.app('DELETE', matching());
    const make = `/app/partners/${pair.atInviter}/offers/${offer}/list`;
    const { moduleID } = await mueller.app<{ moduleID: string }>('POST', make, { name: 'Bestand' });
    await expect(undo(articles)).rejects.toThrow('These rows go into “Bestand” now.');
    await mueller.app('DELETE', matching());
    await mueller.app('DELETE', `/app/lists/${moduleID}`);
    expect((await steps(articles)).undo).toMatchObject({ kind: 'unmatch', offer: 'Stock' });
    await undo(articles);
    await syncHere();
    expect(await rowsOf(mueller, articles)).toEqual(before);
    const offers = await mueller.app<Offer[]>('GET', `/app/partners/${pair.atInviter}/offers`);
    expect(offers).toMatchObject([
      { state: 'matched', matches: [{ origin: 'Article' }, { origin: 'Price' }] },
    ]);
    await undo(articles);
    await syncHere();
    expect(await rowsOf(mueller, articles)).toHaveLength(1);
  });

  it('leaves a row that the user changed since, and says so', async () => {
    await redo(articles);
    await syncHere();
    const { undo: matched } = await steps(articles);
    const valve = (await rowsOf(mueller, articles)).find(({ Article = '' }) => Article.startsWith('Valve'));
    await mueller.app('PATCH', `/app/lists/${articles}/rows/${valve?.recordID ?? ''}`, {
      values: { Price: ['9.00'] },
    });
    expect(
      await mueller.app('POST', `/app/lists/${articles}/undo`, { stepID: matched?.stepID }),
    ).toMatchObject({ done: 1, left: 1 });
    expect((await rowsOf(mueller, articles)).map(({ Price }) => Price)).toEqual(['12,50', '9.00']);
    // Once the change is undone too, the row goes with the matching, and both return.
    expect(await undo(articles)).toMatchObject({ step: { kind: 'edit' }, done: 1, left: 0 });
    expect((await rowsOf(mueller, articles)).map(({ Price }) => Price)).toEqual(['12,50']);
    for (const kind of ['edit', 'match']) expect(await redo(articles)).toMatchObject({ step: { kind } });
    await syncHere();
    expect((await rowsOf(mueller, articles)).map(({ Price }) => Price)).toEqual(['12,50', '9.00', '2.10']);
    for (const kind of ['edit', 'match']) expect(await undo(articles)).toMatchObject({ step: { kind } });
    expect((await rowsOf(mueller, articles)).map(({ Price }) => Price)).toEqual(['12,50']);
  });

  it('matches what is left once the partner removed a column', async () => {
    await mueller.app('PUT', matching(), { moduleID: articles, matches });
    await mueller.app('DELETE', matching());
    const shareThere = (fields: readonly string[]): Promise<unknown> =>
      leeds.app('PUT', `/app/partners/${pair.atInvited}/shares/${stockThere}`, { fields });
    await shareThere(['Article']);
    await syncHere();
    await undo(articles);
    const [offered] = await mueller.app<Offer[]>('GET', `/app/partners/${pair.atInviter}/offers`);
    expect(offered?.matches).toEqual([{ origin: 'Article', destination: 'Article' }]);
    await undo(articles);
    await shareThere(ARTICLES);
    await syncHere();
  });
});

describe('another matching of a list that is received already', () => {
  const match = async (pairs: Readonly<Record<string, string>>): Promise<void> => {
    await mueller.app('PUT', matching(), {
      moduleID: list,
      matches: Object.entries(pairs).map(([origin, destination]) => ({ origin, destination })),
    });
    await syncHere();
  };
  /** Returns the articles of the partner with the values of the columns. */
  const theirs = async (): Promise<unknown[]> =>
    (await rowsOf(mueller, list))
      .filter(({ Article }) => Article !== 'Ventil DN 15')
      .map(({ Article, Price = '', Cost = '' }) => [Article, Price, Cost]);
  const PRICES = [
    ['Valve 3/4"', '8.20', ''],
    ['Pipe 15 mm', '2.10', ''],
  ];
  const COSTS = [
    ['Valve 3/4"', '', '8.20'],
    ['Pipe 15 mm', '', '2.10'],
  ];
  let list = '';

  beforeAll(async () => {
    list = await mueller.list('Einkauf', [...ARTICLES, 'Cost'], OURS);
  });
  afterAll(() => mueller.app('DELETE', `/app/lists/${list}`));

  it('takes values along where a column goes elsewhere, and gives them back by undo, redo and undo', async () => {
    await match({ Article: 'Article', Price: 'Price' });
    expect(await theirs()).toEqual(PRICES);
    await match({ Article: 'Article', Price: 'Cost' });
    expect(await theirs()).toEqual(COSTS);
    for (const [turn, as] of [
      [undo, PRICES],
      [redo, COSTS],
      [undo, PRICES],
    ] as const) {
      expect(await turn(list)).toMatchObject({ left: 0 });
      expect(await theirs()).toEqual(as);
      await syncHere();
      expect(await theirs()).toEqual(as);
    }
  });

  it('keeps values of a column that is no longer received, and what the user entered beside it', async () => {
    await match({ Article: 'Article' });
    expect(await theirs()).toEqual(PRICES);
    const [valve] = (await rowsOf(mueller, list)).filter(({ Article = '' }) => Article.startsWith('Valve'));
    const cost = [...PRICES].map(([article, price], at) => [article, price, at === 0 ? '7' : '']);
    await mueller.app('PATCH', `/app/lists/${list}/rows/${valve?.recordID ?? ''}`, {
      values: { Cost: ['7'] },
    });
    await match({ Article: 'Article', Price: 'Cost' });
    expect(await theirs()).toEqual([
      ['Valve 3/4"', '8.20', '7'],
      ['Pipe 15 mm', '2.10', '2.10'],
    ]);
    await undo(list);
    await syncHere();
    expect(await theirs()).toEqual(cost);
    await undo(list);
    await undo(list);
    await syncHere();
    expect(await theirs()).toEqual(PRICES);
  });

  it('fills only its own columns after a wrong one was undone', async () => {
    await undo(list);
    await syncHere();
    expect(await theirs()).toEqual([]);
    await match({ Article: 'Article', Price: 'Cost' });
    await undo(list);
    await syncHere();
    for (const turn of [1, 2]) {
      await match({ Article: 'Article', Price: 'Price' });
      expect(await theirs(), `time ${String(turn)}`).toEqual(PRICES);
      await undo(list);
      await syncHere();
      expect(await rowsOf(mueller, list)).toHaveLength(1);
    }
  });

  it('takes its rows away also after it was redone, and its end with their removal was undone', async () => {
    await match({ Article: 'Article', Price: 'Price' });
    await undo(list);
    await redo(list);
    await mueller.app('DELETE', `${matching()}?rows=bin`);
    await undo(list);
    await syncHere();
    expect(await theirs()).toEqual(PRICES);
    expect(await undo(list)).toMatchObject({ left: 0 });
    await syncHere();
    expect(await rowsOf(mueller, list)).toHaveLength(1);
  });

  it('leaves nothing where it is undone and redone before the partner has sent the rows again', async () => {
    await match({ Article: 'Article', Price: 'Cost' });
    await undo(list);
    await syncHere();
    await mueller.app('POST', '/app/pause');
    await mueller.app('PUT', matching(), { moduleID: list, matches });
    await undo(list);
    await redo(list);
    await mueller.app('POST', '/app/resume');
    await syncHere();
    expect(await theirs()).toEqual(PRICES);
    await undo(list);
    await syncHere();
    expect(await rowsOf(mueller, list)).toHaveLength(1);
  });

  it('is read again where it is wrong and set right, or undone twice, before the partner was asked', async () => {
    const whilePaused = async (change: () => Promise<unknown>): Promise<void> => {
      await mueller.app('POST', '/app/pause');
      await change();
      await mueller.app('POST', '/app/resume');
      await syncHere();
    };
    const put = (destination: string): Promise<unknown> =>
      mueller.app('PUT', matching(), {
        moduleID: list,
        matches: [...matches.slice(0, 1), { origin: 'Price', destination }],
      });
    await match({ Article: 'Article', Price: 'Price' });
    await whilePaused(() => put('Cost').then(() => put('Price')));
    expect(await theirs()).toEqual(PRICES);
    await match({ Article: 'Article', Price: 'Cost' });
    const seal = { Article: 'Seal', Price: '0.40' };
    const { recordID } = await leeds.app<{ recordID: string }>('POST', `/app/lists/${stockThere}/rows`, {
      values: { Article: [seal.Article], Price: [seal.Price] },
    });
    await match({ Article: 'Article', Price: 'Price' });
    await whilePaused(() => undo(list).then(() => undo(list)));
    expect(await theirs()).toEqual([...PRICES, ['Seal', '0.40', '']]);
    await leeds.app('POST', `/app/lists/${stockThere}/rows/delete`, { recordIDs: [recordID] });
    await syncHere();
    await mueller.app('DELETE', `${matching()}?rows=bin`);
  });

  it('leaves nothing of its own where it and the end of the one before are undone', async () => {
    await match({ Article: 'Article', Price: 'Price' });
    await mueller.app('DELETE', `${matching()}?rows=bin`);
    await match({ Article: 'Article', Price: 'Cost' });
    for (const [turn, as] of [
      [undo, PRICES],
      [redo, COSTS],
      [undo, PRICES],
    ] as const) {
      await turn(list);
      await turn(list);
      await syncHere();
      expect(await theirs()).toEqual(as);
    }
    await mueller.app('DELETE', `${matching()}?rows=bin`);
  });
});

describe('undo of joined duplicates', () => {
  it('brings them back to the inbox, and redo takes them out of it', async () => {
    const list = await mueller.list('Lager', ARTICLES, THEIRS);
    const waiting = async (): Promise<unknown[]> =>
      (await mueller.node.overview()).inbox.filter(({ kind }) => kind === 'doubles').map(({ rows }) => rows);
    await mueller.app('PUT', matching(), { moduleID: list, matches });
    await syncHere();
    await expect.poll(waiting).toEqual([2]);
    await mueller.app('POST', `/app/lists/${list}/rows/join`, { twice: offer });
    expect(await waiting()).toEqual([]);
    await undo(list);
    expect(await waiting()).toEqual([2]);
    await redo(list);
    expect(await waiting()).toEqual([]);
    await mueller.app('DELETE', `/app/lists/${list}`);
  });
});

describe('the rows of a list that is no longer received', () => {
  const endAndRemove = (): Promise<{ rows: number }> => mueller.app('DELETE', `${matching()}?rows=bin`);

  it('go to the bin with those that the user changed, and return by undo, or once it is matched again', async () => {
    await mueller.app('PUT', matching(), { moduleID: articles, matches });
    await syncHere();
    const valve = (await rowsOf(mueller, articles)).find(({ Article = '' }) => Article.startsWith('Valve'));
    await mueller.app('PATCH', `/app/lists/${articles}/rows/${valve?.recordID ?? ''}`, {
      values: { Price: ['9.40'] },
    });
    const before = await rowsOf(mueller, articles);
    expect(before).toHaveLength(3);

    expect(await endAndRemove()).toEqual({ rows: 2 });
    await syncHere();
    expect((await rowsOf(mueller, articles)).map(({ Article }) => Article)).toEqual(['Ventil DN 15']);
    expect((await steps(articles)).undo).toMatchObject({ kind: 'unmatch', rows: 2 });
    expect(await undo(articles)).toMatchObject({ done: 2, left: 0 });
    await syncHere();
    expect(await rowsOf(mueller, articles)).toEqual(before);
    expect(await redo(articles)).toMatchObject({ done: 2, left: 0 });
    expect(await rowsOf(mueller, articles)).toHaveLength(1);

    await mueller.app('PUT', matching(), { moduleID: articles, matches });
    await syncHere();
    expect(await rowsOf(mueller, articles)).toEqual(before);
  });

  it('return by undo with values of a column that a matching since left out, as the partner shares it no more', async () => {
    const shareThere = (fields: readonly string[]): Promise<unknown> =>
      leeds.app('PUT', `/app/partners/${pair.atInvited}/shares/${stockThere}`, { fields });
    const before = await rowsOf(mueller, articles);
    await shareThere(['Article']);
    await syncHere();
    expect(await rowsOf(mueller, articles)).toEqual(before);
    await endAndRemove();
    await mueller.app('PUT', matching(), { moduleID: articles, matches: matches.slice(0, 1) });
    await syncHere();
    const after = await rowsOf(mueller, articles);
    expect(after.filter(({ Price }) => Price === undefined)).toHaveLength(1);
    for (const turn of [1, 2]) {
      // Also the row that the user changed before it went to the bin.
      expect(await undo(articles)).toMatchObject({ done: 2, left: 0 });
      expect(await rowsOf(mueller, articles)).toHaveLength(1);
      await undo(articles);
      await syncHere();
      expect(await rowsOf(mueller, articles), `time ${String(turn)}`).toEqual(before);
      await redo(articles);
      await redo(articles);
      await syncHere();
      expect(await rowsOf(mueller, articles), `time ${String(turn)}`).toEqual(after);
    }
    await undo(articles);
    await undo(articles);
    await shareThere(ARTICLES);
    await syncHere();
    await mueller.app('PUT', matching(), { moduleID: articles, matches });
    await syncHere();
  });

  it('stay where another list of the partner goes into the same one, as nobody could tell them apart', async () => {
    const before = await rowsOf(mueller, articles);
    const spare = await leeds.list('Spare parts', ARTICLES, [{ Article: 'Seal 3/4"', Price: '0.40' }]);
    await leeds.app('PUT', `/app/partners/${pair.atInvited}/shares/${spare}`, { fields: ARTICLES });
    await syncHere();
    const offers = await mueller.app<Offer[]>('GET', `/app/partners/${pair.atInviter}/offers`);
    const other = offers.find(({ name }) => name === 'Spare parts')?.sharedModuleID ?? '';
    const otherMatching = `/app/partners/${pair.atInviter}/offers/${other}/matching`;
    await mueller.app('PUT', otherMatching, { moduleID: articles, matches });
    await expect(endAndRemove()).rejects.toThrow(/Rows from another list of this partner/);
    await undo(articles);
    await leeds.app('DELETE', `/app/partners/${pair.atInvited}/shares/${spare}`);
    await syncHere();
    expect(await rowsOf(mueller, articles)).toEqual(before);
  });

  it('are not received again by undo once all matched columns are gone, and it says what to do', async () => {
    const shareThere = (fields: readonly string[]): Promise<unknown> =>
      leeds.app('PUT', `/app/partners/${pair.atInvited}/shares/${stockThere}`, { fields });
    await mueller.app('PUT', matching(), { moduleID: articles, matches: matches.slice(0, 1) });
    await mueller.app('DELETE', matching());
    await shareThere(['Price']);
    await syncHere();
    await expect(undo(articles)).rejects.toThrow(/None of the matched columns are there any more/);
    await shareThere(ARTICLES);
    await syncHere();
    await undo(articles);
    await undo(articles);
    await mueller.app('DELETE', matching());
    await syncHere();
  });
});

it('refuses a member that it does not know, rather than undo another step than the one meant', async () => {
  const list = await mueller.list('Lager', ['Article'], [{ Article: 'Ventil DN 15' }]);
  const { undo: step } = await steps(list);
  for (const [path, body] of [
    ['undo', { step: step?.stepID }],
    ['redo', { step: step?.stepID }],
    ['rows/delete', { recordIDs: [], steps: '1' }],
    ['cells', { columns: ['1'], rows: [null], cells: [['x']], undo: true }],
  ] as const)
    await expect(mueller.app('POST', `/app/lists/${list}/${path}`, body)).rejects.toMatchObject({
      status: 400,
    });
  expect(await rowsOf(mueller, list)).toHaveLength(1);
});

it('keeps a column that a window did not know of when it saved the others', async () => {
  const list = await mueller.list('Filialen', ['Town', 'Fax']);
  const { fields } = await detail(list);
  const note = { label: 'Note', kind: 'String', isMulti: false };
  await mueller.app('PATCH', `/app/lists/${list}`, { fields: [...fields, note] });
  const seen = fields.map(({ fieldID }) => fieldID);
  await mueller.app('PATCH', `/app/lists/${list}`, { fields: fields.slice(0, 1), seen });
  expect((await detail(list)).fields.map(({ label }) => label)).toEqual(['Town', 'Note']);
});

describe('the name of a list that another one has', () => {
  const rename = (list: string, name: string): Promise<unknown> =>
    mueller.app('PATCH', `/app/lists/${list}`, { name });

  it('is refused in a new list as in a rename, in any case', async () => {
    await mueller.list('Lieferanten', ['Company']);
    const list = await mueller.list('Suppliers', ['Company']);
    const refused = { status: 409, message: expect.stringContaining('“lieferanten”') as string };
    await expect(rename(list, 'lieferanten')).rejects.toMatchObject(refused);
    await expect(mueller.list('lieferanten', ['Company'])).rejects.toMatchObject(refused);
    expect(await detail(list)).toMatchObject({ name: 'Suppliers' });
    await rename(list, 'SUPPLIERS');
    expect(await detail(list)).toMatchObject({ name: 'SUPPLIERS' });
  });

  it('gets a number where undo gives it back', async () => {
    const list = await mueller.list('Preise', ['Article']);
    await rename(list, 'Preise 2025');
    await mueller.list('Preise', ['Article']);
    await undo(list);
    expect(await detail(list)).toMatchObject({ name: 'Preise (2)' });
    await redo(list);
    expect(await detail(list)).toMatchObject({ name: 'Preise 2025' });
  });

  it('stays where undo is of an earlier rename, and it says so', async () => {
    const list = await mueller.list('Rabatte', ['Article']);
    await rename(list, 'Rabatte 2025');
    const { undo: earlier } = await steps(list);
    await rename(list, 'Rabatte 2026');
    expect(await mueller.app('POST', `/app/lists/${list}/undo`, { stepID: earlier?.stepID })).toMatchObject({
      step: { kind: 'name' },
      left: 0,
      keepsName: true,
    });
    expect(await detail(list)).toMatchObject({ name: 'Rabatte 2026' });
    expect(await undo(list)).not.toHaveProperty('keepsName');
  });
});

it('of a matching goes on after its partner was disconnected: rows that were kept stay, those in the bin return', async () => {
  const offices = await Promise.all([startNode('Kassel'), startNode('York')]);
  const [here, there] = offices;
  const pairing = await pairNodes(here, there);
  const partner = pairing.atInviter;
  const lists: string[] = [];
  for (const name of ['Stock', 'Parts']) {
    const stock = await there.list(name, ARTICLES, THEIRS);
    await there.app('PUT', `/app/partners/${pairing.atInvited}/shares/${stock}`, { fields: ARTICLES });
    const list = await here.list(`Artikel ${name}`, ARTICLES, OURS);
    lists.push(list);
    const shared = await receiveInto({ office: here, partner, list }, ARTICLES);
    await here.app('POST', `/app/partners/${partner}/sync`);
    if (name === 'Parts')
      await here.app('DELETE', `/app/partners/${partner}/offers/${shared}/matching?rows=bin`);
  }
  await here.app('POST', `/app/partners/${partner}/disconnect`, { received: 'keep', askRemoval: false });

  const [kept = '', binned = ''] = lists;
  const undoIn = (list: string): Promise<Undone> => here.app('POST', `/app/lists/${list}/undo`, {});
  expect(await undoIn(kept)).toMatchObject({ step: { kind: 'match' }, done: 0, left: 2 });
  expect(await rowsOf(here, kept)).toHaveLength(3);
  // What was done before can be undone again.
  expect(await undoIn(kept)).toMatchObject({ step: { kind: 'add' } });
  expect(await undoIn(binned)).toMatchObject({ step: { kind: 'unmatch' }, done: 2, left: 0 });
  expect(await rowsOf(here, binned)).toHaveLength(3);
  await Promise.all(offices.map((office) => office.stop()));
});

it('does not empty rows that were kept when their partner was disconnected, and that it brings again', async () => {
  const offices = await Promise.all([startNode('Bremen'), startNode('Hull')]);
  const [here, there] = offices;
  const stock = await there.list('Stock', ARTICLES, THEIRS);
  const columns = { fields: ARTICLES };
  const first = await pairNodes(here, there);
  const from = { office: there, partner: first.atInvited, list: stock };
  const { list } = await shareAndReceive(from, ARTICLES, { office: here, partner: first.atInviter });
  const before = await rowsOf(here, list);
  await here.app('POST', `/app/partners/${first.atInviter}/disconnect`, {
    received: 'keep',
    askRemoval: false,
  });

  const second = await pairNodes(here, there);
  await there.app('PUT', `/app/partners/${second.atInvited}/shares/${stock}`, columns);
  await receiveInto({ office: here, partner: second.atInviter, list }, ARTICLES);
  const sync = (): Promise<unknown> => here.app('POST', `/app/partners/${second.atInviter}/sync`);
  await sync();
  const [valve] = await rowsOf(there, stock);
  await there.app('PATCH', `/app/lists/${stock}/rows/${valve?.recordID ?? ''}`, {
    values: { Price: ['9.90'] },
  });
  await sync();
  expect((await rowsOf(here, list)).map(({ Price }) => Price)).toEqual(['9.90', '2.10']);
  // Done again, values that undo gave back count as the user's own: nothing replaces them.
  for (const turn of ['undo', 'redo', 'undo']) {
    await here.app('POST', `/app/lists/${list}/${turn}`, {});
    await sync();
    expect(await rowsOf(here, list), turn).toEqual(before);
  }
  await Promise.all(offices.map((office) => office.stop()));
});

/** What a user may do; numbers stand for rows and columns, so that a smaller case stays the same. */
const act = fc.oneof(
  fc.record({ what: fc.constant('edit' as const), row: fc.nat(9), text: fc.constantFrom('0231 9', '0', '') }),
  fc.record({ what: fc.constant('paste' as const), row: fc.nat(9), text: fc.constantFrom('Bonn', 'Ulm') }),
  fc.record({
    what: fc.constant('import' as const),
    name: fc.constantFrom('Autohaus Krüger', 'Haus Rheinblick'),
  }),
  fc.record({ what: fc.constant('delete rows' as const), row: fc.nat(9) }),
  fc.record({ what: fc.constant('delete column' as const), column: fc.nat(9) }),
  fc.record({ what: fc.constant('add column' as const) }),
  fc.record({
    what: fc.constant('change column' as const),
    column: fc.nat(9),
    kind: fc.constantFrom('String', 'Select', 'Number'),
  }),
  fc.record({ what: fc.constant('change many' as const), column: fc.nat(9), text: fc.constantFrom('8', '') }),
  fc.record({ what: fc.constant('restore row' as const), row: fc.nat(9) }),
  fc.record({ what: fc.constant('restore column' as const) }),
  fc.record({ what: fc.constant('undo and redo' as const), times: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ what: fc.constant('delete list' as const) }),
  fc.record({ what: fc.constant('match' as const), price: fc.constantFrom('Price', 'Cost', undefined) }),
  fc.record({ what: fc.constant('unmatch' as const), rows: fc.constantFrom('keep', 'bin') }),
  fc.record({ what: fc.constant('share' as const), columns: fc.nat(14) }),
  fc.record({ what: fc.constant('stop sharing' as const) }),
  fc.record({ what: fc.constant('sync' as const) }),
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;
type WayBack = () => Promise<unknown>;

/** Returns whether the call was carried out; a value that doesn't fit its column refuses it. */
async function isDone(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 422) return false;
    throw error;
  }
}

const shares = (): string => `/app/partners/${pair.atInviter}/shares/${customers}`;

/** Shares what was shared of the customers until it was deleted or stopped, as the window offers it. */
async function shareAgain(): Promise<void> {
  const all = await mueller.app<FormerShare[]>('GET', `/app/partners/${pair.atInviter}/former-shares`);
  const former = all.find(({ moduleID }) => moduleID === customers);
  if (former && former.fieldIDs.length > 0) await mueller.app('PUT', shares(), { fields: former.fieldIDs });
}

/** Returns the ids of the columns that are shared of the customers; undefined while none is. */
async function sharedNow(): Promise<readonly string[] | undefined> {
  const open = await mueller.app<Share[]>('GET', `/app/partners/${pair.atInviter}/shares`);
  return open.find(({ moduleID }) => moduleID === customers)?.fieldIDs;
}

/** Syncs both, and lets changes happen at the partner that wait for a yes as they are many in one day. */
async function settle(): Promise<void> {
  await Promise.all([syncHere(), syncThere()]);
  const path = `/app/partners/${pair.atInvited}/offers`;
  for (const { sharedModuleID, brake } of await leeds.app<Offer[]>('GET', path)) {
    if (!brake) continue;
    const { mark } = await leeds.app<WaitingRows>('GET', `${path}/${sharedModuleID}/waiting`);
    await leeds.app('POST', `${path}/${sharedModuleID}/brake`, { go: true, mark });
    await syncThere();
  }
}

/** The ways back of what is done, the last one last. Nothing where it cannot be done now. */
async function carryOut(one: Act): Promise<WayBack[]> {
  const path = `/app/lists/${customers}`;
  const rows = await rowsOf(mueller, customers);
  const { fields } = await detail(customers);
  const row = rows['row' in one ? one.row % Math.max(rows.length, 1) : 0];
  const at = 'column' in one ? one.column % fields.length : 0;
  const step = (list: string): WayBack[] => [() => undo(list)];
  /** Puts cells into a column of these rows, as a paste or a change of many rows does. */
  async function put(
    field: (typeof fields)[number] | undefined,
    recordIDs: readonly (string | null)[],
    cells: readonly string[][],
  ): Promise<WayBack[]> {
    const { created, updated } = await mueller.app<CellsAnswer>('POST', `${path}/cells`, {
      columns: [field?.fieldID],
      rows: recordIDs,
      cells,
    });
    return created + updated > 0 ? step(customers) : [];
  }
  switch (one.what) {
    case 'edit': {
      const name = fields.at(-1)?.name ?? '';
      if (!row || row[name] === one.text || (one.text === '' && row[name] === undefined)) return [];
      const values = { [name]: one.text === '' ? [] : [one.text] };
      const call = mueller.app('PATCH', `${path}/rows/${row.recordID ?? ''}`, { values });
      return (await isDone(call)) ? step(customers) : [];
    }
    case 'paste': {
      const cells = [[one.text], [`${one.text} Nord`]];
      return put(fields[0], [row?.recordID ?? null, null], cells);
    }
    case 'change many': {
      const all = rows.map(({ recordID }) => recordID ?? null);
      return all.length === 0 ? [] : put(fields[at], all, Array(all.length).fill([one.text]));
    }
    case 'import': {
      const file = `${fields[0]?.name ?? ''}\n${one.name}\nKiosk ${String(rows.length)}\n`;
      const { created } = await mueller.app<{ created: number }>(
        'POST',
        `/app/import?moduleID=${customers}&file=kunden.csv`,
        file,
      );
      return created > 0 ? step(customers) : [];
    }
    case 'delete rows':
      if (!row) return [];
      await mueller.app('POST', `${path}/rows/delete`, { recordIDs: [row.recordID] });
      return step(customers);
    case 'restore row': {
      const bin = (await mueller.app<GridPage>('GET', `${path}/rows?bin=1`)).rows;
      const gone = bin[one.row % Math.max(bin.length, 1)];
      if (!gone) return [];
      await mueller.app('POST', `${path}/rows/restore`, { recordIDs: [gone.recordID] });
      return step(customers);
    }
    case 'delete column':
      if (fields.length < 2) return [];
      await mueller.app('PATCH', path, { fields: fields.toSpliced(at, 1) });
      return step(customers);
    case 'restore column': {
      const [gone] = (await mueller.app<ColumnBin>('GET', `${path}/bin`)).columns;
      if (!gone) return [];
      await mueller.app('POST', `${path}/bin/${gone.fieldID}/restore`, {});
      return step(customers);
    }
    case 'add column':
      await mueller.app('PATCH', path, {
        fields: [...fields, { label: 'Note', kind: 'String', isMulti: false }],
      });
      return step(customers);
    case 'change column': {
      const changed = { ...fields[at], label: `${fields[at]?.label ?? ''}*`, kind: one.kind };
      const call = mueller.app('PATCH', path, {
        fields: fields.with(at, changed as (typeof fields)[number]),
      });
      return (await isDone(call)) ? step(customers) : [];
    }
    case 'undo and redo':
      for (const list of [customers, articles]) {
        let undone = 0;
        while (undone < one.times && (await steps(list)).undo && (await isDone(undo(list)))) undone++;
        for (; undone > 0; undone--) await redo(list);
      }
      return [];
    case 'delete list':
      await mueller.app('DELETE', path);
      return [
        async () => {
          await mueller.app('POST', `/app/bin/${customers}/restore`, {});
          await shareAgain();
        },
      ];
    case 'match':
      await mueller.app('PUT', matching(), {
        moduleID: articles,
        matches: [
          { origin: 'Article', destination: 'Article' },
          ...(one.price === undefined ? [] : [{ origin: 'Price', destination: one.price }]),
        ],
      });
      return step(articles);
    case 'unmatch':
      if ((await steps(articles)).undo?.kind !== 'match') return [];
      await mueller.app('DELETE', `${matching()}?rows=${one.rows}`);
      return step(articles);
    case 'share': {
      const before = await sharedNow();
      const chosen = fields.filter((_, place) => ((one.columns + 1) >> (place % 4)) & 1);
      if (chosen.length === 0) return [];
      await mueller.app('PUT', shares(), { fields: chosen.map(({ fieldID }) => fieldID) });
      if (!before) return [() => mueller.app('DELETE', shares())];
      return [() => mueller.app('PUT', shares(), { fields: before })];
    }
    case 'stop sharing':
      if (!(await sharedNow())) return [];
      await mueller.app('DELETE', shares());
      return [shareAgain];
    case 'sync':
      await settle();
      return [];
  }
}

it('all that a user does in any order can be taken back, here and at the partner', async () => {
  const content = async (): Promise<unknown> => ({
    customers: await rowsOf(mueller, customers),
    articles: await rowsOf(mueller, articles),
    fields: (await detail(customers)).fields,
    there: (await rowsOf(leeds, customersThere)).sort((one, other) =>
      (one.Company ?? '').localeCompare(other.Company ?? ''),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 10 }), async (acts) => {
      await settle();
      const before = await content();
      const shared = (await detail(customers)).fields.map(({ fieldID }) => fieldID);
      const waysBack: WayBack[] = [];
      for (const one of acts) {
        waysBack.push(...(await carryOut(one)));
        // A list in the bin cannot be worked in.
        if (one.what === 'delete list') await syncThere().then(waysBack.pop());
      }
      for (const back of waysBack.toReversed()) await back();
      // A column that comes back is shared again once the user has looked at the share.
      await mueller.app('PUT', shares(), { fields: shared });
      await settle();
      expect(await content()).toEqual(before);
    }),
    { numRuns: runsOf(20, 4), seed: seedOf(40) },
  );
});
