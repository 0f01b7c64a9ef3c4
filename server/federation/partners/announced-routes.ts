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
import { NODES } from '../tables.ts';
import type { Invites } from './invites.ts';

/** Sent by a Footbridge to its partner when its routes change. */
export interface RouteAnnouncement {
  /** Greater than in every earlier announcement. */
  readonly revision: number;
  readonly routes: AnnouncedRoutes;
  readonly proof: InstallationProof;
  /** An older revision is answered with the one that is known; else it is refused. */
  readonly tellKnown?: true | undefined;
}

/** A partner's answer to our announcement; `known`: its revision of our routes, which is newer. */
interface AnnouncementAnswer {
  readonly known?: number | undefined;
  readonly carried?: string | undefined;
}

/** A partner can't raise our revision beyond this, so that there are always greater ones. */
const MAX_KNOWN = 2 ** 52;

const OWN: Table<{ readonly revision: number; readonly routes: string }> = { name: 'own-routes' };
const KEY = 'own';

/**
 * Address updates between paired Footbridges (docs/pairing.md: Address updates), signed by the installation:
 * a stolen token alone redirects nobody.
 */
export class RouteAnnouncements {
  readonly #context: FederationContext;
  readonly #invites: Pick<Invites, 'ownRoutes'>;

  constructor(context: FederationContext, invites: Pick<Invites, 'ownRoutes'>) {
    this.#context = context;
    this.#invites = invites;
  }

  /** Returns the number of our present routes; a new, greater one if they changed since the last call. */
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

  /** Returns our routes and their number, signed for this partner; undefined without an installation key. */
  async forPartner(node: Pick<Node, 'nodeID' | 'sharedNodeID'>): Promise<RouteAnnouncement | undefined> {
    const { key } = this.#context.office;
    if (!key) return undefined;
    const announcement = { revision: await this.revision(), routes: this.#invites.ownRoutes() };
    const text = textOf({ ...announcement, sender: node.nodeID, receiver: node.sharedNodeID });
    return { ...announcement, proof: signWith(key, text) };
  }

  /**
   * Sends our routes with `send`; once more with a greater number where the partner knows a newer one, as after a
   * backup of before a clock was corrected. Returns its answer, if any.
   */
  async announce(
    node: Pick<Node, 'nodeID' | 'sharedNodeID'>,
    send: (announcement: RouteAnnouncement) => Promise<AnnouncementAnswer>,
  ): Promise<AnnouncementAnswer> {
    const announcement = await this.forPartner(node);
    if (!announcement) return {};
    const answer = await send({ ...announcement, tellKnown: true });
    const { known } = answer;
    if (known === undefined || known < announcement.revision || known > MAX_KNOWN) return answer;
    await this.#context.system.transaction(async (tx) => {
      const own = await tx.get(OWN, KEY);
      if (own && own.revision <= known) tx.put(OWN, KEY, { ...own, revision: known + 1 });
    });
    const newer = await this.forPartner(node);
    return newer ? send(newer) : answer;
  }

  /** Returns a route by which others can call this partner through us, if our user carries connections. */
  carriedAs: (nodeID: string) => string | undefined = () => undefined;

  /**
   * Stores a partner's routes; returns the known revision of an older announcement that wants it. Throws `forbidden`
   * without its installation's signature, `conflict` for an older announcement or another certificate.
   */
  async received(nodeID: string, announcement: RouteAnnouncement): Promise<number | undefined> {
    const { system } = this.#context;
    const { revision, routes, tellKnown } = announcement;
    const before = await findNode(system, nodeID);
    refuseUnlessSigned(before, announcement);
    if (tellKnown && isOutdated(before, announcement)) return before.routes?.revision;
    refuseUnlessNewer(before, announcement);
    await changeNode(this.#context, nodeID, (node) => {
      refuseUnlessSigned(node, announcement);
      refuseUnlessNewer(node, announcement);
      return { ...node, routes: { ...routes, revision } };
    });
    return undefined;
  }
}

/** Limits relay consents of older versions, for a host's every port, to the routes' port, or removes them. */
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

/** Returns the port of this route if it is a relay at `host`; undefined for other routes. */
function relayPort(text: string, host: string): number | undefined {
  const route = parseRoute(text);
  if (route?.kind !== 'relay') return undefined;
  const address = route.address.replace(/^footbridge-relay:/, 'https:');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.hostname.replace(/^\[|\]$/g, '') === host ? Number(url.port) || HTTPS_PORT : undefined;
}

const HTTPS_PORT = 443;

/** Throws `forbidden` unless the partner's installation signed the announcement for this pair. */
function refuseUnlessSigned(node: Node, { revision, routes, proof }: RouteAnnouncement): void {
  const { installation = '', nodeID, sharedNodeID } = node;
  const text = textOf({ revision, routes, sender: sharedNodeID, receiver: nodeID });
  if (!isDerivedFromKey(installation) || !isSignedBy(installation, text, proof))
    throw new Refusal('forbidden', 'routes.not-signed', 'The routes are not signed by the partner.');
}

/** Throws `conflict` for an older announcement or another certificate than the partner's. */
function refuseUnlessNewer(node: Node, announcement: RouteAnnouncement): void {
  const { routes } = announcement;
  const { certificate, routes: before = NO_ROUTES_YET } = node;
  if (isOutdated(node, announcement))
    throw new Refusal('conflict', 'routes.outdated', 'Newer routes of the partner are known.');
  const pin = before.pin === '' ? certificate : before.pin;
  if (routes.pin !== '' && pin !== undefined && routes.pin !== pin)
    throw new Refusal(
      'conflict',
      'routes.certificate',
      'The routes end at another certificate than the one that was paired with. Pair again.',
    );
}

/** Returns whether newer or other routes of the same revision are known. */
function isOutdated(
  { routes: before = NO_ROUTES_YET }: Node,
  { revision, routes }: RouteAnnouncement,
): boolean {
  const isRepeated = revision === before.revision && isSameRoutes(routes, before);
  return revision <= before.revision && !isRepeated;
}

const NO_ROUTES_YET = { ...NO_ROUTES, revision: -1 };

/** Returns the text that is signed for an announcement. */
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
