import type { RowOrigin, Values } from '../../base/incoming-row.ts';
import type { FieldKind } from '../../base/vocabulary.ts';

export type { IncomingRow, RowOrigin, Values } from '../../base/incoming-row.ts';

/** Local data, in the protocol's terms. Ids are decimal texts of 64-bit numbers, times ISO 8601 UTC. */

/** The refusal of a list whose rows can't be read because its file is damaged. */
export const UNREADABLE = 'list.unreadable';

export interface FieldDescriptor {
  readonly kind: FieldKind;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
}

/** Settings of a column that stay on this computer. */
export interface FieldOptions {
  /** Select: the allowed values; empty means any. */
  readonly options?: readonly string[];
  /** Select: the displayed text of a value, if different. */
  readonly optionTexts?: Readonly<Record<string, string>>;
  readonly multiLine?: boolean;
  /** Number: minimum digits after the decimal point for display. Stored digits are never cut. */
  readonly precision?: number;
  /** Number: `%` or the sign or code of a currency (`server/base/amount.ts`). */
  readonly unit?: string;
  /** DateTime: the parts of a value. */
  readonly only?: 'date' | 'time';
  readonly moduleID?: string;
  readonly compose?: JSONObject;
}

export type JSONObject = Readonly<Record<string, unknown>>;

/** Settings that Compose clients keep with a workspace, list or column; without effect here. */
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
  /** Ids of the columns by which an import finds the row to update; in older data a name. */
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
  /** When the partner deleted it; stays if the user restores the row from the bin. */
  readonly deletedAt?: string;
  readonly receivedAt: string;
  /** Received values by local column name, after conversion; an empty column is `[]`. */
  readonly values: Values;
  /** Ids of the installations that the row passed through, oldest first, to end circles of partners. */
  readonly via: readonly string[];
  /** Only Footbridges send it. */
  readonly origin?: RowOrigin;
  /** This source has ended: the row keeps its last version until our user decides or the source returns. */
  readonly left?: true;
}

/** The leading source of a received row, with edits made here and the other sources. */
export interface Provenance extends RowSource {
  readonly previous?: Values;
  /** Local columns whose received value the user edited here; `Row.values` has the user's. */
  readonly edited: readonly string[];
  /** All sources, the leading one first; absent while there was only ever one. */
  readonly ways?: readonly RowSource[];
}

export interface Row {
  readonly recordID: string;
  readonly values: Values;
  readonly createdAt: string;
  readonly createdBy: string;
  /** Never earlier than any row written before in this list, regardless of the clock. */
  readonly updatedAt: string;
  readonly updatedBy: string;
  /** When it was last sent again without a change of its own, as a row that it refers to has a new title. */
  readonly retitledAt?: string;
  /** Its change number before columns were renamed, as that changed no value. Removed at the next change. */
  readonly valuesSeq?: number;
  /** The stamps of the last change of a value, if a deletion, restoration or change of columns set later ones since. */
  readonly lastEdit?: EditStamps;
  /** Set: the row is a tombstone in the feed and in the bin, restorable. */
  readonly deletedAt?: string;
  /** The user who deleted it here; absent if the partner did. */
  readonly deletedBy?: string;
  /** Only its tombstone is left, for ever: partners that were away must learn of it, and the row must not come back. */
  readonly purged?: true;
  /** It arrived deleted and was never here since, so nobody has it from us. Removed when it is restored. */
  readonly cameDeleted?: true;
  readonly received?: Provenance;
  /**
   * Its provenance before the connection ended and the row was kept: a partner that brings it again finds it by this
   * (docs/rings.md). Never together with `received`.
   */
  readonly former?: Provenance;
  /** Id of the row that our user kept of the two, as this one was its duplicate; void while this one isn't in the bin. */
  readonly joinedInto?: string;
  /**
   * What partners know of the provenance of a binned row, after a later version arrived that they must not notice.
   * Absent: as it is. Removed when the row is restored.
   */
  readonly disclosed?: Lineage;
}

export type EditStamps = Pick<Row, 'updatedAt' | 'updatedBy'>;

export interface Lineage extends Pick<Row, 'received' | 'former'> {
  /** It is of a version that was never sent: it decides who learns of the deletion, and is told to nobody. */
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

/** An event, announced after it is durable. */
export type ListsChange =
  | { readonly kind: 'workspaces' }
  | {
      readonly kind: 'list';
      /** `changed`: rows may have changed too, without an event. `removed`, `restored`: into the bin, out of it. */
      readonly change: 'created' | 'changed' | 'removed' | 'restored' | 'purged';
      readonly module: Module;
      /** The previous definition; present with `changed`. Fields keep their `fieldID` when renamed. */
      readonly before?: Module;
    }
  | {
      readonly kind: 'rows';
      readonly moduleID: string;
      /** False: no row changed, only what somebody may see of them. */
      readonly rows: boolean;
      /** Partners that can't see any of these changes; absent: none. */
      readonly hiddenFrom?: HiddenFrom;
      /** Audiences (`Lists.setRowFilter`) with news; the others have none. */
      readonly filterIDs: ReadonlySet<string>;
    };
