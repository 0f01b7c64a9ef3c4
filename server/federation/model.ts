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
  /** The partner's id of the pair: in live A's own, in the shapes `nodeIDB`; "0" before. */
  readonly sharedNodeID: string;
  /** Our id at the partner if not `nodeID`: its invite was for a replaced record. */
  readonly ownNodeID?: string;
  readonly name: string;
  readonly colour: Colour;
  readonly status: NodeStatus;
  /** The partner's federation base, ending in `/federation`; without credentials, empty if unknown. */
  readonly baseURL: string;
  readonly contact: string;
  readonly phone?: string;
  /** Shape 2 only: domains given at creation. */
  readonly domain?: string;
  readonly myDomain?: string;
  readonly dialect?: Dialect;
  /** Dialect of our scripts' last write, for reading it back. */
  readonly writtenIn?: Dialect;
  /** Has change feed, long poll and token renewal. */
  readonly footbridge: boolean;
  /** Footbridges only: its installation, as in rows' `via`. */
  readonly installation?: string;
  /** `inviter`: node A of the handshake, `invitee`: node B; absent without an invite. */
  readonly role?: 'inviter' | 'invitee';
  /** Our invite, as inviter; only its hash is stored. */
  readonly invite?: { readonly hash: string; readonly expiresAt: string; readonly usedAt?: string };
  /** An existing connection continues until it is complete. */
  readonly pairing?: Pairing;
  /** For calling the partner. */
  readonly sealedToken?: string;
  /** The previous one, for a Footbridge whose data went back. */
  readonly sealedBefore?: string;
  readonly tokenSince?: string;
  readonly tokenExpiresAt?: string;
  /** `unpaired` only because its token expired by our clock. */
  readonly endedByTime?: true;
  /** Live servers: the connection's `tokenSince` when it last offered a list. */
  readonly offersSince?: string;
  /** Pinned by its invite: SHA-256, lower-case hex. */
  readonly certificate?: string;
  /** Footbridges only: as last announced. */
  readonly routes?: StoredRoutes;
  /** Our user's consent to its invite's relay. */
  readonly relayConsent?: {
    readonly by: string;
    readonly at: string;
    readonly host: string;
    readonly port: number;
  };
  /** Calls work one way only, as observed. */
  readonly reach?: 'they-call-us' | 'we-call-them';
  /** As inviter: the address the partner called from. */
  readonly calledFrom?: string;
  /** The user allowed private addresses: it is on the office's network. */
  readonly ownNetwork: boolean;
  readonly paused?: Pause;
  /** Since then it may not read: our older data may lack revocations; our user ends that. */
  readonly unsure?: string;
  /** Verification words of its pairing. */
  readonly words?: string;
  /** Somebody here confirmed that they are equal. */
  readonly wordsCompared?: Compared;
  /** The partner disconnected and asks us to delete its rows. */
  readonly removeRequestedAt?: string;
  /** Our user disconnected and asks to delete our rows; the next call's answer says so. */
  readonly asksRemovalAt?: string;
  /** Our user disconnected as the words differed; the partner learns it. */
  readonly wordsDifferedAt?: string;
  /** Why the last step failed. */
  readonly problem?: Words;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt?: string;
  readonly updatedBy?: string;
  readonly deletedAt?: string;
  /** Our pending request, by our id, when our user approved the partner's. */
  readonly crosses?: string;
  /** With `deletedAt`: our id of the same office's other record, which stays. */
  readonly replacedBy?: string;
}

/** The revision guards against replay. */
export interface StoredRoutes extends AnnouncedRoutes {
  readonly revision: number;
}

export interface Farewell {
  /** Asks the other side to delete the sender's rows. */
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
  /** The start, if the pause has an end; without it (older records) the system clock alone ends them. */
  readonly since?: TimeAnchor;
  /** False: fetching continues; absent in older records, where it paused. */
  readonly fetch?: boolean;
  /** True: it may not read our shares. */
  readonly serve?: boolean;
}

/** One pairing's data, which changes as a whole, with the token. */
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
  /** SHA-256 of the invite's secret; identifies the pairing. */
  readonly invite: string;
  /** To restore if the pairing is given up. */
  readonly was: NodeStatus;
  /** Footbridges only: make the verification words, with A's token. */
  readonly facts?: Omit<WordsInput, 'tokenA'>;
}

/** Their invite; we are node B. */
export interface Invited extends Begun {
  readonly as: 'invitee';
  readonly sealedInvite: string;
  /** The `jti` of their answer's token, stored first so that repeats send the same one. */
  readonly ownToken?: string;
  /** They have the request. */
  readonly askedAt?: string;
}

/** Our invite; we are node A. */
export interface Asked extends Begun {
  readonly as: 'inviter';
  /** SHA-256 of their token. */
  readonly tokenHash: string;
  readonly sealedToken: string;
  readonly tokenSince?: string;
  readonly tokenExpiresAt?: string;
  /** Our user's approval; `token`: the `jti` of its only token. */
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
  /** `TrustedClock.elapsed` at issue; absent in older records. */
  readonly seen?: number;
  readonly firstUsedAt?: string;
  readonly revokedAt?: string;
  /** While pairing: opens only the answer to us, or completes the pairing by its first use. */
  readonly pairing?: 'answer' | 'first-use';
}

/** Exposed module: what one partner may see of a list. `moduleID` is the federation id. */
export interface Exposure {
  readonly moduleID: string;
  readonly nodeID: string;
  readonly composeModuleID: string;
  readonly composeNamespaceID: string;
  readonly handle: string;
  readonly name: string;
  readonly fields: readonly FieldDescriptor[];
  /** Column ids, in order: another column of the same name isn't shared. */
  readonly fieldIDs: readonly string[];
  /** Titles sent for its references; absent in older exposures. */
  readonly titlePins?: TitlePins;
  /** Default: all rows. Never sent. Once set it stays (docs/conditions.md). */
  readonly condition?: Condition;
  /** The condition came with older data: record known rows before the partner reads. */
  readonly unmirrored?: true;
  /** The shape of the last write, in which it is read back by default. */
  readonly shape: 1 | 2;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt?: string;
  readonly updatedBy?: string;
  /** Start, and end if withdrawn, by the list's logical clock; absent in older exposures. */
  readonly began?: string;
  readonly ended?: string;
  /** Withdrawn periods since: what came and went within one was never shared. */
  readonly gaps?: readonly UnsharedInterval[];
  /** Labels of columns that left since the last choice by a changed kind. */
  readonly retyped?: { readonly at: string; readonly columns: readonly string[] };
  /** Left the share by deletion. */
  readonly formerFieldIDs?: readonly string[];
  /** Deleted columns of any list that were reference titles. */
  readonly formerTitleIDs?: readonly string[];
  /**
   * Labels of the condition's missing or changed columns; empty once all are back. No row is shared until our
   * user saves the share again.
   */
  readonly broken?: { readonly at: string; readonly columns: readonly string[] };
  /** Withdrawn: feeds answer 410, listings omit it; a new exposure revives its id. */
  readonly deletedAt?: string;
  /**
   * The list's first exposure to this installation, if that record was removed: identifies the list to the
   * partner.
   */
  readonly firstModuleID?: string;
  /** Chosen for this installation, or other software's address; absent in older exposures. */
  readonly chosenFor?: string;
  /** For an earlier installation of the partner: nothing revives it. */
  readonly ofAnother?: true;
}

export interface OfferedColumn extends FieldDescriptor {
  /** A stable id: tells a renamed column from a new one of its name. */
  readonly mark?: string;
}

export interface OfferedList {
  /** The exposure's id at the partner. */
  readonly externalFederationModuleID: string;
  /** The list's ids there (live and shape 1). */
  readonly externalComposeModuleID?: string;
  readonly externalComposeNamespaceID?: string;
  /** Footbridges only: the list's first exposure to us, if not this. */
  readonly externalFirstModuleID?: string;
  readonly handle: string;
  readonly name: string;
  readonly fields: readonly OfferedColumn[];
}

/** Shared module: our copy of a partner's exposure. `moduleID` is local. */
export interface SharedModule extends OfferedList {
  readonly moduleID: string;
  readonly nodeID: string;
  /** The last offerer, '' for other software; absent in older offers. */
  readonly installation?: string;
  readonly createdAt: string;
  readonly updatedAt?: string;
  /** Received rows stay. */
  readonly withdrawnAt?: string;
  /** A change brings it back. */
  readonly dismissedAt?: string;
}

export interface MatchedColumn extends FieldDescriptor {
  /** Survives renames; absent without such a column, or in older mappings. */
  readonly fieldID?: string;
}

export interface FieldMatch {
  readonly origin: OfferedColumn;
  readonly destination: MatchedColumn;
  /** The reason: the partner or the user removed or changed a column. */
  readonly parked?: Words;
  readonly parkedBy?: 'partner' | 'us';
}

/** Module mapping: which of their columns fill which of ours. */
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
