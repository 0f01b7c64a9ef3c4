import type { Logger } from 'pino';
import type { Electron } from '../electron.ts';

/**
 * Returns a function that opens an address in the user's browser or mail program. It returns false for a forbidden
 * address, which it logs; true doesn't mean that a browser was found.
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

/** Exceeds a mail with an invite; every command line takes it. */
const MAX_LENGTH = 8 * 1024;

/** Returns whether a mail address sets only subject and text: some mail programs attach any file that a link names. */
const isPlainMail = (url: URL): boolean =>
  [...url.searchParams.keys()].every((key) => key === 'subject' || key === 'body');

/**
 * Returns the normalized address if the user's browser or mail program may open it: http and https without credentials,
 * mailto with at most subject and text. Undefined for others, above 8192 characters, or with control characters.
 */
export function externalUrl(text: string): string | undefined {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (text.length > MAX_LENGTH || /[\u0000-\u001f\u007f]/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol === 'mailto:') return isPlainMail(url) ? url.href : undefined;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.hostname === '' || url.username !== '' || url.password !== '') return undefined;
  return url.href;
}
