import type { PartnerStatus } from '../../../sync/status/partner-status.ts';
import type { SyncNowResult } from '../../../sync/sync-now.ts';

/** What the routes need of the sync engine. */
export interface SyncControl {
  /** Pulls now and answers the counts. @throws Refusal */
  syncNow(nodeID: string): Promise<SyncNowResult>;
  /** Status and history. */
  status(nodeID: string): Promise<Pick<PartnerStatus, 'reason' | 'also' | 'lists'>>;
  /** Resolves when no pull from this partner is under way. */
  settled(nodeID: string): Promise<void>;
}
