import { expect, it, onTestFinished } from 'vitest';
import { pairNodes, rowsOf, shareAndReceive, startNode } from '../support/harness/node.ts';

/** What a count of arrived rows speaks of is asked for by its partner and its time. */

interface Arrived {
  readonly rows: readonly {
    readonly did: string;
    readonly values: Record<string, string[]>;
    readonly columns: readonly { name: string; was: string[]; now: string[]; own: boolean }[];
  }[];
  readonly more: boolean;
}

it('tells exactly the rows that one pull brought, old → new, also once they changed again or were changed here before', async () => {
  const turku = await startNode('Turku');
  onTestFinished(() => turku.stop());
  const gdynia = await startNode('Gdynia');
  onTestFinished(() => gdynia.stop());
  const people = [
    { Name: 'Äijälä', City: 'Turku' },
    { Name: 'Söderström', City: 'Porvoo' },
    { Name: 'Żeromski', City: 'Kielce' },
    { Name: 'Wiśniewska', City: 'Łódź' },
  ];
  const list = await turku.list('Members', ['Name', 'City'], people);
  const began = Date.now();
  const { atInviter, atInvited } = await pairNodes(turku, gdynia);
  const from = { office: turku, partner: atInviter, list };
  const to = { office: gdynia, partner: atInvited };
  const { list: received } = await shareAndReceive(from, ['Name', 'City'], to);

  const idOf = async (office: typeof turku, of: string, name: string): Promise<string> =>
    (await rowsOf(office, of)).find(({ Name }) => Name === name)?.recordID ?? '';
  const move = async (name: string, City: string): Promise<unknown> =>
    turku.app('PATCH', `/app/lists/${list}/rows/${await idOf(turku, list, name)}`, {
      values: { City: [City] },
    });
  const arrived = ([since, until]: readonly [string, string], more = ''): Promise<Arrived> =>
    gdynia.app(
      'GET',
      `/app/lists/${received}/arrived?partner=${atInvited}&since=${since}&until=${until}${more}`,
    );
  /** From when until when what is done there has arrived here. */
  async function during(done: () => Promise<unknown>): Promise<readonly [string, string]> {
    const since = new Date().toISOString();
    await done();
    await gdynia.app('POST', `/app/partners/${atInvited}/sync`);
    return [since, new Date().toISOString()];
  }
  const told = ({ rows }: Arrived): string[] =>
    rows
      .map(({ did, values, columns }) =>
        [
          did,
          values.Name?.[0],
          ...columns.map(({ was, now, own }) => `${was.join()} → ${now.join()}${own ? ' (ours stays)' : ''}`),
        ].join(' '),
      )
      .sort();

  const first = [new Date(began).toISOString(), new Date().toISOString()] as const;
  expect(told(await arrived(first))).toEqual(people.map(({ Name }) => `new ${Name}`).sort());
  expect(await arrived(first, '&limit=3')).toMatchObject({ more: true, rows: { length: 3 } });

  await gdynia.app('PATCH', `/app/lists/${received}/rows/${await idOf(gdynia, received, 'Żeromski')}`, {
    values: { City: ['Ours'] },
  });
  const second = await during(async () => {
    await move('Äijälä', 'Naantali');
    await move('Żeromski', 'Zakopane');
    await turku.app('DELETE', `/app/lists/${list}/rows/${await idOf(turku, list, 'Söderström')}`);
    await turku.app('POST', `/app/lists/${list}/rows`, {
      values: { Name: ['Häkkinen'], City: ['Vantaa'] },
    });
  });
  const changed = ['changed Äijälä Turku → Naantali', 'changed Żeromski Kielce → Zakopane (ours stays)'];
  expect(told(await arrived(second))).toEqual([...changed, 'new Häkkinen', 'removed Söderström'].sort());
  expect(told(await arrived(second, '&did=changed'))).toEqual(changed.sort());

  // One that came new and changed within the time is counted as both.
  const all = [first[0], second[1]] as const;
  expect(told(await arrived(all, '&did=changed'))).toEqual(changed.sort());
  expect(told(await arrived(all, '&did=new'))).toHaveLength(people.length + 1);
  expect(told(await arrived(all))).toEqual(
    [...changed, 'new Häkkinen', 'new Wiśniewska', 'removed Söderström'].sort(),
  );

  const third = await during(() => move('Äijälä', 'Rauma'));
  expect(told(await arrived(third))).toEqual(['changed Äijälä Naantali → Rauma']);
  expect(told(await arrived(second, '&did=changed'))).toContain('changed Äijälä Turku → Naantali');
});

it('an activity names a list in the bin without its id, so that nothing asks for it', async () => {
  const turku = await startNode('Turku');
  onTestFinished(() => turku.stop());
  const gdynia = await startNode('Gdynia');
  onTestFinished(() => gdynia.stop());
  const list = await turku.list('Members', ['Name'], [{ Name: 'Äijälä' }]);
  const { atInviter, atInvited } = await pairNodes(turku, gdynia);
  const from = { office: turku, partner: atInviter, list };
  const { list: received } = await shareAndReceive(from, ['Name'], { office: gdynia, partner: atInvited });
  const pulls = async (): Promise<unknown[]> => {
    const { recent } = await gdynia.app<{
      recent: readonly { kind: string; moduleID?: string; listName?: string }[];
    }>('GET', '/app/overview');
    return recent.flatMap(({ kind, moduleID, listName }) => (kind === 'pull' ? [[listName, moduleID]] : []));
  };
  expect(await pulls()).toContainEqual(['Members', received]);
  await gdynia.app('DELETE', `/app/lists/${received}`);
  expect(await pulls()).toContainEqual(['Members', undefined]);
  expect(await pulls()).not.toContainEqual(['Members', received]);
});
