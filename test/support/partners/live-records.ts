/** A record as a live server keeps it: every value a text, times in whole seconds. */
export interface LiveRecord {
  readonly recordID: string;
  values: { name: string; value: string }[];
  readonly createdAt: number;
  updatedAt?: number;
  deletedAt?: number;
  /** Made by a user of a partner; never offered to anybody. */
  readonly federated: boolean;
  /** Its label `federation_extrecord`: the row's id at the partner. */
  readonly external?: string;
}

export interface LiveNode {
  readonly nodeID: string;
  sharedNodeID: string;
  status: 'pending' | 'pair_requested' | 'paired';
  baseURL: string;
  pairToken: string;
  /** What the partner issued to us. */
  authToken: string;
}

let lastID = 523396897784856677n;
/** Greater than all before. */
export const nextID = (): string => String((lastID += 65_536n));
