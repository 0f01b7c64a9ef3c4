import type { Logger } from 'pino';
import type { UserKey } from '../../federation/partners/user-key.ts';
import type { UserTokens } from '../../federation/partners/user-tokens.ts';
import type { Certificate } from '../../http/listeners/certificate.ts';
import type { Announcement } from '../../store/files/lock.ts';
import type { SecretBox } from '../../store/files/secrets.ts';
import type { RestoreKeeps } from '../../store/recovery/restore-backup.ts';
import type { OpenRevocations } from '../../store/recovery/withdrawals/revocations.ts';
import type { LogPositions } from '../../store/recovery/withdrawals/revocation-log.ts';
import type { Store } from '../../store/store.ts';

export interface NodeStore extends Store, LogPositions {
  announce(info: Announcement): Promise<void>;
}

export interface OpenStoreOptions {
  readonly log: Logger;
  /** Returns whether the rest opens without this unreadable partition. */
  readonly goesOnWithout: (partition: string) => boolean;
  /** Writes start or stop being refused. */
  readonly onWritability: () => void;
}

/** Keeps a node's data: on this disk, or in a database for several processes. */
export interface NodeStorage {
  /** This process's own, where no list may be copied. */
  readonly dataDir: string;
  openStore(options: OpenStoreOptions): Promise<NodeStore>;
  readonly openNotes: OpenRevocations;
  /** Returns the box for what must be encrypted in the store. */
  secrets(): Promise<SecretBox>;
  userTokens(): Promise<UserTokens>;
  userKey(known: Pick<UserTokens, 'isRevoked' | 'isListed'>): Promise<UserKey>;
  /** Returns the node's own certificate, made on demand. */
  certificate(): Promise<Certificate>;
  /** Returns bytes, of the store and the sharing log; 0 if unknown. */
  sizes(): Promise<{ readonly store: number; readonly ledger: number }>;
  /** Several processes serve it in turn. */
  readonly isShared: boolean;
  /** False for a database, which its operator backs up. */
  readonly backsUpDaily: boolean;
  /**
   * Replaces everything by a backup, with the store closed, after `tryOut` has opened the copy. Throws
   * StoreError with nothing changed.
   */
  restore(
    file: string,
    how: { readonly keeps: RestoreKeeps; readonly tryOut: (there: NodeStorage) => Promise<void> },
  ): Promise<void>;
}
