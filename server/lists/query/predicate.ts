import type { FieldKind } from '../../base/vocabulary.ts';
import type { FieldOptions, Row, Values } from '../definitions/model.ts';

/** A column that a query or sort may name. */
export interface QueryField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly options?: FieldOptions;
  readonly isMulti?: boolean;
}

/** A row member that a query may compare besides values, as ISO 8601 and decimal strings. */
export type RowMember = 'recordID' | 'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy' | 'deletedAt';

/** The part of a row that these are read from. */
export type RowMembers = Pick<Row, 'recordID' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<Row, RowMember | 'lastEdit'>>;

/**
 * The members that may be named. `feed`: `id`, `createdAt`, `updatedAt`, as the others disclose who works
 * here. `compose`: all, as Corteza shows them.
 */
export type MemberScope = 'feed' | 'compose';

/** Tests a row. Throws `query.too-much` if that takes too much work. */
export type Predicate = (values: Values, row: RowMembers) => boolean;
