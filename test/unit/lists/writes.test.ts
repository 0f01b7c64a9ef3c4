import { describe, expect, it } from 'vitest';
import { createIds } from '../../../server/base/ids.ts';
import type { Row, Values } from '../../../server/lists/definitions/model.ts';
import { openLists } from '../../../server/lists/lists.ts';
import { EVERY_ROW } from '../../../server/lists/query/condition.ts';
import { incoming, makeList, testLists, text, values } from '../../support/harness/lists.ts';

describe('writing rows', () => {
  it('creates, replaces and patches: replace empties what is not named, patch keeps it', async () => {
    const setup = await testLists();
    const { rows } = await makeList(setup);
    const made = await rows.create(values({ Name: 'a', City: 'b' }), '7');
    expect(made).toMatchObject({ createdBy: '7', updatedBy: '7', createdAt: '2026-01-01T00:00:00.000Z' });
    setup.clock.advance(1000);
    const patched = await rows.patch(made.recordID, values({ City: 'c' }), '8');
    expect(patched).toMatchObject({
      values: values({ Name: 'a', City: 'c' }),
      updatedBy: '8',
      createdBy: '7',
    });
    expect(patched.updatedAt > made.updatedAt).toBe(true);
    expect((await rows.replace(made.recordID, values({ City: 'd' }), '7')).values).toEqual(
      values({ City: 'd' }),
    );
    expect(await (await (await setup.reopen()).lists.rows(rows.moduleID)).get(made.recordID)).toMatchObject({
      values: values({ City: 'd' }),
    });
  });

  it('adds a row once for each key of its user, also after a restart, unless it was taken back', async () => {
    const setup = await testLists();
    const { rows } = await makeList(setup);
    const add = (Name: string, by: string, key: string): Promise<Row> =>
      rows.create(values({ Name }), by, key);
    const added = await Promise.all([add('a', '7', 'k'), add('a', '7', 'k'), add('a', '8', 'k')]);
    expect(new Set(added.map(({ recordID }) => recordID)).size).toBe(2);
    const { lists } = await setup.reopen();
    const opened = await lists.rows(rows.moduleID);
    // Typed on since.
    const again = await opened.create(values({ Name: 'a', City: 'Ulm' }), '7', 'k');
    expect(again).toMatchObject({ recordID: added[0].recordID, values: values({ Name: 'a', City: 'Ulm' }) });
    expect(await opened.counts()).toMatchObject({ total: 2 });
    await opened.remove(again.recordID, '7');
    expect((await opened.create(values({ Name: 'a' }), '7', 'k')).recordID).not.toBe(again.recordID);
    const undone = await opened.create(values({ Name: 'c' }), '7', 'other');
    await opened.undo('7');
    expect((await opened.create(values({ Name: 'c' }), '7', 'other')).recordID).not.toBe(undone.recordID);
  });

  it('keeps what was edited in an added row when it is asked for again', async () => {
    const { rows } = await makeList(await testLists());
    const { recordID } = await rows.create(values({ Name: 'a' }), '7', 'k');
    await rows.patch(recordID, values({ City: 'Ulm' }), '7');
    const again = await rows.create(values({ Name: 'a', City: '' }), '7', 'k');
    expect(again).toMatchObject({ recordID, values: values({ Name: 'a', City: 'Ulm' }) });
    // Another window continued it.
    const other = await rows.create(values({ Name: 'b' }), '7', 'k');
    expect(other.recordID).not.toBe(recordID);
    expect(await rows.get(recordID)).toMatchObject({ values: values({ Name: 'a', City: 'Ulm' }) });
    expect(await rows.create(values({ Name: 'b' }), '7', 'k')).toEqual(other);
    // Of two that fill the same cell at once, one is refused.
    const filled = ['Ulm', 'Bonn'].map((City) => rows.create(values({ Name: 'b', City }), '7', 'k'));
    expect((await Promise.allSettled(filled)).map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'rejected',
    ]);
  });

  it('writes imported rows several to a line, in their order and between changes of others', async () => {
    const setup = await testLists();
    const { rows } = await makeList(setup);
    const first = await rows.create(values({ Name: 'first' }), '7');
    const names = Array.from({ length: 100 }, (_, at) => ({ values: values({ Name: `Customer ${at}` }) }));
    const change = { recordID: first.recordID, values: values({ City: 'Ulm' }) };
    const counts = await rows.saveMany([...names.slice(0, 70), change, ...names.slice(70)], '7');
    expect(counts).toEqual({ created: 100, updated: 1, unchanged: 0 });
    const entries = await rows.changesSince({ afterSeq: 0 }, 200);
    expect(entries.map(({ value }) => value.values.Name?.[0])).toEqual([
      ...names.slice(0, 70).map((row) => row.values.Name?.[0]),
      'first',
      ...names.slice(70).map((row) => row.values.Name?.[0]),
    ]);
    // Six rows before the change are too few for a line of their own.
    expect(entries.filter(({ template }) => template === undefined)).toHaveLength(7);
    expect(await rows.counts()).toMatchObject({ total: 101 });
  });

  it('puts no row before what was told of a condition, when the clock goes back over a start', async () => {
    const setup = await testLists();
    const { rows } = await makeList(setup);
    const { recordID } = await rows.create(values({ Name: 'a', City: 'b' }), '7');
    setup.clock.advance(86_400_000);
    const told = new Date(setup.clock.now()).toISOString();
    setup.lists.setRowFilter(rows.moduleID, '91', EVERY_ROW);
    await rows.build('91');
    setup.clock.advance(-86_400_000);
    const again = await (await setup.reopen()).lists.rows(rows.moduleID);
    const { updatedAt } = await again.patch(recordID, values({ City: 'c' }), '7');
    expect(updatedAt >= told, `${updatedAt}, told at ${told}`).toBe(true);
  });

  it('puts new rows behind those from before, when the clock goes back over a start', async () => {
    const setup = await testLists();
    const { rows } = await makeList(setup);
    setup.clock.advance(86_400_000);
    const before = await rows.create(values({ Name: 'before' }), '7');
    setup.clock.advance(-86_400_000);
    const { store, clock } = await setup.reopen();
    const again = await openLists({ store, clock, ids: createIds(clock, 0), onChange: () => undefined });
    clock.advance(1);
    const { recordID } = await (await again.rows(rows.moduleID)).create(values({ Name: 'after' }), '7');
    expect(BigInt(recordID) > BigInt(before.recordID), `${recordID} behind ${before.recordID}`).toBe(true);
  });

  it('gives each write a time of its own, also where many are made in one millisecond', async () => {
    const { rows } = await makeList(await testLists());
    const { recordID, createdAt } = await rows.create(values({ Name: 'a' }), '7');
    const edits = Array.from({ length: 50 }, (_, at) =>
      rows.patch(recordID, values({ Name: String(at) }), '7'),
    );
    const times = (await Promise.all(edits)).map(({ updatedAt }) => updatedAt);
    expect(new Set([createdAt, ...times]).size).toBe(51);
    const stale = rows.patch(recordID, values({ Name: 'stale' }), '7', { updatedAt: times[48] ?? '' });
    await expect(stale).rejects.toMatchObject({ code: 'data.stale' });
  });

  it('changes no cell that holds neither what was seen nor what it becomes', async () => {
    const { rows } = await makeList(await testLists());
    const { recordID } = await rows.create(values({ Name: 'Krüger', City: 'Köln' }), '7');
    const seen = { values: { Name: ['Krüger'] } };
    await rows.patch(recordID, values({ City: 'Bonn' }), '8');
    await rows.patch(recordID, values({ Name: 'Krüger & Sohn' }), '7', seen);
    const late = rows.patch(recordID, values({ Name: 'Krueger' }), '8', seen);
    await expect(late).rejects.toMatchObject({ kind: 'conflict', code: 'row.changed' });
    expect((await rows.get(recordID)).values).toEqual(values({ Name: 'Krüger & Sohn', City: 'Bonn' }));
    await rows.patch(recordID, values({ Name: 'Krüger & Sohn' }), '8', seen);
  });

  it('takes no time of whole seconds for a version, while the clock is behind', async () => {
    const { clock, ...setup } = await testLists();
    const { rows } = await makeList({ clock, ...setup });
    const { recordID } = await rows.create(values({ Name: 'a' }), '7');
    clock.advance(3_600_000);
    const { updatedAt } = await rows.patch(recordID, values({ Name: 'b' }), '7');
    clock.advance(-3_600_000);
    const { updatedAt: read } = await rows.patch(recordID, values({ Name: 'c' }), '7');
    expect(Date.parse(read)).toBe(Date.parse(updatedAt) + 1);
    const cut = rows.patch(recordID, values({ Name: 'd' }), '7', { updatedAt: `${read.slice(0, 19)}Z` });
    await expect(cut).rejects.toMatchObject({ code: 'data.stale' });
    expect((await rows.patch(recordID, values({ Name: 'e' }), '7', { updatedAt: read })).values).toEqual(
      values({ Name: 'e' }),
    );
  });

  it('gives no time again after a folder was put back while the clock is behind', async () => {
    let office = await testLists();
    const { rows } = await makeList(office);
    const { recordID } = await rows.create(values({ Name: 'a' }), '7');
    office.clock.advance(3_600_000);
    const { updatedAt } = await rows.patch(recordID, values({ Name: 'b' }), '7');
    office.clock.advance(-3_600_000);
    const times = [updatedAt];
    for (let start = 0; start < 3; start++) {
      office = await office.reopen();
      const again = await office.lists.rows(rows.moduleID);
      times.push((await again.patch(recordID, values({ Name: String(start) }), '7')).updatedAt);
    }
    // A start steps by a random part of a minute, where another start of the same folder would step by another.
    const steps = times.slice(1).map((time, at) => Date.parse(time) - Date.parse(times[at] ?? ''));
    expect(Math.max(...steps)).toBeGreaterThan(1);
    expect(new Set(steps).size).toBeGreaterThan(1);
  });

  it('undoes the newest step first, when the clock goes back over a start', async () => {
    const { clock, ...setup } = await testLists();
    const { rows } = await makeList({ clock, ...setup });
    const [one, other] = await rows.createMany([values({ Name: 'a' }), values({ Name: 'b' })], '7');
    clock.advance(60_000);
    await rows.patch(one?.recordID ?? '', values({ Name: 'earlier' }), '7');
    clock.advance(-3_600_000);
    const { store } = await setup.reopen();
    const lists = await openLists({ store, clock, ids: createIds(clock, 0), onChange: () => undefined });
    const again = await lists.rows(rows.moduleID);
    await again.patch(other?.recordID ?? '', values({ Name: 'later' }), '7');
    await again.undo('7');
    const { rows: found } = await again.list({ limit: 5, sort: 'Name' });
    expect(found.map((row) => row.values.Name?.[0])).toEqual(['b', 'earlier']);
  });

  it('gives no row the id of another one, when the clock goes back over a start and ids are drawn once more', async () => {
    const setup = await testLists();
    const { rows } = await makeList(setup);
    const names = (text: string): string[] => Array.from({ length: 40 }, (_, at) => `${text} ${at}`);
    const named = (text: string): Values[] => names(text).map((Name) => values({ Name }));
    await rows.createMany(named('before'), '7');
    const { store, clock } = await setup.reopen();
    const again = await openLists({ store, clock, ids: createIds(clock, 1), onChange: () => undefined });
    const later = await again.rows(rows.moduleID);
    await later.createMany(named('after'), '7');
    expect(await later.count()).toBe(80);
    const anew = await openLists({ store, clock, ids: createIds(clock, 1), onChange: () => undefined });
    const came = names('came').map((Name, at) => incoming(String(at + 1), 1, { Name }));
    const received = await anew.rows(rows.moduleID);
    await received.receive({ nodeID: '5', rows: came, mappedColumns: ['Name'] });
    const { rows: all } = await received.list({ limit: 1000 });
    expect(new Set(all.map((row) => row.values.Name?.[0])).size).toBe(120);
  });

  it('refuses values that do not fit, naming column and reason, and writes none of the batch', async () => {
    const { rows } = await makeList(await testLists(), [
      text('Name', { label: 'Full name', isRequired: true }),
      { kind: 'Number', name: 'Amount' },
    ]);
    await expect(rows.create(values({ Amount: 'x' }), '7')).rejects.toMatchObject({
      kind: 'impossible',
      message:
        'Full name must not be empty; fill it in. Amount: “x” is no number; write only digits, like 1234.50.',
    });
    await expect(rows.create({ Name: ['a', 'b'] }, '7')).rejects.toThrow('Full name takes one value, not 2');
    await expect(rows.create(values({ Name: 'a', Nope: 'b' }), '7')).rejects.toThrow('no column “Nope”');
    await expect(rows.createMany([values({ Name: 'a' }), values({ Name: '' })], '7')).rejects.toThrow(
      'Full name',
    );
    expect(await rows.count()).toBe(0);
    const { recordID } = await rows.create(values({ Name: 'a' }), '7');
    await expect(rows.patch(recordID, { Name: [] }, '7')).rejects.toThrow('Full name must not be empty');
    expect((await rows.patch(recordID, values({ Amount: '1' }), '7')).values.Name).toEqual(['a']);
  });

  it('puts rows in the bin and takes them out, many at once, counting those that changed', async () => {
    const { rows } = await makeList(await testLists());
    const made = await rows.createMany([values({ Name: 'a' }), values({ Name: 'b' })], '7');
    const ids = made.map((row) => row.recordID);
    expect(await rows.removeMany([...ids, '123', ids[0] ?? ''], '7')).toBe(2);
    expect(await rows.counts()).toMatchObject({ total: 0, inBin: 2 });
    expect((await rows.get(ids[0] ?? '')).deletedBy).toBe('7');
    await expect(rows.patch(ids[0] ?? '', values({ Name: 'x' }), '7')).rejects.toMatchObject({
      kind: 'conflict',
    });
    expect(await rows.restoreMany(ids, '7')).toBe(2);
    expect(await rows.restoreMany(ids, '7')).toBe(0);
    expect(await rows.counts()).toMatchObject({ total: 2, inBin: 0 });
  });

  it('saves a batch of new and changed rows in one write', async () => {
    const setup = await testLists();
    const { rows } = await makeList(setup);
    const { recordID } = await rows.create(values({ Name: 'a' }), '7');
    const same = await rows.create(values({ Name: 's' }), '7');
    setup.changes.length = 0;
    const counts = await rows.saveMany(
      [
        { values: values({ Name: 'new' }) },
        { recordID, values: values({ City: 'x' }) },
        { recordID: same.recordID, values: values({ Name: 's' }) },
      ],
      '7',
    );
    expect(counts).toEqual({ created: 1, updated: 1, unchanged: 1 });
    expect(setup.changes).toEqual([
      { kind: 'rows', moduleID: rows.moduleID, rows: true, filterIDs: new Set() },
    ]);
  });

  it('answers not-found for rows that are not there', async () => {
    const { rows } = await makeList(await testLists());
    for (const attempt of [
      rows.get('1'),
      rows.patch('1', {}, '7'),
      rows.remove('1', '7'),
      rows.restore('__proto__', '7'),
    ]) {
      await expect(attempt).rejects.toMatchObject({ kind: 'not-found' });
    }
  });
});

it('lets other work run between the rows that go to the bin or come back together', async () => {
  const { rows } = await makeList(await testLists());
  const made = await rows.createMany(
    Array.from({ length: 12_000 }, (_, at) => values({ Name: `Office ${at}`, City: `Town ${at % 97}` })),
    '7',
  );
  const ids = made.map(({ recordID }) => recordID);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  for (const change of ['removeMany', 'restoreMany'] as const) {
    const seen: number[] = [];
    const noteTurn = (): boolean => seen.push(turns) > 0;
    expect(await rows[change](ids, '7', { fits: () => noteTurn })).toBe(12_000);
    expect((seen.at(-1) ?? 0) - (seen[0] ?? 0)).toBeGreaterThan(10);
  }
  isOver = true;
});
