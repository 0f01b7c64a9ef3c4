import { expect, it, onTestFinished, vi } from 'vitest';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { exportXlsx } from '../../../../server/lists/sheets/export-xlsx.ts';
import { english } from '../../../../server/words/said.ts';
import { makeList, testLists, text } from '../../../support/harness/lists.ts';

// A worker that reads files keeps the zone of its start: other files of tests must not get it.
it.each(['2026-03-29 02:30', '2026-03-29T02:30:00'])(
  'leaves out a moment that summer time skips, rather than take it for UTC: %s',
  async (skipped) => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    onTestFinished(() => void vi.unstubAllEnvs());
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [text('Nr'), { kind: 'DateTime', name: 'Zeit' }]);
    const { rejected } = await importTable(
      setup.lists,
      Buffer.from(`Nr;Zeit\n1;2026-03-29 01:30\n2;${skipped}\n3;2026-03-29T02:30:00Z\n`),
      { to: { moduleID: module.moduleID }, by: '7' },
    );
    expect(rejected.map(({ line, reason }) => [line, english(reason)])).toEqual([
      [
        3,
        `Zeit: “${skipped}” never shows on a clock here, as summer time skips it; write it with its zone, like 2026-03-29T02:30:00Z.`,
      ],
    ]);
    const found: unknown[] = [];
    for await (const page of rows.scan()) found.push(...page.map(({ values: { Zeit } }) => Zeit));
    expect(found).toEqual([['2026-03-29T00:30:00Z'], ['2026-03-29T02:30:00Z']]);
  },
);

it.each([
  [['2026-10-25 02:30', '2026-10-25 03:00'], '2026-10-25 02:30'],
  [['31.10.2026 10:00', '25.10.2026 02:59:30'], '25.10.2026 02:59:30'],
  [['Oct 25, 2026, 2:00 AM'], 'Oct 25, 2026, 2:00 AM'],
  [['2026-10-25 02:30+02', '2026-10-25T02:30:00Z', '2026-10-25 01:59', '2026-10-25 03:00'], undefined],
  [['2026-03-29 01:30', '2026-03-29 03:30', '2026-10-26 02:30'], undefined],
])('names a moment that clocks here show twice: %j', async (cells, named) => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { lists } = await testLists();
  const { notes } = await importTable(
    lists,
    Buffer.from(`Nr;Zeit\n${cells.map((cell) => `K1;${cell}\n`).join('')}`),
    { to: { name: 'Zeiten' }, by: '7' },
  );
  expect(notes.map(english)).toEqual(
    named === undefined
      ? []
      : [
          `Clocks here show these times twice, as summer time ends. They are read as the first: Zeit (${named}). To say which, write the zone behind them in the file.`,
        ],
  );
});

it('reads moments without a zone in the one that the name of their column tells, also from its own workbook', async () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { lists } = await testLists();
  const fields = [
    'Created (UTC)',
    'date_gmt',
    'startUtc',
    'Ende (UTC+02:00)',
    'Lokal (nicht UTC)',
    'Uhr (UTC)',
  ];
  const lines = [
    '2026-07-05 10:11;2026-03-29T02:30:00;1/31/2026 2:30 PM;31.01.2026 00:30;2026-07-05 10:11;10:00',
    '2026-10-25 02:30;2026-07-05T10:00:00Z;2/1/2026 12:00 AM;31.07.2026 08:00;2026-07-05 10:11;11:00',
  ];
  const csv = Buffer.from(`${fields.join(';')}\n${lines.join('\n')}\n`);
  const expected = [
    ...['2026-07-05T10:11:00Z', '2026-03-29T02:30:00Z', '2026-01-31T14:30:00Z', '2026-01-30T22:30:00Z'],
    ...['2026-07-05T08:11:00Z', '10:00:00', '2026-10-25T02:30:00Z', '2026-07-05T10:00:00Z'],
    ...['2026-02-01T00:00:00Z', '2026-07-31T06:00:00Z', '2026-07-05T08:11:00Z', '11:00:00'],
  ];
  const valuesOfList = async (moduleID: string): Promise<unknown> => {
    const { fields: columns } = await lists.module(moduleID);
    const found: unknown[] = [];
    for await (const page of (await lists.rows(moduleID)).scan())
      for (const { values } of page) found.push(...columns.flatMap(({ name }) => values[name]));
    return found;
  };
  const { moduleID, notes } = await importTable(lists, csv, { to: { name: 'Events' }, by: '7' });
  expect(notes).toEqual([]);
  expect(await valuesOfList(moduleID)).toEqual(expected);
  const pieces: Uint8Array[] = [];
  const list = { module: await lists.module(moduleID), rows: await lists.rows(moduleID) };
  for await (const piece of exportXlsx(lists, list)) pieces.push(piece);
  const again = await importTable(lists, Buffer.concat(pieces), { to: { name: 'Again' }, by: '7' });
  expect(await valuesOfList(again.moduleID)).toEqual(expected);
});
