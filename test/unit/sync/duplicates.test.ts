import { describe, expect, it } from 'vitest';
import { openLists } from '../../../server/lists/lists.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { createDuplicateFinder } from '../../../server/sync/compare/duplicate-rows.ts';
import { countDuplicates, findDuplicates } from '../../../server/sync/compare/duplicates.ts';
import type { SyncFederation } from '../../../server/sync/ports.ts';
import { openListStates } from '../../../server/sync/status/list-states.ts';
import { countingStore } from '../../support/reading/counting-store.ts';
import { incoming, makeList, testLists, values, type TestLists } from '../../support/harness/lists.ts';

const TURKU = '902';
const COLUMNS = ['Name', 'City'];

describe('rows that a partner brings a second time', () => {
  it('are those that were there with the same values, once each at the partner', async () => {
    const { rows } = await makeList(await testLists());
    const ours = [
      { Name: 'Ada', City: 'Ulm', Note: 'ours' },
      { Name: 'Ada', City: 'Ulm' },
      { Name: 'Grace', City: 'Kiel' },
      { Name: 'Emmy', City: 'Erlangen' },
      { Note: 'nothing that they fill' },
    ];
    await rows.createMany(ours.map(values), '7');
    const theirs = [
      { Name: 'Ada', City: 'Ulm' },
      { Name: 'Grace', City: 'Kiel' },
      { Name: 'Grace', City: 'Kiel' },
      { Name: 'Emmy', City: 'Göttingen' },
      {},
    ];
    const sent = theirs.map((row, at) => incoming(String(20 + at), 5, row));
    await rows.receive({ nodeID: TURKU, rows: sent, mappedColumns: COLUMNS });
    expect(await countDuplicates(rows, { nodeID: TURKU, installation: undefined }, COLUMNS)).toBe(1);
    const found = await findDuplicates(rows, { nodeID: TURKU }, COLUMNS);
    const named = await Promise.all(
      found.map(async ({ before, came }) => [
        ...(await Promise.all(before.map(async (recordID) => (await rows.get(recordID)).values.Note))),
        (await rows.get(came)).received?.recordID,
      ]),
    );
    expect(named).toEqual([[['ours'], undefined, '20']]);
  });

  it('are known after the list was gone through once, and the partner’s a second time where there are very many', async () => {
    const { rows } = await makeList(await testLists());
    await fill(rows, 300);
    const { scans, counted } = scansOf(rows);
    const once = await findDuplicates(counted, { nodeID: TURKU }, COLUMNS);
    expect([once.length, scans()]).toEqual([300, 1]);
    expect(await findDuplicates(counted, { nodeID: TURKU }, COLUMNS, 250)).toEqual(once);
    expect(scans()).toBe(3);
  });

  it('are not looked for again where some of them went, and are where anything else happened', async () => {
    const { scans, seen, rows } = await looking(await testLists(), 40);
    const first = await seen();
    expect([first.recordIDs.length, scans()]).toEqual([80, 1]);
    expect(await seen()).toBe(first);

    const before = first.recordIDs.filter((recordID) => first.which.get(recordID) === 'before');
    await rows.removeMany(before.slice(0, 30), '7');
    expect((await seen()).recordIDs).toEqual(first.recordIDs.slice(60));
    expect(scans()).toBe(1);

    await rows.restoreMany(before.slice(0, 10), '7');
    expect(new Set((await seen()).recordIDs)).toEqual(
      new Set([...first.recordIDs.slice(0, 20), ...first.recordIDs.slice(60)]),
    );
    expect(scans()).toBe(2);
  });

  it('are not all read for each page that one looks at', async () => {
    const made = await testLists();
    const { module, rows } = await makeList(made);
    await fill(rows, 400);
    const counting = countingStore(made.store);
    const lists = await openLists({ store: counting.store, clock: made.clock, ids: made.ids });
    const among = (await findDuplicates(rows, { nodeID: TURKU }, COLUMNS)).flatMap(({ before, came }) => [
      ...before,
      came,
    ]);
    const pageAt = async (offset: number): Promise<readonly string[]> => {
      const options = { offset, limit: 100, incTotal: true, among };
      const { rows: found, total } = await lists.listAsShown(module.moduleID, options);
      expect(total).toBe(800);
      return found.map(({ recordID }) => recordID);
    };
    const all = [await pageAt(0)];
    expect(counting.taken()).toBeGreaterThan(800);
    for (let offset = 100; offset < 800; offset += 100) all.push(await pageAt(offset));
    expect(all.flat()).toEqual(among);
    expect(counting.taken()).toBeLessThan(7 * 120);
  });
});

/** So many rows of ours, all of which the partner brings as well. */
async function fill(rows: Rows, count: number): Promise<void> {
  const texts = Array.from({ length: count }, (_, at) => ({ Name: `Firm ${String(at)}`, City: 'Ulm' }));
  await rows.createMany(texts.map(values), '7');
  const sent = texts.map((row, at) => incoming(String(1000 + at), 5, row));
  await rows.receive({ nodeID: TURKU, rows: sent, mappedColumns: COLUMNS });
}

/** The same rows, and how often all of them were gone through. */
function scansOf(rows: Rows): { readonly scans: () => number; readonly counted: Rows } {
  let scans = 0;
  const counted: Rows = {
    ...rows,
    scan(options) {
      scans++;
      return rows.scan(options);
    },
  };
  return { scans: () => scans, counted };
}

/** What looks at so many doubled rows of a list. */
async function looking(
  made: TestLists,
  count: number,
): Promise<{
  readonly rows: Rows;
  readonly scans: () => number;
  readonly seen: () => ReturnType<ReturnType<typeof createDuplicateFinder>>;
}> {
  const { module, rows } = await makeList(made);
  await fill(rows, count);
  const { scans, counted } = scansOf(rows);
  const fields = COLUMNS.map((name) => ({ destination: { name } }));
  const mapping = { federationModuleID: '9', composeModuleID: module.moduleID, fields };
  const federation = {
    mappings: { list: () => Promise.resolve([mapping]) },
    nodes: { get: () => Promise.resolve({ nodeID: TURKU }) },
    tokens: { installation: () => Promise.resolve(undefined) },
  } as unknown as SyncFederation;
  const states = await openListStates(await made.store.partition('system'));
  const lists = { rows: () => Promise.resolve(counted), module: () => Promise.resolve(module) };
  const doubles = createDuplicateFinder({ lists, federation, states, onStatus: () => undefined });
  return { rows, scans, seen: () => doubles(TURKU, '9', module.moduleID) };
}
