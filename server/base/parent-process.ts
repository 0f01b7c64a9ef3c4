import { execFile } from 'node:child_process';
import { childEnvironment } from './child-environment.ts';

/** Set by the launcher: the process with which this one ends. */
export const PARENT_PID_VARIABLE = 'FOOTBRIDGE_ENDS_WITH';

/** Short enough to end within two seconds, with the node's stop. */
const POLL_MS = 250;

/**
 * Polls, and calls `onGone` once when this process has another parent, or one of these processes has ended. Returns a
 * function that stops it. On Windows a dead parent's id stays, so that alone isn't enough.
 */
export function watchParent(
  parentPid: number,
  onGone: () => void,
  otherPids: readonly number[] = [],
): () => void {
  const timer = setInterval(() => {
    if (process.ppid === parentPid && [parentPid, ...otherPids].every(isAlive)) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Asks PowerShell for a process's parent; undefined if unknown. Windows only. */
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

/** Returns whether a process has this id, another user's too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
