import { createYielder } from '../../base/yield.ts';

const RUN = 1024;
const STRIDE = 2048;

/** Returns a sorted copy, blocking the event loop for some milliseconds at most. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const pause = createYielder();
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await mergeSorted(runs[at] ?? [], runs[at + 1] ?? [], compare, pause));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists, stable; pauses every 2,048 items. */
async function mergeSorted<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  pause = createYielder(),
): Promise<T[]> {
  const merged: T[] = [];
  let at = 0;
  let other = 0;
  while (at < left.length && other < right.length) {
    const a = left[at] as T;
    const b = right[other] as T;
    if (compare(a, b) <= 0) {
      merged.push(a);
      at++;
    } else {
      merged.push(b);
      other++;
    }
    if (merged.length % STRIDE === 0) await pause();
  }
  return merged.concat(left.slice(at), right.slice(other));
}
