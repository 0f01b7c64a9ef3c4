import type { Logger } from 'pino';
import type { UserKey } from '../../federation/partners/user-key.ts';
import type { UserTokens } from '../../federation/partners/user-tokens.ts';
import type { Certificate } from '../../http/listeners/certificate.ts';
import type { Announcement } from '../../store/files/lock.ts';
import type { SecretBox } from '../../store/files/secrets.ts';
import type { Keeps } from '../../store/recovery/restore-backup.ts';
import type { OpenNotes } from '../../store/recovery/withdrawals/notes.ts';
import type { NotedReach } from '../../store/recovery/withdrawals/withdrawals.ts';
import type { Store } from '../../store/store.ts';

/** A store as a node uses it. */
export interface NodeStore extends Store, NotedReach {
  /** Tells other commands on this computer how to reach the running node. */
  announce(info: Announcement): Promise<void>;
}

export interface OpenStoreOptions {
  readonly log: Logger;
  /** Whether the rest is opened where nothing of this partition can be read. */
  readonly goesOnWithout: (partition: string) => boolean;
  /** Told when what is to be saved begins to be refused, and when it is taken again. */
  readonly onWritability: () => void;
}

/** Where a node keeps all that is its own: on this computer's disk, or in a database that several may use. */
export interface NodeStorage {
  /** The folder of this process. It holds at least its logs, and no list of the user's may be copied into it. */
  readonly dataDir: string;
  /** @throws StoreError */
  openStore(options: OpenStoreOptions): Promise<NodeStore>;
  /** Notes of what was taken back. */
  readonly openNotes: OpenNotes;
  /** Seals what must not lie readable in the store. */
  secrets(): Promise<SecretBox>;
  userTokens(): Promise<UserTokens>;
  userKey(known: Pick<UserTokens, 'isRevoked' | 'isListed'>): Promise<UserKey>;
  /** The node's own, made when first needed. */
  certificate(): Promise<Certificate>;
  /** Bytes of all that is stored, and of what was written down about what left; 0 where nobody can say. */
  sizes(): Promise<{ readonly store: number; readonly ledger: number }>;
  /** Whether several processes serve it in turn. */
  readonly isShared: boolean;
  /** Whether the node makes its own backups; a database has those of whoever runs it. */
  readonly backsUpDaily: boolean;
  /**
   * Puts a backup in place of everything, with the store closed. @throws StoreError where nothing was changed
   * @param tryOut opens what the backup holds as a start would, and throws where it cannot be used
   */
  restore(
    file: string,
    how: { readonly keeps: Keeps; readonly tryOut: (there: NodeStorage) => Promise<void> },
  ): Promise<void>;
}
