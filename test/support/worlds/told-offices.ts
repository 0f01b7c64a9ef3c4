import { expect, vi } from 'vitest';
import type { ImportAnswer } from '../../../server/contract/app/import.ts';
import type { PartnerSummary } from '../../../server/contract/app/overview.ts';
import type { Comparison, Offer, Share } from '../../../server/contract/app/sharing.ts';
import { GRACE_MS } from '../../../server/federation/partners/last-seen.ts';
import { cuttableDisk, type CuttableDisk } from '../faults/disk-cut.ts';
import { temporaryFolderInMemory } from '../harness/temporary-folder.ts';
import { startLine, type Line, type Weather } from '../faults/line.ts';
import { manualClock, type ManualClock } from '../harness/manual-clock.ts';
import { AppError } from '../harness/calls.ts';
import {
  type NodeOffice,
  pairNodes,
  rowsOf,
  shareAndReceive,
  startedAgain,
  startNode,
} from '../harness/node.ts';
import { customers } from '../data/office-lists.ts';
import { truthOf, type Shown, type Truth } from './truth.ts';
import { approveDeletions } from '../harness/approve-deletions.ts';

/** The last one refers to rows of a list that is not shared: what leaves of them is their name. */
export const SHARED = ['CustomerID', 'CompanyName', 'City', 'Remark', 'Agent'] as const;
const TEXTS = ['CustomerID', 'CompanyName', 'City', 'Remark'] as const;
export type SharedColumn = (typeof SHARED)[number];
type Row = Readonly<Record<string, string>>;
interface OwnField {
  readonly fieldID: string;
  readonly name: string;
  readonly label: string;
}

/** Milliseconds between two looks at the partner, and in which an answer may still be on its way. */
const INTERVAL = 5_000;
export const BOUND = INTERVAL + GRACE_MS;
/** Time passes in steps of this; whatever it sets off is done before the next. */
const STEP = 1000;
/** Rows to begin with: enough for the brake to be of use. */
const ROWS = 60;
/** Rows of the list that the others refer to. */
const AGENTS = 6;
/** So many looks in turn must find nothing under way before it counts as done; between two of them all others get theirs. */
const QUIET = 4;
const PATIENCE = 20_000;

/** One of two offices that share one list each with the other, into a list of its own. */
export interface ToldSide {
  readonly name: string;
  office: NodeOffice;
  disk: CuttableDisk;
  readonly dataDir: string;
  readonly clock: ManualClock;
  /** What leads to this side. */
  readonly line: Line;
  /** The other one, as this side knows it. */
  partner: string;
  /** Its own list, and that into which it receives. */
  list: string;
  received: string;
  /** The list that its own one refers to, its rows, the bin's included, and whether those others may see its own. */
  agents: string;
  agentIDs: readonly string[];
  /** By which of its columns those leave. */
  shownBy: 'Name' | 'Phone';
  isShared: boolean;
  sharedModuleID: string;
  /** When it chose last what goes where: what it has since, the other one has yet to hear of. */
  matchedAt: number;
  /** Until when what it tells may be from before, and nobody can know. */
  lyingUntil: number;
  /** What its own list held, and since when. */
  readonly truth: Truth;
}

/** Two real nodes whose time is moved by hand, with a line before each that is as bad as it is told to be. */
export interface ToldOffices {
  readonly sides: readonly [ToldSide, ToldSide];
  add(side: ToldSide, count: number): Promise<void>;
  edit(side: ToldSide, which: number, column: SharedColumn, value: string): Promise<void>;
  /** Changes a column of the first rows at once, by a file that is brought in. */
  editMany(
    side: ToldSide,
    count: number,
    column: SharedColumn,
    value: (row: number) => string,
  ): Promise<void>;
  remove(side: ToldSide, which: number, count: number): Promise<void>;
  /** Changes what a row of the list is called that its own one refers to, or another column of it. */
  callAgent(side: ToldSide, which: number, column: 'Name' | 'Phone', value: string): Promise<void>;
  /** Puts such a row into the bin, or takes it out. */
  binAgent(side: ToldSide, which: number, isIn: boolean): Promise<void>;
  share(side: ToldSide, columns: readonly SharedColumn[]): Promise<void>;
  /** Shares everything, with the rows that its own ones refer to under another column of theirs. */
  pin(side: ToldSide, shownBy: 'Name' | 'Phone'): Promise<void>;
  /** Calls two columns of its list by each other's name. */
  swap(side: ToldSide, one: SharedColumn, other: SharedColumn): Promise<void>;
  unshare(side: ToldSide): Promise<void>;
  /** @param columns of those that are offered; all when absent */
  match(side: ToldSide, columns?: readonly SharedColumn[]): Promise<void>;
  unmatch(side: ToldSide): Promise<void>;
  pause(side: ToldSide, wish: { readonly fetch?: boolean; readonly serve?: boolean }): Promise<void>;
  resume(side: ToldSide): Promise<void>;
  /** Has everything fetched now; whether that works is not waited for. */
  sync(side: ToldSide): Promise<void>;
  /** Decides about what is held, if anything is. */
  decide(side: ToldSide, go: boolean): Promise<void>;
  /** @param where the paths that it is for; all when absent */
  weather(side: ToldSide, weather: Weather, where?: RegExp): void;
  /** Puts its clock so many milliseconds ahead of the true time. */
  clock(side: ToldSide, ahead: number): void;
  /** Starts the node again from its store, as it was closed or as a power cut left it. */
  restart(side: ToldSide, isKilled: boolean): Promise<void>;
  /** Lets time pass at both, and checks all the while that neither says anything untrue. */
  pass(milliseconds: number): Promise<void>;
  /** What a side says now of the other. */
  state(side: ToldSide): Promise<PartnerSummary['state']>;
  /** How often a side said that all is well, and was right. */
  readonly rightly: number;
  /** Undoes all that was done, and waits until both say that all is well. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** @param ahead by how many milliseconds both clocks were ahead while the lists were shared */
export async function toldOffices(ahead = 0): Promise<ToldOffices> {
  const start = Date.now();
  let passed = 0;
  let rightly = 0;
  let fresh = 0;
  const opened: { name: string; office?: NodeOffice }[] = [];

  async function open(name: string, seed: number): Promise<ToldSide & { remove(): Promise<void> }> {
    const running: { name: string; office?: NodeOffice } = { name };
    opened.push(running);
    const line = await startLine(() => running.office?.port);
    const folder = await temporaryFolderInMemory();
    const [clock, disk] = [manualClock(start), cuttableDisk()];
    const options = { dataDir: folder.path, clock, disk, syncIntervalMs: INTERVAL };
    const office = await startNode(name, { ...options, publicUrl: `http://127.0.0.1:${line.port}` });
    running.office = office;
    const people = customers({ rows: AGENTS, seed: seed + 1 }).rows.map(
      ({ ContactName = '', Phone = '' }) => ({ Name: ContactName, Phone }),
    );
    const agents = await office.list(`Vertreter ${name}`, ['Name', 'Phone'], people);
    const agentIDs = (await rowsOf(office, agents)).map(({ recordID = '' }) => recordID);
    const fields = [
      ...TEXTS.map((column) => ({ name: column, label: column, kind: 'String', isMulti: false })),
      { name: 'Agent', label: 'Agent', kind: 'Record', isMulti: false, options: { moduleID: agents } },
    ];
    const body = { name: `Kunden ${name}`, fields };
    const { moduleID: list } = await office.app<{ moduleID: string }>('POST', '/app/lists', body);
    const own = { office, list, agents, agentIDs, shownBy: 'Name' as const };
    const rows = customers({ rows: ROWS, seed }).rows;
    await office.app('POST', `/app/import?moduleID=${list}`, csvOf(ownColumns(own, rows)));
    const truth = truthOf(await asShared(own), passed);
    const ids = {
      partner: '',
      received: '',
      sharedModuleID: '',
      lyingUntil: 0,
      matchedAt: 0,
      isShared: true,
    };
    return { ...own, name, disk, dataDir: folder.path, clock, line, ...ids, truth, remove: folder.remove };
  }

  const a = await open('Oslo', 11);
  const b = await open('Brno', 23);
  const sides = [a, b] as const;
  const other = (side: ToldSide): ToldSide => (side === a ? b : a);
  const noted = async (side: ToldSide): Promise<void> => side.truth.note(await asShared(side), passed);
  const partnerPath = (side: ToldSide): string => `/app/partners/${side.partner}`;
  const offerPath = (side: ToldSide): string => `${partnerPath(side)}/offers/${side.sharedModuleID}`;
  const fieldsOf = async (side: ToldSide, list: string): Promise<readonly OwnField[]> =>
    (await side.office.app<{ fields: OwnField[] }>('GET', `/app/lists/${list}`)).fields;
  const rowPath = (side: ToldSide, recordID: string | undefined): string =>
    `/app/lists/${side.list}/rows/${recordID}`;
  const offerAt = async (side: ToldSide): Promise<Offer | undefined> =>
    (await side.office.app<Offer[]>('GET', `${partnerPath(side)}/offers`)).find(
      ({ sharedModuleID }) => sharedModuleID === side.sharedModuleID,
    );
  const namesShared = async (side: ToldSide): Promise<readonly string[]> => {
    const shares = await side.office.app<Share[]>('GET', `${partnerPath(side)}/shares`);
    return shares.flatMap(({ fields }) => fields.map(({ name }) => name));
  };
  const summaryAt = (side: ToldSide): Promise<PartnerSummary> =>
    side.office.app<PartnerSummary>('GET', partnerPath(side));

  /** Resolves once nothing is under way between the two any more. */
  async function settled(): Promise<void> {
    const end = performance.now() + PATIENCE;
    for (let quiet = 0; quiet < QUIET;) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      quiet = sides.some(({ line, disk }) => line.busy > 0 || disk.busy > 0) ? 0 : quiet + 1;
      if (performance.now() > end) throw new Error('what is under way between the two does not end');
    }
  }

  /** What a side shows of the other's rows, in the columns that it matched. */
  async function shownAt(side: ToldSide): Promise<Shown> {
    const { matches = [] } = (await offerAt(side)) ?? {};
    const columns = matches.filter(({ parked }) => parked === undefined);
    const rows = matches.length === 0 ? undefined : await rowsOf(side.office, side.received);
    return { columns, rows };
  }

  async function check(): Promise<void> {
    const summaries = await Promise.all(sides.map(async (side) => ({ side, ...(await summaryAt(side)) })));
    const well = summaries.filter(({ state }) => state === 'up-to-date');
    if (well.length === 0) return;
    const shown = new Map<ToldSide, Shown>();
    for (const side of sides) shown.set(side, await shownAt(side));
    for (const { side, asOf, reason } of well) {
      const age = asOf === undefined ? BOUND : side.clock.now() - Date.parse(asOf);
      const since = passed - Math.min(Math.max(age, 0), BOUND) - 2 * STEP;
      for (const [from, to] of [
        [other(side), side],
        [side, other(side)],
      ] as const) {
        // Of what was received before somebody ended it nothing is promised.
        if (!from.isShared) continue;
        // Whoever is told that nothing is new cannot know better; once the partner is honest, it has to come out.
        if (side === to && passed < from.lyingUntil) continue;
        if (side === from && to.matchedAt > since) continue;
        const wrong = from.truth.contradicts(shown.get(to)!, since);
        if (wrong !== undefined)
          throw new Error(
            `${side.name} says “${reason}” as of ${age / 1000} s ago, but ${to.name} has ${wrong} (${passed / 1000} s)`,
          );
      }
      rightly++;
    }
  }

  const offices: ToldOffices = {
    sides,
    get rightly() {
      return rightly;
    },
    async add(side, count) {
      const rows = ownColumns(side, customers({ rows: count, seed: 1000 + fresh }).rows);
      fresh++;
      const named = rows.map((row, at) => ({ ...row, CustomerID: `${side.name}-${fresh}-${at}` }));
      await side.office.app('POST', `/app/import?moduleID=${side.list}`, csvOf(named));
      await noted(side);
    },
    async edit(side, which, column, value) {
      const rows = await rowsOf(side.office, side.list);
      const text = column === 'Agent' && value !== '' ? side.agentIDs[value.length % AGENTS] : value;
      const values = { [column]: text === '' ? [] : [text] };
      const row = rows[which % rows.length];
      if (row) await side.office.app('PATCH', rowPath(side, row.recordID), { values });
      await noted(side);
    },
    async editMany(side, count, column, value) {
      const rows = (await rowsOf(side.office, side.list)).slice(0, count);
      const lines = rows.map(({ CustomerID = '' }, at) => ({ CustomerID, [column]: value(at) }));
      const path = `/app/import?moduleID=${side.list}&key=CustomerID`;
      const { updated, created } = await side.office.app<ImportAnswer>(
        'POST',
        path,
        csvOf(lines, ['CustomerID', column]),
      );
      expect([updated, created]).toEqual([count, 0]);
      await noted(side);
    },
    async remove(side, which, count) {
      const rows = await asShared(side);
      const first = which % Math.max(rows.length, 1);
      const gone = rows.slice(first, first + count).map(({ recordID = '' }) => recordID);
      for (const [at, recordID] of gone.entries()) {
        await side.office.app('DELETE', rowPath(side, recordID));
        // The partner may get to see what is there in between.
        const without = gone.slice(0, at + 1);
        side.truth.note(
          rows.filter((row) => !without.includes(row.recordID ?? '')),
          passed,
        );
      }
    },
    async callAgent(side, which, column, value) {
      const values = { [column]: value === '' ? [] : [value] };
      const path = `/app/lists/${side.agents}/rows/${side.agentIDs[which % AGENTS]}`;
      // One that lies in the bin is not changed.
      await side.office.app('PATCH', path, { values }).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.status !== 409) throw error;
      });
      await noted(side);
    },
    async binAgent(side, which, isIn) {
      const path = `/app/lists/${side.agents}/rows/${isIn ? 'delete' : 'restore'}`;
      await side.office.app('POST', path, { recordIDs: [side.agentIDs[which % AGENTS]] });
      await noted(side);
    },
    async share(side, columns) {
      await side.office.app('PUT', `${partnerPath(side)}/shares/${side.list}`, { fields: columns });
      side.isShared = true;
    },
    async pin(side, shownBy) {
      const idOf = (fields: readonly OwnField[], wanted: string): string =>
        fields.find(({ name }) => name === wanted)?.fieldID ?? '';
      const agent = idOf(await fieldsOf(side, side.list), 'Agent');
      const titles = { [agent]: idOf(await fieldsOf(side, side.agents), shownBy) };
      await side.office.app('PUT', `${partnerPath(side)}/shares/${side.list}`, { fields: SHARED, titles });
      side.shownBy = shownBy;
      await noted(side);
    },
    async swap(side, one, other) {
      const names: Readonly<Record<string, string>> = { [one]: other, [other]: one };
      const fields = (await fieldsOf(side, side.list)).map((field) => ({
        ...field,
        name: names[field.name] ?? field.name,
        label: names[field.name] ?? field.label,
      }));
      const before = await namesShared(side);
      await side.office.app('PATCH', `/app/lists/${side.list}`, { fields });
      // What is shared follows right behind the answer; a clock that is moved by hand must not outrun it.
      if (before.includes(one) || before.includes(other))
        await vi.waitFor(async () => expect(await namesShared(side)).not.toEqual(before), PATIENCE);
      await noted(side);
    },
    async unshare(side) {
      if (!side.isShared) return;
      side.isShared = false;
      await side.office.app('DELETE', `${partnerPath(side)}/shares/${side.list}`);
    },
    async match(side, columns) {
      const offered = (await offerAt(side))?.fields ?? [];
      side.matchedAt = passed;
      const wanted = offered.filter(({ name }) => columns?.some((column) => column === name) ?? true);
      const matches = wanted.map(({ name }) => ({ origin: name, destination: name }));
      if (matches.length > 0)
        await side.office.app('PUT', `${offerPath(side)}/matching`, { moduleID: side.received, matches });
    },
    async unmatch(side) {
      if ((await offerAt(side))?.matches.length)
        await side.office.app('DELETE', `${offerPath(side)}/matching`);
    },
    async pause(side, wish) {
      await side.office.app('POST', `${partnerPath(side)}/pause`, wish);
    },
    async resume(side) {
      await side.office.app('POST', `${partnerPath(side)}/resume`);
    },
    async sync(side) {
      side.office.app('POST', `${partnerPath(side)}/sync`).catch(() => undefined);
      await settled();
    },
    async decide(side, go) {
      if (!(await offerAt(side))?.brake) return;
      // Fetches right away, which may take as long as the line wants, and fail.
      const said = go
        ? approveDeletions(side.office, offerPath(side))
        : side.office.app('POST', `${offerPath(side)}/brake`, { go });
      said.catch(() => undefined);
      await settled();
    },
    weather(side, weather, where) {
      if (side.line.weather === 'stale') side.lyingUntil = passed + BOUND;
      if (weather === 'stale') side.lyingUntil = Infinity;
      side.line.set(weather, where);
    },
    clock(side, ahead) {
      side.clock.set(start + passed + ahead);
    },
    async restart(side, isKilled) {
      const running = opened.find(({ name }) => name === side.name)!;
      delete running.office;
      const { clock, line } = side;
      const publicUrl = `http://127.0.0.1:${line.port}`;
      Object.assign(side, await startedAgain(side, isKilled, { clock, publicUrl, syncIntervalMs: INTERVAL }));
      running.office = side.office;
      await check();
    },
    async pass(milliseconds) {
      const end = passed + milliseconds;
      await settled();
      await check();
      while (passed < end) {
        passed += STEP;
        for (const { clock } of sides) clock.advance(STEP);
        await settled();
        await check();
      }
    },
    async heal() {
      for (const side of sides) {
        offices.weather(side, 'clear');
        side.clock.set(start + passed);
        await offices.resume(side);
        await offices.share(side, SHARED);
      }
      await offices.pass(BOUND);
      for (let round = 0; round < 20; round++) {
        for (const side of sides) {
          await offices.sync(side);
          await offices.pass(STEP);
          await offices.match(side);
          await offices.decide(side, true);
        }
        await offices.pass(BOUND);
        const told = await Promise.all(sides.map(summaryAt));
        if (told.every(({ state }) => state === 'up-to-date')) return;
        for (const [at, { reason }] of told.entries())
          if (sides[at] && /^You kept|differs? from/.test(reason)) await fetchTheirs(sides[at]);
        if (round === 19)
          throw new Error(`never well again: ${told.map(({ reason }) => reason).join(' | ')}`);
      }
    },
    state: async (side) => (await summaryAt(side)).state,
    async close() {
      for (const side of sides) {
        side.line.set('clear');
        await side.office.stop().catch(() => undefined);
        await side.line.close();
        await side.remove();
      }
    },
  };

  /** What a user does who kept rows and wants the partner's after all. */
  async function fetchTheirs(side: ToldSide): Promise<void> {
    const { differing } = await side.office.app<Comparison>('POST', `${offerPath(side)}/compare`);
    const recordIDs = differing.map(({ recordID }) => recordID);
    if (recordIDs.length > 0) await side.office.app('POST', `${offerPath(side)}/repull`, { recordIDs });
  }

  const pair = await pairNodes(a.office, b.office);
  a.partner = pair.atInviter;
  b.partner = pair.atInvited;
  for (const { clock } of sides) clock.set(start + ahead);
  for (const side of sides) {
    const from = { office: other(side).office, partner: other(side).partner, list: other(side).list };
    const made = await shareAndReceive(from, SHARED, side);
    side.received = made.list;
    side.sharedModuleID = made.sharedModuleID;
  }
  for (const { clock } of sides) clock.set(start + passed);
  return offices;
}

/** Rows for a list of a side's own; most have somebody who sees to them. */
function ownColumns({ agentIDs }: Pick<ToldSide, 'agentIDs'>, rows: readonly Row[]): Row[] {
  return rows.map((row, at) => ({
    ...Object.fromEntries(TEXTS.map((column) => [column, row[column] ?? ''])),
    Agent: at % 7 === 0 ? '' : (agentIDs[at % AGENTS] ?? ''),
  }));
}

/** A side's own list as the other one is to see it. */
async function asShared({
  office,
  list,
  agents,
  shownBy,
}: Pick<ToldSide, 'office' | 'list' | 'agents' | 'shownBy'>): Promise<Row[]> {
  const names = new Map(
    (await rowsOf(office, agents)).map((row) => [row.recordID ?? '', row[shownBy] ?? '']),
  );
  return (await rowsOf(office, list)).map((row) => ({ ...row, Agent: names.get(row.Agent ?? '') ?? '' }));
}

function csvOf(rows: readonly Row[], columns: readonly SharedColumn[] = SHARED): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const lines = rows.map((row) => columns.map((column) => cell(row[column] ?? '')).join(','));
  return [columns.join(','), ...lines].join('\n');
}
