import type { ConditionAnswer, ConditionRequest } from '../../../../server/contract/condition.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import {
  takesValue,
  testsOf,
  type ConditionJoin,
  type ConditionTest,
  type FieldKind,
} from '../../../../server/base/vocabulary.ts';
import type { Translate } from '../../../text/catalogue.ts';
import type { Format } from '../../../text/format.ts';
import { comparisonText, fromInput, toInput } from '../../lists/grid/values.ts';

/** Rows that a choice shows, and takes back. */
export interface Counted {
  readonly total: number;
  readonly takenBack: number;
}

export interface DraftPart {
  readonly fieldID: string;
  readonly kind: FieldKind;
  readonly test: ConditionTest;
  readonly value: string;
  readonly was?: KnownPart;
}

type KnownPart = ConditionAnswer['parts'][number];

/** Rows to share; without parts all. */
export interface DraftCondition {
  readonly join: ConditionJoin;
  readonly parts: readonly DraftPart[];
}

export const EVERY_ROW: DraftCondition = { join: 'all', parts: [] };

/** Returns the condition as a form's draft: all rows without one; keeps comparisons of gone columns. */
export function draftOf(known: ConditionAnswer | undefined, format: Format): DraftCondition {
  if (!known) return EVERY_ROW;
  const parts = known.parts.map((was) => {
    const { fieldID, kind, test, value = '', unit } = was;
    return {
      fieldID,
      kind,
      test,
      value: toInput({ kind, options: { unit } }, value, format),
      was,
    };
  });
  return { join: known.join, parts };
}

/** Returns a new comparison, by the first test of the column's kind, without a value; a yes/no is compared with yes. */
export function freshPart(column: ListColumn): DraftPart {
  const [test = 'not-empty'] = testsOf(column.kind);
  const { fieldID, kind } = column;
  return { fieldID, kind, test, value: kind === 'Bool' ? '1' : '' };
}

/** Returns the comparison's column; undefined if it is gone or changed its kind. */
export const columnOf = (
  { fieldID, kind }: DraftPart,
  columns: readonly ListColumn[],
): ListColumn | undefined => columns.find((column) => column.fieldID === fieldID && column.kind === kind);

/** Returns the condition to save; undefined while a comparison lacks its value or column. */
export function requestOf(
  { join, parts }: DraftCondition,
  columns: readonly ListColumn[],
  format: Format,
): ConditionRequest | undefined {
  /** Returns the value to save; texts as typed, with their blanks. */
  const toStored = (part: DraftPart): string => {
    const column = columnOf(part, columns);
    return column?.kind === 'Number' || column?.kind === 'DateTime'
      ? fromInput(column, part.value, format)
      : part.value;
  };
  const whole = parts.every(
    (part) => columnOf(part, columns) && (!takesValue(part.test) || part.value.trim() !== ''),
  );
  if (!whole) return undefined;
  return {
    join,
    parts: parts.map((part) => ({
      column: part.fieldID,
      test: part.test,
      ...(takesValue(part.test) ? { value: toStored(part) } : {}),
    })),
  };
}

/** Returns a comparison's value as displayed. */
function valueInWords(t: Translate, format: Format, { kind, unit }: KnownPart, value: string): string {
  if (kind === 'Bool') return t(value === '1' ? 'condition.yes' : 'condition.no');
  if (kind === 'Number') return format.decimal(value, { unit });
  return kind === 'DateTime' ? toInput({ kind }, value, format) : value;
}

/** Returns a comparison's words, such as `Country is “Germany”`. */
export function partInWords(t: Translate, format: Format, part: KnownPart): string {
  const { label, kind, test, value } = part;
  const named = { column: label, test: comparisonText(t, kind, `test.${test}`) };
  if (value === undefined) return t('condition.part-alone', named);
  return t('condition.part', { ...named, value: valueInWords(t, format, part, value) });
}

/** Returns a condition's words, such as `Country is “Germany” and Amount is greater than “3”`. */
export function conditionInWords(t: Translate, format: Format, { join, parts }: ConditionAnswer): string {
  const texts = parts.map((part) => partInWords(t, format, part));
  return texts.join(` ${t(join === 'all' ? 'condition.and' : 'condition.or')} `);
}
