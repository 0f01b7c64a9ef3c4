import { describe, expect, it } from 'vitest';
import { openLists } from '../../../server/lists/lists.ts';
import { listPartition } from '../../../server/lists/rows/row-table.ts';
import { fillReferences } from '../../../server/sync/pull/fill-references.ts';
import type { PullJob } from '../../../server/sync/pull/job.ts';
import { REFERRING, rowKey } from '../../../server/sync/tables.ts';
import { countingStore } from '../../support/reading/counting-store.ts';
import { incoming, makeList, testLists, text } from '../../support/harness/lists.ts';

const NODE = '902';
const OFFER = '77';
const ORDERS = 5200;
const customerOf = (order: number): string => `523397${800_000_000_000 + order * 3}`;

/** Orders that name a customer each, none of whom has arrived, and the list that customers come into. */
async function orders(): Promise<{
  fill: () => Promise<void>;
  /** What was read of the store since it was asked for last. */
  taken: () => number;
  arrive: (order: number, name: string) => Promise<void>;
  /** Puts the customer of an order into the bin. Returns how to restore it. */
  bin: (order: number) => Promise<() => Promise<unknown>>;
  shown: (order: number) => Promise<readonly string[] | undefined>;
  lastSeq: () => Promise<number>;
}> {
  const set = await testLists();
  const counting = countingStore(set.store);
  const { store } = counting;
  const { module } = await makeList(set, [text('Subject'), text('Customer')]);
  const customers = await makeList(set, [text('Name')]);
  const lists = await openLists({ ...set, store });
  const rows = await lists.rows(module.moduleID);
  const sent = Array.from({ length: ORDERS }, (_, at) =>
    incoming(String(100_000 + at), 5, { Subject: `Order ${at * 7} of boards` }),
  );
  await rows.receive({
    nodeID: NODE,
    rows: sent,
    mappedColumns: ['Subject', 'Customer'],
    also: (tx) => {
      for (const [at, { recordID }] of sent.entries())
        tx.put(REFERRING, rowKey(OFFER, recordID), {
          sharedModuleID: OFFER,
          recordID,
          values: [['Customer', [customerOf(at)]]],
        });
    },
  });
  const [subject, customer] = ['Subject', 'Customer'].map((name) => ({
    ...{ name, label: name, isMulti: false },
    kind: name === 'Customer' ? ('Record' as const) : ('String' as const),
  })) as [PullJob['shared']['fields'][number], PullJob['shared']['fields'][number]];
  const createdAt = '2026-02-02T08:00:00.000Z';
  const job: PullJob = {
    shared: {
      ...{ moduleID: OFFER, nodeID: NODE, externalFederationModuleID: '9', createdAt },
      ...{ handle: 'orders', name: 'Orders', fields: [subject, customer] },
    },
    mapping: {
      ...{ nodeID: NODE, federationModuleID: OFFER, composeModuleID: module.moduleID },
      ...{ composeNamespaceID: module.namespaceID, shape: 1, createdAt },
      fields: [subject, customer].map((origin) => ({ origin, destination: { ...origin, kind: 'String' } })),
    },
    module,
  };
  const from = [module.moduleID, customers.module.moduleID];
  return {
    taken: () => counting.taken(),
    fill: () => fillReferences({ store, lists }, job, from),
    async arrive(order, name) {
      const row = incoming(customerOf(order), 9, { Name: name });
      const target = await lists.rows(customers.module.moduleID);
      await target.receive({ nodeID: NODE, rows: [row], mappedColumns: ['Name'] });
    },
    async bin(order) {
      const target = await lists.rows(customers.module.moduleID);
      const [row] = await target.findReceived(NODE, [customerOf(order)]);
      const recordID = row?.recordID ?? '';
      await target.remove(recordID, '1');
      return () => target.restore(recordID, '1');
    },
    async shown(order) {
      const [row] = await rows.findReceived(NODE, [String(100_000 + order)]);
      return row?.values.Customer;
    },
    lastSeq: async () => (await store.partition(listPartition(module.moduleID))).lastSeq(),
  };
}

describe('rows that name others which never arrive', () => {
  it('are not looked through where nothing came in, and nothing is written for them', async () => {
    const { fill, taken, lastSeq } = await orders();
    for (let pull = 0; pull < 4; pull++) await fill();
    const before = await lastSeq();
    taken();
    await fill();
    expect(taken()).toBeLessThan(20);
    expect(await lastSeq()).toBe(before);
  });

  it('make no pull longer than some of them do, and each is filled in once what it names is there', async () => {
    const { fill, taken, arrive, shown } = await orders();
    for (let pull = 0; pull < 4; pull++) await fill();
    await arrive(ORDERS - 1, 'Ćevabdžinica Sava');
    taken();
    let pulls = 0;
    while (pulls < 4 && (await shown(ORDERS - 1)) === undefined) {
      taken();
      await fill();
      pulls++;
      // Each row that is looked through takes some six; all of them would come to twice that.
      expect(taken()).toBeLessThan(ORDERS * 3);
    }
    expect(await shown(ORDERS - 1)).toEqual(['Ćevabdžinica Sava']);
    expect(await shown(0)).toBeUndefined();
  });
});

describe('a row that names one in the bin', () => {
  it('waits for it, and shows it once it is restored', async () => {
    const { fill, arrive, bin, shown } = await orders();
    await arrive(0, 'Werft Nord');
    const restore = await bin(0);
    for (let pull = 0; pull < 4; pull++) await fill();
    expect(await shown(0)).toBeUndefined();
    await restore();
    for (let pull = 0; pull < 4; pull++) await fill();
    expect(await shown(0)).toEqual(['Werft Nord']);
  });
});
