/** The heading of an item's card, to be found from where it is spoken of. */
export const headingOf = (itemID: string): string => `item-${itemID}`;

/** Brings the card of an item into sight, and the focus there. */
export function showItem(itemID: string): void {
  const heading = document.getElementById(headingOf(itemID));
  heading?.scrollIntoView({ block: 'center' });
  heading?.focus({ preventScroll: true });
}
