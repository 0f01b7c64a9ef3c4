import { ownMember } from '../../../base/own-member.ts';
import type { Field } from '../../definitions/model.ts';
import { checkEmail, checkUrl } from './address.ts';
import { checkBool } from './bool.ts';
import { accept, refuse, type Checked } from './checked.ts';
import { checkDateTime } from './date-time.ts';
import { checkGeometry } from './geometry.ts';
import { checkNumber } from './number.ts';
import { said } from '../../../words/said.ts';

/** docs/interface.md: Limits */
const MAX_VALUE_BYTES = 1024 * 1024;

/**
 * Returns a value as stored, or why it doesn't fit (also: over 1 MiB). Empty text always fits. References, people and
 * files fit any text: other offices send what they display.
 */
export function checkValue(field: Pick<Field, 'kind' | 'options'>, text: string): Checked {
  if (text.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(text) > MAX_VALUE_BYTES) {
    return refuse(said('value.too-long'));
  }
  if (field.kind === 'Bool') return checkBool(text);
  if (text === '') return accept('');
  switch (field.kind) {
    case 'Number':
      return checkNumber(text, field.options.unit);
    case 'DateTime':
      return checkDateTime(text, field.options.only);
    case 'Select':
      return checkSelect(text, field.options);
    case 'Email':
      return checkEmail(text);
    case 'Url':
      return checkUrl(text);
    case 'Geometry':
      return checkGeometry(text);
    case 'User':
    case 'Record':
    case 'File':
    case 'String':
      return accept(text);
  }
}

/** Accepts a choice by value or displayed text, in any case; without choices any text. */
function checkSelect(text: string, { options = [], optionTexts }: Field['options']): Checked {
  if (options.length === 0 || options.includes(text)) return accept(text);
  const wanted = text.trim().toLowerCase();
  const found = options.find(
    (option) => option.toLowerCase() === wanted || ownMember(optionTexts, option)?.toLowerCase() === wanted,
  );
  return found === undefined
    ? refuse(said('value.no-choice', { choices: firstChoices(options) }))
    : accept(found);
}

/** Joins the first ten choices, with an ellipsis if there are more. */
function firstChoices(options: readonly string[]): string {
  const shown = options.slice(0, 10).join(', ');
  return options.length > 10 ? `${shown}, …` : shown;
}
