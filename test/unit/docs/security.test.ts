import { describe, expect, it } from 'vitest';
import { filesIn, linkedTests, text, titlesIn } from '../../support/reading/pages.ts';

/** What SECURITY.md links: the name of a test, and the file that it is to be found in. */
const links = linkedTests(text('SECURITY.md'));

describe('every claim of SECURITY.md', () => {
  it('is linked to tests', () => {
    expect(links.length).toBeGreaterThan(50);
    const section = /## Who may try what[\s\S]*?(?=\n## )/.exec(text('SECURITY.md'))?.[0] ?? '';
    const claims = section.split(/\n(?=- |### )/).filter((part) => part.startsWith('- '));
    // Said without a test: what is out of scope.
    const bare = claims.filter((claim) => !claim.includes('](test/'));
    expect(bare.map((claim) => claim.slice(0, 40))).toEqual(['- The rows themselves are not encrypted ']);
  });

  it.each(links)('$title, in $file: is there', ({ title, file }) => {
    expect([...titlesIn(text(file))]).toContain(title);
  });
});

/** The same of docs/pairing.md. */
const ofPairing = linkedTests(text('docs/pairing.md'));

describe('every invariant of docs/pairing.md', () => {
  it('is linked to a test', () => {
    const lines = text('docs/pairing.md')
      .split('\n')
      .filter((line) => /^\| P\d/.test(line));
    expect(lines).toHaveLength(11);
    expect(lines.filter((line) => !line.includes('](../test/'))).toEqual([]);
  });

  it.each(ofPairing)('$title, in $file: is there', ({ title, file }) => {
    expect([...titlesIn(text(file))]).toContain(title);
  });
});

describe('the cases A1 to A8 and S1 to S8', () => {
  const files = filesIn(['test/unit', 'test/node', 'test/hostile'], /\.test\.ts$/);
  const titles = files.flatMap((file) => [...titlesIn(text(file))]);

  it.each(['A', 'S'].flatMap((letter) => [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `${letter}${number}`)))(
    '%s: stands in the name of a test, and in SECURITY.md',
    (number) => {
      const named = new RegExp(`\\b${number}\\b`);
      expect(titles.filter((title) => named.test(title)).length).toBeGreaterThan(0);
      expect(text('SECURITY.md')).toMatch(named);
    },
  );
});
