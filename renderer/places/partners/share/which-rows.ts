import type { ConditionAnswer, ConditionRequest } from '../../../../server/contract/condition.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import {
  testsOf,
  type ConditionJoin,
  type ConditionTest,
  type FieldKind,
} from '../../../../server/base/vocabulary.ts';
import type { Translate } from '../../../text/catalogue.ts';
import type { Format } from '../../../text/format.ts';
import { fromInput, numberToInput } from '../../lists/grid/values.ts';

/** One comparison as somebody puts it together. */
export interface DraftPart {
  readonly fieldID: string;
  readonly test: ConditionTest;
  /** As it is typed: a number as the window's language writes it. */
  readonly value: string;
}

/** Which rows, while that is chosen; without parts it is every row. */
export interface DraftCondition {
  readonly join: ConditionJoin;
  readonly parts: readonly DraftPart[];
}

export const EVERY_ROW: DraftCondition = { join: 'all', parts: [] };

export const takesValue = (test: ConditionTest): boolean => test !== 'empty' && test !== 'not-empty';

/** The choice as it is kept; comparisons by columns that are gone stay, so that nobody takes the rest for all of it. */
export function draftOf(known: ConditionAnswer | undefined, format: Format): DraftCondition {
  if (!known) return EVERY_ROW;
  const parts = known.parts.map(({ fieldID, kind, test, value = '' }) => ({
    fieldID,
    test,
    value: kind === 'Number' ? numberToInput(value, format.decimalMark) : value,
  }));
  return { join: known.join, parts };
}

/** A comparison to begin with. */
export function freshPart(column: ListColumn): DraftPart {
  const [test = 'not-empty'] = testsOf(column.kind);
  return { fieldID: column.fieldID, test, value: column.kind === 'Bool' ? '1' : '' };
}

/** What is asked of the node; undefined while a comparison lacks its value or its column is gone. */
export function requestOf(
  { join, parts }: DraftCondition,
  columns: readonly ListColumn[],
  format: Format,
): ConditionRequest | undefined {
  const typed = ({ fieldID, value }: DraftPart): string => {
    const column = columns.find((each) => each.fieldID === fieldID);
    return column?.kind === 'Number' ? fromInput(column, value, format) : value;
  };
  const whole = parts.every(
    ({ fieldID, test, value }) =>
      columns.some((column) => column.fieldID === fieldID && testsOf(column.kind).includes(test)) &&
      (!takesValue(test) || value.trim() !== ''),
  );
  if (!whole) return undefined;
  return {
    join,
    parts: parts.map((part) => ({
      column: part.fieldID,
      test: part.test,
      ...(takesValue(part.test) ? { value: typed(part) } : {}),
    })),
  };
}

/** “Country is “Germany” and Amount is greater than “3””. */
export function conditionInWords(t: Translate, format: Format, { join, parts }: ConditionAnswer): string {
  const shown = (kind: FieldKind, value: string): string => {
    if (kind === 'Bool') return t(value === '1' ? 'condition.yes' : 'condition.no');
    return kind === 'Number' ? format.decimal(value) : value;
  };
  const texts = parts.map(({ label, kind, test, value }) =>
    value === undefined
      ? t('condition.part-alone', { column: label, test: t(`test.${test}`) })
      : t('condition.part', { column: label, test: t(`test.${test}`), value: shown(kind, value) }),
  );
  return texts.join(` ${t(join === 'all' ? 'condition.and' : 'condition.or')} `);
}
