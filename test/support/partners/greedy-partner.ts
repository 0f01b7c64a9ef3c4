import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import type { Office } from '../../../server/commands/demo-office.ts';
import { startLyingPartner } from './lying-partner.ts';
import { askNode } from './scripted-partner.ts';
import { appCalls, type Served } from '../harness/program.ts';

const MIB = 1024 * 1024;
const COLUMN = { kind: 'String', name: 'Name', label: 'Name', isMulti: false };

/** A paired partner whose answers are as large as they can be. */
export interface GreedyPartner {
  /** The node's id of it. */
  readonly nodeID: string;
  /** What it answers from now on when it is asked for rows. */
  rows: RequestHandler;
  /** What it answers from now on when it is asked what it offers; undefined: one list. */
  offers: RequestHandler | undefined;
  close(): Promise<void>;
}

/**
 * Pairs with a node by the interface's own steps (shape 1), offers one list, and has it matched, so that the node
 * asks for its rows.
 */
export async function greedyPartner(served: Served, office: Office, token: string): Promise<GreedyPartner> {
  const greedy = { rows: nothing, offers: undefined as RequestHandler | undefined };
  const moduleID = String(Math.floor(Math.random() * 1e12));
  const server = await startLyingPartner((app) => {
    app.post('/nodes/:n/handshake-complete', (_, res) => void res.json({}));
    app.get('/exposed/modules', (req, res, next) => {
      if (greedy.offers) greedy.offers(req, res, next);
      else
        res.json({
          response: {
            filter: { page: 1, perPage: 100, count: 1 },
            set: [{ href: `/exposed/modules/${moduleID}` }],
          },
        });
    });
    app.get('/exposed/modules/:m', (_, res) => {
      res.json({ response: { moduleID, handle: 'rows', name: 'Rows', fields: [COLUMN] } });
    });
    app.get('/nodes/:n/modules/:m/records', (req, res, next) => void greedy.rows(req, res, next));
  });
  const app = appCalls(served, token);
  const { nodeID } = await app<{ nodeID: string }>('POST', '/federation/nodes', {
    baseURL: server.base,
    name: `Greedy ${server.port}`,
  });
  const uri = await app('POST', `/federation/nodes/${nodeID}/uri`);
  const port = Number(new URL(served.federation).port);
  await askNode(port, 'POST', `/federation/nodes/${nodeID}/handshake`, {
    body: { nodeURI: uri, token: randomBytes(24).toString('base64url'), nodeIDB: moduleID },
  });
  await app('POST', `/federation/nodes/${nodeID}/handshake-confirm`);
  await office.syncNow(nodeID);
  const list = await office.createList(`From ${moduleID}`, [COLUMN]);
  await office.mapOffer(nodeID, 'Rows', list, { Name: 'Name' });
  return Object.assign(greedy, { nodeID, close: () => server.close() });
}

const nothing: RequestHandler = (_, res) => {
  res.json({ response: { filter: { page: 1, perPage: 500, count: 0 }, set: [] } });
};

/** A page of rows of so many bytes at most, packed, made of the same piece over and over. `#` becomes a number. */
function pageOf(piece: string, bytes: number): Buffer {
  const head = '{"response":{"filter":{},"set":[';
  const parts: string[] = [];
  let length = head.length;
  for (let number = 1; ; number++) {
    const part = piece.replaceAll('#', String(number));
    length += Buffer.byteLength(part) + 1;
    if (length > bytes - 4) break;
    parts.push(part);
  }
  return gzipSync(`${head}${parts.join(',')}]}}`, { level: 1 });
}

/** Answers with these packed bytes. */
export function packed(bytes: Buffer, status = 200): RequestHandler {
  return (_, res) => {
    res.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    res.end(bytes);
  };
}

const row = (values: string): string =>
  `{"recordID":"#","updatedAt":"2026-01-01T00:00:00Z","values":[${values}]}`;
const many = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(',');

/** Pages of the most that is let through, each bad in another way, of which next to nothing is kept. */
export const GREEDY_PAGES: Readonly<Record<string, (bytes?: number) => Buffer>> = {
  'different names': (bytes = 64 * MIB) =>
    pageOf(`{"recordID":"#",${many(900, (at) => `"k${at}n#":1`)}}`, bytes),
  'values of other names': (bytes = 64 * MIB) =>
    pageOf(row(many(9000, (at) => `{"name":"${at}#","value":"vvvvvvvvvv"}`)), bytes),
  'long values': (bytes = 64 * MIB) =>
    pageOf(row(`{"name":"Other","value":"€#${'x'.repeat(1_000_000)}"}`), bytes),
  'rows that cannot be taken': (bytes = 64 * MIB) =>
    pageOf(`{"recordID":"#","createdAt":5,"updatedAt":"${'x'.repeat(600)}"}`, bytes),
  'empty arrays': (bytes = 64 * MIB) =>
    pageOf(`{"recordID":"#","values":[${many(1000, () => '[]')}]}`, Math.min(bytes, 14 * MIB)),
  'one row of 30 MiB': (bytes = 30 * MIB) =>
    pageOf(row(`{"name":"€","value":"${'x'.repeat(bytes - 200)}"}`), bytes),
  blanks: (bytes = 64 * MIB) => gzipSync(Buffer.alloc(bytes, ' '), { level: 1 }),
  'text that is none': (bytes = 64 * MIB) => gzipSync(Buffer.alloc(bytes, 'x'), { level: 1 }),
  'a bomb': (bytes = 64 * MIB) => gzipSync(Buffer.alloc(4 * bytes, ' '), { level: 1 }),
  'an error as long as a page': (bytes = 64 * MIB) =>
    gzipSync(`{"error":{"message":"€${'x'.repeat(bytes - 100)}"}}`, { level: 1 }),
};
