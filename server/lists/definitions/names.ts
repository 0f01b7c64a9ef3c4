import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** What Corteza takes as a handle or slug. */
const HANDLE = /^[A-Za-z][0-9A-Za-z_\-.]*[A-Za-z0-9]$/;
/** What Corteza takes as the name of a field. */
const FIELD_NAME = /^[A-Za-z][0-9A-Za-z_-]*[A-Za-z0-9]$/;
const MAX_NAME = 64;
/** Titles and labels are any text that a screen can show in a line. */
const MAX_TITLE = 255;

/** @throws Refusal `impossible` */
export function checkHandle(handle: string): string {
  if (HANDLE.test(handle) && handle.length <= MAX_NAME) return handle;
  throw new Refusal(
    'impossible',
    'name.handle',
    said('list.bad-handle', { name: handle.slice(0, 80), most: MAX_NAME }),
  );
}

/** @throws Refusal `impossible` */
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

/** Blanks around a title go, and what turns the direction of writing. @throws Refusal `impossible` */
export function checkTitle(title: string, what: keyof typeof TITLES): string {
  const trimmed = plainName(title).trim();
  if (trimmed !== '' && trimmed.length <= MAX_TITLE) return trimmed;
  throw new Refusal('impossible', 'name.title', TITLES[what]);
}

/** The title, or with a number behind it where one of `taken` is the same, case aside: “Phone (2)”. */
export function freeTitle(title: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()));
  for (let at = 1; ; at++) {
    const free = at === 1 ? title : `${title.slice(0, MAX_TITLE - 8)} (${at})`;
    if (!used.has(free.toLowerCase())) return free;
  }
}

/** A handle like the title, that none of `taken` is, case aside. */
export function handleFrom(title: string, taken: Iterable<string>): string {
  const base = ascii(title)
    .toLowerCase()
    .replace(/[_.-]+/g, '_');
  return untaken(fit(base, 'list_'), taken, (name) => HANDLE.test(name));
}

/** A column's name like the label or header, that none of `taken` is: a second `OrderID` is `OrderID_2`. */
export function fieldNameFrom(label: string, taken: Iterable<string>): string {
  return untaken(fit(ascii(label), 'col_'), taken, isFieldName);
}

/** Names that every JavaScript object has stay out, so that looking a column up never finds one of those. */
export function isFieldName(name: string): boolean {
  return FIELD_NAME.test(name) && name.length <= MAX_NAME && !(name in Object.prototype);
}

/** The patterns take a time that grows with the square of a row of dashes, and a file's header may be of any length. */
function ascii(text: string): string {
  return text
    .slice(0, MAX_TITLE)
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^0-9A-Za-z_-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
}

function fit(text: string, prefix: string): string {
  const prefixed = /^[A-Za-z]./.test(text) ? text : `${prefix}${text || '1'}`;
  return prefixed.slice(0, MAX_NAME - 6).replace(/[_-]+$/, '');
}

function untaken(base: string, taken: Iterable<string>, isValid: (name: string) => boolean): string {
  const used = new Set([...taken].map((name) => name.toLowerCase()));
  for (let at = 1; ; at++) {
    const name = at === 1 ? base : `${base}_${at}`;
    if (!used.has(name.toLowerCase()) && isValid(name)) return name;
  }
}
