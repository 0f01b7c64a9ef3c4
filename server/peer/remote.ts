import type { IncomingColumns, IncomingRow } from '../base/incoming-row.ts';
import type { FieldKind } from '../base/vocabulary.ts';
import type { Words } from '../words/said.ts';

/** A partner's column, independent of its dialect. */

export interface RemoteField {
  readonly kind: FieldKind;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
  readonly mark?: string;
}

/** A list that the partner offers. Ids are the partner's. */
export interface RemoteOffer {
  /** Id of the exposure, by which rows are requested. */
  readonly moduleID: string;
  /** Ids of the list itself, if sent. */
  readonly composeModuleID?: string;
  readonly composeNamespaceID?: string;
  /** Id of this list's first exposure to us, if this is a later one. */
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

/** A page's rows, checked, one piece in memory at a time. Read them once, or release them. */
export interface PageRows<P extends RecordsPiece | ChangesPiece = RecordsPiece> extends AsyncIterable<
  P & { readonly isLast: boolean }
> {
  /** Frees the answer's memory; the rows can't be read afterwards. */
  release(): void;
}

export interface OffersPage {
  readonly offers: readonly RemoteOffer[];
  /** By the partner's count there is no such page: the same lists again are the end, no cycle. */
  readonly mayRepeat?: true;
  /** Names the following page; absent at the end. */
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
  /** Where to continue; absent at the end. Opaque. */
  readonly next?: string;
  /** All rows, whatever time was requested: the origin can't tell what changed since. */
  readonly isWhole?: true;
  /** `next` survives changes of the partner's rows: an interrupted pull may continue from it. */
  readonly resumable: boolean;
  /** By the partner's count there is no such page: the same rows again are the end, no cycle. */
  readonly mayRepeat?: true;
  /** Rows expected in all pages together, if sent. */
  readonly total?: number;
  /** The partner's clock (`Date` header), milliseconds since the epoch. */
  readonly originTime?: number;
}

/** A page of the change feed by sequence number (Footbridges only). */
export interface ChangesPage {
  readonly rows: PageRows<ChangesPiece>;
  /** Names the sequence; numbers of different epochs can't be compared. */
  readonly epoch: string;
  /** Names the list's state, if sent; pass it with `next`. */
  readonly state?: string;
  /** The next request's cursor. */
  readonly next: number;
  readonly more: boolean;
  /** Cursors of the following pages, if sent. */
  readonly marks: readonly number[];
  /** Sent rows are about to change; a notice will follow. */
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
  /** From that page: losses of the partner since are reported by code `feed.went-back`. */
  readonly state?: string;
  /** The columns as we know them (`definitionMark`); others are refused by code `feed.definition`. */
  readonly columns?: string;
  readonly limit: number;
  /** Number of following pages to name; default: none. */
  readonly marks?: number;
  /** Prefetched: a large page fails as NextPageTooLargeError, and must be requested again. */
  readonly isAhead?: boolean;
}

export interface Poke {
  readonly cursor: string;
  readonly structure: boolean;
  /** Exposures with new rows. */
  readonly modules: readonly string[];
  /** Another program uses our credentials too. */
  readonly twice?: true | undefined;
}
