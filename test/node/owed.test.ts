import { expect, it, onTestFinished } from 'vitest';
import type { PartnerSummary } from '../../server/contract/app/overview.ts';
import { startLine } from '../support/faults/line.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode } from '../support/harness/node.ts';
import { articles, customers } from '../support/data/office-lists.ts';

type Office = Awaited<ReturnType<typeof startNode>>;

const PATIENCE = { timeout: 40_000, interval: 20 };

/** Two paired offices: what `there` asks of `here` goes over a line. */
async function pairOverLine(): Promise<{
  line: Awaited<ReturnType<typeof startLine>>;
  here: Office;
  there: Office;
  pair: Awaited<ReturnType<typeof pairNodes>>;
}> {
  const opened: { port?: number } = {};
  const line = await startLine(() => opened.port);
  const here = await startNode('Turku', { publicUrl: `http://127.0.0.1:${line.port}` });
  opened.port = here.port;
  const there = await startNode('Faro');
  onTestFinished(async () => {
    await line.close();
    await Promise.all([here.stop(), there.stop()]);
  });
  return { line, here, there, pair: await pairNodes(here, there) };
}

/** Each change is announced once: a pull that failed must be remembered, as nothing announces it again. */
it(
  'a pull that failed stays owed: another list that arrives does not make it good',
  { tags: 'nightly-orders' },
  async () => {
    const { line, here, there, pair } = await pairOverLine();
    const to = { office: there, partner: pair.atInvited };
    const share = async (
      name: string,
      columns: readonly string[],
      rows: readonly Record<string, string>[],
    ): Promise<{ list: string; received: string }> => {
      const own = rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? ''])));
      const list = await here.list(name, columns, own);
      const received = await shareAndReceive({ office: here, partner: pair.atInviter, list }, columns, to);
      return { list, received: received.list };
    };
    const people = await share('Asiakkaat', ['CompanyName', 'City'], customers({ rows: 12 }).rows);
    const goods = await share('Tuotteet', ['ArticleNo', 'Title'], articles({ rows: 9 }).rows);
    const shares = await here.app<{ moduleID: string; exposureID: string }[]>(
      'GET',
      `/app/partners/${pair.atInviter}/shares`,
    );
    const exposed = shares.find(({ moduleID }) => moduleID === people.list)?.exposureID;
    expect(exposed).toMatch(/^\d+$/);
    const change = async (list: string, column: string, value: string): Promise<void> => {
      const [row] = await rowsOf(here, list);
      const path = `/app/lists/${list}/rows/${row?.recordID}`;
      await here.app('PATCH', path, { values: { [column]: [value] } });
    };
    const told = async (): Promise<string> =>
      (await there.app<PartnerSummary>('GET', `/app/partners/${pair.atInvited}`)).state;
    const texts = async (list: string): Promise<string> => JSON.stringify(await rowsOf(there, list));
    await expect.poll(told, PATIENCE).toBe('up-to-date');

    line.set('cut', new RegExp(`/modules/${exposed}/changes$`));
    await change(people.list, 'City', 'Ylä-Łódź 7');
    await expect.poll(() => line.met, PATIENCE).toBeGreaterThan(0);
    await expect.poll(told, PATIENCE).toBe('offline');
    const met = line.met;
    await change(goods.list, 'Title', 'Suihkuverho “Ångström”');
    const isOver = async (): Promise<boolean> =>
      line.met > met || (await texts(goods.received)).includes('Suihkuverho');
    await expect.poll(isOver, PATIENCE).toBe(true);
    for (let look = 0; look < 25; look++) {
      expect(await told()).not.toBe('up-to-date');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    line.set('clear');
    await expect.poll(told, PATIENCE).toBe('up-to-date');
    expect(await texts(people.received)).toContain('Ylä-Łódź 7');
    expect(await texts(goods.received)).toContain('Suihkuverho');
  },
);

/** Addresses arrive by themselves right after pairing: that is no reason to ask a person or a script to try again. */
it('a pull that was asked for goes on over the new address when the partner moves meanwhile', async () => {
  const { line, here, there, pair } = await pairOverLine();
  const columns = ['CompanyName', 'City'];
  const rows = customers({ rows: 12 }).rows.map(({ CompanyName = '', City = '' }) => ({ CompanyName, City }));
  const list = await here.list('Asiakkaat', columns, rows);
  await shareAndReceive({ office: here, partner: pair.atInviter, list }, columns, {
    office: there,
    partner: pair.atInvited,
  });
  const told = async (): Promise<string> =>
    (await there.app<PartnerSummary>('GET', `/app/partners/${pair.atInvited}`)).state;
  await expect.poll(told, PATIENCE).toBe('up-to-date');

  line.set('frozen', /changes/);
  const asked = there.app('POST', `/federation/nodes/${pair.atInvited}/sync`);
  asked.catch(() => undefined);
  await expect.poll(() => line.held, PATIENCE).toBeGreaterThan(0);
  const baseURL = `http://127.0.0.1:${here.port}/federation`;
  await there.app('POST', `/federation/nodes/${pair.atInvited}`, { baseURL, name: 'Turku' });
  const answer = await asked.then(
    () => 'went on',
    (error: unknown) => String(error),
  );
  line.set('clear');
  expect(answer).toBe('went on');
});
