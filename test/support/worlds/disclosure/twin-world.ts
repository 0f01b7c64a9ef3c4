import { omit } from '../../../../server/base/omit.ts';
import type { RequestedCondition } from '../../../../server/lists/query/condition.ts';
import type { Ids } from '../../../../server/base/ids.ts';
import type { Row, Values } from '../../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../../server/lists/rows/rows.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../harness/served-parts.ts';
import { manualClock } from '../../harness/manual-clock.ts';
import { customers } from '../../data/office-lists.ts';
import { seeded, type Seeded } from '../../data/seeded.ts';

/**
 * An office of which a partner sees one history, and of which much else is true that it is not to see. Two of the same
 * `seed` have the same history; how much else there is and what is in it, `hiddenSeed` says.
 */
export interface TwinWorld {
  readonly office: HttpOffice;
  readonly token: string;
  readonly nodeID: string;
  /** The next step that the partner may know of, and whatever happens around it. Says what it was. */
  step(): Promise<string>;
  /** As the list is shared at this moment; undefined where it is not. */
  shared(): string | undefined;
  /** The rows that the partner may ask for by their ids. */
  seen(): readonly string[];
  close(): Promise<void>;
}

const FIELDS = ['Name', 'Town', 'Salary', 'Diagnosis', 'Region'].map((name) => ({
  kind: 'String' as const,
  name,
}));
const BY = '1';
/** Rows of these may be given, of any other never. */
const REGIONS = ['North', 'South'];
/** What no condition of a share lets through. */
const OUTSIDE = ['', 'East', 'West', 'Nowhere at all'];
const START = Date.parse('2026-09-01T06:00:00Z');
const PEOPLE = customers({ rows: 300, seed: 5 }).rows;

const HIDDEN_FROM = 4_000_000_000_000_000_000n;
const STEP = 4096n;

/** Ids as a computer would draw them, but that those of what is hidden use up none of the others. */
function twoLines(): Ids & { hidden: boolean } {
  const next = { seen: 3_000_000_000_000_000_000n, hidden: HIDDEN_FROM };
  return {
    hidden: false,
    next() {
      return String((next[this.hidden ? 'hidden' : 'seen'] += STEP));
    },
  };
}

/** Ids that rows may have of which the partner is never told, as it could guess them. */
export const GUESSED = Array.from({ length: 200 }, (_, at) => String(HIDDEN_FROM + STEP * BigInt(at + 1)));

export async function twinWorld(seed: number, hiddenSeed: number): Promise<TwinWorld> {
  const [random, other] = [seeded(seed), seeded(hiddenSeed)];
  const clock = manualClock(START);
  const ids = twoLines();
  const office = await startHttpOffice('Oslo', { clock, ids, inMemory: true });
  const partner = await startHttpOffice('Bergen', { clock, inMemory: true });
  const third = await startHttpOffice('Malmö', { clock, inMemory: true });
  const { idA: nodeID, idB } = await pairOffices(office, partner);
  const fourth = await startHttpOffice('Vaasa', { clock, inMemory: true });
  const { idA: thirdID } = await pairOffices(office, third);
  const { idA: fourthID } = await pairOffices(office, fourth);
  const others = createThirdOffices({ clock, thirdID, fourthID });
  const list = await office.list('Customers', FIELDS, []);
  const rows = await office.lists.rows(list.moduleID);
  const elsewhere = await office.list('Wages', FIELDS, []);
  const around = createHidden({
    office,
    ids,
    random: other,
    nodeID,
    thirdID,
    rows,
    elsewhere: elsewhere.moduleID,
    others,
    gone: () => [...gone],
    outside: () => (isConditioned ? known.filter((id) => outside.has(id) && !gone.has(id)) : undefined),
  });
  const { exposures } = office.federation;
  let moduleID: string | undefined;
  const known: string[] = [];
  const gone = new Set<string>();
  /** Half of the worlds share under a condition, by a column that is never shared. */
  const isConditioned = seed % 2 === 1;
  /** Rows that no condition lets through at the moment. */
  const outside = new Set<string>();
  const condition = (): RequestedCondition => ({
    join: 'any',
    parts: REGIONS.filter((_, at) => at === 0 || random.happens(0.5)).map((value) => ({
      column: 'Region',
      test: 'is',
      value,
    })),
  });

  const shown = (): Values => {
    const { CompanyName = '', City = '' } = random.pick(PEOPLE);
    const region = isConditioned ? { Region: [random.pick([...REGIONS, ''])] } : {};
    return { Name: [CompanyName], ...(random.happens(0.2) ? {} : { Town: [City] }), ...region };
  };
  const some = (): string | undefined => (known.length === 0 ? undefined : random.pick(known));

  /** Some rows begin to meet every condition, or cease to meet any; nothing else of them changes. */
  async function cross(): Promise<string> {
    if (!isConditioned) return 'nothing';
    const there = known.filter((id) => !gone.has(id) && random.happens(0.5));
    for (const recordID of there) {
      const comes = outside.delete(recordID);
      if (!comes) outside.add(recordID);
      else await others.sendAsKnown(rows, recordID);
      await rows.patch(recordID, { Region: [comes ? (REGIONS[0] ?? '') : ''] }, BY);
    }
    return `let ${there.length} rows leave, or come back`;
  }

  /** What a partner may know of, in both worlds at the same time. */
  const steps: readonly (() => Promise<string>)[] = [
    cross,
    cross,
    async () => {
      const made = Array.from({ length: 1 + random.below(4) }, () => ({ ...shown(), ...around.values() }));
      for (const { recordID, values } of await rows.createMany(made, BY)) {
        known.push(recordID);
        if (isOutside(values)) outside.add(recordID);
      }
      return `add ${made.length} rows`;
    },
    async () => {
      const recordID = some();
      const values = shown();
      if (recordID !== undefined && !gone.has(recordID)) {
        if (outside.has(recordID)) await others.sendAsKnown(rows, recordID);
        await rows.patch(recordID, values, BY);
        if (isOutside(values)) outside.add(recordID);
        else outside.delete(recordID);
      }
      return 'change what is seen of a row, and whether it is';
    },
    async () => {
      const recordID = some();
      if (recordID !== undefined && !gone.has(recordID)) await rows.patch(recordID, around.values(), BY);
      return 'change what is not seen of a row';
    },
    async () => {
      const recordID = some();
      if (recordID === undefined) return 'nothing';
      // One that came and went while the list is not shared is never known.
      if (moduleID === undefined && !gone.has(recordID)) return 'nothing';
      if (gone.has(recordID)) {
        await others.sendAsKnown(rows, recordID);
        await rows.restore(recordID, BY);
      } else await rows.remove(recordID, BY);
      if (!gone.delete(recordID)) gone.add(recordID);
      return 'bin a row, or take one back';
    },
    async () => {
      const values = shown();
      const recordID = await others.sendNew(rows, random, values);
      known.push(recordID);
      if (isOutside(values)) outside.add(recordID);
      return 'receive a row of somebody else';
    },
    async () => {
      const recordID = others.some(random);
      if (recordID !== undefined && !gone.has(recordID) && !outside.has(recordID))
        await others.sendAsKnown(rows, recordID);
      return 'receive a row of somebody else once more';
    },
    async () => {
      if (moduleID === undefined || !random.happens(0.3)) return 'nothing';
      await exposures.remove(nodeID, moduleID, BY);
      moduleID = undefined;
      return 'share no longer';
    },
    async () => {
      const fields = random.happens(0.5) ? [{ name: 'Name' }] : [{ name: 'Name' }, { name: 'Town' }];
      const by = isConditioned ? { condition: condition() } : {};
      const input = { composeModuleID: list.moduleID, fields, shape: 1 as const, ...by };
      if (moduleID === undefined) ({ moduleID } = await exposures.expose(nodeID, input, BY));
      else if (random.happens(0.2)) await exposures.change(nodeID, moduleID, input, BY);
      return 'share';
    },
  ];

  return {
    office,
    token: await partner.federation.tokens.tokenFor(idB),
    nodeID,
    shared: () => moduleID,
    seen: () => known,
    async step() {
      clock.advance(60_000);
      const what = await random.pick(steps)();
      clock.advance(60_000);
      await around.happen(moduleID !== undefined);
      await office.settled();
      return what;
    },
    close: async () => {
      for (const each of [office, partner, third, fourth]) await each.close();
    },
  };
}

interface Around {
  readonly office: HttpOffice;
  readonly ids: { hidden: boolean };
  readonly random: Seeded;
  readonly nodeID: string;
  /** A partner that brings us rows. */
  readonly thirdID: string;
  readonly rows: Rows;
  /** A list that is shared with nobody. */
  readonly elsewhere: string;
  /** The offices that bring rows, of which the partner is to see only what is visible. */
  readonly others: ThirdOffices;
  /** Rows in the trash. */
  readonly gone: () => readonly string[];
  /** Rows that are there and that no condition lets through now; undefined where there is none for this list. */
  readonly outside: () => readonly string[] | undefined;
}

const isOutside = ({ Region: [region = ''] = [] }: Values): boolean => !REGIONS.includes(region);

/** All that is true beside what a partner sees. */
function createHidden({
  office,
  ids,
  random,
  nodeID,
  thirdID,
  rows,
  elsewhere,
  others,
  gone,
  outside,
}: Around): {
  /** Of columns that are not shared: now and then very long ones, now and then none. */
  values(): Values;
  happen(isShared: boolean): Promise<void>;
} {
  const back: string[] = [];
  const never: string[] = [];
  const binned: string[] = [];
  const text = (): string =>
    `secret-${random.below(2 ** 31)}`.repeat(random.happens(0.1) ? 1 + random.below(3000) : 1);
  // Always others than before: that such a column was edited shows as the time of the row's change.
  const values = (): Values => ({ Salary: [text()], Diagnosis: random.happens(0.3) ? [] : [text()] });

  const kinds: readonly ((isShared: boolean) => Promise<unknown>)[] = [
    async () => (await office.lists.rows(elsewhere)).create({ Name: [text()] }, BY),
    // Rows that came from the partner itself, and what becomes of them.
    async () => {
      const at = new Date(Date.UTC(2026, 8, 1) + random.below(2 ** 31)).toISOString();
      const made = Array.from({ length: 1 + random.below(5) }, () => ({
        recordID: String(6n * 10n ** 18n + BigInt(random.below(2 ** 31))),
        createdAt: at,
        updatedAt: at,
        values: { Name: [text()] },
      }));
      await rows.receive({ nodeID, rows: made, mappedColumns: ['Name'] });
      const found = await rows.findReceived(
        nodeID,
        made.map(({ recordID }) => recordID),
      );
      back.push(...found.filter((row): row is Row => row !== undefined).map(({ recordID }) => recordID));
    },
    async () => {
      if (back.length > 0) await rows.patch(random.pick(back), { ...values(), Name: [text()] }, BY);
    },
    async () => {
      const recordID = back.length > 0 ? back.splice(random.below(back.length), 1)[0] : undefined;
      if (recordID !== undefined) await rows.remove(recordID, BY);
    },
    // Rows that a third partner had deleted before they reached us.
    async () => {
      const made = new Date(Date.UTC(2026, 7, 1) + random.below(2 ** 31)).toISOString();
      const gone = Array.from({ length: 1 + random.below(4) }, () => ({
        recordID: String(7n * 10n ** 18n + BigInt(random.below(2 ** 31))),
        ...{ createdAt: made, updatedAt: made, deletedAt: made, values: {} },
      }));
      await rows.receive({ nodeID: thirdID, rows: gone, mappedColumns: ['Name', 'Town'] });
    },
    // Rows of a third office in the trash, which it goes on editing.
    async () => {
      for (const recordID of gone()) {
        const change = { ...values(), Name: [text()], Region: [text()] };
        if (random.happens(0.5)) await others.sendHidden(rows, recordID, random, change);
      }
    },
    // Rows that came and went while the list was not shared.
    async (isShared) => {
      if (isShared) return;
      const made = await rows.createMany(
        Array.from({ length: 1 + random.below(6) }, () => ({ ...values(), Name: [text()] })),
        BY,
      );
      await rows.removeMany(
        made.map(({ recordID }) => recordID),
        BY,
      );
    },
  ];

  /** What the partner never saw, and what it sees no more. */
  const outsiders: typeof kinds = [
    async () => {
      const made = Array.from({ length: 1 + random.below(6) }, () => ({
        ...values(),
        Name: [text()],
        Region: [random.pick(OUTSIDE)],
      }));
      for (const { recordID } of await rows.createMany(made, BY)) never.push(recordID);
    },
    async () => {
      const at = new Date(Date.UTC(2026, 8, 1) + random.below(2 ** 31)).toISOString();
      const row = {
        recordID: String(8n * 10n ** 18n + BigInt(random.below(2 ** 31))),
        ...{ createdAt: at, updatedAt: at, values: { Name: [text()], Region: [random.pick(OUTSIDE)] } },
      };
      await rows.receive({ nodeID: thirdID, rows: [row], mappedColumns: ['Name', 'Region'] });
      for (const each of await rows.findReceived(thirdID, [row.recordID]))
        if (each) never.push(each.recordID);
    },
    async () => {
      const recordID = never.length > 0 ? random.pick(never) : undefined;
      const values = { Name: [text()], Region: [random.pick(OUTSIDE)], Salary: [text()] };
      if (recordID !== undefined && !binned.includes(recordID)) await rows.patch(recordID, values, BY);
    },
    async () => {
      const recordID = never.length > 0 ? random.pick(never) : undefined;
      if (recordID === undefined) return;
      const at = binned.indexOf(recordID);
      if (at < 0) binned.push((await rows.remove(recordID, BY)).recordID);
      else await rows.restore(binned.splice(at, 1)[0] ?? recordID, BY);
    },
    async () => {
      for (const recordID of outside() ?? []) {
        const change = { ...values(), Region: [random.pick(OUTSIDE)] };
        if (random.happens(0.3)) await rows.patch(recordID, change, BY);
      }
    },
    async () => {
      for (const recordID of outside() ?? []) {
        const change = { ...values(), Name: [text()], Region: [text()] };
        if (random.happens(0.5)) await others.sendHidden(rows, recordID, random, change);
      }
    },
  ];

  return {
    values,
    async happen(isShared) {
      ids.hidden = true;
      const all = outside() === undefined ? kinds : [...kinds, ...outsiders];
      for (let n = random.below(6); n > 0; n--) await random.pick(all)(isShared);
      ids.hidden = false;
    },
  };
}

/**
 * Two offices that bring the rows of one that was never paired with us: the second one may pass on what the first one
 * does, in a newer version, so that the way of a row changes with a hidden edit.
 */
interface ThirdOffices {
  /** A row that they made; answers its id here. */
  sendNew(rows: Rows, random: Seeded, values: Values): Promise<string>;
  /** Sends the visible version of the row again with the time of the moment, where it came from them. */
  sendAsKnown(rows: Rows, recordID: string): Promise<void>;
  /** Sends a version that the partner must not see, where the row came from them. */
  sendHidden(rows: Rows, recordID: string, random: Seeded, values: Values): Promise<void>;
  some(random: Seeded): string | undefined;
}

function createThirdOffices(deps: {
  readonly clock: { now(): number };
  readonly thirdID: string;
  readonly fourthID: string;
}): ThirdOffices {
  const { clock, thirdID, fourthID } = deps;
  const made = new Map<
    string,
    { readonly origin: string; readonly createdAt: string; readonly values: Values }
  >();
  const columns = ['Name', 'Town', 'Region', 'Salary', 'Diagnosis'];
  const time = (): string => new Date(clock.now()).toISOString();

  async function send(
    rows: Rows,
    by: 'third' | 'fourth',
    row: { readonly origin: string; readonly createdAt: string; readonly values: Values },
  ): Promise<void> {
    const at = time();
    const incoming = {
      ...{ recordID: row.origin, createdAt: row.createdAt, updatedAt: at, values: row.values },
      via: by === 'third' ? ['maker-of-rows', 'third-office'] : ['maker-of-rows', 'fourth-office'],
      origin: { id: `row-of-maker-${row.origin}`, at },
    };
    const nodeID = by === 'third' ? thirdID : fourthID;
    await rows.receive({ nodeID, rows: [incoming], mappedColumns: columns });
  }

  return {
    async sendNew(rows, random, values) {
      const row = {
        origin: String(5n * 10n ** 18n + BigInt(random.below(2 ** 31))),
        createdAt: time(),
        values,
      };
      await send(rows, 'third', row);
      const [received] = await rows.findReceived(thirdID, [row.origin]);
      if (!received) throw new Error('The row of the third office did not arrive.');
      made.set(received.recordID, row);
      return received.recordID;
    },
    async sendAsKnown(rows, recordID) {
      const row = made.get(recordID);
      if (row) await send(rows, 'third', row);
    },
    async sendHidden(rows, recordID, random, values) {
      const row = made.get(recordID);
      if (!row) return;
      // A value that our user has too would end that user's own edit of it: here all are others.
      const by = random.happens(0.3) ? 'fourth' : 'third';
      await send(rows, by, { ...row, values: { ...row.values, ...values } });
    },
    some: (random) => (made.size === 0 ? undefined : random.pick([...made.keys()])),
  };
}

/** What a world's own names and numbers stand for: the same in both as long as they are told alike. */
export interface Naming {
  /** An answer with every name that is made of chance replaced by when it was met first. */
  plain(body: unknown): unknown;
}

/** Made of chance in each world, and opaque: an answer may only tell whether two are the same. */
const OPAQUE = ['next', 'epoch', 'state', 'cursor', 'mark'];

export function naming(): Naming {
  const met = new Map<string, string>();
  const nameOf = (kind: string, value: unknown): unknown => {
    if (value === 0) return 0;
    const key = `${kind} ${String(value)}`;
    const name = met.get(key) ?? `${kind}-${met.size}`;
    met.set(key, name);
    return name;
  };
  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]: [string, unknown]) => {
        if (name === 'next') return [name, nameOf('place', each)];
        if (OPAQUE.includes(name)) return [name, nameOf(name, each)];
        if (name === 'marks' && Array.isArray(each)) return [name, each.map((mark) => nameOf('place', mark))];
        if (name === 'origin' && typeof each === 'object' && each !== null && 'id' in each)
          return [name, { ...omit(each, 'id'), id: nameOf('origin', each.id) }];
        return [name, plain(each)];
      }),
    );
  }
  return { plain };
}
