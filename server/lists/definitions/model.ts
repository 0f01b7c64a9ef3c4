import type { RowOrigin, Values } from '../../base/incoming-row.ts';
import type { FieldKind } from '../../base/vocabulary.ts';

export type { IncomingRow, RowOrigin, Values } from '../../base/incoming-row.ts';

/** Protocol terms. Ids: decimal 64-bit numbers; times: ISO 8601 UTC. */

/** The list's file is damaged. */
export const UNREADABLE = 'list.unreadable';

export interface FieldDescriptor {
  readonly kind: FieldKind;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
}

/** Local to this computer. */
export interface FieldOptions {
  /** Select: allowed values; empty: any. */
  readonly options?: readonly string[];
  /** Select: displayed texts that differ. */
  readonly optionTexts?: Readonly<Record<string, string>>;
  readonly multiLine?: boolean;
  /** Number: minimum decimals displayed. Stored digits are never cut. */
  readonly precision?: number;
  /** Number: `%` or a currency's sign or code (`server/base/amount.ts`). */
  readonly unit?: string;
  /** DateTime: parts of a value. */
  readonly only?: 'date' | 'time';
  readonly moduleID?: string;
  readonly compose?: JSONObject;
}

export type JSONObject = Readonly<Record<string, unknown>>;

/** For Compose clients; no effect here. */
export type ComposeSettings = Readonly<Partial<Record<'meta' | 'config' | 'labels', JSONObject>>>;
export type ComposeFieldSettings = ComposeSettings &
  Readonly<Partial<Record<'isPrivate' | 'isVisible', boolean>>>;

export interface Field extends FieldDescriptor {
  readonly fieldID: string;
  readonly isRequired: boolean;
  readonly options: FieldOptions;
  readonly compose?: ComposeFieldSettings;
}

export interface Namespace {
  readonly namespaceID: string;
  readonly name: string;
  readonly slug: string;
  readonly enabled: boolean;
  readonly compose?: ComposeSettings;
  readonly createdAt: string;
  readonly updatedAt?: string;
  readonly deletedAt?: string;
}

export interface Module {
  readonly moduleID: string;
  readonly namespaceID: string;
  readonly name: string;
  readonly handle: string;
  readonly fields: readonly Field[];
  /** Ids of columns by which imports find rows; a name in older data. */
  readonly importKey?: readonly string[] | string;
  readonly compose?: ComposeSettings;
  readonly createdAt: string;
  readonly updatedAt?: string;
  readonly deletedAt?: string;
}

export interface RowSource {
  /** Local id of the partner. */
  readonly nodeID: string;
  /** At the partner. */
  readonly recordID: string;
  /** The partner's times, unchanged. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The partner's deletion; stays if the user restores the row. */
  readonly deletedAt?: string;
  readonly receivedAt: string;
  /** Converted, by local column name; `[]` is empty. */
  readonly values: Values;
  /** Installations passed through, oldest first, to end circles of partners. */
  readonly via: readonly string[];
  /** From Footbridges only. */
  readonly origin?: RowOrigin;
  /** Ended: the last version stays until our user decides or the source returns. */
  readonly left?: true;
}

/** The leading source, with local edits and other sources. */
export interface Provenance extends RowSource {
  readonly previous?: Values;
  /** Received columns that the user edited; `Row.values` has the edits. */
  readonly edited: readonly string[];
  /** All sources, leading one first; absent if always one. */
  readonly ways?: readonly RowSource[];
}

export interface Row {
  readonly recordID: string;
  readonly values: Values;
  readonly createdAt: string;
  readonly createdBy: string;
  /** Never before an earlier write to this list, regardless of the clock. */
  readonly updatedAt: string;
  readonly updatedBy: string;
  /** Sent again unchanged for a referenced row's new title. */
  readonly retitledAt?: string;
  /** Change number before columns were renamed. Removed at the next change. */
  readonly valuesSeq?: number;
  /** Stamps of the last value change, if deletion, restoration or column changes set later ones. */
  readonly lastEdit?: EditStamps;
  /** Set: tombstone in the feed, restorable from the bin. */
  readonly deletedAt?: string;
  /** Local user; absent if the partner deleted it. */
  readonly deletedBy?: string;
  /** Only the permanent tombstone is left: absent partners must learn of it, and it must not come back. */
  readonly purged?: true;
  /** Arrived deleted, so nobody has it from us. Removed on restoring. */
  readonly cameDeleted?: true;
  readonly received?: Provenance;
  /**
   * Provenance before the connection ended: a partner that brings the row again finds it (docs/rings.md).
   * Excludes `received`.
   */
  readonly former?: Provenance;
  /** The duplicate our user kept; void outside the bin. */
  readonly joinedInto?: string;
  /**
   * A binned row's provenance as partners know it, if they must not notice a later one. Removed on restoring.
   */
  readonly disclosed?: Lineage;
}

export type EditStamps = Pick<Row, 'updatedAt' | 'updatedBy'>;

export interface Lineage extends Pick<Row, 'received' | 'former'> {
  /** Never sent: decides who learns of the deletion. */
  readonly unsent?: true;
}

export interface ApplyCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/** All partners, or the one with this local id. */
export type HiddenFrom = 'all' | { readonly nodeID: string };

/** Announced once durable. */
export type ListsChange =
  | { readonly kind: 'workspaces' }
  | {
      readonly kind: 'list';
      /** `changed`: possibly rows too, without an event. `removed`, `restored`: into and out of the bin. */
      readonly change: 'created' | 'changed' | 'removed' | 'restored' | 'purged';
      readonly module: Module;
      /** Previous definition, if `changed`. Renamed fields keep `fieldID`. */
      readonly before?: Module;
    }
  | {
      readonly kind: 'rows';
      readonly moduleID: string;
      /** False: only the visibility of rows changed. */
      readonly rows: boolean;
      /** Partners that see none of these changes. */
      readonly hiddenFrom?: HiddenFrom;
      /** Only these audiences (`Lists.setRowFilter`) are affected. */
      readonly filterIDs: ReadonlySet<string>;
    };
