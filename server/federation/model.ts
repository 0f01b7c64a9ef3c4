import type { AnnouncedRoutes } from '../base/routes.ts';
import type { Dialect, Colour } from '../base/vocabulary.ts';
import type { FieldDescriptor } from '../lists/definitions/model.ts';
import type { Condition } from '../lists/query/condition.ts';
import type { TitlePins } from '../lists/rows/pinned-titles.ts';
import type { Words } from '../words/said.ts';
import type { Gap } from './sharing/gaps.ts';
import type { PassedMark } from '../base/known-time.ts';
import type { WordsInput } from './partners/words.ts';

/** `pending`, `pair_requested` and `paired` travel; the others stay inside (docs/interface.md: Partners). */
export type NodeStatus = 'pending' | 'pair_requested' | 'paired' | 'failed' | 'unpaired';

/** What stands for the other side (protocol: Node). */
export interface Node {
  readonly nodeID: string;
  /** The counterpart's id for the pair: A's own id in live, `nodeIDB` in the shapes; "0" before. */
  readonly sharedNodeID: string;
  readonly name: string;
  /** By which people tell it from the others; its own from the first day, or as the user chose. */
  readonly colour: Colour;
  readonly status: NodeStatus;
  /** The partner's federation base: no credentials, ends in `/federation`; empty while unknown. */
  readonly baseURL: string;
  readonly contact: string;
  /** The telephone number of the people there, as our user wrote it. */
  readonly phone?: string;
  /** Shape 2 only: the domains given at creation. */
  readonly domain?: string;
  readonly myDomain?: string;
  /** Undefined until found out. */
  readonly dialect?: Dialect;
  /** The dialect in which a script of this office wrote it last; decides how it is read back. */
  readonly writtenIn?: Dialect;
  /** The partner is a Footbridge: change feed, long poll, token renewal. */
  readonly footbridge: boolean;
  /** Footbridges only: the id of the partner's installation, as rows carry it in `via`. */
  readonly installation?: string;
  /** Who made the invite: `inviter` is node A of the handshake, `invitee` node B. Undefined: neither yet. */
  readonly role?: 'inviter' | 'invitee';
  /** Our invite, as inviter: only its hash is kept. */
  readonly invite?: { readonly hash: string; readonly expiresAt: string; readonly usedAt?: string };
  /** A pairing under way; a connection that there is already goes on as it was until this one completes. */
  readonly pairing?: Pairing;
  /** The token that we hold for calling the partner, sealed; since when, and when it ends, if it says so. */
  readonly sealedToken?: string;
  /** The one that it took the place of, sealed: a Footbridge whose data went back knows only that. */
  readonly sealedBefore?: string;
  readonly tokenSince?: string;
  readonly tokenExpiresAt?: string;
  /** It is `unpaired` as that end had come by our clock, and for no other reason. */
  readonly endedByTime?: true;
  /** Live servers only: the `tokenSince` of the connection over which it last offered a list. */
  readonly offersSince?: string;
  /** Fingerprint (SHA-256, lower-case hex) of the certificate that the invite pinned. */
  readonly certificate?: string;
  /** Further routes to the partner, Footbridges only: the latest that it announced. */
  readonly routes?: StoredRoutes;
  /** Our user allowed to call the partner through the relay on this host, which its invite named: who, and when. */
  readonly relayConsent?: { readonly by: string; readonly at: string; readonly host: string };
  /** Set where calls get through one way only, as pairing and pulls have shown. */
  readonly reach?: 'they-call-us' | 'we-call-them';
  /** As inviter: the network address that the partner asked from. */
  readonly calledFrom?: string;
  /** The user said that this partner is on the office's own network: private addresses are allowed. */
  readonly ownNetwork: boolean;
  readonly paused?: Pause;
  /**
   * Since when it reads nothing, as our data went back and may lack what our user had taken back from it: until they
   * have looked and said yes.
   */
  readonly unsure?: string;
  /** The short words both sides compare by telephone, of the pairing that this connection came from. */
  readonly words?: string;
  /** Who of this office noted that they are the same at the partner's, and when. */
  readonly wordsCompared?: Compared;
  /** The partner ended the connection and asks us to remove what we received from it. */
  readonly removeRequestedAt?: string;
  /** Our user ended it and asks to remove what we sent: the partner is told at its next call, if not before. */
  readonly asksRemovalAt?: string;
  /** Our user ended it as the words were not the same on both sides: the partner is told as well. */
  readonly wordsDifferedAt?: string;
  /** Why the last step failed, in plain words. */
  readonly problem?: Words;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt?: string;
  readonly updatedBy?: string;
  readonly deletedAt?: string;
}

/** A partner's routes, with the number of its announcement: older ones, replayed, change nothing. */
export interface StoredRoutes extends AnnouncedRoutes {
  readonly revision: number;
}

/** What a side that ends the connection says with it. */
export interface Farewell {
  /** It asks the other side to remove the rows that it sent. */
  readonly removeRequest?: boolean | undefined;
  /** The verification words were not the same on both sides. */
  readonly wordsDiffer?: boolean | undefined;
}

/** Who noted it: the user's id and, where they gave it, their name and the name of whom they spoke to. */
export interface Compared {
  readonly by: string;
  readonly at: string;
  readonly name?: string;
  readonly spokeTo?: string;
}

/** What our user stopped with one partner, until then if a time is given; `pausing.ts` says what it means. */
export interface Pause {
  readonly until?: string;
  /** When it began, where it has an end; absent in pauses of before: of these the clock decides. */
  readonly since?: PassedMark;
  /** We do not fetch from it; absent (as older versions kept it): neither. */
  readonly fetch?: boolean;
  /** It may not read what we share with it. */
  readonly serve?: boolean;
}

/** The way to a partner, as one pairing told it: it changes as a whole, and together with the token. */
export type Link = Pick<
  Node,
  | 'baseURL'
  | 'domain'
  | 'sharedNodeID'
  | 'dialect'
  | 'footbridge'
  | 'installation'
  | 'certificate'
  | 'routes'
  | 'ownNetwork'
  | 'calledFrom'
  | 'reach'
>;

interface Begun {
  readonly link: Link;
  /** SHA-256 of the invite's secret: which pairing this is. */
  readonly invite: string;
  /** The partner's status before; it returns when this pairing is given up. */
  readonly was: NodeStatus;
  /** What both sides told, for the words of Footbridges: all but the token that is still to come. */
  readonly facts?: Omit<WordsInput, 'tokenA'>;
}

/** Their invite, taken in by us (node B). */
export interface Invited extends Begun {
  readonly as: 'invitee';
  /** The whole URI, sealed by the secret box. */
  readonly sealedInvite: string;
  /** `jti` of the token that we made for their answer; there from before it is told, so that it stays one. */
  readonly ownToken?: string;
  /** They have taken the invite, and decide. */
  readonly askedAt?: string;
}

/** Our invite, used by them (node A). */
export interface Asked extends Begun {
  readonly as: 'inviter';
  /** SHA-256 of the token that they gave; and the token, sealed, for our answer. */
  readonly tokenHash: string;
  readonly sealedToken: string;
  readonly tokenSince?: string;
  readonly tokenExpiresAt?: string;
  /** Our user's yes: when, the one token that it gave (its `jti`), and the words, which are fixed with it. */
  readonly yes?: { readonly at: string; readonly token: string; readonly words?: string };
}

/** A pairing under way; docs/pairing.md has its states, and what never happens. */
export type Pairing = Invited | Asked;

/** A token that we issued to a partner; only its hash is kept (docs/pairing.md: What is kept, and what it opens). */
export interface IssuedToken {
  readonly jti: string;
  readonly nodeID: string;
  readonly hash: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** How much time had been seen to pass when it was made (`KnownTime.seen`); absent in those of before. */
  readonly seen?: number;
  readonly firstUsedAt?: string;
  readonly revokedAt?: string;
  /** While its pairing is under way: it opens the answer to us alone, or its first use completes the pairing. */
  readonly pairing?: 'answer' | 'first-use';
}

/** Exposed module: what one partner may see of one list. `moduleID` is the federation id. */
export interface Exposure {
  readonly moduleID: string;
  readonly nodeID: string;
  readonly composeModuleID: string;
  readonly composeNamespaceID: string;
  readonly handle: string;
  readonly name: string;
  readonly fields: readonly FieldDescriptor[];
  /** The list's own ids of these columns, in the same order: another column of the same name is not shared. */
  readonly fieldIDs: readonly string[];
  /** What its columns that refer to rows leave as; absent in exposures of before there were pins. */
  readonly titlePins?: TitlePins;
  /**
   * Which rows it gives; absent: all, and so it always was. It never leaves. Once there was one, it stays, be it that
   * every row meets it: what the partner knows is kept by it (docs/conditions.md).
   */
  readonly condition?: Condition;
  /**
   * It got the condition where older data came back that was of before it had one: what the partner knows of the rows has
   * to be written down before any of them is read.
   */
  readonly unmirrored?: true;
  /** The shape it was last written in decides how it is read back where a request does not say. */
  readonly shape: 1 | 2;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt?: string;
  readonly updatedBy?: string;
  /**
   * When it began and, where it is withdrawn, ended, in the list's own time (`Rows.drawLine`): by the computer's clock
   * the deletion of a row may seem older than the share. Absent in exposures of before; of these the clock decides.
   */
  readonly began?: string;
  readonly ended?: string;
  /** The same of the times since during which it was withdrawn: what came and went in one of them was never shared. */
  readonly gaps?: readonly Gap[];
  /** Columns, as they were labelled, that left the share by themselves since it was chosen last: their kind changed. */
  readonly retyped?: { readonly at: string; readonly columns: readonly string[] };
  /** Ids of columns that left the share as they were deleted, since it was chosen last: for when they are restored. */
  readonly formerFieldIDs?: readonly string[];
  /** Columns of the condition, as they were labelled, that are gone or hold something else: it gives no row since then. */
  readonly broken?: { readonly at: string; readonly columns: readonly string[] };
  /** Withdrawn: feeds answer 410, listings leave it out; exposing again revives it under the same id. */
  readonly deletedAt?: string;
  /**
   * The installation (of other software: the address) that the partner's record stood for when this was chosen: it is for
   * no other. Absent where neither was known, and in exposures of before.
   */
  readonly chosenFor?: string;
  /** It was for another installation than the one that the partner's record stands for since: nothing revives it. */
  readonly ofAnother?: true;
}

/** A column as a partner offers it. */
export interface OfferedColumn extends FieldDescriptor {
  /** By which it is told from another column that takes its name; only newer Footbridges send one. */
  readonly mark?: string;
}

/** A list as a partner describes it, freed from its dialect. */
export interface OfferedList {
  /** The exposure's id at the partner. */
  readonly externalFederationModuleID: string;
  /** The list's own ids at the partner, where it tells them (live and shape 1). */
  readonly externalComposeModuleID?: string;
  readonly externalComposeNamespaceID?: string;
  readonly handle: string;
  readonly name: string;
  readonly fields: readonly OfferedColumn[];
}

/** Shared module: our copy of what a partner exposes to us. `moduleID` is local. */
export interface SharedModule extends OfferedList {
  readonly moduleID: string;
  readonly nodeID: string;
  /** Which installation offered it last, and empty of partners that are none; absent in offers of before this was noted. */
  readonly installation?: string;
  readonly createdAt: string;
  readonly updatedAt?: string;
  /** The partner no longer offers it. What was received stays. */
  readonly withdrawnAt?: string;
  /** The user put the offer aside; it stays in the inbox's archive and never asks again unless it changes. */
  readonly dismissedAt?: string;
}

/** A column of ours that is matched. */
export interface MatchedColumn extends FieldDescriptor {
  /**
   * The list's own id of it, by which it is found under whatever name; absent where the list has no such column, so that
   * one that comes under its name takes its place, and in matches of before.
   */
  readonly fieldID?: string;
}

export interface FieldMatch {
  readonly origin: OfferedColumn;
  readonly destination: MatchedColumn;
  /** Set: this match is parked since the partner or the user removed or changed a column; why, in plain words. */
  readonly parked?: Words;
  /** Whose column it is that went or changed; there with `parked`. */
  readonly parkedBy?: 'partner' | 'us';
}

/** Module mapping: which of the partner's columns go into which of ours. */
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
