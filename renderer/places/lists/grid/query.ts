import type { FilterOperator } from '../../../../server/base/vocabulary.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';

export interface Filter {
  readonly fieldID: string;
  readonly operator: FilterOperator;
  readonly value: string;
}

export interface Sort {
  readonly fieldID: string;
  readonly descending: boolean;
}

/** Returns a kind's comparisons, the default first. */
export function operatorsFor(kind: ListColumn['kind']): readonly FilterOperator[] {
  switch (kind) {
    case 'Number':
    case 'DateTime':
      return ['is', 'is-not', 'more', 'less', 'empty', 'filled'];
    case 'Bool':
      return ['is', 'is-not'];
    case 'Select':
      return ['is', 'is-not', 'contains', 'empty', 'filled'];
    default:
      return ['contains', 'is', 'is-not', 'empty', 'filled'];
  }
}

export const needsValue = (operator: FilterOperator): boolean =>
  operator !== 'empty' && operator !== 'filled';

/** Escapes the wildcards of LIKE. */
const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Returns the comparison in the query language; numbers are unquoted in number columns only. */
function formatComparison({ name: column, kind }: ListColumn, { operator, value }: Filter): string {
  const isNumber = kind === 'Number' && /^[+-]?\d+(\.\d+)?$/.test(value);
  const literal = isNumber ? value : quoted(value);
  switch (operator) {
    case 'contains':
      return `${column} LIKE ${quoted(`%${literally(value)}%`)}`;
    case 'is':
      return `${column} = ${literal}`;
    case 'is-not':
      return `${column} != ${literal}`;
    case 'more':
      return `${column} > ${literal}`;
    case 'less':
      return `${column} < ${literal}`;
    case 'empty':
      return `${column} IS NULL`;
    case 'filled':
      return `${column} IS NOT NULL`;
  }
}

/** Returns the filter's column; undefined if it is gone or its kind no longer has this comparison. */
export const columnOf = (
  columns: readonly ListColumn[],
  { fieldID, operator }: Filter,
): ListColumn | undefined =>
  columns.find((column) => column.fieldID === fieldID && operatorsFor(column.kind).includes(operator));

/** Joins filters by AND in the query language, without those that {@link columnOf} drops; undefined for none. */
export function buildQuery(filters: readonly Filter[], columns: readonly ListColumn[]): string | undefined {
  const parts = filters.flatMap((filter) => {
    const column = columnOf(columns, filter);
    return column ? [formatComparison(column, filter)] : [];
  });
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** Returns the sort in the query language; undefined without one, or if its column is gone. */
export function buildSort(sort: Sort | undefined, columns: readonly ListColumn[]): string | undefined {
  const column = columns.find(({ fieldID }) => fieldID === sort?.fieldID);
  return column && (sort?.descending ? `${column.name} DESC` : column.name);
}
