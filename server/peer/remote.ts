import type { IncomingRow } from '../base/incoming-row.ts';
import type { FieldKind } from '../base/vocabulary.ts';
import type { Words } from '../words/said.ts';

/** What a partner says, in neutral terms: the same whatever dialect it speaks. */

export interface RemoteField {
  readonly kind: FieldKind;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
  /** By which it is told from another column that takes its name (Footbridge only). */
  readonly mark?: string;
}

/** A list that the partner offers. Ids are the partner's. */
export interface RemoteOffer {
  /** Id of the exposure; what rows are asked for by. */
  readonly moduleID: string;
  /** Ids of the list itself, where the partner tells them. */
  readonly composeModuleID?: string;
  readonly composeNamespaceID?: string;
  readonly handle: string;
  readonly name: string;
  readonly fields: readonly RemoteField[];
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /** The partner withdrew it. */
  readonly deletedAt?: string;
}

/** A row that breaks the protocol on its own account; it does not hold up its neighbours. */
export interface BadRecord {
  readonly recordID: string;
  readonly reason: Words;
}

export interface RecordsPiece {
  readonly records: readonly IncomingRow[];
  readonly bad: readonly BadRecord[];
  /** Characters of all values together. */
  readonly letters: number;
}

/**
 * The rows of a page, of which only a piece at a time is there in full: a page may be 64 MiB. All of them have been
 * looked at before; a page without a row is one empty piece. To be read once; whoever does not read them lets go of them.
 */
export interface PageRows extends AsyncIterable<RecordsPiece & { readonly isLast: boolean }> {
  release(): void;
}

export interface OffersPage {
  readonly offers: readonly RemoteOffer[];
  /** By the partner's count there is no such page: the same lists once more are the end, and no circle. */
  readonly mayRepeat?: true;
  /** Pass it to get what follows; absent: that was all. */
  readonly next?: string;
}

/** Which list of the partner is meant. */
export interface ListAddress {
  readonly moduleID: string;
  readonly composeModuleID?: string;
  readonly composeNamespaceID?: string;
}

/** Where in the partner's changes by time to read. */
export interface TimePosition {
  /** Milliseconds since the epoch, inclusive; absent: everything, deletions included. */
  readonly since?: number;
  /** `next` of the page before. */
  readonly next?: string;
}

export interface RecordsPage {
  readonly rows: PageRows;
  /** Where it goes on; absent: that was all. Opaque. */
  readonly next?: string;
  /** It is part of all rows, whatever time was asked for: the origin cannot tell what changed since. */
  readonly isWhole?: true;
  /** `next` stays true when the partner's rows change meanwhile: a cut-off pull may go on from there. */
  readonly resumable: boolean;
  /** By the partner's count there is no such page: the same rows once more are the end, and no circle. */
  readonly mayRepeat?: true;
  /** Rows to be expected in all pages together, where the partner says. */
  readonly total?: number;
  /** The partner's own clock (its `Date` header), milliseconds since the epoch. */
  readonly originTime?: number;
}

/** A stretch of the change feed by sequence number, between Footbridges. */
export interface ChangesPage {
  readonly rows: PageRows;
  /** Names the sequence; numbers of different epochs cannot be compared. */
  readonly epoch: string;
  /** Names the state that the list was in, where the partner says: to be sent back with `next`. */
  readonly state?: string;
  /** Ask behind this number next time. */
  readonly next: number;
  readonly more: boolean;
  /** Where, behind `next`, the pages end that follow; none where the partner does not say. */
  readonly marks: readonly number[];
  /** Rows are about to change that were told as they were: there will be notice of it. */
  readonly unsettled?: true;
  readonly total?: number;
  /** All of it, unpacked. */
  readonly bytes: number;
}

/** What of the change feed is asked for. */
export interface ChangesRange {
  readonly after: number;
  /** The last number that is wanted; absent: as far as `limit` goes. */
  readonly until?: number;
  /** As of the page before. */
  readonly epoch?: string;
  /** As of that page: what the partner lost since is then told by code `feed.went-back`. */
  readonly state?: string;
  /** The columns as we know them (`definitionMark`); rows under other ones are refused, code `feed.definition`. */
  readonly columns?: string;
  readonly limit: number;
  /** How many of the pages behind this one are to be named; none unless given. */
  readonly marks?: number;
  /** It is not its turn yet: a large page fails as TooLargeAhead, and is to be asked for again. */
  readonly isAhead?: boolean;
}

/** What the long poll says. */
export interface Poke {
  readonly cursor: string;
  readonly structure: boolean;
  /** Exposures with new rows. */
  readonly modules: readonly string[];
  /** Another program calls with our credentials as well, in turn with us. */
  readonly twice?: true | undefined;
}
