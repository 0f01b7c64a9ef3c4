import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const BUILT = 'reading-worker.cjs';

/** Returns the worker's script as text, since asar archives load none; from sources, by tsx. Throws without either. */
export function workerScript(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const source = join(here, 'worker.ts');
  if (existsSync(source)) {
    const packaged = createRequire(import.meta.url).resolve('tsx/package.json');
    const [tsx, entry] = [join(dirname(packaged), 'dist/esm/api/index.mjs'), source].map((path) =>
      JSON.stringify(pathToFileURL(path).href),
    );
    return `import(${tsx ?? ''}).then(({ register }) => { register(); return import(${entry ?? ''}); });`;
  }
  const built = [BUILT, `../${BUILT}`].map((place) => join(here, place)).find((path) => existsSync(path));
  if (built === undefined) throw new Error(`${BUILT} is missing beside the program.`);
  return readFileSync(built, 'utf8');
}
