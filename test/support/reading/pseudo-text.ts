import type { Message } from '../../../server/words/catalogue.ts';

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

/** A whole catalogue of it. */
export const inPseudo = (texts: Readonly<Record<string, Message>>): Record<string, Message> =>
  Object.fromEntries(
    Object.entries(texts).map(([key, message]) => [
      key,
      typeof message === 'string'
        ? pseudo(message)
        : { one: pseudo(message.one), other: pseudo(message.other) },
    ]),
  );
