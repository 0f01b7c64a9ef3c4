import { describe, expect, it } from 'vitest';
import { LINES, STATES } from '../../../server/base/vocabulary.ts';
import type { PartnerSummary, Progress } from '../../../server/contract/app/overview.ts';
import { arrange } from '../../../renderer/places/home/bridge/arrange.ts';
import {
  drawingOf,
  MAX_MOVING,
  MAX_WAITING,
  type Drawing,
  type Drawn,
} from '../../../renderer/places/home/bridge/drawing.ts';
import { waterPath, roadPath, shorePath, tornEdge } from '../../../renderer/places/home/bridge/shapes.ts';
import { homeTitle } from '../../../renderer/places/home/bridge/problem-reason.ts';
import { translators } from '../../support/reading/translators.ts';

const sharing = (waiting: number): NonNullable<PartnerSummary['sharing']> => ({
  rows: 91,
  waiting,
  undecided: 0,
  complete: waiting === 0,
});
const progress = (done: number, total: number | undefined, rowsPerSecond: number): Progress => ({
  nodeID: '7',
  moduleID: '40',
  listName: 'Price list',
  done,
  ...(total === undefined ? {} : { total }),
  rowsPerSecond,
});
const drawn = (over: Partial<Drawn>, running?: Progress, unknown = false): Drawing =>
  drawingOf({ state: 'up-to-date', line: 'open', ...over }, running, unknown);

describe('the picture of a state', () => {
  it.each<[string, Partial<Drawn>, Pick<Drawing, 'deck' | 'rails' | 'barred' | 'needsYou'>]>([
    ['up to date', {}, { deck: 'whole', rails: 'whose', barred: false, needsYou: false }],
    ['syncing', { state: 'syncing' }, { deck: 'whole', rails: 'whose', barred: false, needsYou: false }],
    [
      'paused',
      { state: 'paused', line: 'paused' },
      { deck: 'whole', rails: 'whose', barred: true, needsYou: false },
    ],
    [
      'not heard from',
      { state: 'offline', line: 'silent' },
      { deck: 'broken', rails: 'quiet', barred: false, needsYou: false },
    ],
    [
      'it is their turn',
      { state: 'offline', line: 'open' },
      { deck: 'whole', rails: 'whose', barred: false, needsYou: false },
    ],
    ['needs you', { state: 'needs-you' }, { deck: 'whole', rails: 'whose', barred: false, needsYou: true }],
    [
      'needs you, and not heard from',
      { state: 'needs-you', line: 'silent' },
      { deck: 'broken', rails: 'quiet', barred: false, needsYou: true },
    ],
    [
      'error',
      { state: 'error', line: 'failed' },
      { deck: 'broken', rails: 'bad', barred: false, needsYou: false },
    ],
    [
      'not yet paired',
      { state: 'offline', line: 'none' },
      { deck: 'dotted', rails: 'quiet', barred: false, needsYou: false },
    ],
  ])('%s', (_, facts, picture) => {
    expect(drawn(facts)).toMatchObject(picture);
  });

  it('is whole and moves only where the way is open, in every state and on every line', () => {
    for (const state of STATES)
      for (const line of LINES)
        for (const unknown of [false, true]) {
          const facts: Drawn = { state, line, sharing: sharing(9) };
          const picture = drawingOf(facts, progress(400, 1000, 90), unknown);
          const open = line === 'open' && !unknown;
          const where = `${state} ${line} ${String(unknown)}`;
          expect(picture.in.moving > 0, where).toBe(open);
          expect(picture.out.moving > 0, where).toBe(open);
          expect(picture.deck === 'whole', where).toBe(open || line === 'paused');
          expect(picture.needsYou, where).toBe(state === 'needs-you');
          expect(picture.out.waiting, where).toBe(open || line === 'none' ? 0 : MAX_WAITING);
        }
  });

  it('is not heard from when nobody knows any more', () => {
    expect(drawn({}, undefined, true)).toMatchObject({ deck: 'broken', rails: 'quiet' });
  });

  it('fills the deck as far as rows have arrived, and not where nobody knows how many there are', () => {
    expect(drawn({ state: 'syncing' }, progress(1204, 2155, 8)).in.fill).toBeCloseTo(0.5587, 3);
    expect(drawn({ state: 'syncing' }, progress(5, undefined, 8)).in.fill).toBeUndefined();
    expect(drawn({ state: 'syncing' }, progress(9, 5, 8)).in.fill).toBe(1);
    expect(drawn({}).in.fill).toBeUndefined();
  });

  it('moves nothing where no row moves, and few rows however many do', () => {
    expect(drawn({ state: 'syncing' }, progress(10, 20, 0)).in.moving).toBe(0);
    expect(drawn({ state: 'syncing' }).in.moving).toBe(0);
    expect(drawn({ state: 'syncing' }, progress(10, 2_000_000, 90_000)).in.moving).toBe(MAX_MOVING);
    expect(drawn({ sharing: sharing(1) }).out.moving).toBe(1);
    expect(drawn({ sharing: sharing(0) }).out.moving).toBe(0);
  });
});

type Some = Pick<PartnerSummary, 'nodeID' | 'state' | 'idle'>;
const some = (count: number, states: Record<number, Some['state']> = {}): Some[] =>
  Array.from({ length: count }, (_, at) => ({ nodeID: String(at), state: states[at] ?? 'up-to-date' }));
const ids = (partners: readonly Some[]): number[] => partners.map(({ nodeID }) => Number(nodeID));
const arranged = (partners: readonly Some[]): ReturnType<typeof arrange<Some>> =>
  arrange(partners, ({ state }) => state);

describe('the places of partners', () => {
  it('are none, fixed for few, and the worst first for many', () => {
    expect(arranged([])).toEqual({ kind: 'none' });
    const few = arranged(some(5, { 3: 'error' }));
    expect(few.kind === 'wide' && ids(few.shown)).toEqual([0, 1, 2, 3, 4]);
    const states = { 1: 'paused', 2: 'syncing', 4: 'offline', 6: 'needs-you', 7: 'error' } as const;
    const many = arranged(some(8, states));
    expect(many.kind === 'lines' && ids(many.shown)).toEqual([7, 6, 4, 2, 1, 0, 3, 5]);
  });

  it('of a crowd go to five that are not up to date; all others are counted for what they are', () => {
    const crowd = arranged(some(60, { 4: 'needs-you', 30: 'offline', 59: 'syncing' }));
    if (crowd.kind !== 'crowd') throw new Error(crowd.kind);
    expect(ids(crowd.shown)).toEqual([4, 30, 59]);
    expect([crowd.notUpToDate, crowd.upToDate.length]).toEqual([0, 57]);
    const bad = arranged(some(21, Object.fromEntries(ids(some(8)).map((at) => [at, 'offline']))));
    if (bad.kind !== 'crowd') throw new Error(bad.kind);
    expect([bad.shown.length, bad.notUpToDate, bad.upToDate.length]).toEqual([5, 3, 13]);
  });
});

it('of a crowd, those that no list goes to or from are not counted as up to date, nor as not', () => {
  const partners = some(30, { 3: 'offline' }).map((one, at) =>
    at >= 20 ? { ...one, idle: true as const } : one,
  );
  expect(arranged(partners)).toMatchObject({ kind: 'crowd', connected: 10, notUpToDate: 0 });
  const crowd = arranged(partners);
  expect(crowd.kind === 'crowd' && crowd.upToDate.length).toBe(19);
});

describe('the title of Home', () => {
  type Partner = Pick<PartnerSummary, 'status' | 'state' | 'line' | 'partly'>;
  const open: Partner = { status: 'paired', state: 'up-to-date', line: 'open' };
  const silent: Partner = { status: 'paired', state: 'offline', line: 'silent' };
  const paused: Partner = { status: 'paired', state: 'paused', line: 'paused' };
  const invited: Partner = { status: 'pending', state: 'needs-you', line: 'none' };
  const ended: Partner = { status: 'unpaired', state: 'needs-you', line: 'silent' };

  it.each<[readonly Partner[], string, string]>([
    [[], 'Next: connect an office', 'Als Nächstes: ein Büro verbinden'],
    [[invited], 'Nobody is connected', 'Niemand ist verbunden'],
    [[open], 'Your partner is connected', 'Ihr Partner ist verbunden'],
    [[open, open], 'Both partners are connected', 'Beide Partner sind verbunden'],
    [[open, invited, open], 'Two of three partners are connected', 'Zwei von drei Partnern sind verbunden'],
    [[open, invited], 'Your partner is connected', 'Ihr Partner ist verbunden'],
    [[silent], 'Your partner is offline', 'Ihr Partner ist offline'],
    [[ended], 'Your partner is not connected', 'Ihr Partner ist nicht verbunden'],
    [
      [{ ...silent, partly: true }],
      'Your partner is connected, with a problem',
      'Ihr Partner ist verbunden, aber es gibt ein Problem',
    ],
    [
      [silent, { ...silent, partly: true }],
      'Some partners are connected, with a problem',
      'Einige Partner sind verbunden, aber es gibt Probleme',
    ],
    [[paused], 'Your partner is paused', 'Ihr Partner ist pausiert'],
    [[open, silent], 'One of two partners is connected', 'Einer von zwei Partnern ist verbunden'],
    [[open, ended, open], 'Two of three partners are connected', 'Zwei von drei Partnern sind verbunden'],
    [[open, paused, open], 'Two of three partners are connected', 'Zwei von drei Partnern sind verbunden'],
    [[paused, paused], 'Both partners are paused', 'Beide Partner sind pausiert'],
    [[ended, silent], 'Neither of your two partners is connected', 'Keiner Ihrer zwei Partner ist verbunden'],
    [Array<Partner>(13).fill(open), 'All 13 partners are connected', 'Alle 13 Partner sind verbunden'],
  ])('%#: says with how many there is an open way', (partners, english, german) => {
    expect(homeTitle(partners, () => false, translators.en)).toBe(english);
    expect(homeTitle(partners, () => false, translators.de)).toBe(german);
  });

  it('counts nobody of whom nothing is known any more', () => {
    expect(homeTitle([open, open], (partner) => partner === open, translators.en)).toBe(
      'Neither of your two partners is connected',
    );
  });
});

describe('the shapes of the map', () => {
  it('are paths of plain numbers, for any size', () => {
    for (const [width, height] of [
      [1008, 420],
      [640, 1380],
      [358, 72],
    ] as const) {
      const paths = [
        shorePath(width * 0.2, height, 0.4),
        waterPath(width * 0.2, width * 0.61, height, [0.4, 2.1]),
        roadPath(96, height / 2, width * 0.18, 20),
        `M${tornEdge(width / 2, 10, 42, 1)}`,
      ];
      for (const path of paths) expect(path).toMatch(/^M-?[\d.]+ -?[\d.]+(?:[CL\d. -]+)+Z?$/);
    }
  });
});
