import { given } from '../../../base/given.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { FieldOptionsBody, FieldRequest, RecordRequest } from '../../../contract/wire/compose.ts';
import type { FieldInput } from '../../../lists/definitions/inputs.ts';
import type { ComposeSettings, FieldOptions, JSONObject, Values } from '../../../lists/definitions/model.ts';

/** A name or handle that is empty counts as not given: Corteza's clients send it so. */
export function filled(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** @throws Refusal `impossible` for expressions, which are not evaluated here */
export function fieldInput(field: FieldRequest): FieldInput {
  const { kind, name, options, fieldID, label, isMulti, isRequired, expressions } = field;
  if (Object.values(expressions ?? {}).some((value) => value != null && value !== '')) {
    const message = 'Expressions of columns are not evaluated here. Leave out `expressions`.';
    throw new Refusal('impossible', 'field.unsupported', message);
  }
  const rest = { label, isMulti, isRequired, fieldID: fieldID === '0' ? undefined : fieldID };
  return {
    kind,
    ...given({ ...rest, name: filled(name), options: options ? fieldOptions(options) : undefined }),
  };
}

/** @throws Refusal `impossible` for what a row of ours cannot keep */
export function assertKeepable({ ownedBy, meta, records }: RecordRequest, owner: string): void {
  const unable = records?.length ? 'records' : Object.keys(meta ?? {}).length > 0 ? 'meta' : undefined;
  const isOther = ownedBy != null && ownedBy !== '0' && ownedBy !== owner;
  if (unable === undefined && !isOther) return;
  throw new Refusal('impossible', 'record.unsupported', UNSUPPORTED[unable ?? 'ownedBy']);
}

const UNSUPPORTED = {
  records: 'Nested rows cannot be made in one call here. Leave out `records`, and make them one by one.',
  meta: 'Rows keep no `meta` here. Leave it out, or make a column for it.',
  ownedBy: 'A row belongs to who made it; its owner cannot be changed here. Leave out `ownedBy`.',
};

/** What a client keeps with a workspace or list; undefined where it sends nothing of it. */
export function composeSettings(body: {
  readonly meta?: JSONObject | null | undefined;
  readonly config?: JSONObject | null | undefined;
  readonly labels?: JSONObject | null | undefined;
}): { compose?: ComposeSettings } {
  const kept = given({
    meta: body.meta ?? undefined,
    config: body.config ?? undefined,
    labels: body.labels ?? undefined,
  });
  return Object.keys(kept).length > 0 ? { compose: kept } : {};
}

function fieldOptions(body: FieldOptionsBody): FieldOptions {
  const { options, onlyDate, onlyTime, precision, unit, multiLine, moduleID, ...others } = body;
  const rest = { precision, unit, multiLine, moduleID };
  const choices = options?.map((choice) =>
    typeof choice === 'string'
      ? { value: choice, text: choice }
      : { value: choice.value, text: choice.text ?? '' },
  );
  const texts = choices?.filter(({ value, text }) => text !== '' && text !== value);
  return {
    ...given(rest),
    ...(Object.keys(others).length > 0 && { compose: others }),
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
