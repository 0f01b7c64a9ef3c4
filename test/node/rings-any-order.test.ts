import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsOf, seedOf } from '../support/data/luck.ts';
import { customers } from '../support/data/office-lists.ts';
import { ringOffices, type RingOffices } from '../support/worlds/ring-offices.ts';

/** Runs of the property; more by FOOTBRIDGE_RUNS, one again by FOOTBRIDGE_SEED as a failure names it. */
const RUNS = runsOf(60, 1);
const SEED = seedOf(7);

const NAMES = ['Oslo', 'Bergen', 'Turku', 'Vaasa', 'Visby'] as const;
type Name = (typeof NAMES)[number];
type Line = readonly [from: Name, to: Name];
type Row = Readonly<Record<string, string>>;
const COLUMNS = ['CustomerID', 'CompanyName', 'City', 'Remark'] as const;
const MADE = customers({ rows: 300, seed: 5 }).rows;

type Act =
  | { readonly does: 'add' | 'remove' | 'sync' | 'restart'; readonly at: number; readonly which: number }
  | { readonly does: 'edit'; readonly at: number; readonly which: number; readonly text: string }
  | { readonly does: 'cut'; readonly which: number };

const at = fc.nat(4);
const which = fc.nat(20);
const text = fc.constantFrom('', 'Narvik', 'Łódź', 'Ærøskøbing', '东京', 'Saint-Malo');
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('add' as const), at, which }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('edit' as const), at, which, text }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('remove' as const), at, which }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('sync' as const), at, which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const), at, which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cut' as const), which }) },
);
const world = fc.record({
  offices: fc.integer({ min: 3, max: 5 }),
  lines: fc.uniqueArray(fc.tuple(at, at), {
    minLength: 6,
    maxLength: 10,
    selector: ([from, to]) => `${from}${to}`,
  }),
  acts: fc.array(act, { minLength: 15, maxLength: 40 }),
});

/** What each office has made and not removed, by key. */
type Truth = Map<Name, Map<string, Row>>;

/** Does what users do, and what happens to lines and computers. Answers the lines that are cut in the end. */
async function play(
  ring: RingOffices<Name>,
  { names, lines, acts }: { names: readonly Name[]; lines: readonly Line[]; acts: readonly Act[] },
  truth: Truth,
): Promise<Line[]> {
  const cut: Line[] = [];
  let made = 0;
  for (const each of acts) {
    if (each.does === 'cut') {
      const line = lines[each.which % lines.length];
      if (!line || cut.includes(line)) continue;
      cut.push(line);
      await ring.unmatch(line[1], line[0]);
      continue;
    }
    const name = names[each.at % names.length]!;
    const own = truth.get(name)!;
    const key = [...own.keys()][each.which % Math.max(own.size, 1)];
    if (each.does === 'sync') await ring.sync(name);
    else if (each.does === 'restart') await ring.restart(name);
    else if (each.does === 'add') {
      const row = Object.fromEntries(COLUMNS.map((column) => [column, MADE[made]?.[column] ?? '']));
      made++;
      await ring.add(name, row);
      own.set(row.CustomerID!, row);
    } else if (key !== undefined && each.does === 'edit') {
      await ring.change(name, key, { City: each.text });
      own.set(key, { ...own.get(key), City: each.text });
    } else if (key !== undefined && each.does === 'remove') {
      await ring.change(name, key);
      own.delete(key);
    }
  }
  return cut;
}

/** What an office is to show: what was made there, and by all from whom a way leads to it. */
function due(name: Name, lines: readonly Line[], truth: Truth): Record<string, Row> {
  const reached = new Set([name]);
  for (const each of reached) for (const [from, to] of lines) if (to === each) reached.add(from);
  return Object.fromEntries([...reached].flatMap((each) => [...truth.get(each)!]));
}

describe('offices that share with each other in any way', () => {
  it(
    `show each row once and as it was made, and come to rest (${RUNS} runs, seed ${SEED})`,
    { timeout: 60_000 + RUNS * 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(world, async ({ offices, lines: pairs, acts }) => {
          const names = NAMES.slice(0, offices);
          const lines = pairs.flatMap(([from, to]): Line[] => {
            const [origin, destination] = [names[from], names[to]];
            return origin && destination && origin !== destination ? [[origin, destination]] : [];
          });
          fc.pre(lines.length > 2);
          const ring = await ringOffices<Name>(names, COLUMNS);
          try {
            for (const [from, to] of lines) await ring.flow(from, to);
            const truth: Truth = new Map(names.map((name) => [name, new Map<string, Row>()]));
            const cut = await play(ring, { names, lines, acts }, truth);
            for (const [from, to] of cut) await ring.flow(from, to);
            await ring.settle();
            for (const name of names) expect(await ring.shown(name), name).toEqual(due(name, lines, truth));
          } finally {
            await ring.close();
          }
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: process.env.FOOTBRIDGE_SHRINK === undefined },
      );
    },
  );
});
