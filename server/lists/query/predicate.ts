import type { FieldKind } from '../../base/vocabulary.ts';
import type { FieldOptions, Row, Values } from '../definitions/model.ts';

export interface QueryField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly options?: FieldOptions;
  readonly isMulti?: boolean;
  readonly fieldID?: string;
}

/** Compared as ISO 8601 and decimal strings. */
export type RowMember = 'recordID' | 'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy' | 'deletedAt';

export type RowMembers = Pick<Row, 'recordID' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<Row, RowMember | 'lastEdit'>>;

/**
 * Language, and the members it may name. `feed`: ours; `id`, `createdAt`, `updatedAt`, as others disclose who
 * works here. `live`: Corteza's, same members. `compose`: Corteza's, all members.
 */
export type MemberScope = 'feed' | 'live' | 'compose';

export const isCorteza = (scope: MemberScope = 'feed'): boolean => scope !== 'feed';

/** Throws `query.too-much` for excessive work. */
export type Predicate = (values: Values, row: RowMembers) => boolean;
