import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { omit } from '../../server/base/omit.ts';
import {
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
  type NodeOffice,
  type Pair,
} from '../support/harness/node.ts';
import { customers } from '../support/data/office-lists.ts';
import { scriptedPartner, type ScriptedPartner } from '../support/partners/scripted-partner.ts';
import { BEHIND_A_PROXY } from '../support/reading/reader.ts';

let a: NodeOffice;
let b: NodeOffice;
let pair: Pair;
/** A's list, B's list that receives it, and the offer at B. */
let list: string;
let received: string;
let offer: string;

interface Column {
  readonly fieldID?: string;
  readonly kind: string;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
}

beforeEach(async () => {
  [a, b] = [await startNode('Oslo'), await startNode('Bergen')];
  pair = await pairNodes(a, b);
  list = await a.list('Customers', ['Name', 'City'], [{ Name: 'Anna', City: 'Oslo' }]);
  const from = { office: a, partner: pair.atInviter, list };
  const made = await shareAndReceive(from, ['Name', 'City'], { office: b, partner: pair.atInvited });
  ({ list: received, sharedModuleID: offer } = made);
});
afterEach(() => Promise.all([a.stop(), b.stop()]));

const sync = (): Promise<unknown> => b.app('POST', `/app/partners/${pair.atInvited}/sync`);
const addAtA = (values: Record<string, string[]>): Promise<unknown> =>
  a.app('POST', `/app/lists/${list}/rows`, { values });
const shareAtA = (fields: readonly string[]): Promise<unknown> =>
  a.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, { fields });

async function atB(): Promise<Record<string, string>[]> {
  return (await rowsOf(b, received)).map((row) => omit(row, 'recordID'));
}

/** What A says of B. */
async function atA(): Promise<string> {
  return (await a.app<{ reason: string }>('GET', `/app/partners/${pair.atInviter}`)).reason;
}

async function parkedAtB(): Promise<string[]> {
  const offers = await b.app<{ matches: { origin: string; parked?: string }[] }[]>(
    'GET',
    `/app/partners/${pair.atInvited}/offers`,
  );
  return offers.flatMap(({ matches }) => matches.flatMap((match) => (match.parked ? [match.origin] : [])));
}

/** Changes the columns of A's list. */
async function changeColumns(change: (columns: Column[]) => Column[]): Promise<void> {
  const { fields } = await a.app<{ fields: Column[] }>('GET', `/app/lists/${list}`);
  await a.app('PATCH', `/app/lists/${list}`, { fields: change(fields) });
}

describe('when the partner changes what it shares', () => {
  it('a column that is withdrawn parks its match, keeps its values, and is back-filled when it returns', async () => {
    await shareAtA(['Name']);
    await addAtA({ Name: ['Berit'], City: ['Bergen'] });
    await sync();
    expect(await parkedAtB()).toEqual(['City']);
    expect(await atB()).toEqual([{ Name: 'Anna', City: 'Oslo' }, { Name: 'Berit' }]);
    const { partners } = await b.node.overview();
    expect(partners[0]?.state).toBe('needs-you');
    // All that is shared still has arrived.
    await expect.poll(atA).toMatch(/has everything that you share with them\.$/);

    await shareAtA(['Name', 'City']);
    await sync();
    expect(await parkedAtB()).toEqual([]);
    expect(await atB()).toEqual([
      { Name: 'Anna', City: 'Oslo' },
      { Name: 'Berit', City: 'Bergen' },
    ]);
  });

  it('a renamed column parks its match and the rest goes on; matched anew, it is back-filled', async () => {
    await changeColumns((columns) =>
      columns.map((column) => (column.name === 'City' ? { ...column, name: 'Town', label: 'Town' } : column)),
    );
    await addAtA({ Name: ['Berit'], Town: ['Bergen'] });
    await sync();
    expect(await parkedAtB()).toEqual(['City']);
    expect((await atB()).map(({ Name }) => Name)).toEqual(['Anna', 'Berit']);
    await expect.poll(atA).toMatch(/^1 column that you share changed and doesn’t arrive at /);

    const matches = [
      { origin: 'Name', destination: 'Name' },
      { origin: 'Town', destination: 'City' },
    ];
    const path = `/app/partners/${pair.atInvited}/offers/${offer}/matching`;
    await b.app('PUT', path, { moduleID: received, matches });
    await sync();
    expect(await parkedAtB()).toEqual([]);
    expect((await atB()).map(({ City }) => City)).toEqual(['Oslo', 'Bergen']);
    await expect.poll(atA).toMatch(/has everything that you share with them\.$/);
  });

  it('a retyped column parks its match, so that nothing is read as what it no longer is', async () => {
    await changeColumns((columns) =>
      columns.map((column) => (column.name === 'City' ? { ...column, kind: 'Select' } : column)),
    );
    await addAtA({ Name: ['Berit'], City: ['Bergen'] });
    await sync();
    expect(await parkedAtB()).toEqual(['City']);
    expect(await atB()).toEqual([{ Name: 'Anna', City: 'Oslo' }, { Name: 'Berit' }]);
  });

  it('no column of a list that is withdrawn is to be matched again', async () => {
    const told = async (): Promise<string> =>
      JSON.stringify(await b.app('GET', `/app/partners/${pair.atInvited}`));
    await shareAtA(['Name']);
    await sync();
    expect(await told()).toContain('1 matched column changed');
    await a.app('DELETE', `/app/partners/${pair.atInviter}/shares/${list}`);
    await sync();
    expect(await told()).toContain('no longer shares “Customers”');
    expect(await told()).not.toContain('matched column');
  });

  it('a list that is withdrawn stays here with its rows, and goes on when it is shared again', async () => {
    await a.app('DELETE', `/app/partners/${pair.atInviter}/shares/${list}`);
    await addAtA({ Name: ['Berit'] });
    await sync();
    expect(await atB()).toEqual([{ Name: 'Anna', City: 'Oslo' }]);
    await shareAtA(['Name', 'City']);
    await sync();
    expect((await atB()).map(({ Name }) => Name)).toEqual(['Anna', 'Berit']);
  });
});

it('a change comes by itself between Footbridges, long before the next look is due', async () => {
  const live = async (): Promise<boolean> =>
    (await b.app<{ live: boolean }>('GET', `/federation/nodes/${pair.atInvited}/sync`)).live;
  await expect.poll(live, { timeout: 20_000 }).toBe(true);
  const began = performance.now();
  await addAtA({ Name: ['Berit'] });
  await expect.poll(async () => (await atB()).length, { timeout: 20_000, interval: 5 }).toBe(2);
  console.log(`a change was on the other side after ${Math.round(performance.now() - began)} ms`);
});

describe('what is fed to partners', () => {
  const rowsOfMany = (): string =>
    Papa.unparse(customers({ rows: 300 }).rows.map(({ CompanyName, City }) => ({ Name: CompanyName, City })));
  let partner: ScriptedPartner;
  afterEach(() => partner.close());

  /**
   * Returns the encodings in which each dialect's rows come to a partner to whom this office shares the list.
   * @param proxied the headers of a proxy between the two
   */
  async function encodings(
    office: NodeOffice,
    moduleID: string,
    choice: { fields: readonly string[]; titles?: Record<string, string> } = { fields: ['Name', 'City'] },
    proxied: Readonly<Record<string, string>> = BEHIND_A_PROXY,
  ): Promise<(string | null)[]> {
    partner = await scriptedPartner(office, 'Voss');
    await office.app('PUT', `/app/partners/${partner.nodeID}/shares/${moduleID}`, choice);
    const [share] = await office.app<{ exposureID: string }[]>(
      'GET',
      `/app/partners/${partner.nodeID}/shares`,
    );
    const exposure = share?.exposureID ?? '';
    const headers = {
      authorization: `Bearer ${partner.token}`,
      'accept-encoding': 'gzip',
      accept: 'application/json',
      'content-type': 'application/json',
      ...proxied,
    };
    const base = `${office.ready.federation}/federation`;
    const ask = async (path: string, body?: object): Promise<Response> => {
      const answer = await fetch(`${base}/${path}`, {
        headers,
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      });
      expect(answer.status).toBe(200);
      return answer;
    };
    const whole = await ask(`exposed/records/${exposure}?perPage=500`);
    const { response } = (await whole.clone().json()) as { response: { set: { recordID: string }[] } };
    expect(response.set.length).toBe(301);
    const answers = [
      whole,
      await ask(`nodes/${partner.nodeID}/modules/${exposure}/records/?limit=500`),
      await ask(`footbridge/modules/${exposure}/changes?after=0&limit=500`),
      await ask(`footbridge/modules/${exposure}/rows`, {
        recordIDs: response.set.slice(-90).map(({ recordID }) => recordID),
      }),
    ];
    return answers.map((answer) => answer.headers.get('content-encoding'));
  }

  it('is compressed between Footbridges where all rows of the list are ours', async () => {
    await a.app('POST', `/app/import?moduleID=${list}`, rowsOfMany());
    expect(await encodings(a, list)).toEqual([null, null, 'gzip', 'gzip']);
  });

  it('is not for a partner on this computer, where it only costs processor time', async () => {
    await a.app('POST', `/app/import?moduleID=${list}`, rowsOfMany());
    expect(await encodings(a, list, undefined, {})).toEqual([null, null, null, null]);
  });

  it('is not where others bring rows: the length would tell them what stands beside those', async () => {
    await b.app('POST', `/app/import?moduleID=${received}`, rowsOfMany());
    expect(await encodings(b, received)).toEqual([null, null, null, null]);
  });

  describe('where others bring rows of a list that its own rows refer to', () => {
    let orders: string;
    let customer: string;
    let name: string;
    beforeEach(async () => {
      const named = await b.app<{ fields: Column[] }>('GET', `/app/lists/${received}`);
      name = named.fields.find((field) => field.name === 'Name')?.fieldID ?? '';
      const column = (label: string): Column => ({ label, name: label, kind: 'String', isMulti: false });
      const refer = { ...column('Customer'), kind: 'Record', options: { moduleID: received } };
      const made = await b.app<{ moduleID: string; fields: Column[] }>('POST', '/app/lists', {
        name: 'Orders',
        fields: [column('Name'), column('City'), refer],
      });
      orders = made.moduleID;
      const { fields } = await b.app<{ fields: Column[] }>('GET', `/app/lists/${orders}`);
      customer = fields.find((field) => field.name === 'Customer')?.fieldID ?? '';
      await b.app('POST', `/app/import?moduleID=${orders}`, rowsOfMany());
      const [anna] = await rowsOf(b, received);
      await b.app('POST', `/app/lists/${orders}/rows`, {
        values: { Name: ['2026-0417'], Customer: [anna?.recordID ?? ''] },
      });
    });

    it('is not either, as it says what those are called', { tags: 'nightly-orders' }, async () => {
      const choice = { fields: ['Name', 'City', 'Customer'], titles: { [customer]: name } };
      expect(await encodings(b, orders, choice)).toEqual([null, null, null, null]);
    });

    it('is compressed as long as that column is not shared', async () => {
      expect(await encodings(b, orders)).toEqual([null, null, 'gzip', 'gzip']);
    });

    it(
      'is not where nobody brings rows of such a list either: it would tell that somebody does now',
      { tags: 'nightly-orders' },
      async () => {
        const column = (label: string): Column => ({ label, name: label, kind: 'String', isMulti: false });
        const make = async (
          name: string,
          fields: readonly object[],
        ): Promise<Column[] & { moduleID?: string }> => {
          const { moduleID } = await b.app<{ moduleID: string }>('POST', '/app/lists', { name, fields });
          const made = await b.app<{ fields: Column[] }>('GET', `/app/lists/${moduleID}`);
          return Object.assign(made.fields, { moduleID });
        };
        const towns = await make('Towns', [column('Name')]);
        const refer = { ...column('Town'), kind: 'Record', options: { moduleID: towns.moduleID } };
        const visits = await make('Visits', [column('Name'), column('City'), refer]);
        await b.app('POST', `/app/import?moduleID=${visits.moduleID}`, rowsOfMany());
        await b.app('POST', `/app/lists/${visits.moduleID}/rows`, { values: { Name: ['2026-0418'] } });
        const town = visits.find((field) => field.name === 'Town')?.fieldID ?? '';
        const choice = { fields: ['Name', 'City', 'Town'], titles: { [town]: towns[0]?.fieldID ?? '' } };
        expect(await encodings(b, visits.moduleID ?? '', choice)).toEqual([null, null, null, null]);
      },
    );
  });
});
