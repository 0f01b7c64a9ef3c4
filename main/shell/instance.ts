import { accessSync, constants } from 'node:fs';
import type { Event } from 'electron';
import { ownArguments, parseArguments, startArguments, type StartArguments } from './arguments.ts';
import type { Electron } from '../electron.ts';

/** Delivers later starts, and links and files opened by the system. */
export interface Instance {
  listen(listener: (started: StartArguments) => void): void;
}

/**
 * Makes this process the single instance for its user data; collects later starts, links and files until there is a
 * listener, which also gets macOS's activations. Returns undefined if another process is the instance, which then gets
 * `own`, or if Electron's folder can't be written. Call before Electron is ready: macOS delivers links before that.
 */
export function claimInstance({ app }: Electron<'app'>, own: StartArguments): Instance | undefined {
  if (!app.requestSingleInstanceLock({ ...own })) return undefined;
  const waiting: StartArguments[] = [];
  let listening = false;
  let deliver = (started: StartArguments): void => void waiting.push(started);

  app.on('second-instance', (_event, argv, cwd, handedOver) => {
    const checked = startArguments.safeParse(handedOver);
    deliver(checked.success ? checked.data : parseArguments(ownArguments(argv, app.isPackaged), cwd));
  });
  app.on('open-url', (event: Event, link) => {
    event.preventDefault();
    deliver({ hidden: false, link });
  });
  app.on('open-file', (event: Event, file) => {
    event.preventDefault();
    deliver({ hidden: false, file });
  });
  // macOS sends this at starts too, even hidden ones.
  app.on('activate', () => {
    if (listening) deliver({ hidden: false });
  });

  return {
    /** Calls `listener` for each collected start, then for each further one. */
    listen(listener) {
      listening = true;
      deliver = listener;
      for (const started of waiting.splice(0)) listener(started);
    },
  };
}

/** Creates Electron's user folder and returns whether it can be written; otherwise no start is the single instance. */
export function canWriteUserFolder({ app }: Electron<'app'>): boolean {
  try {
    // Makes the folder or throws.
    accessSync(app.getPath('userData'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
