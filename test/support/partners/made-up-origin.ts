import { createHash } from 'node:crypto';
import type { Express, Request, Response } from 'express';

/** A row at the origin. Values by column; several texts of a multi-value column. */
export interface OriginRow {
  readonly recordID: string;
  readonly createdAt: number;
  updatedAt: number;
  deletedAt?: number;
  values: Record<string, string[]>;
  /** Number of its last change. */
  seq: number;
}

export interface OriginField {
  readonly kind: string;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
}

/**
 * An honest partner with one list, in memory, that speaks shape 1, shape 2, the live dialect and the feed
 * between Footbridges, all in their simplest form. Written from the interface, apart from the node's own code,
 * so that the two can disagree. It keeps its own clock.
 */
export interface MadeUpOrigin {
  readonly moduleID: string;
  readonly composeModuleID: string;
  fields: OriginField[];
  name: string;
  /** Its clock, as its rows and its `Date` header show it. */
  now: () => number;
  /** Shown in the `Date` header. */
  showsDate: boolean;
  epoch: string;
  /** What it says between Footbridges of where a row came from; unless set, nothing. */
  tells: (row: OriginRow) => { readonly via?: readonly string[]; readonly origin?: object };
  rows(): OriginRow[];
  put(recordID: string, values: Record<string, string[]>): void;
  remove(recordID: string): void;
  /** Goes back to a backup: rows after the first `keep` are gone without a trace, and changes are counted anew. */
  restore(keep: number): void;
  /** Loses one row as damage would, without any change to be told. */
  lose(recordID: string): void;
  /** Serves below a federation base; `node` is the id of the pair. */
  serve(app: Express, node?: string): void;
}

export const text = (name: string, more: Partial<OriginField> = {}): OriginField => ({
  kind: 'String',
  name,
  label: name,
  isMulti: false,
  ...more,
});

export function madeUpOrigin(fields: OriginField[] = [text('Name'), text('City')]): MadeUpOrigin {
  const rows = new Map<string, OriginRow>();
  let seq = 0;
  const origin: MadeUpOrigin = {
    moduleID: '900100',
    composeModuleID: '900200',
    fields,
    name: 'Customers',
    now: () => Date.now(),
    showsDate: true,
    epoch: 'first',
    tells: () => ({}),
    rows: () => [...rows.values()],
    put(recordID, values) {
      const known = rows.get(recordID);
      const now = origin.now();
      rows.set(recordID, {
        recordID,
        createdAt: known?.createdAt ?? now,
        updatedAt: now,
        values,
        seq: ++seq,
      });
    },
    remove(recordID) {
      const known = rows.get(recordID);
      if (!known || known.deletedAt !== undefined) return;
      rows.set(recordID, { ...known, deletedAt: origin.now(), seq: ++seq });
    },
    restore(keep) {
      for (const recordID of [...rows.keys()].slice(keep)) rows.delete(recordID);
      origin.epoch += 'x';
    },
    lose: (recordID) => void rows.delete(recordID),
    serve(app, node = '7') {
      app.use((_, response, next) => {
        response.sendDate = false;
        if (origin.showsDate) response.setHeader('date', new Date(origin.now()).toUTCString());
        next();
      });
      app.get('/exposed/modules', (request, response) => {
        const set = [
          { type: 'GET', rel: origin.name, href: `/federation/exposed/modules/${origin.moduleID}?after=1` },
        ];
        const { page } = numbers(request);
        answer(response, { filter: { query: '', page, perPage: 20, count: 1 }, set: page === 1 ? set : [] });
      });
      app.get(`/exposed/modules/${origin.moduleID}`, (_, response) => answer(response, module()));
      const paged = (request: Request, response: Response): void => {
        const { page, perPage, since } = numbers(request);
        const found = byCreation(since);
        const set = found
          .slice((page - 1) * perPage, page * perPage)
          .map((row) => record(row, origin.moduleID));
        const filter = {
          moduleID: origin.moduleID,
          query: '',
          sort: 'createdAt DESC',
          page,
          perPage,
          count: found.length,
        };
        answer(response, { filter: { ...filter, deleted: 1 }, set });
      };
      app.get(`/exposed/records/${origin.moduleID}`, paged);
      app.get(`/nodes/${node}/modules/exposed/`, (_, response) => {
        const exposed = {
          ...module(),
          nodeID: node,
          composeModuleID: origin.composeModuleID,
          composeNamespaceID: '5',
        };
        answer(response, { filter: { nodeID: node, lastSync: 0, sort: 'id' }, set: [exposed] });
      });
      app.get(`/nodes/${node}/modules/${origin.moduleID}/records{/}`, (request, response) => {
        if (request.path.endsWith('/')) live(request, response);
        else paged(request, response);
      });
      app.get(`/footbridge/modules/${origin.moduleID}/changes`, (request, response) => {
        const {
          epoch,
          after = '0',
          until = 'Infinity',
          limit = '500',
          marks = '0',
        } = request.query as Record<string, string | undefined>;
        if (epoch !== undefined && epoch !== origin.epoch) {
          response.status(409).json({ error: { code: 'feed.epoch', message: 'Start over.' } });
          return;
        }
        const found = origin
          .rows()
          .sort((a, b) => a.seq - b.seq)
          .filter((row) => row.seq > Number(after));
        const within = found.filter((row) => row.seq <= Number(until));
        const set = within.slice(0, Number(limit));
        const whole = set.length === within.length && until !== 'Infinity';
        const next = whole ? Number(until) : (set.at(-1)?.seq ?? Math.max(Number(after), 0));
        const more = found.length > set.length;
        const ends = found.slice(set.length).filter((_, at) => (at + 1) % Number(limit) === 0);
        answer(response, {
          epoch: origin.epoch,
          next,
          more,
          marks: ends.slice(0, Number(marks)).map((row) => row.seq),
          total: found.length,
          set: set.map(between),
        });
      });
      app.post(`/footbridge/modules/${origin.moduleID}/digest`, digests);
      app.post(`/footbridge/modules/${origin.moduleID}/rows`, (request, response) => {
        const wanted = new Set((request.body as { recordIDs: string[] }).recordIDs);
        const set = origin.rows().filter(({ recordID }) => wanted.has(recordID));
        answer(response, { set: set.map(between) });
      });
    },
  };

  /** As server/federation/sharing/digest.ts defines it, written anew from its words. */
  function digests(request: Request, response: Response): void {
    const { fields, blocks, block } = request.body as { fields: string[]; blocks: number; block?: number };
    const sums = Array.from({ length: blocks }, () => ({ count: 0, digest: 0n }));
    const set: { recordID: string; digest: string }[] = [];
    for (const row of origin.rows().filter(({ deletedAt }) => deletedAt === undefined)) {
      const own = createHash('sha256').update(row.recordID).digest().readUInt32BE() % blocks;
      const filled = [...fields]
        .sort()
        .flatMap((name) => (row.values[name]?.length ? [[name, ...row.values[name]]] : []));
      const digest = createHash('sha256')
        .update(JSON.stringify([row.recordID, filled]))
        .digest('hex')
        .slice(0, 32);
      const sum = sums[own]!;
      sum.count++;
      sum.digest = BigInt.asUintN(128, sum.digest + BigInt(`0x${digest}`));
      if (own === block) set.push({ recordID: row.recordID, digest });
    }
    const all = sums.map(({ count, digest }) => ({ count, digest: digest.toString(16).padStart(32, '0') }));
    answer(response, block === undefined ? { blocks: all } : { set });
  }

  function live(request: Request, response: Response): void {
    const { since } = numbers(request);
    const { limit = '0', pageCursor = '' } = request.query as Record<string, string | undefined>;
    const behind = pageCursor === '' ? '' : Buffer.from(pageCursor, 'base64').toString();
    const found = since.filter((row) => behind === '' || compareIDs(row.recordID, behind) > 0);
    found.sort((a, b) => compareIDs(a.recordID, b.recordID));
    const set = Number(limit) > 0 ? found.slice(0, Number(limit)) : found;
    const last = set.at(-1)?.recordID ?? '';
    const nextPage = set.length < found.length ? { nextPage: Buffer.from(last).toString('base64') } : {};
    const filter = {
      moduleID: origin.composeModuleID,
      namespaceID: '0',
      query: '',
      deleted: 1,
      sort: 'id',
      ...nextPage,
    };
    response.type('text/plain').end(
      JSON.stringify({
        response: {
          filter,
          set: set.length === 0 ? null : set.map((row) => record(row, origin.composeModuleID)),
        },
      }),
    );
  }

  function numbers(request: Request): { page: number; perPage: number; since: OriginRow[] } {
    const {
      page = '1',
      perPage = '20',
      lastSync,
      after,
    } = request.query as Record<string, string | undefined>;
    const from = Number(lastSync ?? after ?? 0) * 1000;
    const since = origin
      .rows()
      .filter((row) => Math.max(row.createdAt, row.updatedAt, row.deletedAt ?? 0) >= from);
    return { page: Number(page), perPage: Number(perPage), since };
  }

  function byCreation(found: OriginRow[]): OriginRow[] {
    return found.sort((a, b) => b.createdAt - a.createdAt || compareIDs(b.recordID, a.recordID));
  }

  function module(): object {
    const { moduleID, name } = origin;
    return { moduleID, handle: name, name, fields: origin.fields, createdAt: iso(0), updatedAt: iso(0) };
  }

  function between(row: OriginRow): object {
    return { ...record(row), ...origin.tells(row) };
  }

  function record(row: OriginRow, moduleID?: string): object {
    const values = origin.fields.flatMap(({ name }) =>
      (row.values[name] ?? []).map((value) => ({ name, value })),
    );
    return {
      recordID: row.recordID,
      ...(moduleID === undefined ? {} : { moduleID }),
      values: row.deletedAt === undefined ? values : [],
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt),
      ...(row.deletedAt === undefined ? {} : { deletedAt: iso(row.deletedAt) }),
    };
  }
  return origin;
}

function answer(response: Response, payload: object): void {
  response.json({ response: payload });
}

function compareIDs(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Whole seconds, as live servers keep them. */
function iso(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
