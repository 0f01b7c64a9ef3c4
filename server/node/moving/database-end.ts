import type { Fence } from '../../store/sql/commit.ts';
import type { Ask, Database } from '../../store/sql/database.ts';
import { openHubKeys, type HubKeys } from '../../store/sql/hub-keys.ts';
import {
  DatabaseContent,
  renameArrivedPartitions,
  readMoveMark,
  writeMoveMark,
} from '../../store/sql/moving.ts';
import { ownNames, readNotedReach, removeOwn, writeNotedReach } from '../../store/sql/own-values.ts';
import { replaceAllNotes, readAllNotes } from '../../store/sql/sql-revocations.ts';
import type { PartitionContent } from '../../store/moving/content.ts';
import type { MoveMark } from '../../store/moving/mark.ts';
import { putTokenLinesInto, tokenLinesOf } from '../storage/database-tokens.ts';
import type { Belongings, MoveEnd } from './end.ts';

export interface DatabaseEndPlace {
  readonly database: Database;
  /** Held by the moving process, so nobody serves. */
  readonly fence: Fence;
  readonly secret: string;
  /** Without user and password. */
  readonly name: string;
  readonly close: () => Promise<void>;
}

/** Exist from the first look at a database. */
const NAMES_OF_NO_OFFICE = new Set(['salt', 'proof', 'move', 'last-partition', 'restore']);
/** Names in the database. */
const KEYS = { secretsKey: 'secrets.key', userKey: 'user.key', certificate: 'tls.pem' } as const;

/** Returns the database as one end of a move. Throws `StoreError` `permission` for a wrong secret. */
export async function databaseEnd(place: DatabaseEndPlace): Promise<MoveEnd> {
  return new DatabaseEnd(place, await openHubKeys(place.database, place.secret));
}

class DatabaseEnd implements MoveEnd {
  readonly name: string;
  readonly #place: DatabaseEndPlace;
  readonly #keys: HubKeys;
  readonly #content: DatabaseContent;

  constructor(place: DatabaseEndPlace, keys: HubKeys) {
    this.name = place.name;
    this.#place = place;
    this.#keys = keys;
    this.#content = new DatabaseContent(place.database, (work) => this.#writeFenced(work));
  }

  mark(): Promise<MoveMark | undefined> {
    return readMoveMark(this.#place.database.read);
  }

  setMark(mark: MoveMark | undefined): Promise<void> {
    return this.#writeFenced((ask) => writeMoveMark(ask, mark));
  }

  async partitions(): Promise<readonly string[]> {
    return this.#content.names(await this.#isArriving());
  }

  async content(partition: string): Promise<PartitionContent> {
    return this.#content.read(partition, await this.#isArriving());
  }

  /** Reads keys, users' tokens, and the revocation log with its position; leaves out an absent key or log. */
  async readBelongings(): Promise<Belongings> {
    const { read } = this.#place.database;
    const keys: [string, string][] = [];
    for (const [key, name] of Object.entries(KEYS)) {
      const text = await this.#keys.read(name);
      if (text !== undefined) keys.push([key, text]);
    }
    const notes = await readAllNotes(read);
    const reach = await readNotedReach(read);
    return {
      ...Object.fromEntries(keys),
      tokens: await tokenLinesOf(read),
      ...(notes ? { notes } : {}),
      ...(reach ? { reach } : {}),
    };
  }

  /**
   * Returns whether the database has no partition, note or user token, and no record of its own that only an office
   * has.
   */
  async isEmpty(): Promise<boolean> {
    const { read } = this.#place.database;
    const [row] = await read(
      `SELECT EXISTS (SELECT 1 FROM footbridge_partition) OR EXISTS (SELECT 1 FROM footbridge_note)
        OR EXISTS (SELECT 1 FROM footbridge_user_token) AS used`,
    );
    return row?.used === false && (await ownNames(read)).every((name) => NAMES_OF_NO_OFFICE.has(name));
  }

  fillPartition(partition: string, content: PartitionContent): Promise<void> {
    return this.#content.fillPartition(partition, content);
  }

  discard(partition: string): Promise<void> {
    return this.#content.discard(partition);
  }

  /** Replaces keys, users' tokens and the revocation log; removes those not given. */
  async putBelongings(all: Belongings): Promise<void> {
    for (const [key, name] of Object.entries(KEYS) as [keyof typeof KEYS, string][]) {
      const text = all[key];
      if (text === undefined) await this.#writeFenced((ask) => removeOwn(ask, name));
      else if ((await this.#keys.read(name)) !== text) await this.#keys.put(name, text);
    }
    await this.#writeFenced(async (ask) => {
      await putTokenLinesInto(ask, all.tokens);
      await replaceAllNotes(ask, all.notes);
      await writeNotedReach(ask, all.reach);
    });
  }

  /** Makes the copied office the one served here, and writes its mark, in one transaction. */
  completeArrival(mark: MoveMark): Promise<void> {
    return this.#writeFenced(async (ask) => {
      await renameArrivedPartitions(ask);
      await writeMoveMark(ask, mark);
    });
  }

  /** Removes the copied partitions, then all keys, users' tokens and the revocation log. */
  async removeCopy(): Promise<void> {
    for (const partition of await this.#content.names(true)) await this.#content.discard(partition);
    await this.putBelongings({ tokens: [] });
  }

  close(): Promise<void> {
    return this.#place.close();
  }

  /** Returns whether an office is being moved here. */
  async #isArriving(): Promise<boolean> {
    return (await this.mark())?.state === 'arriving';
  }

  /** Runs `work` in a transaction. Throws `StoreError` if this process lost its lease. */
  #writeFenced<R>(work: (ask: Ask) => Promise<R>): Promise<R> {
    const { database, fence } = this.#place;
    return database.transaction(async (ask) => {
      await fence.check(ask);
      return work(ask);
    });
  }
}
