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
  /** Tells the user. */
  readonly notice: (code: StoreNotice['code'], file: string, said: Said, partition?: string) => void;
}

/** What the store needs to know of its surroundings before anything in it was looked at. */
export interface Surroundings extends Common {
  readonly disk: Disk;
  /** The store's folder. */
  readonly folder: string;
  readonly migrations: Migrations;
  /** Journals up to this many bytes are never compacted. */
  readonly compactFloor: number;
  /** The newest state of a partition in any backup, if there is one. */
  readonly fromBackups: (partition: string) => Promise<PartitionState | undefined>;
  /** Told of what went wrong in the background, where nobody waits for it. */
  readonly failed: (error: StoreError, doing: string) => void;
}

/** What the store needs to know. */
export interface StorePlace extends Surroundings {
  readonly marks: Marks;
  readonly writability: Writability;
}

/** What loading one partition needs to know. */
export interface LoadPlace extends ChainPlace, Common {
  /** See {@link Marks.round} and {@link Marks.reached}. */
  readonly round: () => Promise<number>;
  readonly reached: (mark: Mark) => void;
  readonly fromBackups: () => Promise<PartitionState | undefined>;
}

/** What keeping it needs besides. */
export interface PartitionPlace
  extends LoadPlace, Pick<StorePlace, 'compactFloor' | 'failed' | 'writability'> {
  /** Runs compactions one after the other for the whole store. */
  readonly oneAtATime: (work: () => Promise<void>) => Promise<void>;
}
