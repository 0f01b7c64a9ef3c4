import { given } from '../../../base/given.ts';
import type { FieldOptionsBody, FieldRequest, RecordRequest } from '../../../contract/wire/compose.ts';
import type { FieldInput } from '../../../lists/definitions/inputs.ts';
import type { FieldOptions, Values } from '../../../lists/definitions/model.ts';

/** A name or handle that is empty counts as not given: Corteza's clients send it so. */
export function filled(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

export function fieldInput({ kind, name, options, ...rest }: FieldRequest): FieldInput {
  return {
    kind,
    ...given({ ...rest, name: filled(name), options: options ? fieldOptions(options) : undefined }),
  };
}

function fieldOptions({ options, onlyDate, onlyTime, ...rest }: FieldOptionsBody): FieldOptions {
  const choices = options?.map((choice) =>
    typeof choice === 'string'
      ? { value: choice, text: choice }
      : { value: choice.value, text: choice.text ?? '' },
  );
  const texts = choices?.filter(({ value, text }) => text !== '' && text !== value);
  return {
    ...given(rest),
    ...(choices && { options: choices.map(({ value }) => value) }),
    ...(texts?.length && { optionTexts: Object.fromEntries(texts.map(({ value, text }) => [value, text])) }),
    ...(onlyDate ? { only: 'date' } : onlyTime ? { only: 'time' } : {}),
  };
}

/** Repeated names become several values of one column. */
export function recordValues({ values }: RecordRequest): Values {
  const byName = new Map<string, string[]>();
  for (const { name, value } of values) {
    const texts = byName.get(name);
    // A body may hold tens of thousands of entries: each is added, never all of them copied.
    if (texts) texts.push(value ?? '');
    else byName.set(name, [value ?? '']);
  }
  return Object.fromEntries(byName);
}
