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
  /** Adds a notice for the user about a file, and logs it in English. */
  readonly notice: (code: StoreNotice['code'], file: string, said: Said, partition?: string) => void;
}

/** The store's surroundings before it was read. */
export interface Surroundings extends Common {
  readonly disk: Disk;
  readonly folder: string;
  readonly migrations: Migrations;
  /** Journals up to this many bytes are never compacted. */
  readonly compactFloor: number;
  /** Returns a partition's newest state in any backup. */
  readonly fromBackups: (partition: string) => Promise<PartitionState | undefined>;
  /** Logs a background failure, for which no caller waits. */
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
  /** Serialises the whole store's compactions. */
  readonly oneAtATime: (work: () => Promise<void>) => Promise<void>;
}
