import type { RowOrigin, Values } from '../../base/incoming-row.ts';
import type { FieldKind } from '../../base/vocabulary.ts';

export type { IncomingRow, RowOrigin, Values } from '../../base/incoming-row.ts';

/** In the protocol's terms. Ids are decimal texts of 64-bit numbers, times ISO 8601 UTC. */

/** The list's file is damaged, so its rows can't be read. */
export const UNREADABLE = 'list.unreadable';

export interface FieldDescriptor {
  readonly kind: FieldKind;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
}

/** They stay on this computer. */
export interface FieldOptions {
  /** Select: allowed values; empty means any. */
  readonly options?: readonly string[];
  /** Select: displayed texts that differ from values. */
  readonly optionTexts?: Readonly<Record<string, string>>;
  readonly multiLine?: boolean;
  /** Number: minimum decimals displayed. Stored digits are never cut. */
  readonly precision?: number;
  /** Number: `%`, or sign or code of a currency (`server/base/amount.ts`). */
  readonly unit?: string;
  /** DateTime: the parts of a value. */
  readonly only?: 'date' | 'time';
  readonly moduleID?: string;
  readonly compose?: JSONObject;
}

export type JSONObject = Readonly<Record<string, unknown>>;

/** Kept for Compose clients; without effect here. */
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
  /** Ids of columns by which an import finds the row to update; a name in older data. */
  readonly importKey?: readonly string[] | string;
  readonly compose?: ComposeSettings;
  readonly createdAt: string;
  readonly updatedAt?: string;
  readonly deletedAt?: string;
}

export interface RowSource {
  /** Our id of the partner. */
  readonly nodeID: string;
  /** The row's id at the partner. */
  readonly recordID: string;
  /** The partner's own times, unchanged. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When the partner deleted it; stays if the user restores the row. */
  readonly deletedAt?: string;
  readonly receivedAt: string;
  /** Converted values by local column name; an empty column is `[]`. */
  readonly values: Values;
  /** Installations that the row passed through, oldest first, to end circles of partners. */
  readonly via: readonly string[];
  /** Only Footbridges send it. */
  readonly origin?: RowOrigin;
  /** Ended: the row keeps its last version until our user decides or the source returns. */
  readonly left?: true;
}

/** A received row's leading source, with edits made here and other sources. */
export interface Provenance extends RowSource {
  readonly previous?: Values;
  /** Local columns whose received value the user edited; `Row.values` has the user's. */
  readonly edited: readonly string[];
  /** All sources, the leading one first; absent while there was only one. */
  readonly ways?: readonly RowSource[];
}

export interface Row {
  readonly recordID: string;
  readonly values: Values;
  readonly createdAt: string;
  readonly createdBy: string;
  /** Never earlier than any previous write to this list, regardless of the clock. */
  readonly updatedAt: string;
  readonly updatedBy: string;
  /** When it was sent again unchanged, as a row that it refers to has a new title. */
  readonly retitledAt?: string;
  /** Its change number before columns were renamed, which changed no value. Removed at the next change. */
  readonly valuesSeq?: number;
  /** Stamps of the last changed value, if a deletion, restoration or column change set later ones. */
  readonly lastEdit?: EditStamps;
  /** Set: a tombstone in the feed, restorable from the bin. */
  readonly deletedAt?: string;
  /** The user who deleted it here; absent if the partner did. */
  readonly deletedBy?: string;
  /** Only its tombstone is left, for ever: partners that were away must learn of it, and it must not come back. */
  readonly purged?: true;
  /** It arrived deleted, so nobody has it from us. Removed when it is restored. */
  readonly cameDeleted?: true;
  readonly received?: Provenance;
  /**
   * Provenance before the connection ended and the row was kept, by which a partner that brings it again finds it
   * (docs/rings.md). Never together with `received`.
   */
  readonly former?: Provenance;
  /** The duplicate that our user kept; void while this row isn't in the bin. */
  readonly joinedInto?: string;
  /**
   * A binned row's provenance as partners know it, after a later version that they must not notice. Absent: as it is.
   * Removed on restoring.
   */
  readonly disclosed?: Lineage;
}

export type EditStamps = Pick<Row, 'updatedAt' | 'updatedBy'>;

export interface Lineage extends Pick<Row, 'received' | 'former'> {
  /** A version never sent: it decides who learns of the deletion; nobody is told. */
  readonly unsent?: true;
}

export interface ApplyCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/** All partners, or the one with this id of ours. */
export type HiddenFrom = 'all' | { readonly nodeID: string };

/** Announced after it is durable. */
export type ListsChange =
  | { readonly kind: 'workspaces' }
  | {
      readonly kind: 'list';
      /** `changed`: rows may have changed too, without an event. `removed`, `restored`: into and out of the bin. */
      readonly change: 'created' | 'changed' | 'removed' | 'restored' | 'purged';
      readonly module: Module;
      /** The previous definition, with `changed`. Fields keep their `fieldID` when renamed. */
      readonly before?: Module;
    }
  | {
      readonly kind: 'rows';
      readonly moduleID: string;
      /** False: only what somebody may see of rows changed. */
      readonly rows: boolean;
      /** Partners that can't see any of these changes, if any. */
      readonly hiddenFrom?: HiddenFrom;
      /** Only these audiences (`Lists.setRowFilter`) have news. */
      readonly filterIDs: ReadonlySet<string>;
    };
