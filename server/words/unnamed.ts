import type { Message } from './catalogue.ts';
import { en } from './en/node/index.ts';

/** The codes by the text that stood for them, with the names of its parts in their order. */
const byText = new Map(
  Object.entries<Message>(en).flatMap(([code, message]) =>
    (typeof message === 'string' ? [message] : [message.one, message.other]).map((text) => {
      const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      let place = 0;
      const before = text.replace(/\{\w+\}/g, () => `{${place++}}`);
      return [before, { code, names, one: typeof message === 'object' && text === message.one }] as const;
    }),
  ),
);

/**
 * The code and the named parts of a sentence that a version before them stored by its English text, with `{0}` …
 * where the parts go. One that has been worded anew since stays the English text that it was.
 */
export function sinceNamed<Part>(say: string, parts: readonly Part[]): Named<Part> {
  const found = byText.get(say);
  if (!found) return { code: say, with: Object.fromEntries(parts.entries()) };
  const named = found.names.flatMap((name, place): [string, Part][] => {
    const part = parts[place];
    return part === undefined ? [] : [[name, part]];
  });
  return { code: found.code, with: { ...Object.fromEntries(named), ...(found.one ? { n: 1 } : {}) } };
}

interface Named<Part> {
  readonly code: string;
  readonly with: Readonly<Record<string, Part | number>>;
}
