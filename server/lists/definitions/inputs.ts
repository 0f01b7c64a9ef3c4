import type { FieldKind } from '../../base/vocabulary.ts';
import type { ComposeFieldSettings, ComposeSettings, FieldOptions } from './model.ts';

export interface NamespaceInput {
  readonly name: string;
  /** Default: made from the name. */
  readonly slug?: string;
  readonly enabled?: boolean;
  readonly compose?: ComposeSettings;
  /** Refuses a workspace changed after this time; see `assertNotStale`. */
  readonly expectedUpdatedAt?: string;
}

export interface FieldInput {
  /** Names an existing column: another `name` renames, another `kind` converts it. */
  readonly fieldID?: string;
  readonly kind: FieldKind;
  /** Default: made from the label. Letters, digits, `_` and `-`, at least two, starting with a letter. */
  readonly name?: string;
  readonly label?: string;
  readonly isMulti?: boolean;
  readonly isRequired?: boolean;
  readonly options?: FieldOptions;
  readonly compose?: ComposeFieldSettings;
}

export interface ModuleInput {
  readonly name: string;
  /** Unique in its workspace, ignoring case; default: made from the name. */
  readonly handle?: string;
  readonly fields: readonly FieldInput[];
  readonly importKey?: readonly string[];
  readonly compose?: ComposeSettings;
  /** Refuses a list changed after this time; see `assertNotStale`. */
  readonly expectedUpdatedAt?: string;
}
