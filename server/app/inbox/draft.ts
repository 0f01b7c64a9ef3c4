import type { InboxItem } from '../../contract/app/overview.ts';
import type { Exposure, Mapping, Node, SharedModule } from '../../federation/model.ts';
import type { ListState } from '../../sync/status/list-states.ts';
import type { Words } from '../../words/said.ts';

/** An item whose message isn't translated yet. */
export type Draft = Omit<InboxItem, 'message'> & { readonly message: Words };

/** Everything about one partner that may need the user. */
export interface InboxFacts {
  readonly node: Node;
  readonly offers: readonly SharedModule[];
  readonly mappings: readonly Mapping[];
  /** Withdrawn ones included. */
  readonly exposures: readonly Exposure[];
  /** Names of our lists by id. */
  readonly listNames: ReadonlyMap<string, string>;
  /** Of the mapped lists: losses that need approval, quarantined rows. */
  readonly lists: readonly ListState[];
  /** Our token for it can't be decrypted, as this data folder has another key. */
  readonly isKeyLost?: boolean;
  /** Name of another connected partner that claims the same installation. */
  readonly sameAs?: string;
  /** The partner ended the connection and asks to delete what it sent. */
  readonly removeRequest?: { readonly at: string; readonly rows: number };
}

export type About = Pick<InboxItem, 'nodeID' | 'partner'>;
