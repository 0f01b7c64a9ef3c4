import { expect, it, vi } from 'vitest';
import { listWaitingRows } from '../../server/app/waiting-rows.ts';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { fill, idOf, matched } from '../support/partners/matched.ts';

const ROWS = 60;
const LETTERS = 200_000;

it('rows that wait for a yes are read once and one at a time, and those that are shown alone the next time', async () => {
  const origin = madeUpOrigin();
  fill(origin, 0, ROWS);
  const { office, nodeID, sharedModuleID } = await matched(origin, { dialect: 'shape1', footbridge: true });
  await office.sync.syncNow(nodeID);
  for (let number = 0; number < ROWS; number++)
    origin.put(idOf(number), { Name: [], City: [String(number).padStart(LETTERS, 'x')] });
  await office.sync.syncNow(nodeID);

  let letters = 0;
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  const parse = JSON.parse.bind(JSON);
  const spied = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    letters += text.length;
    return parse(text, reviver) as unknown;
  });
  setImmediate(turn);
  const first = await listWaitingRows(office, nodeID, sharedModuleID, 3);
  const turnsOfFirst = turns;
  letters = 0;
  const second = await listWaitingRows(office, nodeID, sharedModuleID, 3);
  const read = letters;
  isOver = true;
  spied.mockRestore();

  expect(first).toMatchObject({ total: ROWS, rows: [{ effect: 'empty', columns: ['Name'] }, {}, {}] });
  expect(second).toEqual(first);
  expect(turnsOfFirst).toBeGreaterThan(ROWS / 4);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(10 * LETTERS);
});
