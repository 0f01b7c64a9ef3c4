import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadArtifact, type FetchDownloaderOptions } from '@electron/get';
import { z } from 'zod';
import { childEnvironment } from '../../server/base/child-environment.ts';
import { electronProgram } from './launch-plan.ts';

interface DownloadTimeouts {
  readonly firstByteMs: number;
  readonly nextByteMs: number;
  readonly unpackMs: number;
}
const DOWNLOAD_TIMEOUTS: DownloadTimeouts = { firstByteMs: 15_000, nextByteMs: 20_000, unpackMs: 120_000 };

/**
 * Returns the path of Electron's program, if it exists, in the folder ELECTRON_OVERRIDE_DIST_PATH or below `root` in
 * node_modules.
 */
export function findElectron(root: string, env = process.env): string | undefined {
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  const folder = override ?? join(root, 'node_modules', 'electron', 'dist');
  const program = electronProgram(process.platform, folder);
  return existsSync(program) ? program : undefined;
}

/**
 * Downloads Electron into node_modules of `root`, whose `electron` package must be installed, and reports progress and
 * failure to `say`. Returns its program's path; undefined on failure, or if the environment names another Electron.
 */
export async function obtainElectron(
  root: string,
  say: (line: string) => void,
  patience: DownloadTimeouts = DOWNLOAD_TIMEOUTS,
): Promise<string | undefined> {
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH !== undefined) return undefined;
  const folder = join(root, 'node_modules', 'electron');
  const stop = new AbortController();
  let patient = setTimeout(() => stop.abort(), patience.firstByteMs);
  let reported = 0;
  const options: FetchDownloaderOptions = {
    quiet: true,
    signal: stop.signal,
    /** Restarts the timeout, and reports each tenth of the download. */
    getProgressCallback({ transferred, percent }) {
      clearTimeout(patient);
      patient = setTimeout(() => stop.abort(), patience.nextByteMs);
      const tenth = Math.floor(percent * 10);
      if (tenth > reported) say(`  ${tenth * 10} % (${Math.round(transferred / 1e6)} MB)`);
      reported = tenth;
      return Promise.resolve();
    },
  };
  try {
    say('Downloading Electron, which shows the window (once, some 110 MB) …');
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
    const checksums = z
      .record(z.string(), z.string())
      .parse(JSON.parse(await readFile(join(folder, 'checksums.json'), 'utf8')));
    await downloadArtifact({
      version,
      artifactName: 'electron',
      platform: process.platform,
      arch: process.arch,
      checksums,
      downloadOptions: options,
    });
    clearTimeout(patient);
    await unpack(join(folder, 'install.js'), patience.unpackMs);
  } catch (error) {
    const reason = stop.signal.aborted ? 'nothing came' : error instanceof Error ? error.message : 'unknown';
    say(`Electron could not be downloaded (${reason}).`);
  } finally {
    clearTimeout(patient);
  }
  return findElectron(root);
}

/** Runs Electron's own installer, which finds the download in its cache. Rejects if it fails or is too slow. */
function unpack(installer: string, withinMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = childEnvironment(process.env);
    const child = spawn(process.execPath, [installer], { stdio: 'ignore', timeout: withinMs, env });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`its installer ended with ${code ?? 'a signal'}`)),
    );
  });
}
