import type { InboxItem } from '../../contract/app/overview.ts';
import type { Exposure, Mapping, Node, SharedModule } from '../../federation/model.ts';
import type { ListState } from '../../sync/status/list-states.ts';
import type { Words } from '../../words/said.ts';

/** An item whose message is not said in any language yet. */
export type Draft = Omit<InboxItem, 'message'> & { readonly message: Words };

/** What the inbox is made from: everything about one partner that may need the user. */
export interface InboxFacts {
  readonly node: Node;
  readonly offers: readonly SharedModule[];
  readonly mappings: readonly Mapping[];
  /** What we share with it, withdrawn ones included. */
  readonly exposures: readonly Exposure[];
  /** Names of our lists by id. */
  readonly listNames: ReadonlyMap<string, string>;
  /** How the matched lists stand: losses that wait for a yes, rows that could not be applied. */
  readonly lists: readonly ListState[];
  /** What it is called with cannot be opened any more: the key of this data folder is not the one it was sealed with. */
  readonly isKeyLost?: boolean;
  /** The name of another connected partner that says that it is the same installation. */
  readonly sameAs?: string;
  /** The partner ended the connection and asks that what it sent be removed. */
  readonly removeRequest?: { readonly at: string; readonly rows: number };
}

/** Whom an item is about. */
export type About = Pick<InboxItem, 'nodeID' | 'partner'>;
