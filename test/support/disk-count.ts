import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemDisk, type Disk } from '../../server/store/files/disk.ts';

/** The computer's own disk, that counts what is written to which folder. */
export interface CountingDisk {
  readonly disk: Disk;
  /** Bytes written since it was asked for last, by the name of the folder. */
  taken(): ReadonlyMap<string, number>;
  /** Bytes that lie in a folder, by the names of what is in it. */
  sizes(folder: string): Promise<ReadonlyMap<string, number>>;
}

export function countingDisk(): CountingDisk {
  let written = new Map<string, number>();
  return {
    disk: {
      ...systemDisk,
      async open(path, mode) {
        const file = await systemDisk.open(path, mode);
        const folder = basename(dirname(path));
        return {
          ...file,
          async write(...what) {
            const bytes = await file.write(...what);
            written.set(folder, (written.get(folder) ?? 0) + bytes);
            return bytes;
          },
        };
      },
    },
    taken() {
      const taken = written;
      written = new Map();
      return taken;
    },
    async sizes(folder) {
      const sizes = new Map<string, number>();
      for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
        if (!entry.isFile()) continue;
        const part = entry.parentPath === folder ? entry.name : basename(entry.parentPath);
        const { size } = await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }));
        sizes.set(part, (sizes.get(part) ?? 0) + size);
      }
      return sizes;
    },
  };
}
