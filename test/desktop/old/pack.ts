import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ELECTRON, toItsEnd } from './runtime.ts';

/**
 * Packs the app that was built for the old runtime as `npm run package` packs the real one, to a folder, with the same
 * configuration but for what that runtime does not have. Returns the packed program.
 * @param electron the folder that `oldElectron` made
 */
export async function packForOldElectron(
  root: string,
  app: string,
  electron: string,
  folder: string,
): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const runtime = join(folder, 'runtime');
  await mkdir(folder, { recursive: true });
  await cp(join(electron, 'runtime'), runtime, { recursive: true, verbatimSymlinks: true });
  await rm(join(runtime, 'resources', 'app'), { recursive: true, force: true });
  await writeFile(join(runtime, 'version'), ELECTRON);
  const base = join(folder, 'base.yml');
  const real = await readFile(join(root, 'electron-builder.yml'), 'utf8');
  // A fuse that came with a later one.
  await writeFile(base, real.replace(/^ *grantFileProtocolExtraPrivileges:.*\n/m, ''));
  const config = join(folder, 'config.json');
  await writeFile(
    config,
    JSON.stringify({
      extends: base,
      electronVersion: ELECTRON,
      electronDist: runtime,
      // Its build is of other files: CommonJS, and no parts beside the entry.
      files: ['package.json', 'dist/main/*.cjs', 'dist/window/**/*', 'dist/icons/app/256x256.png'],
      directories: { output: join(folder, 'out') },
    }),
  );
  const cli = createRequire(import.meta.url).resolve('electron-builder/cli.js');
  const args = ['--projectDir', app, '--config', config, '--linux', 'dir', '--x64', '--publish', 'never'];
  await toItsEnd(process.execPath, [cli, ...args], root);
  const packed = join(folder, 'packed');
  await rename(join(folder, 'out', 'linux-unpacked'), packed);
  await toItsEnd('chmod', ['-R', 'a+rX', packed], folder);
  return join(packed, 'footbridge');
}
