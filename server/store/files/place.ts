import type { ChainPlace } from '../recovery/chain.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from './disk.ts';
import type { Mark } from '../recovery/mark.ts';
import type { Marks } from '../recovery/marks.ts';
import type { Migrations } from '../engine/migrations.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import type { StoreError, StoreNotice } from '../store.ts';
import type { Said } from '../../words/said.ts';
import type { Writability } from './writability.ts';

interface Common {
  readonly clock: Clock;
  /** Notifies the user. */
  readonly notice: (code: StoreNotice['code'], file: string, said: Said, partition?: string) => void;
}

/** The surroundings of the store before anything in it was read. */
export interface Surroundings extends Common {
  readonly disk: Disk;
  /** The store's folder. */
  readonly folder: string;
  readonly migrations: Migrations;
  /** Journals up to this many bytes are never compacted. */
  readonly compactFloor: number;
  /** Returns the newest state of a partition in any backup. */
  readonly fromBackups: (partition: string) => Promise<PartitionState | undefined>;
  /** Reports a failure in the background, for which no caller waits. */
  readonly failed: (error: StoreError, doing: string) => void;
}

/** The surroundings of the store. */
export interface StorePlace extends Surroundings {
  readonly marks: Marks;
  readonly writability: Writability;
}

/** The surroundings for loading one partition. */
export interface LoadPlace extends ChainPlace, Common {
  /** See {@link Marks.round} and {@link Marks.reached}. */
  readonly round: () => Promise<number>;
  readonly reached: (mark: Mark) => void;
  readonly fromBackups: () => Promise<PartitionState | undefined>;
}

/** The surroundings for keeping one. */
export interface PartitionPlace
  extends LoadPlace, Pick<StorePlace, 'compactFloor' | 'failed' | 'writability'> {
  /** Serialises compactions of the whole store. */
  readonly oneAtATime: (work: () => Promise<void>) => Promise<void>;
}
