import { cuttableDisk, type CuttableDisk } from '../faults/disk-cut.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { AppError } from '../harness/calls.ts';
import { type NodeOffice, pairNodes, receiveInto, startedAgain, startNode } from '../harness/node.ts';

type RowValues = Readonly<Record<string, string>>;

interface GridRow {
  readonly recordID: string;
  readonly updatedAt: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly received?: { readonly partner: string; readonly also?: readonly string[] };
}

/** One of several offices that share one list with each other, each into the same list of its own. */
export interface RingOffice {
  readonly name: string;
  office: NodeOffice;
  disk: CuttableDisk;
  readonly list: string;
  /** Our id of each partner, by its name. */
  readonly partners: Map<string, string>;
  /** Names of those whose list is matched here. */
  readonly sources: Set<string>;
}

/** Real nodes that are paired and share their lists in rings, diamonds or whatever the test makes of them. */
export interface RingOffices<Name extends string> {
  readonly all: Readonly<Record<Name, RingOffice>>;
  /** `from` shares its list with `to`, which receives it into its own. */
  flow(from: Name, to: Name): Promise<void>;
  add(at: Name, values: RowValues): Promise<void>;
  /** Changes, or without values removes, the row of this key as it is shown there. */
  change(at: Name, key: string, values?: RowValues): Promise<void>;
  sync(at: Name): Promise<void>;
  /** Receives the list of `from` no more; the connection stays. */
  unmatch(at: Name, from: Name): Promise<void>;
  /** Ends the connection here, and removes what came by it. */
  disconnect(at: Name, from: Name, received: 'keep' | 'remove'): Promise<void>;
  /** Takes the power from a node and starts it again on what has reached its disk. */
  restart(at: Name): Promise<void>;
  /** Has everybody ask everybody until no row is written any more. @throws when that never comes */
  settle(): Promise<void>;
  /** What a list shows, by key; a key that is there twice is there as `key (2)`. */
  shown(at: Name): Promise<Record<string, RowValues>>;
  /** How many rows are said to go with a partner. */
  wouldGo(at: Name, from: Name): Promise<number>;
  /** From which partner a row is said to come, and from whom besides. */
  cameFrom(at: Name, key: string): Promise<GridRow['received']>;
  close(): Promise<void>;
}

const MAX_ROUNDS = 40;

/** @param columns of the list; the first one is the key */
export async function ringOffices<Name extends string>(
  names: readonly Name[],
  columns: readonly string[],
): Promise<RingOffices<Name>> {
  const [keyColumn = ''] = columns;
  const folders = new Map(
    await Promise.all(names.map(async (name) => [name, await temporaryFolder()] as const)),
  );

  async function begin(name: Name): Promise<readonly [Name, RingOffice]> {
    const disk = cuttableDisk();
    const office = await startNode(name, { dataDir: folders.get(name)?.path ?? '', disk });
    const list = await office.list('Customers', columns);
    return [name, { name, office, disk, list, partners: new Map(), sources: new Set() }];
  }
  const all = Object.fromEntries(await Promise.all(names.map(begin))) as Record<Name, RingOffice>;

  async function grid(at: Name): Promise<GridRow[]> {
    const { office, list } = all[at];
    return (await office.app<{ rows: GridRow[] }>('GET', `/app/lists/${list}/rows?offset=0&limit=500`)).rows;
  }

  const rowPath = ({ list }: RingOffice, recordID = ''): string => `/app/lists/${list}/rows/${recordID}`;
  const asTexts = (values: RowValues): Record<string, string[]> =>
    Object.fromEntries(Object.entries(values).map(([column, text]) => [column, text === '' ? [] : [text]]));

  async function rowOf(at: Name, key: string): Promise<GridRow> {
    const row = (await grid(at)).find(({ values }) => values[keyColumn]?.[0] === key);
    if (!row) throw new Error(`${at} shows no ${key}`);
    return row;
  }

  async function pairUp(from: Name, to: Name): Promise<void> {
    if (all[from].partners.has(to)) return;
    const { atInviter, atInvited } = await pairNodes(all[from].office, all[to].office);
    all[from].partners.set(to, atInviter);
    all[to].partners.set(from, atInvited);
  }

  /** What is there and when it was written last: the same twice when nothing moves. */
  async function state(): Promise<string> {
    return JSON.stringify(await Promise.all(names.map(grid)));
  }

  const ring: RingOffices<Name> = {
    all,
    async flow(from, to) {
      await pairUp(from, to);
      const [origin, destination] = [all[from], all[to]];
      const sharing = `/app/partners/${origin.partners.get(to)}/shares/${origin.list}`;
      await origin.office.app('PUT', sharing, { fields: columns });
      const partner = destination.partners.get(from) ?? '';
      await receiveInto({ office: destination.office, partner, list: destination.list }, columns);
      destination.sources.add(from);
    },
    async add(at, values) {
      await all[at].office.app('POST', rowPath(all[at]).slice(0, -1), { values: asTexts(values) });
    },
    async change(at, key, values) {
      const { recordID } = await rowOf(at, key);
      if (values) await all[at].office.app('PATCH', rowPath(all[at], recordID), { values: asTexts(values) });
      else await all[at].office.app('DELETE', rowPath(all[at], recordID));
    },
    async sync(at) {
      for (const from of all[at].sources)
        await all[at].office
          .app('POST', `/app/partners/${all[at].partners.get(from)}/sync`)
          .catch((error: unknown) => {
            // A partner that is just starting again is asked anew later.
            if (!(error instanceof AppError)) throw error;
          });
    },
    async unmatch(at, from) {
      const { office, partners } = all[at];
      const path = `/app/partners/${partners.get(from)}/offers`;
      const [offer] = await office.app<{ sharedModuleID: string }[]>('GET', path);
      await office.app('DELETE', `${path}/${offer?.sharedModuleID}/matching`);
    },
    async wouldGo(at, from) {
      const path = `/app/partners/${all[at].partners.get(from)}/disconnect`;
      return (await all[at].office.app<{ receivedRows: number }>('GET', path)).receivedRows;
    },
    async disconnect(at, from, received) {
      const { office, partners, sources } = all[at];
      await office.app('POST', `/app/partners/${partners.get(from)}/disconnect`, { received });
      sources.delete(from);
      partners.delete(from);
    },
    async restart(at) {
      const each = all[at];
      Object.assign(each, await startedAgain(each, true));
    },
    async settle() {
      let [before, quiet] = ['', 0];
      for (let round = 0; quiet < 2; round++) {
        if (round > MAX_ROUNDS) throw new Error('they never come to rest');
        for (const at of names) await ring.sync(at);
        const now = await state();
        quiet = now === before ? quiet + 1 : 0;
        before = now;
      }
    },
    async shown(at) {
      const found: Record<string, RowValues> = {};
      for (const { values } of await grid(at)) {
        const key = values[keyColumn]?.[0] ?? '';
        let name = key;
        for (let number = 2; Object.hasOwn(found, name); number++) name = `${key} (${number})`;
        found[name] = Object.fromEntries(columns.map((column) => [column, (values[column] ?? []).join('|')]));
      }
      return found;
    },
    cameFrom: async (at, key) => (await rowOf(at, key)).received,
    async close() {
      for (const { office } of Object.values<RingOffice>(all)) await office.stop();
      for (const folder of folders.values()) await folder.remove();
    },
  };
  return ring;
}
