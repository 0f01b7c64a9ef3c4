import { execFile } from 'node:child_process';
import { childEnvironment } from './child-environment.ts';

/** Names the process that this one is to end with; set by the launcher for the node that it starts. */
export const ENDS_WITH = 'FOOTBRIDGE_ENDS_WITH';

/** Short enough that an end takes less than two seconds with the stop of the node. */
const POLL_MS = 250;

/**
 * Calls back once when the parent is gone, or another process that was named. Polls, since no system tells a process so. A
 * process on Windows keeps the id of a parent that is gone.
 * @returns ends the watch
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

/** The parent of another process on Windows; undefined where that can't be found out. */
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
