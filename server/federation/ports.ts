import type { InstallationKey, InstallationProof } from '../base/installation-key.ts';
import type { AnnouncedRoutes } from '../base/routes.ts';
import type { Farewell, Node } from './model.ts';
import type { Dialect } from '../base/vocabulary.ts';

/** Encrypts what must not be readable in the store. */
export interface Secrets {
  seal(plain: string): Promise<string>;
  /** @throws if it was encrypted elsewhere or is damaged */
  open(sealed: string): Promise<string>;
}

/** Our identity, as partners are told. */
export interface Office {
  /** Id of this data folder, which rows carry in `via`. */
  readonly installation: string;
  /** The key that the id is made of; older data folders have none. */
  readonly key?: InstallationKey;
  /** The office's name as of now, as in invites. */
  name(): string;
}

/** Where partners reach us. */
export interface OwnAddress {
  /** `--public-url` or its setting, if any. */
  readonly publicUrl?: string;
  /** Federation base of the listener, ending in `/federation`. */
  readonly listener: string;
  /** SHA-256 fingerprint of our own certificate, if callers see it and no authority signed it. */
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
  /** Fingerprint of its own certificate, if callers see it at `baseURL`. */
  readonly certificate?: string | undefined;
  /** Its further routes; absent for inviters whose version knows none. */
  readonly routes?: AnnouncedRoutes | undefined;
}

/** Content of a handshake. Tokens are in clear; don't log them. */
export interface HandshakeCall {
  readonly nodeURI: string;
  readonly inviteToken: string;
  /** The token with which the partner is to call us. */
  readonly token: string;
  /** The partner's id of the pair (node A). */
  readonly sharedNodeID: string;
  /** Our id of the pair (node B). */
  readonly nodeIDB: string;
  /** For Footbridges: our identity and address. */
  readonly own: Greeting;
}

/** Content of our approval. Tokens are in clear. */
export interface CompleteCall {
  /** The partner's token, which authorises the call. */
  readonly heldToken: string;
  /** Ours, for the partner. */
  readonly token: string;
  /** For Footbridges: proof of the installation that our token names. */
  readonly proof?: InstallationProof | undefined;
}

/** The calls of pairing to a partner; reject with `RequestRefusedError` or `PartnerEndedError` if it refused. */
export interface PartnerCalls {
  /** Node B to node A. Returns what was detected on the way. */
  handshake(
    node: Node,
    call: HandshakeCall,
  ): Promise<{ readonly dialect?: Dialect; readonly footbridge: boolean; readonly baseURL: string }>;
  /** Node A to node B. Returns the federation base at which B was found. */
  complete(node: Node, call: CompleteCall): Promise<string>;
  /** Tells the partner that the connection ends. */
  goodbye(node: Node, call: Farewell & { readonly heldToken: string }): Promise<void>;
}

/** A change, announced after it is durable. */
export interface FederationChange {
  readonly kind: 'node' | 'exposure' | 'shared' | 'mapping';
  readonly nodeID: string;
  /** The exposure or shared module concerned. */
  readonly moduleID?: string;
  /** Only our own user sees it: the partner's reading is unchanged. */
  readonly ours?: boolean;
}
