import type { RowOrigin, Values } from '../../base/incoming-row.ts';
import type { FieldKind } from '../../base/vocabulary.ts';

export type { IncomingRow, RowOrigin, Values } from '../../base/incoming-row.ts';

/**
 * Local data: workspaces, lists, columns and rows, in the protocol's terms. Ids are decimal strings of
 * 64-bit numbers, times are ISO 8601 UTC strings.
 */

/** Code of the refusal of a list whose rows cannot be read, as their file is damaged. */
export const UNREADABLE = 'list.unreadable';

/** What names a column between partners. */
export interface FieldDescriptor {
  readonly kind: FieldKind;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
}

/** Settings of a column that stay on this computer. */
export interface FieldOptions {
  /** Select: the values one may choose from; empty means any. */
  readonly options?: readonly string[];
  /** Select: what the screen shows for a value, where that differs from the value. */
  readonly optionTexts?: Readonly<Record<string, string>>;
  /** String: shown and edited in several lines. */
  readonly multiLine?: boolean;
  /** Number: digits after the decimal point that are shown at least. Stored digits are never cut. */
  readonly precision?: number;
  /** Number: what it is shown as, `%` or the sign or code of a currency (`server/base/amount.ts`). */
  readonly unit?: string;
  /** DateTime: what a value consists of. */
  readonly only?: 'date' | 'time';
  /** Record: the list that is referred to. */
  readonly moduleID?: string;
  /** Settings that only clients of the Compose interface use; kept as they came. */
  readonly compose?: JSONObject;
}

/** Members of a JSON object that nothing here looks into. */
export type JSONObject = Readonly<Record<string, unknown>>;

/** Settings that clients of the Compose interface keep with a workspace, list or column; without effect here. */
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
  /** Ids of the columns by which an import finds the row to update, once the user has chosen any; in older data a name. */
  readonly importKey?: readonly string[] | string;
  readonly compose?: ComposeSettings;
  readonly createdAt: string;
  readonly updatedAt?: string;
  readonly deletedAt?: string;
}

/** A row as one partner brings it. */
export interface Way {
  /** Our id of the partner node. */
  readonly nodeID: string;
  /** The row's id at the partner. */
  readonly recordID: string;
  /** The partner's own times, as it gave them. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When the partner deleted it; stays when the user takes the row out of the bin again. */
  readonly deletedAt?: string;
  /** When it arrived here last. */
  readonly receivedAt: string;
  /** Received values by local column name, after conversion; a column that came empty is there, as `[]`. */
  readonly values: Values;
  /** Ids of the installations that the row passed through, oldest first, so that a circle of partners ends. */
  readonly via: readonly string[];
  /** Absent where the partner does not tell it, as all but Footbridges. */
  readonly origin?: RowOrigin;
  /** Nothing is heard by it any more: it holds the row as it came last, until our user decides or it is heard again. */
  readonly left?: true;
}

/**
 * Where a received row came from, and what it was before the user or the partner changed it: the way that leads, with
 * the values of all.
 */
export interface Provenance extends Way {
  /** The received values before the last arrival that changed any. */
  readonly previous?: Values;
  /** Local columns whose received value the user changed here; `Row.values` holds the user's. */
  readonly edited: readonly string[];
  /** All ways that bring it, the leading one first; absent while it only ever came in one. */
  readonly ways?: readonly Way[];
}

export interface Row {
  readonly recordID: string;
  readonly values: Values;
  readonly createdAt: string;
  readonly createdBy: string;
  /** Never earlier than that of any row written before it in this list, whatever the clock does. */
  readonly updatedAt: string;
  readonly updatedBy: string;
  /**
   * When it last became due to go out again as it shows something else to partners, though nobody changed it: a row
   * that it refers to is called something else. Never earlier than what was written before in this list either.
   */
  readonly retitledAt?: string;
  /**
   * Change number of its last change before columns were renamed; no value has changed since. Goes with the next change.
   */
  readonly valuesSeq?: number;
  /** Set: the row is a tombstone in the feed and lies in the bin, restorable. */
  readonly deletedAt?: string;
  /** The user who deleted it here; absent when the partner did. */
  readonly deletedBy?: string;
  /**
   * Only the tombstone is left: the values are gone, or never came. Not in the bin, not restorable. It stays for good:
   * a partner that was away for a year still has to hear of it, and the row must not come back.
   */
  readonly purged?: true;
  /** It reached us deleted and was never here since, so that nobody has it by us. Goes when it comes to life. */
  readonly cameDeleted?: true;
  readonly received?: Provenance;
  /**
   * What it was received as before the connection ended and the row was kept: it is that row again when a partner brings
   * it once more (docs/rings.md). Never together with `received`.
   */
  readonly former?: Provenance;
  /**
   * The provenance that partners know of a row in the trash, without values, once a version arrived there that they must
   * not notice. Absent: it is that of the row. Goes when the row is restored.
   */
  readonly disclosed?: Lineage;
}

/** Where a row came from, as far as its partners, its way and its origin go. */
export type Lineage = Pick<Row, 'received' | 'former'>;

export interface ApplyCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/** Every partner, or the one with this id of ours. */
export type HiddenFrom = 'all' | { readonly nodeID: string };

/** What happened, after it is durable. */
export type ListsChange =
  | { readonly kind: 'workspaces' }
  | {
      readonly kind: 'list';
      /**
       * `changed`: rows may have changed with their columns; nothing else tells of that. `removed`: into the bin,
       * `restored`: out of it, `purged`: for good.
       */
      readonly change: 'created' | 'changed' | 'removed' | 'restored' | 'purged';
      readonly module: Module;
      /** The definition before; present with `changed`. Fields keep their `fieldID` when renamed. */
      readonly before?: Module;
    }
  | {
      readonly kind: 'rows';
      readonly moduleID: string;
      /** False: no row changed, but what somebody may see of them. */
      readonly rows: boolean;
      /** Partners that cannot see any of these changes, whether or not the list is shared with them. Absent: none. */
      readonly hiddenFrom?: HiddenFrom;
      /** Audiences (`Lists.setAudience`) that have something to be told; whatever else changed, others have not. */
      readonly audiences: ReadonlySet<string>;
    };
