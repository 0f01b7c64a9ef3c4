import { HOLDS_IDS, memberKind, findMember, memberText } from './operand.ts';
import { compareKeys } from '../../base/sorted-list.ts';
import { numberKey } from '../values/kinds/number.ts';
import type { Row } from '../definitions/model.ts';
import type { FieldKind, Language } from '../../base/vocabulary.ts';
import { isCorteza, type MemberScope, type QueryField, type RowMember } from './predicate.ts';
import { Refusal } from '../../base/refusal.ts';
import { dictionaryKey, fold, KEY_LENGTH } from '../values/text.ts';
import { compareTimes } from '../values/times.ts';
import { valuesOf } from '../values/value-sets.ts';

export interface SortPart {
  readonly name: string;
  readonly descending: boolean;
  readonly kind: FieldKind;
  readonly fieldID?: string | undefined;
  /** In place of a column; every row has it. */
  readonly system: RowMember | undefined;
  /** Puts rows without such a value first, and distinguishes nothing else. */
  readonly absenceOf?: FieldKind;
  /** By character without case and accents, 10 before 2, as in databases. */
  readonly isByCharacter?: boolean;
}

/** One key per part, undefined without a value. */
export interface SortKey {
  readonly recordID: string;
  readonly keys: readonly (string | undefined)[];
}

export interface Order {
  readonly text: string;
  readonly parts: readonly SortPart[];
  /** None if ordered by ids or times only. */
  readonly columns: readonly string[];
  keyOf(row: Row): SortKey;
  /** Missing keys last in either direction; ties by id: a total order. */
  readonly compare: (a: SortKey, b: SortKey) => number;
}

const MAX_PARTS = 8;
const NO_VALUE = '0';
/** Each part may need a key for missing values; the id follows. */
export const MAX_KEYS = 2 * MAX_PARTS + 1;

/**
 * Parses `Name ASC, createdAt DESC`; an empty text sorts by id. Throws `sort.malformed` for an unknown column or more
 * than eight. Rows without a value come last, and texts in the language's dictionary order, 2 before 10. In Corteza's
 * language rows without a value come first in ascending order, texts compare by character, and ties follow the id in
 * the last part's direction.
 * @param allowed columns that may be named besides the members of `scope`; a column takes precedence
 */
export function parseSort(
  text: string,
  allowed: readonly QueryField[],
  { language = 'en', scope = 'feed' }: { readonly language?: Language; readonly scope?: MemberScope } = {},
): Order {
  const pieces = text.split(',').map((piece) => piece.trim());
  if (pieces.length > MAX_PARTS) throw malformedRefusal(`Rows are sorted by at most ${MAX_PARTS} columns.`);
  const named = text.trim() === '' ? [] : pieces.map((piece) => parsePart(piece, allowed, scope));
  const isByID = named.length === 1 && named[0]?.system === 'recordID' && !named[0].descending;
  const parts = isByID ? [] : isCorteza(scope) ? toCortezaOrder(named) : named;
  const last = parts.at(-1);
  const byID = last?.system === 'recordID' && last.descending ? -1 : 1;
  return {
    text:
      named.map(({ name, descending }) => `${name} ${descending ? 'DESC' : 'ASC'}`).join(', ') || 'id ASC',
    parts,
    columns: named.flatMap(({ name, system }) => (system ? [] : [name])),
    keyOf: (row) => ({
      recordID: row.recordID,
      keys: parts.map((part) => keyOf(part, row, language, scope)),
    }),
    /** Compares by the order's parts, then by id; 0 only for the same id. */
    compare(a, b) {
      for (const [at, part] of parts.entries()) {
        const order = compareParts(part, a.keys[at], b.keys[at]);
        if (order !== 0) return order;
      }
      return byID * compareKeys(a.recordID, b.recordID);
    },
  };
}

/**
 * Parses a column or row member with its direction. Throws `sort.malformed` for an unknown one, in Corteza's language
 * also for a column of several values.
 */
function parsePart(piece: string, allowed: readonly QueryField[], scope: MemberScope): SortPart {
  const [, name = '', direction = 'ASC'] = /^([\w.-]+)(?:\s+(ASC|DESC))?$/i.exec(piece) ?? [];
  const field = allowed.find((column) => column.name === name);
  const system = field ? undefined : findMember(name, scope);
  if (!field && !system)
    throw malformedRefusal(
      `Rows cannot be sorted by “${piece.slice(0, 80)}”. Use names of columns or id, each with ASC or DESC behind it, and commas between them.`,
    );
  if (isCorteza(scope) && field?.isMulti)
    throw malformedRefusal(
      `Rows cannot be sorted by “${name.slice(0, 80)}”, which holds several values. Sort the answer yourself.`,
    );
  const kind = field?.kind ?? (system ? memberKind(system) : 'String');
  const isByCharacter = isCorteza(scope) && !HOLDS_IDS.includes(kind);
  const descending = direction.toUpperCase() === 'DESC';
  return { name, descending, kind, fieldID: field?.fieldID, system, isByCharacter };
}

const OPTIONAL = /^(?:updated|deleted)/;

/** Returns the parts as Corteza sorts: missing values first if ascending, ties by id in the last direction. */
function toCortezaOrder(named: readonly SortPart[]): readonly SortPart[] {
  const parts = named.flatMap((part): SortPart[] => {
    const isAlwaysThere = part.system !== undefined && !OPTIONAL.test(part.system);
    if (part.descending || isAlwaysThere) return [part];
    return [{ ...part, kind: 'String', absenceOf: part.kind }, part];
  });
  const isWhole = named.some(({ system }) => system === 'recordID');
  if (isWhole || named.at(-1)?.descending !== true) return parts;
  return [...parts, { name: 'id', descending: true, kind: memberKind('recordID'), system: 'recordID' }];
}

/**
 * Returns the sort key; undefined without a value. With `absenceOf` a constant without a value, and undefined with one.
 */
function keyOf(part: SortPart, row: Row, language: Language, scope: MemberScope): string | undefined {
  const text = part.system ? memberText(row, part.system, scope) : valuesOf(row.values, part.name)[0];
  const isNone = text === undefined || (text === '' && (part.absenceOf ?? part.kind) !== 'Bool');
  if (part.absenceOf) return isNone ? NO_VALUE : undefined;
  if (isNone) return undefined;
  if (part.kind === 'Number') return numberKey(text);
  if (part.kind === 'DateTime' || part.kind === 'Bool') return text;
  return part.isByCharacter ? fold(text.slice(0, KEY_LENGTH)) : dictionaryKey(text, language);
}

/** Compares two keys of a part; missing ones come last in either direction. */
function compareParts(part: SortPart, a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  const order = compareByKind(part.kind, a, b);
  return part.descending ? -order : order;
}

/** Compares different keys, ascending: negative or positive. */
function compareByKind(kind: FieldKind, a: string, b: string): number {
  // Equal length means one format, comparable as text.
  if (kind === 'DateTime' && a.length !== b.length) return compareTimes(a, b);
  return a < b ? -1 : 1;
}

function malformedRefusal(message: string): Refusal {
  return new Refusal('malformed', 'sort.malformed', message);
}
