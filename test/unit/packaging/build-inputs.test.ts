import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const WORKFLOWS = '.github/workflows';

const ci = (): Promise<string> => readFile(join(WORKFLOWS, 'ci.yml'), 'utf8');

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

  it('is made with the Node that it names: 20.20 without quotes is the number 20.2', async () => {
    const named = [...(await ci()).matchAll(/node-version: *(.*)/g)].map(([, version]) => version);
    expect(new Set(named)).toEqual(new Set(["'20.20'"]));
  });

  it('calls nothing signed that has no certificate of its own system', async () => {
    const text = await ci();
    // What of a job is read before it has a computer knows nothing of that; in steps alone there is a runner.
    for (const [job] of text.matchAll(/^ {4}env:\n(?: {6}.*\n)+/gm)) expect(job).not.toContain('runner.');
    expect(text).toMatch(/CSC_LINK: \$\{\{ matrix\.certificate && secrets\[matrix\.certificate\] \}\}/);
    const systems = text.split(/^ {10}- os: /m).slice(1);
    expect(systems.map((system) => [system.split('\n')[0], /certificate: (\w+)/.exec(system)?.[1]])).toEqual([
      ['ubuntu-latest', undefined],
      ['windows-latest', 'WIN_CSC_LINK'],
      ['macos-latest', 'MAC_CSC_LINK'],
    ]);
  });

  it('publishes nothing before the desktop app was tried, and keeps its pictures', async () => {
    const [, desktop = '', packages = ''] = (await ci()).split(/^ {2}(?=desktop:|packages:)/m);
    expect(packages).toMatch(/^ {4}needs: \[check, desktop\]$/m);
    expect(desktop).toMatch(/FOOTBRIDGE_PICTURES: [^]*upload-artifact@[^]*if-no-files-found: error/);
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
