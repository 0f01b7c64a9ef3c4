const MOST = 60;

/**
 * How long a function is by what it does itself: the functions inside it, blank lines and comments do not count. So a
 * factory of small functions may be longer than a screen, and nothing that runs from end to end.
 */
export const ownLines = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { long: `{{lines}} lines of its own, where ${MOST} are the most: part it by what it does.` },
  },
  /** Returns the handlers that count each function's own lines and report one with too many. */
  create(context) {
    const { sourceCode } = context;
    /** Of the functions around, the lines of those inside them. */
    const around = [];
    const begin = () => around.push(new Set());
    /** Reports the function if it has too many own lines, and adds its lines to those inside the one around it. */
    const end = (node) => {
      const inner = around.pop();
      const lines = linesOf(sourceCode.getTokens(node));
      const own = [...lines].filter((line) => !inner.has(line));
      if (own.length > MOST) context.report({ node, messageId: 'long', data: { lines: String(own.length) } });
      // The line on which it begins is of the one around it as well.
      for (const line of lines) if (line > node.loc.start.line) around.at(-1)?.add(line);
    };
    return { ':function': begin, ':function:exit': end };
  },
};

function linesOf(tokens) {
  const lines = new Set();
  for (const { loc } of tokens) for (let line = loc.start.line; line <= loc.end.line; line++) lines.add(line);
  return lines;
}
