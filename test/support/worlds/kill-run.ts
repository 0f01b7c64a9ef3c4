import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { GROUP_ROWS } from '../../../server/base/row-group.ts';
import { inspectStore } from '../../../server/store/recovery/inspect.ts';
import { startLine } from '../faults/line.ts';
import { officeOf, serveBuilt, userTokenOf, type Served } from '../harness/program.ts';

/** A pull between two built nodes that run as processes of their own, and who is killed in it how often. */
export interface KillPlan {
  readonly rows: number;
  /** Kills altogether; destination and origin take turns. */
  readonly kills: number;
  /** Kills in one pull of all rows, of more pages than that; then every row changes, and the next pull begins. */
  readonly killsInOnePull: number;
  readonly say: (line: string) => void;
}

export interface KillResult {
  readonly rows: number;
  readonly kills: number;
  readonly pulls: number;
  /** Changes that the origin acknowledged while the pulls ran. */
  readonly acknowledged: number;
  readonly seconds: number;
}

/** What went wrong is thrown: something acknowledged is missing, a store is damaged, or the sides differ. */
class KillFinding extends Error {}

type SideName = 'origin' | 'destination';
interface Office {
  served: Served;
  readonly token: string;
  /** Path of its list's rows in the interface. */
  records: string;
}

const COLUMNS = { Number: 'Nr', Name: 'Client', City: 'Town', Round: 'Pass' };
const record = z.object({
  recordID: z.string(),
  values: z.array(z.object({ name: z.string(), value: z.string().default('') })),
});
const page = z.object({
  filter: z.object({ nextPage: z.string().optional(), total: z.number().optional() }),
  set: z.array(record),
});
type Rows = Map<string, string>;

/** Where a list's rows are asked for. The first pages of a pull have 500 rows, the others up to {@link GROUP_ROWS}. */
const PAGES = /\/changes$/;

/**
 * Pulls while both nodes are killed (SIGKILL) at random moments of it, one after the other, and the origin's user
 * goes on editing. After every kill the store must be whole as `doctor` sees it, must open, and must hold all that
 * was acknowledged before; in the end both sides must be equal value by value. However quick the computer is, each
 * kill hits a pull that has stored a page since the last one and not all of them: the line lets no more through.
 */
export async function killRun(plan: KillPlan): Promise<KillResult> {
  const began = performance.now();
  const originAt: { port?: number } = {};
  const line = await startLine(() => originAt.port);
  const args: Record<SideName, readonly string[]> = {
    origin: ['--public-url', `http://127.0.0.1:${line.port}`],
    destination: ['--sync-interval', '1s'],
  };
  const [origin, destination] = [
    withToken(await serveBuilt({ args: args.origin })),
    withToken(await serveBuilt({ args: args.destination })),
  ];
  originAt.port = Number(new URL(origin.served.federation).port);
  const offices = { origin, destination };
  try {
    line.set('frozen', PAGES);
    const there = await prepare(origin, destination, plan.rows);
    const writer = createWriter(origin, await allOf(origin));
    let kills = 0;
    let round = 0;
    while (kills < plan.kills) {
      if (++round > 1) await changeAll(origin, round, plan.rows);
      writer.roundIs(round);
      const inThis = Math.min(plan.kills - kills, plan.killsInOnePull);
      for (const pages of portionsOf(Math.ceil(plan.rows / GROUP_ROWS) - 1, inThis)) {
        const side: SideName = kills++ % 2 === 0 ? 'destination' : 'origin';
        const stood = await countOf(destination, round);
        line.set('frozen', PAGES, pages);
        await pullSoon(destination, there);
        const mark = stood + Math.random() * pages * GROUP_ROWS;
        const isTime = (count: number): boolean => count >= mark || (count > stood && line.held > 0);
        const before = await arrived(destination, round, isTime, () => writer.write());
        await pause(Math.random() * 60);
        await killed(offices[side], args[side], () => side === 'origin' && line.set('cut'));
        line.set('frozen', PAGES);
        const after = await countOf(destination, round);
        if (after < before) throw new KillFinding(`${before} rows had arrived, ${after} are left`);
        if (after >= plan.rows) throw new KillFinding('all rows came through a line that held some back');
        if (side === 'origin') await writer.check();
        plan.say(`kill ${kills} (${side}), pull ${round}: ${before} of ${plan.rows} rows in`);
      }
      line.set('clear');
      await pullSoon(destination, there);
      await arrived(
        destination,
        round,
        (count) => count >= plan.rows,
        () => writer.write(),
      );
      // An answer of before the next change, held back, would pass for one of its pages and bring none of its rows.
      line.set('cut', PAGES);
    }
    line.set('clear');
    await writer.check();
    await untilEqual(origin, destination, there, plan.rows);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    return { ...plan, pulls: round, acknowledged: writer.acknowledged(), seconds };
  } finally {
    await origin.served.remove();
    await destination.served.remove();
    await line.close();
  }
}

/** How many pages get through before each kill: one at least, by luck, and never more altogether. */
function portionsOf(pages: number, kills: number): number[] {
  if (kills > pages) throw new Error(`${kills} kills do not fit into ${pages} pages.`);
  const ends = Array.from({ length: kills }, (_, kill) =>
    Math.floor(((kill + Math.random()) / kills) * (pages - kills)),
  );
  return ends.map((end, kill) => 1 + end - (ends[kill - 1] ?? 0));
}

function withToken(served: Served): Office {
  return { served, token: userTokenOf(served), records: '' };
}

/** Pairs, shares and matches; answers the destination's id of the origin. */
async function prepare(origin: Office, destination: Office, rows: number): Promise<string> {
  const [from, to] = [await officeOf(origin.served, 'Oslo'), await officeOf(destination.served, 'Bergen')];
  const { nodeID: asInvited, uri } = await from.invite(to);
  const there = await to.accept(uri);
  await from.approve(asInvited);
  const lines = Array.from({ length: rows }, (_, nr) => `${nr},Company ${nr},City ${nr % 97},1,secret ${nr}`);
  const list = await from.importCsv('customers', `Number,Name,City,Round,Note\n${lines.join('\n')}\n`);
  await from.expose(asInvited, list, Object.keys(COLUMNS));
  await to.syncNow(there);
  const fields = list.fields.flatMap((field) => {
    const name = Object.entries(COLUMNS).find(([theirs]) => theirs === field.name)?.[1];
    return name === undefined ? [] : [{ ...field, name, label: name }];
  });
  const local = await to.createList('Clients', fields);
  await to.mapOffer(there, list.name, local, COLUMNS);
  const pathOf = ({ namespaceID, moduleID }: typeof list): string =>
    `/compose/namespace/${namespaceID}/module/${moduleID}/record/`;
  origin.records = pathOf(list);
  destination.records = pathOf(local);
  return there;
}

async function call(office: Office, method: string, path: string, body?: string | object): Promise<unknown> {
  const isCsv = typeof body === 'string';
  const answer = await fetch(office.served.federation + path, {
    method,
    headers: {
      authorization: `Bearer ${office.token}`,
      ...(body === undefined ? {} : { 'content-type': isCsv ? 'text/csv' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isCsv ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return text === '' ? undefined : (JSON.parse(text) as { response?: unknown }).response;
}

const pullSoon = (destination: Office, there: string): Promise<unknown> =>
  call(destination, 'POST', `/federation/nodes/${there}/sync?wait=0`);

/** Every row gets the number of the round, so that the next pull brings all of them. */
async function changeAll(origin: Office, round: number, rows: number): Promise<void> {
  const lines = Array.from({ length: rows }, (_, nr) => `${nr},${round}`);
  const path = `${origin.records.replace(/record\/$/, 'import')}?key=Number`;
  await call(origin, 'POST', path, `Number,Round\n${lines.join('\n')}\n`);
}

/** Rows of this round that stand in the destination's list. */
async function countOf(destination: Office, round: number): Promise<number> {
  const query = encodeURIComponent(`${COLUMNS.Round} = ${round}`);
  const path = `${destination.records}?limit=1&incTotal=true&query=${query}`;
  return page.parse(await call(destination, 'GET', path)).filter.total ?? 0;
}

/** Waits until enough rows have arrived; answers how many it saw. */
async function arrived(
  destination: Office,
  round: number,
  isEnough: (count: number) => boolean,
  meanwhile: () => Promise<void>,
): Promise<number> {
  const end = performance.now() + 120_000;
  for (;;) {
    await meanwhile();
    const count = await countOf(destination, round);
    if (isEnough(count)) return count;
    if (performance.now() > end) throw new KillFinding(`the pull stands at ${count} rows`);
    // Counting costs the node more with every row.
    await pause(Math.min(100, Math.max(10, count / 500)));
  }
}

/** A power cut, a look at what it left, and the same folder and port again. */
async function killed(office: Office, args: readonly string[], asItDies: () => void): Promise<void> {
  const { dataDir, federation } = office.served;
  await office.served.kill();
  asItDies();
  const report = await inspectStore(dataDir);
  const unsound = report.partitions.filter(({ state }) => state !== 'good' && state !== 'not-closed');
  if (unsound.length > 0) throw new KillFinding(`after the kill: ${JSON.stringify(unsound)}`);
  office.served = await serveBuilt({ dataDir, args: ['--port', new URL(federation).port, ...args] });
  const names = await readdir(dataDir, { recursive: true });
  const aside = names.filter((name) => name.includes('.damaged-'));
  if (aside.length > 0) throw new KillFinding(`put aside: ${aside.join(', ')}`);
}

/** The origin's user, who edits a row now and then and remembers what was acknowledged. */
function createWriter(
  origin: Office,
  ids: Rows,
): { write(): Promise<void>; check(): Promise<void>; roundIs(round: number): void; acknowledged(): number } {
  const all = [...ids.keys()];
  const told = new Map<string, string>();
  let acknowledged = 0;
  let round = 1;
  return {
    roundIs: (now) => (round = now),
    acknowledged: () => acknowledged,
    async write() {
      const recordID = all[Math.floor(Math.random() * all.length)] ?? '';
      const value = `edited ${round}.${acknowledged}`;
      await call(origin, 'PATCH', origin.records + recordID, { values: [{ name: 'City', value }] });
      told.set(recordID, value);
      acknowledged++;
    },
    async check() {
      for (const [recordID, value] of told) {
        const { values } = record.parse(await call(origin, 'GET', origin.records + recordID));
        const is = values.find(({ name }) => name === 'City')?.value;
        if (is !== value)
          throw new KillFinding(`${recordID} was acknowledged as ${value}, and is ${is ?? 'empty'}`);
      }
    },
  };
}

/** All rows: by id, or in the destination by what they hold, their values in one order. */
async function allOf(office: Office): Promise<Rows> {
  const rows: Rows = new Map();
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const at: string = cursor === '' ? '' : `&pageCursor=${encodeURIComponent(cursor)}`;
    const answer: z.infer<typeof page> = page.parse(
      await call(office, 'GET', `${office.records}?limit=1000${at}`),
    );
    for (const { recordID, values } of answer.set) rows.set(recordID, JSON.stringify(values));
    cursor = answer.filter.nextPage;
  }
  return rows;
}

async function untilEqual(origin: Office, destination: Office, there: string, rows: number): Promise<void> {
  const pairs = Object.entries(COLUMNS);
  const inOrder = (texts: Rows, name: 0 | 1): string[] =>
    [...texts.values()]
      .map((text) => {
        const values = new Map(
          record.shape.values.parse(JSON.parse(text)).map((each) => [each.name, each.value]),
        );
        return JSON.stringify(pairs.map((columns) => values.get(columns[name]) ?? ''));
      })
      .sort();
  await call(destination, 'POST', `/federation/nodes/${there}/sync`);
  const theirs = inOrder(await allOf(origin), 0);
  const ours = inOrder(await allOf(destination), 1);
  const at = theirs.findIndex((text, index) => text !== ours[index]);
  if (theirs.length !== rows || ours.length !== rows || at >= 0)
    throw new KillFinding(
      `${theirs.length} rows there, ${ours.length} here; ${theirs[at]} against ${ours[at]}`,
    );
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
