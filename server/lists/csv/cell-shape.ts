import { parseAmount } from '../../base/amount.ts';
import { isBoolWord } from '../values/kinds/bool.ts';
import { NULL } from './cells.ts';
import { readsMonthName } from './month-names.ts';

export type CellShape = 'empty' | 'number' | 'date' | 'time' | 'bool' | 'email' | 'url' | 'text';

const DATE =
  /^(?:\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2}))(?:[ T]+\d{1,2}:\d\d.*)?$/;
const TIME = /^\d{1,2}:\d\d(?::\d\d)?(?:[ \u00a0\u202f]?[ap]\.?[ \u00a0]?m\.?)?$/i;
const EMAIL = /^[^\s@"]+@[^\s@"]+\.[^\s@"]+$/;
const URL = /^https?:\/\//i;
const MAX_CELL_CHARS = 320;

/** Classifies a cell by notation alone: `NULL` is empty, more than 320 characters are text. */
export function shapeOf(cell: string): CellShape {
  const text = cell.trim();
  if (text === '' || text === NULL) return 'empty';
  if (text.length > MAX_CELL_CHARS) return 'text';
  if (/\d/.test(text)) {
    if (DATE.test(text) || readsMonthName(text)) return 'date';
    if (TIME.test(text)) return 'time';
    if (parseAmount(text) !== undefined) return 'number';
  } else if (isBoolWord(text)) return 'bool';
  if (EMAIL.test(text)) return 'email';
  return URL.test(text) ? 'url' : 'text';
}

/** Returns the shape of at least 80% of non-empty cells; undefined if none is that frequent. */
export function dominantShape(shapes: readonly CellShape[]): CellShape | undefined {
  const counts = new Map<CellShape, number>();
  for (const shape of shapes) if (shape !== 'empty') counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts].find(([, count]) => count >= total * NEARLY_ALL)?.[0];
}
const NEARLY_ALL = 0.8;
