import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { extractAll, extractFile, listPackage } from '@electron/asar';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fusesIn, standInRuntime } from './stand-in-runtime.ts';

/** Packs the app to a folder as `npm run package` does, with a stand-in for Electron itself. */
let folder: string;
let packed: string;
let asar: string;
beforeAll(async () => {
  if (!existsSync('dist/main/main.js') || !existsSync('dist/window/index.html'))
    throw new Error('There is no build to pack. Run `npm run build` first.');
  folder = await mkdtemp(join(tmpdir(), 'footbridge-pack-'));
  await standInRuntime(join(folder, 'runtime'));
  const cli = createRequire(import.meta.url).resolve('electron-builder/cli.js');
  await promisify(execFile)(process.execPath, [
    cli,
    '--linux',
    'dir',
    '--x64',
    '--publish',
    'never',
    `-c.electronDist=${join(folder, 'runtime')}`,
    `-c.directories.output=${join(folder, 'out')}`,
  ]);
  packed = join(folder, 'out', 'linux-unpacked');
  asar = join(packed, 'resources', 'app.asar');
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const entries = (): string[] =>
  listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/'));
const files = (): string[] => entries().filter((path) => /\.\w+$|LICENSE$/.test(path));

it('packs the shell, the node, the window and the tray’s pictures', () => {
  expect(files()).toEqual(
    expect.arrayContaining([
      '/package.json',
      '/LICENSE',
      '/dist/licenses.md',
      '/dist/main/main.js',
      '/dist/main/node.js',
      '/dist/main/preload.cjs',
      '/dist/reading-worker.cjs',
      '/dist/window/index.html',
      '/dist/icons/app/256x256.png',
      '/dist/icons/tray/error-24.png',
      '/dist/icons/tray/needs-youTemplate@2x.png',
    ]),
  );
  for (const entry of ['main', 'node']) {
    const text = extractFile(asar, `dist/main/${entry}.js`).toString();
    for (const [, chunk] of text.matchAll(/from "\.\.\/chunks\/([^"]+)"/g))
      expect(files(), `every part that ${entry}.js loads`).toContain(`/dist/chunks/${chunk ?? ''}`);
  }
  // It runs from its text, beside which there are no files.
  expect(extractFile(asar, 'dist/reading-worker.cjs').toString()).not.toMatch(/require\("\.{1,2}\//);
});

it('packs nothing else: no source, source map, test, package, or development file', () => {
  const allowed =
    /^\/(package\.json|LICENSE|dist\/(licenses\.md|reading-worker\.cjs|main\/(main\.js|node\.js|preload\.cjs)|chunks\/[\w.-]+\.js|window\/.+|icons\/(tray\/[\w@.-]+\.png|app\/256x256\.png)))$/;
  expect(files().filter((path) => !allowed.test(path))).toEqual([]);
  expect(
    files().filter((path) => /\.(map|ts|svelte|test\.\w+)$|node_modules|\/launch\.js$/.test(path)),
  ).toEqual([]);
});

it('packs no secret and no path of the machine it was packed on (A6)', () => {
  for (const path of files().filter((file) => /\.(js|cjs|json|html|css)$/.test(file))) {
    const text = extractFile(asar, path.slice(1)).toString();
    expect(text, path).not.toMatch(
      /-----BEGIN (EC |RSA |ENCRYPTED )?PRIVATE KEY-----\s*\n[A-Za-z0-9+/=]{40}/,
    );
    expect(text, path).not.toMatch(/eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/);
    for (const part of ['node_modules', 'server', 'renderer'])
      expect(text, path).not.toContain(join(process.cwd(), part));
    expect(text, path).not.toMatch(/\/\/# sourceMappingURL=(?!.*data:)/);
  }
});

it('packs a manifest of what is needed to run, with the bundled packages left out', () => {
  const manifest = JSON.parse(extractFile(asar, 'package.json').toString()) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: 'footbridge', main: 'dist/main/main.js', type: 'module' });
  expect(manifest.desktopName).toBe('footbridge.desktop');
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['scripts', 'devDependencies']));
  expect(entries().some((path) => path.startsWith('/node_modules'))).toBe(false);
});

it('packs an entry that loads, with its updater, and leaves to a first instance what a second was started for', async () => {
  const app = join(folder, 'app');
  extractAll(asar, app);
  // In Electron's place: an app that is not the first instance.
  await writeFile(
    join(folder, 'electron.mjs'),
    `export const app = {
      isPackaged: true,
      setAppUserModelId() {},
      getPath: () => ${JSON.stringify(folder)},
      requestSingleInstanceLock(handedOver) { console.log(JSON.stringify(handedOver)); return false; },
      quit() { console.log('quit'); },
    };
    export const protocol = {}, ipcMain = {};`,
  );
  await writeFile(
    join(folder, 'hooks.mjs'),
    `export const resolve = (name, context, next) =>
      name === 'electron' ? { url: new URL('electron.mjs', import.meta.url).href, shortCircuit: true } : next(name, context);`,
  );
  const updater = files().find((path) => extractFile(asar, path.slice(1)).includes('quitAndInstall'));
  await writeFile(
    join(folder, 'load.mjs'),
    `import { register } from 'node:module';
    register('./hooks.mjs', import.meta.url);
    await import(${JSON.stringify(pathToFileURL(join(app, 'dist', 'main', 'main.js')).href)});
    const updater = await import(${JSON.stringify(pathToFileURL(join(app, updater ?? '')).href)});
    console.log(Object.keys(updater).length > 0);`,
  );
  const args = [join(folder, 'load.mjs'), 'corteza://1:x@host/f'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, FOOTBRIDGE_DATA: folder },
  });
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringContaining('corteza://1:x@host/f'),
    'quit',
    'true',
  ]);
});

it('stays small: the app itself under 10 MB', async () => {
  const { size } = await stat(asar);
  console.log(`app.asar: ${(size / 1e6).toFixed(2)} MB, ${files().length} files`);
  expect(size).toBeLessThan(10e6);
});

it('keeps the languages that the window offers, and no other', async () => {
  expect((await readdir(join(packed, 'locales'))).sort()).toEqual([
    'de.pak',
    'en-US.pak',
    'es-419.pak',
    'es.pak',
    'fr.pak',
  ]);
});

it('blows the fuses: no Node mode, no Node options, no inspector, only the checked asar (E1)', async () => {
  const program = await readFile(join(packed, 'footbridge'));
  // RunAsNode, CookieEncryption, NodeOptions, NodeCliInspect, AsarIntegrity, OnlyLoadAppFromAsar, (snapshot), FileProtocol
  expect(fusesIn(program)).toMatch(/^010011.0/);
});

it('registers links and invite files, and names who maintains it', async () => {
  const config = await readFile('electron-builder.yml', 'utf8');
  for (const needed of [
    'corteza+federation',
    'footbridge',
    'fileAssociations',
    'maintainer:',
    'nsis',
    'dmg',
    'AppImage',
    'rpm',
    'deb',
  ])
    expect(config).toContain(needed);
});
