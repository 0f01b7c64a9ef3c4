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
  /** Our lists that received an offer before both offices paired again: names by our id of the offer. */
  readonly formerLists?: ReadonlyMap<string, string>;
  /** Includes withdrawn ones. */
  readonly exposures: readonly Exposure[];
  readonly listNames: ReadonlyMap<string, string>;
  /** Mapped lists with quarantined rows and losses that need approval. */
  readonly lists: readonly ListState[];
  /** Our token for it can't be decrypted: this data folder has another key. */
  readonly isKeyLost?: boolean;
  /** Another connected partner that claims the same installation. */
  readonly sameAs?: string;
  /** The connected partner that asks to pair. */
  readonly asker?: Asking;
  /** The partner ended the connection and asks us to delete its rows. */
  readonly removeRequest?: { readonly at: string; readonly rows: number };
}

export type About = Pick<InboxItem, 'nodeID' | 'partner'>;
