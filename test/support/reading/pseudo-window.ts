import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Page } from 'playwright-core';
import { build, type Plugin } from 'vite';
import { z } from 'zod';
import { pseudoMessage } from './pseudo-text.ts';

const RENDERER = fileURLToPath(new URL('../../../renderer', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The window in a language that nobody is offered: its texts are long, and run from right to left. */
export interface PseudoWindow {
  /** From here on the page gets this window from the node that it talks to. */
  showIn(page: Page): Promise<void>;
  remove(): Promise<void>;
}

/** Builds it anew from the sources, with other texts in the place of the English ones. */
export async function buildPseudoWindow(): Promise<PseudoWindow> {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-pseudo-'));
  await build({
    configFile: false,
    root: RENDERER,
    base: './',
    logLevel: 'error',
    plugins: [svelte({ configFile: false }), inOtherWords],
    build: { outDir: folder, minify: false, cssCodeSplit: false, chunkSizeWarningLimit: 10_000 },
  });
  return {
    async showIn(page) {
      await page.route(/^[^?]*\/(?:assets\/[^?]*|start\.js|icon\.svg|)$/, async (route) => {
        const { pathname } = new URL(route.request().url());
        const file = pathname === '/' ? '/index.html' : pathname;
        const body = await readFile(join(folder, file));
        await route.fulfill({
          body: file === '/start.js' ? `document.documentElement.dir = 'rtl';\n${body.toString()}` : body,
          contentType: TYPES[extname(file)] ?? '',
        });
      });
      await page.reload();
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const inOtherWords: Plugin = {
  name: 'in-other-words',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/server/words/en.json')) return undefined;
    const texts = z.record(z.string(), z.record(z.string(), z.string())).parse(JSON.parse(code) as unknown);
    const window = Object.entries(texts.window ?? {}).map(
      ([key, text]) => [key, pseudoMessage(text)] as const,
    );
    return JSON.stringify({ ...texts, window: Object.fromEntries(window) });
  },
};
