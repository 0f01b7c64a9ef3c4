import { execFile } from 'node:child_process';
import { childEnvironment } from './child-environment.ts';

/** Names the process with which this one ends; the launcher sets it for its node. */
export const PARENT_PID_VARIABLE = 'FOOTBRIDGE_ENDS_WITH';

/** Short enough that an end, with the node's stop, takes less than two seconds. */
const POLL_MS = 250;

/**
 * Calls back once when the parent, or another named process, is gone. Polls, since no system notifies a
 * process. On Windows a process keeps the id of a dead parent. @returns stops watching
 */
export function watchParent(parent: number, onGone: () => void, others: readonly number[] = []): () => void {
  const timer = setInterval(() => {
    if (process.ppid === parent && [parent, ...others].every(isAlive)) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns another process's parent on Windows; undefined if unknown. */
export async function windowsParentOf(pid: number): Promise<number | undefined> {
  const query = `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").ParentProcessId`;
  return new Promise((resolve) => {
    execFile(
      'powershell.exe',
      ['-NoProfile', '-Command', query],
      { timeout: 10_000, env: childEnvironment(process.env) },
      (error, stdout) => {
        const found = Number(stdout.trim());
        resolve(error || !(found > 0) ? undefined : found);
      },
    );
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
