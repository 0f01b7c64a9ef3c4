/** Distance from the upper edge, in pixels, within which a heading's section counts as current. */
const LINE = 96;

/**
 * Returns the name of the current section: the last one whose heading has reached the upper edge. At the end of the
 * page, where some can't, it is the requested one, otherwise the last. @param tops distances from the upper edge,
 * in pixels @param asked name of the section that was opened last
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
