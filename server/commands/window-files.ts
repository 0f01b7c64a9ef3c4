import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the built window's folder, which may not exist. */
export function windowFiles(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = ['window', '../window', '../../dist/window'].map((place) => join(here, place));
  return places.find((place) => existsSync(join(place, 'index.html'))) ?? join(here, 'window');
}
