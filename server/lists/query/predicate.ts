import type { FieldKind } from '../../base/vocabulary.ts';
import type { FieldOptions, Row, Values } from '../definitions/model.ts';

export interface QueryField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly options?: FieldOptions;
  readonly isMulti?: boolean;
  readonly fieldID?: string;
}

/** Compared besides values, as ISO 8601 and decimal strings. */
export type RowMember = 'recordID' | 'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy' | 'deletedAt';

export type RowMembers = Pick<Row, 'recordID' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<Row, RowMember | 'lastEdit'>>;

/**
 * Language of a query or sort, and the members that it may name. `feed`: ours, and `id`, `createdAt`, `updatedAt`, as
 * the others disclose who works here. `live`: Corteza's, and the same members. `compose`: Corteza's, and all members.
 */
export type MemberScope = 'feed' | 'live' | 'compose';

export const isCorteza = (scope: MemberScope = 'feed'): boolean => scope !== 'feed';

/** Throws `query.too-much` if a row takes too much work. */
export type Predicate = (values: Values, row: RowMembers) => boolean;
