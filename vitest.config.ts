import { availableParallelism } from 'node:os';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/**
 * `unit` runs without network or browser; `node` runs real nodes on loopback; `hostile` sets lying partners on
 * them; `crash` kills real processes; `window` drives the built app in Chromium; `desktop` drives Electron.
 */
const nodeProject = (name: string, testTimeout: number): object => ({
  extends: true,
  test: {
    name,
    environment: 'node',
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  plugins: [svelte()],
  test: {
    // On a machine of two cores the runner would take one of them only; half of the suites wait for disks.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      nodeProject('unit', 20_000),
      nodeProject('node', 60_000),
      nodeProject('hostile', 60_000),
      nodeProject('crash', 300_000),
      nodeProject('window', 180_000),
      nodeProject('desktop', 120_000),
    ],
  },
});
