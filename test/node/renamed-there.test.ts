import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Offer } from '../../server/contract/app/sharing.ts';
import { customers } from '../support/data/office-lists.ts';
import { pairNodes, rowsOf, startNode, type NodeOffice } from '../support/harness/node.ts';

const COLUMNS = ['CustomerID', 'City', 'Phone'];
const ROWS = customers({ rows: 12, seed: 29 }).rows.map(({ CustomerID = '', City = '', Phone = '' }) => ({
  CustomerID,
  City,
  Phone,
}));
const CITIES = ROWS.map(({ City }) => City).sort();
const PHONES = ROWS.map(({ Phone }) => Phone).sort();

let oslo: NodeOffice;
let bergen: NodeOffice;
let vaasa: NodeOffice;
let list: Record<'oslo' | 'bergen' | 'vaasa', string>;
/** What Bergen knows Oslo as, and Vaasa Bergen. */
let from: Record<'oslo' | 'bergen', string>;

async function flow(
  giver: { readonly office: NodeOffice; readonly list: string },
  taker: { readonly office: NodeOffice; readonly list: string },
  shared: readonly string[],
  matched: readonly string[],
): Promise<string> {
  const { atInviter, atInvited } = await pairNodes(giver.office, taker.office);
  await giver.office.app('PUT', `/app/partners/${atInviter}/shares/${giver.list}`, { fields: shared });
  await sync(taker.office, atInvited);
  await match(taker, atInvited, matched);
  await sync(taker.office, atInvited);
  return atInvited;
}
const sync = (office: NodeOffice, partner: string): Promise<unknown> =>
  office.app('POST', `/app/partners/${partner}/sync`);
async function offerOf(office: NodeOffice, partner: string): Promise<Offer> {
  const [offer] = await office.app<Offer[]>('GET', `/app/partners/${partner}/offers`);
  if (!offer) throw new Error('Nothing is offered.');
  return offer;
}
async function match(
  taker: { readonly office: NodeOffice; readonly list: string },
  partner: string,
  names: readonly string[],
): Promise<void> {
  const { sharedModuleID } = await offerOf(taker.office, partner);
  const matches = names.map((name) => ({ origin: name, destination: name }));
  await taker.office.app('PUT', `/app/partners/${partner}/offers/${sharedModuleID}/matching`, {
    moduleID: taker.list,
    matches,
  });
}

/** Oslo calls two columns by each other's name, and nothing else of them changes. */
async function swap(): Promise<void> {
  const path = `/app/lists/${list.oslo}`;
  const { fields } = await oslo.app<{ fields: { name: string }[] }>('GET', path);
  const other: Readonly<Record<string, string>> = { City: 'Phone', Phone: 'City' };
  const swapped = fields.map((field) => ({ ...field, name: other[field.name] ?? field.name }));
  await oslo.app('PATCH', path, { fields: swapped });
}
async function passedOn(): Promise<void> {
  await sync(bergen, from.oslo);
  await sync(vaasa, from.bergen);
}
async function values(office: NodeOffice, of: string, column: string): Promise<string[]> {
  return (await rowsOf(office, of)).map((row) => row[column] ?? '').sort();
}
const parkedAtBergen = async (): Promise<(string | undefined)[]> =>
  (await offerOf(bergen, from.oslo)).matches.map(({ parked }) => parked);

beforeEach(async () => {
  [oslo, bergen, vaasa] = [await startNode('Oslo'), await startNode('Bergen'), await startNode('Vaasa')];
  list = {
    oslo: await oslo.list('Customers', COLUMNS, ROWS),
    bergen: await bergen.list('Clients', COLUMNS),
    vaasa: await vaasa.list('Contacts', COLUMNS),
  };
  from = {
    oslo: await flow({ office: oslo, list: list.oslo }, { office: bergen, list: list.bergen }, COLUMNS, [
      'CustomerID',
      'City',
    ]),
    bergen: '',
  };
  const names = ['CustomerID', 'City'];
  const next = { office: vaasa, list: list.vaasa };
  from.bergen = await flow({ office: bergen, list: list.bergen }, next, names, names);
});
afterEach(() => Promise.all([oslo, bergen, vaasa].map((office) => office.stop())));

describe('when a partner calls another column by the name of one that is matched', () => {
  it('its values do not come in its place, nor go on to others, until it is matched anew', async () => {
    expect(await values(vaasa, list.vaasa, 'City')).toEqual(CITIES);
    await swap();
    await passedOn();
    expect(await values(bergen, list.bergen, 'City')).toEqual(CITIES);
    expect(await values(vaasa, list.vaasa, 'City')).toEqual(CITIES);
    expect(await parkedAtBergen()).toEqual([undefined, expect.stringContaining('City')]);

    await match({ office: bergen, list: list.bergen }, from.oslo, ['CustomerID', 'City']);
    await passedOn();
    expect(await parkedAtBergen()).toEqual([undefined, undefined]);
    expect(await values(bergen, list.bergen, 'City')).toEqual(PHONES);
  });

  it(
    'the match goes on by itself when the first column has its name again',
    { tags: 'nightly-orders' },
    async () => {
      await swap();
      await passedOn();
      await swap();
      await passedOn();
      expect(await parkedAtBergen()).toEqual([undefined, undefined]);
      const { recordID } = await oslo.app<{ recordID: string }>('POST', `/app/lists/${list.oslo}/rows`, {
        values: { CustomerID: ['NEW-1'], City: ['Ålesund'], Phone: ['+47 70 12 34 56'] },
      });
      expect(recordID).not.toBe('');
      await passedOn();
      expect(await values(vaasa, list.vaasa, 'City')).toEqual([...CITIES, 'Ålesund'].sort());
    },
  );
});
