import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  ColumnBin,
  GridPage,
  ListBin,
  ListDetail,
  ListSummary,
  NextSteps,
  RestoredAnswer,
} from '../../server/contract/app/lists.ts';
import type { FormerShare, Offer, Share, SharePreview } from '../../server/contract/app/sharing.ts';
import {
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
  type NodeOffice,
  type Pair,
} from '../support/harness/node.ts';

/** Deleted lists and columns of two offices: what partners see of it, and what comes back. */

const COLUMNS = ['Company', 'Phone', 'Town'];
const CUSTOMERS = [
  { Company: 'Gärtnerei Lüdenscheid', Phone: '02351 4411', Town: 'Lüdenscheid' },
  { Company: 'Autohaus Krüger', Phone: '0221 777', Town: 'Köln' },
];

let mueller: NodeOffice;
let leeds: NodeOffice;
let pair: Pair;
let ours: string;
let theirs: string;

beforeAll(async () => {
  [mueller, leeds] = await Promise.all([startNode('Müller & Söhne'), startNode('Leeds Trading')]);
  pair = await pairNodes(mueller, leeds);
  ours = await mueller.list('Kunden 2026', COLUMNS, CUSTOMERS);
  const from = { office: mueller, partner: pair.atInviter, list: ours };
  theirs = (await shareAndReceive(from, COLUMNS, { office: leeds, partner: pair.atInvited })).list;
});
afterAll(() => Promise.all([mueller.stop(), leeds.stop()]));

const sync = (): Promise<unknown> => leeds.app('POST', `/app/partners/${pair.atInvited}/sync`);
const rowsAt = async (office: NodeOffice, list: string): Promise<GridPage['rows']> =>
  (await office.app<GridPage>('GET', `/app/lists/${list}/rows?sort=Company`)).rows;
const shares = (): Promise<Share[]> => mueller.app('GET', `/app/partners/${pair.atInviter}/shares`);
const share = (fields: readonly string[]): Promise<Share> =>
  mueller.app('PUT', `/app/partners/${pair.atInviter}/shares/${ours}`, { fields });
const offers = (): Promise<Offer[]> => leeds.app('GET', `/app/partners/${pair.atInvited}/offers`);

describe('a list that a partner has', () => {
  it('is taken back from it when it is deleted, and is the same share once it is restored and shared again', async () => {
    const [before] = await shares();
    const had = await rowsAt(leeds, theirs);
    await mueller.app('DELETE', `/app/lists/${ours}`);
    await sync();
    expect((await offers()).map(({ state }) => state)).toEqual(['withdrawn']);
    const { lists, keepDays } = await mueller.app<ListBin>('GET', '/app/bin');
    expect(lists).toMatchObject([{ moduleID: ours, name: 'Kunden 2026', rows: 2, columns: 3 }]);
    expect(keepDays).toBe(90);

    const back = await mueller.app<RestoredAnswer>('POST', `/app/bin/${ours}/restore`, {});
    expect(back).toMatchObject({ name: 'Kunden 2026', sharedBefore: [{ nodeID: pair.atInviter }] });
    // Not before our user has looked at it.
    expect(await shares()).toEqual([]);
    const [former] = await mueller.app<FormerShare[]>('GET', `/app/partners/${pair.atInviter}/former-shares`);
    expect(former).toMatchObject({ moduleID: ours, fieldIDs: before?.fieldIDs });
    expect(await share(former?.fieldIDs ?? [])).toMatchObject({ exposureID: before?.exposureID });
    await sync();
    expect((await offers()).map(({ state }) => state)).toEqual(['matched']);
    const again = await rowsAt(leeds, theirs);
    expect(again.map(({ recordID, values }) => ({ recordID, values }))).toEqual(
      had.map(({ recordID, values }) => ({ recordID, values })),
    );
  });
});

describe('a list that comes from a partner', () => {
  it('is matched again when it is restored, and takes in what changed meanwhile without doubling a row', async () => {
    const had = await rowsAt(leeds, theirs);
    await leeds.app('DELETE', `/app/lists/${theirs}`);
    const [, krueger] = await rowsAt(mueller, ours);
    const first = (await rowsAt(mueller, ours))[0];
    expect(krueger).toBeDefined();
    await mueller.app('PATCH', `/app/lists/${ours}/rows/${first?.recordID ?? ''}`, {
      values: { Phone: ['0221 778'] },
    });
    await sync();
    expect((await offers()).map(({ state }) => state)).toEqual(['new']);
    await leeds.app('POST', `/app/bin/${theirs}/restore`, {});
    expect((await offers()).map(({ state }) => state)).toEqual(['matched']);
    await sync();
    const now = await rowsAt(leeds, theirs);
    expect(now.map(({ recordID }) => recordID)).toEqual(had.map(({ recordID }) => recordID));
    expect(now[0]?.values).toMatchObject({ Company: ['Autohaus Krüger'], Phone: ['0221 778'] });
  });

  it('receives no more once its offer goes into another list, says so, and can be chosen again', async () => {
    const path = `/app/partners/${pair.atInvited}/offers`;
    const phones = async (list: string): Promise<unknown[]> =>
      (await rowsAt(leeds, list)).map(({ values }) => values.Phone?.[0]);
    const had = await phones(theirs);
    await leeds.app('DELETE', `/app/lists/${theirs}`);
    const [{ sharedModuleID } = { sharedModuleID: '' }] = await offers();
    const { moduleID: other } = await leeds.app<ListDetail>('POST', `${path}/${sharedModuleID}/list`, {
      name: 'Kunden neu',
    });
    await sync();
    expect(await leeds.app<RestoredAnswer>('POST', `/app/bin/${theirs}/restore`, {})).toMatchObject({
      receivedElsewhere: [{ nodeID: pair.atInvited, listName: 'Kunden neu' }],
    });
    const [row] = await rowsAt(mueller, ours);
    await mueller.app('PATCH', `/app/lists/${ours}/rows/${row?.recordID ?? ''}`, {
      values: { Phone: ['0221 90'] },
    });
    await sync();
    expect(await offers()).toMatchObject([{ state: 'matched', moduleID: other }]);
    expect(await phones(other)).toContain('0221 90');
    expect(await phones(theirs)).toEqual(had);

    await leeds.app('DELETE', `/app/lists/${other}`);
    const matches = COLUMNS.map((name) => ({ origin: name, destination: name }));
    await leeds.app('PUT', `${path}/${sharedModuleID}/matching`, { moduleID: theirs, matches });
    await sync();
    expect(await offers()).toMatchObject([{ state: 'matched', moduleID: theirs, rows: 2 }]);
    expect(await phones(theirs)).toContain('0221 90');
    // The other one comes back in the same way.
    expect(await leeds.app<RestoredAnswer>('POST', `/app/bin/${other}/restore`, {})).toMatchObject({
      receivedElsewhere: [{ nodeID: pair.atInvited }],
    });
    expect(await rowsAt(leeds, theirs)).toHaveLength(2);
    await mueller.app('PATCH', `/app/lists/${ours}/rows/${row?.recordID ?? ''}`, { values: row?.values });
    await sync();
  });

  it('is the only one that receives, where both lists of an offer were in the bin', async () => {
    const path = `/app/partners/${pair.atInvited}/offers`;
    const [{ sharedModuleID } = { sharedModuleID: '' }] = await offers();
    const make = async (name: string): Promise<string> =>
      (await leeds.app<ListDetail>('POST', `${path}/${sharedModuleID}/list`, { name })).moduleID;
    const restore = (list: string): Promise<RestoredAnswer> =>
      leeds.app('POST', `/app/bin/${list}/restore`, {});
    await leeds.app('DELETE', `/app/lists/${theirs}`);
    const other = await make('Kunden Köln');
    await sync();
    await leeds.app('DELETE', `/app/lists/${other}`);
    expect(await restore(theirs)).toMatchObject({ receivedElsewhere: [] });
    const { name } = await leeds.app<ListDetail>('GET', `/app/lists/${theirs}`);
    expect(await restore(other)).toMatchObject({
      receivedElsewhere: [{ nodeID: pair.atInvited, listName: name }],
    });
    const had = await rowsAt(leeds, other);
    const [row] = await rowsAt(mueller, ours);
    await mueller.app('PATCH', `/app/lists/${ours}/rows/${row?.recordID ?? ''}`, {
      values: { Phone: ['0221 91'] },
    });
    await sync();
    expect((await rowsAt(leeds, theirs)).map(({ values }) => values.Phone?.[0])).toContain('0221 91');
    expect(await rowsAt(leeds, other)).toEqual(had);
    await mueller.app('PATCH', `/app/lists/${ours}/rows/${row?.recordID ?? ''}`, { values: row?.values });
    await sync();
  });
});

describe('a column that a partner has', () => {
  it('leaves the share when it is deleted, and is offered for it again once it is restored', async () => {
    const list = await mueller.app<ListDetail>('GET', `/app/lists/${ours}`);
    const phone = list.fields.find(({ name }) => name === 'Phone')?.fieldID ?? '';
    await mueller.app('PATCH', `/app/lists/${ours}`, {
      fields: list.fields.filter(({ fieldID }) => fieldID !== phone),
    });
    expect((await shares())[0]?.fields.map(({ name }) => name)).toEqual(['Company', 'Town']);
    const { columns } = await mueller.app<ColumnBin>('GET', `/app/lists/${ours}/bin`);
    expect(columns).toMatchObject([{ fieldID: phone, label: 'Phone', values: 2 }]);

    const back = await mueller.app<RestoredAnswer>('POST', `/app/lists/${ours}/bin/${phone}/restore`, {});
    expect(back).toMatchObject({ name: 'Phone', sharedBefore: [{ nodeID: pair.atInviter }] });
    const [open] = await shares();
    expect(open).toMatchObject({ formerFieldIDs: [phone] });
    expect(open?.fieldIDs).not.toContain(phone);
    await share(list.fields.map(({ fieldID }) => fieldID));
    expect((await shares())[0]).toMatchObject({ formerFieldIDs: [] });
    await sync();
    expect((await rowsAt(leeds, theirs)).map(({ values }) => values.Phone)).toEqual([
      ['0221 778'],
      ['02351 4411'],
    ]);
  });
});

describe('a column that a partner gets in the place of references', () => {
  it('is shown as seen by it, and leaves no more once it was deleted, alone or with its list, until it is chosen again', async () => {
    const people = await mueller.list('Vertreter', ['Name', 'Code'], [{ Name: 'Ulla Groß', Code: 'UG-7' }]);
    const { fields } = await mueller.app<ListDetail>('GET', `/app/lists/${people}`);
    const [name, code] = fields.map(({ fieldID }) => fieldID);
    const [person] = await rowsOf(mueller, people);
    const { moduleID: orders, fields: columns } = await mueller.app<ListDetail>('POST', '/app/lists', {
      name: 'Aufträge',
      fields: [{ label: 'Wer', name: 'Wer', kind: 'Record', isMulti: false, options: { moduleID: people } }],
    });
    await mueller.app('POST', `/app/lists/${orders}/rows`, { values: { Wer: [person?.recordID] } });
    const who = columns[0]?.fieldID ?? '';
    const path = `/app/partners/${pair.atInviter}/shares/${orders}`;
    const choose = (): Promise<Share> =>
      mueller.app('PUT', path, { fields: [who], titles: { [who]: code ?? '' } });
    await choose();
    const from = { office: mueller, partner: pair.atInviter, list: orders };
    const received = await shareAndReceive(from, [who], { office: leeds, partner: pair.atInvited });
    const seen = async (): Promise<unknown> => {
      await sync();
      return (await rowsOf(leeds, received.list))[0]?.Wer;
    };
    expect(await seen()).toBe('UG-7');
    const summaries = await mueller.app<ListSummary[]>('GET', '/app/lists');
    expect(summaries.find(({ moduleID }) => moduleID === people)).toMatchObject({
      sharedWith: [],
      titlesFor: [{ nodeID: pair.atInviter, sees: [code] }],
    });

    const shownIn = { moduleID: orders, listName: 'Aufträge' };
    const told = { sharedBefore: [{ nodeID: pair.atInviter, shownIn }] };
    const remove = (): Promise<unknown> =>
      mueller.app('PATCH', `/app/lists/${people}`, {
        fields: fields.filter(({ fieldID }) => fieldID === name),
      });
    const ways: readonly (readonly [gone: () => Promise<unknown>, back: () => Promise<unknown>])[] = [
      [remove, () => mueller.app('POST', `/app/lists/${people}/bin/${code}/restore`, {})],
      [remove, () => mueller.app('POST', `/app/lists/${people}/undo`, {})],
      [
        () => mueller.app('DELETE', `/app/lists/${people}`),
        () => mueller.app('POST', `/app/bin/${people}/restore`, {}),
      ],
    ];
    for (const [gone, back] of ways) {
      await gone();
      expect(await seen()).toBeUndefined();
      expect(await back()).toMatchObject(told);
      expect(await seen()).toBeUndefined();
      expect((await shares()).find(({ moduleID }) => moduleID === orders)?.titles).toMatchObject([
        { fieldID: who, missing: true },
      ]);
      await choose();
      await expect.poll(seen, { timeout: 10_000 }).toBe('UG-7');
    }
  });
});

describe('what stands for references', () => {
  interface Orders {
    readonly people: ListDetail;
    readonly orders: string;
    readonly who: string;
    readonly what: string;
    readonly path: string;
  }

  let made = 0;
  /** A list whose first column refers to rows of another one, of the columns Name and Code. */
  async function ordersOfPeople(): Promise<Orders> {
    made++;
    const peopleID = await mueller.list(
      `Leute ${String(made)}`,
      ['Name', 'Code'],
      [{ Name: 'Ulla Groß', Code: 'UG-7' }],
    );
    const { moduleID: orders, fields } = await mueller.app<ListDetail>('POST', '/app/lists', {
      name: `Bestellungen ${String(made)}`,
      fields: [
        { label: 'Wer', name: 'Wer', kind: 'Record', isMulti: false, options: { moduleID: peopleID } },
        { label: 'Was', name: 'Was', kind: 'String', isMulti: false },
      ],
    });
    const [who = '', what = ''] = fields.map(({ fieldID }) => fieldID);
    const people = await mueller.app<ListDetail>('GET', `/app/lists/${peopleID}`);
    return { people, orders, who, what, path: `/app/partners/${pair.atInviter}/shares/${orders}` };
  }
  const remove = async (list: string, column: string): Promise<unknown> => {
    const { fields } = await mueller.app<ListDetail>('GET', `/app/lists/${list}`);
    return mueller.app('PATCH', `/app/lists/${list}`, {
      fields: fields.filter(({ fieldID }) => fieldID !== column),
    });
  };
  const undo = (list: string): Promise<RestoredAnswer> => mueller.app('POST', `/app/lists/${list}/undo`, {});

  it.each([
    ['was stopped', ({ path }: Orders) => mueller.app('DELETE', path)],
    [
      'ended with its list, which came back',
      async ({ orders }: Orders) => {
        await mueller.app('DELETE', `/app/lists/${orders}`);
        await mueller.app('POST', `/app/bin/${orders}/restore`, {});
      },
    ],
    [
      'lost the column, which came back',
      async ({ orders, who }: Orders) => {
        await remove(orders, who);
        await undo(orders);
      },
    ],
  ])('is as it was chosen where the share %s, once it is shared again', async (_, end) => {
    const it = await ordersOfPeople();
    const { people, who, what, path } = it;
    const [, code] = people.fields;
    for (const title of ['', code?.fieldID ?? '']) {
      await mueller.app('PUT', path, { fields: [who, what], titles: { [who]: title } });
      await end(it);
      const shownBy = title === '' ? undefined : { fieldID: title, label: 'Code' };
      const preview = await mueller.app<SharePreview>('GET', `${path}/preview?fields=${who},${what}`);
      expect(preview.titles[0]?.shownBy).toEqual(shownBy);
      const again = await mueller.app<Share>('PUT', path, { fields: [who, what] });
      expect(again.titles[0]?.shownBy).toEqual(shownBy);
    }
    // Nor does one that was deleted leave by another.
    await remove(people.moduleID, code?.fieldID ?? '');
    await end(it);
    const preview = await mueller.app<SharePreview>('GET', `${path}/preview?fields=${who}`);
    expect(preview.titles).toMatchObject([{ missing: true }]);
    const again = await mueller.app<Share>('PUT', path, { fields: [who] });
    expect(again.titles).toMatchObject([{ missing: true }]);
    await mueller.app('DELETE', path);
  });

  it('is not offered as a column of its own list, of which it never was one for the partner', async () => {
    const staff = await mueller.list('Personal', ['Name', 'Gehalt'], [{ Name: 'Ulla', Gehalt: '4.000' }]);
    const before = await mueller.app<ListDetail>('GET', `/app/lists/${staff}`);
    const chief = {
      ...{ label: 'Chef', name: 'Chef', kind: 'Record', isMulti: false },
      options: { moduleID: staff },
    };
    const { fields } = await mueller.app<ListDetail>('PATCH', `/app/lists/${staff}`, {
      fields: [...before.fields, chief],
    });
    const [, salary = '', boss = ''] = fields.map(({ fieldID }) => fieldID);
    const path = `/app/partners/${pair.atInviter}/shares/${staff}`;
    await mueller.app('PUT', path, { fields: [boss], titles: { [boss]: salary } });
    await remove(staff, salary);
    const { sharedBefore } = await undo(staff);
    expect(sharedBefore).toMatchObject([{ shownIn: { moduleID: staff, listName: 'Personal' } }]);
    const share = (await shares()).find(({ moduleID }) => moduleID === staff);
    expect(share).toMatchObject({ fieldIDs: [boss], formerFieldIDs: [] });
    await mueller.app('DELETE', path);
  });

  it('is said to be seen only where the column still refers to that list', async () => {
    const { people, orders, who, path } = await ordersOfPeople();
    const [name] = people.fields;
    await mueller.app('PUT', path, { fields: [who], titles: { [who]: name?.fieldID ?? '' } });
    const { fields } = await mueller.app<ListDetail>('GET', `/app/lists/${orders}`);
    const others = await mueller.list('Andere', ['Name']);
    const seen = async (): Promise<unknown> => {
      const all = await mueller.app<ListSummary[]>('GET', '/app/lists');
      return all.find(({ moduleID }) => moduleID === people.moduleID)?.titlesFor.map(({ sees }) => sees);
    };
    expect(await seen()).toEqual([[name?.fieldID]]);
    const changed = fields.map((field) =>
      field.fieldID === who ? { ...field, options: { moduleID: others } } : field,
    );
    await mueller.app('PATCH', `/app/lists/${orders}`, { fields: changed });
    expect(await seen()).toEqual([]);
    await mueller.app('DELETE', path);
  });
});

it('names the partner whose share ended with its only column, once that is back', async () => {
  const list = await mueller.list('Preise', ['Artikel', 'Preis'], [{ Artikel: 'Ventil', Preis: '7' }]);
  const { fields } = await mueller.app<ListDetail>('GET', `/app/lists/${list}`);
  const path = `/app/partners/${pair.atInviter}/shares/${list}`;
  const deleteAndUndo = async (): Promise<RestoredAnswer> => {
    await mueller.app('PATCH', `/app/lists/${list}`, { fields: fields.slice(0, 1) });
    return mueller.app('POST', `/app/lists/${list}/undo`, {});
  };
  await mueller.app('PUT', path, { fields: [fields[1]?.fieldID] });
  expect((await deleteAndUndo()).sharedBefore).toMatchObject([{ nodeID: pair.atInviter }]);
  await mueller.app('PUT', path, { fields: fields.map(({ fieldID }) => fieldID) });
  await mueller.app('DELETE', path);
  expect((await deleteAndUndo()).sharedBefore).toEqual([]);
});

describe.each([
  ['our user', 'stays away where its removal was chosen'],
  ['the partner', 'stays away where the partner asked for its removal'],
] as const)('what came from a partner that %s disconnected while the list was in the bin', (who, what) => {
  it(what, async () => {
    const [bremen, hull] = await Promise.all([startNode('Bremen'), startNode('Hull')]);
    const { atInviter, atInvited } = await pairNodes(bremen, hull);
    const from = {
      office: bremen,
      partner: atInviter,
      list: await bremen.list('Kunden', COLUMNS, CUSTOMERS),
    };
    const { list } = await shareAndReceive(from, COLUMNS, { office: hull, partner: atInvited });
    await hull.app('POST', `/app/lists/${list}/rows`, { values: { Company: ['Hull’s own'] } });
    const effect = `/app/partners/${atInvited}/disconnect`;
    expect(await hull.app('GET', effect)).toMatchObject({ receivedRows: 2, inBin: [] });
    await hull.app('DELETE', `/app/lists/${list}`);
    expect(await hull.app('GET', effect)).toMatchObject({ receivedRows: 0, inBin: ['Kunden'] });
    if (who === 'the partner')
      await bremen.app('POST', `/app/partners/${atInviter}/disconnect`, {
        received: 'keep',
        askRemoval: true,
      });
    await hull.app('POST', `/app/partners/${atInvited}/disconnect`, {
      received: 'remove',
      askRemoval: false,
    });
    await hull.app('POST', `/app/bin/${list}/restore`, {});
    expect((await rowsOf(hull, list)).map(({ Company }) => Company)).toEqual(['Hull’s own']);
    await Promise.all([bremen.stop(), hull.stop()]);
  });
});

describe('what a partner saw that is not connected', () => {
  const both = { received: 'keep', askRemoval: false };

  interface Scene extends Pair {
    readonly bremen: NodeOffice;
    readonly hull: NodeOffice;
    readonly list: string;
    readonly name: string;
  }

  /** Two offices, with a list of the first one that the second one receives. */
  async function bremenAndHull(): Promise<Scene> {
    const [bremen, hull] = await Promise.all([startNode('Bremen'), startNode('Hull')]);
    const paired = await pairNodes(bremen, hull);
    const list = await bremen.list('Kunden', COLUMNS, CUSTOMERS);
    const from = { office: bremen, partner: paired.atInviter, list };
    await shareAndReceive(from, COLUMNS, { office: hull, partner: paired.atInvited });
    const { name } = await bremen.app<{ name: string }>('GET', `/app/partners/${paired.atInviter}`);
    return { bremen, hull, list, name, ...paired };
  }
  const stop = ({ bremen, hull }: Scene): Promise<unknown> => Promise.all([bremen.stop(), hull.stop()]);

  it('is named once it is restored, and offered to it as soon as both are paired again', async () => {
    const scene = await bremenAndHull();
    const { bremen, hull, list, name, atInviter } = scene;
    const formerShares = (n: string): Promise<FormerShare[]> =>
      bremen.app('GET', `/app/partners/${n}/former-shares`);
    const { fields } = await bremen.app<ListDetail>('GET', `/app/lists/${list}`);
    const fieldIDs = fields.map(({ fieldID }) => fieldID);
    const remaining = fields.filter(({ label }) => label !== 'Phone');
    await bremen.app('PATCH', `/app/lists/${list}`, { fields: remaining });
    await bremen.app('DELETE', `/app/lists/${list}`);
    await bremen.app('POST', `/app/partners/${atInviter}/disconnect`, both);
    const sharedBefore = [{ nodeID: atInviter, partner: name, disconnected: true }];
    expect(await bremen.app('POST', `/app/bin/${list}/restore`, {})).toMatchObject({ sharedBefore });
    const { undo } = await bremen.app<NextSteps>('GET', `/app/lists/${list}/steps`);
    expect(undo).toMatchObject({ kind: 'columns-delete' });
    expect(await bremen.app('POST', `/app/lists/${list}/undo`, {})).toMatchObject({ sharedBefore });

    const again = await pairNodes(bremen, hull);
    expect(again.atInviter).not.toBe(atInviter);
    expect(await formerShares(again.atInviter)).toEqual([{ moduleID: list, listName: 'Kunden', fieldIDs }]);
    await bremen.app('DELETE', `/app/lists/${list}`);
    await bremen.app('POST', `/app/bin/${list}/restore`, {});
    await bremen.app('PUT', `/app/partners/${again.atInviter}/shares/${list}`, { fields: fieldIDs });
    expect(await formerShares(again.atInviter)).toEqual([]);
    await stop(scene);
  });

  it('is named where it was the partner who ended the connection, and offered where it is only paused', async () => {
    const scene = await bremenAndHull();
    const { bremen, hull, list, atInviter, atInvited } = scene;
    const restored = async (): Promise<RestoredAnswer['sharedBefore']> => {
      await bremen.app('DELETE', `/app/lists/${list}`);
      return (await bremen.app<RestoredAnswer>('POST', `/app/bin/${list}/restore`, {})).sharedBefore;
    };
    await bremen.app('POST', `/app/partners/${atInviter}/pause`, {});
    const [paused, ...others] = await restored();
    expect([paused?.nodeID, paused?.disconnected, others]).toEqual([atInviter, undefined, []]);
    await bremen.app('POST', `/app/partners/${atInviter}/resume`);
    await bremen.app('PUT', `/app/partners/${atInviter}/shares/${list}`, { fields: COLUMNS });
    await hull.app('POST', `/app/partners/${atInvited}/disconnect`, both);
    const status = async (): Promise<unknown> =>
      (await bremen.app<{ status: string }>('GET', `/app/partners/${atInviter}`)).status;
    await expect.poll(status).toBe('unpaired');
    expect(await restored()).toMatchObject([{ nodeID: atInviter, disconnected: true }]);
    await stop(scene);
  });
});

it('scripts restore and purge what they deleted', async () => {
  const [space] = (await mueller.app<{ set: { namespaceID: string }[] }>('GET', '/compose/namespace/')).set;
  const modules = `/compose/namespace/${space?.namespaceID ?? ''}/module`;
  const stock = await mueller.list('Stock', ['Article'], [{ Article: 'Ventil DN 15' }]);
  const binned = async (): Promise<string[]> =>
    (
      await mueller.app<{ set: { moduleID: string; deletedAt?: string }[] }>('GET', `${modules}/?deleted=2`)
    ).set.flatMap(({ moduleID, deletedAt }) => (deletedAt === undefined ? [] : [moduleID]));
  await mueller.app('DELETE', `${modules}/${stock}`);
  expect(await binned()).toEqual([stock]);
  await mueller.app('POST', `${modules}/${stock}/undelete`);
  expect((await mueller.app<GridPage>('GET', `/app/lists/${stock}/rows`)).total).toBe(1);
  await mueller.app('DELETE', `${modules}/${stock}?purge=1`);
  expect(await binned()).toEqual([]);
});

it('scripts restore and purge a column that they deleted', async () => {
  const [space] = (await mueller.app<{ set: { namespaceID: string }[] }>('GET', '/compose/namespace/')).set;
  const stock = await mueller.list(
    'Lager',
    ['Article', 'Shelf'],
    [{ Article: 'Ventil DN 15', Shelf: 'B 12' }],
  );
  const module = `/compose/namespace/${space?.namespaceID ?? ''}/module/${stock}`;
  const { fields } = await mueller.app<{ fields: { name: string }[] }>('GET', module);
  const binned = async (): Promise<{ fieldID: string; name: string; values: number }[]> =>
    (await mueller.app<{ set: { fieldID: string; name: string; values: number }[] }>('GET', `${module}/bin`))
      .set;
  const without = (): Promise<unknown> =>
    mueller.app('POST', module, { fields: fields.filter(({ name }) => name !== 'Shelf') });
  await without();
  const [shelf] = await binned();
  expect(shelf).toMatchObject({ name: 'Shelf', values: 1 });
  await mueller.app('POST', `${module}/bin/${shelf?.fieldID ?? ''}/undelete`);
  expect(await rowsOf(mueller, stock)).toMatchObject([{ Article: 'Ventil DN 15', Shelf: 'B 12' }]);
  await without();
  await mueller.app('DELETE', `${module}/bin/${shelf?.fieldID ?? ''}`);
  expect(await binned()).toEqual([]);
});
