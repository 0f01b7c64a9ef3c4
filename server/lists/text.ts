/** Text for comparing as people do: without case and accents. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  // eslint-disable-next-line no-control-regex -- most text is ASCII and needs no more than this
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  return lower.replaceAll('ß', 'ss').normalize('NFKD').replace(/\p{M}/gu, '');
}

const KEY_LENGTH = 200;

/** A key whose plain order is the order that people expect: case and accents aside, 2 before 10. */
export function naturalKey(text: string): string {
  return fold(text.slice(0, KEY_LENGTH)).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return String.fromCharCode(0x30 + Math.min(number.length, 75)) + number;
  });
}
