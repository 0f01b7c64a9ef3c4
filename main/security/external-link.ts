/** Long enough for a mail with an invite, short enough for every system's command line. */
const MAX_LENGTH = 8 * 1024;

/** Returns whether a mail link sets only subject and text: some mail programs attach any file that a link names. */
const isPlainMail = (url: URL): boolean =>
  [...url.searchParams.keys()].every((key) => key === 'subject' || key === 'body');

/**
 * Returns the address for the user's browser or mail program; undefined if it must not be opened: anything but
 * http, https and mailto, credentials, control characters, or no host. Values in lists come from partners, so this
 * check is the only way for a link to leave the app.
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
