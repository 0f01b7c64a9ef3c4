import type { FieldKind } from '../../base/vocabulary.ts';
import type { FieldOptions, Values } from '../definitions/model.ts';

/** A column that a query or a sort may name. */
export interface QueryField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly options?: FieldOptions;
}

/** What a query may ask of a row besides its values, as ISO 8601 and decimal strings. */
export interface RowTimes {
  readonly recordID: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Whether a row fits. @throws Refusal `impossible` when finding that out takes too much work */
export type Predicate = (values: Values, times: RowTimes) => boolean;
