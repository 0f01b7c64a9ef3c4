import type { ChainPlace } from './chain.ts';
import type { Clock } from './clock.ts';
import type { Disk } from './disk.ts';
import type { Migrations } from './migrations.ts';
import type { PartitionState } from './partition-state.ts';
import type { StoreError, StoreNotice } from './store.ts';

interface Common {
  readonly clock: Clock;
  readonly notice: (code: StoreNotice['code'], file: string, message: string) => void;
}

/** What the store needs to know of its surroundings. */
export interface StorePlace extends Common {
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

/** What loading one partition needs to know. */
export interface LoadPlace extends ChainPlace, Common {
  readonly fromBackups: () => Promise<PartitionState | undefined>;
}

/** What keeping it needs besides. */
export interface PartitionPlace extends LoadPlace, Pick<StorePlace, 'compactFloor' | 'failed'> {
  /** Runs compactions one after the other for the whole store. */
  readonly oneAtATime: (work: () => Promise<void>) => Promise<void>;
}
