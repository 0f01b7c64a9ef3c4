import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

const HANDLE = /^[A-Za-z][0-9A-Za-z_\-.]*[A-Za-z0-9]$/;
const FIELD_NAME = /^[A-Za-z][0-9A-Za-z_-]*[A-Za-z0-9]$/;
const MAX_NAME = 64;
/** Characters of a title or label, which is any one-line text. */
export const MAX_TITLE = 255;

/** Returns the handle. Throws `name.handle` unless it is in Corteza's format with up to 64 characters. */
export function checkHandle(handle: string): string {
  if (HANDLE.test(handle) && handle.length <= MAX_NAME) return handle;
  throw new Refusal(
    'impossible',
    'name.handle',
    said('list.bad-handle', { name: handle.slice(0, 80), most: MAX_NAME }),
  );
}

/** Returns the name. Throws `name.column` unless {@link isFieldName}. */
export function checkFieldName(name: string): string {
  if (isFieldName(name)) return name;
  throw new Refusal(
    'impossible',
    'name.column',
    said('list.bad-column-name', { name: name.slice(0, 80), most: MAX_NAME }),
  );
}

const TITLES = {
  list: said('list.bad-title', { most: MAX_TITLE }),
  column: said('list.bad-column-title', { most: MAX_TITLE }),
  workspace: said('workspace.bad-title', { most: MAX_TITLE }),
};

/** Returns the title without outer blanks and direction marks. Throws `name.title` if empty or over 255 characters. */
export function checkTitle(title: string, kind: keyof typeof TITLES): string {
  const trimmed = plainName(title).trim();
  if (trimmed !== '' && trimmed.length <= MAX_TITLE) return trimmed;
  throw new Refusal('impossible', 'name.title', TITLES[kind]);
}

/** Returns the title, with a number if one of `taken` is equal in any case: “Phone (2)”. */
export function freeTitle(title: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()));
  for (let at = 1; ; at++) {
    const free = at === 1 ? title : `${title.slice(0, MAX_TITLE - 8)} (${at})`;
    if (!used.has(free.toLowerCase())) return free;
  }
}

/** Returns a valid handle made of the title in ASCII lower case, numbered if one of `taken` is equal in any case. */
export function handleFrom(title: string, taken: Iterable<string>): string {
  const base = asciiName(title)
    .toLowerCase()
    .replace(/[_.-]+/g, '_');
  const used = new Set([...taken].map((handle) => handle.toLowerCase()));
  return firstFreeName(asNameStart(base, 'list_'), used, (name) => HANDLE.test(name)).name;
}

/** Returns a function that turns labels into names, each unlike `taken` and earlier ones in any case: `OrderID_2`. */
export function createFieldNamer(taken: Iterable<string>): (label: string) => string {
  const used = new Set([...taken].map((name) => name.toLowerCase()));
  /** By base, so equal headers don't retry the same numbers. */
  const numbers = new Map<string, number>();
  return (label) => {
    const base = asNameStart(asciiName(label), 'col_');
    const { name, number } = firstFreeName(base, used, isFieldName, numbers.get(base));
    used.add(name.toLowerCase());
    numbers.set(base, number + 1);
    return name;
  };
}

/** Returns whether the name is in Corteza's format, up to 64 characters, and no name of Object.prototype. */
export function isFieldName(name: string): boolean {
  return FIELD_NAME.test(name) && name.length <= MAX_NAME && !(name in Object.prototype);
}

/**
 * Returns letters, digits, `_` and `-` of the first 255 characters: accents removed, other runs as one `_`, none at
 * either end. May be empty.
 */
function asciiName(text: string): string {
  return text
    .slice(0, MAX_TITLE)
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^0-9A-Za-z_-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
}

/** Prefixes a text of one character or with no letter first. Leaves room for a number, and no `_` or `-` at the end. */
function asNameStart(text: string, prefix: string): string {
  const prefixed = /^[A-Za-z]./.test(text) ? text : `${prefix}${text || '1'}`;
  return prefixed.slice(0, MAX_NAME - 6).replace(/[_-]+$/, '');
}

/**
 * Returns the first valid, unused name of `base_n` with n from `first` on, where number 1 is `base` alone; and n.
 * @param used in lower case
 */
function firstFreeName(
  base: string,
  used: ReadonlySet<string>,
  isValid: (name: string) => boolean,
  first = 1,
): { readonly name: string; readonly number: number } {
  for (let number = first; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!used.has(name.toLowerCase()) && isValid(name)) return { name, number };
  }
}
