import type { LastContact } from '../../federation/partners/last-seen.ts';
import type { Problem } from '../status/partner-facts.ts';
import type { Progress } from './progress.ts';

export interface PartnerSyncFacts {
  /** Rows are being fetched, or a check takes over a second. */
  readonly running: boolean;
  readonly progress: Progress | undefined;
  readonly problem: Problem | undefined;
  /** Milliseconds since the epoch by our clock. */
  readonly nextAt: number | undefined;
  /** The partner announces changes as they happen. */
  readonly live: boolean;
  /** The partner reports that another program calls as us too. */
  readonly twice: boolean;
  /** We have just started asking. */
  readonly beginning: boolean;
  /** The partner's last answer. */
  readonly heard: LastContact | undefined;
  /** When all that the partner announced was last known to be applied. */
  readonly complete: LastContact | undefined;
  /** Milliseconds by which the partner's clock was ahead of ours at its last answer. */
  readonly clockAhead: number | undefined;
  /** Time that the running pull has been stalled. */
  readonly stalledMs: number | undefined;
  /** Its routes are being tested; `isReached`: the last test reached the partner. */
  readonly isSearching: boolean;
  readonly isReached: boolean;
}
