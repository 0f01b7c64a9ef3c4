import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const WORKFLOWS = '.github/workflows';

async function usedActions(): Promise<string[]> {
  const files = (await readdir(WORKFLOWS)).filter((name) => /\.ya?ml$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(WORKFLOWS, name), 'utf8')));
  return texts.flatMap((text) =>
    [...text.matchAll(/^\s*(?:- )?uses:\s*(.*)$/gm)].map(([, used = '']) => used),
  );
}

describe('what the build takes from others', () => {
  it('names every action by its digest, with the version that it is beside it', async () => {
    const used = await usedActions();
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('names each action by one digest only', async () => {
    const digests = new Map<string, Set<string>>();
    for (const action of await usedActions()) {
      const [name = '', digest = ''] = action.split('@');
      digests.set(name, (digests.get(name) ?? new Set()).add(digest));
    }
    for (const [name, found] of digests) expect([...found], name).toHaveLength(1);
  });

  it('asks macOS for no more than machine code made as it runs', async () => {
    const config = await readFile('electron-builder.yml', 'utf8');
    expect(config).toMatch(/^ {2}hardenedRuntime: true$/m);
    const files = ['entitlements', 'entitlementsInherit'].map(
      (key) => new RegExp(`^ {2}${key}: (\\S+)$`, 'm').exec(config)?.[1] ?? '',
    );
    for (const file of files) {
      const plist = (await readFile(file, 'utf8')).replace(/<!--[^]*?-->/g, '');
      const granted = [...plist.matchAll(/<key>([^<]+)<\/key>\s*<(\w+)\s*\/>/g)].map(([, key, value]) => [
        key,
        value,
      ]);
      expect(granted).toEqual([['com.apple.security.cs.allow-jit', 'true']]);
      expect(plist.match(/<key>/g)).toHaveLength(1);
    }
  });
});
