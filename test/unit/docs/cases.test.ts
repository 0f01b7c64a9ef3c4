import { describe, expect, it } from 'vitest';
import { filesIn, linkedTests, text, titlesIn } from '../../support/reading/pages.ts';

const NUMBER = /\b[RTHASEL]\d{1,2}\b/g;

/** The lines of the page that tell of a case, by its number. */
const cases = new Map(
  text('docs/cases.md')
    .split('\n')
    .flatMap((line) => {
      const number = /^\| ([A-Z]\d+)\s/.exec(line)?.[1];
      return number === undefined ? [] : [[number, line] as const];
    }),
);
/** Those of pairing stand on its own page. */
const ofPairing = new Set(
  text('docs/pairing.md')
    .match(/^\| P\d+/gm)
    ?.map((cell) => cell.slice(2)),
);

const tests = filesIn(['test'], /\.test\.ts$/);
const titles = tests.flatMap((file) => [...titlesIn(text(file))]);

/** The numbers that a name of a test begins with (`H1, L2: …`), ranges left out, or ends with in brackets. */
function numbersIn(title: string): string[] {
  const before = /^((?:[A-Z]\d{1,2}(?:, |\/)?)+): /.exec(title)?.[1] ?? '';
  const behind = /\(([A-Z]\d{1,2})\)$/.exec(title)?.[1] ?? '';
  return [...before.split(/, |\//), behind].filter(Boolean);
}

/** Numbers that comments and names give in brackets: `(H6)`, `(S1–S5)`. */
function numbersInBrackets(source: string): string[] {
  const comments = source.match(/\/\*\*?[\s\S]*?\*\/|\/\/.*$/gm)?.join('\n') ?? '';
  const brackets = [...comments.matchAll(/\(([RTHASELP]\d{1,2}(?:(?:[–,/]| to |, )[RTHASELP]\d{1,2})*)\)/g)];
  return brackets.flatMap(([, inside = '']) => inside.match(/[A-Z]\d+/g) ?? []);
}

describe('every case', () => {
  it('has a number of its own, and each letter is counted through', () => {
    const letters = [...new Set([...cases.keys()].map((number) => number.charAt(0)))];
    expect(letters).toEqual(['R', 'T', 'H', 'A', 'S', 'E', 'L']);
    for (const letter of letters) {
      const numbers = [...cases.keys()].filter((number) => number.startsWith(letter));
      expect(numbers).toEqual(numbers.map((_, at) => `${letter}${at + 1}`));
    }
  });

  it.each([...cases])('%s links a test that carries its number', (number, line) => {
    const linked = linkedTests(line);
    expect(linked.length).toBeGreaterThan(0);
    for (const { title, file } of linked) {
      expect([...titlesIn(text(file))]).toContain(title);
      expect(numbersIn(title)).toContain(number);
    }
  });

  it('that a test is named for stands on the page', () => {
    const unknown = titles.filter((title) => numbersIn(title).some((number) => !cases.has(number)));
    expect(unknown).toEqual([]);
  });

  it('that a comment names stands on the page', () => {
    const files = filesIn(['server', 'main', 'renderer', 'scripts', 'test'], /\.(ts|svelte|mjs)$/);
    const named = files.flatMap((file) => numbersInBrackets(text(file)).map((number) => ({ file, number })));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ number }) => !cases.has(number) && !ofPairing.has(number))).toEqual([]);
  });

  it('that a page names stands on the page', () => {
    for (const page of ['README.md', 'SECURITY.md', 'docs/architecture.md']) {
      const numbers = text(page).match(NUMBER) ?? [];
      expect(numbers.filter((number) => !cases.has(number))).toEqual([]);
    }
  });
});
