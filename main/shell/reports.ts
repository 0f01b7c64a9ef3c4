import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { arch, homedir, platform, release } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../../server/version.ts';
import { crashFileName, crashReport } from './crash-report.ts';

const MAX_REPORTS = 10;

/**
 * Writes a crash report below the data folder, readable by the owner only, and deletes all but the last ten.
 * Returns its file; undefined if it can't be written.
 */
export async function writeReport(
  dataDir: string,
  error: unknown,
  during: string,
): Promise<string | undefined> {
  const folder = join(dataDir, 'reports');
  const now = new Date();
  const text = crashReport(error, during, now, {
    version: VERSION,
    platform: platform(),
    release: release(),
    arch: arch(),
    electron: process.versions.electron,
    uptimeSeconds: process.uptime(),
    home: homedir(),
  });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, crashFileName(now));
    await writeFile(file, text, { mode: 0o600 });
    const old = (await readdir(folder)).filter((name) => name.startsWith('crash-')).sort();
    for (const name of old.slice(0, -MAX_REPORTS)) await rm(join(folder, name), { force: true });
    return file;
  } catch {
    return undefined;
  }
}
