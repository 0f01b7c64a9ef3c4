import type { InboxItem } from '../../contract/app/overview.ts';
import type { Exposure, Mapping, Node, SharedModule } from '../../federation/model.ts';
import type { ListState } from '../../sync/status/list-states.ts';
import type { Asking } from '../summary.ts';
import type { Words } from '../../words/said.ts';

export type Draft = Omit<InboxItem, 'message'> & { readonly message: Words };

export interface InboxFacts {
  readonly node: Node;
  readonly offers: readonly SharedModule[];
  readonly mappings: readonly Mapping[];
  /** Names of lists that received an offer before the pair was renewed, by our offer id. */
  readonly formerLists?: ReadonlyMap<string, string>;
  /** Includes withdrawn ones. */
  readonly exposures: readonly Exposure[];
  readonly listNames: ReadonlyMap<string, string>;
  /** Mapped lists with quarantined rows and losses that need approval. */
  readonly lists: readonly ListState[];
  /** This data folder's key can't decrypt our token for it. */
  readonly isKeyLost?: boolean;
  /** Another connected partner that claims the same installation. */
  readonly sameAs?: string;
  /** Connected, and asks to pair. */
  readonly asker?: Asking;
  /** The partner disconnected and asks us to delete its rows. */
  readonly removeRequest?: { readonly at: string; readonly rows: number };
}

export type About = Pick<InboxItem, 'nodeID' | 'partner'>;
