const MOST = 60;

/**
 * Limits a function by what it does itself, without the functions inside it, blank lines and comments: a factory of
 * small functions may be longer than a screen, but nothing that runs from end to end.
 */
export const ownLines = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { long: `{{lines}} lines of its own, where ${MOST} are the most: part it by what it does.` },
  },
  create(context) {
    const { sourceCode } = context;
    /** The inner functions' lines of each function around. */
    const around = [];
    const begin = () => around.push(new Set());
    /** Reports the function if it has too many own lines, and adds its lines to those inside the one around it. */
    const end = (node) => {
      const inner = around.pop();
      const lines = linesOf(sourceCode.getTokens(node));
      const own = [...lines].filter((line) => !inner.has(line));
      if (own.length > MOST) context.report({ node, messageId: 'long', data: { lines: String(own.length) } });
      // The line on which it begins belongs to the one around it as well.
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
