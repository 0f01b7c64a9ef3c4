import { join } from 'node:path';
import { pino } from 'pino';
import type { Node } from '../../server/federation/model.ts';
import { NODES } from '../../server/federation/tables.ts';
import { keepWithinTime } from '../../server/node/keeping.ts';
import type { Rows } from '../../server/lists/rows/rows.ts';
import { openParts, type Parts } from '../../server/node/parts.ts';
import { openHistory, type History } from '../../server/sync/status/history.ts';
import { createIds } from '../../server/base/ids.ts';
import { openListStates, type ListStates } from '../../server/sync/status/list-states.ts';
import { openSuccesses } from '../../server/sync/schedule/successes.ts';
import { said } from '../../server/words/said.ts';
import { countingDisk, type CountingDisk } from '../support/disk-count.ts';
import { temporaryFolder } from '../support/disk-folder.ts';
import { manualClock, type ManualClock } from '../support/manual-clock.ts';
import { customers } from '../support/office-lists.ts';
import { seeded } from '../support/seeded.ts';

/**
 * A year of an office with many partners on a clock of its own. Real are the store on the disk, the lists, the feed
 * that answers each partner, the ledger line before each answer, the rows that are received, the history, the
 * believed time and what is removed by age. Made up are the clock, and that all of it runs in one process without
 * HTTP. Of the 1,440 minutes of a day those are run in which something changed, and as many in which nothing did; what
 * a day takes minute by minute is measured at the end.
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
const MINUTE = 60_000;

interface Partner {
  readonly node: Node;
  readonly exposureID: string;
  /** The list that receives from it. */
  readonly into: { readonly rows: Rows; readonly moduleID: string };
  read: { epoch: string; after: number } | undefined;
}

interface Office {
  readonly parts: Parts;
  readonly clock: ManualClock;
  readonly disk: CountingDisk;
  readonly dataDir: string;
  readonly shared: readonly Rows[];
  readonly partners: readonly Partner[];
  readonly history: History;
  readonly states: ListStates;
}

export async function simulateYear(plan: YearPlan): Promise<YearResult> {
  const began = performance.now();
  const folder = await temporaryFolder();
  const clock = manualClock('2026-01-01T06:00:00Z');
  const disk = countingDisk();
  const quiet = (): void => undefined;
  const log = pino({ level: 'silent' });
  const parts = await openParts({
    ...{ dataDir: folder.path, clock, log, disk: disk.disk, seed: {}, allowLoopbackPartners: true },
    interval: () => MINUTE,
    ownAddress: () => ({ listener: 'http://127.0.0.1:7420/federation' }),
    ownPorts: () => [],
    events: {
      ...{ onStatus: quiet, onProgress: quiet, onActivity: quiet, federation: quiet },
      ...{ lists: quiet, settings: quiet, stranger: quiet, served: quiet },
    },
  });
  let stop: () => Promise<void> = () => Promise.resolve();
  try {
    await parts.settings.change({ keepLedgerDays: plan.keepDays, keepHistoryDays: plan.keepDays });
    const ids = createIds(clock);
    const history = await openHistory({ system: parts.system, clock, ids, onActivity: quiet });
    stop = keepWithinTime({ ...parts, history, clock, log });
    const states = await openListStates(parts.system);
    const made = await furnish(parts, plan);
    const office: Office = { ...made, parts, clock, disk, dataDir: folder.path, history, states };
    const { stands, idleBytes } = await live(office, plan);
    const quietDay = await liveQuietly(office);
    return { stands, idleBytes, quietDay, seconds: Math.round((performance.now() - began) / 1000) };
  } finally {
    await stop();
    await parts.store.close();
    await folder.remove();
  }
}

/** Lists of an office, each shared with some of the partners, and lists for what they send. */
async function furnish(parts: Parts, plan: YearPlan): Promise<Pick<Office, 'shared' | 'partners'>> {
  const { lists, federation } = parts;
  const { namespaceID } = await lists.defaultNamespace();
  const { columns } = customers({ rows: 1 });
  const fields = columns.map((name) => ({ kind: 'String' as const, name }));
  const shared: { rows: Rows; moduleID: string }[] = [];
  const receiving: { rows: Rows; moduleID: string }[] = [];
  for (let index = 0; index < plan.lists; index++) {
    const own = await lists.createModule(namespaceID, { name: `Customers ${index}`, fields });
    const rows = await lists.rows(own.moduleID);
    const content = customers({ rows: plan.rows, seed: index }).rows;
    await rows.createMany(
      content.map((row) => Object.fromEntries(Object.entries(row).map(([name, text]) => [name, [text]]))),
      '1',
    );
    shared.push({ rows, moduleID: own.moduleID });
    const theirs = await lists.createModule(namespaceID, { name: `Theirs ${index}`, fields });
    receiving.push({ rows: await lists.rows(theirs.moduleID), moduleID: theirs.moduleID });
  }
  const partners: Partner[] = [];
  for (let index = 0; index < plan.partners; index++) {
    const made = await federation.nodes.create({ name: `Office ${index}` }, '1');
    const list = shared[index % plan.lists];
    const into = receiving[index % plan.lists];
    if (!list || !into) throw new Error('There is no list to share.');
    const input = {
      composeModuleID: list.moduleID,
      fields: columns.map((name) => ({ name })),
      shape: 1 as const,
    };
    const { moduleID } = await federation.exposures.expose(made.nodeID, input, '1');
    const node: Node = { ...made, status: 'paired', role: 'invitee', footbridge: true };
    await parts.system.transaction((tx) => tx.put(NODES, node.nodeID, node));
    partners.push({ node, exposureID: moduleID, into, read: undefined });
  }
  return { shared: shared.map(({ rows }) => rows), partners };
}

async function live(office: Office, plan: YearPlan): Promise<Pick<YearResult, 'stands' | 'idleBytes'>> {
  const random = seeded(365);
  const stands: Stand[] = [];
  let idleBytes = 0;
  for (let day = 1; day <= plan.days; day++) {
    for (let round = 0; round < plan.rounds; round++) {
      office.clock.advance(DAY / plan.rounds - MINUTE);
      await change(office, random.below(1_000_000), round === 0);
      await Promise.all(office.partners.map((partner) => fetches(office, partner)));
      await Promise.all(office.partners.map((partner, index) => sends(office, partner, day, index)));
      office.clock.advance(MINUTE);
      office.disk.taken();
      await Promise.all(office.partners.map((partner) => fetches(office, partner)));
      idleBytes = Math.max(idleBytes, sum(office.disk.taken().values()));
    }
    if (day % 10 === 0 || day === plan.days) stands.push(await standOf(office, day));
    if (day % 60 === 0) plan.say(`day ${day}`);
  }
  return { stands, idleBytes };
}

/** Some rows of each list change; once a day one comes and one goes to the bin. */
async function change({ shared }: Office, chance: number, isNewDay: boolean): Promise<void> {
  await Promise.all(
    shared.map(async (rows, index) => {
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
async function fetches({ parts }: Office, partner: Partner): Promise<void> {
  const { changeFeed } = parts.federation;
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
  { clock, history, states }: Office,
  { node, exposureID, into }: Partner,
  day: number,
  index: number,
): Promise<void> {
  const now = new Date(clock.now()).toISOString();
  const [row] = customers({ rows: 1, seed: day * 1000 + index }).rows;
  const values = Object.fromEntries(Object.entries(row ?? {}).map(([name, text]) => [name, [text]]));
  const incoming = { recordID: String(1 + (day % 50)), createdAt: now, updatedAt: now, values };
  const counts = await into.rows.receive({
    nodeID: node.nodeID,
    rows: [incoming],
    mappedColumns: Object.keys(values),
  });
  const about = { nodeID: node.nodeID, partner: node.name, moduleID: into.moduleID, listName: 'Theirs' };
  await history.add({
    ...about,
    ...{ kind: 'pull', outcome: 'ok', milliseconds: 20 },
    counts: { ...counts, failed: 0 },
    message: said('history.new', { count: 1 }),
  });
  await states.put({
    nodeID: node.nodeID,
    sharedModuleID: exposureID,
    moduleID: into.moduleID,
    lastPulledAt: now,
    couldNotApply: 0,
  });
}

/** A day in which nothing changes, minute by minute: what the engine notes after each pull that brought nothing. */
async function liveQuietly(office: Office): Promise<ReadonlyMap<string, number>> {
  const { clock, partners, states, parts, disk } = office;
  const successes = await openSuccesses(parts.system, clock);
  disk.taken();
  for (let minute = 0; minute < 1440; minute++) {
    clock.advance(MINUTE);
    const lastPulledAt = new Date(clock.now()).toISOString();
    await Promise.all(
      partners.map(async ({ node, exposureID, into }) => {
        const key = { nodeID: node.nodeID, sharedModuleID: exposureID, moduleID: into.moduleID };
        await states.put({ ...key, lastPulledAt, couldNotApply: 0 });
        await successes.note(node.nodeID);
      }),
    );
    if (minute % 60 === 0) await Promise.all(partners.map((partner) => fetches(office, partner)));
  }
  await successes.flush();
  return disk.taken();
}

async function standOf({ parts, history, disk, dataDir }: Office, day: number): Promise<Stand> {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const sizes = await disk.sizes(join(dataDir, 'store'));
  const of = (isOf: (part: string) => boolean): number =>
    sum([...sizes].filter(([part]) => isOf(part)).map(([, bytes]) => bytes));
  return {
    day,
    ledgerBytes: of((part) => part.startsWith('ledger')),
    systemBytes: of((part) => part === 'system'),
    listBytes: of((part) => part.startsWith('list-')),
    storeBytes: sum(sizes.values()),
    memory: heapUsed + arrayBuffers,
    lines: (await parts.ledger.held()).lines,
    entries: (await history.held()).entries,
  };
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);

/** What must not grow in the last quarter: how much more its greatest is than that of the quarter before. */
export function growth(stands: readonly Stand[], of: (stand: Stand) => number): number {
  const days = stands.at(-1)?.day ?? 0;
  const greatest = (from: number, to: number): number =>
    Math.max(...stands.filter(({ day }) => day > from && day <= to).map(of));
  return greatest(days * 0.75, days) / greatest(days * 0.5, days * 0.75) - 1;
}
