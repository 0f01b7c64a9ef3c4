import { rm } from 'node:fs/promises';
import type { DemoList, Office } from '../../server/commands/demo-office.ts';
import { readUserKey } from '../../server/federation/partners/user-key.ts';
import { officeOf, serveBuilt, type Served } from '../support/serve.ts';
import { WATCH, watched, type Watched } from './children.ts';
import { officeCsv, OFFICE_COLUMNS } from './rows.ts';

/** The built app as a process of its own, with a watch on its event loop and its processor time. */
export interface BenchOffice extends Office, Watched {
  readonly served: Served;
  post(path: string): Promise<void>;
  remove(): Promise<void>;
}

/** Rows in one CSV, which may have 64 MiB. */
const IMPORTED_AT_ONCE = 50_000;

export async function openBenchOffice(name: string): Promise<BenchOffice> {
  const profile = process.env.FOOTBRIDGE_BENCH_PROFILE;
  const served = await serveBuilt({
    nodeArgs: [
      '--import',
      WATCH,
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ],
    args: ['--sync-interval', '1h'],
  });
  const token = (await readUserKey(served.dataDir)).issue('admin', 3_600_000);
  return {
    ...(await officeOf(served, name, token)),
    ...watched(served.process),
    served,
    async post(path) {
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
  };
}

/** An office that has a list of so many rows. */
export async function openOrigin(rows: number): Promise<{ origin: BenchOffice; list: DemoList }> {
  const origin = await openBenchOffice('Origin');
  let list: DemoList | undefined;
  for (let from = 0; from < rows; from += IMPORTED_AT_ONCE) {
    const csv = officeCsv(from, Math.min(from + IMPORTED_AT_ONCE, rows));
    list = await origin.importCsv('Customers', csv);
  }
  if (!list) throw new Error('A list of no rows measures nothing.');
  return { origin, list };
}

/** An office that is paired with the origin and has matched its list, and has pulled no row yet. */
export async function openDestination(
  origin: BenchOffice,
  list: DemoList,
): Promise<{ destination: BenchOffice; here: string; there: string }> {
  const destination = await openBenchOffice('Destination');
  const { nodeID: there, uri } = await origin.invite(destination);
  const here = await destination.accept(uri);
  await origin.confirm(there);
  await origin.expose(there, list, OFFICE_COLUMNS);
  await destination.syncNow(here);
  // A pull on request goes through a pause, and no other disturbs it.
  await destination.post(`/federation/nodes/${here}/pause`);
  const own = await destination.createList('Received', list.fields);
  const columns = Object.fromEntries(OFFICE_COLUMNS.map((column) => [column, column]));
  await destination.match(here, list.name, own, columns);
  return { destination, here, there };
}
