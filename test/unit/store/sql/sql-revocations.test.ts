import { expect, it } from 'vitest';
import { makeTables } from '../../../../server/store/sql/schema.ts';
import { sqlRevocations } from '../../../../server/store/sql/sql-revocations.ts';
import { testDatabase } from '../../../support/harness/test-database.ts';

const db = await testDatabase();

it('a change that fails takes back all that it noted, and nothing noted before', async () => {
  const database = db.open();
  await makeTables(database);
  const notes = sqlRevocations(database, { check: () => Promise.resolve() });
  const log = notes(() => true);
  const note = (key: string): { at: string; table: string; key: string; note: boolean } => ({
    at: '2026-03-02T08:00:00.000Z',
    table: 'door',
    key,
    note: false,
  });
  await log.add([note('kept')]);
  const reached = await log.add([note('one'), note('two'), note('three')]);
  await log.undo(reached);
  expect((await log.read()).notes.map(({ key }) => key)).toEqual(['kept']);

  const again = await log.add([note('four')]);
  await log.add([note('five')]);
  await log.undo(again);
  expect((await log.read()).notes.map(({ key }) => key)).toEqual(['kept', 'four', 'five']);
});
