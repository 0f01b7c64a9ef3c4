import { afterEach, beforeEach, expect, it } from 'vitest';
import { omit } from '../../server/base/omit.ts';
import type { Field } from '../../server/lists/definitions/model.ts';
import type { Lists } from '../../server/lists/lists.ts';
import { listsAt } from '../support/harness/lists.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/harness/temporary-folder.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';

/** Bergen is killed when a change of the columns that receive is on its disk, and before the matches follow. */

const COLUMNS = ['Name', 'City', 'Phone'];

let oslo: NodeOffice;
let bergen: NodeOffice;
let home: TemporaryFolder;
let oslosList: string;
let osloAtBergen: string;
let received: string;

beforeEach(async () => {
  home = await temporaryFolder();
  [oslo, bergen] = [await startNode('Oslo'), await startNode('Bergen', { dataDir: home.path })];
  const pair = await pairNodes(oslo, bergen);
  osloAtBergen = pair.atInvited;
  oslosList = await oslo.list('Customers', COLUMNS, [{ Name: 'Anna', City: 'Voss', Phone: '41' }]);
  const from = { office: oslo, partner: pair.atInviter, list: oslosList };
  const made = await shareAndReceive(from, COLUMNS, { office: bergen, partner: osloAtBergen });
  received = made.list;
});
afterEach(async () => {
  await Promise.all([oslo.stop(), bergen.stop()]);
  await home.remove();
});

/** Changes the lists of Bergen as they are on the disk, and starts it. */
async function killedBehind(change: (lists: Lists) => Promise<unknown>): Promise<void> {
  await bergen.stop();
  const { store, lists } = await listsAt(home.path);
  await change(lists);
  await store.close();
  bergen = await startNode('Bergen', { dataDir: home.path });
}

const withColumns =
  (change: (fields: readonly Field[]) => readonly Omit<Field, 'fieldID'>[]) =>
  async (lists: Lists): Promise<unknown> =>
    lists.updateModule(received, { fields: change((await lists.module(received)).fields) });

async function pulled(): Promise<Record<string, string>[]> {
  await oslo.app('POST', `/app/lists/${oslosList}/rows`, {
    values: { Name: ['Berit'], City: ['Bergen'], Phone: ['55'] },
  });
  await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
  return (await rowsOf(bergen, received)).map((row) => omit(row, 'recordID'));
}

interface Offered {
  readonly matches: readonly { readonly destination: string; readonly parked?: string }[];
}
async function matched(): Promise<string[]> {
  const offers = await bergen.app<Offered[]>('GET', `/app/partners/${osloAtBergen}/offers`);
  return offers.flatMap(({ matches }) =>
    matches.map(({ destination, parked }) => (parked === undefined ? destination : `(${destination})`)),
  );
}

const renamed =
  (names: Readonly<Record<string, string>>) =>
  (fields: readonly Field[]): Field[] =>
    fields.map((field) => ({ ...field, name: names[field.name] ?? field.name }));

it('a column that got another name stays matched', { tags: 'nightly-orders' }, async () => {
  await killedBehind(withColumns(renamed({ City: 'Ort' })));
  expect(await pulled()).toEqual([
    { Name: 'Anna', Ort: 'Voss', Phone: '41' },
    { Name: 'Berit', Ort: 'Bergen', Phone: '55' },
  ]);
  expect(await matched()).toEqual(['Name', 'Ort', 'Phone']);
});

it('no value comes into a column that has the name of another one since', async () => {
  const swap = renamed({ City: 'Phone', Phone: 'City' });
  await killedBehind(withColumns(swap));
  expect(await pulled()).toEqual([
    { Name: 'Anna', Phone: 'Voss', City: '41' },
    { Name: 'Berit', Phone: 'Bergen', City: '55' },
  ]);
  // And again, with nothing in between.
  await killedBehind(withColumns(swap));
  await killedBehind(() => Promise.resolve());
  expect((await pulled()).at(-1)).toEqual({ Name: 'Berit', City: 'Bergen', Phone: '55' });
});

it('a column that is gone parks its match until it is back', async () => {
  const city = { name: 'City', label: 'City', kind: 'String', isMulti: false } as const;
  await killedBehind(withColumns((fields) => fields.filter(({ name }) => name !== 'City')));
  expect((await pulled()).at(-1)).toEqual({ Name: 'Berit', Phone: '55' });
  expect(await matched()).toEqual(['Name', '(City)', 'Phone']);
  await killedBehind(withColumns((fields) => [...fields, { ...city, isRequired: false, options: {} }]));
  expect(await matched()).toEqual(['Name', 'City', 'Phone']);
  expect((await pulled()).at(-1)).toEqual({ Name: 'Berit', City: 'Bergen', Phone: '55' });
});

it(
  'a column that took the name of one that is gone gets nothing that was meant for that',
  { tags: 'nightly-orders' },
  async () => {
    const onePhone = withColumns((fields) =>
      renamed({ Phone: 'City' })(fields.filter(({ name }) => name !== 'City')),
    );
    await killedBehind(onePhone);
    expect(await pulled()).toEqual([
      { Name: 'Anna', City: '41' },
      { Name: 'Berit', City: '55' },
    ]);
    // However often one looks, and whatever changes later.
    await killedBehind(withColumns(renamed({ Name: 'Who' })));
    await bergen.app('PATCH', `/app/lists/${received}`, { name: 'Clients' });
    expect(await matched()).toEqual(['Who', '(City)', 'City']);
    expect((await pulled()).at(-1)).toEqual({ Who: 'Berit', City: '55' });
  },
);

it('the match into a list that is gone ends, and the offer can be received anew', async () => {
  await killedBehind((lists) => lists.removeModule(received));
  expect(await matched()).toEqual([]);
});
