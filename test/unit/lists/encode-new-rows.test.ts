import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IncomingRow } from '../../../server/lists/definitions/model.ts';
import { applyIncoming, type ApplyContext } from '../../../server/lists/rows/apply-incoming.ts';
import { pickLiveRows } from '../../../server/lists/definitions/salvage.ts';
import { toCondition } from '../../../server/lists/query/condition.ts';
import { createNewRowsEncoder } from '../../../server/lists/rows/encode-new-rows.ts';
import { ROW_CODEC } from '../../../server/lists/rows/row-codec.ts';
import { lookUpCandidates } from '../../../server/lists/rows/candidates.ts';
import { listPartition, receivedKey } from '../../../server/lists/rows/row-table.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { originKey } from '../../../server/lists/rows/sources.ts';
import { fillTemplate } from '../../../server/store/engine/template.ts';
import type { Partition } from '../../../server/store/store.ts';
import { runsOf, seedOf } from '../../support/data/luck.ts';
import { customers } from '../../support/data/office-lists.ts';
import { incoming, makeList, testLists, text } from '../../support/harness/lists.ts';

const NODE = '900"1';
const COLUMNS = ['Name', 'City', 'Tags', 'a-b_C'];
const NOW = '2026-11-20T08:00:00.000Z';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '\n\u2028', '\ud800', '😀', '__proto__', '  blank '),
);
const anyName = fc.constantFrom(...COLUMNS, 'constructor', '12', 'Elsewhere');
const anyRow: fc.Arbitrary<IncomingRow> = fc.record(
  {
    recordID: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String), anyText),
    createdAt: fc.constantFrom(NOW, '2020-01-01T00:00:00.123456789+02:00'),
    updatedAt: fc.constantFrom(NOW, '1970-01-01T00:00:00Z'),
    values: fc.oneof(
      fc.dictionary(anyName, fc.array(anyText, { maxLength: 3 })),
      fc.tuple(anyText, anyText, anyText, anyText).map(([Name, City, Tags, last]) => ({
        ...{ Name: [Name], City: [City], Tags: [Tags], 'a-b_C': [last] },
      })),
    ),
    via: fc.array(fc.constantFrom('inst-a', 'inst-b', '', 'q"'), { maxLength: 3 }),
    origin: fc.record({ id: fc.constantFrom('abcdefghijklmnop', 'x"y'), at: fc.constant(NOW) }),
  },
  { requiredKeys: ['recordID', 'createdAt', 'updatedAt', 'values'] },
);

function contextOf(): ApplyContext {
  let made = 0;
  return { nodeID: NODE, columns: COLUMNS, now: NOW, newID: () => `4711${made++}` };
}

describe('the quick way in for rows that are new', () => {
  it('writes what reads as the plain way comes to, and names it alike', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 6 }), (rows) => {
        const [quick, plain] = [createNewRowsEncoder(contextOf()).fromRows, contextOf()];
        const received = rows.map((row) => receivedKey(NODE, row.recordID));
        const arrived = [...quick(rows, { received, origins: rows.map(originKey) })].flatMap((some) =>
          some.keys.map((recordID, at) => ({
            recordID,
            row: ROW_CODEC.decode(JSON.parse(fillTemplate(some.template, some.texts[at] ?? ''))),
            ...some.indexes[at],
          })),
        );
        for (const [at, row] of rows.entries()) {
          const { outcome, puts } = applyIncoming({ known: undefined, same: undefined }, row, plain);
          const [after] = puts.map((put) => put.after);
          expect([outcome, puts.length, puts[0]?.before]).toEqual(['created', 1, undefined]);
          expect(arrived[at]).toEqual({
            recordID: after?.recordID,
            row: after,
            received: receivedKey(NODE, row.recordID),
            origin: after?.received && originKey(after.received),
          });
        }
      }),
      { numRuns: runsOf(300, 100), seed: seedOf(501) },
    );
  });

  it('writes rows of ours as they are, and without what they came with', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 6 }), (rows) => {
        const ours = rows.map((row, at) => ({ ...row, recordID: `4711${at}` }));
        const own = createNewRowsEncoder({ ...contextOf(), nodeID: undefined, by: '7"' });
        const kept = [...own.fromRows(ours)].flatMap(({ keys, template, texts, indexes }) =>
          keys.map((key, at) => ({
            ...{ key, indexes: indexes[at] },
            row: ROW_CODEC.decode(JSON.parse(fillTemplate(template, texts[at] ?? ''))),
          })),
        );
        const stamps = { createdAt: NOW, createdBy: '7"', updatedAt: NOW, updatedBy: '7"' };
        expect(kept).toEqual(
          ours.map(({ recordID, values }) => {
            const filled = COLUMNS.flatMap((name) => (values[name]?.[0] === undefined ? [] : [name]));
            const row = { recordID, values: Object.fromEntries(filled.map((name) => [name, values[name]])) };
            return { key: recordID, indexes: {}, row: { ...row, ...stamps } };
          }),
        );
      }),
      { numRuns: runsOf(300, 100), seed: seedOf(502) },
    );
  });

  it('writes one template for the rows of a list, whichever of their columns are empty', () => {
    const { columns, rows } = customers();
    const quick = createNewRowsEncoder({ ...contextOf(), columns }).fromRows;
    const sent = rows.map((texts, at) => {
      const filled = Object.entries(texts).filter((_, column) => (at >> column) % 2 === 0);
      return incoming(String(1000 + at), 1, Object.fromEntries(filled));
    });
    const lines = [...quick(sent, { received: [], origins: [] })];
    expect(new Set(sent.map(({ values }) => Object.keys(values).length)).size).toBeGreaterThan(2);
    expect(new Set(lines.map(({ template }) => template.join()))).toHaveProperty('size', 1);
    expect(lines.map(({ keys }) => keys.length)).toEqual([...Array<number>(6).fill(64), 16]);
  });

  it('keeps an answer “no”, which is an empty text, beside rows without an answer', () => {
    const quick = createNewRowsEncoder({ ...contextOf(), columns: ['Paid'] }).fromRows;
    const answers = [['1'], [''], [], ['1'], [''], ['1']];
    const sent = answers.map((Paid, at) => ({ ...incoming(String(at), 1, {}), values: { Paid } }));
    const lines = [...quick(sent, { received: [], origins: [] })];
    const stored = lines.flatMap(({ template, texts }) =>
      texts.map((each): unknown => JSON.parse(fillTemplate(template, each))),
    );
    const read = stored.map(ROW_CODEC.decode);
    expect(pickLiveRows(stored)).toEqual(read.map(({ values }) => values));
    expect(read.map(({ values, received }) => [values.Paid ?? [], received?.values.Paid])).toEqual(
      answers.map((answer) => [answer, answer]),
    );
    // Only a row without an answer is unlike the others, once there was a “no”.
    expect(lines.map(({ keys }) => keys.length)).toEqual([1, 1, 1, 3]);
  });

  it('leaves the list as the plain way does: rows, counts and what they are found under, after a start too', async () => {
    const lists = await testLists();
    const { columns, rows: people } = customers();
    const fields = columns.map((name) => text(name));
    const { rows: quick } = await makeList(lists, fields, 'Quick');
    const { rows: plain } = await makeList(lists, fields, 'Plain');
    const sent = people.map((texts, at) =>
      incoming(String(1000 + at), at, texts, {
        via: ['inst-a'],
        origin: { id: `origin-of-row-${String(at).padStart(6, '0')}`, at: NOW },
      }),
    );
    const known = incoming('1', 1, { City: 'Ulm' });
    const receive = (rows: Rows, page: readonly IncomingRow[]): ReturnType<Rows['receive']> =>
      rows.receive({ nodeID: '900', rows: page, mappedColumns: columns });
    await receive(quick, [known]);
    await receive(plain, [known]);
    for (let at = 0; at < sent.length; at += 40) {
      const page = sent.slice(at, at + 40);
      expect(await receive(quick, page)).toEqual({ created: 40, updated: 0, deleted: 0, unchanged: 0 });
      // A row that is here already keeps the whole of a page from the quick way.
      expect(await receive(plain, [known, ...page])).toMatchObject({ created: 40, unchanged: 1 });
    }
    const ids = [quick.moduleID, plain.moduleID];
    for (const again of [false, true]) {
      const { lists: opened } = again ? await lists.reopen() : lists;
      const [one, other] = await Promise.all(ids.map(async (id) => stateOf(await opened.rows(id), sent)));
      expect(one).toEqual(other);
      expect(one?.counts).toMatchObject({ total: 401, received: { 900: 401 } });
    }
  });

  it('is taken where nothing is known of any of fifty rows, and where no two are one', async () => {
    const { rows, source } = await receivingList();
    const all = Array.from({ length: 50 }, (_, at) => arriving(at));
    const areNew = async (some: readonly IncomingRow[]): Promise<boolean> =>
      (await lookUpCandidates(source, '900', some)).allNew;
    expect(await areNew(all)).toBe(true);
    expect(await areNew([...all, arriving(7, { recordID: '99' })])).toBe(false);
    expect(await areNew([...all, arriving(99, { recordID: all[7]?.recordID ?? '' })])).toBe(false);
    await rows.receive({ nodeID: '900', rows: [arriving(7)], mappedColumns: ['Name'] });
    expect(await areNew(all)).toBe(false);
    expect(await areNew(all.slice(8))).toBe(true);
  });

  it('knows again what it wrote: under another id of the same page, and by another partner', async () => {
    const { rows } = await receivingList();
    const page = Array.from({ length: 120 }, (_, at) => arriving(at));
    // Behind the fifty that the first one is among.
    const twice = [...page.slice(0, 70), arriving(3, { recordID: '9003' }), ...page.slice(70)];
    const received = { nodeID: '900', rows: twice, mappedColumns: ['Name'] };
    expect(await rows.receive(received)).toMatchObject({ created: 120 });
    expect(await rows.count()).toBe(120);
    const byOther = page.map((row) => ({ ...row, recordID: `7${row.recordID}`, via: ['inst-a', 'inst-b'] }));
    expect(await rows.receive({ nodeID: '901', rows: byOther, mappedColumns: ['Name'] })).toMatchObject({
      created: 0,
    });
    expect(await rows.counts()).toMatchObject({ total: 120, received: { 900: 120, 901: 120 } });
    const [row] = await rows.findReceived('901', ['71005']);
    expect((await rows.history(row?.recordID ?? '')).changes).toEqual([]);
  });

  it('shows new rows to who sees those of a list that meet a condition', async () => {
    const { lists, changes } = await testLists();
    const { namespaceID } = await lists.defaultNamespace();
    const { moduleID, fields } = await lists.createModule(namespaceID, {
      name: 'Customers',
      fields: [text('Name'), text('City')],
    });
    const rows = await lists.rows(moduleID);
    const wish = { join: 'all', parts: [{ column: 'City', test: 'is', value: 'Ulm' }] } as const;
    const inUlm = toCondition(wish, fields);
    lists.setRowFilter(moduleID, '91', inUlm);
    await rows.build('91');
    const sent = ['Ulm', 'Bonn', 'Ulm'].map((City, at) => incoming(String(at), 1, { Name: `N${at}`, City }));
    await rows.receive({ nodeID: '900', rows: sent, mappedColumns: ['Name', 'City'] });
    const seen = await rows.visibleTo('91', inUlm).changesSince({ afterSeq: 0 }, 9);
    expect(seen.map(({ value }) => value.values.Name)).toEqual([['N0'], ['N2']]);
    expect(changes.at(-1)).toMatchObject({ kind: 'rows', filterIDs: new Set(['91']) });
  });
});

const arriving = (at: number, more: Partial<IncomingRow> = {}): IncomingRow => ({
  ...incoming(
    String(1000 + at),
    1,
    { Name: `Row ${at}` },
    {
      via: ['inst-a'],
      origin: { id: `origin-of-row-${String(at).padStart(6, '0')}`, at: NOW },
    },
  ),
  ...more,
});

async function receivingList(): Promise<{ rows: Rows; source: Partition }> {
  const setup = await testLists();
  const { rows } = await makeList(setup, [text('Name')]);
  return { rows, source: await setup.store.partition(listPartition(rows.moduleID)) };
}

async function stateOf(
  rows: Rows,
  sent: readonly IncomingRow[],
): Promise<{ counts: object; found: object[] }> {
  const found = await rows.findReceived(
    '900',
    sent.map(({ recordID }) => recordID),
  );
  // Which id and time they were given here is not the same.
  const seen = found.map((row) => ({
    ...row,
    ...{ recordID: '', createdAt: '', updatedAt: '' },
    received: { ...row?.received, receivedAt: '' },
  }));
  return { counts: await rows.counts(), found: seen };
}
