import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const PROGRAM = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find((path) => existsSync(path));

/** Whether a spreadsheet program is installed, to write and to read workbooks that are not of our own making. */
export const hasLibreOffice = PROGRAM !== undefined;
if (!hasLibreOffice) console.warn('Not tried: workbooks of LibreOffice, which is not installed here.');

/** The file as LibreOffice saves it in another format. `from` and `to` are endings; filters as on its command line. */
export async function convertedBy(
  file: string | Buffer,
  { from, to, infilter, outfilter }: { from: string; to: string; infilter?: string; outfilter?: string },
): Promise<Buffer> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  await writeFile(join(path, `list.${from}`), file);
  const args = [`-env:UserInstallation=file://${join(path, 'profile')}`, '--headless'];
  if (infilter !== undefined) args.push(`--infilter=${infilter}`);
  const format = outfilter === undefined ? to : `${to}:${outfilter}`;
  await promisify(execFile)(PROGRAM ?? '', [
    ...args,
    ...['--convert-to', format, '--outdir', path, join(path, `list.${from}`)],
  ]);
  return readFile(join(path, `list.${to}`));
}
