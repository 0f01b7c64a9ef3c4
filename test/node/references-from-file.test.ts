import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportAnswer } from '../../server/contract/app/import.ts';
import type { SharePreview } from '../../server/contract/app/sharing.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';
import { csvOf, customers } from '../support/data/office-lists.ts';

const made = customers({ rows: 400, seed: 23 });
const names = made.rows.map((row) => row.CompanyName ?? '');
/** Names that only one of the customers has. */
const unique = names.filter(
  (name) =>
    name !== '' &&
    !names.some((other, at) => at !== names.indexOf(name) && other.toLowerCase() === name.toLowerCase()),
);
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const orderLines = ['No;Customer', ...unique.slice(0, 12).map((name, at) => `B-${at + 1};${quoted(name)}`)];

describe('a column that refers to rows, filled by a file', { timeout: 120_000 }, () => {
  let owner: NodeOffice;
  let partner: NodeOffice;
  let customerList: string;

  beforeEach(async () => {
    [owner, partner] = [await startNode('North Trading'), await startNode('Harbour Office')];
    // The title of a customer is the first text of its row.
    const csv = csvOf({ ...made, columns: ['CompanyName', 'City'] });
    customerList = (await owner.app<ImportAnswer>('POST', '/app/import?list=Customers', csv)).moduleID;
  });
  afterEach(async () => {
    await owner.stop();
    await partner.stop();
  });

  const imported = (csv: string, query: Record<string, string>): Promise<ImportAnswer> =>
    owner.app('POST', `/app/import?${new URLSearchParams(query).toString()}`, csv);
  const asNew = (refersTo: Record<string, string>): Record<string, string> => ({
    list: 'Orders',
    kinds: JSON.stringify({ No: 'String', Customer: 'Record' }),
    refersTo: JSON.stringify(refersTo),
  });

  /** What the partner has of the orders' customers once everything has arrived. */
  async function arrived(orders: string): Promise<(string | undefined)[]> {
    const { atInviter, atInvited } = await pairNodes(owner, partner);
    const { list } = await shareAndReceive(
      { office: owner, partner: atInviter, list: orders },
      ['No', 'Customer'],
      { office: partner, partner: atInvited },
    );
    return (await rowsOf(partner, list)).map(({ Customer }) => Customer).sort();
  }

  it('brings the partner the names that stood in the file', async () => {
    expect(unique.length).toBeGreaterThan(12);
    const { moduleID, created } = await imported(orderLines.join('\n'), asNew({ Customer: customerList }));
    expect(created).toBe(12);
    expect(await arrived(moduleID)).toEqual(unique.slice(0, 12).sort());
  });

  it(
    'brings the partner the names as well where the column began to refer to rows after the file went in',
    { tags: 'nightly-orders' },
    async () => {
      const { moduleID } = await imported(orderLines.join('\n'), { list: 'Orders' });
      const { fields } = await owner.app<{ fields: { name: string }[] }>('GET', `/app/lists/${moduleID}`);
      await owner.app('PATCH', `/app/lists/${moduleID}`, {
        fields: fields.map((field) =>
          field.name === 'Customer'
            ? { ...field, kind: 'Record', options: { moduleID: customerList } }
            : field,
        ),
      });
      expect(await arrived(moduleID)).toEqual(unique.slice(0, 12).sort());
    },
  );

  it('takes no line that names no row or several, and says so', async () => {
    await owner.app('POST', `/app/lists/${customerList}/rows`, { values: { CompanyName: ['Twice GmbH'] } });
    await owner.app('POST', `/app/lists/${customerList}/rows`, { values: { CompanyName: ['Twice GmbH'] } });
    const first = unique.find((name) => name.toUpperCase().toLowerCase() === name.toLowerCase()) ?? '';
    const csv = `No;Customer\nB-1;Nobody & Sons\nB-2;Twice GmbH\nB-3;${quoted(first.toUpperCase())}\nB-4;\n`;
    const answer = await imported(csv, asNew({ Customer: customerList }));
    expect(answer).toMatchObject({ created: 2, rejectedLines: 2 });
    expect(answer.rejected.map(({ reason }) => reason)).toEqual([
      'Customer: no row of “Customers” is called “Nobody & Sons”; add it there or correct the file.',
      'Customer: several rows of “Customers” are called “Twice GmbH”; give them different names there or correct the file.',
    ]);
    expect(await arrived(answer.moduleID)).toEqual([undefined, first].sort());
  });

  it('tells the user who shares it in how many rows it will leave empty', async () => {
    const { moduleID } = await imported(`${orderLines.join('\n')}\nB-90;Nobody\nB-91;No & One\n`, {
      list: 'Orders',
    });
    const { fields } = await owner.app<{ fields: { name: string; fieldID: string }[] }>(
      'GET',
      `/app/lists/${moduleID}`,
    );
    await owner.app('PATCH', `/app/lists/${moduleID}`, {
      fields: fields.map((field) =>
        field.name === 'Customer' ? { ...field, kind: 'Record', options: { moduleID: customerList } } : field,
      ),
    });
    const { atInviter } = await pairNodes(owner, partner);
    const { titles } = await owner.app<SharePreview>(
      'GET',
      `/app/partners/${atInviter}/shares/${moduleID}/preview?fields=No,Customer`,
    );
    expect(titles.map(({ label, nowhere }) => [label, nowhere])).toEqual([['Customer', 2]]);
  });

  it('asks for the list that a new column refers to, before it makes anything', async () => {
    await expect(imported(orderLines.join('\n'), asNew({}))).rejects.toThrow('csv.refers-to');
    const lists = await owner.app<{ name: string }[]>('GET', '/app/lists');
    expect(lists.map(({ name }) => name)).toEqual(['Customers']);
  });
});
