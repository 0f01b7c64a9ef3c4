import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resolveAppFile } from '../../../main/window/app-protocol.ts';

const file = (path: string): string | undefined =>
  resolveAppFile('/opt/window', `app://footbridge${path}`)?.file;

it('serves the page, its scripts and pictures', () => {
  expect(file('/')).toBe('/opt/window/index.html');
  expect(file('/?a=b#/settings')).toBe('/opt/window/index.html');
  expect(file('/assets/index-Bx_1.js')).toBe('/opt/window/assets/index-Bx_1.js');
  expect(resolveAppFile('/opt/window', 'app://footbridge/a.svg')?.type).toBe('image/svg+xml');
});

it('serves nothing outside its folder, however it is written (S8)', () => {
  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/%252e%252e/package.json',
    '/assets%00.js',
    '/assets/%ff.js',
    '/.hidden.js',
    '/assets/.env.json',
    '//etc/a.js/../../x.js',
    '/C:/Windows/x.js',
    '/index.html::$DATA',
  ])
    expect(file(path)?.startsWith('/opt/window/') ?? true, path).toBe(true);
  for (const path of [
    '/..%2fpackage.json',
    '/%252e%252e/x.js',
    '/assets%00.js',
    '/.hidden.js',
    '/a/%5c..%5cx.js',
  ])
    expect(file(path), path).toBeUndefined();
});

it('serves no other origin and no file that a window does not consist of', () => {
  expect(resolveAppFile('/opt/window', 'app://elsewhere/index.html')).toBeUndefined();
  expect(resolveAppFile('/opt/window', 'file:///opt/window/index.html')).toBeUndefined();
  for (const path of ['/main.js.map', '/secret.key', '/noextension', '/x.ts'])
    expect(file(path)).toBeUndefined();
});

it('stays in its folder for any path', () => {
  const part = fc.oneof(fc.constantFrom('..', '%2e%2e', '%2f', '\\', '.', 'a', '%00', ':'), fc.string());
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const found = file(`/${parts.join('/')}.js`);
      if (found !== undefined) expect(found).toMatch(/^\/opt\/window\/(?!.*(^|\/)\.\.(\/|$))/);
    }),
  );
});
