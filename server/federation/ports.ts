import type { InstallationKey, InstallationProof } from '../base/installation-key.ts';
import type { AnnouncedRoutes } from '../base/routes.ts';
import type { Farewell, Node } from './model.ts';
import type { Dialect } from '../base/vocabulary.ts';

export interface Secrets {
  /** Encrypts a text so that only this office can {@link open} it. */
  seal(plain: string): Promise<string>;
  /**
   * Decrypts a text.
   * @throws if encrypted elsewhere or damaged
   */
  open(sealed: string): Promise<string>;
}

export interface Office {
  /** This data folder's id, as in rows' `via`. */
  readonly installation: string;
  /** The id is made of it; older data folders have none. */
  readonly key?: InstallationKey;
  /** Returns the present name, as in invites. */
  name(): string;
}

export interface OwnAddress {
  /** `--public-url` or its setting. */
  readonly publicUrl?: string;
  /** The listener's federation base, ending in `/federation`. */
  readonly listener: string;
  /** Our own certificate's SHA-256 fingerprint, if callers see it and no authority signed it. */
  readonly certificate?: string;
  /** Further routes to us, and the certificate of all of them. */
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
  /** Further routes; absent for inviters whose version knows none. */
  readonly routes?: AnnouncedRoutes | undefined;
}

/** In clear: don't log its tokens. */
export interface HandshakeCall {
  readonly nodeURI: string;
  readonly inviteToken: string;
  /** A Footbridge's invite as a token: only who proves that it issued it gets the request. */
  readonly signedInvite?: string | undefined;
  /** With it the partner is to call us. */
  readonly token: string;
  /** The partner's id of the pair (node A). */
  readonly sharedNodeID: string;
  /** Our id of the pair (node B). */
  readonly nodeIDB: string;
  /** Ignored by other software. */
  readonly own: Greeting;
}

/** In clear: don't log its tokens. */
export interface CompleteCall {
  /** The partner's token, which authorises the call. */
  readonly heldToken: string;
  readonly token: string;
  /** Footbridges only: proves the installation that our token names. */
  readonly proof?: InstallationProof | undefined;
}

/** Calls of pairing; reject with `RequestRefusedError` if the partner, or another server in its place, refused. */
export interface PartnerCalls {
  /** Calls node A as node B. Returns what it detected. */
  handshake(
    node: Node,
    call: HandshakeCall,
  ): Promise<{ readonly dialect?: Dialect; readonly footbridge: boolean; readonly baseURL: string }>;
  /** Calls node B as node A. Returns B's federation base. */
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
  /** Only our own user sees it: the partner reads the same. */
  readonly ours?: boolean;
}
