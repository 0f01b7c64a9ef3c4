import { expect, it } from 'vitest';
import { pairComparableColumns, countReceivedDuplicates } from '../../../server/app/duplicate-pairs.ts';
import type { FieldDescriptor, IncomingRow } from '../../../server/lists/definitions/model.ts';
import { makeList, minuteTime, testLists, text, values } from '../../support/harness/lists.ts';

const record = (recordID: string, given: Readonly<Record<string, string>>): IncomingRow => ({
  recordID,
  createdAt: minuteTime(1),
  updatedAt: minuteTime(1),
  values: values(given),
});

it('counts the rows of theirs that stand in our list already, by what they would be in the matched columns', async () => {
  const { rows, module } = await makeList(await testLists(), [
    text('Name'),
    { kind: 'Number', name: 'Paid' },
  ]);
  const ours = [
    { Name: 'Ada', Paid: '1200' },
    { Name: 'Ada', Paid: '1200' },
    { Name: 'Grace', Paid: '7' },
  ];
  await rows.createMany(ours.map(values), '7');
  const column = (name: string): FieldDescriptor => ({ kind: 'String', name, label: name, isMulti: false });
  const offered = { fields: [column('Firm'), column('Sum')] };
  const theirs = [
    record('1', { Firm: 'Ada', Sum: '+1200' }),
    record('2', { Firm: 'Grace', Sum: '8' }),
    record('3', { Firm: 'Emmy', Sum: 'no number' }),
    record('4', {}),
  ];
  const twice = (matches: readonly { origin: string; destination: string }[]): Promise<unknown> =>
    countReceivedDuplicates(rows, pairComparableColumns(offered, module, matches), theirs, '9');
  const name = { origin: 'Firm', destination: 'Name' };
  expect(await twice([name])).toEqual({ looked: 4, recognised: 0, twice: 2, compared: ['Name'] });
  expect(await twice([name, { origin: 'Sum', destination: 'Paid' }])).toEqual({
    looked: 4,
    recognised: 0,
    twice: 1,
    compared: ['Name', 'Paid'],
  });
});

it('counts rows with “no”, which a page by column sends as no value', async () => {
  const { rows, module } = await makeList(await testLists(), [text('Name'), { kind: 'Bool', name: 'News' }]);
  await rows.createMany([values({ Name: 'Ada', News: '' }), values({ Name: 'Grace', News: '1' })], '7');
  const column = (kind: FieldDescriptor['kind'], name: string): FieldDescriptor => ({
    kind,
    name,
    label: name,
    isMulti: false,
  });
  const offered = { fields: [column('String', 'Name'), column('Bool', 'News')] };
  const matches = ['Name', 'News'].map((name) => ({ origin: name, destination: name }));
  const theirs = [record('1', { Name: 'Ada' }), record('2', { Name: 'Grace', News: '1' })];
  expect(
    await countReceivedDuplicates(rows, pairComparableColumns(offered, module, matches), theirs, '9'),
  ).toMatchObject({ looked: 2, twice: 2 });
});
