import type { Logger } from 'pino';
import type { Electron } from '../electron.ts';
import { externalUrl } from './external-link.ts';

/**
 * Returns the function that opens an address in the user's browser or mail program, the only one in the app. It
 * returns false for an address that must not be opened, which is dropped and logged.
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
