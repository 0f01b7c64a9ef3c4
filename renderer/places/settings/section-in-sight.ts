/** How far below the upper edge a heading may stand, in pixels, and its section counts as the one that is read. */
const LINE = 96;

/**
 * Which section one is at: the last whose heading has come to the upper edge. At the end of the page some never
 * come so far: of those it is the one that was asked for, else the last.
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
