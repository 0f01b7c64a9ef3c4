/** In pixels from the upper edge: a heading above this line begins the current section. */
const LINE = 96;

/**
 * Returns the name of the current section: the last whose heading is above the line, or the first. At the end of the
 * page, where further headings can't get there, it is the one opened last (`asked`) if among them, otherwise the
 * last. `tops` are in the page's order, in pixels from the upper edge.
 */
export function sectionInSight(
  tops: readonly { readonly name: string; readonly top: number }[],
  atEnd: boolean,
  asked: string,
): string {
  const below = tops.filter(({ top }) => top > LINE);
  if (atEnd && below.length > 0)
    return (below.find(({ name }) => name === asked) ?? below.at(-1))?.name ?? '';
  return (tops[tops.length - below.length - 1] ?? tops[0])?.name ?? '';
}
