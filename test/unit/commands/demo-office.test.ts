import { expect, it, onTestFinished } from 'vitest';
import { Office } from '../../../server/commands/demo-office.ts';
import { serveOnce } from '../../support/harness/http.ts';

it('imports into the list of exactly this name', async () => {
  const names: (string | null)[] = [];
  const list = { moduleID: '7', namespaceID: '3', name: 'R&D suppliers', fields: [] };
  const { port, close } = await serveOnce((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://office');
    if (pathname === '/app/import') names.push(searchParams.get('list'));
    const response = pathname === '/app/import' ? { moduleID: '7', created: 2 } : { set: [list] };
    res.end(JSON.stringify({ response }));
  });
  onTestFinished(close);
  const address = `http://127.0.0.1:${port}`;
  const node = { userToken: () => 'token', windowLink: () => address };
  const office = new Office('North Trading', node, { window: address, federation: address, dataDir: '' });
  expect(await office.importCsv('R&D suppliers', 'Name\nFjord Fish\nNordic Nets\n')).toEqual({
    ...list,
    rows: 2,
  });
  expect(names).toEqual(['R&D suppliers']);
});
