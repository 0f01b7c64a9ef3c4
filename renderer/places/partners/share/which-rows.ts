import type { ConditionAnswer, ConditionRequest } from '../../../../server/contract/condition.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import { testsOf, type ConditionJoin, type ConditionTest } from '../../../../server/base/vocabulary.ts';
import type { Translate } from '../../../text/catalogue.ts';

/** One comparison as somebody puts it together. */
export interface DraftPart {
  readonly fieldID: string;
  readonly test: ConditionTest;
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
export function draftOf(known: ConditionAnswer | undefined): DraftCondition {
  if (!known) return EVERY_ROW;
  const parts = known.parts.map(({ fieldID, test, value = '' }) => ({ fieldID, test, value }));
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
): ConditionRequest | undefined {
  const whole = parts.every(
    ({ fieldID, test, value }) =>
      columns.some((column) => column.fieldID === fieldID && testsOf(column.kind).includes(test)) &&
      (!takesValue(test) || value.trim() !== ''),
  );
  if (!whole) return undefined;
  return {
    join,
    parts: parts.map(({ fieldID, test, value }) => ({
      column: fieldID,
      test,
      ...(takesValue(test) ? { value } : {}),
    })),
  };
}

/** “Country is “Germany” and Amount is greater than “3””. */
export function conditionInWords(t: Translate, { join, parts }: ConditionAnswer): string {
  const texts = parts.map(({ label, test, value }) =>
    value === undefined
      ? t('condition.part-alone', { column: label, test: t(`test.${test}`) })
      : t('condition.part', { column: label, test: t(`test.${test}`), value }),
  );
  return texts.join(` ${t(join === 'all' ? 'condition.and' : 'condition.or')} `);
}
