import express from 'express';
import { request, type ClientRequest } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { setCaller } from '../../../server/http/auth/caller.ts';
import { queueUploads } from '../../../server/http/listeners/queued-uploads.ts';
import { madeXlsx } from '../../support/data/made-workbook.ts';
import { serveOnce } from '../../support/harness/http.ts';

const PATIENT = {
  stallMs: 60_000,
  receiveMs: 60_000,
  waitMs: 60_000,
  maxBodies: { small: 3, first: 1, large: 2 },
};
const CSV = 'Customer,City\nHillside Bakery,Leeds\n';
/** A workbook of a few kilobytes that unpacks to megabytes. */
const DENSE = madeXlsx({ sheets: { Data: '<row><c><v>1</v></c></row>'.repeat(100_000) } });
const LARGE_CSV = `Customer,City\n${'Hillside Bakery,Leeds\n'.repeat(60_000)}`;

/** A list's import, of which the users are named by a header. That of a large file goes on until the test ends. */
async function serveImports(limits = PATIENT): Promise<{
  readonly arrived: string[];
  readonly imported: string[];
  /** Sends a file, or only its beginning. */
  readonly upload: (
    user: string,
    file: string,
    options?: { stalls?: boolean; csv?: string | Buffer },
  ) => ClientRequest;
  /** The statuses of answers by file. */
  readonly statuses: Map<string, number>;
}> {
  const arrived: string[] = [];
  const imported: string[] = [];
  const statuses = new Map<string, number>();
  const app = express();
  app.use((req, _res, next) => {
    setCaller(req, { kind: 'user', userID: req.get('x-user') ?? '0', role: 'editor' });
    arrived.push(req.path);
    next();
  });
  app.use(queueUploads(express.raw({ type: () => true, limit: LARGE_CSV.length }), limits), (req, res) => {
    const csv = String(req.body);
    imported.push(`${req.path} ${csv.slice(0, CSV.length)}`);
    if (csv.length <= CSV.length) res.end();
  });
  const server = await serveOnce(app);
  onTestFinished(() => server.close());
  return {
    arrived,
    imported,
    statuses,
    upload(user, file, { stalls = false, csv = CSV } = {}) {
      const headers = { 'x-user': user, 'content-type': 'text/csv', 'content-length': csv.length };
      const sent = request({ port: server.port, method: 'POST', path: file, agent: false, headers });
      onTestFinished(() => void sent.destroy());
      sent.on('error', () => undefined);
      sent.on('response', (res) => {
        statuses.set(file, res.statusCode ?? 0);
        res.resume();
      });
      if (stalls) sent.write('Customer,');
      else sent.end(csv);
      return sent;
    },
  };
}

const soon = { timeout: 20_000 };

it('imports the file of one user while the upload of another stalls', async () => {
  const { arrived, imported, upload } = await serveImports();
  upload('17', '/stalled.csv', { stalls: true });
  await expect.poll(() => arrived, soon).toEqual(['/stalled.csv']);
  upload('18', '/customers.csv');
  await expect.poll(() => imported, soon).toEqual([`/customers.csv ${CSV}`]);
});

it('drops an upload without a byte for too long, and takes the user’s next one', async () => {
  const { arrived, imported, statuses, upload } = await serveImports({ ...PATIENT, stallMs: 250 });
  upload('17', '/stalled.csv', { stalls: true });
  await expect.poll(() => arrived, soon).toEqual(['/stalled.csv']);
  upload('17', '/customers.csv');
  await expect.poll(() => imported, soon).toEqual([`/customers.csv ${CSV}`]);
  await expect.poll(() => statuses.get('/stalled.csv'), soon).toBe(408);
});

it('holds no more bodies than it may, and drops the slowest when another waits', async () => {
  const { arrived, imported, statuses, upload } = await serveImports({
    ...PATIENT,
    receiveMs: 250,
    maxBodies: { small: 2, first: 1, large: 2 },
  });
  upload('17', '/slow.csv', { stalls: true });
  upload('18', '/slower.csv', { stalls: true });
  await expect.poll(() => arrived.length, soon).toBe(2);
  upload('19', '/customers.csv');
  await expect.poll(() => imported, soon).toEqual([`/customers.csv ${CSV}`]);
  await expect.poll(() => [...statuses.values()], soon).toContain(408);
});

it('gives the turn of a request that was closed while it waited to the next', async () => {
  const { arrived, imported, upload } = await serveImports();
  const first = upload('17', '/stalled.csv', { stalls: true });
  await expect.poll(() => arrived.length, soon).toBe(1);
  const second = upload('17', '/closed.csv');
  await expect.poll(() => arrived.length, soon).toBe(2);
  upload('17', '/customers.csv');
  await expect.poll(() => arrived.length, soon).toBe(3);
  second.destroy();
  first.destroy();
  await expect.poll(() => imported, soon).toEqual([`/customers.csv ${CSV}`]);
});

it('takes small files and first looks while a large file is read, of the same user too', async () => {
  const { imported, upload } = await serveImports();
  upload('17', '/large.csv', { csv: LARGE_CSV });
  await expect.poll(() => imported, soon).toEqual([`/large.csv ${CSV}`]);
  upload('17', '/customers.csv');
  await expect.poll(() => imported, soon).toContain(`/customers.csv ${CSV}`);
  upload('18', '/large-too.csv', { csv: LARGE_CSV });
  upload('17', '/preview?first=1', { csv: LARGE_CSV });
  await expect.poll(() => imported, soon).toContain(`/preview ${CSV}`);
  upload('19', '/larger.csv', { csv: LARGE_CSV });
  upload('19', '/suppliers.csv');
  await expect.poll(() => imported, soon).toContain(`/suppliers.csv ${CSV}`);
  expect(imported).not.toContain(`/larger.csv ${CSV}`);
});

it('takes a small file while the user’s own short workbooks are much work', async () => {
  const { arrived, imported, upload } = await serveImports();
  upload('17', '/dense.xlsx', { csv: DENSE });
  await expect.poll(() => imported.length, soon).toBe(1);
  upload('17', '/denser.xlsx', { csv: DENSE });
  upload('17', '/preview?first=1', { csv: DENSE });
  await expect.poll(() => arrived.length, soon).toBe(3);
  upload('17', '/customers.csv');
  await expect.poll(() => imported, soon).toContain(`/customers.csv ${CSV}`);
});

it('refuses an upload that waited for long in words, before the server cuts it', async () => {
  const { imported, statuses, upload } = await serveImports({ ...PATIENT, waitMs: 300 });
  upload('17', '/large.csv', { csv: LARGE_CSV });
  await expect.poll(() => imported, soon).toEqual([`/large.csv ${CSV}`]);
  upload('17', '/larger.csv', { csv: LARGE_CSV });
  await expect.poll(() => statuses.get('/larger.csv'), soon).toBe(503);
});
