import { omit } from '../../base/omit.ts';
import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import { everyValue } from '../../store/every-entry.ts';
import { parseFederationBase, isOwnNetwork } from './addresses.ts';
import {
  changeNode,
  type FederationContext,
  findCurrentNode,
  findNode,
  anchorNow,
  nowOf,
  unknownNode,
} from '../context.ts';
import type { Node } from '../model.ts';
import type { Dialect, Colour } from '../../base/vocabulary.ts';
import { colourFor } from './colours.ts';
import { type Asker, findAsker } from './crossed-requests.ts';
import { enteredFor, identityOf } from './pairing-state.ts';
import { isPauseOver, toStoredPause, type PauseRequest } from './pausing.ts';
import { NODES } from '../tables.ts';
import { said } from '../../words/said.ts';

export interface NodeInput {
  readonly name: string;
  /** Empty while unknown. */
  readonly baseURL?: string;
  readonly contact?: string;
  readonly domain?: string;
  readonly myDomain?: string;
  /** Allows private addresses; default: if given one. */
  readonly ownNetwork?: boolean;
  readonly writtenIn?: Dialect;
}

export interface NodeChange {
  readonly name?: string;
  readonly baseURL?: string;
  readonly contact?: string;
  /** Empty: removes it. */
  readonly phone?: string;
  readonly domain?: string;
  readonly myDomain?: string;
  readonly ownNetwork?: boolean;
  /** `unknown`: detect again. */
  readonly dialect?: Dialect | 'unknown';
  readonly certificate?: string;
  readonly writtenIn?: Dialect;
  readonly colour?: Colour;
}

const MAX_PARTNERS = 200;

/** Partners' records, by our id or the shared one, unless stated. All throw `node.unknown`. */
export class Nodes {
  readonly #context: FederationContext;

  constructor(context: FederationContext) {
    this.#context = context;
  }

  /** Returns the partners, oldest first; with `deleted`, removed ones too. */
  async list(options: { readonly deleted?: boolean } = {}): Promise<Node[]> {
    const found = await this.#readAll();
    return options.deleted === true ? found : found.filter(({ deletedAt }) => deletedAt === undefined);
  }

  /** Returns the partner by our id or the shared one. Throws `node.unknown`, also if deleted, `node.ambiguous`. */
  get(ourOrSharedID: string): Promise<Node> {
    return findNode(this.#context.system, ourOrSharedID);
  }

  /** Returns the partner, or the record that replaced its record. Throws `node.unknown`, `node.ambiguous`. */
  getCurrent(n: string): Promise<Node> {
    return findCurrentNode(this.#context.system, n);
  }

  /**
   * Returns the connected partner that sent this request: the record's own, or another one ({@link findAsker});
   * undefined without one.
   */
  async findAsker(request: Node): Promise<Asker | undefined> {
    const { pairing, status } = request;
    if (pairing?.as === 'inviter' && status === 'paired' && identityOf(pairing.link) === identityOf(request))
      return { partner: request, renews: true };
    return findAsker(this.#context, request);
  }

  /**
   * Returns the only partner of this name, ignoring case, that never answered our invite; undefined without one, or
   * with several.
   */
  async findUnanswered(name: string): Promise<Node | undefined> {
    const wanted = name.trim().toLowerCase();
    const [only, ...more] = (await this.list()).filter(
      ({ name: known, status, role }) =>
        status === 'pending' && role === 'inviter' && known.trim().toLowerCase() === wanted,
    );
    return more.length === 0 ? only : undefined;
  }

  /**
   * Stores and announces a new `pending` partner; `by`: the user's id. The address decides about `ownNetwork` if that
   * isn't given. Throws `node.address` (malformed), `node.too-many`.
   */
  async create(input: NodeInput, by: string): Promise<Node> {
    const baseURL =
      input.baseURL === undefined || input.baseURL.trim() === '' ? '' : parseFederationBase(input.baseURL);
    await this.#checkLimit();
    const fresh: Omit<Node, 'colour'> = {
      nodeID: this.#context.ids.next(),
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
      createdAt: nowOf(this.#context),
      createdBy: by,
    };
    const node = await this.#context.system.transaction(async (tx) => {
      const coloured = { ...fresh, colour: await colourFor(tx) };
      tx.put(NODES, coloured.nodeID, coloured);
      return coloured;
    });
    this.#context.notifyChanged({ kind: 'node', nodeID: node.nodeID });
    return node;
  }

  /**
   * Changes a record; connection settings apply to its pairing too, address and dialect to what they are entered for
   * ({@link enteredFor}). Throws `node.address`.
   */
  async update(ourOrSharedID: string, change: NodeChange, by: string): Promise<Node> {
    const { nodeID } = await findNode(this.#context.system, ourOrSharedID);
    const { baseURL, dialect, name, ...others } = change;
    const rest = { ...others, ...(name === undefined ? {} : { name: plainName(name) }) };
    const base =
      baseURL === undefined ? {} : { baseURL: baseURL.trim() === '' ? '' : parseFederationBase(baseURL) };
    const { certificate, ownNetwork, domain } = rest;
    const way = {
      ...base,
      ...(certificate === undefined ? {} : { certificate }),
      ...(ownNetwork === undefined ? {} : { ownNetwork }),
      ...(domain === undefined ? {} : { domain }),
      ...(dialect === undefined || dialect === 'unknown' ? {} : { dialect }),
    };
    const shared = omit(way, 'baseURL', 'dialect');
    return changeNode(this.#context, nodeID, (node) => {
      const wanted = enteredFor(node);
      const isNewDialect = dialect !== undefined;
      return {
        ...(isNewDialect && wanted !== 'request' ? omit(node, 'dialect') : node),
        ...rest,
        ...(wanted === 'request' ? shared : way),
        ...(node.pairing && {
          pairing: {
            ...node.pairing,
            link: {
              ...(isNewDialect && wanted !== 'connection'
                ? omit(node.pairing.link, 'dialect')
                : node.pairing.link),
              ...(wanted === 'connection' ? shared : way),
            },
          },
        }),
        updatedBy: by,
      };
    });
  }

  /**
   * Restores a removed record, unconnected. Throws `node.unknown`, `conflict` if it isn't removed or there are too
   * many. Announces it.
   * @param nodeID our id
   */
  async restore(nodeID: string, by: string): Promise<Node> {
    await this.#checkLimit();
    const restored = await this.#context.system.transaction(async (tx) => {
      const removed = await tx.get(NODES, nodeID);
      if (!removed) throw unknownNode(nodeID);
      if (removed.deletedAt === undefined)
        throw new Refusal('conflict', 'node.not-removed', said('partner.not-removed'));
      const node = {
        ...omit(removed, 'deletedAt', 'replacedBy'),
        updatedBy: by,
        updatedAt: nowOf(this.#context),
      };
      tx.put(NODES, nodeID, node);
      return node;
    });
    this.#context.notifyChanged({ kind: 'node', nodeID });
    return restored;
  }

  /** Pauses the connection, in the wanted directions; replaces an earlier pause. Announces it. */
  async pause(ourOrSharedID: string, wish: PauseRequest): Promise<Node> {
    const { nodeID } = await findNode(this.#context.system, ourOrSharedID);
    return changeNode(this.#context, nodeID, (node) => ({
      ...node,
      paused: toStoredPause(wish, anchorNow(this.#context)),
    }));
  }

  /** Returns whether a pause's end has come. It still applies until {@link resume}. */
  isPauseOver({ paused }: Pick<Node, 'paused'>): boolean {
    return paused !== undefined && isPauseOver(paused, this.#context.clock.now(), this.#context.known);
  }

  /** Ends a pause, if there is one. */
  async resume(ourOrSharedID: string): Promise<Node> {
    const { nodeID } = await findNode(this.#context.system, ourOrSharedID);
    return changeNode(this.#context, nodeID, (node) => omit(node, 'paused'));
  }

  /** Lets the partner read again, after our user checked what it may see. */
  async confirmShares(ourOrSharedID: string): Promise<Node> {
    const { nodeID } = await findNode(this.#context.system, ourOrSharedID);
    return changeNode(this.#context, nodeID, (node) => omit(node, 'unsure'));
  }

  /** Stores a detected dialect, unless one is stored. */
  async recordDialect(ourOrSharedID: string, dialect: Dialect): Promise<Node> {
    const { nodeID } = await findNode(this.#context.system, ourOrSharedID);
    return changeNode(this.#context, nodeID, (node) => ({ ...node, dialect: node.dialect ?? dialect }));
  }

  /** Removes the note that calls work one way only. */
  async recordReached(ourOrSharedID: string): Promise<Node> {
    const { nodeID } = await findNode(this.#context.system, ourOrSharedID);
    return changeNode(this.#context, nodeID, (node) => omit(node, 'reach'));
  }

  /** Reads all partners' records, removed ones too. */
  async #readAll(): Promise<Node[]> {
    const found: Node[] = [];
    for await (const node of everyValue(this.#context.system, NODES)) found.push(node);
    return found;
  }

  /** Throws `node.too-many` (conflict) if there are 200 partners already. */
  async #checkLimit(): Promise<void> {
    if ((await this.list()).length < MAX_PARTNERS) return;
    throw new Refusal('conflict', 'node.too-many', said('partner.too-many', { most: MAX_PARTNERS }));
  }
}
