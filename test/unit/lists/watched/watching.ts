import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { withTable } from '../../../../server/lists/reading/read-in-worker.ts';
import { importTable } from '../../../../server/lists/csv/import.ts';
import {
  createSlowDriveGuard,
  type SlowDriveGuard,
} from '../../../../server/lists/watched/slow-drive-guard.ts';
import { WatchedFiles } from '../../../../server/lists/watched/watched-files.ts';
import type { Module } from '../../../../server/lists/definitions/model.ts';
import { textRows } from '../../../support/data/csv-rows.ts';
import { manualClock } from '../../../support/harness/manual-clock.ts';
import { temporaryFolder } from '../../../support/harness/temporary-folder.ts';
import { testLists, type TestLists } from '../../../support/harness/lists.ts';

export const USER = '7';

/** A folder of the user's beside lists, and files of it that are watched. */
export interface Watching extends TestLists {
  readonly files: WatchedFiles;
  /** A path in the folder. */
  at(name: string): string;
  /** Looks as often as it takes until this holds. */
  until(holds: () => Promise<boolean> | boolean): Promise<void>;
  /** Two looks that find nothing new. */
  looked(): Promise<void>;
  /** The list, by its labels. */
  rows(module: Module): Promise<Record<string, string>[]>;
}

const LOOK = 2000;

export async function watching(
  known?: TestLists,
  folder?: string,
  copyAt?: (folder: string) => string,
  // By a clock of its own, as that of the lists goes on while a busy machine reads.
  asking: SlowDriveGuard = createSlowDriveGuard(manualClock()),
  read?: typeof withTable,
): Promise<Watching> {
  const world = known ?? (await testLists());
  const made = folder === undefined ? await temporaryFolder() : undefined;
  if (made) onTestFinished(made.remove);
  const { lists, store, clock } = world;
  const files = new WatchedFiles({
    ...{ lists, store, clock, system: await store.partition('system') },
    log: { warn: (about: unknown) => console.warn(about) },
    asking,
    copies: () => Promise.resolve(copyAt ? [copyAt(made?.path ?? '')] : []),
    onState: () => undefined,
    ...(read ? { read } : {}),
  });
  files.start();
  onTestFinished(() => files.stop());
  const turn = async (): Promise<void> => {
    clock.advance(LOOK);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return {
    ...world,
    files,
    at: (name) => join(folder ?? made?.path ?? '', name),
    async until(holds) {
      const end = Date.now() + 50_000;
      while (!(await holds())) {
        if (Date.now() > end) throw new Error('It never came to this.');
        await turn();
      }
    },
    async looked() {
      for (let at = 0; at < 4; at++) {
        await turn();
        // In turn with what is looked at.
        await files.decideDeletions('0', { mark: '', go: false }).catch(() => undefined);
      }
    },
    rows: (module) => textRows(lists, module),
  };
}

/** A list made of this table, whose first column tells rows apart. */
export async function listOf(
  { lists }: TestLists,
  csv: string,
  name = 'Customers',
  key: readonly string[] = csv.split(/[,;\n]/).slice(0, 1),
): Promise<Module> {
  const { moduleID } = await importTable(lists, Buffer.from(csv), {
    to: { name },
    key,
    by: USER,
  });
  return lists.module(moduleID);
}
