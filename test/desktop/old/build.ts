import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type InlineConfig, type Plugin } from 'vite';

/** Everything under main/ gets its Electron from here. */
const oldElectron = (root: string): Plugin => ({
  name: 'old-electron',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === 'electron' && importer?.startsWith(join(root, 'main')) === true
      ? join(import.meta.dirname, 'electron-22.ts')
      : undefined,
});

/**
 * Builds the app of the same sources for Electron 22 into `folder`: the main process as CommonJS, in the syntax of Node
 * 16 and behind what fills its gaps, and the window in the syntax of Chromium 108. Icons are those of `npm run build`.
 */
export async function buildForOldElectron(root: string, folder: string): Promise<void> {
  const here = import.meta.dirname;
  const dist = join(folder, 'dist');
  await rm(folder, { recursive: true, force: true });
  const common: InlineConfig = { configFile: false, root, logLevel: 'warn' };
  const inNode = (input: Record<string, string>, plugins: Plugin[]): InlineConfig => ({
    ...common,
    plugins,
    ssr: { noExternal: true, external: ['electron', '@electron/get'] },
    build: {
      ssr: true,
      outDir: join(dist, 'main'),
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      target: 'node16',
      rolldownOptions: {
        input,
        checks: { bundlerTimings: false },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  });
  await build(inNode({ gaps: join(here, 'node-16.ts') }, []));
  await build(inNode({ fetch: join(here, 'node-16-fetch.ts') }, []));
  await build(inNode({ shell: join(root, 'main', 'main.ts') }, [oldElectron(root)]));
  await build(inNode({ office: join(root, 'main', 'node', 'entry.ts') }, []));
  await build(inNode({ preload: join(root, 'main', 'preload.ts') }, []));
  await build({
    ...common,
    root: join(root, 'renderer'),
    base: './',
    plugins: [svelte({ configFile: join(root, 'svelte.config.js') })],
    build: {
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { checks: { bundlerTimings: false } },
      outDir: join(dist, 'window'),
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      target: 'chrome108',
    },
  });
  await cp(join(root, 'dist', 'icons'), join(dist, 'icons'), { recursive: true });
  // What a bundle takes from Node's modules it takes when it is loaded: each finds the gaps before it filled.
  for (const [entry, bundle] of [
    ['main', 'shell'],
    ['node', 'office'],
  ] as const) {
    const text = ['gaps', 'fetch', bundle].map((name) => `require('./${name}.cjs');\n`).join('');
    await writeFile(join(dist, 'main', `${entry}.cjs`), text);
  }
  const about = {
    name: 'footbridge',
    productName: 'Footbridge',
    version: '0.1.0',
    description: 'For the old runtime',
    main: 'dist/main/main.cjs',
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(about));
}
