import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PartnerSummary } from '../../server/contract/app/overview.ts';
import { sampleOf } from '../support/data/luck.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';
import { customers } from '../support/data/office-lists.ts';
import { startWire, type Wire } from '../support/faults/wire.ts';

/** Milliseconds between two looks. A state is told within this, the time for one answer, and what a busy machine takes. */
const INTERVAL = 1000;
const NOTICED = { timeout: 40_000, interval: 200 };
const COLUMNS = ['CompanyName', 'City', 'Phone'] as const;

describe('a network that breaks between two offices', () => {
  const wires: Wire[] = [];
  let here: NodeOffice;
  let there: NodeOffice;
  let ids: { readonly here: string; readonly there: string };
  let list = '';
  let received = '';
  let changes = 0;

  async function office(name: string): Promise<NodeOffice> {
    let port = 0;
    const wire = await startWire(() => port);
    wires.push(wire);
    const publicUrl = `http://127.0.0.1:${wire.port}`;
    const started = await startNode(name, { syncIntervalMs: INTERVAL, publicUrl });
    port = started.port;
    return started;
  }
  async function told(one: NodeOffice, nodeID: string): Promise<string> {
    const { state, reason, also } = await one.app<PartnerSummary>('GET', `/app/partners/${nodeID}`);
    return [state, reason, ...also].join(' | ');
  }
  const atOrigin = (): Promise<string> => told(here, ids.here);
  const atDestination = (): Promise<string> => told(there, ids.there);

  async function change(): Promise<string> {
    const [row] = await rowsOf(here, list);
    const city = `Nijmegen ${++changes} – Łódź`;
    const values = { City: [city] };
    await here.app('PATCH', `/app/lists/${list}/rows/${row?.recordID}`, { values });
    return city;
  }
  async function allIsWell(): Promise<void> {
    await expect.poll(atOrigin, NOTICED).toMatch(/^up-to-date \| .* has everything that you share/);
    await expect.poll(atDestination, NOTICED).toMatch(/^up-to-date \| Everything has arrived/);
  }
  const bare = async (one: NodeOffice, moduleID: string): Promise<string[]> =>
    (await rowsOf(one, moduleID))
      .map((row) => JSON.stringify(COLUMNS.map((column) => row[column] ?? '')))
      .sort();

  beforeAll(async () => {
    here = await office('Utrecht');
    there = await office('Gdynia');
    const pair = await pairNodes(here, there);
    ids = { here: pair.atInviter, there: pair.atInvited };
    list = await here.list('Klanten', COLUMNS, customers({ rows: 30 }).rows.map(ownColumns));
    const from = { office: here, partner: ids.here, list };
    ({ list: received } = await shareAndReceive(from, COLUMNS, { office: there, partner: ids.there }));
  });
  afterAll(async () => {
    await Promise.all(wires.map((wire) => wire.close()));
    await Promise.all([here.stop(), there.stop()]);
  });

  it.each(sampleOf(['cut', 'swallow'] as const, 2))(
    'shows on both sides (%s), and so does that it is mended',
    { tags: 'nightly-waits', timeout: 240_000 },
    async (breaks) => {
      await allIsWell();
      wires.forEach((wire) => wire[breaks]());
      await change();
      await expect.poll(atDestination, NOTICED).toMatch(/^offline \| (?!Looking)/);
      await expect.poll(atOrigin, NOTICED).toMatch(/^offline .*last checked at .*: 1 change waits for them/);
      expect(await bare(there, received)).not.toEqual(await bare(here, list));
      wires.forEach((wire) => wire.mend());
      await allIsWell();
      expect(await bare(there, received)).toEqual(await bare(here, list));
    },
  );

  it(
    'shows on both sides when only one way is swallowed: that by which rows are fetched',
    { tags: 'nightly-waits' },
    async () => {
      await allIsWell();
      wires[0]?.swallow();
      await change();
      await expect.poll(atDestination, NOTICED).toMatch(/^offline \| (?!Looking)/);
      await expect
        .poll(atOrigin, NOTICED)
        .toMatch(/^offline .* answers, but hasn’t asked for your changes since .*: 1 change waits for them/);
      wires[0]?.mend();
      await allIsWell();
      expect(await bare(there, received)).toEqual(await bare(here, list));
    },
  );
});

function ownColumns(row: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(COLUMNS.map((column) => [column, row[column] ?? '']));
}
