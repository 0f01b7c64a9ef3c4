import type { LastContact } from '../../federation/partners/last-seen.ts';
import type { Problem } from '../status/partner-facts.ts';
import type { Progress } from './progress.ts';

export interface PartnerSyncFacts {
  /** Fetching rows, or checking for over a second. */
  readonly running: boolean;
  readonly progress: Progress | undefined;
  readonly problem: Problem | undefined;
  /** Milliseconds since the epoch by our clock. */
  readonly nextAt: number | undefined;
  /** Changes are announced as they happen. */
  readonly live: boolean;
  /** Another program calls as us too, as the partner reports. */
  readonly twice: boolean;
  /** We have just started asking. */
  readonly beginning: boolean;
  /** The last answer. */
  readonly heard: LastContact | undefined;
  /** When all announced changes were last known to be applied. */
  readonly complete: LastContact | undefined;
  /** Milliseconds the partner's clock was ahead at its last answer. */
  readonly clockAhead: number | undefined;
  /** Time that the running pull has been stalled. */
  readonly stalledMs: number | undefined;
  /** Its routes are being tested; `isReached`: the last test succeeded. */
  readonly isSearching: boolean;
  readonly isReached: boolean;
}
