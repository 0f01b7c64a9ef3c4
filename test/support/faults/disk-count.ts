import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemDisk, type Disk } from '../../../server/store/files/disk.ts';

/** The computer's own disk, that counts what is written to which folder. */
export interface CountingDisk {
  readonly disk: Disk;
  /** Bytes written since it was asked for last, by the name of the folder. */
  taken(): ReadonlyMap<string, number>;
  /** What lies in a folder, by the names of what is in it. */
  sizes(folder: string): Promise<ReadonlyMap<string, PartSize>>;
}

export interface PartSize {
  /** Bytes in all of its files. */
  readonly bytes: number;
  /** Of these, in its newest snapshot: what it held when that was written. */
  readonly newest: number;
  /** And in its largest one. */
  readonly largest: number;
}

const NONE: PartSize = { bytes: 0, newest: 0, largest: 0 };

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
      const sizes = new Map<string, PartSize>();
      const entries = await readdir(folder, { withFileTypes: true, recursive: true });
      // By number, so that the newest snapshot comes last.
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (!entry.isFile()) continue;
        const part = entry.parentPath === folder ? entry.name : basename(entry.parentPath);
        const { size } = await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }));
        const { bytes, newest, largest } = sizes.get(part) ?? NONE;
        const isWhole = entry.name.startsWith('snapshot-');
        sizes.set(part, {
          bytes: bytes + size,
          newest: isWhole ? size : newest,
          largest: isWhole ? Math.max(largest, size) : largest,
        });
      }
      return sizes;
    },
  };
}
