import { writeSync } from 'node:fs';
import { systemClock } from '../../server/base/clock.ts';
import { systemDisk, type Disk } from '../../server/store/files/disk.ts';
import { openStore } from '../../server/store/engine/open-store.ts';
import { checkpoints, KILL_PARTITION, killRows, rowsOfBatch, WRITERS } from '../support/faults/disk-kill.ts';

/** A disk on which a compaction takes long, so that a kill is likely to hit one. */
const slowSnapshots: Disk = {
  ...systemDisk,
  async open(path, mode) {
    const file = await systemDisk.open(path, mode);
    if (!/snapshot.*\.tmp$/.test(path)) return file;
    return {
      ...file,
      async write(pieces, position) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return file.write(pieces, position);
      },
    };
  },
};

/**
 * Writes batches until it is killed, several writers side by side, and prints `writer batch` for each as soon
 * as the store says that it is saved. The journal is compacted all the time.
 */
const store = await openStore({
  dataDir: process.argv[2] ?? '',
  clock: systemClock,
  disk: process.argv[3] === 'slow' ? slowSnapshots : systemDisk,
  limits: { compactFloor: 20_000 },
});
const part = await store.partition(KILL_PARTITION);

await Promise.all(
  WRITERS.map(async (writer) => {
    for (let batch = ((await part.get(checkpoints, writer))?.batch ?? 0) + 1; ; batch++) {
      await part.transaction((tx) => {
        for (const [key, row] of rowsOfBatch(writer, batch)) {
          if (row) tx.put(killRows, key, row);
          else tx.delete(killRows, key);
        }
        tx.put(checkpoints, writer, { batch });
      });
      // Not through a stream: what is printed is out before anything else happens.
      writeSync(1, `${writer} ${batch}\n`);
    }
  }),
);
