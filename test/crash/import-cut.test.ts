import Papa from 'papaparse';
import { expect, it } from 'vitest';
import type { ListSummary } from '../../server/contract/app/lists.ts';
import type { Overview } from '../../server/contract/app/overview.ts';
import { customers } from '../support/data/office-lists.ts';
import { appCalls, serveBuilt, userTokenOf, type Served } from '../support/harness/program.ts';
import { soon } from '../support/harness/soon.ts';

const LINES = 20_000;
const columns = ({ CustomerID, CompanyName, City }: Readonly<Record<string, string>>): object => ({
  CustomerID,
  CompanyName,
  City,
});
const file = Papa.unparse(customers({ rows: LINES }).rows.map(columns));

function put(served: Served, token: string, query: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
  const address = `${new URL(served.window).origin}/app/import?${query}`;
  return fetch(address, { method: 'POST', headers, body: file }).then(
    ({ status }) => status,
    () => 0,
  );
}

it(
  'a kill in the middle of an import is told at the next start, until the file is in',
  { tags: 'nightly-kills' },
  async () => {
    let served = await serveBuilt();
    try {
      const { dataDir } = served;
      const token = userTokenOf(served);
      const lists = (): Promise<ListSummary[]> => appCalls(served, token)<ListSummary[]>('GET', '/app/lists');
      const told = async (): Promise<string[]> =>
        (await appCalls(served, token)<Overview>('GET', '/app/overview')).inbox.map(({ message }) => message);

      const importing = put(served, token, 'list=Customers&key=CustomerID&file=customers.csv');
      await soon(async () => expect((await lists())[0]?.rows).toBeGreaterThan(0));
      await served.kill();
      expect(await importing).toBe(0);

      served = await serveBuilt({ dataDir });
      const [list] = await lists();
      const line = ((list?.rows ?? 0) + 1).toLocaleString('en');
      expect(list?.rows).toBeLessThan(LINES);
      expect(await told()).toEqual([
        `The import of customers.csv into “Customers” was interrupted at line ${line}. Import the file again: no row comes twice.`,
      ]);

      expect(await put(served, token, `moduleID=${list?.moduleID}&file=customers.csv`)).toBe(200);
      expect((await lists())[0]?.rows).toBe(LINES);
      expect(await told()).toEqual([]);
    } finally {
      await served.remove();
    }
  },
);
