import { accessSync, constants } from 'node:fs';
import type { Event } from 'electron';
import { ownArguments, parseArguments, startArguments, type StartArguments } from './arguments.ts';
import type { Electron } from '../electron.ts';

/** What comes from outside while the app runs: further starts, links and files opened by the system. */
export interface Instance {
  /** Hands over what has come so far, and from then on everything at once. */
  listen(listener: (started: StartArguments) => void): void;
}

/**
 * Makes this the only instance for its user data, or returns undefined where another one is that: it has then
 * got our arguments and shows its window. To be called before the app is ready, for macOS gives a link that
 * started the app before that.
 */
export function claimInstance({ app }: Electron<'app'>, own: StartArguments): Instance | undefined {
  if (!app.requestSingleInstanceLock({ ...own })) return undefined;
  const waiting: StartArguments[] = [];
  let listening = false;
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
  // macOS sends this at the start too, also when that is meant to be hidden.
  app.on('activate', () => {
    if (listening) pass({ hidden: false });
  });

  return {
    listen(listener) {
      listening = true;
      pass = listener;
      for (const started of waiting.splice(0)) listener(started);
    },
  };
}

/**
 * Whether Electron can keep anything in its folder. Where it cannot, no start is ever the only one: then
 * {@link claimInstance} gives nothing though nobody else is there.
 */
export function canKeep({ app }: Electron<'app'>): boolean {
  try {
    // It makes the folder, and throws where it cannot.
    accessSync(app.getPath('userData'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
