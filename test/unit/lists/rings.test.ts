import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRevoked, isVisibleTo, forwardedSource } from '../../../server/federation/sharing/visibility.ts';
import { applyIncoming, withEndedSource, withoutPartner } from '../../../server/lists/rows/apply-incoming.ts';
import type { Put } from '../../../server/lists/rows/merge-sources.ts';
import { editRow, revertRow } from '../../../server/lists/rows/edits.ts';
import { detach } from '../../../server/lists/rows/detached.ts';
import type { IncomingRow, Row } from '../../../server/lists/definitions/model.ts';
import { omit } from '../../../server/base/omit.ts';
import { originKey, sourcesOf } from '../../../server/lists/rows/sources.ts';
import { runsOf, seedOf } from '../../support/data/luck.ts';

/** Runs of the property; more by FOOTBRIDGE_RUNS, one again by FOOTBRIDGE_SEED as a failure names it. */
const RUNS = runsOf(20_000, 300);
const SEED = seedOf(20);

const COLUMNS = ['Name', 'City'];

/** A list at one office: the rules of rows alone, without disk and network. */
interface Office {
  /** Its installation; partners know it under the same number. */
  readonly id: string;
  readonly rows: Map<string, Row>;
  /** Ids of rows in the order of their changes. */
  readonly changes: string[];
  /** Those that it hears nothing of any more. */
  readonly left: Set<string>;
}

/** One office shares its list with another, which takes it into its own. */
interface Line {
  readonly from: Office;
  readonly to: Office;
  after: number;
}

let clock = 0;
const now = (): string => new Date(Date.UTC(2026, 0, 1) + clock++).toISOString();

function put(office: Office, { after }: Pick<Put, 'after'>): void {
  office.rows.set(after.recordID, after);
  office.changes.push(after.recordID);
}

function newID(office: Office): string {
  return `${office.id}${String(office.rows.size + 1).padStart(6, '0')}`;
}

function create(office: Office, values: Row['values']): void {
  const at = now();
  const stamps = { createdAt: at, createdBy: '7', updatedAt: at, updatedBy: '7' };
  put(office, { after: { recordID: newID(office), values, ...stamps } });
}

function alter(office: Office, row: Row, change: (row: Row) => Row): void {
  const after = change(row);
  if (after !== row) put(office, { after: { ...after, updatedAt: now() } });
}

function sent({ from, to }: Line, row: Row): IncomingRow[] {
  const node = { nodeID: to.id, installation: to.id };
  if (!isVisibleTo(row, node) && !isRevoked(row, node)) return [];
  const { recordID, createdAt, updatedAt, deletedAt } = row;
  const received = forwardedSource(row, node) ?? row.received;
  const via = [...(received?.via ?? []), from.id];
  const origin = received?.origin ?? { id: recordID, at: updatedAt };
  const base = { recordID, createdAt, updatedAt, via };
  if (via.includes(to.id)) return [{ ...base, values: {}, fromUs: true }];
  if (deletedAt !== undefined) return [{ ...base, origin, values: {}, deletedAt }];
  return [{ ...base, origin, values: row.values }];
}

/** Takes in what changed since the last time; answers how many rows that wrote. */
function pull(line: Line, most = Infinity): number {
  const { from, to } = line;
  let writes = 0;
  const until = Math.min(from.changes.length, line.after + most);
  const changed = from.changes.slice(line.after, until);
  line.after = until;
  for (const recordID of new Set(changed)) {
    const row = from.rows.get(recordID);
    for (const incoming of row ? sent(line, row) : []) {
      to.left.delete(from.id);
      const ours = [...to.rows.values()];
      const isThis = (each: Row): boolean =>
        each.received !== undefined &&
        sourcesOf(each.received).some((way) => way.nodeID === from.id && way.recordID === recordID);
      const origin = originKey(incoming);
      const isSame = (each: Row): boolean =>
        origin !== undefined && each.received !== undefined && originKey(each.received) === origin;
      const wasSame = (each: Row): boolean =>
        origin !== undefined && each.former !== undefined && originKey(each.former) === origin;
      const candidates = { known: ours.find(isThis), same: ours.find(isSame), former: ours.find(wasSame) };
      const { puts } = applyIncoming(candidates, incoming, {
        nodeID: from.id,
        columns: COLUMNS,
        now: now(),
        newID: () => newID(to),
        overrule: true,
        left: [...to.left],
      });
      for (const each of puts) put(to, each);
      writes += puts.length;
    }
  }
  return writes;
}

/** The receiving office ends it, and removes or keeps what came by it alone. */
function end({ from, to }: Line, what: 'remove' | 'keep'): void {
  for (const row of [...to.rows.values()]) {
    if (!row.received || !sourcesOf(row.received).some(({ nodeID }) => nodeID === from.id)) continue;
    const at = now();
    const left = withoutPartner(row, from.id, { what, now: at });
    const gone = {
      ...omit(row, 'received'),
      values: {},
      deletedAt: at,
      updatedAt: at,
      purged: true as const,
    };
    const kept = { ...detach(row), updatedAt: at };
    put(to, { after: left ?? (what === 'keep' ? kept : gone) });
  }
}

/** The sharing office ends it: the rows stay until the other one's user decides. */
function leave({ from, to }: Line): void {
  to.left.add(from.id);
  for (const row of [...to.rows.values()]) {
    const after = withEndedSource(row, from.id, now());
    if (after) put(to, { after });
  }
}

const isOwn = (row: Row): boolean => row.received === undefined && row.former === undefined;
const isThere = (row: Row): boolean => row.deletedAt === undefined;

/** What an office shows: by where a row was made, with its values. */
function seen(office: Office): string[] {
  const rows = [...office.rows.values()].filter(isThere);
  return rows
    .map((row) => {
      const received = row.received ?? row.former;
      const origin = received ? originKey(received) : `${office.id}/${row.recordID}`;
      return `${origin} ${JSON.stringify(Object.entries(row.values).sort())}`;
    })
    .sort();
}

/** All that an office should show in the end: its own rows, and those of all from whom a way leads to it. */
function due(office: Office, lines: readonly Line[]): string[] {
  const reached = new Set([office]);
  for (const each of reached) for (const { from, to } of lines) if (to === each) reached.add(from);
  return [...reached]
    .flatMap((each) => seen({ ...each, rows: new Map([...each.rows].filter(([, row]) => isOwn(row))) }))
    .sort();
}

type Act =
  | {
      readonly does: 'create' | 'edit' | 'meddle';
      readonly at: number;
      readonly which: number;
      readonly text: string;
    }
  | { readonly does: 'remove'; readonly at: number; readonly which: number }
  | { readonly does: 'pull'; readonly line: number; readonly most: number }
  | { readonly does: 'end'; readonly line: number };

const at = fc.nat(4);
const which = fc.nat(20);
const text = fc.constantFrom('', 'Oslo', 'Bergen', 'Tromsø', 'Ålesund', 'Bodø');
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('create', 'edit', 'meddle'), at, which, text }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), at, which }) },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('pull' as const),
      line: which,
      most: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('end' as const), line: which }) },
);

function play(offices: readonly Office[], lines: Line[], acts: readonly Act[]): void {
  for (const each of acts) {
    if (each.does === 'pull' || each.does === 'end') {
      const line = lines[each.line % Math.max(lines.length, 1)];
      if (line && each.does === 'pull') pull(line, each.most);
      // Some have to be left for anything to go round.
      if (line && each.does === 'end' && lines.length > 3) {
        lines.splice(lines.indexOf(line), 1);
        end(line, 'remove');
      }
      continue;
    }
    const office = offices[each.at % offices.length]!;
    const may = [...office.rows.values()].filter(
      (row) => isThere(row) && isOwn(row) === (each.does !== 'meddle'),
    );
    const row = may[each.which % Math.max(may.length, 1)];
    if (each.does === 'create') create(office, { Name: [`${each.text} ${each.which}`] });
    else if (row && each.does === 'remove') alter(office, row, (old) => ({ ...old, deletedAt: now() }));
    else if (row && each.does !== 'remove')
      alter(office, row, (old) => editRow(old, { City: each.text === '' ? [] : [each.text] }));
  }
}

/** Everybody hears of everything, again and again; answers after how many rounds nothing moved any more. */
function settle(lines: readonly Line[]): number {
  for (let round = 0; ; round++) {
    if (round > 60) throw new Error('they never come to rest');
    if (lines.reduce((sum, line) => sum + pull(line), 0) === 0) return round;
  }
}

const officesOf = (count: number): Office[] =>
  Array.from({ length: count }, (_, number) => ({
    id: `10${number}`,
    rows: new Map(),
    changes: [],
    left: new Set(),
  }));

const linesOf = (offices: readonly Office[], pairs: readonly (readonly [number, number])[]): Line[] =>
  pairs.flatMap(([one, other]) => {
    const [from, to] = [offices[one], offices[other]];
    return from && to && from !== to ? [{ from, to, after: 0 }] : [];
  });

const graph = fc.record({
  offices: fc.integer({ min: 2, max: 5 }),
  lines: fc.uniqueArray(fc.tuple(at, at), {
    minLength: 4,
    maxLength: 16,
    selector: ([from, to]) => `${from}${to}`,
  }),
  acts: fc.array(act, { minLength: 10, maxLength: 120 }),
});

/** Which rows an office shows, whatever their values. */
function homes(office: Office): string[] {
  return seen(office).map((text) => text.split(' ', 1).join());
}

/** What a user changes in a received row is that office's own; everything else is the same. */
function expectTheSame(offices: readonly Office[], lines: readonly Line[]): void {
  settle(lines);
  for (const office of offices)
    for (const row of [...office.rows.values()])
      if (isThere(row)) alter(office, row, (old) => revertRow(old, undefined));
  settle(lines);
  for (const office of offices) expect(seen(office)).toEqual(due(office, lines));
}

describe('offices in rings and diamonds', () => {
  it('keep what came from one that shares with none of them any more, and come to rest', () => {
    const [bergen, oslo, turku] = officesOf(3) as [Office, Office, Office];
    const offices = [bergen, oslo, turku];
    const pairs = [0, 1, 2].flatMap((from) => [0, 1, 2].map((to) => [from, to] as const));
    const lines = linesOf(offices, pairs);
    for (const [place, office] of offices.entries())
      for (const city of ['Hamar', 'Moss', 'Lom']) create(office, { Name: [`${city} ${place}`] });
    settle(lines);
    const before = offices.map(seen);
    const withdrawn = lines.filter(({ from }) => from === bergen);
    for (const line of withdrawn) leave(line);
    const others = lines.filter((line) => !withdrawn.includes(line));
    settle(others);
    expect(offices.map(seen)).toEqual(before);

    // Shared again, they follow it again.
    for (const row of [...bergen.rows.values()].filter(isOwn))
      alter(bergen, row, (old) => editRow(old, { City: ['Narvik'] }));
    settle([...others, ...withdrawn.map((line) => ({ ...line, after: 0 }))]);
    for (const office of offices) expect(seen(office)).toEqual(due(office, lines));
  });

  it('let go of what its office deleted, though it shares with one of them no more, and of nothing else', () => {
    const [bergen, oslo, turku] = officesOf(3) as [Office, Office, Office];
    for (const city of ['Gol', 'Voss', 'Odda']) create(bergen, { Name: [city] });
    const lines = linesOf(
      [bergen, oslo, turku],
      [
        [0, 1],
        [0, 2],
        [1, 2],
        [2, 1],
      ],
    );
    settle(lines);
    leave(lines.shift()!);
    const [deleted] = [...bergen.rows.values()];
    const [, thrownAway] = [...turku.rows.values()];
    alter(bergen, deleted!, (row) => ({ ...row, deletedAt: now() }));
    alter(turku, thrownAway!, (row) => ({ ...row, deletedAt: now(), deletedBy: '7' }));
    settle(lines);
    const cities = (office: Office): string[] =>
      [...office.rows.values()].filter(isThere).flatMap(({ values }) => values.Name ?? []);
    expect(cities(oslo).sort()).toEqual(['Odda', 'Voss']);
    expect(cities(turku)).toEqual(['Odda']);
  });

  it(
    `show each row once and the same, and come to rest (${RUNS} runs, seed ${SEED})`,
    { timeout: 60_000 + RUNS * 20 },
    () => {
      fc.assert(
        fc.property(graph, ({ offices: count, lines: pairs, acts }) => {
          const offices = officesOf(count);
          const lines = linesOf(offices, pairs);
          play(offices, lines, acts);
          expectTheSame(offices, lines);
        }),
        { numRuns: RUNS, seed: SEED },
      );
    },
  );

  it(
    `show each row once and the same once they are paired anew, whatever was kept (${RUNS} runs, seed ${SEED})`,
    { timeout: 60_000 + RUNS * 20 },
    () => {
      const ended = fc.array(which, { minLength: 1, maxLength: 4 });
      const acts = fc.array(act, { maxLength: 60 });
      fc.assert(
        fc.property(graph, ended, acts, acts, (first, ends, later, last) => {
          const offices = officesOf(first.offices);
          const lines = linesOf(offices, first.lines);
          const stays = ({ does }: Act): boolean => does !== 'end' && does !== 'remove';
          play(offices, lines, first.acts.filter(stays));
          const apart = ends.flatMap((each) => lines.splice(each % Math.max(lines.length, 1), 1));
          for (const line of apart) end(line, 'keep');
          play(offices, lines, later.filter(stays));
          settle(lines);
          lines.push(...apart.map((line) => ({ ...line, after: 0 })));
          settle(lines);
          play(offices, lines, last);
          expectTheSame(offices, lines);
        }),
        { numRuns: RUNS, seed: SEED },
      );
    },
  );

  it(
    `lose no row when some share no more with others, and come to rest (${RUNS} runs, seed ${SEED})`,
    { timeout: 60_000 + RUNS * 20 },
    () => {
      const ended = fc.array(which, { minLength: 1, maxLength: 6 });
      const acts = fc.array(act, { maxLength: 40 });
      fc.assert(
        fc.property(graph, ended, acts, (first, ends, later) => {
          const offices = officesOf(first.offices);
          const lines = linesOf(offices, first.lines);
          const stays = ({ does }: Act): boolean => does !== 'end' && does !== 'remove' && does !== 'create';
          play(
            offices,
            lines,
            first.acts.filter(({ does }) => does !== 'end'),
          );
          settle(lines);
          const before = offices.map(homes);
          const apart: Line[] = [];
          for (const each of ends) {
            apart.push(...lines.splice(each % Math.max(lines.length, 1), 1));
            for (const line of apart.slice(-1)) leave(line);
            play(offices, lines, later.filter(stays).slice(0, each));
          }
          settle(lines);
          expect(offices.map(homes)).toEqual(before);
          lines.push(...apart.map((line) => ({ ...line, after: 0 })));
          expectTheSame(offices, lines);
        }),
        { numRuns: RUNS, seed: SEED },
      );
    },
  );
});
