import type { InstallationKey, InstallationProof } from '../base/installation-key.ts';
import type { AnnouncedRoutes } from '../base/routes.ts';
import type { Farewell, Node } from './model.ts';
import type { Dialect } from '../base/vocabulary.ts';

export interface Secrets {
  seal(plain: string): Promise<string>;
  /** @throws if it was encrypted elsewhere or is damaged */
  open(sealed: string): Promise<string>;
}

export interface Office {
  /** This data folder's id, which rows carry in `via`. */
  readonly installation: string;
  /** The id is made of this key; older data folders have none. */
  readonly key?: InstallationKey;
  /** Returns the office's name as of now, as in invites. */
  name(): string;
}

export interface OwnAddress {
  /** `--public-url` or its setting, if any. */
  readonly publicUrl?: string;
  /** The listener's federation base, ending in `/federation`. */
  readonly listener: string;
  /** The SHA-256 fingerprint of our own certificate, if callers see it and no authority signed it. */
  readonly certificate?: string;
  /** Further routes on which partners can reach us, and the certificate of all of them. */
  readonly routes?: AnnouncedRoutes;
}

/** A Footbridge's data about itself in a handshake (contract: handshakeGreeting). */
export interface Greeting {
  readonly baseURL: string;
  readonly installation: string;
  readonly proof?: InstallationProof | undefined;
  readonly office: string;
  /** The fingerprint of its own certificate, if callers see it at `baseURL`. */
  readonly certificate?: string | undefined;
  /** Its further routes; absent for inviters whose version knows none. */
  readonly routes?: AnnouncedRoutes | undefined;
}

/** The tokens are in clear: don't log them. */
export interface HandshakeCall {
  readonly nodeURI: string;
  readonly inviteToken: string;
  /** The token with which the partner is to call us. */
  readonly token: string;
  /** The partner's id of the pair (node A). */
  readonly sharedNodeID: string;
  /** Our id of the pair (node B). */
  readonly nodeIDB: string;
  /** Only Footbridges use our identity and address. */
  readonly own: Greeting;
}

/** The tokens are in clear: don't log them. */
export interface CompleteCall {
  /** The partner's token, which authorises the call. */
  readonly heldToken: string;
  /** Our token for the partner. */
  readonly token: string;
  /** Only Footbridges use this proof of the installation that our token names. */
  readonly proof?: InstallationProof | undefined;
}

/** The calls of pairing to a partner; they reject with `RequestRefusedError` or `PartnerEndedError` if it refused. */
export interface PartnerCalls {
  /** Calls node A as node B. Returns what was detected on the way. */
  handshake(
    node: Node,
    call: HandshakeCall,
  ): Promise<{ readonly dialect?: Dialect; readonly footbridge: boolean; readonly baseURL: string }>;
  /** Calls node B as node A. Returns the federation base at which B was found. */
  complete(node: Node, call: CompleteCall): Promise<string>;
  goodbye(node: Node, call: Farewell & { readonly heldToken: string }): Promise<void>;
}

/** A change, announced after it is durable. */
export interface FederationChange {
  readonly kind: 'node' | 'exposure' | 'shared' | 'mapping';
  readonly nodeID: string;
  readonly moduleID?: string;
  /** Only our own user sees it: the partner's reading is unchanged. */
  readonly ours?: boolean;
}
