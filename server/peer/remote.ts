import type { IncomingColumns, IncomingRow } from '../base/incoming-row.ts';
import type { FieldKind } from '../base/vocabulary.ts';
import type { Words } from '../words/said.ts';

/** A partner's data, independent of its dialect. */

export interface RemoteField {
  readonly kind: FieldKind;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
  readonly mark?: string;
}

/** A list that the partner offers. Ids are the partner's. */
export interface RemoteOffer {
  /** The id of the exposure, by which rows are requested. */
  readonly moduleID: string;
  /** The ids of the list itself, if sent. */
  readonly composeModuleID?: string;
  readonly composeNamespaceID?: string;
  /** The id of the first exposure of this list to us, if this is a later one. */
  readonly firstModuleID?: string;
  readonly handle: string;
  readonly name: string;
  readonly fields: readonly RemoteField[];
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly deletedAt?: string;
}

export interface BadRecord {
  readonly recordID: string;
  readonly reason: Words;
}

export interface RecordsPiece {
  readonly records: readonly IncomingRow[];
  readonly bad: readonly BadRecord[];
  /** The characters of all values together. */
  readonly letters: number;
  /** Only a change feed has them: whoever reads that must not miss them. */
  readonly columns?: undefined;
}

export interface ChangesPiece extends Omit<RecordsPiece, 'columns'> {
  /** Further rows, column by column. */
  readonly columns?: IncomingColumns | undefined;
}

export const countRows = ({ records, columns, bad }: Omit<ChangesPiece, 'letters'>): number =>
  records.length + bad.length + (columns?.recordIDs.length ?? 0);

/** The rows of a page, checked, one piece in memory at a time. Read them once, or release them. */
export interface PageRows<P extends RecordsPiece | ChangesPiece = RecordsPiece> extends AsyncIterable<
  P & { readonly isLast: boolean }
> {
  release(): void;
}

export interface OffersPage {
  readonly offers: readonly RemoteOffer[];
  /** By the partner's count there is no such page: the same lists again are the end, not a cycle. */
  readonly mayRepeat?: true;
  /** It names the page that follows; absent at the end. */
  readonly next?: string;
}

export interface ListAddress {
  readonly moduleID: string;
  readonly composeModuleID?: string;
  readonly composeNamespaceID?: string;
}

/** A position in the partner's changes by time. */
export interface TimePosition {
  /** Milliseconds since the epoch, inclusive; absent: everything, deletions included. */
  readonly since?: number;
  /** `next` of the previous page. */
  readonly next?: string;
}

export interface RecordsPage {
  readonly rows: PageRows;
  /** Continues from there; absent: the end. Opaque. */
  readonly next?: string;
  /** Part of all rows, whatever time was requested: the origin can't tell what changed since. */
  readonly isWhole?: true;
  /** `next` stays valid when the partner's rows change: an interrupted pull may continue from it. */
  readonly resumable: boolean;
  /** By the partner's count there is no such page: the same rows again are the end, not a cycle. */
  readonly mayRepeat?: true;
  /** Rows expected in all pages together, if sent. */
  readonly total?: number;
  /** The partner's own clock (its `Date` header), milliseconds since the epoch. */
  readonly originTime?: number;
}

/** A page of the change feed by sequence number, between Footbridges. */
export interface ChangesPage {
  readonly rows: PageRows<ChangesPiece>;
  /** Names the sequence; numbers of different epochs can't be compared. */
  readonly epoch: string;
  /** Names the list's state, if sent; pass it with `next`. */
  readonly state?: string;
  /** The cursor for the next request. */
  readonly next: number;
  readonly more: boolean;
  /** Cursors of the following pages; none if not sent. */
  readonly marks: readonly number[];
  /** Rows that were sent are about to change; a notice will follow. */
  readonly unsettled?: true;
  readonly total?: number;
  /** All of it, decompressed. */
  readonly bytes: number;
  /** The partner knows row groups. */
  readonly grouped?: true;
}

export interface ChangesRange {
  readonly after: number;
  /** The last wanted cursor; absent: as far as `limit` goes. */
  readonly until?: number;
  /** From the previous page. */
  readonly epoch?: string;
  /** From that page: what the partner lost since is then reported by code `feed.went-back`. */
  readonly state?: string;
  /** The columns as we know them (`definitionMark`); rows under others are refused, code `feed.definition`. */
  readonly columns?: string;
  readonly limit: number;
  /** How many following pages to name; default: none. */
  readonly marks?: number;
  /** Prefetched: a large page fails as NextPageTooLargeError, and must be requested again. */
  readonly isAhead?: boolean;
}

/** A long poll's answer. */
export interface Poke {
  readonly cursor: string;
  readonly structure: boolean;
  /** Exposures with new rows. */
  readonly modules: readonly string[];
  /** Another program uses our credentials too, alternating with us. */
  readonly twice?: true | undefined;
}
