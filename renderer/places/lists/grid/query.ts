import type { ListColumn } from '../../../../server/contract/app/lists.ts';

/** How a column's values are compared in a filter. */
export type Operator = 'contains' | 'is' | 'is-not' | 'more' | 'less' | 'empty' | 'filled';

export interface Filter {
  readonly column: string;
  readonly operator: Operator;
  readonly value: string;
}

/** The comparisons that make sense for a kind. */
export function operatorsFor(kind: ListColumn['kind']): readonly Operator[] {
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

export const needsValue = (operator: Operator): boolean => operator !== 'empty' && operator !== 'filled';

/** Text as LIKE's own signs would otherwise take it for patterns. */
const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function comparison({ column, operator, value }: Filter, kind: ListColumn['kind'] | undefined): string {
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

/** The `query` of a list of rows: the filters as comparisons. Undefined: no filter is on. */
export function buildQuery(filters: readonly Filter[], columns: readonly ListColumn[]): string | undefined {
  const kinds = new Map(columns.map((column) => [column.name, column.kind]));
  const parts = filters.map((filter) => comparison(filter, kinds.get(filter.column)));
  return parts.length === 0 ? undefined : parts.join(' AND ');
}
