import { expect, it, onTestFinished, vi } from 'vitest';
import { importTable } from '../../../../server/lists/csv/import.ts';
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
