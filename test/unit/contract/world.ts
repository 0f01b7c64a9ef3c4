import { omit } from '../../../server/base/omit.ts';
import type { Module } from '../../../server/lists/definitions/model.ts';
import type { Node } from '../../../server/federation/model.ts';
import {
  EXPOSURES,
  INVITES,
  ISSUED_TOKENS,
  MAPPINGS,
  NODES,
  SHARED_MODULES,
} from '../../../server/federation/tables.ts';
import type { Table } from '../../../server/store/store.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

/** One office under test, `a`, paired with `b` and with `c`, and what a case needs to begin with. */
export interface World {
  readonly a: HttpOffice;
  readonly b: HttpOffice;
  /** Our ids of the two partners. */
  readonly idB: string;
  readonly idC: string;
  /** Tokens with which they call us. */
  readonly tokenB: string;
  readonly tokenC: string;
  /** A partner without anything. */
  fresh(): Promise<Node>;
  /** One that a script wrote in this dialect. */
  written(dialect: 1 | 2 | 'live'): Promise<Node>;
  /** One that we gave an invite, and the invite. */
  invited(): Promise<{ node: Node; uri: string }>;
  /** One that asked us to pair; `token` is what we hold for it. */
  asked(): Promise<{ node: Node; token: string }>;
  /** One that we took an invite of, not asked yet; and asked, with the token that it holds for us. */
  invitee(): Promise<Node>;
  asking(): Promise<{ node: Node; token: string }>;
  /** A list of ours with columns LinkedIn (Url) and Phone (String), and two rows. */
  list(): Promise<Module>;
  /** The same, shared with `b`. */
  exposed(shape?: 1 | 2): Promise<{ module: Module; moduleID: string }>;
  /** A list that `b` offers, with the same columns; and one that is matched to a list of ours. */
  offered(): Promise<{ moduleID: string; handle: string }>;
  mapped(shape?: 1 | 2): Promise<{ moduleID: string; module: Module }>;
  close(): Promise<void>;
}

const COLUMNS = [
  { kind: 'Url' as const, name: 'LinkedIn', label: 'LinkedIn Url', isMulti: false },
  { kind: 'String' as const, name: 'Phone', label: 'Phone', isMulti: true },
];

export async function startWorld(): Promise<World> {
  const [a, b, c] = await Promise.all(['Oslo', 'Bergen', 'Voss'].map((name) => startHttpOffice(name)));
  if (!a || !b || !c) throw new Error('offices');
  const withB = await pairOffices(a, b);
  const withC = await pairOffices(a, c);
  const { nodes, pairing, invites, exposures, shared, mappings } = a.federation;
  let made = 0;

  const world: World = {
    a,
    b,
    idB: withB.idA,
    idC: withC.idA,
    tokenB: await b.federation.tokens.tokenFor(withB.idB),
    tokenC: await c.federation.tokens.tokenFor(withC.idB),

    fresh: () => nodes.create({ name: `partner ${(made += 1)}`, baseURL: `${b.origin}/federation` }, '1'),
    written: (dialect) =>
      nodes.create(
        {
          name: `partner ${(made += 1)}`,
          baseURL: `${b.origin}/federation`,
          domain: new URL(b.origin).host,
          writtenIn: dialect === 'live' ? dialect : `shape${dialect}`,
        },
        '1',
      ),
    async invited() {
      const node = await world.fresh();
      return { node, uri: (await invites.create(node.nodeID)).uri };
    },
    async asked() {
      const { node, uri } = await world.invited();
      const { nodeID } = await b.federation.invites.accept(uri, {}, '1');
      await b.federation.pairing.pair(nodeID);
      return { node: await nodes.get(node.nodeID), token: await a.federation.tokens.tokenFor(node.nodeID) };
    },
    async invitee() {
      const { nodeID } = await b.federation.nodes.create(
        { name: 'a', baseURL: `${a.origin}/federation` },
        '1',
      );
      return invites.accept((await b.federation.invites.create(nodeID)).uri, {}, '1');
    },
    async asking() {
      const node = await pairing.pair((await world.invitee()).nodeID);
      return { node, token: await b.federation.tokens.tokenFor(node.sharedNodeID) };
    },

    list: () =>
      a.list(`Contacts ${(made += 1)}`, COLUMNS, [
        { LinkedIn: ['https://a.example/1'], Phone: ['1', '2'] },
        { LinkedIn: ['https://a.example/2'], Phone: ['3'] },
      ]),
    async exposed(shape = 1) {
      const module = await world.list();
      const input = { composeModuleID: module.moduleID, fields: COLUMNS, shape };
      return { module, moduleID: (await exposures.expose(world.idB, input, '1')).moduleID };
    },
    async offered() {
      const handle = `offer_${(made += 1)}`;
      const offer = {
        externalFederationModuleID: String(9000 + made),
        handle,
        name: handle,
        fields: COLUMNS,
      };
      const { added } = await shared.reconcile(world.idB, [offer], { complete: false });
      return { moduleID: added[0]?.moduleID ?? '', handle };
    },
    async mapped(shape = 1) {
      const [{ moduleID }, module] = [await world.offered(), await world.list()];
      const fields = COLUMNS.map((column) => ({ origin: column, destination: column }));
      await mappings.set(world.idB, moduleID, { composeModuleID: module.moduleID, fields, shape });
      return { moduleID, module };
    },
    async close() {
      await Promise.all([a.close(), b.close(), c.close()]);
    },
  };
  return world;
}

/** All that federation keeps, to see that a refused request changed none of it; when tokens were used is not. */
export async function federationState(office: HttpOffice): Promise<unknown> {
  const system = await office.store.partition('system');
  const read = async <T>(table: Table<T>): Promise<T[]> =>
    (await system.page(table, { limit: 10_000 })).map(({ value }) => value);
  return {
    nodes: await read(NODES),
    invites: await read(INVITES),
    tokens: (await read(ISSUED_TOKENS)).map((token) => omit(token, 'firstUsedAt')),
    exposures: await read(EXPOSURES),
    shared: await read(SHARED_MODULES),
    mappings: await read(MAPPINGS),
  };
}
