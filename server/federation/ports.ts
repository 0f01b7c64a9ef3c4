import type { InstallationKey, InstallationProof } from '../base/installation-key.ts';
import type { AnnouncedRoutes } from '../base/routes.ts';
import type { Farewell, Node } from './model.ts';
import type { Dialect } from '../base/vocabulary.ts';

/** Seals what must not lie readable in the store. */
export interface Secrets {
  seal(plain: string): Promise<string>;
  /** @throws when it was sealed elsewhere or damaged */
  open(sealed: string): Promise<string>;
}

/** Who we are, as partners are told. */
export interface Office {
  /** Id of this data folder; rows carry it in `via`, so that a circle of partners ends. */
  readonly installation: string;
  /** What that id was made of; data folders of before there were keys have none. */
  readonly key?: InstallationKey;
  /** The office's name as of now; it stands in invites. */
  name(): string;
}

/** Where partners reach us. */
export interface OwnAddress {
  /** `--public-url` or its setting, when there is one. */
  readonly publicUrl?: string;
  /** Federation base of the listener, ending in `/federation`. */
  readonly listener: string;
  /** SHA-256 fingerprint (lower-case hex) of our own certificate, where callers see it and nobody vouches for it. */
  readonly certificate?: string;
  /** Further routes on which partners can reach us, and the certificate that all of them end at. */
  readonly routes?: AnnouncedRoutes;
}

/** What a Footbridge says of itself in a handshake (contract: handshakeGreeting). */
export interface Greeting {
  readonly baseURL: string;
  readonly installation: string;
  readonly proof?: InstallationProof | undefined;
  readonly office: string;
  /** Fingerprint of its own certificate, where that is what callers see at `baseURL`. */
  readonly certificate?: string | undefined;
  /** Its further routes; absent towards inviters whose version knows no routes. */
  readonly routes?: AnnouncedRoutes | undefined;
}

/** What a handshake tells the partner. Tokens are in clear; the call must not log them. */
export interface HandshakeCall {
  /** The whole invite URI. */
  readonly nodeURI: string;
  readonly inviteToken: string;
  /** The token that the partner is to call us with. */
  readonly token: string;
  /** The partner's id of the pair (node A). */
  readonly sharedNodeID: string;
  /** Our id of the pair (node B). */
  readonly nodeIDB: string;
  /** For Footbridges: where and who we are. */
  readonly own: Greeting;
}

/** What our yes tells the partner. Tokens are in clear. */
export interface CompleteCall {
  /** The partner's token, which opens the call. */
  readonly heldToken: string;
  /** Ours, for the partner. */
  readonly token: string;
  /** For Footbridges: that we are the installation that our token names. */
  readonly proof?: InstallationProof | undefined;
}

/**
 * What pairing asks of the partner's node. Calls reject with an error whose message is fit for the user:
 * named `PartnerRefused` (with `status`) or `PartnerEnded` when the partner said no, else it could not be asked.
 */
export interface PartnerCalls {
  /** Node B to node A. Answers what was found out on the way. */
  handshake(
    node: Node,
    call: HandshakeCall,
  ): Promise<{ readonly dialect?: Dialect; readonly footbridge: boolean; readonly baseURL: string }>;
  /**
   * Node A to node B: `heldToken` is B's, which opens the call; `token` is ours for B. Answers the federation
   * base that B was found at: the address that a user typed need not be whole.
   */
  complete(node: Node, call: CompleteCall): Promise<string>;
  /** Tells the partner that the connection ends, and why or with what request. Best effort. */
  goodbye(node: Node, call: Farewell & { readonly heldToken: string }): Promise<void>;
}

/** What changed, told after it is durable. */
export interface FederationChange {
  readonly kind: 'node' | 'exposure' | 'shared' | 'mapping';
  readonly nodeID: string;
  /** Exposure or shared module that it is about. */
  readonly moduleID?: string;
  /** Only our own user sees it, as the partner may read as before. */
  readonly ours?: boolean;
}
