import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The suites of the running desktop app alone, one after the other: they share a screen and a bus. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..', '..', '..'),
  // The user of the old runtime need not be the one who may write beside the sources.
  cacheDir: join(tmpdir(), 'vite'),
  test: {
    name: 'desktop-old',
    include: ['test/desktop/{app,quit-during-pull}.test.ts', 'test/desktop/session/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
