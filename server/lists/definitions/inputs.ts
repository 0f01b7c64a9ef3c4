import type { FieldKind } from '../../base/vocabulary.ts';
import type { ComposeFieldSettings, ComposeSettings, FieldOptions } from './model.ts';

/** What workspaces, lists and columns are made and changed from. */

export interface NamespaceInput {
  readonly name: string;
  /** Made from the name when absent. */
  readonly slug?: string;
  readonly enabled?: boolean;
  readonly compose?: ComposeSettings;
  /** Refuses the change if the workspace changed since: see `assertNotStale`. */
  readonly expectedUpdatedAt?: string;
}

export interface FieldInput {
  /** Names a column that exists: with another `name` it is renamed, with another `kind` retyped. */
  readonly fieldID?: string;
  readonly kind: FieldKind;
  /** Made from the label when absent. Letters, digits, `_` and `-`, at least two, starting with a letter. */
  readonly name?: string;
  readonly label?: string;
  readonly isMulti?: boolean;
  readonly isRequired?: boolean;
  readonly options?: FieldOptions;
  /** Members that are left out stay as they are. */
  readonly compose?: ComposeFieldSettings;
}

export interface ModuleInput {
  readonly name: string;
  /** Unique in its workspace, case aside; made from the name when absent. */
  readonly handle?: string;
  readonly fields: readonly FieldInput[];
  /** Ids of columns that the list has. */
  readonly importKey?: readonly string[];
  readonly compose?: ComposeSettings;
  /** Refuses the change if the list changed since: see `assertNotStale`. */
  readonly expectedUpdatedAt?: string;
}
