import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The text of a file of the program with all that it imports before it runs. */
function loadedBy(path: string, texts = new Map<string, string>()): Map<string, string> {
  if (texts.has(path)) return texts;
  const text = readFileSync(path, 'utf8');
  texts.set(path, text);
  for (const [, file = ''] of text.matchAll(/(?:from|^import|;import)"(\.[^"]+)"/g))
    loadedBy(join(dirname(path), file), texts);
  return texts;
}

describe.skipIf(!existsSync(join(PROGRAM, 'chunks')))('a start', () => {
  const program = join(PROGRAM, 'footbridge.js');
  const [, serve = ''] = /import\([`"](\.\/chunks\/serve-[^`"]+)/.exec(readFileSync(program, 'utf8')) ?? [];
  const node = loadedBy(join(PROGRAM, serve), loadedBy(program));
  const script = [...node.values()].join('');

  it('of a service keeps at most 2.5 MB of script in memory', () => {
    expect(node.size).toBeGreaterThan(3);
    // A file with a character beyond Latin-1 takes two bytes for each.
    const sizes = [...node.values()].map((text) => text.length * (/[^\0-\xff]/.test(text) ? 2 : 1));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_500_000);
  });

  it.each([
    ['fetch, WebSockets and mocks of undici', 'EventSourceStream'],
    ['the driver of databases', 'pg-pool'],
    ['types of files that no answer has', 'application/vnd.lotus-1-2-3'],
    ['messages for the debugging of Express', 'debug.destroy'],
    ['the description of the interface', 'openapi:`'],
    ['the recognition of tables in files', 'SaxesParser'],
    ['the reading and writing of CSV', 'BAD_DELIMITERS'],
    ['the calls of the window', 'POST /app/lists/:m/cells'],
    ['the local data for scripts', 'canUpdateNamespace'],
    ['HTTP/2', 'node:http2'],
    ['other encodings than UTF-8', 'cp936'],
    ['the comparison of versions', 'SEMVER_SPEC_VERSION'],
    ['the thread of a log', 'thread-stream'],
  ])('of a service loads nothing that it may never need: %s', (_what, trait) => {
    expect(script.includes(trait)).toBe(false);
  });

  it('keeps the names of functions, so that a stack trace says where it was', () => {
    expect(script).toContain('function createMethodLookup(');
    expect(script).not.toContain('windowCalls');
  });

  it('of a command loads that command alone', () => {
    expect([...loadedBy(program).values()].join('').length).toBeLessThan(1_500_000);
  });
});
