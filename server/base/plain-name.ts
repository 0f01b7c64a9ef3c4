/** What ends a line, on paper or on a terminal. */
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/gu;
/**
 * Characters that nobody sees: controls, which a terminal takes for commands; what turns the direction of writing around,
 * and so can show one name as another; and fillers of no width, by which two names that look alike are two. Those that
 * join or part letters, or choose their form, stay: scripts and pictures are written with them.
 */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const STAY = /^(?:\u180b|\u180c|\u180d|\u180f|\u200c|\u200d|\p{Variation_Selector})$/u;

/** A name in one line, as it is seen. Right-to-left scripts find their direction by their own letters. */
export const plainName = (name: string): string =>
  name.replace(BREAKS, ' ').replace(UNSEEN, (unseen) => (STAY.test(unseen) ? unseen : ''));

/** What shows nothing: U+2800 is a letter of Braille without a dot, U+FFFC stands for an object that is not there. */
const SEEN = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffc]/u;

/** Whether anything is to be seen of a text. */
export const isSeen = (text: string): boolean => SEEN.test(text);
