import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Marks the place of the fuses in Electron's program; the packager looks for it. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** Fuses as Electron ships them: version 1, nine of them, on or off as by default. */
const FACTORY_FUSES = '101100011';

/**
 * A folder that is to the packager what Electron's own is: a program with fuses, licences, resources and
 * locales. Nothing in it runs; it is for machines where Electron cannot be had.
 */
export async function standInRuntime(folder: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true });
  await mkdir(join(folder, 'locales'));
  const wire = Buffer.concat([
    Buffer.from(FUSE_SENTINEL),
    Buffer.from([1, FACTORY_FUSES.length]),
    Buffer.from(FACTORY_FUSES),
  ]);
  const body = Buffer.alloc(4096, 0x90);
  await writeFile(join(folder, 'electron'), Buffer.concat([body, wire, body]), { mode: 0o755 });
  await writeFile(join(folder, 'chrome-sandbox'), '', { mode: 0o755 });
  await writeFile(join(folder, 'LICENSE'), 'licence of the runtime');
  await writeFile(join(folder, 'LICENSES.chromium.html'), 'licences of Chromium');
  for (const locale of ['de', 'en-GB', 'en-US', 'es', 'es-419', 'fr', 'ja'])
    await writeFile(join(folder, 'locales', `${locale}.pak`), locale);
}

/** States of the fuses in a packed program, by position: `0` off, `1` on. */
export function fusesIn(program: Buffer): string {
  const at = program.indexOf(FUSE_SENTINEL);
  if (at < 0) throw new Error('This program has no fuses.');
  const length = program[at + FUSE_SENTINEL.length + 1] ?? 0;
  return program.subarray(at + FUSE_SENTINEL.length + 2).toString('latin1', 0, length);
}
