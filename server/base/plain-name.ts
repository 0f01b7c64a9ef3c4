/** What ends a line, on paper or on a terminal. */
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/gu;
/**
 * Characters that nobody sees: controls, which a terminal takes for commands; what turns the direction of writing around,
 * and so can show one name as another; and fillers of no width, by which two names that look alike are two. Those that
 * join or part letters stay: scripts and pictures are written with them.
 */
const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** A name in one line, as it is seen. Right-to-left scripts find their direction by their own letters. */
export const plainName = (name: string): string => name.replace(BREAKS, ' ').replace(UNSEEN, '');
