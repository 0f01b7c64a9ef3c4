import type { Activity } from '../../../sync/status/history.ts';
import type { PartnerStatus } from '../../../sync/status/partner-status.ts';
import type { SyncNowResult } from '../../../sync/sync-now.ts';

export interface StatusWithHistory extends PartnerStatus {
  /** The latest first. */
  readonly history: readonly Activity[];
}

/** What the routes need of the sync engine. */
export interface SyncControl {
  /** Pulls now and answers the counts. @throws Refusal */
  syncNow(nodeID: string): Promise<SyncNowResult>;
  status(nodeID: string): Promise<StatusWithHistory>;
  /** Resolves when no pull from this partner is under way. */
  settled(nodeID: string): Promise<void>;
}
