import { cpus, loadavg, totalmem } from 'node:os';

/** Where it was measured, without names that mean something to nobody else. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly platform: string;
  readonly node: string;
  /** Load of the last minute before measuring; what other programs do is measured along. */
  readonly loadBefore: number;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    loadBefore: Number(loadavg()[0]?.toFixed(2)),
  };
}
