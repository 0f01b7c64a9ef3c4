import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import type { Partition, Table, TemplateEntries } from '../../../server/store/store.ts';
import { runsOf } from '../../support/data/luck.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';

interface Value {
  readonly colour?: string | undefined;
  readonly at: number;
  readonly any: unknown;
}
const table: Table<Value> = { name: 'möbel\n"', indexes: { colour: (v) => v.colour }, stamp: (v) => v.at };
const COLOURS = ['red', 'green', ''];

const key = fc.oneof(fc.nat(20).map(String), fc.string({ unit: 'binary', maxLength: 4 }));
const write = fc.record({
  key,
  deletes: fc.boolean(),
  colour: fc.constantFrom(...COLOURS, undefined),
  any: fc.jsonValue({ maxDepth: 2 }),
});
/** Entries that share a template, some of which exist already. */
const sharing = fc
  .uniqueArray(fc.nat(20), { minLength: 8, maxLength: 12 })
  .map((keys) => keys.sort((a, b) => a - b).map(String));
const transaction = fc.record({
  kind: fc.constant('transaction' as const),
  writes: fc.array(write, { maxLength: 8 }),
  sharing: fc.option(fc.record({ keys: sharing, colour: fc.constantFrom(...COLOURS), any: fc.string() })),
  fails: fc.boolean(),
});
const step = fc.oneof(
  { weight: 8, arbitrary: transaction },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reopen' as const, 'compact' as const) }) },
);

/** @param colour in the template */
function entriesOf(
  { keys, colour, any }: { keys: readonly string[]; colour: string; any: string },
  at: number,
): TemplateEntries {
  return {
    keys,
    template: [`{"colour":${JSON.stringify(colour)},"at":${at},"any":"`, ' ', '"}'],
    texts: keys.map((key) => `${key}","${JSON.stringify(any).slice(1, -1)}`),
    indexes: keys.map(() => ({ colour })),
  };
}

type Model = Map<string, { value: Value; order: number }>;

async function expectSame(part: Partition, model: Model): Promise<void> {
  const plain = (value: Value): unknown => JSON.parse(JSON.stringify(value));
  const shown = (list: readonly { key: string; value: Value }[]): [string, unknown][] =>
    list.map((entry) => [entry.key, entry.value]);
  const byKey = [...model].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  const byOrder = [...model].sort(([, a], [, b]) => a.order - b.order);
  const expected = (list: [string, { value: Value }][]): [string, unknown][] =>
    list.map(([one, { value }]) => [one, plain(value)]);
  expect(shown(await part.page(table, { limit: 1000 }))).toEqual(expected(byKey));
  expect(shown(await part.page(table, { limit: 1000, reverse: true }))).toEqual(expected(byKey.toReversed()));
  expect(shown(await part.changesSince(table, { afterSeq: 0 }, 1000))).toEqual(expected(byOrder));
  const middle = byOrder[byOrder.length >> 1]?.[1].value.at ?? 0;
  const since = byOrder.filter(([, { value }]) => value.at >= middle);
  expect(shown(await part.changesSince(table, { sinceTime: middle }, 1000))).toEqual(expected(since));
  for (const colour of COLOURS) {
    const found = byKey.filter(([, { value }]) => value.colour === colour);
    expect(shown(await part.find(table, 'colour', colour))).toEqual(expected(found));
  }
  expect(await part.count(table)).toBe(model.size);
}

describe('the store against a plain map', () => {
  it(
    'holds the same after any transactions, failures, compactions and restarts',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const { path, remove } = await temporaryFolderInMemory();
          const open = (): Promise<DiskStore> => openStore({ dataDir: path, clock: systemClock });
          let store = await open();
          const model: Model = new Map();
          let order = 0;
          for (const one of steps) {
            const part = await store.partition('p');
            if (one.kind === 'compact') await store.compact('p');
            if (one.kind === 'reopen') {
              await store.close();
              store = await open();
              expect(store.notices()).toEqual([]);
            }
            if (one.kind !== 'transaction') continue;
            const done = part.transaction((tx) => {
              for (const { key, deletes, colour, any } of one.writes) {
                if (deletes) tx.delete(table, key);
                else tx.put(table, key, { colour, any, at: order + 1 });
              }
              if (one.sharing) tx.putFromTemplate(table, entriesOf(one.sharing, order + 1));
              if (one.fails) throw new Error('taken back');
            });
            if (one.fails) await expect(done).rejects.toThrow('taken back');
            else {
              await done;
              order++;
              for (const [i, { key, deletes, colour, any }] of one.writes.entries()) {
                if (deletes) model.delete(key);
                else model.set(key, { value: { colour, any, at: order }, order: order + i / 100 });
              }
              const { keys = [], colour, any = '' } = one.sharing ?? {};
              for (const [i, key] of keys.entries())
                model.set(key, {
                  value: { colour, any: `${key} ${any}`, at: order },
                  order: order + 0.5 + i / 100,
                });
            }
            await expectSame(part, model);
          }
          await store.close();
          store = await open();
          await expectSame(await store.partition('p'), model);
          await store.close();
          await remove();
        }),
        { numRuns: runsOf(40, 16) },
      );
    },
  );
});
