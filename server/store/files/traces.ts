import type { Disk } from './disk.ts';
import { listIfThere } from './disk-steps.ts';

/** What lies beside a store, and is made only once there is one. */
const TRACES = ['user.key', 'withdrawn.jsonl'];

/** Whether there was a store in this data folder, be it there or not. */
export async function wasInUse(disk: Disk, dataDir: string): Promise<boolean> {
  const names = await listIfThere(disk, dataDir);
  return TRACES.some((name) => names.includes(name));
}
