import { execFile } from 'node:child_process';
import { childEnvironment } from '../../base/child-environment.ts';
import { readFile } from 'node:fs/promises';

/**
 * When a process was started, as a text that differs for another process which got the same number later.
 * Undefined when no such process runs; the empty text when it runs but this cannot be found out.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (!runs(pid)) return undefined;
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined) return undefined;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    // The name in parentheses may hold anything; field 22, the start time, is the 20th behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // One that has ended keeps its number until its parent asks after it, which one that was killed as well never does.
    return fields[0] === 'Z' ? undefined : `${boot.trim()}/${fields[19] ?? ''}`;
  }
  return process.platform === 'win32'
    ? output('powershell.exe', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.Ticks`])
    : output('ps', ['-o', 'lstart=', '-p', String(pid)]);
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function output(command: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { timeout: 10_000, env: { ...childEnvironment(process.env), LC_ALL: 'C' } },
      (error, stdout) => resolve(error ? '' : stdout.trim()),
    );
  });
}
