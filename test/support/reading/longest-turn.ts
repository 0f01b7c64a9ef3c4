import { closeSync, openSync, readSync } from 'node:fs';

/** Watches how long this thread works without letting anything else run. Linux only. */
export interface TurnWatch {
  /**
   * Milliseconds of processor time of the longest turn of the event loop since the watch began. Time in which other
   * programs had the processor does not count, so that a busy machine says the same as a quiet one.
   */
  end(): number;
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
      closeSync(file);
      return longest;
    },
  };
}
