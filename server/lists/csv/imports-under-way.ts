import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { StoreError, type Partition, type Store, type Table, type Tx } from '../../store/store.ts';
import { listPartition } from '../rows/row-table.ts';

/** A file that is being imported in more than one durable page. */
export interface ImportAbout {
  readonly moduleID: string;
  /** The file's name, if known. */
  readonly file?: string | undefined;
  /** Lines have a key, so importing the file again creates no duplicates. */
  readonly isKeyed: boolean;
}

/** An interrupted import: a part of the file is in the list. */
export interface CutImport extends ImportAbout {
  readonly importID: string;
  /** When it began. */
  readonly at: string;
  /** Number of the last imported line. */
  readonly line: number;
}

/** One import from its first page to its end. */
export interface ImportUnderWay {
  /** Call it in the transaction that writes lines up to this one. */
  reached(tx: Tx, line: number): void;
  /** Drops the entry of a completely processed file, and earlier interrupted ones of it. */
  finish(): Promise<void>;
  /** Ends it here; imported lines stay. Returns the last one, 0 if none. */
  interrupt(): Promise<number>;
}

/**
 * Journal of running imports. Imports write page by page, so a kill, a power cut or a full disk leaves a part of a file
 * in a list. Each is recorded before its first page and with every page, so that an interrupted one is reported.
 */
export interface ImportsUnderWay {
  /** Records an import before its first page. */
  begin(about: ImportAbout): Promise<ImportUnderWay>;
  /** Returns interrupted imports, oldest first; without those of unreadable lists. */
  interrupted(): Promise<CutImport[]>;
  /** Drops interrupted imports that the user has acknowledged. */
  forget(importIDs: readonly string[]): Promise<void>;
}

const UNDER_WAY: Table<ImportAbout & { readonly at: string }> = { name: 'import-under-way' };
/** In the list's partition: the last imported line, by import id. */
const REACHED: Table<number> = { name: 'import-reached' };
/** Older ones are dropped: the user knows about them by then. */
const MAX_IMPORTS = 50;

/**
 * Creates the journal of long imports: its entries are in the system partition, their progress in the lists'
 * partitions.
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

  const partitionOf = (moduleID: string): Promise<Partition> => store.partition(listPartition(moduleID));
  const isReadable = async (moduleID: string): Promise<boolean> =>
    (await isThere(moduleID)) && !(await store.isUnreadable(listPartition(moduleID)));
  const lineOf = async (moduleID: string, importID: string): Promise<number> =>
    (await (await partitionOf(moduleID)).get(REACHED, importID)) ?? 0;

  /**
   * Deletes journal entries and their progress, progress first: without it nothing is reported. Errors of the disk
   * are ignored, and the entries stay then; other errors are thrown.
   */
  async function drop(imports: readonly Pick<CutImport, 'importID' | 'moduleID'>[]): Promise<void> {
    try {
      for (const { importID, moduleID } of imports) {
        if (await isReadable(moduleID))
          await (await partitionOf(moduleID)).transaction((tx) => tx.delete(REACHED, importID));
        await system.transaction((tx) => tx.delete(UNDER_WAY, importID));
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  /**
   * Returns interrupted imports with progress, oldest first. Deletes entries without progress, of removed lists,
   * and the oldest beyond {@link MAX_IMPORTS}. Those of unreadable lists stay, but aren't returned.
   */
  async function interrupted(): Promise<CutImport[]> {
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
    await drop([...gone, ...found.splice(0, Math.max(0, found.length - MAX_IMPORTS))]);
    return found;
  }

  return {
    /** Writes a journal entry before an import's first page, and returns its handle. */
    async begin(about) {
      const importID = ids.next();
      running.add(importID);
      const at = new Date(clock.now()).toISOString();
      await system.transaction((tx) => tx.put(UNDER_WAY, importID, { ...about, at }));
      return {
        reached: (tx, line) => tx.put(REACHED, importID, line),
        /** Deletes the entry, and those of earlier interrupted imports of the same file into the list. */
        async finish() {
          const before = (await interrupted()).filter(
            ({ moduleID, file }) => moduleID === about.moduleID && file === about.file,
          );
          await drop([{ importID, moduleID: about.moduleID }, ...before]);
          running.delete(importID);
        },
        /**
         * Marks the import as interrupted: its entry stays. Returns the last imported line; 0 if none, or if the
         * list was removed.
         */
        async interrupt() {
          running.delete(importID);
          return (await isThere(about.moduleID)) ? lineOf(about.moduleID, importID) : 0;
        },
      };
    },
    interrupted,
    /** Deletes the entries of interrupted imports that the user acknowledged; unknown and running ones are ignored. */
    async forget(importIDs) {
      const known = await interrupted();
      await drop(known.filter(({ importID }) => importIDs.includes(importID)));
    },
  };
}
