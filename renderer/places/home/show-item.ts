/** Returns the id of an item's heading, for links to it. */
export const headingOf = (itemID: string): string => `item-${itemID}`;

/** Scrolls to the card of an inbox item and focuses its heading, if it is on the page. */
export function showItem(itemID: string): void {
  const heading = document.getElementById(headingOf(itemID));
  heading?.scrollIntoView({ block: 'center' });
  heading?.focus({ preventScroll: true });
}
