import {
  isDerivedFromKey,
  isSignedBy,
  signWith,
  type InstallationProof,
} from '../../base/installation-key.ts';
import { Refusal } from '../../base/refusal.ts';
import { canonicalRoutes, isSameRoutes, NO_ROUTES, type AnnouncedRoutes } from '../../base/routes.ts';
import type { Table } from '../../store/store.ts';
import { changeNode, findNode, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import type { Invites } from './invites.ts';

/** Sent by a Footbridge to its partner when its routes change. */
export interface RouteAnnouncement {
  /** Greater than in every earlier announcement. */
  readonly revision: number;
  readonly routes: AnnouncedRoutes;
  readonly proof: InstallationProof;
}

const OWN: Table<{ readonly revision: number; readonly routes: string }> = { name: 'own-routes' };
const KEY = 'own';

/**
 * Address updates between paired Footbridges (docs/pairing.md: Address updates). The partner's token
 * authorises the call, and its installation's key signs the content: a stolen token alone redirects nobody.
 * The connection's address, certificate and token stay.
 */
export class RouteAnnouncements {
  readonly #context: FederationContext;
  readonly #invites: Pick<Invites, 'ownRoutes'>;

  constructor(context: FederationContext, invites: Pick<Invites, 'ownRoutes'>) {
    this.#context = context;
    this.#invites = invites;
  }

  /** Returns the number of our present routes; unchanged while they are. */
  async revision(): Promise<number> {
    const { system, clock } = this.#context;
    const routes = canonicalRoutes(this.#invites.ownRoutes());
    const known = await system.get(OWN, KEY);
    if (known?.routes === routes) return known.revision;
    return system.transaction(async (tx) => {
      const before = await tx.get(OWN, KEY);
      // Includes the clock, so that data that went back doesn't repeat numbers.
      const revision = Math.max((before?.revision ?? 0) + 1, clock.now());
      tx.put(OWN, KEY, { revision, routes });
      return revision;
    });
  }

  /** Returns our routes for this partner, signed; undefined if this data folder has no key. */
  async forPartner(node: Pick<Node, 'nodeID' | 'sharedNodeID'>): Promise<RouteAnnouncement | undefined> {
    const { key } = this.#context.office;
    if (!key) return undefined;
    const told = { revision: await this.revision(), routes: this.#invites.ownRoutes() };
    const text = textOf({ ...told, sender: node.nodeID, receiver: node.sharedNodeID });
    return { ...told, proof: signWith(key, text) };
  }

  /** Returns how others can call a partner through us; undefined unless our user carries connections. */
  carriedAs: (nodeID: string) => string | undefined = () => undefined;

  /**
   * Stores a partner's routes; a known announcement changes nothing. @throws Refusal `forbidden` without its
   * installation's signature, `conflict` for an older announcement or another certificate
   */
  async received(nodeID: string, { revision, routes, proof }: RouteAnnouncement): Promise<void> {
    const { system } = this.#context;
    refuseUnlessNewer(await findNode(system, nodeID), { revision, routes, proof });
    await changeNode(this.#context, nodeID, (node) => {
      refuseUnlessNewer(node, { revision, routes, proof });
      return { ...node, routes: { ...routes, revision } };
    });
  }
}

/** @throws Refusal like {@link RouteAnnouncements.received} */
function refuseUnlessNewer(node: Node, { revision, routes, proof }: RouteAnnouncement): void {
  const { installation = '', nodeID, sharedNodeID, certificate } = node;
  const text = textOf({ revision, routes, sender: sharedNodeID, receiver: nodeID });
  if (!isDerivedFromKey(installation) || !isSignedBy(installation, text, proof))
    throw new Refusal('forbidden', 'routes.not-signed', 'The routes are not signed by the partner.');
  const { revision: known, ...before } = node.routes ?? NO_ROUTES_YET;
  const isRepeated = revision === known && isSameRoutes(routes, before);
  if (revision <= known && !isRepeated)
    throw new Refusal('conflict', 'routes.outdated', 'Newer routes of the partner are known.');
  const pin = before.pin === '' ? certificate : before.pin;
  if (routes.pin !== '' && pin !== undefined && routes.pin !== pin)
    throw new Refusal(
      'conflict',
      'routes.certificate',
      'The routes end at another certificate than the one that was paired with. Pair again.',
    );
}

const NO_ROUTES_YET = { ...NO_ROUTES, revision: -1 };

function textOf({
  sender,
  receiver,
  revision,
  routes,
}: Pick<RouteAnnouncement, 'revision' | 'routes'> & {
  readonly sender: string;
  readonly receiver: string;
}): string {
  return JSON.stringify(['footbridge routes 1', sender, receiver, revision, canonicalRoutes(routes)]);
}
