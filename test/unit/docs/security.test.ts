import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filesIn, linkedTests, text, titlesIn } from '../../support/reading/pages.ts';

/** The claims by attacker; a test is named as `file > title`. */
const attackers = z
  .array(
    z.object({
      attacker: z.string(),
      claims: z.array(z.object({ claim: z.string(), tests: z.array(z.string()).min(1) })).min(1),
    }),
  )
  .parse(JSON.parse(text('docs/security-claims.json')));

const escaped = (words: string): string => words.replaceAll('|', '\\|').replaceAll('`', '');

function linked(test: string): { file: string; title: string } {
  const [file = '', ...title] = test.split(' > ');
  return { file, title: title.join(' > ') };
}

const claims = attackers.flatMap((each) => each.claims);
const tests = claims.flatMap((each) => each.tests.map(linked));

describe('every claim of docs/security-claims.json', () => {
  it('belongs to an attacker of the threat model, and each attacker has claims', () => {
    const model = /## Threat model[\s\S]*?(?=\n## )/.exec(text('SECURITY.md'))?.[0] ?? '';
    const headings = [...model.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(attackers.map(({ attacker }) => attacker));
    expect(tests.length).toBeGreaterThan(300);
  });

  it.each(tests)('$title, in $file: is there', ({ title, file }) => {
    expect([...titlesIn(text(file))]).toContain(title);
  });

  it('is in the table of docs/security-claims.md, which `vitest -u` writes', async () => {
    const tables = attackers.map(({ attacker, claims }) => {
      const lines = claims.map(({ claim, tests }) => {
        const links = tests
          .map(linked)
          .map(({ file, title }) => `[\`${escaped(title)}\`](../${file})`)
          .join(', ');
        return `| ${claim.replaceAll('|', '\\|')} | ${links} |`;
      });
      return `## ${attacker}\n\n| Claim | Tests |\n| --- | --- |\n${lines.join('\n')}\n`;
    });
    const head = `# Security claims\n\nFor auditors. [SECURITY.md](../SECURITY.md) has the threat model. Each claim names the tests that fail when it stops being\ntrue. This page is generated from \`docs/security-claims.json\`; edit that file.\n`;
    await expect([head, ...tables].join('\n')).toMatchFileSnapshot('../../../docs/security-claims.md');
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
  const stated = `${claims.map(({ claim }) => claim).join(' ')} ${text('SECURITY.md')}`;

  it.each(['A', 'S'].flatMap((letter) => [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `${letter}${number}`)))(
    '%s: is in the name of a test, and in a claim',
    (number) => {
      const named = new RegExp(`\\b${number}\\b`);
      expect(titles.filter((title) => named.test(title)).length).toBeGreaterThan(0);
      expect(stated).toMatch(named);
    },
  );
});
