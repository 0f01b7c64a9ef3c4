import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** Where who shares its rows runs, and where who takes them in: neither then waits for the other's garbage. */
export const ORIGIN_CORE = 0;
export const PULLER_CORE = 1;

/** Whether processes can be kept to one core here. */
const CAN_PIN = cpus().length > 1 && spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0;

/** Keeps a process with all its threads to one core, where the system has `taskset`; elsewhere it runs where it may. */
export function pin(pid: number | undefined, core: number): void {
  if (!CAN_PIN || pid === undefined) return;
  const done = spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
  if (done.status !== 0) throw new Error(`The process ${pid} could not be kept to one core.`);
}
