import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Cases that a trusted node must survive, by the numbers that tests carry in their names: disk, time, partners, load. */
const CASES = { R: 7, T: 6, H: 9, L: 3 };
const TESTS = join(import.meta.dirname, '..');

const own = import.meta.filename;
const titles = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .map((name) => join(TESTS, name))
  .filter((path) => path.endsWith('.test.ts') && path !== own)
  .flatMap((path) => readFileSync(path, 'utf8').match(/(['`])[RTHL]\d.*?\1/g) ?? []);

const numbers = Object.entries(CASES).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
);

it.each(numbers)('case %s has a test of its name', (number) => {
  const named = titles.filter((title) => new RegExp(`^.(?:[RTHL]\\d[,/] ?)*${number}\\b`).test(title));
  expect(named.length).toBeGreaterThan(0);
});
