import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { changedRow, changesAnswer } from '../../../server/contract/wire/footbridge.ts';
import { wordings } from '../../../server/words/format-message.ts';
import { NODE_TEXTS } from '../../../server/words/messages.ts';
import { filesIn, linkedTests, PAGES, text, titlesIn } from '../../support/reading/pages.ts';

const isThere = (path: string): boolean => existsSync(new URL(`../../../${path}`, import.meta.url));

/** Headings of a page, as they are written. */
const headings = (page: string): string[] =>
  [...text(page).matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => heading);

/** A heading as an address within its page, as forges make it. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Paths of this project that a page names in code: whole ones, no patterns. */
function pathsIn(page: string): string[] {
  const code = text(page).match(/`[^`\n]+`/g) ?? [];
  const path = /(?:^|[\s`"'(])((?:server|main|renderer|test|scripts|docs|samples|assets)\/[\w./@-]*)/g;
  return code
    .flatMap((each) => [...each.matchAll(path)].map(([, found = '']) => found))
    .filter((found) => !/[*<…]/.test(found))
    .map((found) => found.replace(/[.,]$/, ''));
}

describe.each(PAGES.map((page) => ({ page })))('$page', ({ page }) => {
  it('names no file or folder that is not there', () => {
    expect(pathsIn(page).filter((path) => !isThere(path))).toEqual([]);
  });

  it('links no page or heading that is not there', () => {
    const folder = page.startsWith('docs/') ? 'docs/' : '';
    const links = [...text(page).matchAll(/\]\(((?!https?:)[^)\s]*)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const [path = '', heading] = link.split('#');
      const target = path === '' ? page : new URL(`x:/${folder}${path}`).pathname.slice(1);
      if (!isThere(target)) return true;
      return heading !== undefined && !headings(target).some((each) => anchor(each) === heading);
    });
    expect(broken).toEqual([]);
  });

  it('links no test that is not there', () => {
    const gone = linkedTests(text(page)).filter(({ title, file }) => !titlesIn(text(file)).has(title));
    expect(gone).toEqual([]);
  });
});

describe('every journey of docs/architecture.md', () => {
  const journeys = text('docs/architecture.md')
    .split('<!-- journey: ')
    .slice(1)
    .map((part) => {
      const rows =
        part.split(/\n(?!\|)/).find((block) => block.includes('\n|') || block.startsWith('|')) ?? '';
      const hops = [...rows.matchAll(/^\| (\d+)\s*\| `([^`]+)`\s*\| `([^`]+)`/gm)];
      return {
        name: part.slice(0, part.indexOf(' ')),
        hops: hops.map(([, number = '', name = '', file = '']) => ({ number: Number(number), name, file })),
      };
    });

  it('is found', () => {
    expect(journeys.map(({ name }) => name)).toEqual(['wire-to-disk', 'disk-to-window', 'click-to-feed']);
  });

  it.each(journeys)('$name: counts its hops, and names functions that stand where it says', (journey) => {
    const { name: of, hops } = journey;
    const said = new RegExp(`(\\d+) hops[^#]*?<!-- journey: ${of} -->`).exec(
      text('docs/architecture.md'),
    )?.[1];
    expect(hops.length).toBe(Number(said));
    expect(hops.map(({ number }) => number)).toEqual(hops.map((_, at) => at + 1));
    const lost = hops.filter(
      ({ name, file }) =>
        !isThere(file) || !new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?!\\w)`).test(text(file)),
    );
    expect(lost).toEqual([]);
  });
});

describe('the rooms of docs/architecture.md', () => {
  /** By room, who it may import beside itself, as the lint rule has it. */
  const ruled = new Map(
    [...text('eslint.config.js').matchAll(/^ {2}(\w+): \[(['\w/., -]*)\],$/gm)].map(
      ([, room = '', others = '']) => [room, others.match(/[\w/.-]+/g) ?? []] as const,
    ),
  );
  const told = [...text('docs/architecture.md').matchAll(/^\| `server\/(\w+)`\s*\| ([^|]+?)\s*\|/gm)].map(
    ([, room = '', may = '']) => ({ room, may }),
  );

  it('are those that there are', () => {
    const rooms = filesIn(['server'], /\.ts$/).map((file) => file.split('/')[1] ?? '');
    const folders = [...new Set(rooms)].filter((room) => !room.endsWith('.ts'));
    expect(told.map(({ room }) => room).sort()).toEqual(folders.sort());
  });

  it.each(told.filter(({ may }) => !may.startsWith('all')))('$room: may import $may', ({ room, may }) => {
    const names = may.match(/server\/[\w/.-]+|\w+/g) ?? [];
    const others = names.map((name) => name.replace('server/', ''));
    // The contract's one package has a rule of its own.
    const rooms = others.filter((name) => !['zod', 'and', 'nothing'].includes(name));
    expect(rooms.sort()).toEqual([...(ruled.get(room) ?? [])].sort());
  });
});

describe('the tables of docs/store.md', () => {
  /** Each table by its name and indexes, with the file that declares it. */
  const declared = filesIn(['server', 'main'], /\.ts$/).flatMap((file) =>
    [
      ...text(file).matchAll(
        /(?:const \w+: |\): )Table<[\s\S]*?name: ['`]([^'`]+)['`]([\s\S]*?)(?:^\}|;$)/gm,
      ),
    ].map(([, name = '', rest = '']) => {
      const indexes = /indexes: \{([\s\S]*)\}/.exec(rest)?.[1] ?? '';
      const names = [...`,${indexes}`.matchAll(/,\s*(\w+): \(/g)].map(([, index = '']) => `\`${index}\``);
      return `${name.replace('${filterID}', '<exposure id>')} | ${names.join(', ')} | ${file}`;
    }),
  );
  const described = [
    ...text('docs/store.md').matchAll(/^\| `([^`]+)`\s*\| [^|]+\| ([^|]*?)\s*\| [^|]+\| `([^`]+)`\s*\|$/gm),
  ].map(([, name = '', indexes = '', file = '']) => `${name} | ${indexes} | ${file}`);

  it('are those that the code declares, with their indexes', () => {
    expect(declared.length).toBeGreaterThan(80);
    expect(described.sort()).toEqual(declared.sort());
  });
});

describe('the page of the feed in docs/sync.md', () => {
  it('is one that the contract allows, without unknown members', () => {
    const sample = /<!-- sample: changes -->\s+```json\n([\s\S]*?)```/.exec(text('docs/sync.md'))?.[1] ?? '';
    const page = z.strictObject({ response: changesAnswer.strict() }).parse(JSON.parse(sample));
    expect(page.response.set.map((row) => changedRow.strict().parse(row))).toHaveLength(2);
  });
});

describe('what the code says of pages', () => {
  const files = filesIn(['server', 'main', 'renderer', 'scripts', 'test'], /\.(ts|svelte|mjs|css)$/);
  /** Comments, each in one line, so that what runs over the end of a line is found. */
  const comments = files.map((file) => ({
    file,
    said: (text(file).match(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm) ?? [])
      .map((comment) => comment.replace(/\n\s*\*?\s*/g, ' '))
      .join('\n'),
  }));

  it('leads to pages and headings that are there', () => {
    const refs = comments.flatMap(({ file, said }) =>
      [...said.matchAll(/\b((?:docs\/[\w-]+|README|SECURITY|CONTRIBUTING)\.md)(?:: ([^\n]*))?/g)].map(
        ([, page = '', behind]) => ({ file, page, behind }),
      ),
    );
    expect(refs.length).toBeGreaterThan(60);
    const lost = refs.filter(
      ({ page, behind }) =>
        !isThere(page) ||
        (behind !== undefined && !headings(page).some((heading) => behind.startsWith(heading))),
    );
    expect(lost).toEqual([]);
  });

  it('names no section of a text that is not in this repository', () => {
    const elsewhere = comments.filter(({ said }) => said.includes('§')).map(({ file }) => file);
    expect(elsewhere).toEqual([]);
  });
});

describe('docs/runbook.md', () => {
  const sentences = Object.values(NODE_TEXTS.en).flatMap((each) =>
    wordings(each).map(([, sentence]) => sentence),
  );
  const quoted = [...text('docs/runbook.md').matchAll(/“([^”]+)”/g)].map(([, quote = '']) => quote);

  it.each(quoted)('quotes what Footbridge says: %s', (quote) => {
    const parts = quote.split('…').map((part) => part.trim());
    const isSaid = (sentence: string): boolean =>
      parts.every((part, at) =>
        sentence.includes(part, at === 0 ? 0 : sentence.indexOf(parts[at - 1] ?? '')),
      );
    expect(sentences.filter(isSaid)).not.toEqual([]);
  });
});
