import type { Logger } from 'pino';
import type { Electron } from '../electron.ts';
import { externalUrl } from './external-link.ts';

/**
 * The only way an address leaves the app for the user's browser or mail program. Returns whether it was
 * handed over; anything else is dropped and logged.
 */
export function createOpenExternal(deps: {
  electron: Electron<'shell'>;
  log: Logger;
}): (address: string) => boolean {
  return (address) => {
    const url = externalUrl(address);
    if (url === undefined) {
      deps.log.warn({ scheme: address.slice(0, address.indexOf(':') + 1).slice(0, 20) }, 'link not opened');
      return false;
    }
    deps.electron.shell
      .openExternal(url)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'no browser'));
    return true;
  };
}
