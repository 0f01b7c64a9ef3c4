import type { Activity } from '../../../sync/status/history.ts';
import type { PartnerStatus } from '../../../sync/status/partner-status.ts';
import type { SyncNowResult } from '../../../sync/sync-now.ts';

export interface StatusWithHistory extends PartnerStatus {
  /** Latest first. */
  readonly history: readonly Activity[];
}

export interface SyncControl {
  /** Pulls now; returns the counts. Throws Refusal. */
  syncNow(nodeID: string): Promise<SyncNowResult>;
  status(nodeID: string): Promise<StatusWithHistory>;
  /** Resolves when no pull of this partner runs. */
  settled(nodeID: string): Promise<void>;
}
