import { closeSync, openSync, readSync } from 'node:fs';

/** Watches how long this thread works without letting anything else run. Linux only. */
export interface TurnWatch {
  /**
   * Milliseconds of processor time of the longest turn of the event loop since the watch began. Time in which other
   * programs had the processor does not count, and a slow or shared processor's time is scaled by how long it takes
   * for a fixed piece of work, so that a limit means the same on every machine.
   */
  end(): number;
}

/** How long `fixedWork` took on the machine on which the limits of the tests were chosen. */
const FIXED_WORK_MS = 8;

/** Parses and writes objects like rows: what the longest turns of this program do. */
function fixedWork(): void {
  const rows = Array.from({ length: 6000 }, (_, n) => ({
    id: String(n),
    name: `Name ${n}`,
    values: [n, n * 7919],
  }));
  JSON.parse(JSON.stringify(rows));
}

export function watchTurns(): TurnWatch {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(100);
  const used = (): number => {
    const read = readSync(file, bytes, 0, bytes.length, 0);
    return Number(bytes.toString('latin1', 0, read).split(' ')[0]) / 1e6;
  };
  let longest = 0;
  let before = used();
  let isOver = false;
  const note = (): void => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const turn = (): void => {
    if (isOver) return;
    note();
    // With a reference the loop would never wait, and take a processor from the threads that are measured beside it.
    setImmediate(turn).unref();
  };
  setImmediate(turn).unref();
  return {
    end() {
      isOver = true;
      note();
      const tries = Array.from({ length: 3 }, () => {
        const start = used();
        fixedWork();
        return used() - start;
      });
      closeSync(file);
      // A faster machine is not made to look slower.
      return longest / Math.max(1, Math.min(...tries) / FIXED_WORK_MS);
    },
  };
}
