import { join } from 'node:path';
import { DEFAULT_COMPACT_FLOOR_BYTES } from '../../server/store/engine/open-store.ts';
import { openSuccesses } from '../../server/sync/schedule/successes.ts';
import { said } from '../../server/words/said.ts';
import { countingDisk, type PartSize } from '../support/faults/disk-count.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { manualClock } from '../support/harness/manual-clock.ts';
import { customers } from '../support/data/office-lists.ts';
import { seeded } from '../support/data/seeded.ts';
import { eventsOf } from './year-events.ts';
import { furnish, MINUTE, start, type Office, type Partner } from './year-office.ts';

/**
 * A year of an office with many partners on a clock of its own. Real are the store on the disk, the lists, the feed
 * that answers each partner, the ledger line before each answer, the rows that are received, the history, the
 * believed time, the tokens, what is removed by age, and what each month brings besides (year-events.ts). Made up are
 * the clock, the agreement to pair, and that all of it runs in one process without HTTP. Of the 1,440 minutes of a day
 * those are run in which something changed, and as many in which nothing did; what a day takes minute by minute is
 * measured at the end.
 */
export interface YearPlan {
  readonly days: number;
  readonly partners: number;
  /** Lists that are shared, and as many that receive. */
  readonly lists: number;
  readonly rows: number;
  /** Times a day at which something changed, and all partners fetch it and send something. */
  readonly rounds: number;
  /** Shorter than a year, so that within it something grows old. */
  readonly keepDays: number;
  readonly say: (line: string) => void;
}

/** What there is at one moment. */
export interface Stand {
  readonly day: number;
  readonly ledgerBytes: number;
  readonly systemBytes: number;
  readonly listBytes: number;
  /** What system and lists held, when their files were written anew last. */
  readonly systemHeld: number;
  readonly listsHeld: number;
  /** The most that a part of the store took on the disk, of what it may by the rule of {@link allowance}. */
  readonly fullest: { readonly part: string; readonly share: number };
  readonly storeBytes: number;
  /** JavaScript heap and buffers, after the garbage was collected. */
  readonly memory: number;
  readonly lines: number;
  readonly entries: number;
}

export interface YearResult {
  readonly stands: readonly Stand[];
  /** What was written in a minute in which nothing changed: by all partners together. */
  readonly idleBytes: number;
  /** What a day takes, minute by minute, while nothing changes: bytes by part of the store. */
  readonly quietDay: ReadonlyMap<string, number>;
  readonly seconds: number;
}

const DAY = 24 * 3_600_000;

export async function simulateYear(plan: YearPlan): Promise<YearResult> {
  const began = performance.now();
  const folder = await temporaryFolder();
  const surroundings = {
    clock: manualClock('2026-01-01T06:00:00Z'),
    disk: countingDisk(),
    dataDir: folder.path,
  };
  const running = await start(surroundings);
  const office: Office = { ...surroundings, running, ...(await furnish(running.parts, plan)) };
  try {
    await running.parts.settings.change({ keepLedgerDays: plan.keepDays, keepHistoryDays: plan.keepDays });
    const { stands, idleBytes } = await live(office, plan);
    const quietDay = await liveQuietly(office);
    return { stands, idleBytes, quietDay, seconds: Math.round((performance.now() - began) / 1000) };
  } finally {
    await office.running.stop();
    await folder.remove();
  }
}

async function live(office: Office, plan: YearPlan): Promise<Pick<YearResult, 'stands' | 'idleBytes'>> {
  const random = seeded(365);
  const stands: Stand[] = [];
  let idleBytes = 0;
  for (let day = 1; day <= plan.days; day++) {
    const exchange = async (isNewDay: boolean): Promise<void> => {
      await change(office, random.below(1_000_000), isNewDay);
      await Promise.all(office.partners.map((partner) => fetches(office, partner)));
      await Promise.all(office.partners.map((partner, index) => sends(office, partner, day, index)));
    };
    await eventsOf(office, day, () => exchange(false));
    for (let round = 0; round < plan.rounds; round++) {
      office.clock.advance(DAY / plan.rounds - MINUTE);
      await exchange(round === 0);
      office.clock.advance(MINUTE);
      office.disk.taken();
      await Promise.all(office.partners.map((partner) => fetches(office, partner)));
      idleBytes = Math.max(idleBytes, sum(office.disk.taken().values()));
    }
    if (day % 10 === 0 || day === plan.days) stands.push(await standOf(office, day));
    if (day % 30 === 0) plan.say(`day ${day}`);
  }
  return { stands, idleBytes };
}

/** Some rows of each list change; once a day one comes and one goes to the bin. */
async function change({ running, shared }: Office, chance: number, isNewDay: boolean): Promise<void> {
  await Promise.all(
    shared.map(async (list, index) => {
      const rows = await running.parts.lists.rows(list);
      const [row] = customers({ rows: 1, seed: chance + index }).rows;
      const values = Object.fromEntries(Object.entries(row ?? {}).map(([name, text]) => [name, [text]]));
      const { rows: some } = await rows.list({ limit: 40, sort: 'updatedAt' });
      await rows.saveMany(
        some.map(({ recordID }) => ({ recordID, values: { ...values, CustomerID: [recordID] } })),
        '1',
      );
      if (!isNewDay) return;
      await rows.create(values, '1');
      await rows.remove(some[0]?.recordID ?? '', '1');
    }),
  );
}

/** A partner asks for what is new, as another Footbridge does. */
async function fetches({ running }: Office, partner: Partner): Promise<void> {
  const { changeFeed } = running.parts.federation;
  for (let more = true; more;) {
    const { epoch, after = 0 } = partner.read ?? {};
    const request = { after, epoch, limit: 500, marks: 0, address: '192.0.2.7' };
    const answer = await changeFeed.changes(partner.node, partner.exposureID, request, (row) => row);
    partner.read = { epoch: answer.epoch, after: answer.next };
    ({ more } = answer);
  }
}

/** A partner's row arrives, as a pull takes it in and tells of it. */
async function sends(
  { clock, running: { parts, history, states } }: Office,
  { node, exposureID, into }: Partner,
  day: number,
  index: number,
): Promise<void> {
  const now = new Date(clock.now()).toISOString();
  const [row] = customers({ rows: 1, seed: day * 1000 + index }).rows;
  const values = Object.fromEntries(Object.entries(row ?? {}).map(([name, text]) => [name, [text]]));
  const incoming = { recordID: String(1 + (day % 50)), createdAt: now, updatedAt: now, values };
  const rows = await parts.lists.rows(into);
  const counts = await rows.receive({
    nodeID: node.nodeID,
    rows: [incoming],
    mappedColumns: Object.keys(values),
  });
  const about = { nodeID: node.nodeID, partner: node.name, moduleID: into, listName: 'Theirs' };
  await history.add({
    ...about,
    ...{ kind: 'pull', outcome: 'ok', milliseconds: 20 },
    counts: { ...counts, failed: 0 },
    message: said('history.new', { count: 1 }),
  });
  await states.put({
    nodeID: node.nodeID,
    sharedModuleID: exposureID,
    moduleID: into,
    lastPulledAt: now,
    couldNotApply: 0,
  });
}

/** A day in which nothing changes, minute by minute: what the engine notes after each pull that brought nothing. */
async function liveQuietly(office: Office): Promise<ReadonlyMap<string, number>> {
  const { clock, partners, disk } = office;
  const { states, parts } = office.running;
  const successes = await openSuccesses(parts.system, clock);
  disk.taken();
  for (let minute = 0; minute < 1440; minute++) {
    clock.advance(MINUTE);
    const lastPulledAt = new Date(clock.now()).toISOString();
    await Promise.all(
      partners.map(async ({ node, exposureID, into }) => {
        const key = { nodeID: node.nodeID, sharedModuleID: exposureID, moduleID: into };
        await states.put({ ...key, lastPulledAt, couldNotApply: 0 });
        await successes.recordSuccess(node.nodeID);
      }),
    );
    if (minute % 60 === 0) await Promise.all(partners.map((partner) => fetches(office, partner)));
  }
  await successes.flush();
  return disk.taken();
}

async function standOf({ running: { parts, history }, disk, dataDir }: Office, day: number): Promise<Stand> {
  const memory = await memoryAtRest();
  const sizes = await disk.sizes(join(dataDir, 'store'));
  const of = (isOf: (part: string) => boolean, what: 'bytes' | 'newest'): number =>
    sum([...sizes].filter(([part]) => isOf(part)).map(([, size]) => size[what]));
  const isSystem = (part: string): boolean => part === 'system';
  const isList = (part: string): boolean => part.startsWith('list-');
  return {
    day,
    ledgerBytes: of((part) => part.startsWith('ledger'), 'bytes'),
    systemBytes: of(isSystem, 'bytes'),
    systemHeld: of(isSystem, 'newest'),
    listBytes: of(isList, 'bytes'),
    listsHeld: of(isList, 'newest'),
    fullest: [...sizes]
      .map(([part, size]) => ({ part, share: size.bytes / allowance(size) }))
      .reduce((most, each) => (each.share > most.share ? each : most)),
    storeBytes: of(() => true, 'bytes'),
    memory,
    lines: (await parts.ledger.countLines()).lines,
    entries: (await history.measureEntries()).entries,
  };
}

/** The least of some looks: a part that is just being written anew holds its lines twice for a moment. */
async function memoryAtRest(): Promise<number> {
  let least = Infinity;
  for (let look = 0; look < 5; look++) {
    if (look > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    least = Math.min(least, heapUsed + arrayBuffers);
  }
  return least;
}

/**
 * A journal that is long enough grows on until it is written anew: one after the other, and the many lists of a year that
 * are all written alike become due at the same time.
 */
const MEANWHILE = 1.5;

/**
 * What a part of the store may take by its rule: what it holds and what held it before are both there, each with a journal
 * that grows to twice as much, or to the least for which it is worth writing it anew.
 */
const allowance = ({ largest }: PartSize): number =>
  MEANWHILE * 2 * (largest + Math.max(2 * largest, DEFAULT_COMPACT_FLOOR_BYTES));

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);

/** What must not grow in the last quarter: how much more its greatest is than that of the quarter before. */
export function growth(stands: readonly Stand[], of: (stand: Stand) => number): number {
  const days = stands.at(-1)?.day ?? 0;
  const greatest = (from: number, to: number): number =>
    Math.max(...stands.filter(({ day }) => day > from && day <= to).map(of));
  return greatest(days * 0.75, days) / greatest(days * 0.5, days * 0.75) - 1;
}
