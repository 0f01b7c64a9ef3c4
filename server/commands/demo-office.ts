import { z } from 'zod';
import type { FootbridgeNode, Ready } from '../node/node.ts';
import { CommandFailure } from './failure.ts';

const field = z.object({ kind: z.string(), name: z.string(), label: z.string(), isMulti: z.boolean() });
const record = z.object({
  recordID: z.string(),
  values: z.array(z.object({ name: z.string(), value: z.string().default('') })),
});
const moduleBody = z.object({
  moduleID: z.string(),
  namespaceID: z.string(),
  name: z.string(),
  fields: z.array(field),
});
const shared = z.object({ moduleID: z.string(), name: z.string(), fields: z.array(field) });
const counts = z.object({
  created: z.number(),
  updated: z.number(),
  deleted: z.number(),
  failed: z.number(),
});

const page = z.object({ filter: z.object({ nextPage: z.string().optional() }), set: z.array(record) });

export type DemoField = z.infer<typeof field>;
export type DemoRecord = z.infer<typeof record>;
export interface DemoList {
  readonly moduleID: string;
  readonly namespaceID: string;
  readonly name: string;
  readonly fields: readonly DemoField[];
  readonly rows: number;
}

/** A demo office, used over HTTP as by a script. */
export class Office {
  readonly name: string;
  readonly federation: string;
  readonly dataDir: string;
  readonly #node: Pick<FootbridgeNode, 'userToken' | 'windowLink'>;
  readonly #token: string;
  readonly #windowBase: string;

  constructor(name: string, node: Pick<FootbridgeNode, 'userToken' | 'windowLink'>, ready: Ready) {
    this.#node = node;
    this.#token = node.userToken('admin', 3_600_000);
    this.#windowBase = new URL(ready.window).origin;
    this.name = name;
    this.federation = ready.federation;
    this.dataDir = ready.dataDir;
  }

  /** Returns a one-time link into the window. */
  windowLink(): string {
    return this.#node.windowLink();
  }

  /** Marks the first run as done, so that the window opens on Home. */
  async skipFirstRun(): Promise<void> {
    await this.#request(z.unknown(), 'PATCH', '/app/settings', { firstRunDone: true }, this.#windowBase);
  }

  /** Imports a CSV text into the list of this name, made if missing. Returns the list; `rows` are the added ones. */
  async importCsv(list: string, csv: string): Promise<DemoList> {
    const answer = z.object({ moduleID: z.string(), created: z.number() });
    const { moduleID, created } = await this.#request(
      answer,
      'POST',
      `/app/import?list=${encodeURIComponent(list)}`,
      csv,
      this.#windowBase,
    );
    const lists = z.object({ set: z.array(moduleBody) });
    const { set } = await this.#request(
      lists,
      'GET',
      `/compose/namespace/${await this.#firstNamespaceID()}/module/?limit=1000`,
    );
    const made = set.find((each) => each.moduleID === moduleID);
    if (!made) throw new CommandFailure(`The list ${list} is not there after its import.`);
    return { ...made, rows: created };
  }

  /** Creates an empty list in the first workspace. */
  async createList(listName: string, fields: readonly DemoField[]): Promise<DemoList> {
    const ns = await this.#firstNamespaceID();
    const made = await this.#request(moduleBody, 'POST', `/compose/namespace/${ns}/module/`, {
      name: listName,

      fields,
    });
    return { ...made, rows: 0 };
  }

  /** Makes a record of the partner and an invite for it; returns our id of the partner and the invite. */
  async invite(partner: Office): Promise<{ nodeID: string; uri: string }> {
    const { nodeID } = await this.#request(z.object({ nodeID: z.string() }), 'POST', '/federation/nodes', {
      baseURL: `${partner.federation}/federation`,
      name: partner.name,
    });
    return { nodeID, uri: await this.#request(z.string(), 'POST', `/federation/nodes/${nodeID}/uri`) };
  }

  /** Accepts an invite and asks to pair; returns our id of the partner. */
  async accept(uri: string): Promise<string> {
    const { nodeID } = await this.#request(z.object({ nodeID: z.string() }), 'POST', '/federation/nodes', {
      baseURL: uri,
      name: '',
    });
    await this.#request(z.unknown(), 'POST', `/federation/nodes/${nodeID}/pair`);
    return nodeID;
  }

  /** Approves a partner's request to pair. */
  async approve(nodeID: string): Promise<void> {
    await this.#request(z.unknown(), 'POST', `/federation/nodes/${nodeID}/handshake-confirm`);
  }

  /** Shares these columns (by name) of a list with a partner, under the list's name. */
  async expose(nodeID: string, list: DemoList, columns: readonly string[]): Promise<void> {
    await this.#request(z.unknown(), 'PUT', `/federation/nodes/${nodeID}/modules/`, {
      composeModuleID: list.moduleID,
      composeNamespaceID: list.namespaceID,
      name: list.name,
      handle: list.name,
      fields: list.fields
        .filter((each) => columns.includes(each.name))
        .map(({ kind, name: column, label, isMulti }) => ({
          kind,
          name: column,
          label,
          isMulti,
          value: true,
          map: null,
        })),
    });
  }

  /**
   * Maps all columns of the partner's offer of this name; `columns` has our columns' names by its column names. Throws
   * `CommandFailure` without such an offer, or without a column of ours for any of its.
   */
  async mapOffer(
    nodeID: string,
    offered: string,
    list: DemoList,
    columns: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { set } = await this.#request(
      z.object({ set: z.array(shared) }),
      'GET',
      `/federation/nodes/${nodeID}/modules`,
    );
    const offer = set.find((each) => each.name === offered);
    if (!offer) throw new CommandFailure(`The list ${offered} was not offered.`);
    const fields = offer.fields.map((origin) => {
      const destination = list.fields.find((each) => each.name === columns[origin.name]);
      if (!destination) throw new CommandFailure(`There is no column for ${origin.name}.`);
      const { kind, name: column, label, isMulti } = destination;
      return { origin, destination: { kind, name: column, label, isMulti } };
    });
    await this.#request(z.unknown(), 'PUT', `/federation/nodes/${nodeID}/modules/${offer.moduleID}/mapped`, {
      composeModuleID: list.moduleID,
      composeNamespaceID: list.namespaceID,
      fields,
    });
  }

  /** Pulls from a partner, and returns the counts. */
  async syncNow(nodeID: string): Promise<z.infer<typeof counts>> {
    return this.#request(counts, 'POST', `/federation/nodes/${nodeID}/sync`);
  }

  /** Returns the list's first rows. */
  async firstRows(list: DemoList, limit: number): Promise<DemoRecord[]> {
    return (await this.#request(page, 'GET', `${records(list)}?limit=${limit}`)).set;
  }

  /** Returns all rows of a list, read in pages of 500. */
  async allRows(list: DemoList): Promise<DemoRecord[]> {
    const rows: DemoRecord[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const next: string = cursor === '' ? '' : `&pageCursor=${encodeURIComponent(cursor)}`;
      const answer: z.infer<typeof page> = await this.#request(
        page,
        'GET',
        `${records(list)}?limit=500${next}`,
      );
      rows.push(...answer.set);
      cursor = answer.filter.nextPage;
    }
    return rows;
  }

  /** Changes these values of a row, by column name; other columns stay. */
  async patch(list: DemoList, recordID: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.#request(z.unknown(), 'PATCH', `${records(list)}${recordID}`, { values: entries(values) });
  }

  /** Deletes a row. */
  async remove(list: DemoList, recordID: string): Promise<void> {
    await this.#request(z.unknown(), 'DELETE', `${records(list)}${recordID}`);
  }

  /** Adds a row. */
  async add(list: DemoList, values: Readonly<Record<string, string>>): Promise<void> {
    await this.#request(z.unknown(), 'POST', records(list), { values: entries(values) });
  }

  /**
   * Calls the interface and returns the parsed `response`; a text body is sent as CSV, any other as JSON. Throws
   * `CommandFailure` unless the status is 2xx.
   */
  async #request<T>(
    schema: z.ZodType<T>,
    method: string,
    path: string,
    body?: unknown,
    base: string = this.federation,
  ): Promise<T> {
    const csv = typeof body === 'string';
    const answer = await fetch(base + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        'Content-Type': csv ? 'text/csv' : 'application/json',
      },
      ...(body === undefined ? {} : { body: csv ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new CommandFailure(`${method} ${path} answered ${answer.status}: ${text}`);
    return z.object({ response: schema }).parse({ response: undefined, ...(JSON.parse(text) as object) })
      .response;
  }

  /** Returns the first workspace's id; makes one if there is none. */
  async #firstNamespaceID(): Promise<string> {
    const spaces = z.object({ set: z.array(z.object({ namespaceID: z.string() })) });
    const { set } = await this.#request(spaces, 'GET', '/compose/namespace/');
    if (set[0]) return set[0].namespaceID;
    const made = await this.#request(z.object({ namespaceID: z.string() }), 'POST', '/compose/namespace/', {
      name: 'Lists',
      slug: 'lists',
    });
    return made.namespaceID;
  }
}

const records = (list: DemoList): string =>
  `/compose/namespace/${list.namespaceID}/module/${list.moduleID}/record/`;

const entries = (values: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
