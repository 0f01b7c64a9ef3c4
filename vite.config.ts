import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { makeIcons, loadRenderer } from './scripts/icons.ts';
import { writeMessages } from './scripts/words.ts';

/** Bundles this code in place of a package, or of a file as its `importers` call it. */
const inPlaceOf = (name: string, code: string, importers = /./): Plugin => ({
  name: `in-place-of-${name}`,
  enforce: 'pre',
  resolveId: (id, importer = '') => (id === name && importers.test(importer) ? `\0${name}` : undefined),
  load: (id) => (id === `\0${name}` ? code : undefined),
});

/**
 * Leaves date-fns out, 500 kB that every command would load: pino-roll requires it for files by date, and the
 * log's files go by size (server/node/log.ts).
 */
const withoutDateFunctions = inPlaceOf(
  'date-fns',
  `const missing = () => { throw new Error('date-fns is not bundled: vite.config.ts'); };
   export { ${['format', 'addDays', 'addHours', 'parse', 'isValid'].map((name) => `missing as ${name}`).join(', ')} };`,
);

/**
 * Bundles of undici its HTTP client alone: its index also loads `fetch`, WebSockets, caches and mocks, 40 ms of each start.
 */
const onlyHttpClient = inPlaceOf(
  'undici',
  `import api from 'undici/lib/api/index.js';
   import Agent from 'undici/lib/dispatcher/agent.js';
   import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
   import buildConnector from 'undici/lib/core/connect.js';
   Object.assign(Dispatcher.prototype, api);
   export { Agent, buildConnector, Dispatcher };`,
);

/** No partner is offered HTTP/2, and bodies of requests are texts. */
const withoutHttp2 = inPlaceOf('./client-h2.js', 'module.exports = undefined;', /[\\/]undici[\\/]/);
const withoutForms = inPlaceOf('../web/fetch/body.js', 'module.exports = {};', /[\\/]undici[\\/]/);

/**
 * Express and the updater write to `debug` where an environment variable asks; the log is ours (server/node/log.ts). The
 * updater calls its member `default`.
 */
const withoutDebug = inPlaceOf(
  'debug',
  `const debug = () => Object.assign(() => undefined, { enabled: false });
   module.exports = Object.assign(debug, { default: debug });`,
);

/** Tokens ask it whether Node is at least version 17. */
const withoutSemver = inPlaceOf(
  'semver',
  'module.exports = { satisfies: () => true };',
  /[\\/]jsonwebtoken[\\/]/,
);

/** Bodies are read in UTF-8 alone (server/http/listeners/json-body.ts). */
const onlyUtf8 = inPlaceOf(
  'iconv-lite',
  `module.exports = {
     encodingExists: (name) => name.toLowerCase() === 'utf-8',
     decode: (bytes) => new TextDecoder().decode(bytes),
   };`,
  /[\\/](?:body-parser|raw-body)[\\/]/,
);

/** The log is written in the main thread (server/node/log.ts). */
const withoutLogThread = inPlaceOf('thread-stream', 'module.exports = class {};');

/** A type of file that an answer here may have, or a request. */
const OUR_TYPE =
  /^(?:application|font|image|text)\/(?!prs\.|x-(?!www-form)|vnd\.(?!.*\.(?:sheet|spreadsheet)$))/;

/** Bundles of 2,500 types of files those that are ours: each start makes a table of all. */
const onlyOurTypes: Plugin = {
  name: 'only-our-types',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/mime-db/db.json')) return undefined;
    const types = Object.entries(JSON.parse(code) as Readonly<Record<string, object>>);
    return JSON.stringify(Object.fromEntries(types.filter(([type]) => OUR_TYPE.test(type))));
  },
};

/**
 * Escapes characters beyond ASCII in what Node runs: a file that has one takes two bytes in memory for each of its
 * characters as long as the program runs.
 */
const inAscii = (): Plugin => ({
  name: 'in-ascii',
  applyToEnvironment: ({ name }) => name === 'node',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const code = chunk.code.replace(/(\\*)([^\0-\x7f])/g, (_all, before: string, character: string) => {
        // An odd backslash escapes the character itself, without need.
        const slashes = before.slice(before.length % 2);
        return `${slashes}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
      });
      // Tables of characters are shorter as they are.
      if (code.length < 2 * chunk.code.length) chunk.code = code;
    }
  },
});

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;
/**
 * Removes what earlier builds left in the folder `dist`. Their chunks stay for a month, since an office that runs loads
 * some of them later; what `npm run package` packs has none of them.
 */
async function removeEarlierBuild(dist: string): Promise<void> {
  const chunks = join(dist, 'chunks');
  await mkdir(chunks, { recursive: true });
  const keptFrom = process.env.npm_lifecycle_event === 'package' ? Infinity : Date.now() - MONTH_MS;
  const others = (await readdir(dist)).map((name) => join(dist, name)).filter((path) => path !== chunks);
  const paths = [...others, ...(await readdir(chunks)).map((name) => join(chunks, name))];
  for (const path of paths)
    if (others.includes(path) || (await stat(path)).mtimeMs < keptFrom)
      await rm(path, { recursive: true, force: true });
}

/**
 * Makes the app a third smaller. Functions and classes keep their names, so that a stack trace says where it was.
 */
const SHORTENED = { mangle: { keepNames: true }, compress: false };

/**
 * One build for all three parts: the window (browser code), the node with its command line and the desktop
 * shell, with the entry of the process that its node runs in (ESM, dependencies bundled, Electron left out), the worker
 * thread that reads foreign files (one CommonJS file), and the
 * preload (one CommonJS file, as a sandboxed preload has to be), and the icons. `vite build --app` makes them all under
 * dist/.
 */
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [
    svelte(),
    withoutDateFunctions,
    onlyHttpClient,
    withoutHttp2,
    withoutForms,
    withoutDebug,
    withoutSemver,
    onlyUtf8,
    withoutLogThread,
    onlyOurTypes,
    inAscii(),
  ],
  // Where the time of a build went says nothing to whoever installs the app.
  build: { rolldownOptions: { checks: { bundlerTimings: false } } },
  builder: {
    async buildApp(builder) {
      const dist = join(import.meta.dirname, 'dist');
      await removeEarlierBuild(dist);
      await writeMessages();
      // Checked in, so that the command line answers before the first build.
      await writeFile(join(dist, 'cli.js'), "#!/usr/bin/env node\nimport '../scripts/cli.mjs';\n", {
        mode: 0o755,
      });
      for (const name of ['client', 'node', 'worker', 'preload']) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
      await copyFile(
        createRequire(import.meta.url).resolve('@fontsource-variable/ibm-plex-sans/LICENSE'),
        join(import.meta.dirname, 'dist', 'window', 'typeface-licence.txt'),
      );
      await loadRenderer();
      await makeIcons(join(import.meta.dirname, 'assets'), join(import.meta.dirname, 'dist', 'icons'));
    },
  },
  environments: {
    client: {
      build: {
        outDir: '../dist/window',
        emptyOutDir: true,
        modulePreload: { polyfill: false },
        // Styles are small, and stay in one order whichever page comes first.
        cssCodeSplit: false,
        license: { fileName: 'licenses.md' },
      },
    },
    node: {
      consumer: 'server',
      resolve: { noExternal: true, external: ['electron', '@electron/get'] },
      build: {
        ssr: true,
        outDir: '../dist',
        emptyOutDir: false,
        copyPublicDir: false,
        minify: false,
        target: 'node20',
        // What is bundled has to bring its licence along.
        license: { fileName: 'licenses.md' },
        rolldownOptions: {
          input: {
            footbridge: 'server/cli.ts',
            'main/main': 'main/main.ts',
            'main/node': 'main/node/entry.ts',
            'main/launch': 'main/shell/launch.ts',
          },
          output: {
            format: 'esm',
            entryFileNames: '[name].js',
            chunkFileNames: 'chunks/[name]-[hash].js',
            minify: SHORTENED,
          },
        },
      },
    },
    // One CommonJS file: a worker cannot load modules from an asar archive in every version of Electron.
    worker: {
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        ssr: true,
        outDir: '../dist',
        emptyOutDir: false,
        copyPublicDir: false,
        minify: false,
        target: 'node20',
        rolldownOptions: {
          input: { 'reading-worker': 'server/lists/reading/worker.ts' },
          output: {
            format: 'cjs',
            entryFileNames: '[name].cjs',
            codeSplitting: false,
            minify: SHORTENED,
          },
        },
      },
    },
    preload: {
      consumer: 'server',
      resolve: { noExternal: true, external: ['electron'] },
      build: {
        ssr: true,
        outDir: '../dist/main',
        emptyOutDir: false,
        copyPublicDir: false,
        minify: false,
        target: 'node20',
        rolldownOptions: {
          input: { preload: 'main/preload.ts' },
          output: { format: 'cjs', entryFileNames: 'preload.cjs' },
        },
      },
    },
  },
});
