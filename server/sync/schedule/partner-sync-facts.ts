import type { LastContact } from '../../federation/partners/last-seen.ts';
import type { Problem } from '../status/partner-facts.ts';
import type { Progress } from './progress.ts';

/** How a lane stands. */
export interface PartnerSyncFacts {
  /** Rows are being fetched, or a check takes noticeably long. */
  readonly running: boolean;
  readonly progress: Progress | undefined;
  readonly problem: Problem | undefined;
  /** Milliseconds since the epoch by our clock. */
  readonly nextAt: number | undefined;
  /** Changes are told by the partner as they happen. */
  readonly live: boolean;
  /** The partner says that another program calls as us as well. */
  readonly twice: boolean;
  /** We have only just begun to ask. */
  readonly beginning: boolean;
  /** The last answer of the partner. */
  readonly heard: LastContact | undefined;
  /** When it was last known that all that the partner told is taken in. */
  readonly complete: LastContact | undefined;
  /** Milliseconds by which the partner's clock was ahead of ours at its last answer, where that told. */
  readonly clockAhead: number | undefined;
  /** Milliseconds for which the pull under way has stood still: nothing comes of what was asked for. */
  readonly stoodFor: number | undefined;
}
