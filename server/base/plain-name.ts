const BREAKS = /[\t-\r\u0085\u2028\u2029]+/gu;
/** Controls, direction marks and zero-width fillers, but no joiners that scripts need. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const STAY = /^(?:\u180b|\u180c|\u180d|\u180f|\u200c|\u200d|\p{Variation_Selector})$/u;

/** Returns a name in one line of visible characters. */
export const plainName = (name: string): string =>
  name.replace(BREAKS, ' ').replace(UNSEEN, (unseen) => (STAY.test(unseen) ? unseen : ''));

/** U+2800 is an empty Braille letter, U+FFFC marks a missing object. */
const SEEN = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffc]/u;

export const isVisibleText = (text: string): boolean => SEEN.test(text);
