import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import type { Overview } from '../../../server/contract/app/overview.ts';
import type { Offer } from '../../../server/contract/app/sharing.ts';
import { GRACE_MS } from '../../../server/federation/partners/last-seen.ts';
import { isOfLedger } from '../../../server/federation/sharing/ledger-parts.ts';
import { inspectStore } from '../../../server/store/recovery/inspect.ts';
import { restoreBackup } from '../../../server/store/recovery/restore-backup.ts';
import { StoreError } from '../../../server/store/store.ts';
import { cuttableDisk, type CuttableDisk } from '../faults/disk-cut.ts';
import { temporaryFolderInMemory } from '../harness/temporary-folder.ts';
import { copyFolder } from '../faults/disk-sample.ts';
import type { Line } from '../faults/line.ts';
import { manualClock, type ManualClock } from '../harness/manual-clock.ts';
import { AppError } from '../harness/calls.ts';
import { backupOf, type NodeOffice, pairNodes, receiveInto, startNode } from '../harness/node.ts';
import { harm, type Harm } from './three-harms.ts';

export const NAMES = ['Oslo', 'Bergen', 'Turku'] as const;
export type Name = (typeof NAMES)[number];
/** One for each office. */
export const byName = <T>(of: (name: Name) => T): Record<Name, T> => ({
  Oslo: of('Oslo'),
  Bergen: of('Bergen'),
  Turku: of('Turku'),
});
/** The key, and what is edited. */
export const COLUMNS = ['CustomerID', 'CompanyName', 'City', 'Remark'] as const;
export type Row = Readonly<Record<string, string>>;
/** Two offices that share with each other both ways. */
export type Link = readonly [Name, Name];
export type Shape = 'chain' | 'ring' | 'star';
export const SHAPES: Readonly<Record<Shape, readonly Link[]>> = {
  chain: [
    ['Oslo', 'Bergen'],
    ['Bergen', 'Turku'],
  ],
  ring: [
    ['Oslo', 'Bergen'],
    ['Bergen', 'Turku'],
    ['Turku', 'Oslo'],
  ],
  star: [
    ['Turku', 'Oslo'],
    ['Turku', 'Bergen'],
  ],
};

const INTERVAL = 5_000;
/** As long as a word may be old that says that all is well. */
const BOUND = INTERVAL + GRACE_MS;
const STEP = 5_000;
/** Real milliseconds for which nothing must be under way before it counts as done. */
const QUIET = 6;
/**
 * So often it is looked, each some milliseconds after the last, before it counts as never done. On a machine that stands
 * these come late too, as seconds do not.
 */
const PATIENCE = 10_000;

export interface GridRow {
  readonly recordID: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly received?: { readonly edited: readonly string[] };
}

/** One of three offices, with what a careful user keeps of it: a copy of its folder, and a backup. */
export interface Office {
  readonly name: Name;
  node: NodeOffice;
  disk: CuttableDisk;
  readonly dataDir: string;
  readonly copy: string;
  readonly backup: string;
  readonly clock: ManualClock;
  readonly line: Line;
  list: string;
  readonly partners: Map<Name, string>;
}

/** A line whose other end is put to the port of whatever node stands behind it. */
export interface Street {
  readonly line: Line;
  lead(port: number | undefined): void;
}

/** What three offices begin with: folders as a closed office leaves them, and how they stand to each other. */
export interface Beginning {
  readonly links: readonly Link[];
  /** Holds the folder, the older copy and the backup of each; empty for offices that are to be set up. */
  readonly path: string;
  readonly streets: Readonly<Record<Name, Street>>;
  /** What time it is then, in milliseconds since the epoch. */
  readonly time: number;
  readonly lists: Readonly<Partial<Record<Name, string>>>;
  readonly partners: Readonly<Record<Name, ReadonlyMap<Name, string>>>;
}

/** Three real nodes that share one list each, on disks, clocks and lines that fail as the test wants. */
export interface ThreeOffices {
  readonly all: Readonly<Record<Name, Office>>;
  grid(at: Name): Promise<GridRow[]>;
  /** What lies in its bin. */
  bin(at: Name): Promise<GridRow[]>;
  add(at: Name, rows: readonly Row[]): Promise<void>;
  edit(at: Name, recordID: string, city: string): Promise<void>;
  remove(at: Name, recordID: string): Promise<void>;
  /** Takes a row out of the bin. */
  restore(at: Name, recordID: string): Promise<void>;
  /** Has a received row as it was received. */
  revert(at: Name, recordID: string): Promise<void>;
  /** Has everything fetched now; whether that works is not waited for. */
  sync(at: Name): Promise<void>;
  /** Lets time pass at all three. */
  pass(milliseconds: number): Promise<void>;
  /** Puts its clock so many milliseconds ahead of the true time. */
  setClock(at: Name, ahead: number): void;
  /** Closes the office, or takes its power, does something to its files, and starts it. Answers what was done. */
  restart(
    at: Name,
    isKilled: boolean,
    harmed?: { readonly what: Harm; readonly which: number },
  ): Promise<string>;
  /** Copies the folder while the office is closed. */
  copy(at: Name): Promise<void>;
  saveBackup(at: Name): Promise<void>;
  /** @param calls after so many of the disk its power fails, and the office starts on what there is. Answers what came of it. */
  restoreBackup(at: Name, calls?: number): Promise<string>;
  /**
   * The two remove each other, keep what they received, pair anew, and share with each other as before; then each keeps
   * a copy and a backup of that. The clock of `at` jumps between its invite and the answer; where that is refused, it is
   * put right, and they try once more.
   */
  pairAnew(at: Name, other: Name, ahead: number): Promise<void>;
  /**
   * Saves what waits at `holder` of the list of `at` as a file, and imports at `at` what was made there: the others come
   * again by themselves from where they were made. Answers how many rows that are.
   */
  bringBack(at: Name, holder: Name): Promise<number>;
  /** Whether its list and all of its partners are still known there. */
  isWhole(at: Name): Promise<boolean>;
  /** Shares and matches on every line again, as after shares were lost. */
  shareAgain(): Promise<void>;
  overview(at: Name): Promise<Overview>;
  offers(at: Name, partner: Name): Promise<Offer[]>;
  /** Undoes what was done to lines and clocks, and has all ask all until nothing moves. */
  settle(): Promise<void>;
  /** Sets up what empty offices lack: pairs them, and shares on every line. */
  setUp(): Promise<void>;
  /** Closes all, and leaves in this folder what others can begin with. */
  leaveAt(path: string): Promise<Pick<Beginning, 'time' | 'lists' | 'partners'>>;
  close(): Promise<void>;
}

export async function threeOffices(beginning: Beginning): Promise<ThreeOffices> {
  const { links, streets, time: start } = beginning;
  let passed = 0;
  const folder = await temporaryFolderInMemory();
  await cp(beginning.path, folder.path, { recursive: true });

  async function begin(
    of: Pick<Office, 'name' | 'dataDir' | 'disk' | 'clock' | 'line'>,
  ): Promise<NodeOffice> {
    const { name, dataDir, disk, clock, line } = of;
    const publicUrl = `http://127.0.0.1:${line.port}`;
    const node = await startNode(name, { dataDir, disk, clock, publicUrl, syncIntervalMs: INTERVAL });
    streets[name].lead(node.port);
    return node;
  }
  /** To those who wait for its news it is gone at once; nobody gets to it until it runs again. */
  async function stop({ name, node, line }: Office): Promise<void> {
    streets[name].lead(undefined);
    line.hangUp();
    await node.stop();
  }
  async function open(name: Name): Promise<Office> {
    const [disk, clock, { line }] = [cuttableDisk(), manualClock(start), streets[name]];
    const dataDir = join(folder.path, name);
    const node = await begin({ name, dataDir, disk, clock, line });
    const [copy, backup] = [join(folder.path, `${name}-copy`), join(folder.path, `${name}.backup`)];
    const partners = new Map(beginning.partners[name]);
    const list = beginning.lists[name] ?? (await node.list('Customers', COLUMNS));
    return { name, node, disk, dataDir, copy, backup, clock, line, list, partners };
  }
  const [Oslo, Bergen, Turku] = await Promise.all([open('Oslo'), open('Bergen'), open('Turku')]);
  const all: Readonly<Record<Name, Office>> = { Oslo, Bergen, Turku };
  const each = Object.values(all);

  /** Resolves once nothing is under way between the three any more. */
  async function settled(): Promise<void> {
    let looks = 0;
    for (let quietSince = performance.now(); performance.now() - quietSince < QUIET;) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (each.some(({ line }) => line.busy > 0)) quietSince = performance.now();
      if (++looks > PATIENCE) throw new Error('what is under way between the three does not end');
    }
  }

  async function flow(from: Office, to: Office): Promise<void> {
    const sharing = `/app/partners/${from.partners.get(to.name)}/shares/${from.list}`;
    await from.node.app('PUT', sharing, { fields: COLUMNS });
    await receiveInto({ office: to.node, partner: to.partners.get(from.name) ?? '', list: to.list }, COLUMNS);
  }

  /** Also one that the other office ended before. */
  async function disconnect({ node, partners }: Office, other: Name): Promise<void> {
    await node.app('POST', `/app/partners/${partners.get(other)}/disconnect`, { received: 'keep' });
  }

  /** What a user does whose office does not start on what is left: as its message says, restore a backup. */
  async function startOrRestore(office: Office): Promise<string> {
    try {
      office.node = await begin(office);
      return '';
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'damaged') throw error;
      const { advice } = await inspectStore(office.dataDir);
      if (!advice.join().includes('restore'))
        throw new Error(`no advice: ${error.message}`, { cause: error });
      await restoreBackup(office.backup, office.dataDir, {
        clock: office.clock,
        keeps: isOfLedger,
      });
      office.node = await begin(office);
      return ', did not start, was restored';
    }
  }

  const rowsPath = ({ list }: Office): string => `/app/lists/${list}/rows`;
  async function rowsOf(office: Office, which: string): Promise<GridRow[]> {
    const path = `${rowsPath(office)}?offset=0&limit=500${which}`;
    return (await office.node.app<{ rows: GridRow[] }>('GET', path)).rows;
  }
  const three: ThreeOffices = {
    all,
    grid: (at) => rowsOf(all[at], ''),
    bin: (at) => rowsOf(all[at], '&bin=1'),
    async add(at, rows) {
      const lines = rows.map((row) => COLUMNS.map((column) => row[column] ?? ''));
      const { node, list } = all[at];
      await node.app('POST', `/app/import?moduleID=${list}`, Papa.unparse([COLUMNS, ...lines]));
    },
    async edit(at, recordID, city) {
      const values = { City: city === '' ? [] : [city] };
      await all[at].node.app('PATCH', `${rowsPath(all[at])}/${recordID}`, {
        values,
      });
    },
    async remove(at, recordID) {
      await all[at].node.app('DELETE', `${rowsPath(all[at])}/${recordID}`);
    },
    async restore(at, recordID) {
      await all[at].node.app('POST', `${rowsPath(all[at])}/${recordID}/restore`);
    },
    async revert(at, recordID) {
      await all[at].node.app('POST', `${rowsPath(all[at])}/${recordID}/revert`, {});
    },
    async sync(at) {
      for (const partner of all[at].partners.values())
        all[at].node.app('POST', `/app/partners/${partner}/sync`).catch(() => undefined);
      await settled();
    },
    async pass(milliseconds) {
      const end = passed + milliseconds;
      await settled();
      while (passed < end) {
        passed += STEP;
        for (const { clock } of each) clock.advance(STEP);
        await settled();
      }
    },
    setClock(at, ahead) {
      all[at].clock.set(start + passed + ahead);
    },
    async restart(at, isKilled, harmed) {
      const office = all[at];
      if (isKilled) office.disk.cutAfter(0);
      await stop(office);
      const done = harmed && (await harm(harmed.what, office, harmed.which));
      office.disk = cuttableDisk();
      const restored = await startOrRestore(office);
      return (done ?? 'nothing') + restored;
    },
    async copy(at) {
      await stop(all[at]);
      await copyFolder(all[at].dataDir, all[at].copy);
      all[at].node = await begin(all[at]);
    },
    async saveBackup(at) {
      const { node, backup } = all[at];
      await writeFile(backup, await backupOf(node));
    },
    async restoreBackup(at, calls = Infinity) {
      const office = all[at];
      const { backup, dataDir, clock } = office;
      await stop(office);
      const disk = cuttableDisk();
      disk.cutAfter(calls);
      const done = await restoreBackup(backup, dataDir, { clock, disk, keeps: isOfLedger }).then(
        () => 'restored',
        (error: unknown) => {
          if (!disk.isCut) throw error;
          return `restore cut off after ${calls} calls`;
        },
      );
      return done + (await startOrRestore(office));
    },
    async pairAnew(at, other, ahead) {
      const [here, there] = [all[at], all[other]];
      for (const { line } of [here, there]) line.set('clear');
      await disconnect(here, other);
      await disconnect(there, at);
      const jump = (uri: string): string => {
        three.setClock(at, ahead);
        return uri;
      };
      const pair = await pairNodes(here.node, there.node, jump).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        three.setClock(at, 0);
        return pairNodes(here.node, there.node);
      });
      here.partners.set(other, pair.atInviter);
      there.partners.set(at, pair.atInvited);
      await flow(here, there);
      await flow(there, here);
      for (const { name } of [here, there]) {
        await three.copy(name);
        await three.saveBackup(name);
      }
    },
    async bringBack(at, holder) {
      const { node, partners } = all[holder];
      const [offer] = await three.offers(holder, at);
      const path = `/app/partners/${partners.get(at)}/offers/${offer?.sharedModuleID}/waiting.csv`;
      const answer = await node.fetch(path);
      if (!answer.ok) throw new Error(`no file of what waits: ${answer.status}`);
      const [header = [], ...waiting] = Papa.parse<string[]>(await answer.text()).data;
      const key = header.indexOf('CustomerID');
      const own = waiting.filter((line) => line[key]?.startsWith(at));
      if (own.length === 0) return 0;
      const importing = `/app/import?moduleID=${all[at].list}&key=CustomerID`;
      await all[at].node.app('POST', importing, Papa.unparse([header, ...own]));
      return own.length;
    },
    async isWhole(at) {
      const { node, list, partners } = all[at];
      const lists = await node.app<{ moduleID: string }[]>('GET', '/app/lists');
      // One whose time is over by a clock that is wrong is known, and goes on once that is put right.
      const known = ['paired', 'unpaired'];
      const { partners: there } = await three.overview(at);
      const ids = there.filter(({ status }) => known.includes(status)).map(({ nodeID }) => nodeID);
      const isListed = lists.some(({ moduleID }) => moduleID === list);
      return isListed && [...partners.values()].every((partner) => ids.includes(partner));
    },
    async shareAgain() {
      // Their users look at what they share, where older data came back that may lack what was withdrawn.
      for (const { node } of Object.values(all)) {
        const { partners } = await node.app<Overview>('GET', '/app/overview');
        for (const { nodeID, unsure } of partners)
          if (unsure) await node.app('POST', `/app/partners/${nodeID}/shares-seen`);
      }
      for (const [a, b] of links) {
        await flow(all[a], all[b]);
        await flow(all[b], all[a]);
      }
    },
    overview: (at) => all[at].node.app<Overview>('GET', '/app/overview'),
    offers: (at, partner) =>
      all[at].node.app<Offer[]>('GET', `/app/partners/${all[at].partners.get(partner)}/offers`),
    async settle() {
      for (const { name, line } of each) {
        line.set('clear');
        three.setClock(name, 0);
      }
      for (let quiet = 0, before = '', round = 0; quiet < 2; round++) {
        if (round > 40) throw new Error('they never come to rest');
        for (const { name } of each) await three.sync(name);
        await three.pass(BOUND);
        const now = JSON.stringify(await Promise.all(NAMES.map((name) => three.grid(name))));
        quiet = now === before ? quiet + 1 : 0;
        before = now;
      }
    },
    async setUp() {
      for (const [a, b] of links) {
        const { atInviter, atInvited } = await pairNodes(all[a].node, all[b].node);
        all[a].partners.set(b, atInviter);
        all[b].partners.set(a, atInvited);
      }
      await three.shareAgain();
    },
    async leaveAt(path) {
      for (const { name } of each) await three.saveBackup(name);
      for (const office of each) await stop(office);
      for (const { dataDir, copy } of each) await copyFolder(dataDir, copy);
      await cp(folder.path, path, { recursive: true });
      await folder.remove();
      return {
        time: start + passed,
        lists: byName((name) => all[name].list),
        partners: byName((name) => all[name].partners),
      };
    },
    async close() {
      for (const { line } of each) line.set('clear');
      for (const office of each) await stop(office).catch(() => undefined);
      await folder.remove();
    },
  };
  return three;
}
