const GROUPED = {
  '.': /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/,
  ',': /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/,
};

/**
 * A typed number as it is stored, with a point; text that is no number goes to the node as it is, which says so.
 * `mark` is the language's sign before decimals: `1,234` is a thousand and more in English and a little more than
 * one in German. The other sign is taken for decimals too where it cannot stand between thousands.
 */
export function readNumber(typed: string, mark: ',' | '.'): string {
  const text = typed.trim().replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  const plain = GROUPED[mark].test(text) ? text.replaceAll(mark === ',' ? '.' : ',', '') : text;
  return /^[+-]?\d*[.,]\d+$/.test(plain) ? plain.replace(',', '.') : plain;
}
