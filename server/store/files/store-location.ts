import type { ChainPlace } from '../recovery/chain.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from './disk.ts';
import type { HighWaterMark } from '../recovery/high-water-mark.ts';
import type { HighWaterMarks } from '../recovery/high-water-marks.ts';
import type { Migrations } from '../engine/migrations.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import type { StoreError, StoreNotice } from '../store.ts';
import type { Said } from '../../words/said.ts';
import type { DiskHealth } from './disk-health.ts';

interface Common {
  readonly clock: Clock;
  /** Notifies the user about a file, and logs it in English. */
  readonly notice: (code: StoreNotice['code'], file: string, said: Said, partition?: string) => void;
}

/** Surroundings before the store was read. */
export interface Surroundings extends Common {
  readonly disk: Disk;
  readonly folder: string;
  readonly migrations: Migrations;
  /** Bytes up to which journals are never compacted. */
  readonly compactFloor: number;
  /** Returns its newest state in any backup. */
  readonly fromBackups: (partition: string) => Promise<PartitionState | undefined>;
  /** Logs a background failure. */
  readonly failed: (error: StoreError, doing: string) => void;
}

export interface StoreLocation extends Surroundings {
  readonly marks: HighWaterMarks;
  readonly writability: DiskHealth;
}

export interface LoadLocation extends ChainPlace, Common {
  readonly epoch: () => Promise<number>;
  readonly advanceMark: (mark: HighWaterMark) => void;
  readonly fromBackups: () => Promise<PartitionState | undefined>;
}

export interface PartitionLocation
  extends LoadLocation, Pick<StoreLocation, 'compactFloor' | 'failed' | 'writability'> {
  /** Serialises compactions. */
  readonly oneAtATime: (work: () => Promise<void>) => Promise<void>;
}
