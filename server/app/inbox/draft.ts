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
  /** The names of our lists that received an offer before both offices paired again, by our id of the offer. */
  readonly formerLists?: ReadonlyMap<string, string>;
  /** These include withdrawn ones. */
  readonly exposures: readonly Exposure[];
  readonly listNames: ReadonlyMap<string, string>;
  /** The mapped lists with losses that need approval and quarantined rows. */
  readonly lists: readonly ListState[];
  /** Our token for it can't be decrypted, as this data folder has another key. */
  readonly isKeyLost?: boolean;
  /** The name of another connected partner that claims the same installation. */
  readonly sameAs?: string;
  /** The connected partner that asks. */
  readonly asker?: Asking;
  /** The partner ended the connection and asks us to delete what it sent. */
  readonly removeRequest?: { readonly at: string; readonly rows: number };
}

export type About = Pick<InboxItem, 'nodeID' | 'partner'>;
