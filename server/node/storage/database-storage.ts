import { createSecretKey } from 'node:crypto';
import { createMutex } from '../../base/concurrency/mutex.ts';
import type { Clock } from '../../base/clock.ts';
import { createUserKey } from '../../federation/partners/user-key.ts';
import { certificateIn, newCertificate, type Certificate } from '../../http/listeners/certificate.ts';
import { createSecretBox } from '../../store/files/secrets.ts';
import type { Fence } from '../../store/sql/commit.ts';
import { asStoreTerms, type Database } from '../../store/sql/database.ts';
import { throwUnlessServedHere } from '../../store/moving/mark.ts';
import { openHubKeys, type HubKeys } from '../../store/sql/hub-keys.ts';
import { readMoveMark } from '../../store/sql/moving.ts';
import { restoreIntoDatabase } from '../../store/sql/restoring.ts';
import { sqlRevocations } from '../../store/sql/sql-revocations.ts';
import { openSqlStore } from '../../store/sql/sql-store.ts';
import { openDatabaseTokens } from './database-tokens.ts';
import type { NodeStorage } from './storage.ts';

export interface DatabasePlace {
  /** For one opening of the store, which closes it. */
  readonly connect: () => Database;
  /** For all beside the store. */
  readonly database: Database;
  readonly fence: Fence;
  readonly secret: string;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly isOver: () => boolean;
}

/**
 * Opens the storage in a database (docs/hub.md), for the process that serves. Throws `StoreError` `permission` for a
 * wrong secret, `locked` if the office has moved or is moving.
 */
export async function openDatabaseStorage(place: DatabasePlace): Promise<NodeStorage> {
  const { connect, database, fence, secret, clock, dataDir, isOver } = place;
  throwUnlessServedHere(await readMoveMark(database.read));
  const keys = await openHubKeys(database, secret);
  const oneRestore = createMutex();
  return {
    dataDir,
    openStore: (options) => openSqlStore({ ...options, database: connect(), fence, clock, dataDir }),
    openNotes: sqlRevocations(database, fence),
    secrets: async () => createSecretBox(await keys.key('secrets.key'), 'given'),
    userTokens: () => openDatabaseTokens(database, clock, isOver),
    userKey: async (known) => createUserKey(createSecretKey(await keys.key('user.key')), known),
    certificate: () => officeCertificate(keys, clock),
    /** Returns the bytes of the whole database, 0 if it can't tell; the sharing log isn't told apart. */
    async sizes() {
      const [row] = await database
        .read('SELECT pg_database_size(current_database()) AS bytes')
        .catch(() => []);
      return { store: Number(row?.bytes ?? 0), ledger: 0 };
    },
    isShared: true,
    backsUpDaily: false,
    restore: (file, { keeps, tryOut }) =>
      oneRestore(() =>
        restoreIntoDatabase({ database, fence, clock }, file, {
          keeps,
          tryOut: (trial) => tryInDatabase(place, trial, tryOut),
        }),
      ).catch((error: unknown) => {
        throw asStoreTerms(error);
      }),
  };
}

export const officeCertificate = async (keys: HubKeys, clock: Clock): Promise<Certificate> =>
  certificateIn(await keys.text('tls.pem', () => Promise.resolve(newCertificate(clock))));

/** Runs `tryOut` on the storage of the database `trial`, outside the lease. */
async function tryInDatabase(
  place: DatabasePlace,
  trial: Database,
  tryOut: (there: NodeStorage) => Promise<void>,
): Promise<void> {
  let isOver = false;
  const fence = { check: () => Promise.resolve() };
  try {
    await tryOut(
      await openDatabaseStorage({
        ...{ ...place, fence, database: trial },
        connect: () => trial,
        isOver: () => isOver,
      }),
    );
  } finally {
    isOver = true;
  }
}
