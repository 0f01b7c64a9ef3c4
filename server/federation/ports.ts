import type { InstallationKey, InstallationProof } from '../base/installation-key.ts';
import type { AnnouncedRoutes } from '../base/routes.ts';
import type { Farewell, Node } from './model.ts';
import type { Dialect } from '../base/vocabulary.ts';

export interface Secrets {
  /** Encrypts a text for this office only. */
  seal(plain: string): Promise<string>;
  /**
   * Decrypts a text.
   * @throws if foreign or damaged
   */
  open(sealed: string): Promise<string>;
}

export interface Office {
  /** The data folder's id, as in `via`. */
  readonly installation: string;
  /** The id is made of it; older data folders have none. */
  readonly key?: InstallationKey;
  /** Returns the present name, as in invites. */
  name(): string;
}

export interface OwnAddress {
  /** `--public-url` or its setting. */
  readonly publicUrl?: string;
  /** Federation base, ending in `/federation`. */
  readonly listener: string;
  /** Our own certificate's SHA-256, if callers see it and no authority signed it. */
  readonly certificate?: string;
  /** Further routes and their certificate. */
  readonly routes?: AnnouncedRoutes;
}

/** A Footbridge's self-description in a handshake (contract: handshakeGreeting). */
export interface Greeting {
  readonly baseURL: string;
  readonly installation: string;
  readonly proof?: InstallationProof | undefined;
  readonly office: string;
  /** Fingerprint of its own, if seen at `baseURL`. */
  readonly certificate?: string | undefined;
  /** Absent for inviters of older versions. */
  readonly routes?: AnnouncedRoutes | undefined;
}

/** In clear: don't log its tokens. */
export interface HandshakeCall {
  readonly nodeURI: string;
  readonly inviteToken: string;
  /** A Footbridge's invite as a token: only who proves that it issued it gets the request. */
  readonly signedInvite?: string | undefined;
  /** For the partner to call us. */
  readonly token: string;
  /** The partner's id (node A). */
  readonly sharedNodeID: string;
  /** Our id (node B). */
  readonly nodeIDB: string;
  /** Ignored by other software. */
  readonly own: Greeting;
}

/** In clear: don't log its tokens. */
export interface CompleteCall {
  /** The partner's; authorises the call. */
  readonly heldToken: string;
  readonly token: string;
  /** Footbridges only: of the installation our token names. */
  readonly proof?: InstallationProof | undefined;
}

/** Reject with `RequestRefusedError` if the partner, or another server in its place, refused. */
export interface PartnerCalls {
  /** Calls node A as node B. Returns what it detected. */
  handshake(
    node: Node,
    call: HandshakeCall,
  ): Promise<{ readonly dialect?: Dialect; readonly footbridge: boolean; readonly baseURL: string }>;
  /** Calls node B as node A; returns B's federation base. */
  complete(node: Node, call: CompleteCall): Promise<string>;
  /** `isDecline`: says no to a request, whose token is `heldToken`. */
  goodbye(
    node: Node,
    call: Farewell & { readonly heldToken: string; readonly isDecline?: boolean },
  ): Promise<void>;
}

/** Announced after it is durable. */
export interface FederationChange {
  readonly kind: 'node' | 'exposure' | 'shared' | 'mapping';
  readonly nodeID: string;
  readonly moduleID?: string;
  /** Visible to our user only. */
  readonly ours?: boolean;
}
