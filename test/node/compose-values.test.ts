import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composeApp, type ComposeApp } from '../support/harness/compose-app.ts';
import type { HttpAnswer } from '../support/harness/served-parts.ts';
import { text } from '../support/harness/lists.ts';

const answered = z.object({
  response: z.object({
    recordID: z.string(),
    updatedAt: z.string().optional(),
    values: z.array(z.object({ name: z.string(), value: z.string().optional() })),
  }),
});

const columns = z.object({
  response: z.object({ fields: z.array(z.looseObject({ name: z.string(), options: z.looseObject({}) })) }),
});

const column = (kind: string, name: string, options: object = {}): object => ({ kind, name, options });

interface Invoices extends ComposeApp {
  readonly path: string;
  readonly moduleID: string;
  /** The id of a row of the customers. */
  readonly customer: string;
  /** Makes a row with one value, and answers what is stored; else the status and its sentence. */
  readonly stored: (name: string, value: string) => Promise<string | undefined>;
}

async function invoices(): Promise<Invoices> {
  const app = await composeApp();
  const { namespaceID } = await app.lists.defaultNamespace();
  const customers = await app.lists.createModule(namespaceID, { name: 'Customers', fields: [text('Name')] });
  const customer = await (await app.lists.rows(customers.moduleID)).create({ Name: ['Fjord Fish'] }, '1');
  const fields = [
    column('DateTime', 'Due', { onlyDate: true }),
    column('DateTime', 'Opens', { onlyTime: true }),
    column('DateTime', 'Sent'),
    column('Number', 'Amount', { precision: 2 }),
    column('Number', 'Pieces', { precision: 0 }),
    column('Number', 'Weight'),
    column('Number', 'Length', { precision: 6 }),
    column('Number', 'Price', { precision: 2, unit: '€' }),
    column('Bool', 'Paid'),
    column('Record', 'Customer', { moduleID: customers.moduleID }),
    column('Record', 'Origin'),
    column('User', 'Clerk'),
    column('File', 'Scan'),
    column('Select', 'Kind', { options: ['invoice', { value: 'credit', text: 'Credit note' }] }),
    column('Select', 'Branch', { options: [] }),
    column('Select', 'Region'),
    column('Url', 'Site'),
    column('Email', 'Mail'),
    column('String', 'Note'),
    column('String', 'Name'),
  ];
  const made = await app.call('POST', `/namespace/${namespaceID}/module/`, { name: 'Invoices', fields });
  const { response } = z.object({ response: z.object({ moduleID: z.string() }) }).parse(made.body);
  const path = `/namespace/${namespaceID}/module/${response.moduleID}`;
  const stored = async (name: string, value: string): Promise<string | undefined> => {
    const { status, body } = await app.call('POST', `${path}/record/`, { values: [{ name, value }] });
    if (status !== 200) return `${status} ${JSON.stringify(body)}`;
    return answered.parse(body).response.values[0]?.value;
  };
  return { ...app, path, moduleID: response.moduleID, customer: customer.recordID, stored };
}

describe('values that come through Compose are stored as Corteza stores them', () => {
  it('dates in UTC, times in whole seconds, and a date as the beginning of its day', async () => {
    const { stored } = await invoices();
    expect(await stored('Due', '2026-03-01T23:30:00-05:00')).toBe('2026-03-02');
    expect(await stored('Due', '2026-03-01T00:30:00+02:00')).toBe('2026-02-28');
    expect(await stored('Due', '2026-03-01T23:30:00')).toBe('2026-03-01');
    expect(await stored('Due', ' 2026-03-01 ')).toBe('2026-03-01');
    expect(await stored('Sent', '2026-03-01T23:30:00.250-05:00')).toBe('2026-03-02T04:30:00Z');
    expect(await stored('Sent', '2026-03-01')).toBe('2026-03-01T00:00:00Z');
    expect(await stored('Opens', '08:30')).toBe('08:30:00');
    expect(await stored('Sent', '08:30')).toMatch(/^422 .*is no date and time/);
    expect(await stored('Opens', '2026-03-01T08:30:00Z')).toMatch(/^422 .*is no time of day/);
    expect(await stored('Due', '08:30')).toMatch(/^422 .*is no date/);
    for (const none of ['2026-03-01T24:00:00Z', '2026-03-01T23:59:60Z', '0001-01-01T00:00:00+05:00'])
      expect(await stored('Due', none)).toMatch(/^422 .*is no date; write it as YYYY-MM-DD/);
  });

  it('numbers with the decimals of their column, rounded as Go rounds them', async () => {
    const { stored } = await invoices();
    expect(await stored('Amount', '1.005')).toBe('1');
    expect(await stored('Amount', '12.50')).toBe('12.5');
    expect(await stored('Amount', '118.685')).toBe('118.69');
    expect(await stored('Amount', '0.125')).toBe('0.12');
    expect(await stored('Amount', '0.375')).toBe('0.38');
    expect(await stored('Amount', '-0.001')).toBe('0');
    expect(await stored('Pieces', '2.5')).toBe('2');
    expect(await stored('Pieces', '3.5')).toBe('4');
    expect(await stored('Pieces', '1200')).toBe('1200');
    expect(await stored('Weight', '42.4')).toBe('42');
    expect(await stored('Length', '0.12345678')).toBe('0.123457');
    expect(await stored('Amount', '12345678901234567890.5')).toBe('12345678901234567890.5');
    expect(await stored('Pieces', '99999999999999999999999999999999.9')).toBe(
      '100000000000000005366162204393472',
    );
    expect(await stored('Amount', `1${'0'.repeat(320)}.125`)).toBe(`1${'0'.repeat(320)}`);
    expect(await stored('Amount', '1e-400')).toBe('0');
    expect(await stored('Amount', 'much')).toMatch(/^422 .*is no number/);
    for (const priced of ['5 €', '€5.00', '5 kr', 'USD 5'])
      expect(await stored('Price', priced), priced).toMatch(/^422 .*is a number with a unit/);
    for (const empty of ['', ' '])
      expect(await stored('Amount', empty), empty).toMatch(/^422 .*leave the column out, or send 0/);
    expect(await stored('Price', '12 %')).toMatch(/^422 .*is a percentage/);
  });

  it('no empty number, except in a change of single columns, which Corteza lacks', async () => {
    const { call, path } = await invoices();
    const whole = {
      values: [
        { name: 'Amount', value: '5' },
        { name: 'Note', value: 'paid' },
      ],
    };
    const { recordID } = answered.parse((await call('POST', `${path}/record/`, whole)).body).response;
    const emptied = { values: [{ name: 'Amount', value: '' }] };
    expect((await call('POST', `${path}/record/${recordID}`, emptied)).status).toBe(422);
    expect((await call('PATCH', `${path}/record/`, { ...emptied, query: "Note = 'paid'" })).status).toBe(422);
    const { body } = await call('PATCH', `${path}/record/${recordID}`, emptied);
    expect(answered.parse(body).response.values).toEqual([{ name: 'Note', value: 'paid' }]);
  });

  it('a column that is made without `precision` holds whole numbers, and says so', async () => {
    const { call, path, lists, moduleID } = await invoices();
    const fieldsOf = async (): Promise<{ name: string; options: object }[]> =>
      columns.parse((await call('GET', path)).body).response.fields;
    const precisions = async (): Promise<unknown[]> =>
      (await fieldsOf()).flatMap(({ options }) => ('precision' in options ? options.precision : []));
    const kept = async (): Promise<unknown[]> =>
      (await lists.module(moduleID)).fields.flatMap(({ kind, options }) =>
        kind === 'Number' ? [options.precision] : [],
      );
    expect(await precisions()).toEqual([2, 0, 0, 6, 2]);
    expect((await call('POST', path, { fields: await fieldsOf() })).status).toBe(200);
    expect(await kept()).toEqual([2, 0, 0, undefined, 2]);
    const bare = (await fieldsOf()).map((field) => ({ ...field, options: undefined }));
    const added = { kind: 'Number', name: 'Crates' };
    expect((await call('POST', path, { fields: [...bare, added] })).status).toBe(200);
    expect(await precisions()).toEqual([2, 0, 0, 6, 2, 0]);
    const emptied = (await fieldsOf()).map((field) => ({ ...field, options: {} }));
    expect((await call('POST', path, { fields: emptied })).status).toBe(200);
    expect(await precisions()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('a column of the window without decimals of its own keeps all that Corteza can', async () => {
    const { call, lists } = await composeApp();
    const { namespaceID } = await lists.defaultNamespace();
    const fields = [{ kind: 'Number' as const, label: 'Weight' }];
    const { moduleID } = await lists.createModule(namespaceID, { name: 'Crates', fields });
    const path = `/namespace/${namespaceID}/module/${moduleID}`;
    const read = columns.parse((await call('GET', path)).body).response;
    expect(read.fields.map(({ options }) => options)).toEqual([{ precision: 6 }]);
    expect((await call('POST', path, read)).status).toBe(200);
    expect((await lists.module(moduleID)).fields[0]?.options).toEqual({});
    const body = { values: [{ name: read.fields[0]?.name, value: '0.12345678' }] };
    const made = answered.parse((await call('POST', `${path}/record/`, body)).body).response;
    expect(made.values[0]?.value).toBe('0.123457');
  });

  it('texts without the markup that Corteza would remove or rewrite', async () => {
    const { stored } = await invoices();
    for (const kept of [
      'a < b ; "\'"',
      'Fish & Chips, R&D',
      '3 <-> 4, <3',
      '<p>Paid <b>twice</b><br/></p>',
      'Müller&Sohn &c',
      'Müller &Sohn; J&J; M&S; &#;',
    ])
      expect(await stored('Note', kept), kept).toBe(kept);
    expect(await stored('Note', 'Quay 4\r\nBergen')).toBe('Quay 4\nBergen');
    for (const [sent, found] of [
      ['Paid<script>alert(1)</script>', '<script>'],
      ['<b onclick="pay()">Paid</b>', '<b onclick=\\"pay()\\">'],
      ['<a href="https://fjord.example/">Fjord</a>', '<a href='],
      ['Ada Lund <ada@fjord.example>', '<ada@fjord.example>'],
      ['<B>Paid</B>', '<B>'],
      ['due<paid', '<paid'],
      ['Paid <!-- twice -->', '<!-- twice -->'],
      ['Paid</ twice', '</ twice'],
      ['<b<b>>', '<b<b>'],
    ] as const) {
      const answer = await stored('Note', sent);
      expect(answer, sent).toMatch(/^422 .*would remove or rewrite; leave it out/);
      expect(answer).toContain(found);
    }
    for (const sent of [
      '&Sohn; &amp; Co.',
      '&#60;b&#62;',
      '&#x3c;',
      '&copy 2026',
      '?a=1&copy=2',
      '&szlig',
      '&Mu;',
    ])
      expect(await stored('Note', sent), sent).toMatch(/^422 .*would replace; send the character itself/);
  });

  it('references by their ids alone, and yes and no in English', async () => {
    const { stored, customer, call, path, lists } = await invoices();
    expect(await stored('Customer', customer)).toBe(customer);
    expect(await stored('Customer', 'Fjord Fish')).toMatch(/^422 .*is no id/);
    for (const name of ['Customer', 'Clerk', 'Scan']) expect(await stored(name, '0')).toBeUndefined();
    expect(await stored('Customer', '2235175203408142900')).toMatch(/^422 .*is the id of no row/);
    expect(await stored('Origin', customer)).toMatch(/^422 .*the column has no list/);
    expect(await stored('Clerk', ' 77 ')).toBe('77');
    expect(await stored('Clerk', '523396881913479269')).toMatch(/^422 .*is not your own id/);
    expect(await stored('Clerk', 'Ada Lund')).toMatch(/^422 .*is not your own id/);
    expect(await stored('Scan', '523396881913479269')).toMatch(/^422 .*is the id of no file/);
    expect(await stored('Scan', 'offer.pdf')).toMatch(/^422 .*is the id of no file/);
    expect(await stored('Paid', 'TRUE')).toBe('1');
    expect(await stored('Paid', 'n')).toBeUndefined();
    expect(await stored('Paid', 'ja')).toMatch(/^422 .*neither yes nor no/);
    const change = { values: [{ name: 'Customer', value: 'Fjord Fish' }], query: 'Amount IS NULL' };
    expect((await call('PATCH', `${path}/record/`, change)).status).toBe(422);
    const customers = (await lists.modules()).find(({ name }) => name === 'Customers');
    await (await lists.rows(customers?.moduleID ?? '')).remove(customer, '1');
    expect(await stored('Customer', customer)).toMatch(/^422 .*is the id of no row/);
  });

  it('choices exactly as the column spells them', async () => {
    const { stored } = await invoices();
    expect(await stored('Kind', 'credit')).toBe('credit');
    expect(await stored('Kind', ' invoice ')).toBe('invoice');
    for (const other of ['Invoice', 'Credit note', 'offer'])
      expect(await stored('Kind', other), other).toMatch(/^422 .*is none of the choices/);
    expect(await stored('Branch', 'Bergen')).toMatch(/^422 .*the column has no choices/);
    expect(await stored('Region', 'North')).toBe('North');
    for (const name of ['Kind', 'Branch']) expect(await stored(name, ' ')).toBeUndefined();
  });

  it('addresses that Corteza takes', async () => {
    const { stored } = await invoices();
    for (const kept of [
      'https://fjord.example',
      'http://fjord.example:8080/a%20b?q=50%#top',
      'ftp://ada:p%40ss@fjord.example/x',
      'https://fjord.example/ø?x={1}',
    ])
      expect(await stored('Site', kept), kept).toBe(kept);
    for (const none of [
      'www.fjord.example',
      'fjord.example/x',
      'mailto:ada@fjord.example',
      'http:/fjord.example',
      'http://fjord.example/%zz',
      'http://fjord.example/#50%',
      'http://fj%6Frd.example/',
    ])
      expect(await stored('Site', none), none).toMatch(/^422 .*is no complete web address/);
    for (const kept of ['ada@fjord.example', 'ada.lund+x@fjord.example', 'Åse@fjord', "o'hara@fjord.example"])
      expect(await stored('Mail', kept), kept).toBe(kept);
    for (const none of [
      'ada@fjord..example',
      '.ada@fjord.example',
      'ada.@fjord.example',
      'ada@[10.0.0.1]',
      'ada',
    ])
      expect(await stored('Mail', none), none).toMatch(/^422 .*is no email address/);
    for (const name of ['Site', 'Mail', 'Sent']) expect(await stored(name, ' ')).toBeUndefined();
  });

  it('no empty value in a required column, which "no" is too', async () => {
    const { call, lists } = await invoices();
    const { namespaceID } = await lists.defaultNamespace();
    const fields = [
      { kind: 'Bool', name: 'Paid', isRequired: true },
      { kind: 'String', name: 'Tags', isRequired: true, isMulti: true },
    ];
    const body = { name: 'Offers', fields };
    const made = z.object({ response: z.object({ moduleID: z.string() }) });
    const { moduleID } = made.parse(
      (await call('POST', `/namespace/${namespaceID}/module/`, body)).body,
    ).response;
    const path = `/namespace/${namespaceID}/module/${moduleID}/record/`;
    const sent = (paid: string, ...tags: string[]): object => ({
      values: [{ name: 'Paid', value: paid }, ...tags.map((value) => ({ name: 'Tags', value }))],
    });
    for (const body of [
      sent('0', 'new'),
      sent('', 'new'),
      sent('no', 'new'),
      sent('1', 'new', ''),
      sent('1', ' '),
    ]) {
      const answer = await call('POST', path, body);
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(JSON.stringify(answer.body)).toMatch(/(?:Paid|Tags) must not be empty; fill it in/);
    }
    expect((await call('POST', path, sent('yes', 'new', 'sent'))).status).toBe(200);
    const unpaid = await (await lists.rows(moduleID)).create({ Paid: ['0'], Tags: ['new'] }, '1');
    expect((await call('POST', path + unpaid.recordID, sent('', 'sent'))).status).toBe(200);
    expect((await call('PATCH', path + unpaid.recordID, sent('0', 'sent'))).status).toBe(422);
  });

  it('what a row has already may be sent back', async () => {
    const { lists, moduleID, call, path } = await invoices();
    const values = {
      ...{ Customer: ['Nordlys AS'], Amount: ['118.685'], Sent: ['2026-03-01T10:00:00.25Z'] },
      ...{ Clerk: ['Ada Lund'], Scan: ['offer.pdf'], Name: ['Fjord <fish@fjord.example>'] },
    };
    const { recordID } = await (await lists.rows(moduleID)).create(values, '1');
    const address = `${path}/record/${recordID}`;
    const read = answered.parse((await call('GET', address)).body).response;
    const note = { name: 'Note', value: 'paid twice' };
    const change = { values: [...read.values.filter(({ name }) => name !== 'Note'), note] };
    expect((await call('POST', address, change)).status).toBe(200);
    expect((await (await lists.rows(moduleID)).get(recordID)).values).toEqual({
      ...values,
      Note: ['paid twice'],
    });
  });

  it('no NUL, which databases cannot store', async () => {
    const { stored } = await invoices();
    expect(await stored('Note', 'Quay 4\u0000Bergen')).toMatch(/^422 .*contains a NUL character/);
    expect(await stored('Note', 'Quay 4\u0001')).toBe('Quay 4\u0001');
  });

  it('half of a surrogate pair as the replacement character, at once and after a restart', async () => {
    const { call, path } = await invoices();
    const body = String.raw`{"values":[{"name":"Note","value":"Kr\ud83dgen"}]}`;
    const made = answered.parse((await call('POST', `${path}/record/`, body)).body).response;
    expect(made.values).toEqual([{ name: 'Note', value: 'Kr\ufffdgen' }]);
  });
});

describe('the version that a change names', () => {
  it('is compared by the digits that the caller kept', async () => {
    const { call, path, clock } = await invoices();
    const values = [{ name: 'Note', value: 'a' }];
    const { recordID } = answered.parse((await call('POST', `${path}/record/`, { values })).body).response;
    const address = `${path}/record/${recordID}`;
    const change = (note: string, updatedAt?: string): Promise<HttpAnswer> => {
      clock.advance(1500);
      return call('POST', address, { values: [{ name: 'Note', value: note }], updatedAt });
    };
    const next = async (note: string, seen?: string): Promise<string> =>
      answered.parse((await change(note, seen)).body).response.updatedAt ?? '';
    const first = await next('b');
    expect(first).toMatch(/\.\d{3}Z$/);
    const cut = (at: string, by: string): string => at.replace(/\.\d{3}Z/, by);
    const second = await next('c', cut(first, 'Z'));
    const third = await next('d', cut(second, '+00:00'));
    await next('e', cut(third, `${third.slice(19, 21)}Z`));
    for (const stale of [first, cut(first, 'Z'), cut(third, '+00:00'), cut(third, '.9999Z')])
      expect((await change('late', stale)).status, stale).toBe(409);
  });
});
