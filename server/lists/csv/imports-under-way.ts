import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { StoreError, type Partition, type Store, type Table, type Tx } from '../../store/store.ts';
import { listPartition } from '../rows/row-table.ts';

/** A file that is going into a list, in more than one durable page. */
export interface ImportAbout {
  readonly moduleID: string;
  /** What the file is called, where that is known. */
  readonly file?: string | undefined;
  /** Lines are told apart by a column, so that the file can go in once more and no row comes twice. */
  readonly isKeyed: boolean;
}

/** An import that did not come to its end: a part of the file is in the list. */
export interface CutImport extends ImportAbout {
  readonly importID: string;
  /** When it began. */
  readonly at: string;
  /** The number of the last line of the file that went in. */
  readonly line: number;
}

/** One import from its first page to its end. */
export interface ImportUnderWay {
  /** To be called in the write that puts lines up to this one in. */
  reached(tx: Tx, line: number): void;
  /** All of the file was dealt with. */
  finish(): Promise<void>;
  /** It ends here; what went in stays. Answers the last line that did, 0 where none did. */
  cut(): Promise<number>;
}

/**
 * Imports write page by page, so that a kill, a power cut or a full disk leaves a part of a file in a list. Each is noted
 * before its first page and how far it came with every page, so that this is told and nobody takes the part for the whole.
 */
export interface ImportsUnderWay {
  begin(about: ImportAbout): Promise<ImportUnderWay>;
  /** Those of before that were cut off, the oldest first; of a list that cannot be read none is told. */
  cutOff(): Promise<CutImport[]>;
  /** Its user knows of it. */
  forget(importIDs: readonly string[]): Promise<void>;
}

const UNDER_WAY: Table<ImportAbout & { readonly at: string }> = { name: 'import-under-way' };
/** In the partition of the list: the last line that is in, by the id of the import. */
const REACHED: Table<number> = { name: 'import-reached' };
/** More are not kept: who has so many has heard of it. */
const MAX_IMPORTS = 50;

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

  /** First how far it came, without which nothing is told. Where it cannot be written, as on a full disk, it stays. */
  async function drop(gone: readonly Pick<CutImport, 'importID' | 'moduleID'>[]): Promise<void> {
    try {
      for (const { importID, moduleID } of gone) {
        if (await isReadable(moduleID))
          await (await partitionOf(moduleID)).transaction((tx) => tx.delete(REACHED, importID));
        await system.transaction((tx) => tx.delete(UNDER_WAY, importID));
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  async function cutOff(): Promise<CutImport[]> {
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
    async begin(about) {
      const importID = ids.next();
      running.add(importID);
      const at = new Date(clock.now()).toISOString();
      await system.transaction((tx) => tx.put(UNDER_WAY, importID, { ...about, at }));
      return {
        reached: (tx, line) => tx.put(REACHED, importID, line),
        async finish() {
          const before = (await cutOff()).filter(
            ({ moduleID, file }) => moduleID === about.moduleID && file === about.file,
          );
          await drop([{ importID, moduleID: about.moduleID }, ...before]);
          running.delete(importID);
        },
        async cut() {
          running.delete(importID);
          return (await isThere(about.moduleID)) ? lineOf(about.moduleID, importID) : 0;
        },
      };
    },
    cutOff,
    async forget(importIDs) {
      const known = await cutOff();
      await drop(known.filter(({ importID }) => importIDs.includes(importID)));
    },
  };
}
