/** The app's own origin: the window shows nothing else. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = 'app://footbridge';

/** Whether an address belongs to the app: scheme and host exactly, no credentials, no port. */
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

/** Whether the window may go there by itself: only to the app's one page, wherever in it. */
export function mayNavigate(text: string): boolean {
  return isAppUrl(text) && ['/', '/index.html'].includes(new URL(text).pathname);
}

/** Whether the page may load this: its own origin and what it makes itself, nothing from any network. */
export function mayRequest(text: string): boolean {
  if (isAppUrl(text)) return true;
  if (text.startsWith('blob:')) return isAppUrl(text.slice('blob:'.length));
  return text.startsWith('data:image/') || text.startsWith('devtools:');
}

/** Whether a file may be saved from this address. */
export function mayDownload(text: string): boolean {
  return isAppUrl(text.startsWith('blob:') ? text.slice('blob:'.length) : text);
}
