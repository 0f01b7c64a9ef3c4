/** Limits of characters and of tags: a table of 10,000 rows and 30 columns has a third of them. */
const MAX_CHARS = 32 * 1024 * 1024;
const MAX_TAGS = 2_000_000;

const TABLE_TAGS: ReadonlySet<string> = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'br']);
/** Elements whose content is no text of a cell. */
const RAW: ReadonlySet<string> = new Set(['style', 'script', 'noscript', 'template']);

const TAG_NAME = /<\/?([a-z][^\s/>]*)/iy;
const TAG_REST = /(?:[^>"']|"[^"]*"|'[^']*')*>/y;

/**
 * Returns the tags and text of a table without other markup, in linear time; undefined without a table or beyond the
 * limits. For unclosed formatting tags a parser may create so many elements that the window freezes.
 */
export function tableMarkup(html: string): string | undefined {
  let at = html.search(/<table[\s>]/i);
  if (at < 0 || html.length > MAX_CHARS) return undefined;
  const parts: string[] = [];
  let tags = 0;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    parts.push(html.slice(at, tag < 0 ? html.length : tag));
    if (tag < 0) break;
    const name = nameAt(html, tag);
    const end = endOf(html, tag, name);
    // An unclosed tag swallows what follows, as in browsers.
    if (end < 0) break;
    if (end === tag + 1) parts.push('&lt;');
    if (name !== undefined && TABLE_TAGS.has(name)) {
      if (++tags > MAX_TAGS) return undefined;
      parts.push(html.slice(tag, end));
    }
    at = end;
  }
  return parts.join('');
}

/** Returns the lower-case name of the tag that begins here; undefined if none does. */
function nameAt(html: string, tag: number): string | undefined {
  TAG_NAME.lastIndex = tag;
  return TAG_NAME.exec(html)?.[1]?.toLowerCase();
}

/** Returns the end of a tag or comment, or of a whole element whose content is no text; -1 if it isn't closed. */
function endOf(html: string, tag: number, name: string | undefined): number {
  if (html.startsWith('<!--', tag)) return indexAfter(html, '-->', tag + 4);
  if (name === undefined) return /[!?/]/.test(html[tag + 1] ?? '') ? indexAfter(html, '>', tag) : tag + 1;
  TAG_REST.lastIndex = tag + 1 + name.length;
  if (!TAG_REST.test(html)) return -1;
  const end = TAG_REST.lastIndex;
  if (!RAW.has(name) || html[tag + 1] === '/') return end;
  const close = new RegExp(`</${name}[\\s>]`, 'gi');
  close.lastIndex = end;
  const found = close.exec(html);
  return found ? indexAfter(html, '>', found.index) : -1;
}

/** Returns the index after the next occurrence of `text`; -1 if there is none. */
function indexAfter(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found < 0 ? -1 : found + text.length;
}
