import type { ListsChange } from '../definitions/model.ts';
import { createSlowDriveGuard } from './slow-drive-guard.ts';
import { ListCopies, type ListCopiesDeps } from './exported-copies.ts';
import { WatchedFiles } from './watched-files.ts';

export interface ListFiles {
  readonly watched: WatchedFiles;
  readonly copies: ListCopies;
  /** Writes copies that show the change, and marks files to read again. */
  changed(change: ListsChange): void;
  /** Polls files and writes copies. */
  start(): void;
  stop(): Promise<void>;
}

/**
 * Creates followed files and exported copies. They share one guard for slow drives; neither uses a file of the other.
 */
export function createListFiles(given: Omit<ListCopiesDeps, 'sources' | 'asking'>): ListFiles {
  const deps = { ...given, asking: createSlowDriveGuard(given.clock) };
  const sources = async (): Promise<string[]> => (await watched.all()).map(({ file }) => file.path);
  const copies = new ListCopies({ ...deps, sources });
  const places = async (): Promise<string[]> => (await copies.all()).map(({ copy }) => copy.path);
  const watched = new WatchedFiles({ ...deps, copies: places });
  return {
    watched,
    copies,
    /** Schedules copies that show the change, and marks followed files to read again. */
    changed(change) {
      copies.scheduleWrites(change);
      watched.listsChanged(change);
    },
    start() {
      watched.start();
      copies.start();
    },
    /** Stops both for good: aborts what is running and waits for its end. */
    async stop() {
      await watched.stop();
      await copies.stop();
    },
  };
}
