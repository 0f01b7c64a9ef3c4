export type Token =
  | { readonly type: 'word'; readonly text: string }
  | { readonly type: 'string'; readonly text: string; readonly hasLoneBackslash: boolean }
  | { readonly type: 'number'; readonly text: string }
  | { readonly type: 'operator'; readonly text: string }
  | { readonly type: 'open' | 'close' | 'comma' };

const BLANK = /\s+/y;
const WORD = /[A-Za-z_][\w.-]*/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;
const OPERATOR = /<=|>=|<>|!==?|={1,3}|<|>/y;

const SAME_OPERATORS: Readonly<Record<string, string | undefined>> = { '==': '=', '===': '=', '!==': '!=' };

const SIGNS: Readonly<Record<string, 'open' | 'close' | 'comma' | undefined>> = {
  '(': 'open',
  ')': 'close',
  ',': 'comma',
};

/** Splits a query into tokens; undefined if a part is none or a string isn't closed. */
export function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  /** Returns a sticky pattern's match at the present position and moves behind it; undefined without one. */
  const takeMatch = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  for (;;) {
    takeMatch(BLANK);
    if (at >= text.length) return tokens;
    const character = text.charAt(at);
    const sign = SIGNS[character];
    if (sign) {
      tokens.push({ type: sign });
      at++;
      continue;
    }
    if (character === "'" || character === '"') {
      const quoted = readString(text, at);
      if (!quoted) return undefined;
      const { end, ...content } = quoted;
      tokens.push({ type: 'string', ...content });
      at = end;
      continue;
    }
    const number = takeMatch(NUMBER);
    const word = number ?? takeMatch(WORD);
    const operator = word === undefined ? takeMatch(OPERATOR) : undefined;
    const found = word ?? (operator && (SAME_OPERATORS[operator] ?? operator));
    if (found === undefined) return undefined;
    tokens.push({
      type: number !== undefined ? 'number' : word !== undefined ? 'word' : 'operator',
      text: found,
    });
  }
}

/**
 * Reads a quoted string; undefined if it isn't closed. `end` is the index after it. Quotes are escaped by doubling or a
 * backslash, backslashes by a backslash; other backslashes stay.
 */
function readString(
  text: string,
  start: number,
): { text: string; hasLoneBackslash: boolean; end: number } | undefined {
  const quote = text.charAt(start);
  let value = '';
  let hasLoneBackslash = false;
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === '\\' && (next === quote || next === '\\')) {
      value += next;
      at++;
    } else if (character === quote && next === quote) {
      value += quote;
      at++;
    } else if (character === quote) {
      return { text: value, hasLoneBackslash, end: at + 1 };
    } else {
      hasLoneBackslash ||= character === '\\';
      value += character;
    }
  }
  return undefined;
}
