import type { Federation } from '../federation/federation.ts';
import type { Node } from '../federation/model.ts';
import type { Peer } from '../peer/peer.ts';

export interface SyncFederation {
  readonly nodes: Pick<
    Federation['nodes'],
    'list' | 'get' | 'resume' | 'isPauseOver' | 'recordReached' | 'recordDialect'
  >;
  readonly disconnects: Pick<
    Federation['disconnects'],
    | 'markEnded'
    | 'markEndedByTime'
    | 'canReconnect'
    | 'reconnect'
    | 'recordEndedByPartner'
    | 'endSecondConnection'
    | 'removeEndedRecords'
  >;
  readonly handshakes: Pick<
    Federation['handshakes'],
    'completeCollected' | 'collectProof' | 'recordDeclined'
  >;
  readonly announcements: Pick<Federation['announcements'], 'announce'>;
  readonly rowHandover: Pick<Federation['rowHandover'], 'removeSource'>;
  readonly tokens: Pick<Federation['tokens'], 'tokenFor' | 'earlierToken' | 'installation' | 'storeRenewed'>;
  readonly shared: Pick<Federation['shared'], 'list' | 'reconcile'>;
  readonly mappings: Pick<Federation['mappings'], 'list'>;
  readonly incomingRequests: Pick<Federation['incomingRequests'], 'lastRequest'>;
  readonly cloneDetector: Pick<Federation['cloneDetector'], 'isCloned'>;
  readonly unread: Pick<Federation['unread'], 'stalledSince'>;
  readonly destinations: Pick<Federation['destinations'], 'sharingFacts'>;
}

/** The token is plain text, absent before pairing is complete. */
export type OpenPartner = (
  node: Node,
  token: string | undefined,
  options?: { readonly composeFallback: boolean; readonly onTime?: (theirs: number) => void },
) => Peer;
