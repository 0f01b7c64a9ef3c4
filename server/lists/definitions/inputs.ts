import type { FieldKind } from '../../base/vocabulary.ts';
import type { ComposeFieldSettings, ComposeSettings, FieldOptions } from './model.ts';

export interface NamespaceInput {
  readonly name: string;
  /** Default: from the name. */
  readonly slug?: string;
  readonly enabled?: boolean;
  readonly compose?: ComposeSettings;
  /** Refuses later changes; see `assertNotStale`. */
  readonly expectedUpdatedAt?: string;
}

export interface FieldInput {
  /** Names an existing column: another `name` renames, another `kind` converts it. */
  readonly fieldID?: string;
  readonly kind: FieldKind;
  /** Default: from the label. At least two of letters, digits, `_` and `-`, a letter first. */
  readonly name?: string;
  readonly label?: string;
  readonly isMulti?: boolean;
  readonly isRequired?: boolean;
  readonly options?: FieldOptions;
  readonly compose?: ComposeFieldSettings;
}

export interface ModuleInput {
  readonly name: string;
  /** Unique in its workspace, ignoring case; default: from the name. */
  readonly handle?: string;
  readonly fields: readonly FieldInput[];
  readonly importKey?: readonly string[];
  readonly compose?: ComposeSettings;
  /** Refuses later changes; see `assertNotStale`. */
  readonly expectedUpdatedAt?: string;
}
