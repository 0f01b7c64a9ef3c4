import { Agent, fetch } from 'undici';
import { nextID, type LiveNode, type LiveRecord } from './live-records.ts';

/**
 * How a live server of the 2022.3 line pulls: structure page by page, records of mapped modules by their first
 * page only, since then by its own clock and one mark for all modules. What ends the process of a real one ends
 * this one: a 200 that is not the JSON it expects.
 */
export interface LivePuller {
  /** A tick of its two workers towards the partner of this node. */
  tick(nodeID: string): Promise<void>;
  /** Offered modules that it has copied, by their id at the partner. */
  readonly shared: ReadonlyMap<string, { name: string; fields: readonly { name: string }[] }>;
  /**
   * Administrator: from now on the records of this module are fetched. Each column goes into a field of the same kind,
   * found by the column's name as it is now; what does not come under that name is emptied.
   */
  map(moduleID: string): void;
  /** It copied the module's columns like this, when an older version of ours told them so. */
  remember(moduleID: string, fields: readonly { name: string; label: string }[]): void;
  /** Administrator: takes the module's columns as they are offered now. */
  resolve(moduleID: string): void;
  /** Its clock in milliseconds; its marks are whole seconds of it. */
  now: () => number;
  /** What happens between the arrival of an answer with records and the moment when they are stored and marked. */
  whileStoring: () => void | Promise<void>;
  /**
   * Its process is killed with the next answer with records in hand, or the next of this module: it stores nothing of it,
   * and no mark.
   */
  diesStoring: boolean | string;
  /** The next answer with records of this module is lost on its way in, and it goes on with the next module. */
  loses: string | undefined;
  /** Its requests pass a proxy that says so. */
  isBehindProxy: boolean;
  /** It was made anew from nothing, or from a backup of some moment: its mark is this, in seconds, or none. */
  goBackTo(mark: number | undefined): void;
  /** Connections that its process keeps until it ends: it neither reads nor closes the body of an error. */
  readonly heldConnections: number;
  /** The records of each answer that it got whole, by their ids there, oldest answer first. */
  readonly answers: readonly (readonly string[])[];
  /** The process has ended; nothing works any more. */
  readonly panicked: string | undefined;
  /** What it wrote into its log. */
  readonly log: readonly string[];
}

interface Shared {
  name: string;
  handle?: string;
  /** The server's record of the partner. */
  of?: string;
  fields: readonly { name: string; kind?: string }[];
}

/** Their values are ids there; with anything else in one of them a record is not stored at all. */
const OF_IDS: ReadonlySet<string | undefined> = new Set(['User', 'Record', 'File']);

/** @param server whose partners it pulls from, and whose records it fills */
export function createLivePuller(
  server: () => { readonly nodes: readonly LiveNode[]; readonly records: LiveRecord[] },
): LivePuller {
  const shared = new Map<string, Shared>();
  /** By the module: its columns as they were when it was mapped. */
  const mapped = new Map<string, Shared['fields']>();
  /** Modules whose columns changed, as they are now. */
  const stopped = new Map<string, Shared>();
  const log: string[] = [];
  let panicked: string | undefined;
  const answers: string[][] = [];
  let heldConnections = 0;
  let structureSync: number | undefined;
  let dataSync: number | undefined;

  /** Its connections end with its process. */
  let connections = new Agent();

  const seconds = (): number => Math.floor(puller.now() / 1000);

  async function get(url: string, token: string): Promise<string | undefined> {
    const headers = {
      authorization: `Bearer ${token}`,
      'user-agent': 'Go-http-client/1.1',
      accept: '',
      ...(puller.isBehindProxy ? { via: '1.1 proxy.berlin.example' } : {}),
    };
    try {
      const answer = await fetch(url, { headers, dispatcher: connections });
      const body = await answer.text();
      if (answer.status === 200) return body;
      if (answer.headers.get('content-length') !== '0') heldConnections++;
      log.push(`invalid return status: ${answer.status}`);
    } catch (error) {
      log.push(`Get "${url}": ${String(error)}`);
    }
    return undefined;
  }

  function decode(
    body: string,
  ): { filter: Record<string, unknown>; set: Record<string, unknown>[] } | undefined {
    try {
      const { response = {} } = JSON.parse(body) as {
        response?: { filter?: Record<string, unknown>; set?: unknown };
      };
      const filter = response.filter ?? {};
      for (const name of ['nodeID', 'composeModuleID', 'query', 'nextPage']) {
        if (name in filter && typeof filter[name] !== 'string') throw new TypeError(`filter.${name}`);
      }
      if ('limit' in filter && typeof filter.limit !== 'number') throw new TypeError('filter.limit');
      return { filter, set: (response.set ?? []) as Record<string, unknown>[] };
    } catch (error) {
      panicked = `interface conversion: service.ProcesserResponse is int: ${String(error)}`;
      return undefined;
    }
  }

  async function pullStructure(base: string, a: string, token: string): Promise<void> {
    let cursor = '';
    do {
      const since = cursor === '' && structureSync !== undefined ? `&lastSync=${structureSync}` : '';
      // The cursor goes out as it came, without any encoding.
      const url = `${base}/nodes/${a}/modules/exposed/?limit=1${cursor === '' ? '' : `&pageCursor=${cursor}`}${since}`;
      const body = await get(url, token);
      const page = body === undefined ? undefined : decode(body);
      if (!page) return;
      for (const item of page.set) {
        const { moduleID, name, handle = '', fields } = item as unknown as { moduleID: string } & Shared;
        const known = shared.get(moduleID);
        const isTwin = (each: Shared): boolean =>
          each.of === a && each.name === name && each.handle === handle;
        if (!known && [...shared.values()].some(isTwin)) {
          log.push('node not unique');
          continue;
        }
        if (known && JSON.stringify(known.fields) !== JSON.stringify(fields)) {
          log.push('module structure changed');
          stopped.set(moduleID, { name, handle, of: a, fields });
        } else {
          stopped.delete(moduleID);
          shared.set(moduleID, { name, handle, of: a, fields });
        }
      }
      if (page.set.length > 0) structureSync = seconds();
      cursor = (page.filter.nextPage as string | undefined) ?? '';
    } while (cursor !== '');
  }

  async function pullRecords(base: string, a: string, token: string): Promise<void> {
    // Looked up for all modules before the first of them is fetched.
    const since = dataSync === undefined ? '' : `&lastSync=${dataSync}`;
    for (const [moduleID, fields] of mapped) {
      if (stopped.has(moduleID)) continue;
      const body = await get(`${base}/nodes/${a}/modules/${moduleID}/records/?limit=100${since}`, token);
      const page = body === undefined ? undefined : decode(body);
      if (!page) continue;
      if (puller.diesStoring === true || puller.diesStoring === moduleID) {
        puller.diesStoring = false;
        const ended = connections;
        connections = new Agent();
        await ended.destroy();
        return;
      }
      if (puller.loses === moduleID) {
        puller.loses = undefined;
        log.push('net/http: request canceled (Client.Timeout or context cancellation while reading body)');
        const ended = connections;
        connections = new Agent();
        await ended.destroy();
        continue;
      }
      const records = page.set as unknown as Incoming[];
      answers.push(records.map(({ recordID }) => recordID));
      for (const record of records) apply(record, fields);
      await puller.whileStoring();
      if (page.filter.nextPage !== undefined) log.push('unsupported protocol scheme ""');
      dataSync = seconds();
    }
  }

  interface Incoming {
    recordID: string;
    values?: { name: string; value?: string }[];
    updatedAt?: string;
    deletedAt?: string;
  }

  function apply({ recordID, values = [], updatedAt, deletedAt }: Incoming, fields: Shared['fields']): void {
    if (typeof recordID !== 'string') throw new TypeError('page dropped');
    const { records } = server();
    const known = records.filter((each) => each.external === recordID && each.deletedAt === undefined);
    const now = seconds();
    const [only] = known;
    if (deletedAt !== undefined) {
      if (only && known.length === 1) only.deletedAt = now;
      return;
    }
    const seen = new Set<string>();
    const first = values.filter(({ name }) => !seen.has(name) && seen.add(name));
    const texts = fields.map(({ name }) => ({
      name,
      value: first.find((each) => each.name === name)?.value ?? '',
    }));
    const isRefused = fields.some(
      ({ kind }, at) => OF_IDS.has(kind) && !/^\d*$/.test(texts[at]?.value ?? ''),
    );
    // Counted as success, without a word.
    if (isRefused) return;
    if (updatedAt !== undefined && only && known.length === 1) {
      only.values = texts;
      only.updatedAt = now;
      return;
    }
    const made: LiveRecord = {
      recordID: nextID(),
      values: texts,
      createdAt: now,
      federated: true,
      external: recordID,
    };
    records.push(made);
  }

  const puller: LivePuller = {
    shared,
    log,
    answers,
    now: () => Date.now(),
    whileStoring: () => undefined,
    diesStoring: false,
    loses: undefined,
    isBehindProxy: false,
    goBackTo: (mark) => void (dataSync = mark),
    get heldConnections() {
      return heldConnections;
    },
    get panicked() {
      return panicked;
    },
    map: (moduleID) => void mapped.set(moduleID, shared.get(moduleID)?.fields ?? []),
    remember: (moduleID, fields) =>
      void shared.set(moduleID, { ...shared.get(moduleID), name: shared.get(moduleID)?.name ?? '', fields }),
    resolve(moduleID) {
      const now = stopped.get(moduleID);
      if (now) shared.set(moduleID, now);
      if (now) mapped.set(moduleID, now.fields);
      stopped.delete(moduleID);
    },
    async tick(nodeID) {
      const node = server().nodes.find((each) => each.nodeID === nodeID);
      if (!node || panicked !== undefined) return;
      await pullStructure(node.baseURL, node.sharedNodeID, node.authToken);
      await pullRecords(node.baseURL, node.sharedNodeID, node.authToken);
    },
  };
  return puller;
}
