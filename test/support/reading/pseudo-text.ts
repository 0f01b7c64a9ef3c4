/** Hebrew letters in the place of Latin ones; what they spell means nothing. */
const LETTERS = 'אבגדהוזחטיכלמנסעפצקרשתךםןף';
/** A text of another language may be longer than the English one by so much. */
const LONGER = 1.4;

/** A text as a language might have it that is written from right to left and takes more room; its parts stay. */
export function pseudo(text: string): string {
  const inOthers = text
    .split(/(\{\w+\})/)
    .map((piece) =>
      piece.startsWith('{')
        ? piece
        : piece.replace(
            /[a-z]/gi,
            (letter) => LETTERS[(letter.toLowerCase().charCodeAt(0) - 97) % LETTERS.length] ?? letter,
          ),
    )
    .join('');
  // What counts numbers by words counts its words.
  const missing = /^\P{L}*$/u.test(text) ? 0 : Math.ceil(text.replace(/\{\w+\}/g, '').length * (LONGER - 1));
  const more = Array.from(LETTERS).slice(0, 8).join('');
  const added = missing < 9 ? more.slice(0, missing) : ` ${`${more} `.repeat(missing / 9)}`.trimEnd();
  return /[.…!?:]$/.test(inOthers)
    ? `${inOthers.slice(0, -1)}${added}${inOthers.slice(-1)}`
    : inOthers + added;
}

/** The same for a message of a catalogue, whose plurals keep their categories. */
export function pseudoMessage(message: string): string {
  const plural = /^\{n, plural, one \{(.*)\} other \{(.*)\}\}$/s.exec(message);
  if (!plural) return pseudo(message);
  const [, one = '', other = ''] = plural;
  return `{n, plural, one {${pseudo(one)}} other {${pseudo(other)}}}`;
}
