import type { FieldKind } from '../../base/vocabulary.ts';
import type { FieldOptions, Row, Values } from '../definitions/model.ts';

/** A column that a query or a sort may name. */
export interface QueryField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly options?: FieldOptions;
}

/** Members of a row that a query may compare besides its values, as ISO 8601 and decimal strings. */
export type RowMembers = Pick<Row, 'recordID' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<Row, 'createdBy' | 'updatedBy' | 'deletedAt'>>;

/**
 * Which of these members may be named. `feed`: `id`, `createdAt`, `updatedAt`, since the others would tell a partner who
 * works here. `compose`: all, as Corteza's Compose spells them; `updatedAt` of a row that was never changed is empty there.
 */
export type MemberScope = 'feed' | 'compose';

/** Tests a row. @throws Refusal `impossible` when finding that out takes too much work */
export type Predicate = (values: Values, row: RowMembers) => boolean;
