import {
  isDerivedFromKey,
  isSignedBy,
  signWith,
  type InstallationProof,
} from '../../base/installation-key.ts';
import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import {
  canonicalRoutes,
  isSameRoutes,
  NO_ROUTES,
  parseRoute,
  type AnnouncedRoutes,
} from '../../base/routes.ts';
import type { Partition, Table } from '../../store/store.ts';
import { changeNode, findNode, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { NODES, ownIDOf } from '../tables.ts';
import type { Invites } from './invites.ts';

export interface RouteAnnouncement {
  /** Rises with each announcement. */
  readonly revision: number;
  readonly routes: AnnouncedRoutes;
  readonly proof: InstallationProof;
}

const OWN: Table<{ readonly revision: number; readonly routes: string }> = { name: 'own-routes' };
const KEY = 'own';

/** Address updates (docs/pairing.md), signed by the installation, so a stolen token redirects nobody. */
export class RouteAnnouncements {
  readonly #context: FederationContext;
  readonly #invites: Pick<Invites, 'announcedRoutes'>;

  constructor(context: FederationContext, invites: Pick<Invites, 'announcedRoutes'>) {
    this.#context = context;
    this.#invites = invites;
  }

  /**
   * Returns our present routes' revision. If they changed since the last call it stores a greater one, at least the
   * clock's milliseconds: data that went back doesn't repeat numbers.
   */
  async revision(): Promise<number> {
    const { system, clock } = this.#context;
    const routes = canonicalRoutes(this.#invites.announcedRoutes());
    const known = await system.get(OWN, KEY);
    if (known?.routes === routes) return known.revision;
    return system.transaction(async (tx) => {
      const before = await tx.get(OWN, KEY);
      // Uses the clock, so data that went back repeats no numbers.
      const revision = Math.max((before?.revision ?? 0) + 1, clock.now());
      tx.put(OWN, KEY, { revision, routes });
      return revision;
    });
  }

  /**
   * Returns our routes, signed for this partner; undefined without an installation key.
   * @param known the partner's greatest revision of us. It counts for this partner alone: a hostile one can't change
   * what others are sent.
   */
  async forPartner(
    node: Pick<Node, 'nodeID' | 'ownNodeID' | 'sharedNodeID'>,
    known = 0,
  ): Promise<RouteAnnouncement | undefined> {
    const { key } = this.#context.office;
    if (!key) return undefined;
    const revision = Math.max(await this.revision(), known + 1);
    const announcement = { revision, routes: this.#invites.announcedRoutes() };
    const text = signedText({ ...announcement, sender: ownIDOf(node), receiver: node.sharedNodeID });
    return { ...announcement, proof: signWith(key, text) };
  }

  /**
   * Sends our routes by `send` and returns the answer; undefined without an installation key. Repeats with a greater
   * revision if the partner has newer routes: our clock was ahead, and our data went back since. Rejects as `send`
   * does.
   */
  async announce<A extends { readonly newer?: number | undefined }>(
    node: Pick<Node, 'nodeID' | 'ownNodeID' | 'sharedNodeID'>,
    send: (announcement: RouteAnnouncement) => Promise<A>,
  ): Promise<A | undefined> {
    const announcement = await this.forPartner(node);
    const answer = announcement && (await send(announcement));
    const again = answer?.newer === undefined ? undefined : await this.forPartner(node, answer.newer);
    return again ? send(again) : answer;
  }

  /** Returns a route to this partner through us, if our user carries connections. */
  carriedAs: (nodeID: string) => string | undefined = () => undefined;

  /**
   * Stores a partner's announced routes and returns undefined. If newer ones are stored, only returns their revision:
   * the partner's clock and data went back, and it has to announce a greater one. Throws `forbidden` without its
   * installation's signature, `conflict` for another certificate.
   */
  async storeReceived(
    nodeID: string,
    { revision, routes, proof }: RouteAnnouncement,
  ): Promise<number | undefined> {
    const { system } = this.#context;
    let newer = newerRevision(await findNode(system, nodeID), { revision, routes, proof });
    if (newer !== undefined) return newer;
    await changeNode(this.#context, nodeID, (node) => {
      newer = newerRevision(node, { revision, routes, proof });
      return newer === undefined ? { ...node, routes: { ...routes, revision } } : node;
    });
    return newer;
  }
}

/** Limits older versions' relay consents, for every port, to the routes' port, or removes them. */
export async function narrowRelayConsents(system: Partition): Promise<void> {
  const all = await system.page(NODES, { limit: 100_000 });
  for (const { key } of all.filter(({ value }) => isBroad(value.relayConsent))) {
    await system.transaction(async (tx) => {
      const node = await tx.get(NODES, key);
      if (!node?.relayConsent || !isBroad(node.relayConsent)) return;
      const { host } = node.relayConsent;
      const texts = [node.routes, node.pairing?.link.routes].flatMap((routes) => routes?.texts ?? []);
      const port = texts.map((text) => relayPort(text, host)).find((found) => found !== undefined);
      const narrowed = port === undefined ? {} : { relayConsent: { ...node.relayConsent, port } };
      tx.put(NODES, key, { ...omit(node, 'relayConsent'), ...narrowed });
    });
  }
}

const isBroad = (consent: Node['relayConsent']): boolean => consent !== undefined && !('port' in consent);

/** Returns a route's port; undefined unless it is a relay at `host`. */
function relayPort(text: string, host: string): number | undefined {
  const route = parseRoute(text);
  if (route?.kind !== 'relay') return undefined;
  const address = route.address.replace(/^footbridge-relay:/, 'https:');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.hostname.replace(/^\[|\]$/g, '') === host ? Number(url.port) || HTTPS_PORT : undefined;
}

const HTTPS_PORT = 443;

/**
 * Checks an announcement. Returns undefined to accept it, as its revision is greater or it repeats the stored one; else
 * the stored revision. Throws `forbidden` unless signed, `conflict` for another pin.
 */
function newerRevision(node: Node, { revision, routes, proof }: RouteAnnouncement): number | undefined {
  const { installation = '', sharedNodeID, certificate } = node;
  const text = signedText({ revision, routes, sender: sharedNodeID, receiver: ownIDOf(node) });
  if (!isDerivedFromKey(installation) || !isSignedBy(installation, text, proof))
    throw new Refusal('forbidden', 'routes.not-signed', 'The routes are not signed by the partner.');
  const { revision: known, ...before } = node.routes ?? NO_ROUTES_YET;
  const pin = before.pin === '' ? certificate : before.pin;
  if (routes.pin !== '' && pin !== undefined && routes.pin !== pin)
    throw new Refusal(
      'conflict',
      'routes.certificate',
      'The routes end at another certificate than the one that was paired with. Pair again.',
    );
  const isRepeated = revision === known && isSameRoutes(routes, before);
  return revision > known || isRepeated ? undefined : known;
}

const NO_ROUTES_YET = { ...NO_ROUTES, revision: -1 };

/** Returns the text that the sender's installation key signs. */
function signedText({
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
