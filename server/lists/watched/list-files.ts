import type { ListsChange } from '../definitions/model.ts';
import { createListCopies, type ListCopies, type ListCopiesDeps } from './copies.ts';
import { createWatchedFiles, type WatchedFiles } from './watched-files.ts';

/** Files on this computer that lists are kept as in, and those that are kept as lists are. */
export interface ListFiles {
  readonly watched: WatchedFiles;
  readonly copies: ListCopies;
  /** To be told of every change of lists. */
  changed(change: ListsChange): void;
  start(): void;
  stop(): Promise<void>;
}

export function createListFiles(deps: Omit<ListCopiesDeps, 'sourceOf'>): ListFiles {
  const watched = createWatchedFiles(deps);
  const sourceOf = async (moduleID: string): Promise<string | undefined> =>
    (await watched.of(moduleID))?.file.path;
  const copies = createListCopies({ ...deps, sourceOf });
  return {
    watched,
    copies,
    changed: (change) => copies.changed(change),
    start() {
      watched.start();
      copies.start();
    },
    async stop() {
      await watched.stop();
      await copies.stop();
    },
  };
}
