import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Papa from 'papaparse';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ActivityPage } from '../../server/contract/app/pages.ts';
import { manualClock } from '../support/harness/manual-clock.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { customers } from '../support/data/office-lists.ts';
import { pairNodes, shareAndReceive, startNode } from '../support/harness/node.ts';
import { scriptedPartner } from '../support/partners/scripted-partner.ts';

it('a node that stops lets go at once of partners that wait for news; what is being said has a moment left', async () => {
  const office = await startNode('Ålesund');
  onTestFinished(() => office.stop());
  const partner = await scriptedPartner(office, 'Berlin');
  onTestFinished(() => partner.close());
  const closed: string[] = [];
  async function says(what: string, head: string): Promise<Socket> {
    const socket = connect(office.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.once('close', () => closed.push(what));
    await once(socket, 'connect');
    socket.write(`${head}\r\nHost: 127.0.0.1:${office.port}\r\n`);
    return socket.resume();
  }

  const half = await says('half a request', 'POST /federation/nodes/1/handshake HTTP/1.1');
  half.write('Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{');
  const wait = '/federation/footbridge/wait';
  const { response } = await partner.ask('GET', `${wait}?timeout=0`);
  let { cursor } = response as { cursor: string };
  // Until there is no news of the pairing any more.
  await expect
    .poll(async () => {
      const news = (await partner.ask('GET', `${wait}?since=${cursor}&timeout=1`)).response;
      ({ cursor } = news as { cursor: string });
      return news;
    })
    .toMatchObject({ structure: false, modules: [] });
  const waits = await says('the wait', `GET ${wait}?since=${cursor}&timeout=50 HTTP/1.1`);
  const heard: Buffer[] = [];
  waits.on('data', (data: Buffer) => heard.push(data));
  waits.write(`Authorization: Bearer ${partner.token}\r\n\r\n`);

  // With the clock held, that moment does not pass.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = office.stop();
  await expect.poll(() => closed, { timeout: 20_000 }).toEqual(['the wait']);
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(1_000);
  await stopped;
  await expect.poll(() => closed).toEqual(['the wait', 'half a request']);
});

it('a node that stops leaves nothing behind that would begin later', async () => {
  const clock = manualClock();
  /** What waits, and where that was begun. */
  const left = new Map<() => void, string>();
  const watched: typeof clock = {
    ...clock,
    after(ms, fn) {
      left.set(fn, new Error().stack ?? '');
      const cancel = clock.after(ms, () => {
        left.delete(fn);
        fn();
      });
      return () => {
        left.delete(fn);
        cancel();
      };
    },
  };
  const bergen = await startNode('Bergen', { clock: watched });
  onTestFinished(() => bergen.stop());
  const oslo = await startNode('Oslo');
  onTestFinished(() => oslo.stop());
  const { atInviter, atInvited } = await pairNodes(bergen, oslo);
  const list = await bergen.list('Customers', ['Name'], [{ Name: 'Kemp Glassworks' }, { Name: 'Pascoe' }]);
  const from = { office: bergen, partner: atInviter, list };
  await shareAndReceive(from, ['Name'], { office: oslo, partner: atInvited });
  await bergen.app('GET', `/app/lists/${list}/rows?offset=0&limit=10&sort=Name`);
  expect(left.size).toBeGreaterThan(0);
  await bergen.stop();
  expect([...left.values()]).toEqual([]);
});

it('counts among what arrived the rows of a pull that a stop cut', { timeout: 60_000 }, async () => {
  const ROWS = 12_000;
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const start = (): ReturnType<typeof startNode> => startNode('Gent', { dataDir: folder.path });
  const [origin, first] = [await startNode('Turku'), await start()];
  onTestFinished(() => origin.stop());
  const rows = customers({ rows: ROWS, seed: 11 }).rows.map(({ CompanyName, City }) => ({
    CompanyName,
    City,
  }));
  const columns = ['CompanyName', 'City'] as const;
  const from = await origin.list('Customers', columns);
  await origin.app('POST', `/app/import?moduleID=${from}`, Papa.unparse(rows));
  const { atInviter, atInvited } = await pairNodes(origin, first);
  const receiving = shareAndReceive({ office: origin, partner: atInviter, list: from }, columns, {
    office: first,
    partner: atInvited,
  }).catch(() => undefined);
  const there = async (office: typeof first): Promise<number> => {
    const lists = await office.app<{ moduleID: string; rows: number }[]>('GET', '/app/lists');
    return lists.reduce((all, { rows: count }) => all + count, 0);
  };
  await expect.poll(() => there(first), { interval: 1, timeout: 20_000 }).toBeGreaterThan(0);
  await first.stop();
  await receiving;

  const second = await start();
  onTestFinished(() => second.stop());
  await expect.poll(() => there(second), { timeout: 30_000 }).toBe(ROWS);
  const arrived = async (): Promise<number[]> => {
    const { entries } = await second.app<ActivityPage>('GET', '/app/activity');
    return entries.flatMap(({ counts }) => counts?.created ?? []);
  };
  const sum = async (): Promise<number> => (await arrived()).reduce((all, each) => all + each, 0);
  await expect.poll(sum, { timeout: 10_000 }).toBe(ROWS);
  expect((await arrived()).length).toBeGreaterThan(1);
  const { entries } = await second.app<ActivityPage>('GET', '/app/activity');
  const told = entries.flatMap(({ counts, message }) => (counts ? [message] : []));
  expect(told.at(-1)).toMatch(/^[\d,]+ new, then interrupted$/);
  expect(told[0]).toMatch(/^[\d,]+ new$/);
});
