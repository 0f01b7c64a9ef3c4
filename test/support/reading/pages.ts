import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

/** A file of the project by its path from the top. */
export const text = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Files below these folders whose name ends so, by their path from the top. */
export function filesIn(folders: readonly string[], ending: RegExp): string[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((name) => ending.test(name)),
  );
}

/** The names of the tests and groups of tests in a file, as they stand there. */
export function titlesIn(source: string): Set<string> {
  const call = /(?:\b(?:it|describe|test)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g;
  return new Set([...source.matchAll(call)].map(([, , title]) => title ?? ''));
}

/** A test that a page links: its name, and the file that it is to be found in, from the top. */
export interface LinkedTest {
  readonly title: string;
  readonly file: string;
}

/** What a text links as a test by name: [`name`](test/…), with `../` before it in pages of docs/. */
export function linkedTests(page: string): LinkedTest[] {
  return [...page.matchAll(/\[\s*`([^`]+)`\s*\]\((?:\.\.\/)?(test\/[^)]+)\)/g)].map(
    ([, title = '', file = '']) => ({ title, file }),
  );
}

/** Pages for people, by their path from the top. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...filesIn(['docs'], /\.md$/),
];
