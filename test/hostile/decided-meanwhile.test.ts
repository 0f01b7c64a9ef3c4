import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RequestHandler } from 'express';
import { madeUpOrigin, type MadeUpOrigin } from '../support/partners/made-up-origin.ts';
import { fill, idOf, matched, type Matched } from '../support/partners/matched.ts';
import { told } from '../support/reading/told.ts';

/** What is left of them after the removals is several pages. */
const ROWS = 1400;
const REMOVED = 600;

/** A partner that removed much, which waits, and that answers no more than one further page of changes for now. */
async function inTheMiddle(changes: (origin: MadeUpOrigin) => void): Promise<{
  set: Matched;
  origin: MadeUpOrigin;
  pull: Promise<unknown>;
  goOn: () => void;
}> {
  const origin = madeUpOrigin();
  fill(origin, 0, ROWS);
  let pages = Infinity;
  const stopped: (() => void)[] = [];
  const goOn = (): void => {
    pages = Infinity;
    for (const go of stopped.splice(0)) go();
  };
  onTestFinished(goOn);
  const stops: RequestHandler = (_, __, next) => {
    if (pages-- > 0) next();
    else stopped.push(next);
  };
  const set = await matched(
    origin,
    { dialect: 'shape1', footbridge: true },
    { lies: (app) => app.get('/footbridge/modules/:id/changes', stops) },
  );
  const { office, nodeID, sharedModuleID } = set;
  await office.sync.syncNow(nodeID);
  for (let number = 0; number < REMOVED; number++) origin.remove(idOf(number));
  await office.sync.syncNow(nodeID);
  expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toHaveLength(REMOVED);

  changes(origin);
  pages = 1;
  const before = office.progress.length;
  const pull = office.sync.syncNow(nodeID);
  await vi.waitFor(() => {
    expect(stopped.length).toBeGreaterThan(0);
    expect(office.progress.length).toBeGreaterThan(before);
  }, 20_000);
  return { set, origin, pull, goOn };
}

/** Renames all rows that are left, which are several pages. */
function renamed(origin: MadeUpOrigin): void {
  for (let number = REMOVED; number < ROWS; number++)
    origin.put(idOf(number), { Name: [`Renamed ${number * 7}`], City: [`City ${number % 7}`] });
}

describe('a word of the user that comes in the middle of a pull', () => {
  it('keeps rows for good: the end of the pull does not ask about them again', async () => {
    const { set, pull, goOn } = await inTheMiddle(renamed);
    const { office, nodeID, moduleID, sharedModuleID } = set;
    expect(await office.sync.decisions.decide(nodeID, sharedModuleID, 'keep')).toBe(REMOVED);
    goOn();
    await pull;
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toEqual([]);
    const status = told(await office.sync.status(nodeID));
    expect(status.lists).toMatchObject([{ kept: REMOVED }]);
    expect(status.lists[0]).not.toHaveProperty('brake');
    const received = await office.received(moduleID);
    expect(received.size).toBe(ROWS);
    expect(received.get(idOf(ROWS - 1))?.Name).toBe(`Renamed ${(ROWS - 1) * 7}`);
  });

  it('is about the rows that the user was asked about, and the pull decides about those that it has just held', async () => {
    const { set, pull, goOn } = await inTheMiddle((origin) => {
      for (let number = REMOVED; number < REMOVED + 30; number++) origin.remove(idOf(number));
      for (let number = REMOVED + 30; number < ROWS; number++)
        origin.put(idOf(number), { Name: [`Renamed ${number * 7}`], City: [`City ${number % 7}`] });
    });
    const { office, nodeID, moduleID, sharedModuleID } = set;
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toHaveLength(REMOVED);
    expect(await office.sync.decisions.decide(nodeID, sharedModuleID, 'keep')).toBe(REMOVED);
    goOn();
    await pull;
    // 30 of so many are few: they go as they would have gone without the others.
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toEqual([]);
    expect(told(await office.sync.status(nodeID)).lists).toMatchObject([{ kept: REMOVED }]);
    const received = await office.received(moduleID);
    expect(received.size).toBe(ROWS - 30);
    expect(received.has(idOf(0))).toBe(true);
  });

  it('gives up rows that could not be applied, and the end of the pull does not count them', async () => {
    const { set, pull, goOn } = await inTheMiddle((origin) => {
      origin.put(idOf(ROWS), { Name: ['x'.repeat(1024 * 1024 + 1)], City: ['Ghent'] });
      renamed(origin);
    });
    const { office, nodeID, sharedModuleID } = set;
    expect(await office.sync.failedRows.list(nodeID)).toHaveLength(1);
    expect(await office.sync.failedRows.discard(nodeID, sharedModuleID)).toBe(1);
    goOn();
    await pull;
    expect(told(await office.sync.status(nodeID)).lists).toMatchObject([{ couldNotApply: 0 }]);
    expect(await office.sync.failedRows.list(nodeID)).toEqual([]);
  });
});

describe('a word of the user on many rows that is cut off', () => {
  it.each(['release', 'keep'] as const)('leaves a card about those that still wait: %s', async (word) => {
    const origin = madeUpOrigin();
    fill(origin, 0, 1300);
    const { office, nodeID, moduleID, sharedModuleID } = await matched(origin, {
      dialect: 'shape1',
      footbridge: true,
    });
    await office.sync.syncNow(nodeID);
    for (let number = 0; number < 1200; number++) origin.remove(idOf(number));
    await office.sync.syncNow(nodeID);
    const { mark } = await office.sync.decisions.openReview(nodeID, sharedModuleID);
    const rows = await office.lists.rows(moduleID);
    let wrote = 0;
    const spied = vi.spyOn(office.lists, 'rows').mockImplementation(() =>
      Promise.resolve({
        ...rows,
        receive: (...wanted) =>
          // A yes is looked through before any of it is done.
          ++wrote === (word === 'keep' ? 3 : 6)
            ? Promise.reject(new Error('The disk is gone.'))
            : rows.receive(...wanted),
      }),
    );
    const decision = word === 'keep' ? word : { apply: { mark } };
    await expect(office.sync.decisions.decide(nodeID, sharedModuleID, decision)).rejects.toThrow(
      'The disk is gone.',
    );
    spied.mockRestore();
    const [list] = (await office.sync.status(nodeID)).lists;
    const waits = await office.sync.decisions.listPending(nodeID, sharedModuleID);
    expect(waits.length).toBeLessThan(1200);
    expect(list?.brake).toMatchObject({ removes: waits.length, empties: 0 });
    expect(list?.kept ?? 0).toBe(word === 'keep' ? 1200 - waits.length : 0);
  });
});
