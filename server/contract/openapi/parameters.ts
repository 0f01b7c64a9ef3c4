import { ID_PATTERN } from '../common.ts';
import type { Parameter } from './operation.ts';

/** Describes a whole number from 1 on. */
const wholeNumber = (maximum?: number): Parameter['schema'] => ({
  type: 'integer',
  minimum: 1,
  ...(maximum === undefined ? {} : { maximum }),
});

export const paging: readonly Parameter[] = [
  { name: 'page', description: 'from 1; not together with limit', schema: wholeNumber() },
  { name: 'perPage', description: '20 when absent', schema: wholeNumber(1000) },
  { name: 'limit', description: 'instead of page and perPage', schema: wholeNumber(1000) },
  { name: 'pageCursor', description: 'the nextPage of the answer before', schema: { type: 'string' } },
];

export const shape: Parameter = {
  name: 'shape',
  description: 'shape of the answer; else that in which it was written last, else 1',
  schema: { enum: ['1', '2'] },
};

const DATE = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const CLOCK = String.raw`([01]\d|2[0-3]):[0-5]\d`;
const TIME = String.raw`\d{1,11}|${DATE}T${CLOCK}:[0-5]\d(\.\d{1,9})?(Z|[+-]${CLOCK})`;

/** Describes a parameter with a time. Live servers send an empty one for "none". */
export const time = (name: 'after' | 'lastSync', dialect?: 'live'): Parameter => ({
  name,
  description: 'Unix seconds or ISO 8601: what was created, changed or deleted at or after it',
  schema: { type: 'string', pattern: `^(${TIME})${dialect === 'live' ? '?' : ''}$` },
  example: '1600109447',
});

export const search: readonly Parameter[] = [
  { name: 'sort', description: 'such as `AccountName ASC, createdAt DESC`', schema: { type: 'string' } },
  {
    name: 'query',
    description:
      "comparisons over shared columns such as `AccountName LIKE 'F%'`, or plain text; with it, `count` is of the rows on the page, and the question stands in the ledger",
    schema: { type: 'string' },
  },
];

export const composeModuleID: Parameter = {
  name: 'composeModuleID',
  description: 'our own list',
  schema: { type: 'string', pattern: ID_PATTERN },
};

/** Describes a switch. On: empty, `1`, `true`; off: `0`, `false`. */
export const flag = (name: string, description: string): Parameter => ({
  name,
  description,
  schema: { enum: ['', '1', 'true', '0', 'false'] },
});
