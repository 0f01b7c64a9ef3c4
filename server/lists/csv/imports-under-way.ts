import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { StoreError, type Partition, type Store, type Table, type Tx } from '../../store/store.ts';
import { listPartition } from '../rows/row-table.ts';

export interface ImportAbout {
  readonly moduleID: string;
  readonly file?: string | undefined;
  /** With a key, importing again creates no duplicates. */
  readonly isKeyed: boolean;
  /** The client's. */
  readonly idempotencyKey?: string | undefined;
}

export interface CutImport extends ImportAbout {
  readonly importID: string;
  /** Start, ISO 8601. */
  readonly at: string;
  readonly line: number;
}

export interface ImportUnderWay {
  /** Call it in the line's transaction. */
  recordLine(tx: Tx, line: number): void;
  /** Deletes entries of a complete import and of the same file's interrupted ones, if the disk allows. */
  finish(): Promise<void>;
  /** Returns the last imported line; 0 without one or its list. */
  interrupt(): Promise<number>;
}

/** Journal of running imports: reports those cut off by a kill, power cut or full disk. */
export interface ImportsUnderWay {
  /** Call it before the import's first page. */
  writeEntry(about: ImportAbout): Promise<ImportUnderWay>;
  /** Returns up to 50, oldest first, without unreadable lists'. Deletes needless entries. */
  listInterrupted(): Promise<CutImport[]>;
  /** Deletes acknowledged imports; ignores unknown and running ones. */
  deleteInterrupted(importIDs: readonly string[]): Promise<void>;
  /** Returns the last line of an interrupted import with this key; undefined without one. */
  findInterruptedLine(moduleID: string, idempotencyKey: string): Promise<number | undefined>;
  /** Runs `work` after all earlier work with this key, even failed; settles like it. */
  runInTurn<R>(idempotencyKey: string, work: () => Promise<R>): Promise<R>;
}

const UNDER_WAY: Table<ImportAbout & { readonly at: string }> = { name: 'import-under-way' };
/** In the list's partition: last imported line by import id. */
const REACHED: Table<number> = { name: 'import-reached' };
const MAX_IMPORTS = 50;

/**
 * Records running imports: entries in the system partition, progress in the lists' partitions. An entry that wasn't
 * ended and isn't running in this process is an interrupted import.
 */
export function createImportsUnderWay(deps: {
  readonly store: Pick<Store, 'partition' | 'isUnreadable'>;
  readonly system: Partition;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly isThere: (moduleID: string) => Promise<boolean>;
}): ImportsUnderWay {
  const { store, system, clock, ids, isThere } = deps;
  const running = new Set<string>();
  const turns = new Map<string, Promise<unknown>>();

  const partitionOf = (moduleID: string): Promise<Partition> => store.partition(listPartition(moduleID));
  const isReadable = async (moduleID: string): Promise<boolean> =>
    (await isThere(moduleID)) && !(await store.isUnreadable(listPartition(moduleID)));
  const lineOf = async (moduleID: string, importID: string): Promise<number> =>
    (await (await partitionOf(moduleID)).get(REACHED, importID)) ?? 0;

  /** Runs `tidy`; ignores store errors, as it may be done later. */
  async function ifDiskAllows(tidy: () => Promise<void>): Promise<void> {
    try {
      await tidy();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  /** Deletes the entries of imports, their progress first, without which nothing is reported. */
  async function deleteEntries(imports: readonly Pick<CutImport, 'importID' | 'moduleID'>[]): Promise<void> {
    for (const { importID, moduleID } of imports) {
      if (await isReadable(moduleID))
        await (await partitionOf(moduleID)).transaction((tx) => tx.delete(REACHED, importID));
      await system.transaction((tx) => tx.delete(UNDER_WAY, importID));
    }
  }

  /**
   * Returns interrupted imports. Deletes entries without progress, of removed lists, and the oldest beyond 50; those of
   * unreadable lists stay, unreturned.
   */
  async function listInterrupted(): Promise<CutImport[]> {
    const found: CutImport[] = [];
    const gone: Pick<CutImport, 'importID' | 'moduleID'>[] = [];
    for (const { key: importID, value } of await system.page(UNDER_WAY, { limit: 2 * MAX_IMPORTS })) {
      const { moduleID } = value;
      if (running.has(importID)) continue;
      if (!(await isThere(moduleID))) gone.push({ importID, moduleID });
      else if (await isReadable(moduleID)) {
        const line = await lineOf(moduleID, importID);
        if (line > 0) found.push({ ...value, importID, line });
        else gone.push({ importID, moduleID });
      }
    }
    const needless = [...gone, ...found.splice(0, Math.max(0, found.length - MAX_IMPORTS))];
    await ifDiskAllows(() => deleteEntries(needless));
    return found;
  }

  return {
    /**
     * Writes an import's entry and counts it as running; the result records progress and ends it, finished or
     * interrupted.
     */
    async writeEntry(about) {
      const importID = ids.next();
      running.add(importID);
      const at = new Date(clock.now()).toISOString();
      await system.transaction((tx) => tx.put(UNDER_WAY, importID, { ...about, at }));
      return {
        recordLine: (tx, line) => tx.put(REACHED, importID, line),
        /** Deletes this import and earlier interrupted ones of the file. Ignores store errors. */
        async finish() {
          await ifDiskAllows(async () => {
            const before = (await listInterrupted()).filter(
              ({ moduleID, file }) => moduleID === about.moduleID && file === about.file,
            );
            await deleteEntries([{ importID, moduleID: about.moduleID }, ...before]);
          });
          running.delete(importID);
        },
        /** Leaves the entry for the user; returns the last imported line, 0 if none or the list is gone. */
        async interrupt() {
          running.delete(importID);
          return (await isThere(about.moduleID)) ? lineOf(about.moduleID, importID) : 0;
        },
      };
    },
    listInterrupted,
    /** Deletes imports that the user acknowledged; ignores unknown and running ones, and store errors. */
    async deleteInterrupted(importIDs) {
      const known = await listInterrupted();
      await ifDiskAllows(() => deleteEntries(known.filter(({ importID }) => importIDs.includes(importID))));
    },
    findInterruptedLine: async (moduleID, idempotencyKey) =>
      (await listInterrupted()).find(
        (cut) => cut.moduleID === moduleID && cut.idempotencyKey === idempotencyKey,
      )?.line,
    async runInTurn(idempotencyKey, work) {
      const done = (turns.get(idempotencyKey) ?? Promise.resolve()).then(work);
      const turn = done.catch(() => undefined);
      turns.set(idempotencyKey, turn);
      await turn;
      if (turns.get(idempotencyKey) === turn) turns.delete(idempotencyKey);
      return done;
    },
  };
}
