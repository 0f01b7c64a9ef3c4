/** Pixels from the top: the last heading above begins the current section. */
const LINE = 96;

/**
 * Returns the section to mark as current: the last whose heading is above the reading line, or the first. At the page's
 * end, where the last headings can't reach that line, the one opened last (`asked`) if among them, else the last.
 * `tops`, in pixels from the upper edge, are in the page's order.
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
