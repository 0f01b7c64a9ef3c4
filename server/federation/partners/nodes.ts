import { omit } from '../../base/omit.ts';
import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Entry } from '../../store/store.ts';
import { httpBase, isOwnNetwork } from './addresses.ts';
import { changeNode, type FederationContext, findNode, markOf, nowOf, unknownNode } from '../context.ts';
import type { Node } from '../model.ts';
import type { Dialect, Colour } from '../../base/vocabulary.ts';
import { colourFor } from './colours.ts';
import { isOver, pauseOf, type PauseWish } from './pausing.ts';
import { NODES } from '../tables.ts';
import { said } from '../../words/said.ts';

/** A partner by parameters; by invite see {@link Invites.accept}. */
export interface NodeInput {
  readonly name: string;
  /** Base address of the partner; empty while it is not known. */
  readonly baseURL?: string;
  readonly contact?: string;
  readonly domain?: string;
  readonly myDomain?: string;
  /** Private addresses are allowed for this partner; by default when the given address is one. */
  readonly ownNetwork?: boolean;
  readonly writtenIn?: Dialect;
}

export interface NodeChange {
  readonly name?: string;
  readonly baseURL?: string;
  readonly contact?: string;
  /** Empty: none is known any more. */
  readonly phone?: string;
  readonly domain?: string;
  readonly myDomain?: string;
  readonly ownNetwork?: boolean;
  /** `unknown`: to be found out anew. */
  readonly dialect?: Dialect | 'unknown';
  readonly certificate?: string;
  readonly writtenIn?: Dialect;
  readonly colour?: Colour;
}

/** The records of the partners. Ids may be ours or the pair's shared one; unknown ones are `not-found`. */
export interface Nodes {
  /** Oldest first; with `deleted`, those that were removed as well. */
  list(options?: { readonly deleted?: boolean }): Promise<Node[]>;
  get(n: string): Promise<Node>;
  /** @throws Refusal `malformed` for an address that is none, `conflict` at the limit of partners */
  create(input: NodeInput, by: string): Promise<Node>;
  update(n: string, change: NodeChange, by: string): Promise<Node>;
  /**
   * Takes a removal back: the record is there again, not connected, and shares nothing until it is told to.
   * @throws Refusal `conflict` when it was not removed, or at the limit of partners
   */
  restore(nodeID: string, by: string): Promise<Node>;
  /** Stops pulls from this partner, its reading, or both (see `pausing.ts`). */
  pause(n: string, wish: PauseWish): Promise<Node>;
  /** Our user has looked at what it may see, after older data came back: it reads again. */
  sharesSeen(n: string): Promise<Node>;
  resume(n: string): Promise<Node>;
  /** Whether its pause, if any, has an end that has come. It counts until it is taken back by {@link resume}. */
  isPauseOver(node: Pick<Node, 'paused'>): boolean;
  /** A partner of unknown dialect was understood; one that the user set meanwhile stays. */
  understood(n: string, dialect: Dialect): Promise<Node>;
  /** A call of ours got through to a partner of whom it was thought that none does. */
  reached(n: string): Promise<Node>;
}

const MOST_PARTNERS = 200;
const PAGE = 1000;

export function createNodes(context: FederationContext): Nodes {
  const { system } = context;

  async function all(): Promise<Node[]> {
    const found: Node[] = [];
    let after: string | undefined;
    do {
      const page: Entry<Node>[] = await system.page(NODES, {
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      found.push(...page.map(({ value }) => value));
      after = page.length === PAGE ? page.at(-1)?.key : undefined;
    } while (after !== undefined);
    return found;
  }

  async function mustHaveRoom(): Promise<void> {
    if ((await nodes.list()).length < MOST_PARTNERS) return;
    throw new Refusal('conflict', 'node.too-many', said('partner.too-many', { most: MOST_PARTNERS }));
  }

  const nodes: Nodes = {
    async list(options = {}) {
      const found = await all();
      return options.deleted === true ? found : found.filter(({ deletedAt }) => deletedAt === undefined);
    },

    get: (n) => findNode(system, n),

    async create(input, by) {
      const baseURL =
        input.baseURL === undefined || input.baseURL.trim() === '' ? '' : httpBase(input.baseURL);
      await mustHaveRoom();
      const fresh: Omit<Node, 'colour'> = {
        nodeID: context.ids.next(),
        sharedNodeID: '0',
        name: plainName(input.name),
        status: 'pending',
        baseURL,
        contact: input.contact ?? '',
        ...(input.domain === undefined ? {} : { domain: input.domain }),
        ...(input.myDomain === undefined ? {} : { myDomain: input.myDomain }),
        ...(input.writtenIn === undefined ? {} : { writtenIn: input.writtenIn }),
        footbridge: false,
        ownNetwork: input.ownNetwork ?? (baseURL !== '' && isOwnNetwork(new URL(baseURL).hostname)),
        createdAt: nowOf(context),
        createdBy: by,
      };
      const node = await system.transaction(async (tx) => {
        const coloured = { ...fresh, colour: await colourFor(tx) };
        tx.put(NODES, coloured.nodeID, coloured);
        return coloured;
      });
      context.changed({ kind: 'node', nodeID: node.nodeID });
      return node;
    },

    async update(n, change, by) {
      const { nodeID } = await findNode(system, n);
      const { baseURL, dialect, name, ...others } = change;
      const rest = { ...others, ...(name === undefined ? {} : { name: plainName(name) }) };
      const base = baseURL === undefined ? {} : { baseURL: baseURL.trim() === '' ? '' : httpBase(baseURL) };
      const { certificate, ownNetwork, domain } = rest;
      const way = {
        ...base,
        ...(certificate === undefined ? {} : { certificate }),
        ...(ownNetwork === undefined ? {} : { ownNetwork }),
        ...(domain === undefined ? {} : { domain }),
        ...(dialect === undefined || dialect === 'unknown' ? {} : { dialect }),
      };
      return changeNode(context, nodeID, (node) => ({
        ...(dialect === undefined ? node : omit(node, 'dialect')),
        ...rest,
        ...way,
        // What our user says of the way to the partner holds for the one that is being agreed on as well.
        ...(node.pairing && {
          pairing: {
            ...node.pairing,
            link: {
              ...(dialect === undefined ? node.pairing.link : omit(node.pairing.link, 'dialect')),
              ...way,
            },
          },
        }),
        updatedBy: by,
      }));
    },

    async restore(nodeID, by) {
      await mustHaveRoom();
      const restored = await system.transaction(async (tx) => {
        const removed = await tx.get(NODES, nodeID);
        if (!removed) throw unknownNode(nodeID);
        if (removed.deletedAt === undefined)
          throw new Refusal('conflict', 'node.not-removed', said('partner.not-removed'));
        const node = { ...omit(removed, 'deletedAt'), updatedBy: by, updatedAt: nowOf(context) };
        tx.put(NODES, nodeID, node);
        return node;
      });
      context.changed({ kind: 'node', nodeID });
      return restored;
    },

    async pause(n, wish) {
      const { nodeID } = await findNode(system, n);
      return changeNode(context, nodeID, (node) => ({
        ...node,
        paused: pauseOf(wish, markOf(context)),
      }));
    },

    isPauseOver: ({ paused }) => paused !== undefined && isOver(paused, context.clock.now(), context.known),

    async resume(n) {
      const { nodeID } = await findNode(system, n);
      return changeNode(context, nodeID, (node) => omit(node, 'paused'));
    },

    async sharesSeen(n) {
      const { nodeID } = await findNode(system, n);
      return changeNode(context, nodeID, (node) => omit(node, 'unsure'));
    },

    async understood(n, dialect) {
      const { nodeID } = await findNode(system, n);
      return changeNode(context, nodeID, (node) => ({ ...node, dialect: node.dialect ?? dialect }));
    },

    async reached(n) {
      const { nodeID } = await findNode(system, n);
      return changeNode(context, nodeID, (node) => omit(node, 'reach'));
    },
  };
  return nodes;
}
