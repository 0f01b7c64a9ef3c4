import { createYielder } from '../../base/yield.ts';
import type { Field, FieldDescriptor, IncomingRow, Row, Values } from '../../lists/definitions/model.ts';
import { checkValue } from '../../lists/values/kinds/check.ts';
import { valuesOf } from '../../lists/values/value-sets.ts';
import { createConverter, describeConversion } from '../pull/convert.ts';
import { rowsOf } from '../../base/incoming-row.ts';
import type { SharedModule } from '../../federation/model.ts';
import { withoutForgedOrigin } from '../pull/list-session.ts';
import type { OpenPartner, SyncFederation } from '../ports.ts';

/** Columns with equal values or format. */
export interface ValueMatch {
  readonly destination: string;
  /** `n` of their `of` distinct values are in ours; absent if only the format is equal. */
  readonly equal?: { readonly n: number; readonly of: number };
}

/** Rarely frequent in a column by chance. */
const LOOKS = ['Email', 'Url', 'DateTime', 'Phone'] as const;
type Looks = (typeof LOOKS)[number];

/** Fewer prove nothing: yes and no, or three countries, occur in many columns. */
const MIN_DISTINCT = 4;
const ENOUGH = 0.6;
const MAX_VALUES = 500;
const MAX_VALUE_CHARS = 320;

type Column = Pick<Field, 'name' | 'label' | 'kind' | 'isMulti' | 'options'>;

/**
 * Suggests columns of ours by the partner's column name, none for references: most distinct values are equal, or both
 * are the only columns of their format. Each of ours occurs at most once.
 */
export async function suggestByValues(
  theirs: { readonly columns: readonly FieldDescriptor[]; readonly rows: readonly IncomingRow[] },
  ours: { readonly columns: readonly Column[]; readonly rows: readonly Pick<Row, 'values'>[] },
): Promise<ReadonlyMap<string, ValueMatch>> {
  const pause = createYielder();
  const here = ours.columns.map((field) => ({ field, texts: sampleTexts(ours.rows, field.name) }));
  const there = theirs.columns
    .filter(({ kind }) => kind !== 'Record')
    .map((origin) => ({ origin, texts: sampleTexts(theirs.rows, origin.name) }));
  const pairs: { origin: string; destination: string; n: number; of: number }[] = [];
  for (const { origin, texts } of there) {
    if (texts.size < MIN_DISTINCT) continue;
    for (const { field, texts: known } of here) {
      await pause();
      if (known.size < MIN_DISTINCT || describeConversion(origin, field).conversion === 'impossible')
        continue;
      const n = countInCommon(origin, field, texts, known);
      if (n >= MIN_DISTINCT && n / texts.size >= ENOUGH)
        pairs.push({ origin: origin.name, destination: field.name, n, of: texts.size });
    }
  }
  const found = new Map<string, ValueMatch>();
  const taken = new Set<string>();
  for (const { origin, destination, n, of } of pairs.sort((a, b) => b.n / b.of - a.n / a.of)) {
    if (found.has(origin) || taken.has(destination)) continue;
    found.set(origin, { destination, equal: { n, of } });
    taken.add(destination);
  }
  for (const looks of LOOKS) {
    const origins = there.filter(({ origin, texts }) => formatOf(origin, texts) === looks);
    const fields = here.filter(({ field, texts }) => formatOf(field, texts) === looks);
    const [origin, field] = [origins[0]?.origin, fields[0]?.field];
    if (!origin || !field || origins.length > 1 || fields.length > 1) continue;
    if (found.has(origin.name) || taken.has(field.name)) continue;
    if (describeConversion(origin, field).conversion !== 'impossible')
      found.set(origin.name, { destination: field.name });
  }
  return found;
}

/** Returns at most 500 different first values of a column; not empty or long ones. */
function sampleTexts(rows: readonly { readonly values: Values }[], column: string): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { values } of rows)
    for (const text of valuesOf(values, column).slice(0, 1))
      if (text !== '' && text.length <= MAX_VALUE_CHARS && texts.size < MAX_VALUES) texts.add(text);
  return texts;
}

/** Returns how many of the partner's values equal one of ours after conversion. */
function countInCommon(
  origin: FieldDescriptor,
  field: Column,
  theirs: ReadonlySet<string>,
  ours: ReadonlySet<string>,
): number {
  const convert = createConverter(origin, field);
  return [...theirs].filter((text) => {
    const converted = convert([text]);
    return 'values' in converted && converted.values.length === 1 && ours.has(converted.values[0] ?? '');
  }).length;
}

/**
 * Returns the format by the column's kind or, for text, the one that all values have; undefined if none fits or there
 * are too few values.
 */
function formatOf({ kind }: Pick<Field, 'kind'>, texts: ReadonlySet<string>): Looks | undefined {
  if (kind === 'Email' || kind === 'Url' || kind === 'DateTime') return kind;
  if (kind !== 'String' || texts.size < MIN_DISTINCT) return undefined;
  return LOOKS.find((looks) => [...texts].every((text) => hasFormat(looks, text)));
}

/**
 * Returns whether a text is valid in this format and looks typical: a day needs its year, a link its scheme or
 * `www.`.
 */
function hasFormat(looks: Looks, text: string): boolean {
  if (looks === 'Phone') return /^\+?[\d\s()/.-]{6,25}$/.test(text) && /^(?:\+|0)/.test(text);
  if (looks === 'Email')
    return /@[^\s@]+\.[^\s@]+$/.test(text) && 'value' in checkValue({ kind: looks, options: {} }, text);
  if (looks === 'DateTime' && !/^\d{4}-\d\d-\d\d|^\d{1,2}[./]\d{1,2}[./]\d{4}/.test(text)) return false;
  if (looks === 'Url' && !/^(?:https?:\/\/|www\.)/i.test(text)) return false;
  return 'value' in checkValue({ kind: looks, options: {} }, text);
}

const ROWS = 50;
const PATIENCE_MS = 5_000;

/**
 * Fetches an offered list's first undeleted rows, with the origins that a pull would believe; [] on failure or after
 * five seconds.
 */
export async function sampleRows(
  deps: { readonly federation: Pick<SyncFederation, 'nodes' | 'tokens'>; readonly openPartner: OpenPartner },
  shared: SharedModule,
  most = ROWS,
): Promise<readonly IncomingRow[]> {
  const { federation, openPartner } = deps;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const node = await federation.nodes.get(shared.nodeID);
    const installation = await federation.tokens.installation(node);
    const peer = openPartner(node, await federation.tokens.tokenFor(node.nodeID));
    try {
      const {
        externalFederationModuleID: moduleID,
        externalComposeModuleID,
        externalComposeNamespaceID,
      } = shared;
      const page = peer.footbridge
        ? await peer.footbridge.changes(moduleID, { after: 0, limit: most }, signal)
        : await peer.feed.records(
            {
              moduleID,
              ...(externalComposeModuleID === undefined ? {} : { composeModuleID: externalComposeModuleID }),
              ...(externalComposeNamespaceID === undefined
                ? {}
                : { composeNamespaceID: externalComposeNamespaceID }),
            },
            {},
            signal,
          );
      for await (const { records, columns } of page.rows)
        return [...records, ...(columns ? rowsOf(columns) : [])]
          .filter(({ deletedAt }) => deletedAt === undefined)
          .slice(0, most)
          .map((record) => withoutForgedOrigin(record, installation));
      return [];
    } finally {
      await peer.close();
    }
  } catch {
    return [];
  }
}
