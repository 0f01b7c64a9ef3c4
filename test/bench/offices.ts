import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { DemoList, Office } from '../../server/commands/demo-office.ts';
import { readUserKey } from '../../server/federation/partners/user-key.ts';
import { officeOf, serveBuilt, type Served } from '../support/harness/program.ts';
import { WATCH, watched, type Watched } from './children.ts';
import { ORIGIN_CORE, pin, PULLER_CORE } from './pinning.ts';
import { officeCsv, OFFICE_COLUMNS, type Letters } from './rows.ts';

/** The built app as a process of its own, with a watch on its event loop and its processor time. */
export interface BenchOffice extends Office, Watched {
  readonly served: Served;
  /** Milliseconds from the start of its process until it answered. */
  readonly readyAfter: number;
  post(path: string): Promise<void>;
  remove(): Promise<void>;
}

/** Rows in one CSV, which may have 64 MiB. */
const IMPORTED_AT_ONCE = 50_000;

/** @param core where it runs with all of its threads; on all cores unless given */
export async function openBenchOffice(name: string, core?: number, dataDir?: string): Promise<BenchOffice> {
  const profile = process.env.FOOTBRIDGE_BENCH_PROFILE;
  const began = performance.now();
  const served = await serveBuilt({
    ...(dataDir === undefined ? {} : { dataDir }),
    nodeArgs: [
      '--import',
      WATCH,
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ],
    args: ['--sync-interval', '1h'],
  });
  const readyAfter = performance.now() - began;
  if (core !== undefined) pin(served.process.pid, core);
  const token = (await readUserKey(served.dataDir)).issue('admin', 3_600_000);
  return Object.assign(await officeOf(served, name, token), {
    ...watched(served.process),
    served,
    readyAfter,
    async post(path: string) {
      const answer = await fetch(served.federation + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
      });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    },
    async remove() {
      await served.stop();
      await rm(served.dataDir, { recursive: true, force: true });
    },
  });
}

/** An office that has a list of so many rows, and runs where those run that share. */
export async function openOrigin(
  rows: number,
  letters: Letters = 'any',
): Promise<{ origin: BenchOffice; list: DemoList }> {
  const origin = await openBenchOffice('Origin', ORIGIN_CORE);
  return { origin, list: await makeList(origin, 'Customers', rows, letters) };
}

/** A list of made-up rows at an office. */
export async function makeList(
  office: BenchOffice,
  name: string,
  rows: number,
  letters: Letters = 'any',
): Promise<DemoList> {
  let list: DemoList | undefined;
  for (let from = 0; from < rows; from += IMPORTED_AT_ONCE) {
    const csv = officeCsv(from, Math.min(from + IMPORTED_AT_ONCE, rows), letters);
    list = await office.importCsv(name, csv);
  }
  if (!list) throw new Error('A list of no rows measures nothing.');
  return list;
}

/** An office that is paired with the origin, sees these lists of it, and has matched none yet. */
export async function openDestination(
  origin: BenchOffice,
  lists: readonly DemoList[],
): Promise<{ destination: BenchOffice; here: string; there: string }> {
  const destination = await openBenchOffice('Destination', PULLER_CORE);
  return { destination, ...(await connect(origin, destination, lists)) };
}

/** The pull of so many rows is over before partners announce their addresses. */
const SHORT_ROWS = 10_000;
/** By then partners have announced their addresses, which interrupts a pull and costs time. */
const ANNOUNCED_MS = 12_000;

/** Pairs two offices and shows these lists of the first to the second, which then checks for changes on request alone. */
export async function connect(
  origin: BenchOffice,
  destination: BenchOffice,
  lists: readonly DemoList[],
): Promise<{ here: string; there: string }> {
  const { nodeID: there, uri } = await origin.invite(destination);
  const here = await destination.accept(uri);
  await origin.approve(there);
  for (const list of lists) await origin.expose(there, list, OFFICE_COLUMNS);
  await destination.syncNow(here);
  if (lists.some(({ rows }) => rows > SHORT_ROWS)) await wait(ANNOUNCED_MS);
  // A pull on request goes through a pause, and no other disturbs it.
  await destination.post(`/federation/nodes/${here}/pause`);
  return { here, there };
}

/** Matches an offered list onto a new one, so that the next pull brings all of its rows. */
export async function receive(destination: BenchOffice, here: string, list: DemoList): Promise<DemoList> {
  const own = await destination.createList(`Received ${list.name}`, list.fields);
  const columns = Object.fromEntries(OFFICE_COLUMNS.map((column) => [column, column]));
  await destination.mapOffer(here, list.name, own, columns);
  return own;
}

/** Pulls until nothing is new, in a measured time. @throws where other than so many rows came */
export async function pullAll(destination: BenchOffice, here: string, rows: number): Promise<number> {
  const start = performance.now();
  const { created } = await destination.syncNow(here);
  const milliseconds = performance.now() - start;
  if (created !== rows) throw new Error(`${created} rows came instead of ${rows}.`);
  return milliseconds;
}
