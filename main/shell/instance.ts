import { accessSync, constants } from 'node:fs';
import type { Event } from 'electron';
import { ownArguments, parseArguments, startArguments, type StartArguments } from './arguments.ts';
import type { Electron } from '../electron.ts';

/** Later starts, links and files opened by the system while the app runs. */
export interface Instance {
  /** Delivers what has arrived, and from then on everything at once. */
  listen(listener: (started: StartArguments) => void): void;
}

/**
 * Makes this process the single instance for its user data, and collects later starts, links and files. Undefined
 * if another process is the instance; it got our arguments and shows its window. Call it before the app is ready:
 * macOS delivers the link of a start before that.
 */
export function claimInstance({ app }: Electron<'app'>, own: StartArguments): Instance | undefined {
  if (!app.requestSingleInstanceLock({ ...own })) return undefined;
  const waiting: StartArguments[] = [];
  let listening = false;
  /** Stores a start until there is a listener. */
  let pass = (started: StartArguments): void => void waiting.push(started);

  app.on('second-instance', (_event, argv, cwd, handedOver) => {
    const checked = startArguments.safeParse(handedOver);
    pass(checked.success ? checked.data : parseArguments(ownArguments(argv, app.isPackaged), cwd));
  });
  app.on('open-url', (event: Event, link) => {
    event.preventDefault();
    pass({ hidden: false, link });
  });
  app.on('open-file', (event: Event, file) => {
    event.preventDefault();
    pass({ hidden: false, file });
  });
  // macOS sends this at the start too, even a hidden one.
  app.on('activate', () => {
    if (listening) pass({ hidden: false });
  });

  return {
    /** Calls `listener` for each start, link or file that was collected, then for each further one at once. */
    listen(listener) {
      listening = true;
      pass = listener;
      for (const started of waiting.splice(0)) listener(started);
    },
  };
}

/**
 * Returns whether Electron can write to its folder, which it creates. If not, no start becomes the single instance:
 * {@link claimInstance} returns undefined although nothing else runs.
 */
export function canKeep({ app }: Electron<'app'>): boolean {
  try {
    // Makes the folder, and throws if it can't.
    accessSync(app.getPath('userData'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
