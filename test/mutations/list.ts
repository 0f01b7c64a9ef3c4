/** A change to the program that has to make a test fail. */
export interface Mutation {
  /** The fault, in words. */
  readonly name: string;
  readonly file: string;
  /** Text that occurs once in the file, and its replacement. */
  readonly from: string;
  readonly to: string;
  /** Test files of which one has to fail. */
  readonly tests: readonly string[];
  /** Runs only tests of such a name, where the others of the file take long. */
  readonly only?: string;
  /** The tests run the built program. */
  readonly isBuilt?: boolean;
}

const MOVE = ['test/unit/node/moving/move.test.ts'];
const RESTORE = ['test/unit/store/sql/restoring.test.ts'];
const WENT_BACK = ['test/unit/store/went-back.test.ts'];
const RANKING = ['test/unit/store/sql/ranking.test.ts'];
const COLUMNS = ['test/hostile/columns-come-and-go.test.ts'];
const CLOCK = ['test/node/first-clock.test.ts'];
const PAGES = ['test/window/pages.test.ts'];
const RIGHT_TO_LEFT = ['test/window/right-to-left.test.ts'];

/** One fault for each promise that a shortened test keeps. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'a move does not notice rows that differ',
    file: 'server/node/moving/move.ts',
    from: 'if (different === 0) continue;',
    to: 'if (different >= 0) continue;',
    tests: MOVE,
  },
  {
    name: 'a move does not notice keys that differ',
    file: 'server/node/moving/move.ts',
    from: 'if (!isDeepStrictEqual(belongings[name], brought[name]))',
    to: 'if (brought[name] === null)',
    tests: MOVE,
  },
  {
    name: 'an office that moves is served at both ends',
    file: 'server/node/moving/move.ts',
    from: '  await from.setMark(leaving);\n',
    to: '',
    tests: MOVE,
  },
  {
    name: 'a move that is given up leaves what it brought',
    file: 'server/node/moving/move.ts',
    from: '    await to.clear();\n',
    to: '',
    tests: MOVE,
  },
  {
    name: 'a restore is not tried out first',
    file: 'server/store/sql/restoring.ts',
    from: '    await tryOut(trial).catch(unusable);\n',
    to: '    if (trial === undefined) await tryOut(trial).catch(unusable);\n',
    tests: RESTORE,
  },
  {
    name: 'a restore keeps the orders of rows that it replaced',
    file: 'server/store/sql/restoring.ts',
    from: 'await rankingsUnder(place.database, how.replaced)',
    to: '[]',
    tests: RESTORE,
  },
  {
    name: 'a restore takes what was there away before it has the backup in place',
    file: 'server/store/sql/restoring.ts',
    from: '  await applyOnce(place, RESTORE, (ask) => putInPlace(ask, how));',
    to: `  const aside = "UPDATE footbridge_partition SET name = name || $1 WHERE name NOT LIKE '%/%'";
  await write((ask) => ask(aside, [how.replaced]));
  await applyOnce(place, RESTORE, (ask) => putInPlace(ask, how));`,
    tests: ['test/crash/restore-cut.test.ts'],
    isBuilt: true,
  },
  {
    name: 'a change whose answer was lost is made twice',
    file: 'server/store/sql/commit.ts',
    from: "if (textIn(partition, 'last_commit') === number) return numberIn(partition, 'last_seq');",
    to: '',
    tests: ['test/unit/store/sql/office-in-database.test.ts', 'test/unit/store/sql/sql-store.test.ts'],
  },
  {
    name: 'a process that was taken over from goes on writing',
    file: 'server/store/sql/lease.ts',
    from: "if (numberIn(hub, 'epoch') === this.#own.epoch) return;",
    to: "if (numberIn(hub, 'epoch') >= this.#own.epoch) return;",
    tests: ['test/unit/store/sql/office-in-database.test.ts'],
  },
  {
    name: 'nobody takes over from a process that was killed',
    file: 'server/store/sql/lease.ts',
    from: "+ interval '${String(2 * heldMs)} milliseconds' AS free",
    to: "+ interval '${String(2 * heldMs)} milliseconds' AND holder = '' AS free",
    tests: ['test/crash/hub.test.ts'],
    only: 'is served by one process',
    isBuilt: true,
  },
  {
    name: 'a change that others were in the way of is not tried again',
    file: 'server/store/sql/pg-database.ts',
    from: "new Set(['40001', '40P01'])",
    to: "new Set(['40P01'])",
    tests: ['test/unit/store/sql/pg-database.test.ts'],
  },
  {
    name: 'an older file of a list is not missed',
    file: 'server/store/recovery/quick-check.ts',
    from: '  if (!mark) return true;\n',
    to: '  if (!mark || mark.last >= 0) return true;\n',
    tests: WENT_BACK,
  },
  {
    name: 'older notes of how far the lists had come are not noticed',
    file: 'server/store/recovery/quick-check-all.ts',
    from: "    notice('mixed-ages', file, said('store.older-files'));\n",
    to: '',
    tests: WENT_BACK,
  },
  {
    name: 'places in a sorted list are wrong once rows are gone',
    file: 'server/store/sql/skip-index.ts',
    from: '    for (const rank of gone) this.#count(rank, -1);\n',
    to: '',
    tests: RANKING,
  },
  {
    name: 'a sorted list is written so that it keeps rows from being written',
    file: 'server/store/sql/sort-indexes.ts',
    from: "BESIDE: Isolation = 'read committed'",
    to: "BESIDE: Isolation = 'repeatable read'",
    tests: RANKING,
  },
  {
    name: 'a page of a sorted list that was given up meanwhile is empty',
    file: 'server/lists/rows/ranked-view.ts',
    from: '(await again()).slice(start, end)',
    to: '[]',
    tests: ['test/unit/lists/ranked-views.test.ts'],
  },
  {
    name: 'rows that change their place in a sorted list are there twice',
    file: 'server/lists/rows/ranked-view.ts',
    from: 'changes.map(({ key }) => key),\n        come,',
    to: '[],\n        come,',
    tests: ['test/unit/lists/ranked-views.test.ts'],
  },
  {
    name: 'an office says that all is well while its changes are on their way',
    file: 'server/sync/status/state-rules.ts',
    from: "return waiting > 0 ? said('state.on-their-way'",
    to: "return waiting > 1e9 ? said('state.on-their-way'",
    tests: COLUMNS,
  },
  {
    name: 'nobody is told that two clocks differ',
    file: 'server/federation/partners/clocks.ts',
    from: 'const WORTH_SAYING = 2 * 60_000;',
    to: 'const WORTH_SAYING = 2 * 365 * 86_400_000;',
    tests: CLOCK,
  },
  {
    name: 'rows that came today let a partner remove more of the others',
    file: 'server/sync/deletion-guard/quota.ts',
    from: 'return Math.min(spent().of, ...known.filter((rows) => rows > 0));',
    to: 'return known.length < 0 ? 0 : spent().of;',
    tests: ['test/hostile/deletions.test.ts'],
  },
  {
    name: 'the first rows of a workbook cost as much as all of it',
    file: 'server/lists/sheets/sheet-source.ts',
    from: 'workbook.filledSheets(isPart ? 1 : undefined)',
    to: 'workbook.filledSheets()',
    tests: ['test/unit/lists/sheets/first-rows.test.ts'],
  },
  {
    name: 'a part of a workbook may be of any size',
    file: 'server/lists/sheets/archive.ts',
    from: 'if (size > most || inAll > bound) throw sizeRefusal();',
    to: 'if (size < 0 || most + bound < 0) throw sizeRefusal();',
    tests: ['test/unit/lists/sheets/archive.test.ts'],
  },
  {
    name: 'a deleted column stays in the bin when its deletion is undone',
    file: 'server/lists/definitions/undo-columns.ts',
    from: 'if (isThere || !inBin) continue;',
    to: 'if (isThere || binned.length > 0) continue;',
    tests: ['test/unit/lists/undo.test.ts'],
  },
  {
    name: 'a partner that says nothing counts as up to date',
    file: 'server/sync/status/state-rules.ts',
    from: '      if (!isSilent(facts)) return undefined;\n      const { heard',
    to: '      if (facts.name !== "") return undefined;\n      const { heard',
    tests: ['test/node/standing.test.ts'],
    isBuilt: true,
  },
  {
    name: 'quiet text is too pale to be read',
    file: 'renderer/styles/tokens.css',
    from: '--ink-soft: light-dark(#4c5d65, #a2b3b9);',
    to: '--ink-soft: light-dark(#b4bfc4, #4d585d);',
    tests: PAGES,
    isBuilt: true,
  },
  {
    name: 'a button that shows a drawing has no name',
    file: 'renderer/parts/icon-button.svelte',
    from: ' aria-label={label}>',
    to: '>',
    tests: PAGES,
    isBuilt: true,
  },
  {
    name: 'a heading makes a page wider than the window',
    file: 'renderer/styles/base.css',
    from: '  font-size: var(--text-title);\n',
    to: '  font-size: var(--text-title);\n  min-inline-size: 90rem;\n',
    tests: PAGES,
    isBuilt: true,
  },
  {
    name: 'names in another direction stand at the wrong side',
    file: 'renderer/styles/base.css',
    from: '  text-align: right;\n',
    to: '  text-align: left;\n',
    tests: RIGHT_TO_LEFT,
    isBuilt: true,
  },
  {
    name: 'a text of the window is English in every language',
    file: 'renderer/places/lists/lists.svelte',
    from: "text={app.t('lists.empty-text')}",
    to: 'text="There are no lists yet."',
    tests: RIGHT_TO_LEFT,
    isBuilt: true,
  },
  {
    name: 'a name is shown as markup',
    file: 'renderer/parts/page.svelte',
    from: ' {title}>{title}</h1>',
    to: ' {title}>{@html title}</h1>',
    tests: ['test/window/markup.test.ts'],
    isBuilt: true,
  },
];
