import { z } from 'zod';
import { envelope } from '../../../server/contract/common.ts';
import * as live from '../../../server/contract/wire/live.ts';
import * as documented from './documented.ts';
import type { World } from './world.ts';

/** Who may: the least role of a user, a partner's own token, either, or anyone. */
export type Credential = 'admin' | 'editor' | 'viewer' | 'node' | 'node-or-viewer' | 'anyone';

export interface Request {
  readonly method: string;
  /** Below the base. */
  readonly path: string;
  readonly body?: unknown;
  /** The partner's token where it is not that of the world's partner `b`. */
  readonly nodeToken?: string;
  /** Another partner's token is answered with this status, or with what is its own; 403 when absent. */
  readonly otherNode?: number | 'its own';
}

/** One row of a table of the interface document (or of docs/interface.md), in one shape. */
export interface InterfaceRow {
  readonly row: string;
  readonly shape: 'shape 1' | 'shape 2' | 'live' | 'both';
  readonly credential: Credential;
  /** What the whole body of the answer is; it is strict, so that a field too many fails. */
  readonly answer: z.ZodType;
  setup(world: World): Promise<Request>;
}

const { nothing } = documented;
const answered = (payload: z.ZodType): z.ZodType => envelope(payload).strict();

const url1 = { kind: 'Url', name: 'LinkedIn', label: 'LinkedIn Url', isMulti: false };
const phone1 = { kind: 'String', name: 'Phone', label: 'Phone', isMulti: true };
const form = { value: true, map: null };
const url2 = { name: 'LinkedIn', label: 'LinkedIn Url', kind: 'Url', is_multi: 0 };
const phone2 = { name: 'Phone', label: 'Phone', kind: 'String', is_multi: 1 };
const side = { name: 'Phone', kind: 'String', is_multi: 1 };
const match2 = [{ origin: side, destination: side }];

const SHAPES = [
  ['shape 1', 1],
  ['shape 2', 2],
] as const;

const modules = (world: World): string => `/federation/nodes/${world.idB}/modules`;

const pairing: InterfaceRow[] = [
  {
    row: 'node creation on A, by parameters',
    shape: 'shape 1',
    credential: 'admin',
    answer: documented.node[1],
    setup: () =>
      Promise.resolve({
        method: 'POST',
        path: '/federation/nodes',
        body: { baseURL: 'https://b.example', name: 'Server B' },
      }),
  },
  {
    row: 'node creation on A, by parameters',
    shape: 'shape 2',
    credential: 'admin',
    answer: documented.node[2],
    setup: () =>
      Promise.resolve({
        method: 'POST',
        path: '/federation/nodes',
        body: { myDomain: 'a.example', domain: 'b.example', name: 'Server B' },
      }),
  },
  {
    row: 'node creation on A',
    shape: 'live',
    credential: 'admin',
    answer: answered(live.node),
    setup: () =>
      Promise.resolve({
        method: 'POST',
        path: '/federation/nodes/',
        body: { baseURL: 'https://b.example/federation', name: 'Server B', contact: 'admin@b.example' },
      }),
  },
  {
    row: 'node creation on B, by the invite in baseURL',
    shape: 'shape 1',
    credential: 'admin',
    answer: documented.node[1],
    setup: () =>
      Promise.resolve({
        method: 'POST',
        path: '/federation/nodes',
        body: { baseURL: `corteza://5:${'a'.repeat(32)}@b.example?name=Server+B`, name: 'Server B' },
      }),
  },
  ...(
    [
      ['beside its address', { nodeURI: `corteza://8:${'a'.repeat(32)}@b.example?name=Server+B` }],
      ['by parameters alone, the invite to come', {}],
    ] as const
  ).map(([how, more]): InterfaceRow => ({
    row: `node creation on B, ${how}`,
    shape: 'shape 1',
    credential: 'admin',
    answer: documented.node[1],
    setup: () =>
      Promise.resolve({
        method: 'POST',
        path: '/federation/nodes',
        body: { baseURL: 'https://b.example', name: 'Server B', ...more },
      }),
  })),
  {
    row: 'node creation on B, by node URI',
    shape: 'shape 2',
    credential: 'admin',
    answer: documented.node[2],
    setup: () =>
      Promise.resolve({
        method: 'POST',
        path: '/federation/nodes',
        body: { myDomain: 'a.example', nodeURI: `corteza://6:${'a'.repeat(32)}@b.example?name=Server+B` },
      }),
  },
  {
    row: 'node creation on B, by pairing URI',
    shape: 'live',
    credential: 'admin',
    answer: answered(live.node),
    setup: () =>
      Promise.resolve({
        method: 'POST',
        path: '/federation/nodes/',
        body: { pairingURI: `https://7:${'a'.repeat(32)}@b.example/api/federation?name=Server+B` },
      }),
  },
  {
    row: 'pair',
    shape: 'both',
    credential: 'admin',
    answer: nothing,
    setup: async (world) => ({
      method: 'POST',
      path: `/federation/nodes/${(await world.invitee()).nodeID}/pair`,
    }),
  },
  {
    row: 'pair',
    shape: 'live',
    credential: 'admin',
    answer: live.success,
    async setup(world) {
      const { nodeID } = await world.invitee();
      await world.a.federation.nodes.update(nodeID, { writtenIn: 'live' }, '1');
      return { method: 'POST', path: `/federation/nodes/${nodeID}/pair` };
    },
  },
  {
    row: 'handshake',
    shape: 'both',
    credential: 'anyone',
    answer: nothing,
    async setup(world) {
      const { node, uri } = await world.invited();
      const body = { nodeURI: uri, token: 'token.of.b', nodeIDB: '12345678901234567890' };
      return { method: 'POST', path: `/federation/nodes/${node.nodeID}/handshake`, body };
    },
  },
  {
    row: 'handshake',
    shape: 'live',
    credential: 'anyone',
    answer: live.success,
    async setup(world) {
      const { node, uri } = await world.invited();
      const pairToken = new URL(uri).password;
      const body = { pairToken, authToken: 'token.of.b', sharedNodeID: node.nodeID };
      return { method: 'POST', path: `/federation/nodes/${node.nodeID}/handshake`, body };
    },
  },
  {
    row: 'handshake-confirm',
    shape: 'both',
    credential: 'admin',
    answer: nothing,
    setup: async (world) => ({
      method: 'POST',
      path: `/federation/nodes/${(await world.asked()).node.nodeID}/handshake-confirm`,
    }),
  },
  {
    row: 'handshake-confirm',
    shape: 'live',
    credential: 'admin',
    answer: live.success,
    async setup(world) {
      const { nodeID } = (await world.asked()).node;
      await world.a.federation.nodes.update(nodeID, { writtenIn: 'live' }, '1');
      return { method: 'POST', path: `/federation/nodes/${nodeID}/handshake-confirm` };
    },
  },
  {
    row: 'handshake-complete',
    shape: 'both',
    credential: 'node',
    answer: nothing,
    async setup(world) {
      const { node, token: nodeToken } = await world.asking();
      const path = `/federation/nodes/${node.nodeID}/handshake-complete`;
      return { method: 'POST', path, body: { token: 'token.of.a' }, nodeToken };
    },
  },
  {
    row: 'handshake-complete, under the shared id',
    shape: 'live',
    credential: 'node',
    answer: live.success,
    async setup(world) {
      const { node, token: nodeToken } = await world.asking();
      const path = `/federation/nodes/${node.sharedNodeID}/handshake-complete`;
      return { method: 'POST', path, body: { authToken: 'token.of.a' }, nodeToken };
    },
  },
];

const origin: InterfaceRow[] = [
  {
    row: 'add module to federation',
    shape: 'shape 1',
    credential: 'editor',
    answer: documented.exposed[1],
    async setup(world) {
      const { moduleID, namespaceID, name, handle } = await world.list();
      const fields = [url1, phone1].map((field) => ({ ...field, ...form }));
      const body = { composeModuleID: moduleID, composeNamespaceID: namespaceID, name, handle, fields };
      return { method: 'PUT', path: `${modules(world)}/`, body };
    },
  },
  {
    row: 'add module to federation',
    shape: 'shape 2',
    credential: 'editor',
    answer: documented.exposed[2],
    setup: async (world) => ({
      method: 'PUT',
      path: `${modules(world)}/${(await world.list()).moduleID}`,
      body: [url2],
    }),
  },
  {
    row: 'change sharing fields',
    shape: 'shape 1',
    credential: 'editor',
    answer: documented.changed[1],
    async setup(world) {
      const { module, moduleID } = await world.exposed();
      const { namespaceID, name, handle } = module;
      const fields = [{ ...url1, ...form }];
      const body = {
        composeModuleID: module.moduleID,
        composeNamespaceID: namespaceID,
        name,
        handle,
        fields,
      };
      return { method: 'PUT', path: `${modules(world)}/${moduleID}/exposed`, body };
    },
  },
  {
    row: 'change sharing fields',
    shape: 'shape 2',
    credential: 'editor',
    answer: documented.changed[2],
    setup: async (world) => ({
      method: 'PUT',
      path: `${modules(world)}/${(await world.exposed()).moduleID}/exposed`,
      body: [url2, phone2],
    }),
  },
  {
    row: 'change sharing fields',
    shape: 'live',
    credential: 'editor',
    answer: answered(live.exposedModule),
    async setup(world) {
      const { module, moduleID } = await world.exposed();
      const { namespaceID, name, handle } = module;
      const ids = { composeModuleID: module.moduleID, composeNamespaceID: namespaceID };
      const path = `${modules(world)}/${moduleID}/exposed`;
      return { method: 'POST', path, body: { ...ids, name, handle, fields: [url1, phone1] } };
    },
  },
  ...SHAPES.flatMap(([shape, number]) =>
    ['', `?shape=${number}`].map((query): InterfaceRow => ({
      row: `info about exposed module${query}`,
      shape,
      credential: 'viewer',
      answer: documented.exposed[number],
      async setup(world) {
        // Without the query it is read in the shape that it was written in.
        const written = query === '' ? number : number === 1 ? 2 : 1;
        return {
          method: 'GET',
          path: `${modules(world)}/${(await world.exposed(written)).moduleID}/exposed${query}`,
        };
      },
    })),
  ),
  ...(['', '?exposed', '?exposed=1'] as const).map((selector): InterfaceRow => ({
    row: `remove module from federation${selector}`,
    shape: 'both',
    credential: 'editor',
    answer: nothing,
    setup: async (world) => ({
      method: 'DELETE',
      path: `${modules(world)}/${(await world.exposed()).moduleID}${selector}`,
    }),
  })),
  {
    row: 'remove module from federation',
    shape: 'live',
    credential: 'editor',
    answer: answered(z.null()),
    setup: async (world) => ({
      method: 'DELETE',
      path: `${modules(world)}/${(await world.exposed()).moduleID}/exposed`,
    }),
  },
  ...(['exposed', 'shared', 'mapped'] as const).map((selector): InterfaceRow => ({
    row: `list modules ?${selector}`,
    shape: 'live',
    credential: 'viewer',
    answer: answered(
      { exposed: live.exposedModules, shared: live.sharedModules, mapped: live.mappings }[selector].min(1),
    ),
    async setup(world) {
      await Promise.all([world.exposed(), world.mapped()]);
      return { method: 'GET', path: `${modules(world)}/?${selector}=true` };
    },
  })),
];

const destination: InterfaceRow[] = [
  ...SHAPES.map(([shape, number]): InterfaceRow => ({
    row: 'info about shared module',
    shape,
    credential: 'viewer',
    answer: documented.sharedModule[number],
    setup: async (world) => ({
      method: 'GET',
      path: `${modules(world)}/${(await world.offered()).moduleID}/shared${number === 1 ? '' : '?shape=2'}`,
    }),
  })),
  ...SHAPES.map(([shape, number]): InterfaceRow => ({
    row: 'list shared modules',
    shape,
    credential: 'viewer',
    answer: documented.sharedModules[number],
    async setup(world) {
      await world.offered();
      return { method: 'GET', path: `${modules(world)}${number === 1 ? '' : '?shape=2'}` };
    },
  })),
  {
    row: 'set module mapping',
    shape: 'shape 1',
    credential: 'editor',
    answer: documented.mapping[1],
    async setup(world) {
      const [{ moduleID }, module] = [await world.offered(), await world.list()];
      const fields = [{ origin: url1, destination: url1 }];
      const body = { composeModuleID: module.moduleID, composeNamespaceID: module.namespaceID, fields };
      return { method: 'PUT', path: `${modules(world)}/${moduleID}/mapped`, body };
    },
  },
  {
    row: 'set module mapping, list by ?composeModuleID=',
    shape: 'shape 2',
    credential: 'editor',
    answer: documented.mapping[2],
    async setup(world) {
      const [{ moduleID }, module] = [await world.offered(), await world.list()];
      const path = `${modules(world)}/${moduleID}/mapped?composeModuleID=${module.moduleID}`;
      return { method: 'PUT', path, body: match2 };
    },
  },
  {
    row: 'set module mapping, list as mapped already',
    shape: 'shape 2',
    credential: 'editor',
    answer: documented.mapping[2],
    setup: async (world) => ({
      method: 'PUT',
      path: `${modules(world)}/${(await world.mapped()).moduleID}/mapped`,
      body: match2,
    }),
  },
  ...SHAPES.flatMap(([shape, number]) =>
    ['', '?composeModuleID=', `?shape=${number}`].map((query): InterfaceRow => ({
      row: `get module mapping${query}`,
      shape,
      credential: 'viewer',
      answer: documented.mapping[number],
      async setup(world) {
        const { moduleID, module } = await world.mapped(number);
        const filter = query.endsWith('ID=') ? query + module.moduleID : query;
        return { method: 'GET', path: `${modules(world)}/${moduleID}/mapped${filter}` };
      },
    })),
  ),
  ...(['', '?shared', '?shared=1', '?mapped', '/mapped'] as const).map((selector): InterfaceRow => ({
    row: `remove module mapping${selector}`,
    shape: 'both',
    credential: 'editor',
    answer: nothing,
    setup: async (world) => ({
      method: 'DELETE',
      path: `${modules(world)}/${(await world.mapped()).moduleID}${selector}`,
    }),
  })),
];

const records2 = [
  '/federation/exposed/records/{m}',
  '/federation/exposed/modules/{m}/records',
  '/exposed/modules/{m}/records',
];

const sync: InterfaceRow[] = [
  ...(['/federation/exposed/modules', '/federation/exposed/records'] as const).map((path): InterfaceRow => ({
    row: `change links: ${path}`,
    shape: path.endsWith('records') ? 'shape 2' : 'both',
    credential: 'node',
    answer: documented.links,
    async setup(world) {
      await world.exposed();
      return { method: 'GET', path: `${path}?after=1600109447`, otherNode: 'its own' };
    },
  })),
  ...SHAPES.map(([shape, number]): InterfaceRow => ({
    row: 'sync shared module structure',
    shape,
    credential: 'node',
    answer: documented.sharedModule[number],
    async setup(world) {
      const { moduleID } = await world.exposed(number);
      // As the change links say it.
      return {
        method: 'GET',
        path: `/federation/exposed/modules/${moduleID}?after=1600109447`,
        otherNode: 404,
      };
    },
  })),
  ...['', '?lastSync=1600109447', '?exposed=1', '?shared=1', '?mapped=1'].map((query): InterfaceRow => ({
    row: `fetch exposed data${query}`,
    shape: 'shape 1',
    credential: 'node-or-viewer',
    answer: documented.records,
    setup: async (world) => ({
      method: 'GET',
      path: `${modules(world)}/${(await world.exposed()).moduleID}/records${query}`,
    }),
  })),
  ...records2.flatMap((address) =>
    ['', '?after=2020-09-14T18:50:47Z'].map((time): InterfaceRow => ({
      row: `fetch exposed data: ${address}${time}`,
      shape: 'shape 2',
      credential: 'node',
      answer: documented.records,
      async setup(world) {
        const { moduleID } = await world.exposed();
        return { method: 'GET', path: address.replace('{m}', moduleID) + time, otherNode: 404 };
      },
    })),
  ),
  {
    row: 'structure',
    shape: 'live',
    credential: 'node-or-viewer',
    answer: answered(live.structure),
    async setup(world) {
      await world.exposed();
      return { method: 'GET', path: `${modules(world)}/exposed/?limit=1` };
    },
  },
  {
    row: 'records',
    shape: 'live',
    credential: 'node-or-viewer',
    answer: answered(live.recordList),
    setup: async (world) => ({
      method: 'GET',
      path: `${modules(world)}/${(await world.exposed()).moduleID}/records/?limit=100`,
    }),
  },
  {
    row: 'records index',
    shape: 'live',
    credential: 'node-or-viewer',
    answer: answered(live.recordIndex),
    setup: (world) => Promise.resolve({ method: 'GET', path: `${modules(world)}/exposed/records/` }),
  },
];

/** Beyond the interface (docs/interface.md: Who may). */
const beyond: InterfaceRow[] = [
  {
    row: 'list nodes',
    shape: 'both',
    credential: 'viewer',
    answer: answered(
      z.strictObject({
        filter: z.strictObject({ query: z.string(), status: z.string(), count: z.number() }),
        set: z.array(z.object({})),
      }),
    ),
    setup: () => Promise.resolve({ method: 'GET', path: '/federation/nodes' }),
  },
  ...SHAPES.map(([shape, number]): InterfaceRow => ({
    row: 'read node',
    shape,
    credential: 'viewer',
    answer: documented.node[number],
    setup: async (world) => ({
      method: 'GET',
      path: `/federation/nodes/${(await world.written(number)).nodeID}`,
    }),
  })),
  ...(
    [
      ['shape 1', { name: 'Renamed' }, documented.node[1]],
      ['shape 2', { domain: 'other.example' }, documented.node[2]],
      [
        'live',
        { name: 'Renamed', baseURL: 'https://o.example', contact: 'x@o.example' },
        answered(live.node),
      ],
    ] as const
  ).map(([shape, body, answer]): InterfaceRow => ({
    row: 'change node',
    shape,
    credential: 'admin',
    answer,
    setup: async (world) => ({
      method: 'POST',
      path: `/federation/nodes/${(await world.fresh()).nodeID}`,
      body,
    }),
  })),
  {
    row: 'read node',
    shape: 'live',
    credential: 'viewer',
    answer: answered(live.node),
    setup: async (world) => ({
      method: 'GET',
      path: `/federation/nodes/${(await world.written('live')).nodeID}`,
    }),
  },
  ...(
    [
      ['both', 1, nothing],
      ['live', 'live', live.success],
    ] as const
  ).flatMap(([shape, written, answer]) =>
    (
      [
        ['delete node', 'DELETE', ''],
        ['pause', 'POST', '/pause'],
        ['resume', 'POST', '/resume'],
        ['revoke', 'POST', '/revoke'],
      ] as const
    ).map(([row, method, step]): InterfaceRow => ({
      row,
      shape,
      credential: 'admin',
      answer,
      setup: async (world) => ({
        method,
        path: `/federation/nodes/${(await world.written(written)).nodeID}${step}`,
      }),
    })),
  ),
  ...(
    [
      ['both', nothing],
      ['live', live.success],
    ] as const
  ).map(([shape, answer]): InterfaceRow => ({
    row: 'undelete node',
    shape,
    credential: 'admin',
    answer,
    async setup(world) {
      const { nodeID } = await world.written(shape === 'live' ? 'live' : 1);
      await world.a.federation.disconnects.remove(nodeID, '1');
      return { method: 'POST', path: `/federation/nodes/${nodeID}/undelete` };
    },
  })),
  {
    row: 'make an invite',
    shape: 'both',
    credential: 'admin',
    answer: answered(
      z
        .string()
        .regex(
          /^http:\/\/\d+:[A-Za-z0-9]{32}@127\.0\.0\.1:\d+\/federation\?sum=\d+-[\da-f]{8}&name=Oslo&fb=1&sig=[\w-]{43}&r=$/,
        ),
    ),
    setup: async (world) => ({
      method: 'POST',
      path: `/federation/nodes/${(await world.fresh()).nodeID}/uri`,
    }),
  },
  {
    row: 'sync now',
    shape: 'both',
    credential: 'editor',
    answer: answered(z.object({ created: z.number(), modules: z.array(z.unknown()) })),
    setup: (world) => Promise.resolve({ method: 'POST', path: `/federation/nodes/${world.idB}/sync` }),
  },
  {
    row: 'sync status',
    shape: 'both',
    credential: 'viewer',
    answer: answered(z.object({})),
    setup: (world) => Promise.resolve({ method: 'GET', path: `/federation/nodes/${world.idB}/sync` }),
  },
];

export const ROWS: readonly InterfaceRow[] = [...pairing, ...origin, ...destination, ...sync, ...beyond];
