import type { AnnouncedRoutes } from '../base/routes.ts';
import type { Dialect, Colour } from '../base/vocabulary.ts';
import type { FieldDescriptor } from '../lists/definitions/model.ts';
import type { Condition } from '../lists/query/condition.ts';
import type { TitlePins } from '../lists/rows/pinned-titles.ts';
import type { Words } from '../words/said.ts';
import type { UnsharedInterval } from './sharing/unshared-intervals.ts';
import type { TimeAnchor } from '../base/trusted-clock.ts';
import type { WordsInput } from './partners/words.ts';

/** `pending`, `pair_requested` and `paired` are sent; the others stay internal (docs/interface.md: Partners). */
export type NodeStatus = 'pending' | 'pair_requested' | 'paired' | 'failed' | 'unpaired';

/** A partner's record (protocol: Node). */
export interface Node {
  readonly nodeID: string;
  /** The partner's id of the pair: A's own id in live, `nodeIDB` in the shapes; "0" before. */
  readonly sharedNodeID: string;
  /** Our id of the pair at the partner, if not `nodeID`: its invite was made for a record that this one replaced. */
  readonly ownNodeID?: string;
  readonly name: string;
  readonly colour: Colour;
  readonly status: NodeStatus;
  /** The partner's federation base: without credentials, ends in `/federation`; empty while unknown. */
  readonly baseURL: string;
  readonly contact: string;
  readonly phone?: string;
  /** Shape 2 only: the domains given at creation. */
  readonly domain?: string;
  readonly myDomain?: string;
  readonly dialect?: Dialect;
  /** A script of this office last wrote the record in this dialect, which decides how it is read back. */
  readonly writtenIn?: Dialect;
  /** The partner is a Footbridge: it has change feed, long poll and token renewal. */
  readonly footbridge: boolean;
  /** Footbridges only: the partner's installation, as rows carry it in `via`. */
  readonly installation?: string;
  /** As `inviter` we are node A of the handshake, as `invitee` node B; absent if nobody has made an invite yet. */
  readonly role?: 'inviter' | 'invitee';
  /** Our invite, as inviter: only its hash is stored. */
  readonly invite?: { readonly hash: string; readonly expiresAt: string; readonly usedAt?: string };
  /** A pairing in progress; an existing connection continues until it is complete. */
  readonly pairing?: Pairing;
  /** Our token for calling the partner, encrypted; since when, and until when if it says so. */
  readonly sealedToken?: string;
  /** The previous token, encrypted: a Footbridge whose data went back knows only that one. */
  readonly sealedBefore?: string;
  readonly tokenSince?: string;
  readonly tokenExpiresAt?: string;
  /** It is `unpaired` only because its token expired by our clock. */
  readonly endedByTime?: true;
  /** Live servers only: the `tokenSince` of the connection over which it last offered a list. */
  readonly offersSince?: string;
  /** The SHA-256 fingerprint (lower-case hex) of the certificate pinned by the invite. */
  readonly certificate?: string;
  /** Footbridges only: further routes to the partner, as it last announced them. */
  readonly routes?: StoredRoutes;
  /** Our user's consent to call it through this relay of its invite. */
  readonly relayConsent?: {
    readonly by: string;
    readonly at: string;
    readonly host: string;
    readonly port: number;
  };
  /** Calls work one way only, as pairing and pulls have shown. */
  readonly reach?: 'they-call-us' | 'we-call-them';
  /** As inviter: the partner called from this network address. */
  readonly calledFrom?: string;
  /** The user said that this partner is on the office's own network: private addresses are allowed. */
  readonly ownNetwork: boolean;
  readonly paused?: Pause;
  /** It may not read since then, as our data went back and may lack revocations; our user ends that. */
  readonly unsure?: string;
  /** The verification words of this connection's pairing. */
  readonly words?: string;
  /** Somebody of this office confirmed that they are equal. */
  readonly wordsCompared?: Compared;
  /** The partner ended the connection and asks us to delete what it sent. */
  readonly removeRequestedAt?: string;
  /** Our user ended it and asks to delete what we sent; the partner learns it at its next call. */
  readonly asksRemovalAt?: string;
  /** Our user ended it because the words differed; the partner is told too. */
  readonly wordsDifferedAt?: string;
  /** The last step failed so. */
  readonly problem?: Words;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt?: string;
  readonly updatedBy?: string;
  readonly deletedAt?: string;
  /**
   * Our id of the record of our own request to this partner, if that waited when our user approved the partner's one.
   */
  readonly crosses?: string;
  /** With `deletedAt`: our id of the partner's record that stays, as the same office had two. */
  readonly replacedBy?: string;
}

/** The number of the announcement makes replayed older ones change nothing. */
export interface StoredRoutes extends AnnouncedRoutes {
  readonly revision: number;
}

export interface Farewell {
  /** Asks the other side to delete the rows that it sent. */
  readonly removeRequest?: boolean | undefined;
  readonly wordsDiffer?: boolean | undefined;
}

/** The user with the id `by` confirmed it; their name and whom they spoke to are optional. */
export interface Compared {
  readonly by: string;
  readonly at: string;
  readonly name?: string;
  readonly spokeTo?: string;
}

export interface Pause {
  readonly until?: string;
  /** It began then, if it has an end; only the system clock ends older records, which lack this. */
  readonly since?: TimeAnchor;
  /** False lets fetching continue; older versions paused it and recorded nothing. */
  readonly fetch?: boolean;
  /** It may not read what we share with it. */
  readonly serve?: boolean;
}

/** The connection data of one pairing changes as a whole, together with the token. */
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
  /** SHA-256 of the invite's secret identifies the pairing. */
  readonly invite: string;
  /** The partner's previous status is restored if this pairing is given up. */
  readonly was: NodeStatus;
  /** Footbridges only: the words are made of it, and of A's token, which is still to come. */
  readonly facts?: Omit<WordsInput, 'tokenA'>;
}

/** Their invite, accepted by us (node B). */
export interface Invited extends Begun {
  readonly as: 'invitee';
  readonly sealedInvite: string;
  /** The `jti` of the token made for their answer; stored first, so that a repeat sends the same one. */
  readonly ownToken?: string;
  /** They have received the request and decide. */
  readonly askedAt?: string;
}

/** Our invite, used by them (node A). */
export interface Asked extends Begun {
  readonly as: 'inviter';
  /** SHA-256 of the token that they gave. */
  readonly tokenHash: string;
  readonly sealedToken: string;
  readonly tokenSince?: string;
  readonly tokenExpiresAt?: string;
  /** Our user approved then; `token` is the `jti` of the one token made for it. */
  readonly yes?: { readonly at: string; readonly token: string; readonly words?: string };
}

/** A pairing in progress; docs/pairing.md has its states and invariants. */
export type Pairing = Invited | Asked;

/** A token issued to a partner; only its hash is stored (docs/pairing.md: What is kept, and what it opens). */
export interface IssuedToken {
  readonly jti: string;
  readonly nodeID: string;
  readonly hash: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** Elapsed time at its issue (`TrustedClock.elapsed`); absent in older records. */
  readonly seen?: number;
  readonly firstUsedAt?: string;
  readonly revokedAt?: string;
  /** While its pairing lasts: it opens only the answer to us, or its first use completes the pairing. */
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
  /** The list's ids of these columns, in the same order: another column of the same name isn't shared. */
  readonly fieldIDs: readonly string[];
  /** Its reference columns are sent as these titles; absent in older exposures. */
  readonly titlePins?: TitlePins;
  /** It includes these rows, or all if absent. Never sent. Once set it stays (docs/conditions.md). */
  readonly condition?: Condition;
  /** The condition came with older data: the rows that the partner knows must be recorded before it reads. */
  readonly unmirrored?: true;
  /** The shape of the last write decides how it is read back if a request doesn't say. */
  readonly shape: 1 | 2;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt?: string;
  readonly updatedBy?: string;
  /** It began and, if withdrawn, ended then, in the list's logical time; absent in older exposures. */
  readonly began?: string;
  readonly ended?: string;
  /** Later periods in which it was withdrawn: what came and went within one was never shared. */
  readonly gaps?: readonly UnsharedInterval[];
  /** Labels of columns that left the share because their kind changed since it was last chosen. */
  readonly retyped?: { readonly at: string; readonly columns: readonly string[] };
  /** Ids of columns that left the share because they were deleted. */
  readonly formerFieldIDs?: readonly string[];
  /** Likewise of columns that were sent in the place of references, of this list or another one. */
  readonly formerTitleIDs?: readonly string[];
  /**
   * Labels of the condition's columns that are gone or changed kind, none once all are back: no row is shared until our
   * user saves the share again.
   */
  readonly broken?: { readonly at: string; readonly columns: readonly string[] };
  /** Withdrawn: feeds answer 410, listings omit it; exposing again revives it under the same id. */
  readonly deletedAt?: string;
  /**
   * The id of the first exposure of this list to this installation, whose record was removed since: the partner
   * recognises the list by it. Absent for a first one.
   */
  readonly firstModuleID?: string;
  /** It was chosen for this installation, or this address of other software. Absent in older exposures. */
  readonly chosenFor?: string;
  /** It was for another installation than the record's present one: nothing revives it. */
  readonly ofAnother?: true;
}

export interface OfferedColumn extends FieldDescriptor {
  /** A stable column id distinguishes a renamed column from a new one with the same name. */
  readonly mark?: string;
}

export interface OfferedList {
  /** The exposure's id at the partner. */
  readonly externalFederationModuleID: string;
  /** The list's own ids at the partner (live and shape 1). */
  readonly externalComposeModuleID?: string;
  readonly externalComposeNamespaceID?: string;
  /** Footbridges only: the id of the list's first exposure to us, if this is a later one. */
  readonly externalFirstModuleID?: string;
  readonly handle: string;
  readonly name: string;
  readonly fields: readonly OfferedColumn[];
}

/** A shared module: our copy of a partner's exposure. `moduleID` is local. */
export interface SharedModule extends OfferedList {
  readonly moduleID: string;
  readonly nodeID: string;
  /** The installation that offered it last, empty for other software; absent in older offers. */
  readonly installation?: string;
  readonly createdAt: string;
  readonly updatedAt?: string;
  /** The partner no longer offers it. Received rows stay. */
  readonly withdrawnAt?: string;
  /** The user dismissed the offer; it comes back only if it changes. */
  readonly dismissedAt?: string;
}

export interface MatchedColumn extends FieldDescriptor {
  /** The list's id of it, which survives renames; absent if it has no such column, or the mapping is older. */
  readonly fieldID?: string;
}

export interface FieldMatch {
  readonly origin: OfferedColumn;
  readonly destination: MatchedColumn;
  /** It is out of use, since the partner or the user removed or changed a column. */
  readonly parked?: Words;
  readonly parkedBy?: 'partner' | 'us';
}

/** A module mapping: which of the partner's columns go into which of ours. */
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

/** A mapping that ended with its partner's record, by which the same list of the same office is recognised. */
export interface FormerMapping extends Mapping {
  /** The installation that offered the list, and the id of its first exposure there. */
  readonly installation: string;
  readonly externalFirstModuleID: string;
}
