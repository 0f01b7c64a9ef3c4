import { wordings } from './format-message.ts';
import { NODE_TEXTS } from './messages.ts';

interface Named<Part> {
  readonly code: string;
  readonly with: Readonly<Record<string, Part | number>>;
}

/** By English text with `{0}` … for parameters; their names in order. */
let byText:
  ReadonlyMap<string, { readonly code: string; readonly names: string[]; readonly one: boolean }> | undefined;

/** Builds the index {@link byText} from the English catalogue. Each plural form is an entry of its own. */
function indexEnglishTexts(): NonNullable<typeof byText> {
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
 * Returns code and named parameters of a sentence that an older version stored as English text with numbered
 * parameters; a singular form's `n` is 1. If the catalogue no longer has this text, it is the code.
 */
export function fromEnglishText<Part>(say: string, parts: readonly Part[]): Named<Part> {
  byText ??= indexEnglishTexts();
  const found = byText.get(say);
  if (!found) return { code: say, with: Object.fromEntries(parts.entries()) };
  const named = found.names.flatMap((name, index): [string, Part][] => {
    const part = parts[index];
    return part === undefined ? [] : [[name, part]];
  });
  return { code: found.code, with: { ...Object.fromEntries(named), ...(found.one ? { n: 1 } : {}) } };
}
