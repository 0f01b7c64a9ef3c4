import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findDoubts, findHoles, shippedPlaces } from '../../../scripts/audit-report.ts';

const lock = {
  packages: {
    '': { dependencies: { express: '1' } },
    'node_modules/express': { dependencies: { qs: '1' } },
    'node_modules/qs': {},
    'node_modules/svelte': { dev: true, dependencies: { clsx: '1', nested: '1' } },
    'node_modules/svelte/node_modules/nested': { dev: true, dependencies: { clsx: '1' } },
    'node_modules/nested': { dev: true },
    'node_modules/clsx': { dev: true },
    'node_modules/electron': { dev: true, dependencies: { got: '1' } },
    'node_modules/got': { dev: true },
    'node_modules/vitest': { dev: true },
  },
};
const shipped = shippedPlaces(lock, [
  { name: 'svelte', withDependencies: true },
  { name: 'electron', withDependencies: false },
]);

const advisory = { title: 'Prototype pollution', url: 'https://example.org/1', severity: 'high' };
const report = (name: string, place: string, via: unknown[] = [advisory]): unknown => ({
  vulnerabilities: { [name]: { name, severity: 'high', nodes: [place], via } },
});

describe('what ships', () => {
  it('is all that is not for development, and what is bundled into the window and the app', () => {
    expect([...shipped].sort()).toEqual([
      'node_modules/clsx',
      'node_modules/electron',
      'node_modules/express',
      'node_modules/qs',
      'node_modules/svelte',
      'node_modules/svelte/node_modules/nested',
    ]);
  });

  it('is found in this project’s own lock file', () => {
    const own = shippedPlaces(JSON.parse(readFileSync('package-lock.json', 'utf8')), [
      { name: 'electron', withDependencies: false },
    ]);
    for (const name of ['express', 'jsonwebtoken', 'zod', 'electron'])
      expect(own).toContain(`node_modules/${name}`);
    expect(own).not.toContain('node_modules/vitest');
  });

  it('is not guessed: a bundled package that is not there is an error', () => {
    expect(() => shippedPlaces(lock, [{ name: 'left', withDependencies: true }])).toThrow(/left/);
  });
});

describe('the audit', () => {
  it('finds a hole in what ships', () => {
    expect(findHoles(report('qs', 'node_modules/qs'), shipped)).toEqual([
      { name: 'qs', severity: 'high', advisories: ['Prototype pollution https://example.org/1'] },
    ]);
  });

  it('passes over development tools, and over those that only depend on a hole', () => {
    expect(findHoles(report('vitest', 'node_modules/vitest'), shipped)).toEqual([]);
    expect(findHoles(report('express', 'node_modules/express', ['qs']), shipped)).toEqual([]);
  });

  it('does not take an error of the registry for a clean bill', () => {
    expect(findHoles({ message: '405 Method Not Allowed', error: {} }, shipped)).toBeUndefined();
    expect(findHoles(undefined, shipped)).toBeUndefined();
  });
});

describe('the lockfile alone', () => {
  const digest = 'sha512-AAAA';
  const packages = {
    'node_modules/good': { integrity: digest },
    'node_modules/old': { integrity: digest, deprecated: 'Use new instead.' },
    'node_modules/good/node_modules/@scope/runs': { integrity: digest, hasInstallScript: true },
    'node_modules/loose': {},
    'node_modules/weak': { integrity: 'sha1-AAAA' },
    'node_modules/tool': { dev: true, deprecated: 'Gone.', hasInstallScript: true },
  };

  it('tells of packages that ship which were given up, run a program, or could be anything', () => {
    expect(findDoubts({ packages }, shippedPlaces({ packages }, []))).toEqual([
      'old was given up by its makers: Use new instead.',
      '@scope/runs runs a program when it is installed',
      'loose has no SHA-512 digest in the lockfile',
      'weak has no SHA-512 digest in the lockfile',
    ]);
  });
});
