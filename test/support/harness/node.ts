import { pino } from 'pino';
import { FootbridgeNode, type NodeOptions, type Ready } from '../../../server/node/node.ts';
import { asPromised } from './answers.ts';
import { storageOfRun } from './database-storage.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A whole node as it ships, on free ports of this computer, spoken to as the window speaks to it. */
export interface NodeOffice {
  readonly node: FootbridgeNode;
  readonly ready: Ready;
  readonly dataDir: string;
  /** Federation port, on whatever address the node listens. */
  readonly port: number;
  /**
   * One call of the window's API or the interface, with a body as JSON or a text as CSV; answers what stands under
   * `response`. @throws with status and text
   */
  app<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  /** A list with one text column a name. Answers its id. */
  list(name: string, columns: readonly string[], rows?: readonly Record<string, string>[]): Promise<string>;
  /** What its log has written, one line each. */
  readonly logged: readonly string[];
  stop(): Promise<void>;
}

/** An office that one can talk to, however it runs. */
export type Spoken = Pick<NodeOffice, 'app'>;

/** A call that was answered with an error. */
export class AppError extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(`${status} ${text}`);
    this.status = status;
  }
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
  const windowBase = new URL(ready.window).origin;
  async function app<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isCsv = typeof body === 'string';
    // A fresh one for each call: a test may move the clock that its time is measured by.
    const token = node.userToken('admin', 3_600_000);
    const answer = await fetch(windowBase + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': isCsv ? 'text/csv' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isCsv ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new AppError(answer.status, text);
    return asPromised(method, path, text) as T;
  }

  return {
    node,
    ready,
    dataDir,
    port: Number(new URL(ready.federation).port),
    logged,
    app,
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

/** The two ends of a pairing: the partner's id at each. */
export interface Pair {
  /** The invited office, as the inviter knows it. */
  readonly atInviter: string;
  /** The inviter, as the invited office knows it. */
  readonly atInvited: string;
  readonly uri: string;
}

/** Pairs two nodes by invite, as their users would. `change` stands for what happens to the invite on its way. */
export async function pairNodes(
  inviter: Spoken,
  invited: Spoken,
  change: (uri: string) => string = (uri) => uri,
): Promise<Pair> {
  const { nodeID: atInviter, uri } = await inviter.app<{ nodeID: string; uri: string }>(
    'POST',
    '/app/invites',
    {
      name: 'the other office',
    },
  );
  const { nodeID: atInvited } = await invited.app<{ nodeID: string }>('POST', '/app/invites/accept', {
    uri: change(uri),
    ownNetwork: true,
  });
  await inviter.app('POST', `/federation/nodes/${atInviter}/handshake-confirm`);
  return { atInviter, atInvited, uri };
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
