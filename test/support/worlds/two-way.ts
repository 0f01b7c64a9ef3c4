import { cuttableDisk, type CuttableDisk } from '../faults/disk-cut.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { AppError } from '../harness/calls.ts';
import { type NodeOffice, pairNodes, startedAgain, startNode } from '../harness/node.ts';
import { approveDeletions } from '../harness/approve-deletions.ts';

/** Columns by what they are; what they are called changes. `Key` tells rows apart and stays. */
export const COLUMNS = ['Key', 'City', 'Note'] as const;
export type Column = (typeof COLUMNS)[number];
type RowValues = Readonly<Record<string, string>>;

interface GridRow {
  readonly recordID: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly received?: { readonly edited: readonly string[] };
}
interface ListDetail {
  readonly fields: readonly {
    fieldID: string;
    name: string;
    label: string;
    kind: string;
    isMulti: boolean;
  }[];
}
interface Offer {
  readonly sharedModuleID: string;
  readonly fields: readonly { name: string }[];
  readonly brake?: object;
}

/** One of two offices that share one list each with the other, into the same list. */
export interface Side {
  readonly name: string;
  office: NodeOffice;
  disk: CuttableDisk;
  readonly dataDir: string;
  readonly list: string;
  /** The other one, as this side knows it. */
  partner: string;
  /** Its own rows by key: what each may be by what was acknowledged; undefined stands for no row. */
  readonly rows: Map<string, readonly (RowValues | undefined)[]>;
  /** What its columns may be called. */
  names: Readonly<Record<Column, readonly string[]>>;
}

export interface TwoWay {
  readonly sides: readonly [Side, Side];
  /** Does what a user does. It is taken for done when it was acknowledged, and may be done when power was cut. */
  add(side: Side, count: number): Promise<void>;
  edit(side: Side, which: number, column: Column, value: string): Promise<void>;
  remove(side: Side, which: number): Promise<void>;
  /** Changes a received value here, or throws the row into the bin; neither is to travel. */
  meddle(side: Side, which: number, value: string): Promise<void>;
  rename(side: Side, column: Column): Promise<void>;
  share(side: Side, columns: readonly Column[]): Promise<void>;
  match(side: Side, columns: readonly Column[]): Promise<void>;
  sync(side: Side): Promise<void>;
  /** Starts the node again on what has reached its disk, and checks that nothing acknowledged is missing. */
  revive(side: Side): Promise<void>;
  /** Shares and matches all, takes back what users did to received rows, syncs until nothing moves, and compares. */
  expectEqual(): Promise<void>;
  close(): Promise<void>;
}

const SHOWN = 500;

/** Two real nodes that are paired and share their lists with each other, on disks that can be cut off. */
export async function twoWay(): Promise<TwoWay> {
  let keys = 0;
  let version = 0;
  const folders = [await temporaryFolder(), await temporaryFolder()] as const;

  async function begin(name: string, dataDir: string): Promise<Side> {
    const disk = cuttableDisk();
    const office = await startNode(name, { dataDir, disk });
    const list = await office.list(name, COLUMNS);
    const names = { Key: ['Key'], City: ['City'], Note: ['Note'] };
    return { name, office, disk, dataDir, list, partner: '', rows: new Map(), names };
  }
  const sides = [await begin('Oslo', folders[0].path), await begin('Bergen', folders[1].path)] as const;
  const [a, b] = sides;
  const pair = await pairNodes(a.office, b.office);
  a.partner = pair.atInviter;
  b.partner = pair.atInvited;
  const other = (side: Side): Side => (side === a ? b : a);

  /** @returns whether it was acknowledged; a refusal is only in order once power is off */
  async function attempt(side: Side, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (side.disk.isCut && (!(error instanceof AppError) || error.status >= 500)) return false;
      throw error;
    }
  }
  const rowsPath = (side: Side): string => `/app/lists/${side.list}/rows`;

  async function gridOf(side: Side, bin: 0 | 1 = 0): Promise<GridRow[]> {
    const found: GridRow[] = [];
    for (;;) {
      const path = `${rowsPath(side)}?offset=${found.length}&limit=${SHOWN}&bin=${bin}`;
      const { rows } = await side.office.app<{ rows: GridRow[] }>('GET', path);
      found.push(...rows);
      if (rows.length < SHOWN) return found;
    }
  }

  /** The one name that a column has when nothing is in doubt. */
  const nameOf = (side: Side, column: Column): string => side.names[column][0] ?? '';

  function valuesOf(side: Side, row: GridRow): RowValues {
    return Object.fromEntries(
      COLUMNS.map((column) => [column, (row.values[nameOf(side, column)] ?? []).join('|')]),
    );
  }

  async function fieldsOf(side: Side): Promise<ListDetail['fields']> {
    return (await side.office.app<ListDetail>('GET', `/app/lists/${side.list}`)).fields;
  }

  function alive(side: Side): string[] {
    return [...side.rows].filter(([, states]) => states[0] !== undefined).map(([key]) => key);
  }

  async function idOf(side: Side, key: string): Promise<string | undefined> {
    return (await gridOf(side)).find((row) => valuesOf(side, row).Key === key)?.recordID;
  }

  async function change(
    side: Side,
    key: string,
    after: RowValues | undefined,
    work: () => Promise<unknown>,
  ): Promise<void> {
    const before = side.rows.get(key) ?? [undefined];
    const isDone = await attempt(side, work);
    side.rows.set(key, isDone ? [after] : [...before, after]);
  }

  async function offersAt(side: Side): Promise<Offer[]> {
    return side.office.app<Offer[]>('GET', `/app/partners/${side.partner}/offers`);
  }

  const two: TwoWay = {
    sides,

    async add(side, count) {
      const made = Array.from({ length: count }, () => {
        const key = `${side.name} ${++keys}`;
        return { Key: key, City: `City ${keys % 7}`, Note: '' };
      });
      if (count === 1) {
        const [row] = made;
        const values = { [nameOf(side, 'Key')]: [row!.Key], [nameOf(side, 'City')]: [row!.City] };
        await change(side, row!.Key, row, () => side.office.app('POST', rowsPath(side), { values }));
        return;
      }
      const header = `${nameOf(side, 'Key')},${nameOf(side, 'City')}`;
      const csv = [header, ...made.map(({ Key, City }) => `${Key},${City}`)].join('\n');
      const isDone = await attempt(side, () =>
        side.office.app('POST', `/app/import?moduleID=${side.list}`, csv),
      );
      for (const row of made) side.rows.set(row.Key, isDone ? [row] : [undefined, row]);
    },

    async edit(side, which, column, value) {
      const own = alive(side);
      const key = own[which % Math.max(own.length, 1)];
      const before = key === undefined ? undefined : side.rows.get(key)?.[0];
      if (key === undefined || before === undefined || column === 'Key') return;
      const recordID = await idOf(side, key);
      const body = { values: { [nameOf(side, column)]: value === '' ? [] : [value] } };
      await change(side, key, { ...before, [column]: value }, () =>
        side.office.app('PATCH', `${rowsPath(side)}/${recordID}`, body),
      );
    },

    async remove(side, which) {
      const own = alive(side);
      const key = own[which % Math.max(own.length, 1)];
      if (key === undefined) return;
      const recordID = await idOf(side, key);
      await change(side, key, undefined, () => side.office.app('DELETE', `${rowsPath(side)}/${recordID}`));
    },

    async meddle(side, which, value) {
      const received = (await gridOf(side)).filter((row) => row.received);
      const row = received[which % Math.max(received.length, 1)];
      if (!row) return;
      const path = `${rowsPath(side)}/${row.recordID}`;
      if (value === '') await attempt(side, () => side.office.app('DELETE', path));
      else {
        const values = { [nameOf(side, 'Note')]: [value] };
        await attempt(side, () => side.office.app('PATCH', path, { values }).catch(unlessGone));
      }
    },

    async rename(side, column) {
      if (column === 'Key') return;
      const old = nameOf(side, column);
      const name = `${column}${++version}`;
      const fields = (await fieldsOf(side)).map((field) =>
        field.name === old ? { ...field, name, label: name } : field,
      );
      const isDone = await attempt(side, () =>
        side.office.app('PATCH', `/app/lists/${side.list}`, { fields }),
      );
      side.names = { ...side.names, [column]: isDone ? [name] : [old, name] };
    },

    async share(side, columns) {
      const fields = columns.map((column) => nameOf(side, column));
      await attempt(side, () =>
        side.office.app('PUT', `/app/partners/${side.partner}/shares/${side.list}`, { fields }),
      );
    },

    async match(side, columns) {
      const [offer] = await offersAt(side);
      if (!offer) return;
      const matches = columns.flatMap((column) => {
        const offered = offer.fields.find(({ name }) => name.replace(/\d+$/, '') === column);
        return offered ? [{ origin: offered.name, destination: nameOf(side, column) }] : [];
      });
      if (matches.length === 0) return;
      const path = `/app/partners/${side.partner}/offers/${offer.sharedModuleID}/matching`;
      await attempt(side, () =>
        side.office.app('PUT', path, { moduleID: side.list, matches }).catch(unlessGone),
      );
    },

    async sync(side) {
      // Either side may have lost its power meanwhile; what counts is how it stands in the end.
      await side.office.app('POST', `/app/partners/${side.partner}/sync`).catch((error: unknown) => {
        if (!sides.some(({ disk }) => disk.isCut)) throw error;
      });
    },

    async revive(side) {
      Object.assign(side, await startedAgain(side, true));
      const fields = new Set((await fieldsOf(side)).map(({ name }) => name));
      side.names = mapColumns((column) => side.names[column].filter((name) => fields.has(name)));
      const found = new Map<string, RowValues>();
      for (const row of await gridOf(side)) {
        if (row.received) continue;
        const values = valuesOf(side, row);
        if (found.has(values.Key ?? '')) throw new Error(`${values.Key} is there twice`);
        found.set(values.Key ?? '', values);
      }
      for (const [key, states] of side.rows) {
        const text = JSON.stringify(found.get(key));
        const state = states.find((may) => JSON.stringify(may) === text);
        if (text !== JSON.stringify(state))
          throw new Error(`${key} is ${text}, and was acknowledged as ${JSON.stringify(states)}`);
        side.rows.set(key, [state]);
        found.delete(key);
      }
      if (found.size > 0) throw new Error(`nobody made ${[...found.keys()].join(', ')}`);
    },

    async expectEqual() {
      for (const side of sides) await two.share(side, COLUMNS);
      for (const side of sides) await two.sync(side);
      for (const side of sides) {
        await two.match(side, COLUMNS);
        for (const row of await gridOf(side, 1)) {
          const isThere = row.received && other(side).rows.get(valuesOf(side, row).Key ?? '')?.[0];
          if (isThere) await side.office.app('POST', `${rowsPath(side)}/${row.recordID}/restore`);
        }
      }
      for (let quiet = 0, rounds = 0; quiet < 2; rounds++) {
        if (rounds > 20) throw new Error('the two never come to rest');
        let moved = 0;
        for (const side of sides) {
          // What a user typed into a column before it was matched counts as an edit from then on.
          for (const { recordID, received } of await gridOf(side)) {
            if (!received || received.edited.length === 0) continue;
            moved++;
            await side.office.app('POST', `${rowsPath(side)}/${recordID}/revert`, {});
          }
          const path = `/app/partners/${side.partner}`;
          const counts = await side.office.app<Record<string, number>>('POST', `${path}/sync`);
          moved += (counts.created ?? 0) + (counts.updated ?? 0) + (counts.deleted ?? 0);
          for (const { sharedModuleID, brake } of await offersAt(side)) {
            if (!brake) continue;
            moved++;
            await approveDeletions(side.office, `${path}/offers/${sharedModuleID}`);
          }
        }
        quiet = moved === 0 ? quiet + 1 : 0;
      }
      for (const side of sides) {
        const should = sorted([...side.rows.values(), ...other(side).rows.values()].map(([row]) => row));
        const is = sorted((await gridOf(side)).map((row) => valuesOf(side, row)));
        const at = should.findIndex((text, index) => text !== is[index]);
        if (at >= 0 || is.length !== should.length)
          throw new Error(
            `at ${side.name}: ${is.length} rows of ${should.length}; ${is[at]} should be ${should[at]}`,
          );
      }
    },

    async close() {
      for (const { office } of sides) await office.stop();
      for (const folder of folders) await folder.remove();
    },
  };

  for (const side of sides) await two.share(side, COLUMNS);
  for (const side of sides) await two.sync(side);
  for (const side of sides) await two.match(side, COLUMNS);
  return two;
}

function sorted(rows: readonly (RowValues | undefined)[]): string[] {
  return rows.flatMap((row) => (row ? [JSON.stringify(row)] : [])).sort();
}

function mapColumns(names: (column: Column) => readonly string[]): Side['names'] {
  return { Key: names('Key'), City: names('City'), Note: names('Note') };
}

/** What the partner did a moment ago may have come first. */
function unlessGone(error: unknown): void {
  if (!(error instanceof AppError) || ![404, 409, 422].includes(error.status)) throw error;
}
