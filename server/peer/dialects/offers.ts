import { z } from 'zod';
import { columnMark, fieldKind } from '../../contract/common.ts';
import { ProtocolViolationError } from '../guard/errors.ts';
import type { PeerLimits } from '../guard/limits.ts';
import { remoteID, remoteTime } from './records.ts';
import type { RemoteField, RemoteOffer } from '../remote.ts';
import type { FieldKind } from '../../base/vocabulary.ts';

const KINDS: ReadonlySet<string> = new Set<FieldKind>(fieldKind.options);

const flag = z.union([z.boolean(), z.literal(0), z.literal(1)]).nullish();

const field = z.object({
  kind: z.string(),
  name: z.string(),
  label: z.string().nullish(),
  isMulti: flag,
  is_multi: flag,
  mark: z.unknown().optional(),
});

/** Checked only if requested: else they may be anything. */
const marked = z.object({ mark: columnMark.nullish() });
const continued = z.object({ firstModuleID: remoteID.nullish() });

const columns = z.object({ fields: z.array(field) });

const module = z.object({
  moduleID: remoteID,
  composeModuleID: remoteID.nullish(),
  composeNamespaceID: remoteID.nullish(),
  firstModuleID: z.unknown().optional(),
  handle: z.string().nullish(),
  name: z.string().nullish(),
  fields: z.array(z.unknown()).nullish(),
  createdAt: remoteTime.nullish(),
  updatedAt: remoteTime.nullish(),
  deletedAt: remoteTime.nullish(),
});

/**
 * Returns an offered list of any dialect: unknown kinds as text, repeated columns once, long list names and labels
 * shortened. `isMarked`: a Footbridge's columns and list have stable ids. Throws ProtocolViolationError.
 */
export function readOffer(item: unknown, limits: PeerLimits, isMarked = false): RemoteOffer {
  const raw = parseOffered(module, item);
  // First, as each invalid one would be reported.
  if ((raw.fields?.length ?? 0) > limits.columns)
    throw new ProtocolViolationError('an offered list has too many columns.');
  const { fields } = parseOffered(columns, { fields: raw.fields ?? [] });
  return {
    moduleID: raw.moduleID,
    ...optionalMember('composeModuleID', raw.composeModuleID),
    ...optionalMember('composeNamespaceID', raw.composeNamespaceID),
    ...(isMarked ? optionalMember('firstModuleID', parseOffered(continued, raw).firstModuleID) : {}),
    handle: (raw.handle ?? '').slice(0, limits.nameLength),
    name: firstText(raw.name, raw.handle, `List ${raw.moduleID}`).slice(0, limits.nameLength),
    fields: readFields(fields, limits, isMarked),
    ...optionalMember('createdAt', raw.createdAt),
    ...optionalMember('updatedAt', raw.updatedAt),
    ...optionalMember('deletedAt', raw.deletedAt),
  };
}

/** Parses a part of an offer. Throws ProtocolViolationError that names the first fault. */
function parseOffered<T extends z.ZodType>(schema: T, item: unknown): z.infer<T> {
  const parsed = schema.safeParse(item);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  throw new ProtocolViolationError(`an offered list’s “${path}” is not what it should be.`);
}

/** Returns an object with the member; {} if the text is missing or empty. */
function optionalMember<K extends string>(
  key: K,
  value: string | null | undefined,
): Partial<Record<K, string>> {
  return value ? ({ [key]: value } as Partial<Record<K, string>>) : {};
}

/**
 * Returns columns in order, a repeated name once, unknown kinds as text. Throws ProtocolViolationError for a name of
 * wrong length or a repeated stable id.
 */
function readFields(
  raw: readonly z.infer<typeof field>[],
  limits: PeerLimits,
  isMarked: boolean,
): RemoteField[] {
  const fields = new Map<string, RemoteField>();
  const marks = new Set<string>();
  for (const { kind, name, label, isMulti, is_multi, mark: given } of raw) {
    if (name === '' || name.length > limits.nameLength)
      throw new ProtocolViolationError('a column’s name has an impossible length.');
    if (fields.has(name)) continue;
    fields.set(name, {
      kind: isKind(kind) ? kind : 'String',
      name,
      label: firstText(label, name).slice(0, limits.nameLength),
      isMulti: Boolean(isMulti ?? is_multi),
      ...(isMarked ? optionalMember('mark', readStableID(given, marks)) : {}),
    });
  }
  return [...fields.values()];
}

/**
 * Returns a column's stable id and adds it to `taken`; undefined without one. Throws ProtocolViolationError for a
 * repeated one.
 */
function readStableID(given: unknown, taken: Set<string>): string | undefined {
  const { mark } = parseOffered(marked, { mark: given });
  if (mark === undefined || mark === null) return undefined;
  if (taken.has(mark)) throw new ProtocolViolationError('two of its columns have the same mark.');
  taken.add(mark);
  return mark;
}

/** Returns the first text that isn't missing or empty, else ''. */
function firstText(...texts: (string | null | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== null && text !== '') ?? '';
}

function isKind(kind: string): kind is FieldKind {
  return KINDS.has(kind);
}
