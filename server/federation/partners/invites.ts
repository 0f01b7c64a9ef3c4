import { isIPv6 } from 'node:net';
import { plainName } from '../../base/plain-name.ts';
import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import { domainBase, domainOf, parseFederationBase, isOwnNetwork } from './addresses.ts';
import { changeNode, type FederationContext, findNode, anchorNow, nowOf } from '../context.ts';
import {
  formatRoute,
  isOneOffice,
  MAX_ROUTES,
  NO_ROUTES,
  parseRoute,
  type AnnouncedRoutes,
} from '../../base/routes.ts';
import { sha256 } from '../../base/hashes.ts';
import type { Invited, Node } from '../model.ts';
import type { Dialect } from '../../base/vocabulary.ts';
import { abandonPairing, beginPairing } from './pairing-state.ts';
import {
  formatNodeURI,
  newInviteSecret,
  parseNodeURI,
  unsignedInvite,
  withoutSecret,
  type NodeURI,
} from './node-uri.ts';
import type { Nodes } from './nodes.ts';
import { isConnected, isInUse, isOnlyInvited, removeRequest } from './crossed-requests.ts';
import { INVITES, NODES, ownIDOf, type Invite } from '../tables.ts';
import { said } from '../../words/said.ts';

export interface AcceptOptions {
  /** Default, also if empty: the invite's. */
  readonly name?: string;
  readonly contact?: string;
  readonly ownNetwork?: boolean;
  readonly myDomain?: string;
  /** Consent to this relay. */
  readonly relay?: { readonly host: string; readonly port: number };
  readonly writtenIn?: Dialect;
  /** The record to pair again; default: found by the invite, or made. */
  readonly nodeID?: string;
}

export interface InviteCheck {
  readonly uri: NodeURI;
  readonly secure: boolean;
  readonly needsOwnNetworkConsent: boolean;
  /** Our id of the partner. */
  readonly alreadyKnown?: string;
}

export interface FreshInvite {
  readonly uri: string;
  readonly expiresAt: string;
  /** All addresses are on our network. */
  readonly onlyNearby?: true;
}

const HTTPS_PORT = 443;
const LIFETIME_MS = 24 * 3_600_000;
/** Time that an invite and its record stay: it can be made again there. */
const KEEP_INVITE_MS = 8 * LIFETIME_MS;

/** Returns whether an invite expired by the system clock or, as that may be wrong, 24 hours of elapsed time. */
export function hasExpired(
  { expiresAt, made }: Pick<Invite, 'expiresAt' | 'made'>,
  { clock, known }: Pick<FederationContext, 'clock' | 'known'>,
): boolean {
  if (Date.parse(expiresAt) <= clock.now()) return true;
  return made !== undefined && known.elapsed() - made.seen >= LIFETIME_MS;
}

/**
 * Returns whether offices on other networks can call a route, as far as addresses tell. IPv6 addresses don't count, as
 * most routers block calls to them.
 */
export const areCallableFromElsewhere = (texts: readonly string[]): boolean =>
  texts.some((text) => {
    const route = parseRoute(text);
    if (route?.kind !== 'direct') return route !== undefined;
    return !isOwnNetwork(route.host) && !isIPv6(route.host);
  });

/** Issues and accepts invites (docs/pairing.md: The invite). */
export class Invites {
  readonly #context: FederationContext;
  readonly #nodes: Nodes;

  constructor(context: FederationContext, nodes: Nodes) {
    this.#context = context;
    this.#nodes = nodes;
  }

  /**
   * Makes an invite, usable once within 24 hours. Withdraws earlier ones and ends a pairing in progress. `answered`:
   * the partner's invite that we couldn't use, by which it finds its record of us.
   */
  async create(
    ourOrSharedID: string,
    answered?: Pick<NodeURI, 'secret' | 'baseURL' | 'certificate'>,
  ): Promise<FreshInvite> {
    const node = await findNode(this.#context.system, ourOrSharedID);
    const secret = newInviteSecret();
    const nodeID = ownIDOf(node);
    const hash = sha256(secret);
    const expiresAt = new Date(this.#context.clock.now() + LIFETIME_MS).toISOString();
    const certificate = this.ownPin(node);
    const pinned = certificate === undefined ? {} : { certificate };
    const routes = this.ownRoutes();
    const earlier = node.invite && (await this.#context.system.get(INVITES, node.invite.hash));
    const reply: Pick<Invite, 'replyTo' | 'answered'> = answered
      ? {
          replyTo: sha256(answered.secret),
          answered: { baseURL: answered.baseURL, certificate: answered.certificate },
        }
      : { replyTo: earlier?.replyTo, answered: earlier?.answered };
    const { ownNodeID } = node;
    const known = ownNodeID === undefined ? {} : { ownNodeID };
    const uri = formatNodeURI({
      // The partner finds us by it.
      nodeID,
      secret,
      baseURL: this.ownBaseURL(node),
      name: this.#context.office.name(),
      footbridge: true,
      ...(certificate === undefined
        ? { signature: this.#context.tokens.sign(unsignedInvite({ nodeID, secret })) }
        : pinned),
      routes,
      ...(reply.replyTo === undefined ? {} : { replyTo: reply.replyTo }),
    });
    const { baseURL } = parseNodeURI(uri);
    await changeNode(this.#context, node.nodeID, async (current, tx) => {
      for (const { value } of await tx.find(INVITES, 'node', node.nodeID)) {
        if (value.usedAt === undefined && value.withdrawnAt === undefined)
          tx.put(INVITES, value.hash, { ...value, withdrawnAt: nowOf(this.#context) });
      }
      tx.put(INVITES, hash, {
        ...{ hash, nodeID: node.nodeID, ...known, expiresAt, baseURL, ...pinned, routes, ...reply },
        made: anchorNow(this.#context),
      });
      const free = await abandonPairing(this.#context.tokens, tx, current);
      const invite = { hash, expiresAt };
      // Ended connections keep their role: they may continue.
      if (free.status !== 'pending' && free.status !== 'failed') return { ...free, invite };
      return { ...omit(free, 'problem'), status: 'pending', role: 'inviter', invite };
    });
    const onlyNearby = this.isOnlyNearby(node);
    return { uri, expiresAt, ...(onlyNearby ? { onlyNearby } : {}) };
  }

  /**
   * Removes records that only hold our invite, a week after it expired unused, if it replied to one that led nowhere,
   * or a partner of the same name is connected: that one invited us too. Returns how many. Records with contact details
   * or in use stay.
   */
  async removeUnusedInvites(): Promise<number> {
    const { system, known } = this.#context;
    const nodes = await this.#nodes.list();
    const connected = new Set(nodes.filter(isConnected).map(({ name }) => name.trim().toLowerCase()));
    let removed = 0;
    for (const { nodeID } of nodes.filter(isOnlyInvited)) {
      const isRemoved = await system.transaction(async (tx) => {
        const node = await tx.get(NODES, nodeID);
        const invite = node?.invite && (await tx.get(INVITES, node.invite.hash));
        const isOld = invite?.made !== undefined && known.elapsed() - invite.made.seen >= KEEP_INVITE_MS;
        if (!node || !isOld || !isOnlyInvited(node)) return false;
        if (invite.replyTo === undefined && !connected.has(node.name.trim().toLowerCase())) return false;
        if (node.contact !== '' || node.phone !== undefined || (await isInUse(tx, node))) return false;
        await removeRequest(this.#context, tx, node);
        return true;
      });
      if (!isRemoved) continue;
      this.#context.notifyChanged({ kind: 'node', nodeID });
      removed += 1;
    }
    return removed;
  }

  /**
   * Returns where partners call us: `--public-url`, else the partner's `myDomain` (by https if the listener has TLS),
   * else the listener.
   */
  ownBaseURL(node?: Pick<Node, 'myDomain'>): string {
    const { publicUrl, listener, certificate } = this.#context.ownAddress();
    if (publicUrl !== undefined && publicUrl !== '') return parseFederationBase(publicUrl);
    const domain = node?.myDomain?.trim() ?? '';
    if (domain === '') return parseFederationBase(listener);
    // A TLS listener accepts nothing else, private addresses included.
    return certificate !== undefined && !domain.includes('://')
      ? parseFederationBase(`https://${domain}`)
      : domainBase(domain);
  }

  /** Returns our certificate's fingerprint if {@link Invites.ownBaseURL} is https, else undefined. */
  ownPin(node?: Pick<Node, 'myDomain'>): string | undefined {
    return this.ownBaseURL(node).startsWith('https:') ? this.#context.ownAddress().certificate : undefined;
  }

  /** Returns our routes besides the main address, which may be none. */
  ownRoutes(): AnnouncedRoutes {
    return this.#context.ownAddress().routes ?? NO_ROUTES;
  }

  /**
   * Returns the routes to announce, first the main address if it ends at our certificate, which an invite names by
   * itself.
   */
  announcedRoutes(): AnnouncedRoutes {
    const routes = this.ownRoutes();
    const pin = this.ownPin();
    const { hostname, port, pathname } = new URL(this.ownBaseURL());
    // Another path is a proxy's; routes end at our own certificate.
    if (pin === undefined || pathname !== '/federation' || !isOneOffice(pin, routes)) return routes;
    const host = hostname.replace(/^\[|\]$/g, '');
    const main = formatRoute({ kind: 'direct', host, port: Number(port) || HTTPS_PORT });
    return { pin, texts: [...new Set([main, ...routes.texts])].slice(0, MAX_ROUTES) };
  }

  /** Returns whether only offices on our own network can call us, as far as addresses tell. */
  isOnlyNearby(node?: Pick<Node, 'myDomain'>): boolean {
    if (!isOwnNetwork(new URL(this.ownBaseURL(node)).hostname)) return false;
    return !areCallableFromElsewhere(this.ownRoutes().texts);
  }

  /** Returns the pair's invite without its secret: the partner's if they invited us, else ours. */
  uriForDisplay(node: Node): string {
    if (node.role === 'invitee')
      return withoutSecret({
        nodeID: node.sharedNodeID,
        baseURL: node.baseURL,
        name: node.name,
        footbridge: node.footbridge,
      });
    const name = this.#context.office.name();
    return withoutSecret({ nodeID: ownIDOf(node), baseURL: this.ownBaseURL(node), name, footbridge: true });
  }

  /** Parses a pasted invite; returns what the user must know. Throws `invite.malformed`, `invite.own`. */
  async inspect(text: string): Promise<InviteCheck> {
    const uri = parseNodeURI(text);
    if (await this.#context.system.get(INVITES, sha256(uri.secret)))
      throw new Refusal('impossible', 'invite.own', said('invite.own'));
    const known = await this.#knownPartner(uri);
    const { protocol, hostname } = new URL(uri.baseURL);
    return {
      uri,
      secure: protocol === 'https:',
      needsOwnNetworkConsent: isOwnNetwork(hostname),
      ...(known ? { alreadyKnown: known.nodeID } : {}),
    };
  }

  /**
   * Stores a pasted invite as the partner's pairing in place of another; a known one continues. Makes a record if
   * needed. Sends nothing; a connection continues. Throws `invite.malformed`, `invite.own`, `node.unknown`,
   * `node.too-many`.
   */
  async accept(pasted: string, options: AcceptOptions, by: string): Promise<Node> {
    const { uri, needsOwnNetworkConsent, alreadyKnown } = await this.inspect(pasted);
    const sealedInvite = await this.#context.secrets.seal(formatNodeURI(uri));
    const target = options.nodeID ?? alreadyKnown;
    const name = plainName((options.name ?? '').trim() || uri.name || domainOf(uri.baseURL));
    const ownNetwork = options.ownNetwork ?? needsOwnNetworkConsent;
    const node =
      target === undefined
        ? await this.#nodes.create({ name, baseURL: uri.baseURL, ownNetwork }, by)
        : await findNode(this.#context.system, target);
    return changeNode(this.#context, node.nodeID, async (current, tx) => {
      // A working connection keeps the name under which its words were compared.
      const isConnected = current.status === 'paired';
      const announcement = {
        ...(isConnected || (options.name ?? '').trim() === '' ? {} : { name }),
        ...(isConnected || options.contact === undefined ? {} : { contact: options.contact }),
        ...(options.myDomain === undefined ? {} : { myDomain: options.myDomain }),
        ...(options.writtenIn === undefined ? {} : { writtenIn: options.writtenIn }),
      };
      const consent = options.relay && {
        relayConsent: { by, at: nowOf(this.#context), ...options.relay },
      };
      const myDomain = options.myDomain ?? current.myDomain;
      const isSameWay = myDomain === current.myDomain && ownNetwork === current.pairing?.link.ownNetwork;
      if (current.pairing?.as === 'invitee' && isSameWay && (await this.#wasUsed(current.pairing, uri))) {
        const pairing = {
          ...current.pairing,
          ...(uri.signature === undefined ? {} : { sealedInvite }),
        };
        const known = { ...current, ...announcement, pairing };
        return consent ? beginPairing(known, { ...pairing, link: { ...pairing.link, ...consent } }) : known;
      }
      const free = await abandonPairing(this.#context.tokens, tx, current);
      return beginPairing(
        { ...free, ...announcement },
        {
          as: 'invitee',
          sealedInvite,
          invite: sha256(uri.secret),
          was: free.status,
          link: {
            baseURL: uri.baseURL,
            domain: domainOf(uri.baseURL),
            sharedNodeID: uri.nodeID,
            ...(current.ownNodeID === undefined ? {} : { ownNodeID: current.ownNodeID }),
            footbridge: uri.footbridge,
            ownNetwork,
            ...(uri.certificate === undefined ? {} : { certificate: uri.certificate }),
            ...(uri.routes ? { routes: { ...uri.routes, revision: 0 } } : {}),
            ...consent,
          },
        },
      );
    });
  }

  /**
   * Returns the inviting partner: the one whose record has the invite or is of the same pair, else the only one that
   * answered with its certificate, the one whose invite it answers, or the only one at its address that is unconnected
   * or, with https, a Footbridge. Undefined if none or several match.
   */
  async #knownPartner(uri: NodeURI): Promise<Node | undefined> {
    const nodes = await this.#nodes.list();
    const there = nodes.filter(({ baseURL }) => baseURL === uri.baseURL);
    const shown = nodes.filter(
      ({ certificate }) => certificate !== undefined && certificate === uri.certificate,
    );
    const invite = sha256(uri.secret);
    const taken = nodes.find(({ pairing }) => pairing?.as === 'invitee' && pairing.invite === invite);
    if (taken) return taken;
    const samePair = [...there, ...shown].find(({ sharedNodeID }) => sharedNodeID === uri.nodeID);
    if (samePair) return samePair;
    // A certificate without an answer yet may be another office's.
    const pinned = shown.filter(({ reach }) => reach !== 'they-call-us');
    // Of two connections to one office, only the user knows which.
    if (pinned.length === 1) return pinned[0];
    const answering = await this.#answeredPartner(uri, nodes);
    if (answering) return answering;
    const [only, ...more] = there.filter(
      ({ status, dialect, role, footbridge }) =>
        status === 'unpaired' ||
        status === 'failed' ||
        // Without a pin, an authority vouches for an https address.
        (footbridge && uri.certificate === undefined && uri.baseURL.startsWith('https:')) ||
        (role === 'invitee' && (dialect === 'live' || status === 'pending')),
    );
    return more.length === 0 ? only : undefined;
  }

  /**
   * Returns the partner to whose invite this one replies; undefined if it was ever connected, as anyone could write
   * such a reply.
   */
  async #answeredPartner({ replyTo }: NodeURI, nodes: readonly Node[]): Promise<Node | undefined> {
    const ours = replyTo === undefined ? undefined : await this.#context.system.get(INVITES, replyTo);
    return nodes.find(
      ({ nodeID, status, sealedToken }) =>
        nodeID === ours?.nodeID && status === 'pending' && sealedToken === undefined,
    );
  }

  /**
   * Returns whether a token was made for this very invite, which is good for one request only; false if the stored
   * invite can't be decrypted.
   */
  async #wasUsed({ sealedInvite, ownToken }: Invited, invite: NodeURI): Promise<boolean> {
    if (ownToken === undefined) return false;
    const used = await this.#context.secrets.open(sealedInvite).catch(() => undefined);
    // Older versions stored neither checksum nor signature.
    const canonical = (uri: NodeURI): string => formatNodeURI(omit(uri, 'signature'));
    return used !== undefined && canonical(parseNodeURI(used)) === canonical(invite);
  }
}
