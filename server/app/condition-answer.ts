import type { ConditionAnswer } from '../contract/condition.ts';
import type { Field } from '../lists/definitions/model.ts';
import { findBrokenParts, type Condition } from '../lists/query/condition.ts';

/**
 * Returns a share's condition for the window; undefined for all rows.
 * @param fields the list's columns, for present labels and to mark parts whose column is gone or of another kind
 */
export function conditionAnswer(
  condition: Condition | undefined,
  fields?: readonly Field[],
): ConditionAnswer | undefined {
  if (!condition || condition.parts.length === 0) return undefined;
  const broken = fields ? findBrokenParts(condition, fields) : [];
  return {
    join: condition.join,
    ...(condition.closed && { closed: true as const }),
    parts: condition.parts.map((part) => {
      const { fieldID, kind, test, value } = part;
      const field = fields?.find((each) => each.fieldID === fieldID);
      return {
        fieldID,
        label: field ? field.label || field.name : part.label,
        kind,
        test,
        ...(value === undefined ? {} : { value }),
        ...(field?.kind === kind && field.options.unit !== undefined ? { unit: field.options.unit } : {}),
        ...(broken.includes(part) ? { broken: true as const } : {}),
      };
    }),
  };
}
