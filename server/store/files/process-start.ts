import { execFile } from 'node:child_process';
import { childEnvironment } from '../../base/child-environment.ts';
import { readFile } from 'node:fs/promises';

/**
 * Returns when a process was started, as a text that differs for a later process with the same number.
 * Undefined if no such process runs; empty if this can't be found out.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (!runs(pid)) return undefined;
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined) return undefined;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    // The name in parentheses may contain anything; field 22, the start time, is the 20th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // An ended process keeps its number until its parent collects it; a killed parent never does.
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
