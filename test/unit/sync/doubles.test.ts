import { describe, expect, it } from 'vitest';
import { countDoubles, findDoubles } from '../../../server/sync/compare/doubles.ts';
import { incoming, makeList, testLists, values } from '../../support/harness/lists.ts';

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
    expect(await countDoubles(rows, { nodeID: TURKU, installation: undefined }, COLUMNS)).toBe(1);
    const found = await findDoubles(rows, { nodeID: TURKU }, COLUMNS);
    const named = await Promise.all(
      found.map(async ({ before, came }) => [
        ...(await Promise.all(before.map(async (recordID) => (await rows.get(recordID)).values.Note))),
        (await rows.get(came)).received?.recordID,
      ]),
    );
    expect(named).toEqual([[['ours'], undefined, '20']]);
  });
});
