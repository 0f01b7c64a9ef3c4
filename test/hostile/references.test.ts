import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FieldInput } from '../../server/lists/definitions/inputs.ts';
import { listPartition } from '../../server/lists/rows/row-table.ts';
import {
  madeUpOrigin,
  text,
  type MadeUpOrigin,
  type OriginField,
} from '../support/partners/made-up-origin.ts';
import { idOf, matched, type Matched } from '../support/partners/matched.ts';
import { sayYes } from '../support/harness/approve-deletions.ts';

const COMPANIES = '900900';
const NAMES = ['Werft Nord', 'Ćevabdžinica Sava', 'Øst Fisk', 'Panificio Sole'] as const;
const companyID = (number: number): string => `5233970000000${100 + number}`;
const contactID = (number: number): string => `5233980000000${100 + number}`;

interface Company {
  readonly recordID: string;
  readonly createdAt: string;
  updatedAt: string;
  deletedAt?: string;
  values: { name: string; value: string }[];
}

interface Setting extends Matched {
  readonly origin: MadeUpOrigin;
  /** The rows of its second list, which it shares from the beginning. */
  readonly companies: Company[];
  readonly company: (number: number, name: string) => Company;
  /** Ends the sharing of its second list. */
  readonly withdraw: () => void;
  /** What stands in our column for each contact. */
  readonly shown: () => Promise<(string | undefined)[]>;
}

/** A live server whose contacts name their companies by its own numbers, as such servers do. */
async function setting(fields: readonly FieldInput[]): Promise<Setting> {
  const origin = madeUpOrigin([text('Name'), { ...text('Company'), kind: 'Record', isMulti: true }]);
  const companies: Company[] = [];
  let isWithdrawn = false;
  const set = await matched(
    origin,
    { dialect: 'live' },
    {
      fields,
      lies: (app) => {
        app.get('/nodes/7/modules/exposed/', (_, response) => {
          const { moduleID } = origin;
          const contacts = { moduleID, name: 'Contacts', handle: 'Contacts', fields: origin.fields };
          const others = { name: 'Companies', handle: 'Companies', fields: [text('Name')] };
          const all = isWithdrawn ? [contacts] : [contacts, { moduleID: COMPANIES, ...others }];
          response.json({ response: { filter: {}, set: all } });
        });
        app.get(`/nodes/7/modules/${COMPANIES}/records/`, (_, response) => {
          response.json({ response: { filter: {}, set: companies } });
        });
      },
    },
  );
  return {
    ...set,
    origin,
    companies,
    withdraw: () => (isWithdrawn = true),
    company: (number, name) => {
      const at = new Date().toISOString();
      const values = [{ name: 'Name', value: name }];
      return { recordID: companyID(number), createdAt: at, updatedAt: at, values };
    },
    async shown() {
      const received = await set.office.received(set.moduleID);
      return [0, 1, 2].map((number) => received.get(contactID(number))?.Company);
    },
  };
}

const CONTACT: readonly FieldInput[] = [
  { kind: 'String', name: 'Name' },
  { kind: 'String', name: 'Company' },
];

function fillContacts(origin: MadeUpOrigin): void {
  origin.put(contactID(0), { Name: ['Ada Kø'], Company: [companyID(0)] });
  origin.put(contactID(1), { Name: ['Bence Ó'], Company: [companyID(2), companyID(1)] });
  origin.put(contactID(2), { Name: ['Chloë'], Company: [] });
}

describe('H11: a column of a live server that refers to rows of another list', () => {
  it('shows what they are called as soon as they have arrived too, in whatever order, and is empty until then', async () => {
    const { office, nodeID, origin, companies, company, shown } = await setting(CONTACT);
    fillContacts(origin);
    await office.sync.syncNow(nodeID);
    expect(await shown()).toEqual([undefined, undefined, undefined]);

    companies.push(company(0, NAMES[0]), company(1, NAMES[1]));
    await office.match(nodeID, [{ kind: 'String', name: 'Name' }], 'Companies');
    await office.sync.syncNow(nodeID);
    expect(await shown()).toEqual([NAMES[0], NAMES[1], undefined]);

    const restarted = await office.restart();
    companies.push(company(2, NAMES[2]));
    await restarted.sync.syncNow(nodeID);
    const contacts = await restarted.received((await restarted.lists.modules())[0]?.moduleID ?? '');
    expect(contacts.get(contactID(1))?.Company).toBe(`${NAMES[2]}, ${NAMES[1]}`);
    await restarted.sync.stop();
  });

  it('shows a row that comes out of the bin, where it was in there when the row that names it came', async () => {
    const { office, nodeID, origin, companies, company, shown } = await setting(CONTACT);
    await office.sync.syncNow(nodeID);
    await office.match(nodeID, [{ kind: 'String', name: 'Name' }], 'Companies');
    const nord = company(0, NAMES[0]);
    companies.push(nord, company(1, NAMES[1]), company(2, NAMES[2]));
    await office.sync.syncNow(nodeID);
    const change = (): void => {
      nord.updatedAt = new Date(Date.parse(nord.updatedAt) + 1000).toISOString();
    };
    change();
    nord.deletedAt = nord.updatedAt;
    await office.sync.syncNow(nodeID);
    fillContacts(origin);
    for (let pull = 0; pull < 2; pull++) await office.sync.syncNow(nodeID);
    expect(await shown()).toEqual([undefined, `${NAMES[2]}, ${NAMES[1]}`, undefined]);
    change();
    delete nord.deletedAt;
    await office.sync.syncNow(nodeID);
    expect(await shown()).toEqual([NAMES[0], `${NAMES[2]}, ${NAMES[1]}`, undefined]);
  });

  it('leads to the very row where our column refers to the list that it came into', async () => {
    const set = await setting([{ kind: 'String', name: 'Name' }]);
    const { office, nodeID, origin, companies, company, moduleID } = set;
    companies.push(company(0, NAMES[0]), company(1, NAMES[1]), company(2, NAMES[3]));
    const { module } = await office.match(nodeID, [{ kind: 'String', name: 'Name' }], 'Companies');
    fillContacts(origin);
    await office.sync.syncNow(nodeID);
    const options = { moduleID: module.moduleID };
    const { fields } = await office.lists.updateModule(moduleID, {
      fields: [
        ...(await office.lists.module(moduleID)).fields,
        { kind: 'Record', name: 'Company', isMulti: true, options },
      ],
    });
    const [shared] = await office.federation.shared.list(nodeID);
    const { namespaceID } = await office.lists.defaultNamespace();
    await office.federation.mappings.set(nodeID, shared?.moduleID ?? '', {
      composeModuleID: moduleID,
      composeNamespaceID: namespaceID,
      fields: fields.map(({ name }) => ({ origin: { name }, destination: { name } })),
      shape: 1,
    });
    await office.sync.syncNow(nodeID);
    const rows = await office.lists.rows(module.moduleID);
    const ours = await rows.findReceived(nodeID, [companyID(0), companyID(1), companyID(2)]);
    const [nord, sava, sole] = ours.map((row) => row?.recordID ?? 'missing');
    expect(await set.shown()).toEqual([nord, `${sole}|${sava}`, undefined]);
  });

  it('shows them by what came, and by nothing that we wrote beside it or over it', async () => {
    const { office, nodeID, origin, companies, company, shown } = await setting(CONTACT);
    companies.push(company(0, NAMES[0]), company(1, NAMES[1]), company(2, NAMES[2]));
    const fields: FieldInput[] = [
      { kind: 'String', name: 'Note' },
      { kind: 'String', name: 'Name' },
    ];
    const { module } = await office.match(nodeID, fields, 'Companies');
    await office.sync.syncNow(nodeID);
    const rows = await office.lists.rows(module.moduleID);
    const ids = [companyID(0), companyID(1)];
    const [nord, sava] = await rows.findReceived(nodeID, ids);
    await rows.patch(nord?.recordID ?? '', { Note: ['bad payer'] }, '1');
    await rows.patch(sava?.recordID ?? '', { Note: ['ask for cash'], Name: ['as we call it'] }, '1');
    fillContacts(origin);
    for (let pull = 0; pull < 2; pull++) await office.sync.syncNow(nodeID);
    expect(await shown()).toEqual([NAMES[0], `${NAMES[2]}, ${NAMES[1]}`, undefined]);
  });

  it('keeps what the user typed in the meantime', async () => {
    const { office, nodeID, moduleID, origin, companies, company, shown } = await setting(CONTACT);
    fillContacts(origin);
    await office.sync.syncNow(nodeID);
    const rows = await office.lists.rows(moduleID);
    const [ada] = await rows.findReceived(nodeID, [contactID(0)]);
    await rows.patch(ada?.recordID ?? '', { Company: ['typed by hand'] }, '1');
    companies.push(company(0, NAMES[0]));
    await office.match(nodeID, [{ kind: 'String', name: 'Name' }], 'Companies');
    await office.sync.syncNow(nodeID);
    expect((await shown())[0]).toBe('typed by hand');
  });

  it('keeps what it shows once the list that it refers to is no longer shared, and after that is settled here', async () => {
    const { office, nodeID, origin, companies, company, shown, withdraw } = await setting(CONTACT);
    companies.push(company(0, NAMES[0]), company(1, NAMES[1]), company(2, NAMES[2]));
    const { sharedModuleID } = await office.match(nodeID, [{ kind: 'String', name: 'Name' }], 'Companies');
    fillContacts(origin);
    await office.sync.syncNow(nodeID);
    const all = [NAMES[0], `${NAMES[2]}, ${NAMES[1]}`, undefined];
    expect(await shown()).toEqual(all);

    withdraw();
    origin.put(contactID(0), { Name: ['Ada Kø-Berg'], Company: [companyID(1)] });
    await office.sync.syncNow(nodeID);
    // Its rows are here still, and so is the one that is named now.
    expect(await shown()).toEqual([NAMES[1], all[1], undefined]);

    await office.federation.mappings.remove(nodeID, sharedModuleID);
    origin.put(contactID(1), { Name: ['Bence Ó-Kiss'], Company: [companyID(2), companyID(1)] });
    await office.sync.syncNow(nodeID);
    expect(await shown()).toEqual([NAMES[1], all[1], undefined]);

    origin.put(contactID(1), { Name: ['Bence Ó-Kiss'], Company: [] });
    await office.sync.syncNow(nodeID);
    expect(await shown()).toEqual([NAMES[1], undefined, undefined]);
  });

  it('keeps arriving while the list that it refers to cannot be read, and shows its rows again after that', async () => {
    const { office, nodeID, moduleID, origin, companies, company } = await setting(CONTACT);
    companies.push(company(0, NAMES[0]));
    const { module } = await office.match(nodeID, [{ kind: 'String', name: 'Name' }], 'Companies');
    origin.put(contactID(0), { Name: ['Ada Kø'], Company: [companyID(0)] });
    await office.sync.syncNow(nodeID);
    const folder = join(office.dataDir, 'store', listPartition(module.moduleID));
    const aside = join(office.dataDir, 'aside');
    const without = await office.restart(undefined, () => rename(folder, aside));
    origin.put(contactID(1), { Name: ['Bence Ó'], Company: [companyID(0)] });
    await without.sync.syncNow(nodeID);
    const met = await without.received(moduleID);
    expect(met.get(contactID(0))).toEqual({ Name: 'Ada Kø', Company: NAMES[0] });
    expect(met.get(contactID(1))).toEqual({ Name: 'Bence Ó' });
    const { lists } = await without.sync.status(nodeID);
    expect(lists.find((list) => list.moduleID === moduleID)?.couldNotApply).toBe(1);
    const again = await without.restart(undefined, () => rename(aside, folder));
    onTestFinished(() => again.close());
    await again.sync.syncNow(nodeID);
    const shown = await again.received(moduleID);
    expect([0, 1].map((number) => shown.get(contactID(number))?.Company)).toEqual([NAMES[0], NAMES[0]]);
  });
});

describe('rows that wait for a yes, and name rows of the partner', () => {
  const record = (name: string): OriginField => ({ ...text(name), kind: 'Record' });
  const filled = (all: Map<string, Record<string, string>>, column: string): number =>
    [...all.values()].filter((row) => row[column] !== undefined).length;

  async function waiting(): Promise<Matched & { origin: MadeUpOrigin }> {
    const origin = madeUpOrigin([text('Name'), record('Contact'), record('Agent')]);
    for (let number = 0; number < 100; number++)
      origin.put(idOf(number), {
        Name: [`Werft ${number}`],
        Contact: [`Frau ${number}`],
        Agent: [`Herr ${number}`],
      });
    const fields = ['Name', 'Contact', 'Agent'].map((name): FieldInput => ({ kind: 'String', name }));
    const set = await matched(origin, { dialect: 'shape1', footbridge: true }, { fields });
    await set.office.sync.syncNow(set.nodeID);
    expect(filled(await set.office.received(set.moduleID), 'Contact')).toBe(100);
    // One that is named has arrived, the other one never does.
    for (let number = 1; number < 100; number++)
      origin.put(idOf(number), { Name: [`Werft ${number}`], Contact: [], Agent: [idOf(0), idOf(777)] });
    for (let pull = 0; pull < 3; pull++) await set.office.sync.syncNow(set.nodeID);
    return { ...set, origin };
  }

  it('stay as they are in every column, whatever of it arrives', async () => {
    const { office, nodeID, moduleID, sharedModuleID } = await waiting();
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toHaveLength(99);
    const shown = await office.received(moduleID);
    expect([filled(shown, 'Contact'), shown.get(idOf(5))?.Agent]).toEqual([100, 'Herr 5']);
    await office.sync.decisions.decide(nodeID, sharedModuleID, 'keep');
    await office.sync.syncNow(nodeID);
    expect(filled(await office.received(moduleID), 'Contact')).toBe(100);
  });

  it('have what they name filled in once they were applied and it has arrived', async () => {
    const { office, nodeID, moduleID, sharedModuleID, origin } = await waiting();
    await sayYes(office.sync, nodeID, sharedModuleID);
    expect(filled(await office.received(moduleID), 'Contact')).toBe(1);
    origin.put(idOf(777), { Name: ['Herr Aas'], Contact: ['x'], Agent: ['y'] });
    for (let pull = 0; pull < 2; pull++) await office.sync.syncNow(nodeID);
    expect((await office.received(moduleID)).get(idOf(5))?.Agent).toContain('Herr Aas');
  });

  it('keep what they are called when the row that they name is removed, however many', async () => {
    const origin = madeUpOrigin([text('Name'), record('Contact'), record('Agent')]);
    const put = (to: readonly string[]): void => {
      for (let number = 1; number < 100; number++)
        origin.put(idOf(number), { Name: [`Werft ${number}`], Contact: [...to], Agent: [...to] });
    };
    origin.put(idOf(0), { Name: ['Frau Aas'], Contact: ['x'], Agent: ['y'] });
    put(['Frau Berg']);
    const fields = ['Name', 'Contact', 'Agent'].map((name): FieldInput => ({ kind: 'String', name }));
    const { office, nodeID, moduleID } = await matched(
      origin,
      { dialect: 'shape1', footbridge: true },
      { fields },
    );
    await office.sync.syncNow(nodeID);
    put([idOf(0), idOf(777)]);
    for (let pull = 0; pull < 2; pull++) await office.sync.syncNow(nodeID);
    origin.remove(idOf(0));
    for (let pull = 0; pull < 3; pull++) await office.sync.syncNow(nodeID);
    expect(filled(await office.received(moduleID), 'Contact')).toBe(99);
  });

  it('are filled in one column where the row that another column named was removed meanwhile', async () => {
    const origin = madeUpOrigin([text('Name'), record('Contact'), record('Agent')]);
    origin.put(idOf(0), { Name: ['Frau Aas'], Contact: [], Agent: [] });
    for (let number = 1; number < 100; number++)
      origin.put(idOf(number), { Name: [`Werft ${number}`], Contact: [idOf(0)], Agent: [idOf(777)] });
    const fields = ['Name', 'Contact', 'Agent'].map((name): FieldInput => ({ kind: 'String', name }));
    const way = { dialect: 'shape1', footbridge: true } as const;
    const { office, nodeID, moduleID } = await matched(origin, way, { fields });
    for (let pull = 0; pull < 3; pull++) await office.sync.syncNow(nodeID);
    origin.remove(idOf(0));
    await office.sync.syncNow(nodeID);
    origin.put(idOf(777), { Name: ['Herr Berg'], Contact: [], Agent: [] });
    for (let pull = 0; pull < 3; pull++) await office.sync.syncNow(nodeID);
    const received = await office.received(moduleID);
    expect([filled(received, 'Contact'), filled(received, 'Agent')]).toEqual([99, 99]);
    expect(received.get(idOf(5))).toMatchObject({ Contact: 'Frau Aas', Agent: 'Herr Berg' });
  });

  it('are filled by no version but the one that was applied', async () => {
    const origin = madeUpOrigin([text('Name'), record('Contact'), record('Agent')]);
    origin.now = () => Date.now() - 3_600_000;
    const put = (values: Record<string, string[]>): void => {
      for (let number = 0; number < 100; number++)
        origin.put(idOf(number), { Name: [`Werft ${number}`], ...values });
    };
    put({ Contact: ['Frau Aas'], Agent: ['Herr Aas'] });
    const fields = ['Name', 'Contact', 'Agent'].map((name): FieldInput => ({ kind: 'String', name }));
    const set = await matched(origin, { dialect: 'live' }, { fields });
    await set.office.sync.syncNow(set.nodeID);
    // Older by its own time: of a live server that does not count.
    origin.now = () => Date.now() - 7_200_000;
    put({ Contact: [], Agent: [idOf(0), idOf(777)] });
    await set.office.sync.syncNow(set.nodeID);
    await set.office.sync.syncNow(set.nodeID);
    expect(filled(await set.office.received(set.moduleID), 'Contact')).toBe(100);
  });
});

describe('a text of a partner that looks like the id of a row of ours', () => {
  interface Ours extends Matched {
    /** Ids of rows of ours that no partner brought. */
    readonly ids: readonly string[];
    readonly secrets: string;
  }

  /** Our own customers, and a list that the partner's rows come into. */
  async function ours(origin: MadeUpOrigin, fields: readonly FieldInput[]): Promise<Ours> {
    const set = await matched(origin, { dialect: 'shape1', footbridge: true }, { fields });
    const { office } = set;
    const { namespaceID } = await office.lists.defaultNamespace();
    const { moduleID } = await office.lists.createModule(namespaceID, {
      name: 'Our customers',
      fields: [{ kind: 'String', name: 'Name' }],
    });
    const rows = await office.lists.rows(moduleID);
    const ids: string[] = [];
    for (const name of NAMES) ids.push((await rows.create({ Name: [name] }, '1')).recordID);
    return { ...set, ids, secrets: moduleID };
  }

  const withCompany = async ({ office, moduleID }: Ours, company: FieldInput): Promise<unknown> => {
    const { fields } = await office.lists.module(moduleID);
    return office.lists.updateModule(moduleID, {
      fields: fields.map((field) => (field.name === 'Company' ? { ...field, ...company } : field)),
    });
  };

  it.each(['String', 'Number', 'Select', 'Email', 'Record', 'User'] as const)(
    'refers to none, whatever kind the column is said to be: %s',
    async (kind) => {
      const origin = madeUpOrigin([text('Name'), { ...text('Company'), kind, isMulti: true }]);
      const set = await ours(origin, [
        { kind: 'String', name: 'Name' },
        { kind: 'Record', name: 'Company', isMulti: true },
      ]);
      const { office, nodeID, moduleID, ids, secrets } = set;
      await withCompany(set, { kind: 'Record', name: 'Company', options: { moduleID: secrets } });
      for (const [number, id] of ids.entries())
        origin.put(idOf(number), { Name: [`Werft ${number}`], Company: [id, ` ${id} `, '17'] });
      await office.sync.syncNow(nodeID);
      const received = await office.received(moduleID);
      expect([...received.values()]).toEqual(ids.map((_, at) => ({ Name: `Werft ${at}`, Company: '17' })));
    },
  );

  it('came into a column of texts: the column begins to refer to rows without it, or not at all', async () => {
    const origin = madeUpOrigin([text('Name'), text('Company')]);
    const set = await ours(origin, CONTACT);
    const { office, nodeID, moduleID, ids, secrets } = set;
    origin.put(idOf(0), { Name: ['Ada Kø'], Company: [ids[0] ?? ''] });
    origin.put(idOf(1), { Name: ['Bence Ó'], Company: [NAMES[1]] });
    await office.sync.syncNow(nodeID);
    const refers: FieldInput = { kind: 'Record', name: 'Company', options: { moduleID: secrets } };
    await expect(withCompany(set, refers)).rejects.toMatchObject({ code: 'list.retype' });
    expect((await office.received(moduleID)).get(idOf(0))?.Company).toBe(ids[0]);
    // Kept after the partner was removed, it is still its text.
    await office.federation.disconnects.remove(nodeID, '1');
    await office.federation.rowHandover.releaseRows(nodeID, 'keep');
    await expect(withCompany(set, refers)).rejects.toMatchObject({ code: 'list.retype' });
  });

  it('is what a row of the partner is called: a reference to that row leads to none of ours', async () => {
    const set = await setting([{ kind: 'String', name: 'Name' }]);
    const { office, nodeID, origin, companies, company, moduleID } = set;
    const { namespaceID } = await office.lists.defaultNamespace();
    const own = await office.lists.createModule(namespaceID, {
      name: 'Our customers',
      fields: [{ kind: 'String', name: 'Name' }],
    });
    const { recordID } = await (await office.lists.rows(own.moduleID)).create({ Name: ['secret'] }, '1');
    const { fields } = await office.lists.updateModule(moduleID, {
      fields: [
        ...(await office.lists.module(moduleID)).fields,
        { kind: 'Record', name: 'Company', isMulti: true, options: { moduleID: own.moduleID } },
      ],
    });
    companies.push(company(0, recordID), company(1, NAMES[1]));
    await office.match(nodeID, [{ kind: 'String', name: 'Name' }], 'Companies');
    fillContacts(origin);
    const [shared] = await office.federation.shared.list(nodeID);
    await office.federation.mappings.set(nodeID, shared?.moduleID ?? '', {
      composeModuleID: moduleID,
      composeNamespaceID: namespaceID,
      fields: fields.map(({ name }) => ({ origin: { name }, destination: { name } })),
      shape: 1,
    });
    for (let pull = 0; pull < 2; pull++) await office.sync.syncNow(nodeID);
    expect(await set.shown()).toEqual([undefined, NAMES[1], undefined]);
  });
});
