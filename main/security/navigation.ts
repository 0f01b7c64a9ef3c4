export const APP_SCHEME = 'app';
export const APP_ORIGIN = 'app://footbridge';

/** Returns whether an address is the app's own: exact scheme and host, no credentials, no port. */
export function isAppUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    url.protocol === `${APP_SCHEME}:` &&
    url.host === 'footbridge' &&
    url.username === '' &&
    url.password === ''
  );
}

/** Returns whether the window may navigate to an address: only the app's start page. */
export function mayNavigate(text: string): boolean {
  return isAppUrl(text) && ['/', '/index.html'].includes(new URL(text).pathname);
}

/** Returns whether the page may load an address: the app's own, its blob, a `data:` image or the developer tools. */
export function mayRequest(text: string): boolean {
  if (isAppUrl(text)) return true;
  if (text.startsWith('blob:')) return isAppUrl(text.slice('blob:'.length));
  return text.startsWith('data:image/') || text.startsWith('devtools:');
}

/** Returns whether a file may be saved from this address: the app's own or its blob. */
export function mayDownload(text: string): boolean {
  return isAppUrl(text.startsWith('blob:') ? text.slice('blob:'.length) : text);
}
