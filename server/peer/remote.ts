import type { IncomingColumns, IncomingRow } from '../base/incoming-row.ts';
import type { FieldKind } from '../base/vocabulary.ts';
import type { Words } from '../words/said.ts';

/** A partner's column in any dialect. */

export interface RemoteField {
  readonly kind: FieldKind;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
  readonly mark?: string;
}

/** An offered list. Ids are the partner's. */
export interface RemoteOffer {
  /** Id of the exposure, for requesting rows. */
  readonly moduleID: string;
  /** Ids of the list itself, if sent. */
  readonly composeModuleID?: string;
  readonly composeNamespaceID?: string;
  /** This list's first exposure to us, if not this. */
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
  /** Characters of all values together. */
  readonly letters: number;
  /** Readers of a change feed must not miss them. */
  readonly columns?: undefined;
}

export interface ChangesPiece extends Omit<RecordsPiece, 'columns'> {
  /** Further rows, column by column. */
  readonly columns?: IncomingColumns | undefined;
}

export const countRows = ({ records, columns, bad }: Omit<ChangesPiece, 'letters'>): number =>
  records.length + bad.length + (columns?.recordIDs.length ?? 0);

/** A page's checked rows, one piece in memory at a time. Read them once, or release them. */
export interface PageRows<P extends RecordsPiece | ChangesPiece = RecordsPiece> extends AsyncIterable<
  P & { readonly isLast: boolean }
> {
  /** Frees the answer's memory and rows. */
  release(): void;
}

export interface OffersPage {
  readonly offers: readonly RemoteOffer[];
  /** The partner counts no such page: repeated lists are the end, no cycle. */
  readonly mayRepeat?: true;
  /** Names the next page; absent at the end. */
  readonly next?: string;
}

export interface ListAddress {
  readonly moduleID: string;
  readonly composeModuleID?: string;
  readonly composeNamespaceID?: string;
}

/** In the partner's changes by time. */
export interface TimePosition {
  /** Milliseconds since the epoch, inclusive; absent: everything, with deletions. */
  readonly since?: number;
  /** `next` of the previous page. */
  readonly next?: string;
}

export interface RecordsPage {
  readonly rows: PageRows;
  /** Opaque; absent at the end. */
  readonly next?: string;
  /** All rows, whatever the requested time: the origin doesn't know its changes. */
  readonly isWhole?: true;
  /** `next` survives changes: an interrupted pull may continue from it. */
  readonly resumable: boolean;
  /** The partner counts no such page: repeated rows are the end, no cycle. */
  readonly mayRepeat?: true;
  /** Rows of all pages, if sent. */
  readonly total?: number;
  /** By its `Date` header, milliseconds since the epoch. */
  readonly originTime?: number;
}

/** A page of the change feed by sequence number (Footbridges only). */
export interface ChangesPage {
  readonly rows: PageRows<ChangesPiece>;
  /** Numbers of different epochs can't be compared. */
  readonly epoch: string;
  /** The list's, if sent; pass it with `next`. */
  readonly state?: string;
  /** The next cursor. */
  readonly next: number;
  readonly more: boolean;
  /** Cursors of following pages, if sent. */
  readonly marks: readonly number[];
  /** Sent rows will change; a notice follows. */
  readonly unsettled?: true;
  readonly total?: number;
  /** Decompressed. */
  readonly bytes: number;
  /** The partner knows row groups. */
  readonly grouped?: true;
}

export interface ChangesRange {
  readonly after: number;
  /** The last wanted cursor; default: by `limit`. */
  readonly until?: number;
  /** From the previous page. */
  readonly epoch?: string;
  /** From that page: losses of the partner since are reported by code `feed.went-back`. */
  readonly state?: string;
  /** As we know them (`definitionMark`); others are refused as `feed.definition`. */
  readonly columns?: string;
  readonly limit: number;
  /** Number of following pages to name; default: none. */
  readonly marks?: number;
  /** Prefetched: a large page fails as NextPageTooLargeError; request it again. */
  readonly isAhead?: boolean;
}

export interface Poke {
  readonly cursor: string;
  readonly structure: boolean;
  /** With new rows. */
  readonly modules: readonly string[];
  /** Another program uses our credentials. */
  readonly twice?: true | undefined;
}
