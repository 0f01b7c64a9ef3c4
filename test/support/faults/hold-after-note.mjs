/*
 * Loaded into an office before the program: where the folder `<data>.hold` is there, the office stops for good once it
 * has noted a connection on the disk, before its store knows of it. It says so by a file `reached` in that folder.
 */
import { existsSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';

const { open } = files;
files.open = async (path, ...more) => {
  const handle = await open(path, ...more);
  if (!String(path).endsWith('withdrawn.jsonl')) return handle;
  const writev = handle.writev.bind(handle);
  handle.writev = async (pieces, position) => {
    const written = await writev(pieces, position);
    const hold = `${dirname(path)}.hold`;
    if (!existsSync(hold) || !Buffer.concat(pieces).includes('"connection"')) return written;
    await handle.datasync();
    writeFileSync(join(hold, 'reached'), '');
    return new Promise(() => undefined);
  };
  return handle;
};
syncBuiltinESMExports();
