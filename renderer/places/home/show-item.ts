/** Returns the id of an item's heading, for links to it. */
export const headingOf = (itemID: string): string => `item-${itemID}`;

/** Scrolls to an item's card and focuses it. */
export function showItem(itemID: string): void {
  const heading = document.getElementById(headingOf(itemID));
  heading?.scrollIntoView({ block: 'center' });
  heading?.focus({ preventScroll: true });
}
