import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');

/** A clone without packages or a build. */
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'footbridge-clone-'));
  cpSync(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(clone, 'package.json'));
  const checkedIn = execFileSync('git', ['ls-files', 'dist'], { cwd: ROOT }).toString().trim().split('\n');
  for (const file of checkedIn) cpSync(join(ROOT, file), join(clone, file), { recursive: true });
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

/** Node.js as it is, but that it says it is another version and lacks what that one lacks. */
function runAs(version: string | undefined, script: string): { code: number | null; said: string } {
  const old = join(clone, 'old.cjs');
  writeFileSync(
    old,
    `Object.defineProperty(process, 'version', { value: 'v${version}' });
     Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  const args = [...(version === undefined ? [] : ['--require', old]), join(clone, script)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone });
  return { code: status, said: `${stdout.toString()}${stderr.toString()}` };
}

describe('a Node.js that is too old', () => {
  for (const script of ['scripts/start.mjs', 'scripts/test.mjs', 'dist/cli.js'])
    for (const version of ['18.20.8', '20.10.0', '21.7.3', '22.11.0'])
      it(`is told so, with where to get a newer one: ${script} on ${version}`, () => {
        const { code, said } = runAs(version, script);
        expect(code).toBe(1);
        expect(said).toMatch(/^Footbridge needs Node\.js [\d.]+, or [\d.]+ or newer; this is v/);
        expect(said).toContain(`this is v${version}.`);
        expect(said).toContain('https://nodejs.org/en/download');
        expect(said).not.toMatch(/ at |Installing|Error/);
      });

  it('is told so before a file is loaded that could need a newer one', () => {
    for (const script of ['scripts/start.mjs', 'scripts/test.mjs', 'scripts/cli.mjs', 'dist/cli.js']) {
      const source = readFileSync(join(ROOT, script), 'utf8');
      const imports = [...source.matchAll(/^import .*?'([^']+)';$/gm)].map(([, name]) => name);
      const newer = imports.filter(
        (name) =>
          !/^(node:(child_process|fs|module|os|path|url)|\.\/check-node\.mjs|\.\.\/scripts\/cli\.mjs)$/.test(
            name ?? '',
          ),
      );
      expect(newer, script).toEqual([]);
    }
  });

  it.each(['20.19.0', '22.12.0', '23.0.0', '26.0.0'])('is no such version as %s', (version) => {
    expect(runAs(version, 'scripts/check-node.mjs')).toEqual({ code: 0, said: '' });
  });

  it('goes by the minimum of package.json', () => {
    const manifest = join(clone, 'package.json');
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace(/"node": "\^[^"]+"/, '"node": "^96.2 || >=97.5"'),
    );
    expect(runAs(undefined, 'dist/cli.js').said).toMatch(/needs Node\.js 96\.2, or 97\.5 or newer/);
  });
});

it('says how to build where the command line is called before a build', () => {
  const { code, said } = runAs(undefined, 'dist/cli.js');
  expect(code).toBe(1);
  expect(said).toBe(
    'footbridge: Footbridge is not built yet. Run "npm start", or "npm ci" and "npm run build", then try again.\n',
  );
});

it.runIf(process.platform === 'linux')(
  'compiled code is kept in the folder of the user, where Node.js keeps any',
  () => {
    const newer = join(clone, 'newer.cjs');
    writeFileSync(
      newer,
      "require('module').enableCompileCache = (folder) => console.log(`kept in ${folder}`);",
    );
    const { stdout } = spawnSync(process.execPath, ['--require', newer, join(clone, 'dist/cli.js')], {
      cwd: clone,
      env: { ...process.env, XDG_CACHE_HOME: '/home/ada/caches' },
    });
    expect(stdout.toString()).toContain('kept in /home/ada/caches/footbridge/compiled');
  },
);
