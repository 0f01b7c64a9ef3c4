import { describe, expect, it, onTestFinished } from 'vitest';
import {
  serverHasEarlierColumns,
  retypedColumns,
} from '../../renderer/places/partners/share/pinned-columns.ts';
import type { Share } from '../../server/contract/app/sharing.ts';
import { syncStatus } from '../../server/contract/wire/sync-status.ts';
import { systemClock } from '../../server/base/clock.ts';
import { sampleOf } from '../support/data/luck.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { startLiveServer, type LiveServer } from '../support/partners/live-server.ts';
import { rowsOf, startNode, type NodeOffice } from '../support/harness/node.ts';
import { startRecordingProxy, type RecordingProxy } from '../support/partners/recording-proxy.ts';

const FIRST = ['Ada', 'Bjørn', 'Chiara', 'Dmitri', 'Esra', 'François', 'Grete', 'Hana', 'Imre', 'João'];
const TOWNS = ['Aarhus', 'Brno', 'Çanakkale', 'Dubrovnik', 'Évora', 'Freiburg', 'Győr'];
const COLUMNS = ['Name', 'Town', 'Street', 'Note'] as const;
type Values = Record<(typeof COLUMNS)[number], string>;

/** A customer like no other. */
function customer(number: number): Values {
  const [name, town] = [FIRST[(number * 7) % FIRST.length], TOWNS[(number * 5) % TOWNS.length]];
  return {
    Name: `${name} ${number}`,
    Town: town ?? '',
    Street: number % 9 === 0 ? '' : `${town} road ${(number * 31) % 211}`,
    Note: `Since ${1980 + (number % 40)}, pays after ${(number * 13) % 60} days`,
  };
}

const MINUTE = 60_000;
const STORING = 98_000;

/** We as origin, a live server as puller. Its clock is the true one; ours may be off. */
interface Setting {
  office: NodeOffice;
  readonly live: LiveServer;
  readonly partner: string;
  readonly line: RecordingProxy;
  /** Lets so much time go by at the live server. */
  readonly later: (milliseconds: number) => void;
  /** The server's workers run once, a minute later. */
  readonly tick: () => Promise<void>;
  /** Stops our node at whatever it does, and starts it again on the same folder. */
  readonly restart: () => Promise<void>;
  readonly list: (name: string, count: number) => Promise<SharedList>;
}

interface SharedList {
  readonly list: string;
  readonly moduleID: string;
  readonly ids: () => Promise<string[]>;
  readonly change: (recordID: string, values: Partial<Values>) => Promise<unknown>;
  readonly add: (values: Values) => Promise<unknown>;
  readonly remove: (recordIDs: readonly string[]) => Promise<unknown>;
}

async function setting(ourClockIsOff = 0): Promise<Setting> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const clock = { ...systemClock, now: () => Date.now() + ourClockIsOff };
  const begin = (): Promise<NodeOffice> =>
    startNode('Berlin', { remoteManagement: true, dataDir: folder.path, clock });
  const live = await startLiveServer();
  onTestFinished(() => live.close());
  const set = { office: await begin() };
  onTestFinished(() => set.office.stop());
  const line = await startRecordingProxy(() => set.office.port);
  onTestFinished(() => line.close());

  const { nodeID: partner } = await set.office.app<{ nodeID: string }>('POST', '/federation/nodes/', {
    baseURL: live.base,
    name: 'Server B',
    contact: 'admin@b.example',
  });
  const uri = await set.office.app<string>('POST', `/federation/nodes/${partner}/uri`);
  const through = uri.replace(/@127\.0\.0\.1:\d+/, `@127.0.0.1:${line.port}`);
  const { node, error } = await live.acceptAndPair(through);
  expect(error).toBeUndefined();
  await set.office.app('POST', `/federation/nodes/${partner}/handshake-confirm`);

  let ahead = 0;
  live.puller.now = () => Date.now() + ahead;
  const later = (milliseconds: number): void => void (ahead += milliseconds);
  return Object.assign(set, {
    live,
    partner,
    line,
    later,
    async tick() {
      later(MINUTE);
      await live.puller.tick(node.nodeID);
      expect(live.puller.panicked).toBeUndefined();
    },
    async restart() {
      await set.office.node.stop();
      set.office = await begin();
    },
    async list(name: string, count: number): Promise<SharedList> {
      const list = await set.office.list(name, COLUMNS);
      const csv = Array.from({ length: count }, (_, at) =>
        Object.values(customer(at)).map((text) => `"${text}"`),
      );
      const namespace = (await set.office.app<{ namespaceID: string }>('GET', `/app/lists/${list}`))
        .namespaceID;
      await set.office.app(
        'POST',
        `/compose/namespace/${namespace}/module/${list}/import`,
        [COLUMNS.join(), ...csv.map((cells) => cells.join())].join('\n'),
      );
      await set.office.app('PUT', `/app/partners/${partner}/shares/${list}`, { fields: COLUMNS });
      const rows = `/app/lists/${list}/rows`;
      const asTexts = (values: Partial<Values>): object => ({
        values: Object.fromEntries(Object.entries(values).map(([column, text]) => [column, [text]])),
      });
      await live.puller.tick(node.nodeID);
      const moduleID = [...live.puller.shared].find(([, shared]) => shared.name === name)?.[0] ?? '';
      live.puller.map(moduleID);
      return {
        list,
        moduleID,
        ids: async () => (await rowsOf(set.office, list)).map(({ recordID = '' }) => recordID),
        change: (recordID, values) => set.office.app('PATCH', `${rows}/${recordID}`, asTexts(values)),
        add: (values) => set.office.app('POST', rows, asTexts(values)),
        remove: (recordIDs) => set.office.app('POST', `${rows}/delete`, { recordIDs }),
      };
    },
  });
}

const textOf = (values: Record<string, string>): string =>
  COLUMNS.map((column) => values[column] ?? '').join('; ');

/** What the live server has, and what it should have; of several lists, of all of them. */
async function compare({ office, live }: Setting, ...lists: readonly SharedList[]): Promise<void> {
  const rows = (await Promise.all(lists.map(({ list }) => rowsOf(office, list)))).flat();
  const there = live.records
    .filter(({ deletedAt }) => deletedAt === undefined)
    .map(({ values }) => textOf(Object.fromEntries(values.map(({ name, value }) => [name, value]))));
  expect(there.sort()).toEqual(rows.map(textOf).sort());
}

/** How often each of these rows was in an answer since the `from`th, at most. */
function mostOften({ live }: Setting, from: number): number {
  const times = new Map<string, number>();
  for (const recordID of live.puller.answers.slice(from).flat())
    times.set(recordID, (times.get(recordID) ?? 0) + 1);
  return Math.max(0, ...times.values());
}

describe('a live server that pulls from us loses nothing', () => {
  it('of what is written while it stores our last answer for 98 seconds', async () => {
    const set = await setting();
    const list = await set.list('Customers', 300);
    const ids = await list.ids();
    let round = 0;
    set.live.puller.whileStoring = async () => {
      if (round++ > 3) return;
      for (const recordID of ids.slice(round * 20, round * 20 + 15))
        await list.change(recordID, {
          Note: `changed while it stored, round ${round}, ${recordID.slice(-5)}`,
        });
      await list.add(customer(1000 + round));
      await list.remove([ids[200 + round] ?? '']);
      set.later(STORING);
    };
    for (let ticks = 0; ticks < 8; ticks++) await set.tick();
    await compare(set, list);
    expect(set.live.puller.answers.at(-1)).toEqual([]);
  });

  it.each(
    sampleOf(
      [
        ['an hour behind', -60 * MINUTE],
        ['right', 0],
        ['an hour ahead', 60 * MINUTE],
      ] as const,
      3,
    ),
  )('with our clock %s, and gets each change in one answer', async (_, off) => {
    const set = await setting(off);
    const list = await set.list('Customers', 60);
    for (let ticks = 0; ticks < 3; ticks++) await set.tick();
    await compare(set, list);
    const [first = '', second = '', ...others] = await list.ids();
    for (let round = 0; round < 3; round++) {
      const before = set.live.puller.answers.length;
      await list.change(others[round] ?? '', { Town: TOWNS[round] ?? '', Note: `moved in ${1990 + round}` });
      await set.tick();
      await set.tick();
      await set.tick();
      expect(mostOften(set, before)).toBe(1);
      expect(set.live.puller.answers.at(-1)).toEqual([]);
    }
    await list.change(first, { Name: 'Žofie' });
    await list.remove([second]);
    await set.tick();
    await compare(set, list);
  });

  it('of a second list that is shared later: its old rows arrive', async () => {
    const set = await setting(-60 * MINUTE);
    const customers = await set.list('Customers', 40);
    for (let ticks = 0; ticks < 3; ticks++) await set.tick();
    const suppliers = await set.list('Suppliers', 70);
    await set.tick();
    await compare(set, customers, suppliers);
  });

  it('when another choice of columns is shared: all rows come again, with what they lacked', async () => {
    const set = await setting();
    const list = await set.list('Customers', 40);
    const share = (fields: readonly string[]): Promise<unknown> =>
      set.office.app('PUT', `/app/partners/${set.partner}/shares/${list.list}`, { fields });
    for (const columns of [['Name', 'Town'], COLUMNS]) {
      await share(columns);
      // Its administrator has to agree to what changed, and then rows are fetched again.
      await set.tick();
      set.live.puller.resolve(list.moduleID);
      await set.tick();
      const there = set.live.records.map(({ values }) => values.filter(({ value }) => value !== '').length);
      expect(Math.max(...there)).toBe(columns.length);
      await set.tick();
      await set.tick();
    }
    await compare(set, list);
  });

  it('of an answer that is cut in the middle, however often, nor of one whose storing it does not survive', async () => {
    const set = await setting();
    const list = await set.list('Customers', 400);
    for (let ticks = 0; ticks < 3; ticks++) await set.tick();
    const ids = await list.ids();
    for (let round = 0; round < 3; round++) {
      for (const recordID of ids.slice(round * 40, round * 40 + 40))
        await list.change(recordID, { Street: `${recordID.slice(-6)} avenue`, Note: `round ${round}` });
      set.line.cutAnswersAfter(3000);
      await set.tick();
      set.line.cutAnswersAfter(undefined);
      set.live.puller.diesStoring = true;
      await set.tick();
      await list.add(customer(2000 + round));
    }
    await set.tick();
    await compare(set, list);
  });

  it('when our node ends at any moment and starts again', async () => {
    const set = await setting();
    const list = await set.list('Customers', 50);
    const ids = await list.ids();
    for (let round = 0; round < 4; round++) {
      await list.change(ids[round] ?? '', { Note: `before the end, ${round}` });
      if (round % 2 === 0) set.live.puller.diesStoring = true;
      await set.tick();
      await set.restart();
      await list.change(ids[round + 10] ?? '', { Note: `after the start, ${round}` });
      set.live.puller.whileStoring = async () => {
        await list.change(ids[round + 20] ?? '', { Note: `while it stores, ${round}` });
        set.later(STORING);
      };
      await set.tick();
      set.live.puller.whileStoring = () => undefined;
    }
    await set.tick();
    await compare(set, list);
  });

  it('when it is set up anew, or goes back to a backup of its own', async () => {
    const set = await setting(-60 * MINUTE);
    const list = await set.list('Customers', 40);
    for (let ticks = 0; ticks < 4; ticks++) await set.tick();
    const ids = await list.ids();
    const backup = {
      mark: Math.floor(set.live.puller.now() / 1000),
      records: structuredClone(set.live.records),
    };
    for (let round = 0; round < 4; round++) {
      await list.change(ids[round] ?? '', { Note: `since the backup, ${round}` });
      await set.tick();
    }
    set.live.records.splice(0, Infinity, ...backup.records);
    set.live.puller.goBackTo(backup.mark);
    await set.tick();
    await compare(set, list);
    set.live.records.splice(0);
    set.live.puller.goBackTo(undefined);
    await set.tick();
    await compare(set, list);
  });

  it.each(['', '?sort=Name'])(
    'to an administrator who looks with its token, as curl does: %s',
    async (asked) => {
      const set = await setting();
      const list = await set.list('Customers', 3);
      for (let ticks = 0; ticks < 4; ticks++) await set.tick();
      const [first = ''] = await list.ids();
      await list.change(first, { Note: 'nobody has to miss this' });
      const [node] = set.live.nodes;
      const url = `${node?.baseURL}/nodes/${node?.sharedNodeID}/modules/${list.moduleID}/records/${asked}`;
      const headers = { authorization: `Bearer ${node?.authToken}`, accept: '*/*' };
      const answer = await fetch(url, { headers });
      expect(await answer.text()).toContain('nobody has to miss this');
      for (let ticks = 0; ticks < 3; ticks++) await set.tick();
      await compare(set, list);
    },
  );

  it('to somebody who looks with its token or over its shoulder meanwhile', async () => {
    const set = await setting(-60 * MINUTE);
    const list = await set.list('Customers', 40);
    for (let ticks = 0; ticks < 3; ticks++) await set.tick();
    const ids = await list.ids();
    await list.change(ids[3] ?? '', { Note: 'nobody has to miss this' });
    const path = `/federation/nodes/${set.partner}/modules/${list.moduleID}/records/`;
    const token = set.live.nodes[0]?.authToken ?? '';
    const mark = Math.floor(set.live.puller.now() / 1000);
    for (let times = 0; times < 4; times++) {
      for (const [query, headers] of [
        [`?lastSync=${mark + times}&limit=5`, { accept: 'application/json' }],
        [`?lastSync=${mark + times}&query=Note+IS+NULL`, { accept: '' }],
      ] as const) {
        const answer = await fetch(`${set.office.ready.federation}${path}${query}`, {
          headers: { ...headers, authorization: `Bearer ${token}` },
        });
        expect(answer.status).toBe(200);
        await answer.text();
      }
      await set.office.app('GET', `${path}?lastSync=${mark + times}`);
    }
    await set.tick();
    await compare(set, list);
  });
});

it('a live server keeps what its office writes into our rows right after they arrived', async () => {
  const set = await setting();
  const list = await set.list('Customers', 300);
  await set.tick();
  const [there] = set.live.records;
  there?.values.push({ name: 'Collected', value: 'by Marta, 12 May' });
  for (let ticks = 0; ticks < 3; ticks++) await set.tick();
  expect(there?.values.at(-1)).toEqual({ name: 'Collected', value: 'by Marta, 12 May' });
  expect(mostOften(set, 0)).toBe(1);
  await compare(set, list);
});

describe('a live server of several lists', () => {
  const settled = async (set: Setting): Promise<[SharedList, SharedList]> => {
    const lists = [await set.list('Customers', 40), await set.list('Suppliers', 30)] as const;
    for (let ticks = 0; ticks < 4; ticks++) await set.tick();
    await compare(set, ...lists);
    return [...lists];
  };

  it('gets each row in one answer, also right after it was paired', async () => {
    const set = await setting();
    const lists = await settled(set);
    expect(mostOften(set, 0)).toBe(1);
    const before = set.live.puller.answers.length;
    for (let round = 0; round < 3; round++) {
      for (const list of lists) {
        const ids = await list.ids();
        await list.change(ids[round] ?? '', { Note: `visited in week ${20 + round}` });
      }
      await set.tick();
    }
    for (let ticks = 0; ticks < 2; ticks++) await set.tick();
    expect(mostOften(set, before)).toBe(1);
    await compare(set, ...lists);
  });

  it.each(sampleOf(['Customers', 'Suppliers'], 2))(
    'that is killed while it stores %s: gets those rows again',
    async (name) => {
      const set = await setting();
      const lists = await settled(set);
      const [killed = lists[0]] = name === 'Customers' ? lists : lists.toReversed();
      for (let round = 0; round < 3; round++) {
        for (const list of lists) {
          const ids = await list.ids();
          await list.change(ids[round] ?? '', { Note: `called on ${3 + round} June` });
        }
        set.live.puller.diesStoring = killed.moduleID;
        await set.tick();
        await set.tick();
      }
      // Whether a connection that was cut is seen before the next request decides if a row goes out once more.
      for (let ticks = 0; ticks < 2 || (ticks < 5 && set.live.puller.answers.at(-1)?.length !== 0); ticks++)
        await set.tick();
      await compare(set, ...lists);
      expect(set.live.puller.answers.at(-1)).toEqual([]);
    },
  );

  it.each(sampleOf([1, 2, 4], 3))(
    'gets the rows of %d lost answers in a row while the other list arrives, and none waits for good',
    async (lost) => {
      const set = await setting();
      const [customers, suppliers] = await settled(set);
      const [first = '', second = ''] = await suppliers.ids();
      await suppliers.change(first, { Note: 'New bank account since May' });
      for (let round = 0; round < lost; round++) {
        const [customer = ''] = await customers.ids();
        await customers.change(customer, { Note: `called ${round + 1} times` });
        await suppliers.change(second, { Note: `delivery ${round + 1} is late` });
        set.live.puller.loses = suppliers.moduleID;
        await set.tick();
      }
      for (let ticks = 0; ticks < 8; ticks++) await set.tick();
      await compare(set, customers, suppliers);
      const logged = set.live.puller.log.length;
      for (let ticks = 0; ticks < 2; ticks++) await set.tick();
      expect(set.live.puller.log.length).toBe(logged);
    },
  );

  it('behind a proxy: gets each change in one answer, while the other list waits for a minute', async () => {
    const set = await setting();
    set.live.puller.isBehindProxy = true;
    const [customers, suppliers] = await settled(set);
    const before = set.live.puller.answers.length;
    const [first = ''] = await customers.ids();
    await customers.change(first, { Town: 'Żory' });
    const logged = set.live.puller.log.length;
    await set.tick();
    expect(set.live.puller.log.slice(logged)).toEqual(['invalid return status: 503']);
    expect(set.live.puller.heldConnections, 'the refusal has no body').toBe(0);
    for (let ticks = 0; ticks < 4; ticks++) await set.tick();
    expect(mostOften(set, before)).toBe(1);
    await compare(set, customers, suppliers);
  });

  it('and goes back to a backup behind a proxy: gets what it lost of both', async () => {
    const set = await setting();
    set.live.puller.isBehindProxy = true;
    const lists = await settled(set);
    const backup = {
      mark: Math.floor(set.live.puller.now() / 1000),
      records: structuredClone(set.live.records),
    };
    for (const list of lists) {
      const [first = ''] = await list.ids();
      await list.change(first, { Note: 'moved to the harbour in November' });
    }
    for (let ticks = 0; ticks < 6; ticks++) await set.tick();
    await compare(set, ...lists);
    set.live.records.splice(0, Infinity, ...backup.records);
    set.live.puller.goBackTo(backup.mark);
    for (let ticks = 0; ticks < 6; ticks++) await set.tick();
    await compare(set, ...lists);
  });

  it('and its connection ended here: its polls keep no connection open there', async () => {
    const set = await setting();
    await settled(set);
    await set.office.app('DELETE', `/federation/nodes/${set.partner}`);
    const logged = set.live.puller.log.length;
    await set.tick();
    expect(set.live.puller.log.length).toBeGreaterThan(logged);
    expect(set.live.puller.heldConnections).toBe(0);
  });
});

it('a live server that was paired again: nothing is known of a list that it did not ask for over this connection', async () => {
  const set = await setting();
  const list = await set.list('Customers', 8);
  for (let ticks = 0; ticks < 2; ticks++) await set.tick();
  const uri = await set.office.app<string>('POST', `/federation/nodes/${set.partner}/uri`);
  const { node } = await set.live.acceptAndPair(uri);
  await set.office.app('POST', `/federation/nodes/${set.partner}/handshake-confirm`);
  const fetchDefinitions = async (): Promise<void> => {
    const url = `${node.baseURL}/nodes/${node.sharedNodeID}/modules/exposed/?limit=1`;
    // The stand-in notes a token at the first node with this partner's id.
    const authorization = `Bearer ${set.live.nodes[0]?.authToken}`;
    const answer = await fetch(url, { headers: { authorization, accept: '' } });
    expect(answer.status).toBe(200);
    await answer.text();
  };
  const [first = ''] = await list.ids();
  for (let times = 0; times < 5; times++) {
    await fetchDefinitions();
    if (times === 1) await list.change(first, { Note: 'moved to Brno in May' });
    const status = await set.office.app('GET', `/federation/nodes/${set.partner}/sync`);
    const { sharing } = syncStatus.parse(status);
    expect(sharing).toMatchObject({ waiting: 0, undecided: 1 });
    expect(sharing).not.toHaveProperty('stopped');
  }
});

describe('the definition of a list stays as a live server got it first', () => {
  const definitionOf = ({ live }: Setting, { moduleID }: SharedList): unknown =>
    live.puller.shared.get(moduleID);
  interface Column {
    readonly fieldID: string;
    readonly name: string;
    readonly label: string;
    readonly kind: string;
  }
  async function changeColumns(
    { office }: Setting,
    { list }: Pick<SharedList, 'list'>,
    change: (columns: readonly Column[]) => readonly object[],
  ): Promise<void> {
    const path = `/app/lists/${list}`;
    const { fields } = await office.app<{ fields: Column[] }>('GET', path);
    await office.app('PATCH', path, { fields: change(fields) });
  }

  it('when a heading and a short name are changed here: changes go on, and no column is emptied there', async () => {
    const set = await setting();
    const list = await set.list('Customers', 60);
    for (let ticks = 0; ticks < 2; ticks++) await set.tick();
    const before = structuredClone(definitionOf(set, list));
    await changeColumns(set, list, (columns) =>
      columns.map((column) =>
        column.name === 'Town'
          ? { ...column, name: 'City', label: 'City or village' }
          : { ...column, label: column.label },
      ),
    );
    const [first = ''] = await list.ids();
    const answers = set.live.puller.answers.length;
    await list.change(first, { Note: 'moved in May' });
    for (let ticks = 0; ticks < 3; ticks++) await set.tick();
    expect(set.live.puller.answers.slice(answers).flat(), 'no other row is sent for it').toHaveLength(1);
    expect(set.live.puller.log).toEqual([]);
    expect(definitionOf(set, list)).toEqual(before);
    const valuesOf = (wanted: string): string[] =>
      set.live.records
        .flatMap(({ values }) => values.filter(({ name }) => name === wanted))
        .map((each) => each.value);
    expect(valuesOf('Town').filter((town) => town !== '')).toHaveLength(60);
    expect(valuesOf('Note')).toContain('moved in May');
    const [node] = set.live.nodes;
    const asked = async (query: string): Promise<number> => {
      const url = `${node?.baseURL}/nodes/${node?.sharedNodeID}/modules/${list.moduleID}/records/?${query}`;
      return (await fetch(url, { headers: { authorization: `Bearer ${node?.authToken}` } })).status;
    };
    // By the name that it knows it gets what it does not mean, by the other one what it was never told.
    const [town, city] = ['Town', 'City'].map((name) => `query=${encodeURIComponent(`${name} = 'Brno'`)}`);
    expect(await Promise.all([town, city, 'sort=City', 'limit=1'].map((query = '') => asked(query)))).toEqual(
      [400, 400, 400, 200],
    );
    const headers = { authorization: `Bearer ${node?.authToken}`, accept: 'application/json' };
    const path = `${node?.baseURL}/nodes/${node?.sharedNodeID}/modules`;
    const [definitions, rows] = await Promise.all(
      [`${path}/exposed/`, `${path}/${list.moduleID}/records/`].map(async (url) =>
        (await fetch(url, { headers })).text(),
      ),
    );
    // A script that asks for JSON has the names of one time in both.
    expect([definitions, rows].map((text) => /"name":"(?:Town|City)"/.exec(text ?? '')?.[0])).toEqual([
      '"name":"Town"',
      '"name":"Town"',
    ]);
  });

  it('and queries know its dates and times of day, as in Compose', async () => {
    const set = await setting();
    const list = await set.office.list('Openings', ['Name']);
    await changeColumns(set, { list }, (columns) => [
      ...columns,
      { label: 'Due', kind: 'DateTime', isMulti: false, options: { only: 'date' } },
      { label: 'Opens', kind: 'DateTime', isMulti: false, options: { only: 'time' } },
    ]);
    for (const Opens of ['08:30', '10:00'])
      await set.office.app('POST', `/app/lists/${list}/rows`, {
        values: { Name: ['Ulm'], Due: ['2026-03-02'], Opens: [Opens] },
      });
    await set.office.app('PUT', `/app/partners/${set.partner}/shares/${list}`, {
      fields: ['Name', 'Due', 'Opens'],
    });
    const [node] = set.live.nodes;
    await set.live.puller.tick(node?.nodeID ?? '');
    const [moduleID = ''] = set.live.puller.shared.keys();
    const asked = async (query: string): Promise<unknown> => {
      const path = `${node?.baseURL}/nodes/${node?.sharedNodeID}/modules/${moduleID}/records/`;
      const url = `${path}?limit=100&query=${encodeURIComponent(query)}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${node?.authToken}` } });
      if (answer.status !== 200) return answer.status;
      const { response } = (await answer.json()) as { response: { set: readonly unknown[] | null } };
      return { rows: response.set?.length ?? 0 };
    };
    expect(await asked("Due < '2026-03-03'")).toEqual({ rows: 2 });
    expect(await asked("Due < '2026-03-02T12:00:00Z'")).toBe(400);
    expect(await asked("Opens > '9:30'")).toEqual({ rows: 1 });
    expect(await asked("Opens < '2026-03-02T10:00'")).toBe(400);
  });

  it('when a column is shared in addition: the others go on, and sharing again brings it under a new id', async () => {
    const set = await setting();
    const list = await set.list('Customers', 60);
    const share = (fields: readonly string[]): Promise<{ exposureID: string; pinned?: object[] }> =>
      set.office.app('PUT', `/app/partners/${set.partner}/shares/${list.list}`, { fields });
    await set.office.app('DELETE', `/app/partners/${set.partner}/shares/${list.list}`);
    const three = await share(COLUMNS.slice(0, 3));
    expect(three.exposureID).not.toBe(list.moduleID);
    await set.tick();
    set.live.puller.map(three.exposureID);
    for (let ticks = 0; ticks < 2; ticks++) await set.tick();
    const four = await share(COLUMNS);
    expect(four).toMatchObject({ exposureID: three.exposureID });
    expect(four.pinned).toHaveLength(3);
    const [first = ''] = await list.ids();
    await list.change(first, { Name: 'Žofie', Note: 'stays here' });
    await set.tick();
    expect(set.live.puller.log.filter((line) => line.includes('structure changed'))).toEqual([]);
    const texts = set.live.records.flatMap(({ values }) => values.map(({ value }) => value));
    expect(texts).toContain('Žofie');
    expect(texts).not.toContain('stays here');
    const [node] = set.live.nodes;
    const url = `${node?.baseURL}/nodes/${node?.sharedNodeID}/modules/${three.exposureID}/records/?limit=1`;
    const headers = { authorization: `Bearer ${node?.authToken}` };
    // It compares what leaves, and this column does not.
    for (const asked of ["query=Note = 'stays here'", 'sort=Note'])
      expect((await fetch(encodeURI(`${url}&${asked}`), { headers })).status, asked).toBe(400);
    await set.tick();
    expect(await set.office.app('GET', `/app/partners/${set.partner}`)).toMatchObject({
      state: 'needs-you',
      reason:
        'Server B doesn’t get 1 column that you share. Share its list again, then ask the administrator there to map it.',
      sharing: { complete: false },
    });
    await set.office.app('DELETE', `/app/partners/${set.partner}/shares/${list.list}`);
    const again = await share(COLUMNS);
    expect(again.exposureID).not.toBe(three.exposureID);
    await set.tick();
    set.live.puller.map(again.exposureID);
    await set.tick();
    await compare(set, list);
  });

  it('when a kind is changed here: the share says so, and sharing again brings the present one', async () => {
    const set = await setting();
    const { moduleID: list } = await set.office.app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Orders',
      fields: [
        { label: 'Number', name: 'Number', kind: 'String', isMulti: false },
        { label: 'Amount', name: 'Amount', kind: 'Number', isMulti: false },
      ],
    });
    const path = `/app/partners/${set.partner}/shares/${list}`;
    const share = async (): Promise<Share> => set.office.app('PUT', path, { fields: ['Number', 'Amount'] });
    const { exposureID } = await share();
    await set.tick();
    const before = set.live.puller.shared.get(exposureID);
    expect(retypedColumns(await share())).toEqual([]);
    await changeColumns(set, { list }, (columns) =>
      columns.map((column) => (column.name === 'Amount' ? { ...column, kind: 'String' } : column)),
    );
    await set.tick();
    expect(set.live.puller.shared.get(exposureID)).toEqual(before);
    expect(set.live.puller.log).toEqual([]);
    const changed = await share();
    expect(retypedColumns(changed)).toEqual(['Amount']);
    expect(serverHasEarlierColumns(changed)).toBe(true);
    await set.office.app('DELETE', path);
    const again = await share();
    await set.tick();
    expect(set.live.puller.shared.get(again.exposureID)?.fields[1]).toMatchObject({ kind: 'String' });
    expect(retypedColumns(await share())).toEqual([]);
  });

  it('and people, rows and files are of kind String in it, so that no row is refused for them', async () => {
    const set = await setting();
    const list = await set.list('Customers', 4);
    await set.office.app('DELETE', `/app/partners/${set.partner}/shares/${list.list}`);
    await changeColumns(set, list, (columns) =>
      columns.map((column) => (column.name === 'Town' ? { ...column, kind: 'User' } : column)),
    );
    const { exposureID } = await set.office.app<{ exposureID: string }>(
      'PUT',
      `/app/partners/${set.partner}/shares/${list.list}`,
      { fields: COLUMNS },
    );
    await set.tick();
    expect(set.live.puller.shared.get(exposureID)?.fields[1]).toMatchObject({ name: 'Town', kind: 'String' });
    set.live.puller.map(exposureID);
    await set.tick();
    await compare(set, list);
  });
});

describe('what is said of a live server that pulls from us', () => {
  /** State and reason, as its page in the window says. */
  const told = async ({ office, partner }: Setting): Promise<string> => {
    const said = await office.app<{ state: string; reason: string }>('GET', `/app/partners/${partner}`);
    return `${said.state}: ${said.reason}`;
  };
  const HAS_ALL = /^up-to-date: Server B has everything/;

  it('is that it has everything once its mark shows that it stored it, and never before', async () => {
    const set = await setting();
    const list = await set.list('Customers', 60);
    await set.tick();
    expect(await told(set), 'an answer is with it').toBe('syncing: 60 changes are on their way to Server B.');
    await set.tick();
    expect(await told(set)).toMatch(HAS_ALL);
    const [first = ''] = await list.ids();
    await list.change(first, { Town: 'Żory', Note: 'moved in 2026' });
    for (let round = 0; round < 3; round++) {
      set.live.puller.diesStoring = true;
      await set.tick();
      expect(await told(set), `killed with the answer in hand, ${round}`).toMatch(/^syncing: 1 change is on/);
    }
    await set.tick();
    await set.tick();
    expect(await told(set)).toMatch(HAS_ALL);
    await compare(set, list);
    await set.restart();
    const { sharing } = await set.office.app<{ sharing: object }>(
      'GET',
      `/federation/nodes/${set.partner}/sync`,
    );
    expect(sharing, 'after a start of ours').toMatchObject({ waiting: 0, untold: 0 });
  });

  it('is that it stopped a list whose columns are others, also while it takes in another one', async () => {
    const set = await setting();
    const list = await set.list('Customers', 60);
    const other = await set.list('Suppliers', 5);
    for (let ticks = 0; ticks < 3; ticks++) await set.tick();
    expect(await told(set)).toMatch(HAS_ALL);
    set.live.puller.remember(
      list.moduleID,
      COLUMNS.map((name) => ({ name, label: `${name} of before` })),
    );
    const [first = ''] = await list.ids();
    const [supplier = ''] = await other.ids();
    await list.change(first, { Note: 'pays in cash since May' });
    const heard: string[] = [];
    for (let ticks = 0; ticks < 20 && !heard.at(-1)?.startsWith('needs-you'); ticks++) {
      heard.push(await told(set));
      await other.change(supplier, { Note: `delivers on day ${ticks}` });
      await set.tick();
    }
    const last = heard.pop();
    expect(heard.length).toBeGreaterThan(2);
    for (const each of heard) expect(each).toMatch(/^syncing: [12] changes? (?:is|are) on (?:its|their) way/);
    expect(last).toMatch(/^needs-you: Server B no longer imports “Customers”/);
    await set.tick();
    const status = await set.office.app('GET', `/federation/nodes/${set.partner}/sync`);
    expect(syncStatus.parse(status).sharing).toMatchObject({ waiting: 1, stopped: ['Customers'] });
    set.live.puller.resolve(list.moduleID);
    for (let ticks = 0; ticks < 2; ticks++) await set.tick();
    expect(await told(set)).toMatch(HAS_ALL);
  });
});
