import { wordings } from './format-message.ts';
import { NODE_TEXTS } from './messages.ts';

interface Named<Part> {
  readonly code: string;
  readonly with: Readonly<Record<string, Part | number>>;
}

/** The codes by their English text with `{0}` … for its parameters, and the names of these in their order. */
let byText:
  ReadonlyMap<string, { readonly code: string; readonly names: string[]; readonly one: boolean }> | undefined;

function readTexts(): NonNullable<typeof byText> {
  return new Map(
    Object.entries(NODE_TEXTS.en).flatMap(([code, message]) =>
      wordings(message).map(([category, text]) => {
        const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
        let index = 0;
        const before = text.replace(/\{\w+\}/g, () => `{${index++}}`);
        return [before, { code, names, one: category === 'one' }] as const;
      }),
    ),
  );
}

/**
 * Returns code and named parameters of a sentence that a version before codes stored by its English text, with `{0}` …
 * for its parameters. If the text has changed since, it stays the stored English text.
 */
export function sinceNamed<Part>(say: string, parts: readonly Part[]): Named<Part> {
  byText ??= readTexts();
  const found = byText.get(say);
  if (!found) return { code: say, with: Object.fromEntries(parts.entries()) };
  const named = found.names.flatMap((name, index): [string, Part][] => {
    const part = parts[index];
    return part === undefined ? [] : [[name, part]];
  });
  return { code: found.code, with: { ...Object.fromEntries(named), ...(found.one ? { n: 1 } : {}) } };
}
