/** What a spreadsheet may take for the beginning of a formula (OWASP ASVS 1.2.10), full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/;
const ESCAPED = /^'+[=+\-@\t\r\n\0＝＋－＠]/;

/**
 * A cell that no spreadsheet takes for a formula: an apostrophe goes before its first character. Text that
 * looks escaped already gets one more, so that {@link unescapeCell} always gives back what was there.
 */
export function escapeCell(text: string): string {
  return FORMULA.test(text) || ESCAPED.test(text) ? `'${text}` : text;
}

export function unescapeCell(cell: string): string {
  return ESCAPED.test(cell) ? cell.slice(1) : cell;
}

/** Stands between the values of a multi-value column; inside a value it follows a backslash. */
export const VALUE_SEPARATOR = '|';

export function joinValues(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/[|\\]/g, '\\$&')).join(VALUE_SEPARATOR);
}

export function splitValues(cell: string): string[] {
  if (cell === '') return [];
  const texts: string[] = [];
  let text = '';
  for (let at = 0; at < cell.length; at++) {
    const character = cell.charAt(at);
    if (character === '\\' && /[|\\]/.test(cell.charAt(at + 1))) {
      text += cell.charAt(++at);
    } else if (character === VALUE_SEPARATOR) {
      texts.push(text);
      text = '';
    } else {
      text += character;
    }
  }
  return [...texts, text];
}
