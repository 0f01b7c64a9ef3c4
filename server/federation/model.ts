import type { AnnouncedRoutes } from '../base/routes.ts';
import type { Dialect, Colour } from '../base/vocabulary.ts';
import type { FieldDescriptor } from '../lists/definitions/model.ts';
import type { Condition } from '../lists/query/condition.ts';
import type { TitlePins } from '../lists/rows/pinned-titles.ts';
import type { Words } from '../words/said.ts';
import type { UnsharedInterval } from './sharing/unshared-intervals.ts';
import type { TimeAnchor } from '../base/trusted-clock.ts';
import type { WordsInput } from './partners/words.ts';

/** Only `pending`, `pair_requested` and `paired` are sent (docs/interface.md: Partners). */
export type NodeStatus = 'pending' | 'pair_requested' | 'paired' | 'failed' | 'unpaired';

/** A partner's record (protocol: Node). */
export interface Node {
  readonly nodeID: string;
  /** The partner's id of the pair: A's own id in live, `nodeIDB` in the shapes; "0" before. */
  readonly sharedNodeID: string;
  /** Our id of the pair at the partner if not `nodeID`: its invite was for a record that this one replaced. */
  readonly ownNodeID?: string;
  readonly name: string;
  readonly colour: Colour;
  readonly status: NodeStatus;
  /** The partner's federation base, ending in `/federation`, without credentials; empty if unknown. */
  readonly baseURL: string;
  readonly contact: string;
  readonly phone?: string;
  /** Shape 2 only: domains given at creation. */
  readonly domain?: string;
  readonly myDomain?: string;
  readonly dialect?: Dialect;
  /** A script of this office wrote it last in this dialect, and reads it back so. */
  readonly writtenIn?: Dialect;
  /** It has change feed, long poll and token renewal. */
  readonly footbridge: boolean;
  /** Footbridges only: its installation, as in rows' `via`. */
  readonly installation?: string;
  /** `inviter`: node A of the handshake, `invitee`: node B; absent without an invite. */
  readonly role?: 'inviter' | 'invitee';
  /** Our invite, as inviter; only its hash is stored. */
  readonly invite?: { readonly hash: string; readonly expiresAt: string; readonly usedAt?: string };
  /** In progress; an existing connection continues until it is complete. */
  readonly pairing?: Pairing;
  /** Our token for calling the partner. */
  readonly sealedToken?: string;
  /** The previous one: a Footbridge whose data went back knows only that. */
  readonly sealedBefore?: string;
  readonly tokenSince?: string;
  readonly tokenExpiresAt?: string;
  /** It is `unpaired` only because its token expired by our clock. */
  readonly endedByTime?: true;
  /** Live servers: the `tokenSince` of the connection over which it last offered a list. */
  readonly offersSince?: string;
  /** The certificate that its invite pinned: SHA-256, lower-case hex. */
  readonly certificate?: string;
  /** Footbridges only: further routes, as last announced. */
  readonly routes?: StoredRoutes;
  /** Our user's consent to call it through its invite's relay. */
  readonly relayConsent?: {
    readonly by: string;
    readonly at: string;
    readonly host: string;
    readonly port: number;
  };
  /** Calls work one way only, as pairing and pulls have shown. */
  readonly reach?: 'they-call-us' | 'we-call-them';
  /** As inviter: the network address from which the partner called. */
  readonly calledFrom?: string;
  /** Our user placed it on the office's own network: private addresses are allowed. */
  readonly ownNetwork: boolean;
  readonly paused?: Pause;
  /** Since then it may not read, as our data went back and may lack revocations; our user ends that. */
  readonly unsure?: string;
  /** The verification words of its pairing. */
  readonly words?: string;
  /** Somebody of this office confirmed that they are equal. */
  readonly wordsCompared?: Compared;
  /** The partner ended the connection and asks us to delete its rows. */
  readonly removeRequestedAt?: string;
  /** Our user ended it and asks to delete our rows, which the partner learns at its next call. */
  readonly asksRemovalAt?: string;
  /** Our user ended it as the words differed; the partner is told too. */
  readonly wordsDifferedAt?: string;
  /** Why the last step failed. */
  readonly problem?: Words;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt?: string;
  readonly updatedBy?: string;
  readonly deletedAt?: string;
  /** Our id of our own request, which waited when our user approved the partner's. */
  readonly crosses?: string;
  /** With `deletedAt`, as one office had two records: our id of the one that stays. */
  readonly replacedBy?: string;
}

/** Its number makes replayed older announcements change nothing. */
export interface StoredRoutes extends AnnouncedRoutes {
  readonly revision: number;
}

export interface Farewell {
  /** Asks the other side to delete the rows it sent. */
  readonly removeRequest?: boolean | undefined;
  readonly wordsDiffer?: boolean | undefined;
}

export interface Compared {
  readonly by: string;
  readonly at: string;
  readonly name?: string;
  readonly spokeTo?: string;
}

export interface Pause {
  readonly until?: string;
  /** The start of a pause with an end; older records lack it, so the system clock alone ends them. */
  readonly since?: TimeAnchor;
  /** False: fetching continues; absent in older records, which paused it. */
  readonly fetch?: boolean;
  /** True: it may not read what we share with it. */
  readonly serve?: boolean;
}

/** Connection data of one pairing, which changes as a whole, with the token. */
export type Link = Pick<
  Node,
  | 'baseURL'
  | 'domain'
  | 'sharedNodeID'
  | 'ownNodeID'
  | 'dialect'
  | 'footbridge'
  | 'installation'
  | 'certificate'
  | 'routes'
  | 'ownNetwork'
  | 'calledFrom'
  | 'reach'
  | 'relayConsent'
>;

interface Begun {
  readonly link: Link;
  /** SHA-256 of the invite's secret, which identifies the pairing. */
  readonly invite: string;
  /** The status to restore if the pairing is given up. */
  readonly was: NodeStatus;
  /** Footbridges only: with A's token, they make the verification words. */
  readonly facts?: Omit<WordsInput, 'tokenA'>;
}

/** Their invite, accepted by us (node B). */
export interface Invited extends Begun {
  readonly as: 'invitee';
  readonly sealedInvite: string;
  /** The `jti` of their answer's token, stored first, so that a repeat sends the same one. */
  readonly ownToken?: string;
  /** They have the request and decide. */
  readonly askedAt?: string;
}

/** Our invite, used by them (node A). */
export interface Asked extends Begun {
  readonly as: 'inviter';
  /** SHA-256 of their token. */
  readonly tokenHash: string;
  readonly sealedToken: string;
  readonly tokenSince?: string;
  readonly tokenExpiresAt?: string;
  /** Our user's approval; `token` is the `jti` of the only token made for it. */
  readonly yes?: { readonly at: string; readonly token: string; readonly words?: string };
}

/** A pairing in progress; states and invariants: docs/pairing.md. */
export type Pairing = Invited | Asked;

/** Stored as a hash (docs/pairing.md: What is kept, and what it opens). */
export interface IssuedToken {
  readonly jti: string;
  readonly nodeID: string;
  readonly hash: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** `TrustedClock.elapsed` at its issue; absent in older records. */
  readonly seen?: number;
  readonly firstUsedAt?: string;
  readonly revokedAt?: string;
  /** While pairing: it opens only the answer to us, or its first use completes the pairing. */
  readonly pairing?: 'answer' | 'first-use';
}

/** An exposed module: what one partner may see of one list. `moduleID` is the federation id. */
export interface Exposure {
  readonly moduleID: string;
  readonly nodeID: string;
  readonly composeModuleID: string;
  readonly composeNamespaceID: string;
  readonly handle: string;
  readonly name: string;
  readonly fields: readonly FieldDescriptor[];
  /** The list's ids of these columns, in order: another column of the same name isn't shared. */
  readonly fieldIDs: readonly string[];
  /** Titles sent for its references; absent in older exposures. */
  readonly titlePins?: TitlePins;
  /** Which rows it includes; default: all. Never sent. Once set it stays (docs/conditions.md). */
  readonly condition?: Condition;
  /** The condition came with older data: before the partner reads, rows it knows must be recorded. */
  readonly unmirrored?: true;
  /** The shape of the last write, in which it is read back by default. */
  readonly shape: 1 | 2;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt?: string;
  readonly updatedBy?: string;
  /** By the list's logical clock: its start and, if withdrawn, end; absent in older exposures. */
  readonly began?: string;
  readonly ended?: string;
  /** Later withdrawn periods: what came and went within one was never shared. */
  readonly gaps?: readonly UnsharedInterval[];
  /** Labels of columns that left since the last choice, as their kind changed. */
  readonly retyped?: { readonly at: string; readonly columns: readonly string[] };
  /** Columns that left the share by their deletion. */
  readonly formerFieldIDs?: readonly string[];
  /** Deleted columns, of any list, whose values stood for references. */
  readonly formerTitleIDs?: readonly string[];
  /**
   * Labels of the condition's columns that are gone or changed kind; empty once all are back. Shares no row until our
   * user saves the share again.
   */
  readonly broken?: { readonly at: string; readonly columns: readonly string[] };
  /** Withdrawn: feeds answer 410, listings omit it; exposing again revives its id. */
  readonly deletedAt?: string;
  /**
   * The list's first exposure to this installation, if that record was removed: the partner recognises the list by it.
   */
  readonly firstModuleID?: string;
  /** The installation, or other software's address, it was chosen for; absent in older exposures. */
  readonly chosenFor?: string;
  /** It was for an earlier installation of the partner: nothing revives it. */
  readonly ofAnother?: true;
}

export interface OfferedColumn extends FieldDescriptor {
  /** A stable id: distinguishes a renamed column from a new one of the same name. */
  readonly mark?: string;
}

export interface OfferedList {
  /** The exposure's id at the partner. */
  readonly externalFederationModuleID: string;
  /** The list's own ids there (live and shape 1). */
  readonly externalComposeModuleID?: string;
  readonly externalComposeNamespaceID?: string;
  /** Footbridges only: the list's first exposure to us, if this is a later one. */
  readonly externalFirstModuleID?: string;
  readonly handle: string;
  readonly name: string;
  readonly fields: readonly OfferedColumn[];
}

/** A shared module: our copy of a partner's exposure. `moduleID` is local. */
export interface SharedModule extends OfferedList {
  readonly moduleID: string;
  readonly nodeID: string;
  /** Who offered it last, '' for other software; absent in older offers. */
  readonly installation?: string;
  readonly createdAt: string;
  readonly updatedAt?: string;
  /** No longer offered. Received rows stay. */
  readonly withdrawnAt?: string;
  /** Dismissed by the user; it comes back only if it changes. */
  readonly dismissedAt?: string;
}

export interface MatchedColumn extends FieldDescriptor {
  /** The list's id of it, which survives renames; absent without such a column, or in older mappings. */
  readonly fieldID?: string;
}

export interface FieldMatch {
  readonly origin: OfferedColumn;
  readonly destination: MatchedColumn;
  /** Why it is out of use: the partner or the user removed or changed a column. */
  readonly parked?: Words;
  readonly parkedBy?: 'partner' | 'us';
}

/** A module mapping: which of the partner's columns fill which of ours. */
export interface Mapping {
  readonly nodeID: string;
  /** Our id of the shared module. */
  readonly federationModuleID: string;
  readonly composeModuleID: string;
  readonly composeNamespaceID: string;
  readonly fields: readonly FieldMatch[];
  readonly shape: 1 | 2;
  readonly createdAt: string;
  readonly updatedAt?: string;
}

/** Its partner's record ended. By it, the same list of the same office is recognised. */
export interface FormerMapping extends Mapping {
  /** The list's offerer, and its first exposure there. */
  readonly installation: string;
  readonly externalFirstModuleID: string;
}
