import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { omit } from '../../../base/omit.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { FieldOptionsBody, FieldRequest, RecordRequest } from '../../../contract/wire/compose.ts';
import type { FieldInput } from '../../../lists/definitions/inputs.ts';
import type {
  ComposeFieldSettings,
  ComposeSettings,
  Field,
  FieldOptions,
  JSONObject,
  Values,
} from '../../../lists/definitions/model.ts';
import { MAX_DECIMALS } from './values.ts';

/** Returns the text; undefined for blank ones, which Corteza's clients send for absent names and handles. */
export function nonBlank(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

/**
 * Returns a Compose request's column as input. Throws `field.unsupported` (422) for unenforceable rules. `existing`
 * columns keep their options if the request has none. A new number column without options gets empty ones.
 */
export function fieldInput(field: FieldRequest, existing: readonly Field[] = []): FieldInput {
  const { kind, name, fieldID = '0', label, isMulti, isRequired } = field;
  assertEnforceable(field);
  const rest = { label, isMulti, isRequired, fieldID: fieldID === '0' ? undefined : fieldID };
  const isKnown = ({ fieldID: id, ...old }: Field): boolean =>
    old.kind === kind && (fieldID === '0' ? old.name === name : id === fieldID);
  const old = existing.find(isKnown);
  const options = field.options ?? (kind === 'Number' && !old ? {} : undefined);
  return {
    kind,
    ...omitUndefined({ ...rest, name: nonBlank(name), options: options && fieldOptions(kind, options) }),
    ...omitUndefined({ compose: fieldSettings(field, old?.compose) }),
  };
}

/** Restrict values on a Corteza server, unless empty, as clients send them. */
const RULES = ['isUnique', 'isUniqueMultiValue', 'onlyFutureValues', 'onlyPastValues', 'onlySecure'];

/** Throws `field.unsupported` (422) for expressions, unique values, a maximum length, and any of `RULES`. */
function assertEnforceable({ name, label, isUnique, maxLength, isMulti, ...field }: FieldRequest): void {
  const options = isMulti === false ? omit(field.options ?? {}, 'isUniqueMultiValue') : field.options;
  const unable = firstFault({
    expressions: Object.values(field.expressions ?? {}).some((value) => !isEmpty(value)),
    isUnique: isUnique === true,
    maxLength: (maxLength ?? 0) !== 0,
    config: requiresUnique(field.config),
    ...Object.fromEntries(RULES.map((rule) => [`options.${rule}`, options?.[rule] === true])),
  });
  if (unable === undefined) return;
  const column = nonBlank(label) ?? nonBlank(name) ?? '';
  const message = `\`${unable}\` of the column “${column}” cannot be enforced here: rows that break it would be taken. Leave it out, and check values before you send them.`;
  throw new Refusal('impossible', 'field.unsupported', message);
}

/** Returns the name of the first member that is true, if any. */
function firstFault<K extends string>(faults: Readonly<Record<K, boolean>>): K | undefined {
  const names = Object.keys(faults) as K[];
  return names.find((name) => faults[name]);
}

const isEmpty = (value: unknown): boolean =>
  value == null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

const off = z.union([z.literal(false), z.null()]).optional();
const nothingUnique = z.object({
  isUnique: off,
  unique: off,
  recordDeDup: z.object({ rules: z.array(z.unknown()).max(0).nullish() }).nullish(),
});

const requiresUnique = (config: JSONObject | null | undefined): boolean =>
  config != null && !nothingUnique.safeParse(config).success;

/**
 * Returns the settings to store with a list. Throws `list.unsupported` (422) for a `config` with unique values. `known`
 * ones count as not sent.
 */
export function moduleSettings(body: ComposeBody, known?: ComposeSettings): { compose?: ComposeSettings } {
  if (!requiresUnique(body.config)) return composeSettings(body, known);
  const message =
    '`config` of the list asks for unique values, which cannot be enforced here. Leave out `recordDeDup`, and look for a row before you make it.';
  throw new Refusal('impossible', 'list.unsupported', message);
}

/**
 * Throws `record.unsupported` (422) for what rows can't hold: nested rows, `meta`, another owner, or labels other than
 * `known`, the row's own.
 */
export function assertStorable(
  { ownedBy, meta, labels, records }: RecordRequest,
  owner: string,
  known: JSONObject = {},
): void {
  const isOtherLabel = ([name, value]: [string, unknown]): boolean =>
    !Object.hasOwn(known, name) || known[name] !== value;
  const unable = firstFault({
    records: (records ?? []).length > 0,
    meta: Object.keys(meta ?? {}).length > 0,
    labels: Object.entries(labels ?? {}).some(isOtherLabel),
    ownedBy: ownedBy != null && ownedBy !== '0' && ownedBy !== owner,
  });
  if (unable !== undefined) throw new Refusal('impossible', 'record.unsupported', UNSUPPORTED[unable]);
}

const UNSUPPORTED = {
  records: 'Nested rows cannot be made in one call here. Leave out `records`, and make them one by one.',
  meta: 'Rows keep no `meta` here. Leave it out, or make a column for it.',
  labels: 'Rows keep no `labels` here. Leave them out, or make a column for them.',
  ownedBy: 'A row belongs to who made it; its owner cannot be changed here. Leave out `ownedBy`.',
};

type ComposeBody = Readonly<Partial<Record<keyof ComposeSettings, JSONObject | null | undefined>>>;

/**
 * Returns the settings (`meta`, `config`, `labels`) to store; {} if none is new or sent. `known` ones, sent back, count
 * as not sent.
 */
export function composeSettings(body: ComposeBody, known?: ComposeSettings): { compose?: ComposeSettings } {
  /** Returns a member as sent; undefined if it is null, or equals the known one (an absent one as `{}`). */
  const valueIfChanged = (name: keyof ComposeSettings): JSONObject | undefined => {
    const value = body[name] ?? undefined;
    return known && isDeepStrictEqual(value, known[name] ?? {}) ? undefined : value;
  };
  const kept = omitUndefined({
    meta: valueIfChanged('meta'),
    config: valueIfChanged('config'),
    labels: valueIfChanged('labels'),
  });
  return Object.keys(kept).length > 0 ? { compose: kept } : {};
}

/** Returns the settings that a column request gives, without flags equal to the `known` ones; undefined without any. */
function fieldSettings(
  { labels, config, isPrivate, isVisible }: FieldRequest,
  known: ComposeFieldSettings = {},
): ComposeFieldSettings | undefined {
  const flags = omitUndefined({
    isPrivate: isPrivate === (known.isPrivate ?? false) ? undefined : (isPrivate ?? undefined),
    isVisible: isVisible === (known.isVisible ?? false) ? undefined : (isVisible ?? undefined),
  });
  const kept = { ...composeSettings({ labels, config }).compose, ...flags };
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** Holds each Select choice's `style`, by value. */
export const STYLES = 'optionStyles';

/** Returns a number column's precision as stored: 0 if absent, as in Corteza; undefined for its maximum. */
function precisionOf(kind: Field['kind'], precision: number | undefined): number | undefined {
  if (kind === 'Number' && precision === undefined) return 0;
  return precision === MAX_DECIMALS ? undefined : precision;
}

/**
 * Returns options as stored. Members without meaning here go into `compose`, to be sent back. Choices' texts equal to
 * their values are left out.
 */
function fieldOptions(kind: Field['kind'], body: FieldOptionsBody): FieldOptions {
  const { options, onlyDate, onlyTime, precision, unit, multiLine, moduleID, ...others } = body;
  const rest = { precision: precisionOf(kind, precision), unit, multiLine, moduleID };
  const choices = options?.map((choice) =>
    typeof choice === 'string'
      ? { value: choice, text: choice }
      : { value: choice.value, text: choice.text ?? '', style: choice.style },
  );
  const styles = Object.fromEntries(
    choices?.flatMap(({ value, style }) => (style ? [[value, style]] : [])) ?? [],
  );
  const kept = { ...others, ...(Object.keys(styles).length > 0 && { [STYLES]: styles }) };
  const texts = choices?.filter(({ value, text }) => text !== '' && text !== value);
  return {
    ...omitUndefined(rest),
    ...(Object.keys(kept).length > 0 && { compose: kept }),
    ...(choices && { options: choices.map(({ value }) => value) }),
    ...(texts?.length && { optionTexts: Object.fromEntries(texts.map(({ value, text }) => [value, text])) }),
    ...(onlyDate ? { only: 'date' } : onlyTime ? { only: 'time' } : {}),
  };
}

/** Returns values by column name; a repeated name gives several, a missing value ''. */
export function recordValues({ values }: RecordRequest): Values {
  const byName = new Map<string, string[]>();
  for (const { name, value } of values) {
    const texts = byName.get(name);
    if (texts) texts.push(value ?? '');
    else byName.set(name, [value ?? '']);
  }
  return Object.fromEntries(byName);
}
