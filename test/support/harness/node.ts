import { pino } from 'pino';
import { expect } from 'vitest';
import { FootbridgeNode, type NodeOptions, type Ready } from '../../../server/node/node.ts';
import { cuttableDisk, type CuttableDisk } from '../faults/disk-cut.ts';
import { callsByToken, type Spoken } from './calls.ts';
import { storageOfRun } from './database-storage.ts';
import { pairNodes } from './pairing.ts';
import { temporaryFolder } from './temporary-folder.ts';

export { pairNodes };
export type { Pair } from './pairing.ts';

/**
 * The second of the three ways in which a test has an office: a whole node as it ships, in the test's own process, on free
 * ports of this computer, spoken to as the window speaks to it.
 */
export interface NodeOffice extends Spoken {
  readonly name: string;
  readonly node: FootbridgeNode;
  readonly ready: Ready;
  readonly dataDir: string;
  /** Federation port, on whatever address the node listens. */
  readonly port: number;
  /** What is no call, such as a file, with a token of its administrator. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A list with one text column a name. Answers its id. */
  list(name: string, columns: readonly string[], rows?: readonly Record<string, string>[]): Promise<string>;
  /** What its log has written, one line each. */
  readonly logged: readonly string[];
  stop(): Promise<void>;
}

export async function startNode(name: string, options: Partial<NodeOptions> = {}): Promise<NodeOffice> {
  const folder = options.dataDir === undefined ? await temporaryFolder() : undefined;
  const dataDir = options.dataDir ?? folder?.path ?? '';
  const storage = await storageOfRun(dataDir, options.clock);
  const logged: string[] = [];
  const node = new FootbridgeNode({
    port: 0,
    windowPort: 0,
    host: '127.0.0.1',
    label: name,
    syncIntervalMs: 600_000,
    allowLoopbackPartners: true,
    log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
    ...(storage ? { storage } : {}),
    ...options,
    dataDir,
  });
  const ready = await node.start();
  const app = callsByToken(ready.window, () => node.userToken('admin', 3_600_000));

  return {
    name,
    node,
    ready,
    dataDir,
    port: Number(new URL(ready.federation).port),
    logged,
    app,
    fetch(path, init) {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${node.userToken('admin', 600_000)}`);
      return fetch(new URL(path, ready.window), { ...init, headers });
    },
    async list(listName, columns, rows = []) {
      const { moduleID } = await app<{ moduleID: string }>('POST', '/app/lists', {
        name: listName,
        fields: columns.map((label) => ({ label, name: label, kind: 'String', isMulti: false })),
      });
      for (const row of rows)
        await app('POST', `/app/lists/${moduleID}/rows`, {
          values: Object.fromEntries(Object.entries(row).map(([column, value]) => [column, [value]])),
        });
      return moduleID;
    },
    async stop() {
      await node.stop();
      await folder?.remove();
    },
  };
}

/** Closes a node, or takes its power, and starts it at its port on what has reached its disk. */
export async function startedAgain(
  { office, disk }: { readonly office: NodeOffice; readonly disk: CuttableDisk },
  isKilled: boolean,
  options: Partial<NodeOptions> = {},
): Promise<{ office: NodeOffice; disk: CuttableDisk }> {
  if (isKilled) disk.cutAfter(0);
  await office.stop();
  const { name, dataDir, port } = office;
  const next = cuttableDisk();
  return { office: await startNode(name, { ...options, dataDir, port, disk: next }), disk: next };
}

/** Shares a list's columns with a partner, and receives them there in a list like it. */
export async function shareAndReceive(
  from: { readonly office: Spoken; readonly partner: string; readonly list: string },
  columns: readonly string[],
  to: { readonly office: Spoken; readonly partner: string },
): Promise<{ readonly sharedModuleID: string; readonly list: string }> {
  await from.office.app('PUT', `/app/partners/${from.partner}/shares/${from.list}`, { fields: columns });
  await to.office.app('POST', `/app/partners/${to.partner}/sync`);
  const offers = await to.office.app<{ sharedModuleID: string; state: string }[]>(
    'GET',
    `/app/partners/${to.partner}/offers`,
  );
  const sharedModuleID = offers.find(({ state }) => state === 'new')?.sharedModuleID ?? '';
  const { moduleID } = await to.office.app<{ moduleID: string }>(
    'POST',
    `/app/partners/${to.partner}/offers/${sharedModuleID}/list`,
    {},
  );
  await to.office.app('POST', `/app/partners/${to.partner}/sync`);
  return { sharedModuleID, list: moduleID };
}

/** What {@link withBranch} made: a list at each of the two, and what came of each at the other. */
interface BothWays {
  readonly branch: NodeOffice;
  readonly pair: Awaited<ReturnType<typeof pairNodes>>;
  /** The lists of the office and of its branch. */
  readonly mine: string;
  readonly theirs: string;
  /** What the branch receives. */
  readonly sent: Awaited<ReturnType<typeof shareAndReceive>>;
  /** What the office receives. */
  readonly received: Awaited<ReturnType<typeof shareAndReceive>>;
}

/** An office with a branch: one half of the rows is shared with it, and the other one comes from there. */
export async function withBranch(
  office: NodeOffice,
  columns: readonly string[],
  rows: readonly Record<string, string>[],
): Promise<BothWays> {
  const branch = await startNode('Branch');
  const half = rows.length / 2;
  const mine = await office.list('Suppliers', columns, rows.slice(0, half));
  const theirs = await branch.list('Customers', columns, rows.slice(half));
  const pair = await pairNodes(office, branch);
  const [here, there] = [
    { office, partner: pair.atInviter },
    { office: branch, partner: pair.atInvited },
  ];
  const sent = await shareAndReceive({ ...here, list: mine }, columns, there);
  const received = await shareAndReceive({ ...there, list: theirs }, columns, here);
  return { branch, pair, mine, theirs, sent, received };
}

/** Receives what a partner offers and is not received yet, or the first of it, into a list that there is, by the same names. */
export async function receiveInto(
  { office, partner, list }: { readonly office: Spoken; readonly partner: string; readonly list: string },
  columns: readonly string[],
): Promise<string> {
  const path = `/app/partners/${partner}`;
  await office.app('POST', `${path}/sync`);
  const offers = await office.app<{ sharedModuleID: string; state: string }[]>('GET', `${path}/offers`);
  const offer =
    offers.find(({ state }) => state === 'new') ?? offers.find(({ state }) => state !== 'withdrawn');
  const matches = columns.map((name) => ({ origin: name, destination: name }));
  await office.app('PUT', `${path}/offers/${offer?.sharedModuleID}/matching`, { moduleID: list, matches });
  return offer?.sharedModuleID ?? '';
}

/** The whole office, as its user saves it. */
export async function backupOf(office: NodeOffice): Promise<Buffer> {
  const { download } = await office.app<{ download: string }>('POST', '/app/backup');
  const answer = await office.fetch(download);
  if (!answer.ok) throw new Error(`no backup: ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Puts an office back to a backup, as its user does in the window. */
export async function putBack(office: NodeOffice, backup: Buffer): Promise<void> {
  const answer = await office.fetch('/app/restore', { method: 'POST', body: new Uint8Array(backup) });
  expect(answer.status).toBe(200);
  await isOpen(office);
}

/** The listeners follow right after the answer. */
export async function isOpen(office: Spoken): Promise<void> {
  const look = (): Promise<string> =>
    office.app('GET', '/app/settings').then(
      () => 'open',
      () => 'closed',
    );
  await expect.poll(look, { timeout: 20_000 }).toBe('open');
}

/** Values of a list's rows outside the bin: `{recordID, Name: 'a', City: 'b'}`. */
export async function rowsOf(office: Spoken, moduleID: string): Promise<Record<string, string>[]> {
  const { rows } = await office.app<{ rows: { recordID: string; values: Record<string, string[]> }[] }>(
    'GET',
    `/app/lists/${moduleID}/rows?offset=0&limit=500`,
  );
  return rows.map(({ recordID, values }) => ({
    recordID,
    ...Object.fromEntries(Object.entries(values).map(([name, texts]) => [name, texts.join('|')])),
  }));
}
